//! The library as a program uses it that has a browser in it.

use std::time::{Duration, Instant};

use btcp::{Browser, Session, Settings};
use btcp_testkit::server;
use serde_json::{Value, json};

// Its `main` is for `cargo run --example embed`.
#[allow(dead_code)]
#[path = "../../examples/embed.rs"]
mod example;

/// Long enough that the call is surely under way; what it waits for never comes.
const A_MOMENT: Duration = Duration::from_millis(500);

fn browser() -> Browser {
    Browser::new(Settings { install: false, ..Settings::default() })
}

/// A conversation with `title.html` open.
async fn conversation(browser: &Browser, id: &str) -> Session {
    let session = browser.session(id).with_toolset("all").unwrap();
    session.call("navigate", json!({ "url": server().url("title.html") })).await.unwrap();
    session
}

async fn eval(session: &Session, script: &str) -> Value {
    let outcome = session.call("evaluate", json!({ "script": script })).await.unwrap();
    outcome.data["result"].clone()
}

#[tokio::test]
async fn the_example_does_what_it_says() {
    let mut lines = Vec::new();

    example::run(&mut |line| lines.push(line.to_owned())).await.unwrap();

    let mut told = lines.iter().map(String::as_str);
    assert!(told.next().is_some_and(|line| line.starts_with("a model gets ")), "{lines:?}");
    for start in ["ada: clicked button \"Sign in\"", "bob: clicked button \"Sign in\""] {
        assert!(told.next().is_some_and(|line| line.starts_with(start)), "{lines:?}");
    }
    let rest: Vec<&str> = told.collect();
    assert_eq!(
        rest,
        [
            "ada: the wait was cancelled",
            "ada: \"Embedded\"",
            "open: bob",
            "bob: \"Hello, Bob.\"",
            "ada, again: \"Nobody is signed in.\"",
        ]
    );
}

#[tokio::test]
async fn conversations_do_not_see_each_others_cookies() {
    let browser = browser();
    let (ada, bob) = (conversation(&browser, "ada").await, conversation(&browser, "bob").await);

    eval(&ada, "document.cookie = 'who=ada'").await;

    assert_eq!(eval(&ada, "document.cookie").await, "who=ada");
    assert_eq!(eval(&bob, "document.cookie").await, "");
    browser.close().await;
}

#[tokio::test]
async fn ending_a_conversation_closes_only_that_one() {
    let browser = browser();
    let (ada, bob) = (conversation(&browser, "ada").await, conversation(&browser, "bob").await);
    for session in [&ada, &bob] {
        eval(session, "document.cookie = 'here=yes'").await;
    }

    browser.end("ada").await;

    assert_eq!(browser.conversations(), ["bob"]);
    assert_eq!(eval(&bob, "document.cookie").await, "here=yes");
    let ada = conversation(&browser, "ada").await;
    assert_eq!(eval(&ada, "document.cookie").await, "", "the old session came back");
    browser.close().await;
    assert_eq!(browser.conversations(), [""; 0]);
}

/// The program gives a call up: whoever comes next must not wait for it.
#[tokio::test]
async fn a_call_that_is_dropped_stops_in_the_browser() {
    let browser = browser();
    let session = conversation(&browser, "ada").await;

    let wait = session.call("wait", json!({ "selector": "#never", "timeout": "5m" }));
    let given_up = tokio::time::timeout(A_MOMENT, wait).await;

    assert!(given_up.is_err(), "it did not wait: {given_up:?}");
    let start = Instant::now();
    eval(&session, "1").await;
    assert!(start.elapsed() < Duration::from_secs(5), "the tab was held {:?}", start.elapsed());
    browser.close().await;
}

#[tokio::test]
async fn a_session_is_kept_to_its_tools() {
    let session = browser().session("ada").with_toolset("minimal").unwrap();

    let refused = session.call("evaluate", json!({ "script": "1" })).await.unwrap_err();
    let unknown = session.call("browser_clik", json!({})).await.unwrap_err();
    let wrong = session.call("click", json!(["#a"])).await.unwrap_err();

    let codes = [refused, unknown, wrong].map(|failure| failure.code);
    assert_eq!(codes, ["denied", "unknown_tool", "invalid_params"]);
}
