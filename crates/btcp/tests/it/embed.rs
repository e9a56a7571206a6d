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

/// The first call may have to get a browser, which takes as long as it takes: that is not the page's
/// fault, and the call's time begins after it.
#[tokio::test]
async fn the_time_of_a_call_begins_when_there_is_a_browser() {
    let found = btcp_engine::launch::find(&Settings::default()).unwrap();
    let slow = std::env::temp_dir().join(format!("btcp-slow-chrome-{}", std::process::id()));
    let script = format!("sleep 6\nexec '{}' \"$@\"", found.path.display());
    // Written by another process: while we hold it open, a fork in a parallel test would make
    // starting it fail with "text file busy".
    let write = r#"printf '#!/bin/sh\n%s\n' "$1" > "$2" && chmod 755 "$2""#;
    let mut shell = std::process::Command::new("/bin/sh");
    assert!(shell.args(["-c", write, "sh", &script]).arg(&slow).status().unwrap().success());
    let browser = Some(slow.clone());
    let browser = Browser::new(Settings { install: false, browser, ..Settings::default() });

    let start = Instant::now();
    let answer = browser.session("ada").call("url", json!({ "timeout": "3s" })).await;

    let outcome = answer.unwrap_or_else(|failure| panic!("{}", failure.text()));
    assert_eq!(outcome.data["url"], "about:blank");
    assert!(start.elapsed() > Duration::from_secs(6), "it was not slow: {:?}", start.elapsed());
    browser.close().await;
    std::fs::remove_file(slow).unwrap();
}

/// A program has more room than a model; what it asks for goes before.
#[tokio::test]
async fn a_snapshot_has_fifty_thousand_characters_unless_a_call_says_otherwise() {
    let browser = browser();
    let session = conversation(&browser, "ada").await;
    eval(
        &session,
        "for (let i = 0; i < 3000; i++) document.body.append(Object.assign(document.createElement('p'), { textContent: `Paragraph number ${i}` })); 1",
    )
    .await;

    for (args, at_least, at_most) in [
        (json!({}), 40_000, 50_000),
        (json!({ "maxChars": 5_000 }), 4_000, 5_000),
        (json!({ "maxChars": 100_000 }), 60_000, 100_000),
    ] {
        let outcome = session.call("snapshot", args.clone()).await.unwrap();
        let length = outcome.text.for_model().chars().count();
        assert!(length > at_least && length <= at_most, "{args}: {length} characters");
    }
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
