//! Who waits for whom: calls to one tab take turns, others do not, and a call that is
//! given up stops in the browser too.

use std::time::{Duration, Instant};

use btcp_testkit::open;
use serde_json::json;

use crate::refusal::text_of;

/// Long enough that the call is surely under way; what it waits for never comes.
const A_MOMENT: Duration = Duration::from_millis(500);

#[tokio::test]
async fn two_calls_to_one_tab_take_turns() {
    let page = open("type.html").await;
    let typed = |text: &'static str| {
        page.call("type", json!({ "selector": "#keys", "text": text, "delay": 20 }))
    };

    let (first, second) = tokio::join!(typed("aaaaa"), typed("bbbbb"));

    first.unwrap();
    second.unwrap();
    let value = page.eval("document.getElementById('keys').value").await;
    assert!(value == "aaaaabbbbb" || value == "bbbbbaaaaa", "the keys were mixed: {value}");
}

#[tokio::test]
async fn a_hung_page_delays_no_other_session() {
    let (hung, other) = (open("evaluate.html").await, open("title.html").await);
    let hanging = hung.call("evaluate", json!({ "script": "for (;;);", "timeout": "8s" }));

    let start = Instant::now();
    let others = async {
        for _ in 0..5 {
            text_of(&other, "snapshot", json!({})).await;
        }
        start.elapsed()
    };
    let (stuck, took) = tokio::join!(hanging, others);

    assert_eq!(stuck.unwrap_err().code, "timeout");
    assert!(took < Duration::from_secs(7), "the others took {took:?}");
}

/// The client went away: its wait must not hold the tab for whoever comes next.
#[tokio::test]
async fn a_wait_that_is_given_up_frees_the_tab() {
    let page = open("wait.html").await;
    let call = page.call("wait", json!({ "selector": "#never", "timeout": "5m" }));

    let given_up = tokio::time::timeout(A_MOMENT, call).await;

    assert!(given_up.is_err(), "it did not wait: {given_up:?}");
    let start = Instant::now();
    text_of(&page, "title", json!({})).await;
    assert!(start.elapsed() < Duration::from_secs(5), "the tab was held for {:?}", start.elapsed());
}

/// A click that was waiting for its element must not happen after all.
#[tokio::test]
async fn a_click_that_is_given_up_never_happens() {
    let page = open("click.html").await;
    let call = page.call("click", json!({ "selector": "#under", "timeout": "5m" }));

    let given_up = tokio::time::timeout(A_MOMENT, call).await;

    assert!(given_up.is_err(), "it did not wait: {given_up:?}");
    page.eval("document.querySelector('[role=dialog]').remove()").await;
    text_of(&page, "click", json!({ "selector": "#send" })).await;
    assert_eq!(page.log().await, ["click send"]);
}

#[tokio::test]
async fn typing_that_is_given_up_stops() {
    let page = open("type.html").await;
    let long = "x".repeat(1000);
    let call = page
        .call("type", json!({ "selector": "#name", "text": long, "delay": 50, "timeout": "5m" }));

    let given_up = tokio::time::timeout(A_MOMENT, call).await;

    assert!(given_up.is_err(), "it did not take its time: {given_up:?}");
    let length = |value: serde_json::Value| value.as_u64().unwrap_or(u64::MAX);
    let after = length(page.eval("document.getElementById('name').value.length").await);
    assert!(after < 1000, "it typed on");
    text_of(&page, "click", json!({ "selector": "#area" })).await;
    text_of(&page, "type", json!({ "selector": "#area", "text": "mine" })).await;
    let last = length(page.eval("document.getElementById('name').value.length").await);
    assert!(last <= after + 1, "it typed on: {after}, then {last}");
    assert_eq!(page.eval("document.getElementById('area').value").await, "mine");
}

#[tokio::test]
async fn a_navigation_that_is_given_up_stays_where_it_was() {
    let page = open("title.html").await;
    let call = page
        .call("navigate", json!({ "url": btcp_testkit::server().url("/hang"), "timeout": "5m" }));

    let given_up = tokio::time::timeout(A_MOMENT, call).await;

    assert!(given_up.is_err());
    assert_eq!(page.eval("location.href").await, page.url());
}

#[tokio::test]
async fn a_script_that_is_given_up_is_stopped() {
    let page = open("evaluate.html").await;
    let call = page.call("evaluate", json!({ "script": "for (;;);", "timeout": "5m" }));

    let given_up = tokio::time::timeout(A_MOMENT, call).await;

    assert!(given_up.is_err());
    assert_eq!(page.eval("answer").await, 42);
}

/// Conversations must not see each other's cookies and storage.
#[tokio::test]
async fn sessions_share_nothing() {
    let (one, two) = (open("title.html").await, open("title.html").await);

    one.eval("localStorage.secret = 'one'; document.cookie = 'who=one'; 1").await;

    assert_eq!(two.eval("localStorage.secret ?? 'none'").await, "none");
    assert_eq!(two.eval("document.cookie").await, "");
}
