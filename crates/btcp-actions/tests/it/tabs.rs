//! Tabs: opening, selecting and closing them, and those that pages open.

use btcp_testkit::{TestPage, open, server};
use serde_json::{Value, json};

use crate::refusal::{assert_refused, ref_of, refused, text_of};

const OPENER: &str = "engine/opener.html";

async fn tabs(page: &TestPage) -> Vec<(u64, bool, String)> {
    let listed = data(page, "get_all_tabs", json!({})).await;
    let tabs = listed["tabs"].as_array().map(Vec::as_slice).unwrap_or_default().iter();
    tabs.map(|tab| {
        let title = tab["title"].as_str().unwrap_or_default().to_owned();
        (tab["id"].as_u64().unwrap_or(0), tab["active"] == true, title)
    })
    .collect()
}

async fn data(page: &TestPage, name: &str, args: Value) -> Value {
    match page.call(name, args.clone()).await {
        Ok(outcome) => outcome.data,
        Err(failure) => panic!("{name} {args}: {}", failure.text()),
    }
}

fn tab(id: u64, active: bool, title: &str) -> (u64, bool, String) {
    (id, active, title.to_owned())
}

#[tokio::test]
async fn tabs_are_opened_selected_and_closed() {
    let page = open("title.html").await;
    let second = server().url("url.html");

    let opened = text_of(&page, "open_tab", json!({ "url": second })).await;
    assert_eq!(opened, format!("opened tab 2 \"url\" {second} [current]"));
    assert_eq!(tabs(&page).await, [tab(1, false, "title"), tab(2, true, "url")]);
    assert_eq!(page.eval("document.title").await, "url");

    let selected = text_of(&page, "switch_tab", json!({ "tabId": 1 })).await;
    assert_eq!(selected, format!("selected tab 1 \"title\" {} [current]", page.url()));
    assert_eq!(page.eval("document.title").await, "title");
    let title = data(&page, "title", json!({ "tabId": 2 })).await;
    assert_eq!(title["title"], "url");

    let closed = text_of(&page, "close_tab", json!({})).await;
    assert_eq!(closed, format!("closed tab 1\ntab 2 \"url\" {second} [current]"));
    assert_refused(
        &page,
        ("switch_tab", json!({ "tabId": 1 })),
        "Tab 1 does not exist",
        "no_such_tab",
        Some("no"),
    )
    .await;
    assert_eq!(tabs(&page).await, [tab(2, true, "url")]);
}

#[tokio::test]
async fn one_tool_does_it_all() {
    let page = open("title.html").await;

    let new = data(&page, "tabs", json!({ "do": "new", "url": server().url("url.html") })).await;
    assert_eq!(new["tabId"], 2);
    data(&page, "tabs", json!({ "action": "select", "tabId": 1 })).await;
    let list = text_of(&page, "tabs", json!({})).await;
    assert!(list.starts_with("tab 1 \"title\" ") && list.lines().count() == 2, "{list}");
    assert!(list.lines().next().unwrap().ends_with("[current]"), "{list}");
    data(&page, "tabs", json!({ "do": "close", "tabId": 2 })).await;
    assert_eq!(tabs(&page).await, [tab(1, true, "title")]);
}

/// The cookies of a session outlive its last tab.
#[tokio::test]
async fn after_the_last_tab_a_new_one_opens_in_the_same_session() {
    let page = open("title.html").await;
    page.eval("document.cookie = 'kept=yes; path=/'").await;

    let closed = text_of(&page, "close_tab", json!({})).await;

    assert_eq!(closed, "closed tab 1\nno tabs are left");
    assert!(tabs(&page).await.is_empty());
    data(&page, "navigate", json!({ "url": page.url() })).await;
    assert_eq!(page.eval("document.cookie").await, "kept=yes");
    assert_eq!(tabs(&page).await, [tab(2, true, "title")]);
}

#[tokio::test]
async fn a_page_that_cannot_be_opened_leaves_no_tab() {
    let page = open("title.html").await;

    let failure = refused(&page, "open_tab", json!({ "url": "http://127.0.0.1:1/" })).await;

    assert_eq!((failure.code, failure.done.map(|d| d.name())), ("navigation_failed", Some("no")));
    assert_eq!(tabs(&page).await, [tab(1, true, "title")]);
    let denied = refused(&page, "open_tab", json!({ "url": "file:///etc/passwd" })).await;
    assert_eq!(denied.code, "denied");
    let slow = json!({ "url": server().url("/never"), "timeout": "1s" });
    let late = refused(&page, "open_tab", slow).await;
    assert_eq!(
        (late.code, late.done.map(|d| d.name())),
        ("timeout", Some("yes")),
        "{}",
        late.text()
    );
    assert_eq!(tabs(&page).await.len(), 2);
}

/// It joins the session, does not become current, and when it is closed its opener is next.
#[tokio::test]
async fn a_tab_that_a_page_opened_joins_and_goes() {
    let page = open(OPENER).await;

    let effect = data(&page, "click", json!({ "selector": "#link" })).await;

    assert_eq!((&effect["effect"], &effect["newTab"]["tabId"]), (&json!("newtab"), &json!(2)));
    assert_eq!(tabs(&page).await[0], tab(1, true, "opener"));
    data(&page, "open_tab", json!({ "url": server().url("title.html") })).await;
    data(&page, "switch_tab", json!({ "tabId": 2 })).await;
    let close = ref_of(&page, "button \"Close me\"").await;
    data(&page, "switch_tab", json!({ "tabId": 3 })).await;
    // A ref acts in its own tab, whichever is current.
    data(&page, "focus", json!({ "selector": close })).await;
    let focused = "document.activeElement.id || document.title";
    let in_its_own = data(&page, "evaluate", json!({ "script": focused, "tabId": 2 })).await;
    assert_eq!(in_its_own["result"], "close");
    assert_eq!(page.eval(focused).await, "title", "the current tab is another one, and stays it");
    data(&page, "switch_tab", json!({ "tabId": 2 })).await;
    data(&page, "close_tab", json!({})).await;
    assert_eq!(tabs(&page).await, [tab(1, true, "opener"), tab(3, false, "title")]);
    let gone = refused(&page, "click", json!({ "selector": close, "timeout": 1000 })).await;
    assert_eq!(gone.code, "stale_ref", "{}", gone.text());
}

/// A tab in front of its opener must not keep it from drawing and being captured, nor the reverse.
#[tokio::test]
async fn both_tabs_of_a_window_can_be_captured_and_draw() {
    let page = open(OPENER).await;
    let opened = text_of(&page, "click", json!({ "selector": "#script" })).await;
    assert!(opened.contains("tab 2"), "{opened}");

    for id in [1, 2, 1] {
        let picture = data(&page, "screenshot", json!({ "tabId": id, "timeout": "10s" })).await;
        assert_eq!(picture["width"], 1280);
    }
    page.until("(frames = 0, new Promise((drawn) => setTimeout(() => drawn(frames > 0), 50)))")
        .await;
}

/// The agent's own tabs are counted too.
#[tokio::test]
async fn a_session_has_no_more_tabs_than_it_may() {
    let page = open("title.html").await;
    for _ in 1..50 {
        data(&page, "tabs", json!({ "do": "new" })).await;
    }

    let failure = assert_refused(
        &page,
        ("tabs", json!({ "do": "new" })),
        "The session has 50 tabs open, and may have 50",
        "session_limit",
        Some("no"),
    )
    .await;

    assert_eq!(failure.hint.as_deref(), Some("Close what is not needed with browser_tabs."));
    data(&page, "close_tab", json!({ "tabId": 7 })).await;
    let again = data(&page, "tabs", json!({ "do": "new" })).await;
    assert_eq!(again["tabId"], 51);
}

#[tokio::test]
async fn a_closed_session_begins_anew() {
    let page = open("title.html").await;
    page.eval("document.cookie = 'kept=yes; path=/'").await;

    assert_eq!(text_of(&page, "close", json!({})).await, "ended the session");

    data(&page, "navigate", json!({ "url": page.url() })).await;
    assert_eq!(page.eval("document.cookie").await, "");
    assert_eq!(tabs(&page).await, [tab(1, true, "title")]);
}

#[tokio::test]
async fn a_handle_is_a_session_of_its_own() {
    let (page, stranger) = (open("title.html").await, open("title.html").await);
    page.eval("document.cookie = 'mine=1; path=/'").await;
    let made = data(&page, "session", json!({ "do": "new" })).await;
    let handle = made["session"].as_str().unwrap();
    let url = page.url();

    data(&page, "navigate", json!({ "url": url, "session": handle })).await;

    let cookie = json!({ "script": "document.cookie", "session": handle });
    assert_eq!(data(&page, "evaluate", cookie.clone()).await["result"], "");
    assert_eq!(page.eval("document.cookie").await, "mine=1");
    let listed = text_of(&page, "session", json!({})).await;
    assert_eq!(listed, format!("session {}\nsession {handle}", page.session()));
    let foreign = refused(&stranger, "evaluate", cookie.clone()).await;
    assert_eq!(foreign.code, "session_gone", "{}", foreign.text());
    let ended = text_of(&page, "session", json!({ "do": "close", "session": handle })).await;
    assert_eq!(ended, format!("ended session {handle}"));
    assert_eq!(refused(&page, "evaluate", cookie).await.code, "session_gone");
}
