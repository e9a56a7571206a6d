//! Pages whose script never ends: what is said of them, what still works, and how to go on.

use std::time::{Duration, Instant};

use btcp_testkit::{TestPage, open, open_when, server};
use serde_json::json;

use crate::refusal::{refused, text_of};

const LOOP: &str = "engine/loop.html";

/// Starts the loop by a click, which cannot be answered.
async fn looping() -> TestPage {
    let page = open(LOOP).await;
    let failure = refused(&page, "click", json!({ "selector": "#loop", "timeout": "5s" })).await;
    assert_eq!(failure.code, "page_hung", "{}", failure.text());
    assert_eq!(
        failure.message,
        "The page did not answer within 5s (waiting for the mouse event to be handled); its script is busy"
    );
    assert_eq!(failure.done.map(|done| done.name()), Some("unknown"));
    page
}

/// While a call waits for a page that hangs: everything that need not ask that page.
#[tokio::test]
async fn while_a_page_hangs_the_control_lane_answers_from_memory() {
    let page = looping().await;
    let hanging = page.call("snapshot", json!({ "timeout": "2m" }));
    let others = async {
        let mut slowest = Duration::ZERO;
        for _ in 0..50 {
            let start = Instant::now();
            let list = text_of(&page, "tabs", json!({})).await;
            slowest = slowest.max(start.elapsed());
            assert!(list.contains("[current, hung]"), "{list}");
        }
        let start = Instant::now();
        for (name, args) in
            [("get_all_tabs", json!({})), ("downloads", json!({})), ("session", json!({}))]
        {
            text_of(&page, name, args).await;
        }
        let none = refused(&page, "dialog", json!({ "response": "accept" })).await;
        assert_eq!((none.code, none.message.as_str()), ("not_found", "No dialog is open"));
        slowest = slowest.max(start.elapsed());
        let url = server().url("title.html");
        text_of(&page, "open_tab", json!({ "url": url })).await;
        text_of(&page, "screenshot", json!({})).await;
        for tab in [1, 2] {
            text_of(&page, "switch_tab", json!({ "tabId": tab })).await;
        }
        text_of(&page, "close_tab", json!({ "tabId": 1 })).await;
        slowest
    };
    let start = Instant::now();

    let (stuck, slowest) = tokio::join!(hanging, others);

    assert!(slowest < Duration::from_secs(5), "the slowest answer took {slowest:?}");
    // Closing the tab ended the call that waited for it.
    assert_eq!(stuck.unwrap_err().code, "no_such_tab");
    assert!(start.elapsed() < Duration::from_secs(60), "it took {:?}", start.elapsed());
    assert_eq!(page.eval("document.title").await, "title");
}

/// No call's time is over yet, so nobody can say that it hangs; but it has no dialog, and whoever
/// would answer one hears that, long before the call that waits ends.
#[tokio::test]
async fn there_is_no_dialog_to_answer_while_a_call_waits_for_a_busy_page() {
    let page = open(LOOP).await;
    page.eval("setTimeout(forever); 0").await;
    let others = async {
        let mut took = Vec::new();
        for _ in 0..20 {
            let start = Instant::now();
            let none = refused(&page, "dialog", json!({ "response": "accept" })).await;
            assert_eq!((none.code, none.message.as_str()), ("not_found", "No dialog is open"));
            took.push(start.elapsed());
        }
        let list = text_of(&page, "tabs", json!({})).await;
        assert!(!list.contains("hung"), "{list}");
        text_of(&page, "close_tab", json!({ "tabId": 1 })).await;
        took
    };

    let hanging = page.call("snapshot", json!({ "timeout": "2m" }));
    let (stuck, took) = tokio::join!(hanging, others);

    assert_eq!(stuck.unwrap_err().code, "no_such_tab");
    assert!(took[0] < Duration::from_secs(10), "the first took {:?}", took[0]);
    let rest: Duration = took[1..].iter().sum();
    assert!(rest < Duration::from_secs(5), "the rest is answered from memory, in {rest:?}");
}

#[tokio::test]
async fn a_session_whose_page_hangs_can_be_closed() {
    let page = looping().await;
    let hanging = page.call("snapshot", json!({ "timeout": "2m" }));
    let start = Instant::now();

    // Two calls at once come in any order: the page is not left before somebody waits for it.
    let closing = async {
        while !text_of(&page, "get_all_tabs", json!({})).await.contains("hung") {
            assert!(start.elapsed() < Duration::from_secs(30), "nobody noticed that it hangs");
        }
        text_of(&page, "close", json!({})).await
    };
    let (stuck, _) = tokio::join!(hanging, closing);

    assert!(stuck.is_err(), "{stuck:?}");
    assert!(start.elapsed() < Duration::from_secs(60), "it took {:?}", start.elapsed());
    text_of(&page, "navigate", json!({ "url": server().url("title.html") })).await;
    assert_eq!(page.eval("document.title").await, "title");
}

#[tokio::test]
async fn a_hung_page_can_be_left_reloaded_or_interrupted() {
    let left = looping().await;
    text_of(&left, "navigate", json!({ "url": server().url("title.html") })).await;
    assert_eq!(left.eval("document.title").await, "title");

    let reloaded = looping().await;
    text_of(&reloaded, "reload", json!({})).await;
    assert_eq!(reloaded.eval("1 + 1").await, 2);

    let interrupted = looping().await;
    assert_eq!(interrupted.eval("document.title").await, "loop");
    let list = text_of(&interrupted, "tabs", json!({})).await;
    assert!(!list.contains("hung"), "{list}");
}

/// Nobody has found out yet that it hangs when it is left.
#[tokio::test]
async fn a_page_that_hangs_unnoticed_can_be_left() {
    let page = open(LOOP).await;
    page.eval("setTimeout(forever); 0").await;

    text_of(&page, "navigate", json!({ "url": server().url("engine/loop.html?2") })).await;

    assert_eq!(page.eval("location.search").await, "?2");
}

#[tokio::test]
async fn a_page_that_hangs_on_load_is_a_timeout_that_was_done() {
    let page = open_when("title.html", "load").await;
    let url = server().url("engine/loop.html?load");

    let failure = refused(&page, "navigate", json!({ "url": url, "timeout": "5s" })).await;

    assert_eq!((failure.code, failure.done.map(|d| d.name())), ("timeout", Some("yes")));
    let hung = refused(&page, "snapshot", json!({ "timeout": "5s" })).await;
    assert_eq!(hung.code, "page_hung", "{}", hung.text());
    assert_eq!(
        hung.message,
        "The page did not answer within 5s (waiting for its answer); its script is busy"
    );
    text_of(&page, "navigate", json!({ "url": page.url() })).await;
    assert_eq!(page.eval("document.title").await, "title");
}

/// Ending one loop is not enough for a page that begins another with every timer.
#[tokio::test]
async fn a_page_that_hangs_again_and_again_can_be_left() {
    let page = open(LOOP).await;
    page.eval(
        "setInterval(() => { const start = Date.now(); while (Date.now() - start < 1e5); }); 0",
    )
    .await;

    text_of(&page, "navigate", json!({ "url": server().url("engine/loop.html?2") })).await;

    assert_eq!(page.eval("location.search").await, "?2");
}

/// A page with a frame of another site in it, which has a process of its own and can be made to
/// hang there.
async fn with_frame() -> TestPage {
    let page = open("click.html").await;
    let frame = format!("{}/engine/loop.html", server().other_origin());
    let load = "(src) => new Promise((done) => document.body.append(Object.assign(
        document.createElement('iframe'), { id: 'advert', title: 'Advert', src, onload: done })))";
    page.eval(&format!("({load})('{frame}').then(() => 1)")).await;
    page.eval("twice.onclick = () => twice.after('Thanks'); 1").await;
    page
}

#[tokio::test]
async fn a_frame_that_hangs_holds_up_nothing_but_itself() {
    let page = with_frame().await;
    let whole = text_of(&page, "snapshot", json!({})).await;
    assert!(whole.contains("\n  button \"Loop\" e"), "{whole}");
    let click = json!({ "selector": "#advert >> #loop", "timeout": "5s" });
    assert_eq!(refused(&page, "click", click.clone()).await.code, "page_hung");

    let start = Instant::now();
    // What is in the frame is not known, so that it is not told to be gone either.
    let clicked = text_of(&page, "click", json!({ "selector": "text=Twice" })).await;
    assert!(clicked.contains("+ iframe \"Advert\" http"), "{clicked}");
    assert!(clicked.contains("/engine/loop.html [hung]") && !clicked.contains("Loop"), "{clicked}");
    let found = text_of(&page, "find", json!({ "query": "Twice" })).await;
    assert!(found.contains("button \"Twice\""), "{found}");
    let read = text_of(&page, "get_text", json!({ "selector": "text=Twice" })).await;
    assert!(read.contains("Twice"), "{read}");
    text_of(&page, "press", json!({ "key": "a" })).await;
    text_of(&page, "console", json!({})).await;
    let hung = text_of(&page, "snapshot", json!({})).await;
    assert!(hung.contains("/engine/loop.html [hung]") && !hung.contains("Loop"), "{hung}");
    // Each alone would have waited for its deadline of 15 s.
    assert!(start.elapsed() < Duration::from_secs(15), "it took {:?}", start.elapsed());

    // Whoever works in it is told.
    assert_eq!(refused(&page, "click", click).await.code, "page_hung");
    page.eval("advert.remove(); 1").await;
    let without = text_of(&page, "snapshot", json!({ "since": "last" })).await;
    assert!(without.contains("- iframe \"Advert\""), "{without}");
}

/// Pages compute in workers, and wait for them; whoever clicks beside it need not.
#[tokio::test]
async fn a_worker_that_is_busy_holds_up_nothing() {
    let page = open("click.html").await;
    page.eval(
        "const loop = URL.createObjectURL(new Blob(['postMessage(1); for (;;);']));
         new Promise((done) => { new Worker(loop).onmessage = done; }).then(() => 1)",
    )
    .await;

    let start = Instant::now();
    for _ in 0..3 {
        text_of(&page, "click", json!({ "selector": "#send" })).await;
    }
    text_of(&page, "console", json!({})).await;

    assert!(start.elapsed() < Duration::from_secs(15), "it took {:?}", start.elapsed());
}
