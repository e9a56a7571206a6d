//! A private site over TLS that the agent has opened by name: it and the agent go on as ever, and no public
//! page of the session reaches it, though nobody on the way can see who asks.

use std::io::{BufRead as _, BufReader};
use std::net::Ipv4Addr;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use btcp_engine::Settings;
use btcp_testkit::{TestPage, World, empty_with};
use serde_json::{Value, json};

use crate::boundary::{LEADS, STAYS};
use crate::boundary_net::{PRIVATE, public_url, settings};

/// Ways that are tried over TLS only: of pages, of workers, and one of Chrome's own that no page's
/// requests show.
const MORE: &[&str] = &[
    "sharedworker",
    "sharedscript",
    "nested",
    "workersocket",
    "keepalive",
    "framed",
    "credential",
];

/// Links that lead nowhere but tell somebody, or save a file.
const LINKS: &[&str] = &["ping", "saved"];

/// What no Chrome of ours does at all.
const NEVER: &[&str] = &["preconnect", "speculation", "turn", "source"];

/// The private site; it ends with this.
struct Site {
    process: Child,
    port: u16,
    seen: Arc<Mutex<Vec<String>>>,
}

impl Site {
    fn start() -> Self {
        let pages = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testpages");
        let mut command = Command::new("python3");
        command.arg(pages.join("tls/private.py")).arg(&pages);
        command.stdout(Stdio::piped()).stderr(Stdio::null());
        let mut process = command.spawn().expect("Python runs, the tests need it");
        let mut lines = BufReader::new(process.stdout.take().expect("it is piped")).lines();
        let port = lines.next().expect("it says its port").expect("it is text");
        let port = port.trim().parse().expect("it is a number");
        let seen: Arc<Mutex<Vec<String>>> = Arc::default();
        let noting = seen.clone();
        std::thread::spawn(move || {
            for line in lines.map_while(Result::ok) {
                noting.lock().expect("no test panics with it").push(line);
            }
        });
        Self { process, port, seen }
    }

    fn origin(&self) -> String {
        format!("https://{PRIVATE}:{}", self.port)
    }

    fn url(&self, path: &str) -> String {
        format!("{}/{path}", self.origin())
    }

    fn seen(&self) -> Vec<String> {
        self.seen.lock().expect("no test panics with it").clone()
    }

    fn count(&self, path: &str) -> usize {
        self.seen().iter().filter(|seen| *seen == path).count()
    }

    /// What it has seen up to now. Chrome has an answer before we have heard that it was asked for, so
    /// the site is asked once more, by us, and everything before that has been said.
    async fn said_so_far(&self) -> Vec<String> {
        let address = (Ipv4Addr::LOCALHOST, self.port);
        let ours = tokio::net::TcpStream::connect(address).await.expect("it listens");
        let port = ours.local_addr().expect("it has an address").port();
        assert!(self.saw(&format!("connected {port}"), 1).await, "{:?}", self.seen());
        self.seen()
    }

    /// Waits until it saw this so often, a minute at the most.
    async fn saw(&self, path: &str, times: usize) -> bool {
        let mut looks = tokio::time::interval(Duration::from_millis(20));
        let met = async {
            while self.count(path) < times {
                looks.tick().await;
            }
        };
        tokio::time::timeout(Duration::from_secs(60), met).await.is_ok()
    }

    /// A page of its own that tries every way to itself.
    fn own(&self, path: &str) -> String {
        self.url(&format!("boundary/{path}?target={}", self.origin()))
    }

    /// A public page that tries every way to it.
    fn attacker(&self) -> String {
        public_url(&format!("boundary/attack.html?target={}&udp={}", self.origin(), self.port))
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A Chrome that takes the site's certificate.
async fn chrome(public: &[&str]) -> TestPage {
    let mut settings: Settings = settings(World::new(&[("intranet.test", &[PRIVATE])]), public);
    settings.extra_args.push("--ignore-certificate-errors".to_owned());
    empty_with(settings).await
}

async fn go(page: &TestPage, url: &str) {
    done(page, "navigate", json!({ "url": url })).await;
}

async fn done(page: &TestPage, action: &str, mut args: Value) -> Value {
    args["timeout"] = json!("60s");
    let outcome = page.call(action, args.clone()).await;
    outcome.unwrap_or_else(|failure| panic!("{action} {args}: {}", failure.text())).data
}

/// Tries these ways at once; they leave the page where it is.
async fn run(page: &TestPage, ways: &[&str]) {
    let ways = ways.iter().map(|way| format!("run('{way}')")).collect::<Vec<_>>().join(",");
    let script = format!("Promise.all([{ways}]).then(() => true)");
    done(page, "evaluate", json!({ "script": script })).await;
}

/// Tries every way from a public page.
async fn attack(page: &TestPage, site: &Site) {
    let url = site.attacker();
    go(page, &url).await;
    run(page, &[STAYS, MORE].concat()).await;
    for way in LINKS.iter().chain(LEADS) {
        go(page, &url).await;
        done(page, "click", json!({ "selector": format!("#{way}") })).await;
    }
    go(page, &public_url("title.html")).await;
}

#[tokio::test]
async fn no_way_leads_from_a_public_page_to_a_private_site_that_the_agent_opened() {
    let (site, page) = (Site::start(), chrome(&[]).await);
    // Before the session has seen the internet and after; its connections stay open.
    go(&page, &site.own("attack")).await;
    go(&page, &public_url("title.html")).await;
    go(&page, &site.own("attack")).await;
    page.eval("fetch('/ready').then(() => 1)").await;
    go(&page, &public_url("title.html")).await;
    let before = site.said_so_far().await;

    attack(&page, &site).await;

    assert_eq!(site.seen()[before.len()..], Vec::<String>::new());
}

/// Chrome does not tell how it ends.
#[tokio::test]
async fn what_a_site_had_under_way_lets_nobody_in_after_it() {
    let (site, page) = (Site::start(), chrome(&[]).await);
    go(&page, &public_url("title.html")).await;
    go(&page, &site.own("attack")).await;
    // Its connection is there already, so the leave to make one is not used.
    page.eval("(fetch('/never'), 1)").await;
    assert!(site.saw("/never", 1).await, "{:?}", site.seen());
    go(&page, &site.attacker()).await;
    let before = site.said_so_far().await;

    run(&page, &["credential"]).await;

    assert_eq!(site.said_so_far().await[before.len()..].len(), 1, "{:?}", site.seen());
}

/// The test above could not fail if these ways led nowhere.
#[tokio::test]
async fn every_way_leads_there_where_it_counts_as_public() {
    let (site, page) = (Site::start(), chrome(&["10.0.0.0/8"]).await);

    attack(&page, &site).await;

    for way in STAYS.iter().chain(MORE).chain(LINKS).chain(LEADS) {
        let path = if *way == "submit" { "/form".to_owned() } else { format!("/{way}") };
        let never = NEVER.contains(way);
        assert!(never || site.saw(&path, 1).await, "{way} did not work: {:?}", site.seen());
    }
}

/// The site itself works while a public page is open beside it, whether it tells who it is or not.
#[tokio::test]
async fn a_private_site_works_beside_a_public_page() {
    let (site, page) = (Site::start(), chrome(&[]).await);
    go(&page, &public_url("title.html")).await;
    let opened = done(&page, "open_tab", json!({ "url": site.own("attack") })).await;
    assert!(opened.is_object(), "{opened}");
    // A shared worker made of a blob does not run there, and who signs in elsewhere is not the site's page.
    let not = ["redirect", "credential", "sharedworker"];
    let fits = |way: &&&str| !NEVER.contains(way) && !not.contains(way);
    let ways: Vec<&str> = STAYS.iter().chain(MORE).filter(fits).copied().collect();
    let mut times = 0;
    for path in ["attack", "referrers"] {
        times += 1;
        go(&page, &site.own(path)).await;
        run(&page, &ways).await;
        for way in &ways {
            let seen = site.saw(&format!("/{way}"), times).await;
            assert!(seen, "{way} of /{path} did not work: {:?}", site.seen());
        }
        // Of a page that does not tell who it is nobody can tell what it opens in windows.
        let leads: &[&str] = match path {
            "attack" => &["link", "location", "submit", "led"],
            _ => &["link", "location", "submit", "led", "popup", "blank"],
        };
        for way in leads {
            go(&page, &site.own(path)).await;
            done(&page, "click", json!({ "selector": format!("#{way}") })).await;
            let path = if *way == "submit" { "/form".to_owned() } else { format!("/{way}") };
            assert!(site.saw(&path, 1).await, "{way} of {path}: {:?}", site.seen());
        }
    }
}

/// The agent goes there, back, forward and again, in one tab and in another, after public pages.
#[tokio::test]
async fn the_agent_goes_to_a_private_site_whenever_it_likes() {
    let (site, page) = (Site::start(), chrome(&[]).await);
    go(&page, &public_url("title.html")).await;
    go(&page, &site.url("one")).await;
    go(&page, &public_url("title.html")).await;
    done(&page, "back", json!({})).await;
    assert_eq!(site.count("/one"), 2, "{:?}", site.seen());
    done(&page, "reload", json!({})).await;
    done(&page, "forward", json!({})).await;
    done(&page, "back", json!({})).await;
    assert!(site.count("/one") >= 4, "{:?}", site.seen());
    done(&page, "open_tab", json!({ "url": site.url("two") })).await;
    // Where it redirects to itself it is followed, by name too, and written in any way.
    go(&page, &site.url(&format!("redirect?to={}", site.url("three")))).await;
    go(&page, &site.url("x/../a b/four")).await;
    go(&page, &format!("https://intranet.test:{}/five", site.port)).await;
    for path in ["/two", "/three", "/a%20b/four", "/five"] {
        assert_eq!(site.count(path), 1, "{path}: {:?}", site.seen());
    }
}

/// Neither a redirect by somebody else, nor what a page sends at the moment it is left for the site.
#[tokio::test]
async fn nobody_comes_along_with_the_agent_or_the_site() {
    let (site, page) = (Site::start(), chrome(&[]).await);
    go(&page, &site.own("attack")).await;
    let denied = "a page may not lead to private network addresses";
    let away = public_url(&format!("redirect?to={}", site.url("led")));
    let failure = page.call("navigate", json!({ "url": away })).await.expect_err("it is led");
    assert_eq!(failure.code, "denied", "{}", failure.text());
    assert!(failure.message.ends_with(denied), "{}", failure.message);

    // The site itself is sent away, and from there back to itself.
    go(&page, &site.own("referrers")).await;
    let script =
        format!("fetch('/redirect?to={away}', {{ mode: 'no-cors' }}).then(() => 1, () => 0)");
    assert_eq!(page.eval(&script).await, json!(0));

    go(&page, &site.attacker()).await;
    let told = done(&page, "click", json!({ "selector": "#link" })).await;
    assert!(told["failedRequests"].to_string().contains(denied), "{told}");
    go(&page, &site.attacker()).await;
    page.eval("(addEventListener('pagehide', () => { ways.keepalive(); ways.beacon() }), 1)").await;
    go(&page, &site.url("own")).await;
    page.eval("fetch('/after').then(() => 1)").await;

    for path in ["/led", "/link", "/keepalive", "/beacon"] {
        assert_eq!(site.count(path), 0, "{path}: {:?}", site.seen());
    }
    assert_eq!(site.count("/after"), 1, "{:?}", site.seen());
}
