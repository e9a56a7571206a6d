//! A session in a Chrome that is a person's: theirs stays theirs, ours works as elsewhere.

use std::time::{Duration, Instant};

use btcp_testkit::{ForeignChrome, Mcp, Person, Surface as _, TheirTab, server};
use serde_json::json;

use crate::home::{Home, PATIENCE};
use crate::processes::until;

/// What a page that hangs does not do in.
const SILENT: Duration = Duration::from_millis(500);

/// Waits until a person's tab answers so.
async fn shows(person: &Person, tab: &TheirTab, script: &str, wanted: &str) {
    let begun = Instant::now();
    loop {
        let got = person.run(tab, script, PATIENCE).await;
        if got.as_deref() == Some(format!("\"{wanted}\"").as_str()) {
            return;
        }
        assert!(begun.elapsed() < PATIENCE, "{script} is {got:?}, not {wanted}");
        tokio::task::yield_now().await;
    }
}

/// A person's two tabs: one asks them something, one is busy for ever.
struct Theirs {
    person: Person,
    before: Vec<(String, String, String)>,
    asks: TheirTab,
    busy: TheirTab,
}

impl Theirs {
    async fn open(chrome: &ForeignChrome) -> Self {
        let person = chrome.person().await;
        let page = server().url("guest/theirs.html");
        let (_, asks) = person.open(&page).await;
        let (_, busy) = person.open(&format!("{page}?busy")).await;
        for tab in [&asks, &busy] {
            shows(&person, tab, "document.title", "theirs").await;
        }
        person.set_off(&asks, "alert('For the person')");
        person.set_off(&busy, "for (;;);");
        until(PATIENCE, "the person is asked", || person.open_dialogs() == 1);
        let before = person.tabs().await;
        assert_eq!(before.len(), 3, "{before:?}");
        Self { person, before, asks, busy }
    }

    /// The same tabs are there, no others, and nobody has answered or stopped anything in them.
    async fn assert_untouched(&self) {
        // Chrome says that a tab is closed before it is gone.
        let begin = Instant::now();
        let mut pause = tokio::time::interval(Duration::from_millis(20));
        let mut now = self.person.tabs().await;
        while now != self.before {
            assert!(begin.elapsed() < PATIENCE, "{now:?} in place of {:?}", self.before);
            pause.tick().await;
            now = self.person.tabs().await;
        }
        self.assert_still_there().await;
    }

    async fn assert_still_there(&self) {
        let now = self.person.tabs().await;
        for tab in &self.before {
            assert!(now.contains(tab), "{tab:?} is not in {now:?}");
        }
        assert_eq!(self.person.open_dialogs(), 1, "their dialog was answered");
        for tab in [&self.asks, &self.busy] {
            assert_eq!(self.person.run(tab, "1", SILENT).await, None, "their script was ended");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_in_a_persons_chrome_touches_its_own_tabs_only() {
    let mut chrome = ForeignChrome::new();
    let theirs = Theirs::open(&chrome).await;
    let home = Home::new();
    let port = chrome.port().to_string();

    let said = home.say(&["connect", &port]);
    assert_eq!(said.code, 0, "{said:?}");
    assert!(said.out.starts_with("session 'default' is in Chrome/"), "{said:?}");
    assert!(said.err.contains("only addresses that the agent names itself are judged"), "{said:?}");
    assert_eq!(home.does(&["sessions"]), "default (set: connect)\n");

    // Plain commands go on there, each as in a Chrome of our own.
    let page = server().url("guest/work.html");
    assert!(home.does(&["open", &page]).contains("page \"work\""));
    let seen = home.does(&["snapshot"]);
    assert!(seen.contains("button \"Press\"") && seen.contains("button \"Inside\""), "{seen}");
    assert!(home.does(&["click", "#press"]).contains("pressed"));
    assert!(home.does(&["fill", "#name", "Ada"]).contains("Ada"));
    let inner = home.does(&["click", "iframe[title=Elsewhere] >> #inside"]);
    assert!(inner.contains("Done inside"), "{inner}");
    assert!(home.does(&["click", "#asks"]).contains("Really?"));
    assert!(home.does(&["dialog", "accept"]).contains("yes"));
    let picture = home.data(&["screenshot"]);
    assert_eq!(picture["width"], 1280, "{picture}");

    // What our tabs open is ours, what these open too.
    for opens in ["#blank", "#opens"] {
        let opened = home.data(&["click", opens]);
        assert_eq!(opened["effect"], "newtab", "{opens}: {opened}");
        let id = opened["newTab"]["tabId"].to_string();
        let inside = home.does(&["click", "#inside", "--tab-id", &id]);
        assert!(inside.contains("Done inside"), "{opens}: {inside}");
        let again = home.data(&["click", "#again", "--tab-id", &id]);
        assert_eq!(again["effect"], "newtab", "{again}");
    }
    let tabs = home.data(&["tabs", "list"]);
    assert_eq!(tabs["tabs"].as_array().unwrap().len(), 5, "{tabs}");
    assert!(!tabs.to_string().contains("theirs"), "{tabs}");

    // Downloads come to the session, that of a window which closes at once too, and are not left among
    // the person's.
    home.does(&["click", "#file"]);
    home.does(&["click", "#file-blank"]);
    let listed = || home.data(&["downloads", "--wait"])["downloads"].clone();
    until(PATIENCE, "both have begun", || listed().as_array().unwrap().len() == 2);
    for (file, (name, bytes)) in
        listed().as_array().unwrap().iter().zip([("report.txt", 7), ("second.txt", 9)])
    {
        assert_eq!((&file["filename"], &file["bytes"]), (&json!(name), &json!(bytes)), "{file}");
        let path = std::path::Path::new(file["path"].as_str().unwrap());
        assert!(path.starts_with(home.folder.join("state")), "{}", path.display());
        assert_eq!(std::fs::metadata(path).unwrap().len(), bytes, "{}", path.display());
        assert!(!chrome.downloads().join(name).exists(), "{name} is left");
    }
    theirs.assert_still_there().await;

    home.does(&["close"]);
    until(PATIENCE, "the session is closed", || home.does(&["sessions"]).is_empty());
    theirs.assert_untouched().await;
    assert!(chrome.is_alive());
}

/// Killed or stopped: neither takes along what is not its own.
#[tokio::test(flavor = "multi_thread")]
async fn a_daemon_that_ends_leaves_a_persons_chrome_running() {
    let mut chrome = ForeignChrome::new();
    let theirs = Theirs::open(&chrome).await;
    let home = Home::new();
    let profile = chrome.profile();
    let page = server().url("guest/work.html");
    home.does(&["connect", profile.to_str().unwrap()]);
    home.does(&["open", &page]);

    home.does(&["stop"]);
    theirs.assert_untouched().await;

    home.does(&["connect", &chrome.web_socket()]);
    home.does(&["open", &page]);
    let daemon = home.daemon().unwrap();
    assert!(Home::chrome(&daemon).is_empty(), "it started a Chrome");
    daemon.kill();
    until(PATIENCE, "the daemon is gone", || !daemon.is_alive());
    theirs.assert_still_there().await;
    assert!(chrome.is_alive());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_chrome_that_ended_is_told_and_connected_to_again_when_it_is_back() {
    let mut chrome = ForeignChrome::new();
    let profile = chrome.profile();
    let port = chrome.port();
    let home = Home::new();
    home.does(&["connect", profile.to_str().unwrap()]);
    home.does(&["open", &server().url("guest/work.html")]);
    let waits = home.starts(&["wait", "#never", "--timeout", "60s", "--json"]);
    until(PATIENCE, "the call is under way", || home.data(&["status"])["calls"] == 1);

    chrome.kill();

    let said = crate::home::Said::of(waits.wait_with_output().unwrap());
    assert!(said.out.contains("\"browser_gone\""), "{said:?}");
    for _ in 0..2 {
        let said = home.say(&["url"]);
        assert_eq!(said.code, 1, "{said:?}");
        let expected = [
            "The Chrome that btcp was connected to ended",
            &format!("cannot connect to 127.0.0.1:{port}"),
            "Start Chrome with --remote-debugging-port",
            "(no_browser)",
        ];
        for expected in expected {
            assert!(said.err.contains(expected), "{expected}: {said:?}");
        }
    }

    // It comes back on another port, which its profile tells.
    let again = ForeignChrome::new();
    std::fs::create_dir_all(&profile).unwrap();
    let told = format!("{}\n{}", again.port(), again.path());
    std::fs::write(profile.join("DevToolsActivePort"), told).unwrap();
    let seen = home.does(&["snapshot"]);
    assert!(
        seen.contains("The connection to Chrome was lost, and was made again: 1 tab"),
        "{seen}"
    );
    assert!(seen.contains("page \"work\""), "{seen}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wrong_where_says_what_to_do() {
    let chrome = ForeignChrome::new();
    let home = Home::new();
    let nowhere = home.folder.join("no-profile");
    let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let stale = format!("ws://127.0.0.1:{}/devtools/browser/old", chrome.port());
    let web = server().url("").trim_end_matches('/').to_owned();
    for (words, code, expected) in [
        (vec!["connect"], 2, "WHERE"),
        (vec!["connect", "wss://127.0.0.1:1/x"], 2, "no TLS"),
        (vec!["connect", "0"], 2, "a port from 1 to 65535"),
        (vec!["connect", "192.0.2.7:9222"], 1, "allow it with --connect-remote"),
        (vec!["connect", &closed.to_string()], 1, "Start Chrome with --remote-debugging-port"),
        (vec!["connect", nowhere.to_str().unwrap()], 1, "no Chrome takes connections there"),
        (vec!["connect", &stale], 1, "give its port or its profile's folder"),
        (vec!["connect", &web], 1, "it answers /json/version with status 404"),
        (
            vec!["connect", &chrome.port().to_string(), "--proxy", "http://a.test:1"],
            1,
            "'proxy' cannot be set",
        ),
    ] {
        let said = home.say(&words);
        assert_eq!(said.code, code, "{words:?}: {said:?}");
        assert!(said.err.contains(expected), "{words:?}: {said:?}");
    }
    assert_eq!(home.does(&["sessions"]), "", "a session is left");
}

/// The other surfaces by the setting; a page of the agent's cannot be the debugging port.
#[tokio::test(flavor = "multi_thread")]
async fn mcp_connects_by_a_flag() {
    let mut chrome = ForeignChrome::new();
    let port = chrome.port();
    let person = chrome.person().await;
    let before = person.tabs().await;
    {
        let binary = std::path::Path::new(crate::processes::BTCP);
        let flags = ["--connect", &port.to_string(), "--deny", "localhost"];
        let mcp = Mcp::start_with(binary, &flags).await;
        let page = server().url("guest/work.html");
        mcp.call("navigate", json!({ "url": page })).await.unwrap();
        assert_eq!(person.tabs().await.len(), before.len() + 1);
        for local in [
            format!("http://127.0.0.1:{port}/json"),
            format!("localhost:{port}/json/list"),
            // Chrome reads all of these as the same.
            format!("http://127.0.0.1\t:{port}/json"),
            format!("http://ｌocalhost:{port}/json"),
            format!("http://local\u{ad}host:{port}/json"),
            format!("http://１２７.0.0.1:{port}/json"),
        ] {
            let refused = mcp.call("navigate", json!({ "url": local })).await.unwrap_err();
            assert_eq!(refused.code, "denied", "{refused:?}");
        }
        // Where a person has ruled navigations, those of pages are held here too.
        let led = mcp.call("click", json!({ "selector": "#elsewhere" })).await;
        assert!(format!("{led:?}").contains("denied"), "{led:?}");
        let seen = mcp.call("snapshot", json!({})).await.unwrap().text;
        assert!(!seen.contains("Once more"), "{seen}");
        let metadata = mcp.call("navigate", json!({ "url": "http://169.254.169.254/" })).await;
        assert_eq!(metadata.unwrap_err().code, "denied");
    }
    // What does not hold there is told to the person, once Chrome is connected to.
    let log = std::env::temp_dir().join(format!("btcp-connect-{}", std::process::id()));
    let stderr = std::fs::File::create(&log).unwrap();
    let flags = ["mcp", "--connect", &port.to_string()];
    let mut command = std::process::Command::new(crate::processes::BTCP);
    let mut mcp = crate::processes::Mcp::of(command.args(flags).stderr(stderr));
    mcp.call("browser_tabs", json!({ "do": "list" }));
    let told = std::fs::read_to_string(&log).unwrap();
    assert!(told.contains("only addresses that the agent names itself are judged"), "{told}");
    std::fs::remove_file(&log).unwrap();
    drop(mcp);
    assert!(chrome.is_alive());
}

/// Two sessions share the person's logins and nothing else; what would be set for all is not set.
#[tokio::test(flavor = "multi_thread")]
async fn two_sessions_and_a_person_are_in_nobodys_way() {
    let mut chrome = ForeignChrome::new();
    let person = chrome.person().await;
    let home = Home::new();
    let (port, page) = (chrome.port().to_string(), server().url("guest/pair.html"));
    let here = server().url("set-cookie?login=yes");
    let elsewhere = here.replace("127.0.0.1", "localhost");
    for url in [&here, &elsewhere] {
        let (_, tab) = person.open(url).await;
        shows(&person, &tab, "document.cookie", "login=yes").await;
    }
    let before = person.tabs().await;
    for session in ["one", "two"] {
        home.does(&["connect", &port, "--session", session]);
        home.does(&["open", &page, "--session", session]);
    }

    // The login is there; of other sites nothing is told.
    let cookies = home.data(&["cookies_get", "--session", "one"]);
    let cookies = cookies["cookies"].as_array().unwrap();
    assert_eq!(cookies.len(), 1, "{cookies:?}");
    assert_eq!(
        (&cookies[0]["domain"], &cookies[0]["name"]),
        (&json!("127.0.0.1"), &json!("login"))
    );

    // A window that was there before we could look has all that was written into it.
    let opened = home.data(&["click", "#written", "--session", "one"]);
    let id = opened["newTab"]["tabId"].to_string();
    let heard = home.does(&["click", "role=button", "--tab-id", &id, "--session", "one"]);
    assert!(heard.contains("Heard"), "{heard}");
    home.does(&["frame", "--name", "inner", "--tab-id", &id, "--session", "one"]);
    let deep = home.does(&["get_text", "#deep", "--tab-id", &id, "--session", "one"]);
    assert_eq!(deep.trim(), "Deep");
    assert_eq!(
        home.data(&["tabs", "list", "--session", "two"])["tabs"].as_array().unwrap().len(),
        1
    );

    // A page that never lets go is left all the same.
    home.does(&["evaluate", "setTimeout(() => { for (;;); }), 1", "--session", "two"]);
    assert!(home.does(&["open", &page, "--session", "two"]).contains("page \"pair\""));

    // The clipboard is the person's; ours goes past it.
    for words in [
        &["focus", "#from"][..],
        &["press", "Control+a"],
        &["press", "Control+c"],
        &["focus", "#to"],
        &["press", "Control+v"],
    ] {
        home.does(&[words, &["--session", "one"]].concat());
    }
    assert_eq!(home.does(&["input_value", "#to", "--session", "one"]), "copied\n");
    let refused = home.say(&["emulate", "--permissions", "geolocation", "--session", "one"]);
    assert!(refused.err.contains("to all tabs of this Chrome"), "{refused:?}");

    // A person's windows and downloads are theirs.
    let (_, tab) = person.open(&page).await;
    shows(&person, &tab, "document.title", "pair").await;
    let script = "written.click(); location = '/file?name=theirs.txt&bytes=5'; 1";
    person.run(&tab, script, PATIENCE).await.unwrap();
    until(PATIENCE, "their file is there", || chrome.downloads().join("theirs.txt").exists());
    for session in ["one", "two"] {
        let files = home.data(&["downloads", "--session", session]);
        assert_eq!(files["downloads"], json!([]), "{session}");
    }

    home.does(&["cookies_clear", "--session", "one"]);
    home.does(&["close", "--session", "one"]);
    assert!(home.does(&["snapshot", "--session", "two"]).contains("page \"pair\""));
    home.does(&["close", "--session", "two"]);
    let theirs = |url: &str| url.contains("set-cookie") || url.contains("about:blank");
    let left: Vec<_> = person.tabs().await.into_iter().filter(|tab| theirs(&tab.1)).collect();
    assert_eq!(left.len(), before.len(), "{left:?}");
    let (_, tab) = person.open(&elsewhere.replace("set-cookie?login=yes", "guest/pair.html")).await;
    shows(&person, &tab, "document.title", "pair").await;
    let kept = person.run(&tab, "document.cookie", PATIENCE).await.unwrap();
    assert_eq!(kept, "\"login=yes\"", "a cookie of another site was cleared");
    assert!(chrome.is_alive());
}

/// Asked for, a person's own tab is worked in; it stays as they have it.
#[tokio::test(flavor = "multi_thread")]
async fn a_tab_that_a_person_lends_is_worked_in_and_given_back() {
    let chrome = ForeignChrome::new();
    let person = chrome.person().await;
    let page = server().url("guest/work.html?lent");
    let (_, tab) = person.open(&page).await;
    shows(&person, &tab, "document.title", "work").await;
    let size = "`${innerWidth} ${innerHeight} ${location}`";
    let had = person.run(&tab, size, PATIENCE).await.unwrap();
    let before = person.tabs().await;
    let home = Home::new();
    let port = chrome.port().to_string();

    let nowhere = home.say(&["connect", &port, "--connect-tab", "nowhere"]);
    let says = "No tab of this Chrome has 'nowhere' in its address or title";
    assert!(nowhere.code == 1 && nowhere.err.contains(says), "{nowhere:?}");
    home.does(&["connect", &port, "--connect-tab", "work.html?lent"]);
    let taken =
        home.say(&["connect", &port, "--connect-tab", "work.html?lent", "--session", "other"]);
    assert!(taken.err.contains("or another session has it"), "{taken:?}");

    assert!(home.does(&["snapshot"]).starts_with(&format!("page \"work\" {page}")));
    assert!(home.does(&["click", "#press"]).contains("pressed"));
    assert_eq!(person.run(&tab, size, PATIENCE).await.unwrap(), had, "their window's size");
    let opened = home.data(&["click", "#blank"]);
    assert_eq!(opened["effect"], "newtab", "{opened}");
    assert_eq!(home.data(&["tabs", "list"])["tabs"].as_array().unwrap().len(), 2);
    home.does(&["close"]);

    // What it opened stays with it, and so does what was done there.
    let after = person.tabs().await;
    assert_eq!(after.len(), before.len() + 1, "{after:?}");
    assert!(before.iter().all(|tab| after.contains(tab)), "{before:?} {after:?}");
    assert_eq!(person.run(&tab, size, PATIENCE).await.unwrap(), had);
    let said = person.run(&tab, "said.textContent", PATIENCE).await.unwrap();
    assert_eq!(said, "\"pressed\"");
}
