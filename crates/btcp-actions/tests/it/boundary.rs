//! A hostile public page against this machine and the private network: every way it has, and a
//! victim that must see nothing. The same page where those count as public shows that each way works.

use btcp_testkit::{TestPage, World, empty_with};
use serde_json::json;

use crate::boundary_net::{PRIVATE, Victim, public_url, settings};

/// Ways that leave the page where it is, and end by themselves.
pub(crate) const STAYS: &[&str] = &[
    "fetch",
    "post",
    "img",
    "script",
    "css",
    "iframe",
    "websocket",
    "beacon",
    "eventsource",
    "worker",
    "serviceworker",
    "prefetch",
    "preconnect",
    "speculation",
    "turn",
    "redirect",
];

/// Ways by which the tab, or a new one, goes there.
pub(crate) const LEADS: &[&str] =
    &["link", "blank", "led", "source", "popup", "location", "submit"];

/// What no Chrome of ours does at all; `boundary_control.rs` has Chromes that do.
const NEVER: &[&str] = &["preconnect", "speculation", "turn", "source"];

async fn go(page: &TestPage, url: &str) {
    let args = json!({ "url": url, "timeout": "60s" });
    page.call("navigate", args).await.unwrap_or_else(|failure| panic!("{}", failure.text()));
}

/// Tries every way to a host.
async fn attack(page: &TestPage, host: &str, victim: &Victim) {
    let target = format!("http://{host}:{}", victim.port);
    let url = public_url(&format!("boundary/attack.html?target={target}&udp={}", victim.udp));
    go(page, &url).await;
    let ways = STAYS.iter().map(|way| format!("run('{way}')")).collect::<Vec<_>>().join(",");
    let script = format!("Promise.all([{ways}]).then(() => true)");
    let done = page.call("evaluate", json!({ "script": script, "timeout": "60s" })).await;
    done.unwrap_or_else(|failure| panic!("{}", failure.text()));
    for way in LEADS {
        let args = json!({ "selector": format!("#{way}"), "timeout": "60s" });
        page.call("click", args)
            .await
            .unwrap_or_else(|failure| panic!("{way}: {}", failure.text()));
        go(page, &url).await;
    }
}

#[tokio::test]
async fn no_way_leads_from_a_public_page_to_this_machine_or_the_private_network() {
    let victim = Victim::start();
    let page = empty_with(settings(World::new(&[]), &[])).await;

    attack(&page, "127.0.0.1", &victim).await;
    attack(&page, "localhost", &victim).await;
    attack(&page, PRIVATE, &victim).await;

    assert_eq!(victim.seen(), Vec::<String>::new());
}

/// The test above could not fail if these ways led nowhere.
#[tokio::test]
async fn every_way_leads_to_what_counts_as_public() {
    let victim = Victim::start();
    let page = empty_with(settings(World::new(&[]), &["127.0.0.0/8"])).await;

    // Who only connects is told from the others by a victim of its own.
    let early = Victim::start();
    let target = format!("http://127.0.0.1:{}", early.port);
    go(&page, &public_url(&format!("boundary/attack.html?target={target}"))).await;
    page.eval("run('preconnect')").await;
    attack(&page, "127.0.0.1", &victim).await;

    for way in STAYS.iter().chain(LEADS).filter(|way| !NEVER.contains(way)) {
        let path = match *way {
            "submit" => "/form".to_owned(),
            way => format!("/{way}"),
        };
        assert!(victim.saw(&path).await, "{way} did not work: {:?}", victim.seen());
    }
    assert_eq!(early.seen(), Vec::<String>::new(), "preconnect works");
    let seen = victim.seen();
    for way in NEVER {
        assert!(!seen.contains(&format!("/{way}")), "{way} works: {seen:?}");
    }
    assert!(
        !seen.contains(&"/prerender".to_owned()) && !seen.contains(&"udp".to_owned()),
        "{seen:?}"
    );
}

/// Pages that nobody asked for yet: their requests could not be told from those of others. From a site
/// of this machine, to which Chrome allows them; then the page is opened, to see that it counts.
#[tokio::test]
async fn speculation_rules_are_not_followed() {
    let (page, victim) = (empty_with(settings(World::new(&[]), &[])).await, Victim::start());
    go(&page, &btcp_testkit::server().url("boundary/speculation.html")).await;
    page.eval(&format!("follow('speculated', 'http://127.0.0.1:{}/ahead')", victim.port)).await;
    assert_eq!(btcp_testkit::server().count("speculated"), 0, "it was run ahead");
    assert_eq!(victim.seen(), Vec::<String>::new(), "it was fetched ahead");
    go(&page, &btcp_testkit::server().url("boundary/prerendered.html?key=speculated")).await;
    page.eval("told.then(() => 1)").await;
    assert_eq!(btcp_testkit::server().count("speculated"), 1);
}

/// The agent itself may name local addresses; what nobody may reach is told at once, by its rule.
#[tokio::test]
async fn what_is_denied_says_which_rule() {
    let victim = Victim::start();
    let names: &[(&str, &[&str])] =
        &[("rebinds.test", &["203.0.113.9", "127.0.0.1"]), ("meta.test", &["169.254.169.254"])];
    let page = empty_with(settings(World::new(names), &[])).await;
    let refused = async |url: String| {
        let failure = page.call("navigate", json!({ "url": url })).await.unwrap_err();
        (failure.code, failure.message)
    };
    let link_local = "is denied: its address is link-local, cloud metadata or reserved";
    for host in ["169.254.169.254", "metadata.google.internal", "meta.test", "100.100.100.200"] {
        let (code, message) = refused(format!("http://{host}/latest")).await;
        assert_eq!((code, message), ("denied", format!("{host}:80 {link_local}")));
    }
    let (code, message) = refused("http://0xa9fea9fe/".into()).await;
    assert_eq!((code, message), ("denied", format!("169.254.169.254:80 {link_local}")));

    // A public page leads to what is denied: by a redirect, and by a click.
    let local = format!("http://127.0.0.1:{}/x", victim.port);
    let (code, message) = refused(public_url(&format!("redirect?to={local}"))).await;
    let sentence = "is denied: a page may not lead to loopback addresses";
    assert_eq!((code, message), ("denied", format!("127.0.0.1:{} {sentence}", victim.port)));
    go(
        &page,
        &public_url(&format!("boundary/attack.html?target=http://127.0.0.1:{}", victim.port)),
    )
    .await;
    let outcome = page.call("click", json!({ "selector": "#link" })).await.unwrap();
    let failed = outcome.data["failedRequests"].to_string();
    assert!(failed.contains(sentence), "{}", outcome.data);

    // A name that stood for a public address and now stands for this machine.
    go(&page, &format!("http://rebinds.test:{}/title.html", btcp_testkit::server().port())).await;
    let (code, message) = refused(format!("http://rebinds.test:{}/", victim.port)).await;
    assert_eq!(code, "denied", "{message}");
    assert!(message.ends_with("its name stood for a public address before"), "{message}");
    assert_eq!(victim.seen(), Vec::<String>::new());

    // Named by the agent, the same addresses are open.
    go(&page, &local).await;
    assert!(victim.seen().contains(&"/x".to_owned()));
    go(&page, &format!("http://{PRIVATE}:{}/y", victim.port)).await;
    assert!(victim.seen().contains(&"/y".to_owned()));
}

/// The page stays, its name turns: what it asks of its own origin goes to an address that a page may not
/// reach. Every answer of the server ends its connection, so each request looks the name up again.
#[tokio::test]
async fn a_page_whose_name_turns_to_this_machine_does_not_reach_it() {
    let server = btcp_testkit::server();
    let names: &[(&str, &[&str])] = &[
        ("rebinds.test", &["203.0.113.9", "127.0.0.1"]),
        ("turns.test", &["203.0.113.9", PRIVATE]),
        ("stays.test", &["203.0.113.9"]),
    ];
    let page = empty_with(settings(World::new(names), &[])).await;
    for (host, reached) in [("rebinds.test", 0), ("turns.test", 0), ("stays.test", 2)] {
        go(&page, &format!("http://{host}:{}/title.html", server.port())).await;
        let key = format!("rebound-{host}");
        // `no-cors` too: whether the answer can be read is not what is asked.
        let script = format!(
            "Promise.all(['cors', 'no-cors'].map((mode) => \
             fetch('/count/{key}', {{ method: 'POST', mode }}).then(() => 1, () => 0)))"
        );
        let answered = page.eval(&script).await;
        assert_eq!(answered, json!([i32::from(reached > 0), i32::from(reached > 0)]), "{host}");
        assert_eq!(server.count(&key), reached, "{host}");
    }
}

/// What a page led to in vain is the address of its tab all the same. Whoever loads it again does what
/// the page wanted: neither loading again nor the history is a way around the guard.
#[tokio::test]
async fn loading_again_does_not_lead_where_a_page_could_not() {
    let victim = Victim::start();
    let page = empty_with(settings(World::new(&[]), &[])).await;
    let at = async || page.call("url", json!({})).await.expect("it has one").data["url"].clone();
    for host in [PRIVATE, "127.0.0.1"] {
        let target = format!("http://{host}:{}", victim.port);
        go(&page, &public_url(&format!("boundary/attack.html?target={target}"))).await;
        page.call("click", json!({ "selector": "#location" })).await.expect("it is clicked");
        assert_eq!(at().await, json!(format!("{target}/location")), "the tab was not led there");
        for action in ["reload", "back", "forward", "reload"] {
            // Whether that is an error is told elsewhere.
            let _ = page.call(action, json!({ "timeout": "60s" })).await;
        }
        assert_eq!(victim.seen(), Vec::<String>::new(), "{host}");
    }

    // Where the agent itself has been it may go again, and where it could not get.
    let count = |path: &str| victim.seen().iter().filter(|seen| *seen == path).count();
    go(&page, &format!("http://{PRIVATE}:{}/own", victim.port)).await;
    page.call("reload", json!({ "timeout": "60s" })).await.expect("it was there");
    assert_eq!(count("/own"), 2, "{:?}", victim.seen());
    go(&page, &public_url("title.html")).await;
    page.call("back", json!({ "timeout": "60s" })).await.expect("it was there");
    page.call("reload", json!({ "timeout": "60s", "bypassCache": true })).await.expect("as before");
    assert!(count("/own") >= 3, "{:?}", victim.seen());
}

/// A person's own rules, for the agent's navigations, for those of pages, and for what pages load.
#[tokio::test]
async fn a_persons_rules_hold_for_agent_and_page() {
    let victim = Victim::start();
    let names: &[(&str, &[&str])] =
        &[("other.test", &["203.0.113.20"]), ("ads.test", &["203.0.113.30"])];
    let mut settings = settings(World::new(names), &[]);
    settings.egress.allow = vec!["public.test".parse().unwrap(), "other.test:1".parse().unwrap()];
    settings.egress.deny = vec!["203.0.113.30/32".parse().unwrap()];
    let page = empty_with(settings).await;

    let elsewhere = format!("other.test:{}", victim.port);
    let failure = page.call("navigate", json!({ "url": format!("http://{elsewhere}/") })).await;
    let failure = failure.unwrap_err();
    let sentence = format!("{elsewhere} is denied: it is not among --allow");
    assert_eq!((failure.code, failure.message.as_str()), ("denied", sentence.as_str()));

    let attack = public_url(&format!("boundary/attack.html?target=http://{elsewhere}"));
    for way in ["link", "led", "popup", "submit"] {
        go(&page, &attack).await;
        let outcome = page.call("click", json!({ "selector": format!("#{way}") })).await.unwrap();
        if way != "popup" {
            let failed = outcome.data["failedRequests"].to_string();
            assert!(failed.contains(&sentence), "{way}: {}", outcome.data);
        }
    }
    assert_eq!(victim.seen(), Vec::<String>::new());
    // What a page loads is another matter.
    go(&page, &attack).await;
    page.eval("run('img')").await;
    assert!(victim.seen().contains(&"/img".to_owned()));

    let seen = victim.seen().len();
    go(&page, &public_url(&format!("boundary/attack.html?target=http://ads.test:{}", victim.port)))
        .await;
    page.eval("Promise.all([run('img'), run('fetch'), run('iframe')])").await;
    assert_eq!(victim.seen().len(), seen, "{:?}", victim.seen());
}

/// `--allow-resources` by itself: pages load from there and from their own host, and from nowhere else; where
/// agent and page go is not its business.
#[tokio::test]
async fn pages_load_only_what_may_be_loaded_and_lead_where_they_like() {
    let (cdn, other) = (Victim::start(), Victim::start());
    let names: &[(&str, &[&str])] =
        &[("cdn.test", &["203.0.113.20"]), ("other.test", &["203.0.113.30"])];
    let mut settings = settings(World::new(names), &[]);
    settings.egress.allow_resources = vec!["cdn.test".parse().expect("a host")];
    let page = empty_with(settings).await;
    let ways = ["fetch", "post", "img", "script", "css", "iframe", "websocket", "beacon"];
    let ways: Vec<&str> = ways.into_iter().chain(["eventsource", "worker", "prefetch"]).collect();
    let all = ways.iter().map(|way| format!("run('{way}')")).collect::<Vec<_>>().join(",");
    let attack = |host: &str, victim: &Victim| {
        public_url(&format!("boundary/attack.html?target=http://{host}:{}", victim.port))
    };
    let load = async |host: &str, victim: &Victim| {
        go(&page, &attack(host, victim)).await;
        let script = format!("Promise.all([{all}]).then(() => true)");
        let args = json!({ "script": script, "timeout": "60s" });
        page.call("evaluate", args).await.unwrap_or_else(|failure| panic!("{}", failure.text()));
    };

    load("other.test", &other).await;
    assert_eq!(other.seen(), Vec::<String>::new());
    load("cdn.test", &cdn).await;
    for way in &ways {
        assert!(cdn.saw(&format!("/{way}")).await, "{way}: {:?}", cdn.seen());
    }
    assert_eq!(page.eval("fetch('/title.html').then((own) => own.status)").await, json!(200));

    // Where a page leads a tab is not ruled, nor where the agent goes by itself.
    for (way, path) in
        [("link", "/link"), ("led", "/led"), ("popup", "/popup"), ("submit", "/form")]
    {
        go(&page, &attack("other.test", &other)).await;
        let args = json!({ "selector": format!("#{way}"), "timeout": "60s" });
        page.call("click", args).await.unwrap_or_else(|failure| panic!("{}", failure.text()));
        assert!(other.saw(path).await, "{way}: {:?}", other.seen());
    }
    go(&page, &format!("http://other.test:{}/named", other.port)).await;
    assert!(other.saw("/named").await, "{:?}", other.seen());
}

/// Where Chrome says that it did not go somewhere.
const REFUSED: &str = " chrome-error://chromewebdata/";

/// Addresses that are no pages of the web, by every route a page has.
#[tokio::test]
async fn other_schemes_lead_nowhere() {
    let page = btcp_testkit::empty().await;
    let all: &[&str] = &["link", "blank", "popup", "location", "led", "frame", "submit", "save"];
    let some: &[&str] = &["link", "blank", "popup", "location", "led", "frame"];
    for (to, ways) in [
        ("file:///etc/passwd", all),
        ("chrome://version", some),
        ("view-source:http://127.0.0.1/", some),
        ("devtools://devtools/bundled/inspector.html", some),
        ("filesystem:http://127.0.0.1/temporary/x", some),
        ("chrome-extension://mhjfbmdgcfjbbpaeojofohoefgiehjai/index.html", some),
    ] {
        for action in ["navigate", "open_tab"] {
            let failure = page.call(action, json!({ "url": to })).await.unwrap_err();
            assert_eq!(failure.code, "denied", "{action} {to}");
        }
        let url = btcp_testkit::server().url(&format!("boundary/schemes.html?to={to}"));
        for way in ways {
            go(&page, &url).await;
            let args = json!({ "selector": format!("#{way}"), "timeout": "60s" });
            let clicked = page.call("click", args).await;
            let clicked = clicked.unwrap_or_else(|failure| panic!("{way}: {}", failure.text()));
            let text = clicked.text.for_model();
            assert!(!text.contains("still loading"), "{way}: {text}");
            let at = page.call("url", json!({})).await.expect("it has one").data["url"].clone();
            let seen = page.call("snapshot", json!({})).await.expect("it is there");
            let seen = seen.text.for_model();
            // What Chrome refuses is an address too, of a page of Chrome's own that says so.
            let refused = seen.lines().next().is_some_and(|page| page.ends_with(REFUSED));
            assert!(at == json!(url) || refused, "{way} led to {at}: {seen}");
            let told = ["root:x", "Executable Path"].into_iter().find(|words| seen.contains(words));
            assert_eq!(told, None, "{way} to {to}: {seen}");
        }
    }
    history_leads_nowhere_else(&page).await;
    let html =
        "<a id=link href='file:///etc/passwd'>Link</a><iframe src='file:///etc/passwd'></iframe>";
    page.call("setcontent", json!({ "html": html })).await.unwrap();
    page.call("click", json!({ "selector": "#link" })).await.unwrap();
    assert_eq!(page.eval("frames[0].document.body.innerText").await, json!(""));
    let tabs = page.call("get_all_tabs", json!({})).await.unwrap().data.to_string();
    for scheme in ["file:", "chrome:", "view-source:", "devtools:"] {
        assert!(!tabs.contains(&format!("\"url\":\"{scheme}")), "{tabs}");
    }
    let downloads = page.call("downloads", json!({})).await.unwrap().data.to_string();
    assert!(!downloads.contains("Complete") && !downloads.contains("complete"), "{downloads}");
    go(&page, &btcp_testkit::server().url("title.html")).await;
    assert_eq!(page.call("title", json!({})).await.unwrap().data["title"], json!("title"));
}

/// What was tried is in no history: a page cannot put it there, and back and forward do not find it.
async fn history_leads_nowhere_else(page: &TestPage) {
    let url = btcp_testkit::server().url("boundary/schemes.html?to=file:///etc/passwd");
    go(page, &btcp_testkit::server().url("title.html")).await;
    go(page, &url).await;
    for script in ["history.pushState(0, '', to)", "history.replaceState(0, '', to)"] {
        let failure =
            page.call("evaluate", json!({ "script": script })).await.expect_err("it is refused");
        assert_eq!(failure.code, "javascript_error", "{script}: {}", failure.text());
    }
    for way in ["link", "location", "led"] {
        page.call("click", json!({ "selector": format!("#{way}") })).await.expect("it is clicked");
    }
    page.call("evaluate", json!({ "script": "location.replace(to), history.go(-1), 1" }))
        .await
        .ok();
    for action in ["back", "forward", "back", "forward", "reload"] {
        // Where there is nothing, that is told.
        let _ = page.call(action, json!({ "timeout": "60s" })).await;
        let at =
            page.call("url", json!({})).await.expect("it has an address").data["url"].to_string();
        assert!(at.starts_with("\"http://127.0.0.1"), "{action} led to {at}");
    }
}
