//! What an agent reads when Chrome or a page crashes, and that its session goes on.

use std::time::{Duration, Instant};

use btcp::{Browser, Outcome, Session, Settings};
use btcp_testkit::{OwnChrome, Process, server};
use serde_json::{Value, json};

use crate::processes::until;

/// What is said of one tab that was restored, to the end.
const ONE_TAB: &str = "The browser had crashed and was started again: 1 tab was opened again; \
    what was typed, the tabs' history, and what was stored since the last action, is lost.";

/// A call that fails with the browser must not wait for its own deadline.
const AT_ONCE: Duration = Duration::from_secs(5);

/// A browser with a Chrome that may be killed.
pub(crate) struct Own {
    pub(crate) browser: Browser,
    chrome: OwnChrome,
}

impl Own {
    fn new() -> Self {
        Self::with(&[])
    }

    fn with(switches: &[&str]) -> Self {
        let extra_args = switches.iter().map(|switch| (*switch).to_owned()).collect();
        Self::set(|settings| settings.extra_args = extra_args)
    }

    pub(crate) fn set(change: impl FnOnce(&mut Settings)) -> Self {
        let chrome = OwnChrome::new();
        let mut settings = chrome.settings();
        change(&mut settings);
        Self { browser: Browser::new(settings), chrome }
    }

    async fn session(&self, id: &str, page: &str) -> Session {
        let session = self.browser.session(id).with_toolset("all").unwrap();
        said(&session, "navigate", json!({ "url": server().url(page) })).await;
        session
    }

    fn kill_chrome(&self) {
        let leaders = self.chrome.leaders();
        let [leader] = &leaders[..] else { panic!("not one Chrome but {leaders:?}") };
        leader.kill();
    }

    /// Kills Chrome; the sessions have heard of it then, so that no call is in flight.
    pub(crate) async fn crash(&self) {
        self.kill_chrome();
        let killed = Instant::now();
        let mut looks = tokio::time::interval(Duration::from_millis(2));
        while !self.browser.conversations().is_empty() {
            assert!(killed.elapsed() < AT_ONCE, "nobody noticed that Chrome is gone");
            looks.tick().await;
        }
    }

    /// Waits until what a session's pages have stored is copied.
    pub(crate) async fn copied(&self, id: &str) {
        self.browser.catalog().sessions().open(id).await.unwrap().copied().await;
    }
}

pub(crate) async fn outcome(session: &Session, action: &str, args: Value) -> Outcome {
    match session.call(action, args).await {
        Ok(outcome) => outcome,
        Err(failure) => panic!("{action}: {}", failure.text()),
    }
}

pub(crate) async fn said(session: &Session, action: &str, args: Value) -> String {
    outcome(session, action, args).await.text.for_model()
}

pub(crate) async fn eval(session: &Session, script: &str) -> Value {
    outcome(session, "evaluate", json!({ "script": script })).await.data["result"].clone()
}

#[tokio::test]
async fn a_session_goes_on_with_its_tabs_cookies_and_storage() {
    let own = Own::new();
    let session = own.session("ada", "recovery/shop.html").await;
    said(&session, "click", json!({ "selector": "#help" })).await;
    said(&session, "click", json!({ "selector": "#pay" })).await;
    said(&session, "fill", json!({ "selector": "#note", "value": "gone" })).await;
    let before = said(&session, "snapshot", json!({})).await;
    let line = before.lines().find(|line| line.contains("button \"Pay\"")).unwrap();
    let pay = line.split(' ').find(|word| word.starts_with('e') && word.len() > 1).unwrap();
    own.copied("ada").await;

    own.crash().await;

    let stale = session.call("click", json!({ "selector": pay })).await.unwrap_err();
    assert_eq!(stale.code, "stale_ref", "{}", stale.text());
    let told = "The browser had crashed and was started again: 2 tabs were opened again;";
    assert!(stale.text().starts_with(told), "{}", stale.text());
    // Told once.
    assert_eq!(said(&session, "title", json!({})).await, "\"shop\"");
    assert_eq!(said(&session, "title", json!({ "tabId": 2 })).await, "\"help\"");
    let found = eval(&session, "found").await;
    assert_eq!(found["local"], "paid", "{found}");
    assert_eq!(found["cookie"], "visitor=paid", "{found}");
    let whole = eval(&session, "sessionStorage.getItem('step') === 'paid \\ud83d'").await;
    assert_eq!(whole, true, "half a character was lost");
    assert_eq!(eval(&session, "document.getElementById('note').value").await, "");
    assert_eq!(eval(&session, "history.length").await, 1);
    // Numbers of tabs and refs go on.
    said(&session, "click", json!({ "selector": "#help" })).await;
    assert_eq!(said(&session, "title", json!({ "tabId": 3 })).await, "\"help\"");
    let after = said(&session, "snapshot", json!({})).await;
    assert!(!after.contains(&format!("\"Pay\" {pay}")), "a ref was used again: {after}");
    own.browser.close().await;
}

#[tokio::test]
async fn frames_of_other_sites_have_their_storage_again() {
    let own = Own::new();
    let session = own.session("ada", "recovery/framed.html").await;
    said(&session, "click", json!({ "selector": "iframe >> #pay" })).await;
    own.copied("ada").await;

    own.crash().await;

    said(&session, "wait", json!({ "selector": "iframe >> #pay" })).await;
    said(&session, "frame", json!({ "selector": "iframe" })).await;
    let found = eval(&session, "found").await;
    assert_eq!(found["local"], "paid", "{found}");
    assert!(found["session"].as_str().is_some_and(|step| step.starts_with("paid ")), "{found}");
    own.browser.close().await;
}

#[tokio::test]
async fn what_was_deleted_before_the_crash_does_not_come_back() {
    let own = Own::new();
    let session = own.session("ada", "recovery/shop.html").await;
    said(&session, "click", json!({ "selector": "#pay" })).await;
    own.copied("ada").await;
    eval(&session, "localStorage.clear(), document.cookie = 'visitor=; path=/; max-age=0'").await;
    own.copied("ada").await;

    own.crash().await;

    let found = outcome(&session, "evaluate", json!({ "script": "found" })).await;
    assert_eq!(found.data["note"], ONE_TAB);
    let found = &found.data["result"];
    assert_eq!((&found["local"], &found["cookie"]), (&json!(null), &json!("")));
    // And what is deleted after it stays deleted.
    assert_eq!(eval(&session, "sessionStorage.length").await, 1);
    eval(&session, "sessionStorage.clear()").await;
    said(&session, "reload", json!({})).await;
    assert_eq!(eval(&session, "sessionStorage.length").await, 0);
    own.browser.close().await;
}

#[tokio::test]
async fn storage_beyond_the_limit_is_told_to_be_lost() {
    let own = Own::new();
    let session = own.session("ada", "recovery/shop.html").await;
    let hoard = "localStorage.setItem('basket', 'x'.repeat(3 << 20)), 0";
    eval(&session, hoard).await;
    own.copied("ada").await;
    let elsewhere = format!("{}/recovery/shop.html", server().other_origin());
    said(&session, "navigate", json!({ "url": elsewhere })).await;
    eval(&session, hoard).await;
    own.copied("ada").await;

    own.crash().await;

    let title = said(&session, "title", json!({})).await;
    let told = format!("{ONE_TAB} Some web storage, 5 MB being the limit, is lost too.\n\"shop\"");
    assert_eq!(title, told);
    own.browser.close().await;
}

#[tokio::test]
async fn calls_in_flight_fail_at_once_and_every_session_recovers_by_itself() {
    let own = Own::new();
    let ada = own.session("ada", "recovery/shop.html").await;
    let bob = own.session("bob", "recovery/shop.html").await;
    for (session, name) in [(&ada, "ada"), (&bob, "bob")] {
        eval(session, &format!("fillBasket('{name}')")).await;
        own.copied(name).await;
    }
    let tell =
        "note.oninput = () => { fetch('/count/typed-before-the-crash', { method: 'POST' }) }";
    eval(&bob, tell).await;
    let wait = json!({ "selector": "#never", "timeout": "60s" });
    let waiting = ada.call("wait", wait);
    let typing =
        bob.call("type", json!({ "selector": "#note", "text": "x".repeat(600), "delay": 20 }));

    let crash = async {
        let mut looks = tokio::time::interval(Duration::from_millis(5));
        while server().count("typed-before-the-crash") == 0 {
            looks.tick().await;
        }
        own.kill_chrome();
        Instant::now()
    };
    let cid = own.session("cid", "recovery/shop.html").await;
    let dan = own.session("dan", "recovery/shop.html").await;
    let loading = cid.call("navigate", json!({ "url": server().url("never"), "timeout": "60s" }));
    let never = json!({ "script": "new Promise(() => {})", "timeout": "60s" });
    let running = dan.call("evaluate", never);
    let (waited, typed, loaded, ran, crashed) =
        tokio::join!(waiting, typing, loading, running, crash);

    assert!(crashed.elapsed() < AT_ONCE, "{:?}", crashed.elapsed());
    let typed = typed.unwrap_err();
    for failure in [&waited.unwrap_err(), &typed, &loaded.unwrap_err(), &ran.unwrap_err()] {
        assert_eq!(failure.code, "browser_gone", "{}", failure.text());
    }
    assert!(typed.text().ends_with("look before repeating. (browser_gone, done: unknown)"));
    assert!(typed.text().contains("The next call starts it again"), "{}", typed.text());
    for (session, name) in [(&ada, "ada"), (&bob, "bob")] {
        let found = outcome(session, "evaluate", json!({ "script": "found" })).await;
        assert_eq!(found.data["note"], ONE_TAB);
        assert_eq!(found.data["result"]["local"], name);
        assert_eq!(found.data["result"]["cookie"], format!("visitor={name}"));
    }
    assert_eq!(own.chrome.leaders().len(), 1, "both share the new one");
    own.browser.close().await;
}

#[tokio::test]
async fn three_crashes_within_a_minute_stop_the_restarts() {
    let own = Own::new();
    let session = own.session("ada", "recovery/help.html").await;
    for _ in 0..2 {
        own.crash().await;
        let title = said(&session, "title", json!({})).await;
        assert_eq!(title, format!("{ONE_TAB}\n\"help\""));
    }
    own.crash().await;

    let refused = session.call("title", json!({})).await.unwrap_err();

    assert_eq!(refused.code, "session_limit");
    let told = "The browser crashed 3 times within a minute; it is started again in ";
    assert!(refused.text().starts_with(told), "{}", refused.text());
    // Of none of them anything is left, though we live.
    assert_eq!(own.chrome.profiles().len(), 3);
    until(AT_ONCE, "nothing is left of the three", || {
        let profiles = own.chrome.profiles();
        own.chrome.processes().is_empty() && !profiles.iter().any(|profile| profile.exists())
    });
}

#[tokio::test]
async fn a_page_out_of_memory_is_its_own_affair() {
    let own = Own::with(&["--js-flags=--max-old-space-size=48"]);
    let greedy = own.session("greedy", "recovery/shop.html").await;
    let other = own.session("other", "recovery/shop.html").await;
    said(&other, "fill", json!({ "selector": "#note", "value": "kept" })).await;
    let devour = "const all = []; for (;;) all.push(new Array(10000).fill({}).map(() => ({})))";
    let eaten = greedy.call("evaluate", json!({ "script": devour, "timeout": "60s" }));
    let meanwhile = async {
        for _ in 0..20 {
            assert_eq!(said(&other, "title", json!({})).await, "\"shop\"");
        }
    };

    let (eaten, ()) = tokio::join!(eaten, meanwhile);

    let crashed = eaten.unwrap_err();
    assert_eq!(crashed.code, "page_crashed", "{}", crashed.text());
    assert_eq!(said(&greedy, "title", json!({})).await, "\"shop\"");
    assert_eq!(eval(&other, "document.getElementById('note').value").await, "kept");
    own.browser.close().await;
}

/// A script that ends its page once the call is answered, where a page may have little memory.
const DEVOUR: &str = "setTimeout(() => { const all = []; for (;;) all.push(new Array(10000).fill({}).map(() => ({}))) }, 200); 0";

/// Waits until the list of tabs says that a page has crashed.
async fn has_crashed(session: &Session) {
    let begun = Instant::now();
    let mut looks = tokio::time::interval(Duration::from_millis(5));
    while !said(session, "tabs", json!({})).await.contains("crashed]") {
        assert!(begun.elapsed() < Duration::from_secs(60), "it does not crash");
        looks.tick().await;
    }
}

/// Nobody was calling when it crashed: whoever comes next hears of it, once, and what is lost.
#[tokio::test]
async fn a_page_that_crashes_between_calls_is_told_and_loaded_again() {
    let own = Own::with(&["--js-flags=--max-old-space-size=48"]);
    let greedy = own.session("greedy", "recovery/shop.html").await;
    let url = server().url("recovery/shop.html");
    said(&greedy, "fill", json!({ "selector": "#note", "value": "lost" })).await;
    said(&greedy, "open_tab", json!({ "url": server().url("recovery/help.html") })).await;
    said(&greedy, "evaluate", json!({ "script": "window.name = 'kept'; 0" })).await;
    said(&greedy, "evaluate", json!({ "script": DEVOUR, "tabId": 1 })).await;
    has_crashed(&greedy).await;

    let told = greedy.call("click", json!({ "selector": "#pay", "tabId": 1 })).await.unwrap_err();

    assert_eq!(told.code, "page_crashed", "{}", told.text());
    assert_eq!(
        told.message,
        format!("The page at {url} crashed; what was entered in it and not sent is lost")
    );
    assert_eq!(told.done.map(|done| done.name()), Some("no"));
    assert!(told.hint.is_some_and(|hint| hint.starts_with("The next call loads it again")));
    let note = json!({ "script": "document.title + note.value", "tabId": 1 });
    assert_eq!(outcome(&greedy, "evaluate", note).await.data["result"], "shop");
    assert_eq!(eval(&greedy, "window.name + document.title").await, "kepthelp");
    own.browser.close().await;
}

/// A frame of another site has a process of its own; the page around it notices nothing.
#[tokio::test]
async fn a_frame_that_crashes_is_told_and_loaded_again() {
    let own = Own::with(&["--js-flags=--max-old-space-size=48"]);
    let session = own.session("ada", "recovery/shop.html").await;
    let frame = format!("{}/engine/loop.html", server().other_origin());
    let load = "(src) => new Promise((done) => document.body.append(Object.assign(
        document.createElement('iframe'), { id: 'advert', title: 'Advert', src, onload: done })))";
    eval(&session, &format!("({load})('{frame}').then(() => 0)")).await;
    said(&session, "fill", json!({ "selector": "#note", "value": "kept" })).await;
    assert!(said(&session, "snapshot", json!({})).await.contains("\n  button \"Loop\" e"));
    devour_frame(&session).await;

    // Whoever works in it hears of it, not at the deadline of a call that waits for it.
    let inside = json!({ "selector": "#advert >> #loop", "timeout": "2m" });
    let told = loop {
        if let Err(told) = session.call("get_text", inside.clone()).await {
            break told;
        }
    };
    assert_eq!(told.code, "page_crashed", "{}", told.text());
    assert!(told.message.starts_with(&format!("The page at {frame} crashed")), "{}", told.text());
    assert_eq!(said(&session, "get_text", inside).await, "\"Loop\"");

    // And so does whoever looks at the page.
    devour_frame(&session).await;
    let crashed = format!("iframe \"Advert\" {frame} [crashed]");
    let begun = Instant::now();
    while !said(&session, "snapshot", json!({})).await.contains(&crashed) {
        assert!(begun.elapsed() < Duration::from_secs(60), "it does not crash");
    }
    let again = said(&session, "snapshot", json!({})).await;
    assert!(again.contains("\n  button \"Loop\" e"), "{again}");
    assert_eq!(eval(&session, "note.value").await, "kept");
    own.browser.close().await;
}

/// Makes the frame crash soon.
async fn devour_frame(session: &Session) {
    said(session, "frame", json!({ "selector": "#advert" })).await;
    said(session, "evaluate", json!({ "script": DEVOUR })).await;
    said(session, "mainframe", json!({})).await;
}

/// Who leaves anyway need not be told, nor wait for the page to be loaded once more.
#[tokio::test]
async fn a_page_that_has_crashed_can_be_left_and_reloaded_at_once() {
    let own = Own::new();
    let session = own.session("ada", "recovery/shop.html").await;
    said(&session, "navigate", json!({ "url": server().url("recovery/help.html") })).await;

    for (action, args, title) in [
        ("reload", json!({}), "help"),
        ("back", json!({}), "shop"),
        ("navigate", json!({ "url": server().url("recovery/help.html") }), "help"),
    ] {
        own.chrome.renderers().iter().filter(|page| page.is_alive()).for_each(Process::kill);
        has_crashed(&session).await;

        said(&session, action, args).await;

        assert_eq!(said(&session, "title", json!({})).await, format!("\"{title}\""), "{action}");
    }
    own.browser.close().await;
}

#[tokio::test]
async fn a_session_with_too_much_memory_loses_its_largest_page_and_is_told() {
    let own = Own::set(|settings| settings.max_memory = 100 << 20);
    let session = own.session("ada", "recovery/shop.html").await;
    let small = own.session("bob", "recovery/shop.html").await;
    said(&small, "fill", json!({ "selector": "#note", "value": "kept" })).await;
    eval(&session, "globalThis.held = new Uint8Array(200 << 20).fill(1), 0").await;
    own.copied("ada").await;

    let refused = session.call("title", json!({})).await.unwrap_err();

    assert_eq!(refused.code, "session_limit", "{}", refused.text());
    let told = refused.text();
    assert!(told.starts_with("The session's pages held 2"), "{told}");
    assert!(told.contains(" MB, and may hold 100 MB: the page of tab 1 was ended"), "{told}");
    assert_eq!(eval(&session, "typeof held + document.title").await, "undefinedshop");
    assert_eq!(eval(&small, "note.value").await, "kept");
    own.browser.close().await;
}
