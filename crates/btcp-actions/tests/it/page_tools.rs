//! Tools that pages declare (WebMCP): listed and called in all frames, and what odd and hostile ones
//! come to.

use std::time::{Duration, Instant};

use btcp_testkit::{open, server};
use serde_json::{Value, json};

use crate::refusal::{assert_goes_on, assert_refused, refused, text_of};

/// Frames that share the page's process and those that do not.
#[tokio::test]
async fn tools_of_all_frames_are_listed_with_their_origin() {
    let page = open("tools/frames.html").await;

    let tools = page.call("page_tools", json!({})).await.unwrap();

    let listed: Vec<(&str, &str)> = tools.data["tools"]
        .as_array()
        .unwrap()
        .iter()
        .map(|tool| (tool["name"].as_str().unwrap(), tool["origin"].as_str().unwrap()))
        .collect();
    let (own, other) = (server().origin(), server().other_origin());
    let (own, other) = (own.as_str(), other.as_str());
    for tool in [("only_page", own), ("only_same", own), ("only_other", other), ("where", other)] {
        assert!(listed.contains(&tool), "no {tool:?} in {listed:?}");
    }
    assert_eq!(listed.iter().filter(|tool| **tool == ("where", own)).count(), 2, "{listed:?}");
    let text = tools.text.for_model();
    assert!(text.contains(&format!("\"only_other\" of {other} \"only_other\"")), "{text}");
    for name in ["only_page", "only_same", "only_other"] {
        let said = page.call("call_page_tool", json!({ "name": name })).await.unwrap();
        assert_eq!(said.data["result"], name.trim_start_matches("only_"), "{name}");
    }
}

/// A frame may declare a tool of the page's name: which one is meant is not guessed.
#[tokio::test]
async fn a_name_in_several_frames_is_ambiguous_until_it_is_said_which() {
    let page = open("tools/frames.html").await;
    let call = json!({ "name": "where" });

    let failure = assert_refused(
        &page,
        ("call_page_tool", call.clone()),
        "Page tool 'where' is declared by 3 frames",
        "ambiguous",
        Some("no"),
    )
    .await;
    let hint = failure.hint.expect("it has a hint");
    assert!(hint.contains(&server().other_origin()), "{hint}");

    let args = json!({ "name": "where", "origin": server().other_origin() });
    let said = page.call("call_page_tool", args).await.unwrap();
    assert_eq!(said.data["result"], "other");
    text_of(&page, "frame", json!({ "selector": "#same" })).await;
    let said = page.call("call_page_tool", call).await.unwrap();
    assert_eq!(said.data["result"], "same");
}

/// The nearest is named; a tool the page has taken back is not there either.
#[tokio::test]
async fn a_tool_that_is_not_there_is_not_found() {
    let page = open("tools/odd.html").await;

    let failure = assert_refused(
        &page,
        ("call_page_tool", json!({ "name": "nothin", "timeout": 1000 })),
        "Page tool 'nothin' not found",
        "not_found",
        Some("no"),
    )
    .await;
    assert_eq!(failure.hint.as_deref(), Some("The page has \"nothing\"."));
    let failure =
        refused(&page, "call_page_tool", json!({ "name": "qqqqqqqqqq", "timeout": 1000 })).await;
    assert_eq!(failure.hint.as_deref(), Some("browser_page_tools lists those there are."));

    let args = json!({ "name": "takes_itself_back", "timeout": 3000 });
    let said = page.call("call_page_tool", args.clone()).await.unwrap();
    assert_eq!(said.data["result"], "still here");
    assert_eq!(refused(&page, "call_page_tool", args).await.code, "not_found");
}

/// As an element is, in the page, in a frame of its process and in one that is new.
#[tokio::test]
async fn a_tool_that_comes_late_is_waited_for() {
    let page = open("tools/frames.html").await;
    for (script, name) in [
        ("setTimeout(() => declare('late', () => 1), 500)", "late"),
        ("setTimeout(() => same.contentWindow.eval('declare')('deep', () => 1), 500)", "deep"),
        (
            "setTimeout(() => { other.src = other.src.replace('?other', '?third') }, 500)",
            "only_third",
        ),
        (
            "setTimeout(() => { const frame = document.body.appendChild(document.createElement('iframe')); \
             frame.allow = 'tools'; frame.src = other.src.replace('localhost', 'a0.localhost').replace('?third', '?fourth') }, 500)",
            "only_fourth",
        ),
    ] {
        page.eval(&format!("{script}; 1")).await;
        let called = page.call("call_page_tool", json!({ "name": name })).await;
        called.unwrap_or_else(|failure| panic!("{name}: {}", failure.text()));
    }
}

/// Chrome hands a tool whatever it is given: we do not.
#[tokio::test]
async fn arguments_that_do_not_fit_never_reach_the_page() {
    let page = open("call_page_tool.html").await;
    for (arguments, field, says) in [
        (json!({}), "arguments.kind", "Argument \"kind\" is required"),
        (
            json!({ "kind": "green", "cups": "two" }),
            "arguments.cups",
            "Argument \"cups\" should be integer, not string",
        ),
    ] {
        let args = json!({ "name": "order_tea", "arguments": arguments });
        let failure =
            assert_refused(&page, ("call_page_tool", args), says, "invalid_params", Some("no"))
                .await;
        assert_eq!(failure.data["field"], field);
    }
    assert!(page.log().await.is_empty(), "the page saw {:?}", page.log().await);

    // What cannot be checked is said.
    let page = open("tools/odd.html").await;
    let args = json!({ "name": "no_schema", "arguments": { "tea": 1 } });
    let said = page.call("call_page_tool", args).await.unwrap();
    assert_eq!(said.data["result"], json!({ "tea": 1 }));
    assert!(said.text.for_model().contains("the arguments were not checked"));
}

#[tokio::test]
async fn what_a_tool_answers_and_does_is_told() {
    let page = open("tools/odd.html").await;
    let said = |name: &'static str| {
        let page = &page;
        async move { page.call("call_page_tool", json!({ "name": name })).await.unwrap() }
    };

    let nothing = said("nothing").await;
    assert!(nothing.data.get("result").is_none(), "{}", nothing.data);
    let text = said("text").await.text.for_model();
    let fence = format!(" {}>\ntea\nand cake\n</page ", server().origin());
    assert!(text.contains("result <page ") && text.contains(&fence), "{text}");
    let changes = said("changes").await;
    assert_eq!(changes.data["effect"], "changed", "{}", changes.data);
    assert!(changes.text.for_model().contains("\"changed\""), "{}", changes.text.for_model());
    let big = said("big").await;
    assert!(big.text.for_model().chars().count() < 20_000, "a long answer is told in parts");

    for (name, says) in [
        ("circle", "TypeError: \"Converting circular structure to JSON"),
        ("rejects", "Uncaught \"no tea\""),
    ] {
        let failure = refused(&page, "call_page_tool", json!({ "name": name })).await;
        assert_eq!(failure.code, "javascript_error", "{}", failure.text());
        assert!(failure.message.starts_with(says), "{}", failure.text());
        assert_eq!(failure.done.map(|done| done.name()), Some("yes"), "{}", failure.text());
    }
}

/// The page is told that nobody waits any more, by the deadline and by who cancels.
#[tokio::test]
async fn a_tool_that_never_answers_is_cancelled_in_the_page() {
    let page = open("tools/odd.html").await;
    let args = json!({ "name": "never", "timeout": 1000 });
    assert_refused(
        &page,
        ("call_page_tool", args),
        "Timeout after 1s waiting for page tool 'never' to answer",
        "timeout",
        Some("unknown"),
    )
    .await;
    page.until("log.join() === 'never begun,never cancelled'").await;

    let call = page.call("call_page_tool", json!({ "name": "never" }));
    tokio::select! {
        answer = call => panic!("it answered: {answer:?}"),
        () = begun(&page, 3) => {}
    }
    page.until("log[3] === 'never cancelled'").await;

    let args = json!({ "name": "by_hand", "arguments": { "tea": "green" }, "timeout": 1000 });
    assert_eq!(refused(&page, "call_page_tool", args).await.code, "timeout");
    assert_eq!(page.eval("document.forms[0].tea.value").await, "green");
}

/// Waits until the page has noticed so many things. By the list of tabs, since the tab itself is busy.
async fn begun(page: &btcp_testkit::TestPage, lines: usize) {
    let start = Instant::now();
    loop {
        let title = page.call("get_all_tabs", json!({})).await.expect("it lists them").data["tabs"]
            [0]
        .clone();
        if title["title"] == format!("{lines} lines") {
            return;
        }
        assert!(start.elapsed() < Duration::from_secs(30), "there are no {lines} lines: {title}");
    }
}

/// A loop in a tool is ended with its call: the session and the page go on.
#[tokio::test]
async fn a_tool_that_loops_is_ended() {
    let page = open("tools/odd.html").await;
    let failure =
        refused(&page, "call_page_tool", json!({ "name": "loops", "timeout": 1000 })).await;
    assert!(["timeout", "page_hung"].contains(&failure.code), "{}", failure.text());
    assert_eq!(failure.done.map(|done| done.name()), Some("unknown"), "{}", failure.text());
    assert_goes_on(&page).await;
    assert_eq!(page.log().await, ["loops"]);
}

#[tokio::test]
async fn a_tool_that_leaves_its_page_has_navigated() {
    let page = open("tools/odd.html").await;

    let said = page.call("call_page_tool", json!({ "name": "leaves" })).await.unwrap();

    assert_eq!(said.data["effect"], "navigated", "{}", said.data);
    assert_eq!(said.data["url"], server().url("click.html"));
    assert!(said.data.get("result").is_none(), "{}", said.data);
    let text = said.text.for_model();
    assert!(text.contains("(its page was left before it answered)"), "{text}");
}

/// A dialog is what came of it; the tool goes on when it is answered.
#[tokio::test]
async fn a_tool_that_asks_something_is_not_cancelled() {
    let page = open("tools/odd.html").await;

    let said = page.call("call_page_tool", json!({ "name": "asks" })).await.unwrap();
    assert_eq!(said.data["effect"], "dialog", "{}", said.data);
    text_of(&page, "dialog", json!({ "response": "accept" })).await;

    page.until("log.join() === 'asked true'").await;
}

/// What a page declares without measure is told in measure, and can be called all the same.
#[tokio::test]
async fn ten_thousand_tools_and_a_megabyte_are_told_in_measure() {
    let page = open("tools/many.html").await;

    let listed = page.call("page_tools", json!({ "timeout": "30s" })).await.unwrap();

    let tools = listed.data["tools"].as_array().unwrap();
    assert_eq!(tools.len() as u64 + listed.data["more"].as_u64().unwrap(), 10_001);
    assert_eq!(
        (tools[0]["name"].as_str(), &tools[0]["inputSchema"]),
        (Some("a_talker"), &Value::Null)
    );
    assert!(tools[0]["description"].as_str().unwrap().chars().count() <= 2001);
    assert!(listed.text.for_model().chars().count() < 60_000);
    for (name, says) in [("tool_9999", json!(9999)), ("a_talker", json!("said"))] {
        let args = json!({ "name": name, "timeout": "30s" });
        let said = page.call("call_page_tool", args).await.unwrap();
        assert_eq!(said.data["result"], says);
    }
}

/// A frame of an origin that a caller may not work with has no tools for it.
#[tokio::test]
async fn tools_of_other_origins_are_nobodys_business() {
    let page = open("tools/frames.html").await;
    let only = server().origin();

    let listed = page.call_within(&only, "page_tools", json!({})).await.unwrap();
    let text = listed.text.for_model();
    assert!(text.contains("only_same") && !text.contains("only_other"), "{text}");
    let args = json!({ "name": "only_other", "timeout": 1000 });
    let failure = page.call_within(&only, "call_page_tool", args).await.unwrap_err();
    assert_eq!(failure.code, "not_found", "{}", failure.text());
    assert!(!failure.text().contains("\"only_other\""), "{}", failure.text());
}

/// A page's tool could send a secret anywhere.
#[tokio::test]
async fn no_secret_is_given_to_a_tool() {
    let page = open("call_page_tool.html").await;
    let args = json!({ "name": "order_tea", "arguments": { "kind": "{{secret:PIN}}" } });
    let failure = refused(&page, "call_page_tool", args).await;
    assert_eq!(failure.code, "denied", "{}", failure.text());
    assert!(page.log().await.is_empty());
}
