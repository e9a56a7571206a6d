//! Dialogs, for callers without a `dialog` action: the engine answers and reports them.

use btcp_testkit::{open, server};
use serde_json::json;

use crate::refusal::text_of;

const PAGE: &str = "hard/dialogs.html";

#[tokio::test]
async fn a_dialog_is_answered_and_reported_by_the_action_that_opened_it() {
    for (id, kind, message, answered, log) in [
        ("alert", "alert", "Hello", "accepted", "alert"),
        ("confirm", "confirm", "Sure?", "dismissed", "confirm false"),
        ("prompt", "prompt", "Name?", "dismissed", "prompt null"),
    ] {
        let page = open(PAGE).await;

        let outcome = page.call("click", json!({ "selector": format!("#{id}") })).await.unwrap();

        assert_eq!(outcome.data["effect"], "dialog", "{}", outcome.data);
        let dialog = json!({ "type": kind, "message": message, "answered": answered });
        assert_eq!(outcome.data["dialog"], dialog);
        let text = outcome.text.for_model();
        assert!(text.contains(&format!(r#"{kind} "{message}" was {answered}"#)), "{text}");
        page.until("log.length").await;
        assert_eq!(page.log().await, [log]);
    }
}

/// The second dialog opens as soon as the first is answered; the page must not be left with it.
#[tokio::test]
async fn a_dialog_after_a_dialog_is_answered_too() {
    let page = open(PAGE).await;

    text_of(&page, "click", json!({ "selector": "#two" })).await;

    page.until("log.length").await;
    assert_eq!(page.log().await, ["two false"]);
}

#[tokio::test]
async fn a_dialog_that_opens_later_never_blocks_the_next_call() {
    let page = open(PAGE).await;

    text_of(&page, "click", json!({ "selector": "#later" })).await;
    page.until("log.includes('later')").await;
    text_of(&page, "click", json!({ "selector": "text=Kit button" })).await;

    assert_eq!(page.eval("kit.clicks").await, 1);
}

/// Typing meets a dialog on every key and must come to its end all the same.
#[tokio::test]
async fn a_dialog_on_every_key_does_not_stop_typing() {
    let page = open(PAGE).await;

    let outcome = page.call("type", json!({ "selector": "#field", "text": "ab" })).await;

    let outcome = outcome.unwrap_or_else(|failure| panic!("{}", failure.text()));
    assert_eq!(outcome.data["dialog"]["message"], "Key", "{}", outcome.data);
}

#[tokio::test]
async fn a_page_that_asks_before_it_is_left_is_left() {
    let page = open(PAGE).await;
    text_of(&page, "click", json!({ "selector": "#arm" })).await;

    let there = json!({ "url": server().url("title.html"), "timeout": "10s" });
    let outcome =
        page.call("navigate", there).await.unwrap_or_else(|failure| panic!("{}", failure.text()));

    assert_eq!(outcome.data["url"], server().url("title.html"));
}

#[tokio::test]
async fn a_link_out_of_a_page_that_asks_is_followed() {
    let page = open(PAGE).await;
    text_of(&page, "click", json!({ "selector": "#arm" })).await;

    let outcome = page.call("click", json!({ "selector": "#away" })).await.unwrap();

    assert_eq!(outcome.data["url"], server().url("describe.html"), "{}", outcome.data);
    assert_eq!(outcome.data["dialog"]["type"], "beforeunload", "{}", outcome.data);
}

/// Scripts of the agent meet dialogs too.
#[tokio::test]
async fn a_dialog_in_a_script_is_answered() {
    let page = open(PAGE).await;

    assert_eq!(page.eval("confirm('Really?')").await, false);
    assert_eq!(page.eval("prompt('Name?')").await, json!(null));
}
