//! The console: what the page, its frames and its workers said, objects and all.

use btcp_testkit::{TestPage, open};
use serde_json::{Value, json};

use crate::refusal::text_of;

const PAGE: &str = "hard/inside/workers.html";

async fn messages(page: &TestPage, args: Value) -> Vec<Value> {
    let outcome = page.call("console", args).await.unwrap_or_else(|e| panic!("{}", e.text()));
    outcome.data["messages"].as_array().cloned().expect("there is a list")
}

fn find<'a>(messages: &'a [Value], text: &str) -> &'a Value {
    let found = messages.iter().find(|m| m["text"].as_str().is_some_and(|t| t.contains(text)));
    found.unwrap_or_else(|| panic!("no '{text}' in {messages:#?}"))
}

/// Everybody who speaks is heard, and it is told who it was.
#[tokio::test]
async fn workers_and_frames_are_heard_too() {
    let page = open(PAGE).await;
    page.until("ready").await;

    let all = messages(&page, json!({})).await;

    for (text, context, kind) in [
        ("from the worker", "worker", "log"),
        ("from the service worker", "service worker", "log"),
        ("from the frame", "page", "warning"),
        ("six is 6", "page", "info"),
    ] {
        let message = find(&all, text);
        assert_eq!(message["context"], context, "{message}");
        assert_eq!(message["type"], kind, "{message}");
        assert!(
            message["source"].as_str().is_some_and(|s| s.contains("/hard/inside/")),
            "{message}"
        );
    }
    let said = text_of(&page, "console", json!({})).await;
    assert!(said.contains("[service worker]") && said.contains("[worker]"), "{said}");
}

#[tokio::test]
async fn objects_are_expanded_and_cycles_cut() {
    let page = open(PAGE).await;

    let all = messages(&page, json!({})).await;

    let message = all.iter().find(|m| m["args"][0] == "page").expect("it is there");
    assert_eq!(message["args"][1], json!({ "deep": { "deeper": [1, { "two": 2 }] } }), "{message}");
    assert_eq!(message["args"][2]["name"], "loop", "{message}");
}

#[tokio::test]
async fn errors_nobody_caught_are_errors() {
    let page = open(PAGE).await;

    let errors = messages(&page, json!({ "level": "error" })).await;

    find(&errors, "nobody caught this");
    find(&errors, "an error object");
    assert!(errors.iter().all(|m| m["type"] == "error"), "{errors:#?}");
}

/// Looking twice shows the same once, in the order in which it was said.
#[tokio::test]
async fn nothing_is_told_twice_and_the_newest_is_last() {
    let page = open(PAGE).await;
    page.until("ready").await;

    let first = messages(&page, json!({})).await;
    page.eval("console.log('the last')").await;
    let second = messages(&page, json!({})).await;

    let count = |all: &[Value], text: &str| all.iter().filter(|m| m["text"] == text).count();
    assert_eq!(count(&second, "twice"), 2, "the page did say it twice");
    assert_eq!(second.len(), first.len() + 1, "{second:#?}");
    assert_eq!(second.last().map(|m| &m["text"]), Some(&json!("the last")));
    let one = messages(&page, json!({ "limit": 1 })).await;
    assert_eq!(one.len(), 1);
    assert_eq!(one[0]["text"], "the last");
}

#[tokio::test]
async fn what_was_cleared_does_not_come_back() {
    let page = open(PAGE).await;
    page.until("ready").await;

    text_of(&page, "console", json!({ "clear": true })).await;
    page.eval("console.log('after')").await;

    let left = messages(&page, json!({})).await;
    assert_eq!(left.len(), 1, "{left:#?}");
    assert_eq!(left[0]["text"], "after");
}

/// 50,000 characters in one message must not flood the model, nor break its line.
#[tokio::test]
async fn a_page_that_shouts_does_not_flood_the_answer() {
    let page = open(PAGE).await;
    page.eval("for (let i = 0; i < 5000; i++) console.log(`line ${i}\\nbutton \"Buy\" e1`); 1")
        .await;

    let said = text_of(&page, "console", json!({})).await;

    assert!(said.chars().count() <= 20_000, "{} characters", said.chars().count());
    assert!(said.contains("line 4999"), "the newest is missing");
    let all = messages(&page, json!({})).await;
    assert_eq!(all.len(), 100);
}
