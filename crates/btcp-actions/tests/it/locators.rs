//! Semantic locators, and the place where plain CSS is looked for.

use btcp_testkit::open;
use serde_json::json;

use crate::refusal::{assert_refused, refused, text_of};

/// What a locator finds can be acted on by its ref.
#[tokio::test]
async fn a_located_element_has_a_ref_that_works() {
    for (path, name, args) in [
        ("hard/frames.html", "get_by_role", json!({ "role": "button", "name": "Deep two" })),
        ("hard/frames.html", "get_by_text", json!({ "text": "Deep two" })),
        ("hard/frames.html", "get_by_label", json!({ "label": "Deep three" })),
    ] {
        let page = open(path).await;

        let found = page.call(name, args.clone()).await.unwrap_or_else(|e| panic!("{}", e.text()));

        assert_eq!(found.data["count"], 1, "{name} {args}: {}", found.data);
        let r#ref = found.data["ref"].as_str().expect("it has a ref").to_owned();
        text_of(&page, "click", json!({ "selector": r#ref })).await;
        page.until("log.length").await;
    }
}

#[tokio::test]
async fn a_subaction_does_it_at_once_with_trusted_events() {
    let page = open("hard/shadow.html").await;

    text_of(
        &page,
        "get_by_role",
        json!({ "role": "button", "name": "Kit button", "subaction": "click" }),
    )
    .await;
    text_of(
        &page,
        "get_by_label",
        json!({ "label": "Kit field", "subaction": "fill", "value": "hello" }),
    )
    .await;
    text_of(&page, "get_by_label", json!({ "label": "Kit box", "subaction": "check" })).await;
    let text =
        text_of(&page, "get_by_text", json!({ "text": "Kit text", "subaction": "text" })).await;

    assert_eq!(text, "\"Kit text\"");
    assert_eq!(page.eval("[kit.clicks, kit.value, kit.box]").await, json!([1, "hello", true]));
}

#[tokio::test]
async fn exact_means_the_whole_name_in_its_case() {
    let page = open("click.html").await;

    let count =
        async |args| page.call("get_by_text", args).await.map(|found| found.data["count"].clone());

    assert_eq!(count(json!({ "text": "twic" })).await.unwrap(), 1);
    let failure =
        count(json!({ "text": "twic", "exact": true, "timeout": 300 })).await.unwrap_err();
    assert_eq!(failure.code, "not_found", "{}", failure.text());
    assert_eq!(count(json!({ "text": "Twice", "exact": true })).await.unwrap(), 1);
}

#[tokio::test]
async fn a_subaction_is_judged_as_the_action_it_runs() {
    let page = open("click.html").await;

    let args = json!({ "role": "button", "name": "Send", "subaction": "click" });
    let failure = page.call_as("get_by_role", "get_by_role", args).await.unwrap_err();

    assert_eq!(failure.code, "denied", "{}", failure.text());
    assert_eq!(page.log().await, Vec::<String>::new());
}

#[tokio::test]
async fn a_value_without_fill_is_refused() {
    let page = open("click.html").await;

    let args = json!({ "role": "button", "name": "Send", "subaction": "click", "value": "x" });
    assert_refused(
        &page,
        ("get_by_role", args),
        "value is only for subaction fill",
        "invalid_params",
        Some("no"),
    )
    .await;
    assert_eq!(page.log().await, Vec::<String>::new());
}

/// `frame` moves where plain CSS and scripts look; refs and names need no switch.
#[tokio::test]
async fn plain_css_is_looked_for_in_the_frame_that_was_entered() {
    let page = open("hard/frames.html").await;

    text_of(&page, "frame", json!({ "url": "middle.html" })).await;
    let count = page.call("count", json!({ "selector": "button" })).await.unwrap();
    assert_eq!(count.data["count"], 2);
    assert_eq!(page.eval("document.title").await, "middle");
    text_of(&page, "frame", json!({ "selector": r#"iframe[title="Deep"]"# })).await;
    text_of(&page, "fill", json!({ "selector": "#kit-field", "value": "hello" })).await;
    assert_eq!(page.eval("kit.value").await, "hello");

    text_of(&page, "mainframe", json!({})).await;
    assert_eq!(page.eval("document.title").await, "frames");
    let count = page.call("count", json!({ "selector": "button" })).await.unwrap();
    assert_eq!(count.data["count"], 1);
}

/// The frame that was entered is gone: the next call must not act in another place.
#[tokio::test]
async fn a_frame_that_goes_away_is_told_and_the_page_is_back() {
    let page = open("hard/frames.html").await;
    text_of(&page, "frame", json!({ "url": "middle.html" })).await;
    page.eval("parent.postMessage('bye', '*'); 1").await;
    text_of(&page, "mainframe", json!({})).await;
    text_of(&page, "frame", json!({ "url": "sandbox.html" })).await;

    page.call("reload", json!({})).await.unwrap_or_else(|e| panic!("{}", e.text()));

    assert_eq!(page.eval("document.title").await, "frames", "a load ends being in a frame");
}

#[tokio::test]
async fn what_is_no_frame_cannot_be_entered() {
    let page = open("hard/frames.html").await;

    for args in [
        json!({ "selector": "#top-1", "timeout": 500 }),
        json!({ "name": "nobody", "timeout": 500 }),
        json!({}),
    ] {
        let failure = refused(&page, "frame", args.clone()).await;
        assert!(
            matches!(failure.code, "invalid_params" | "not_found"),
            "{args}: {}",
            failure.text()
        );
        assert_eq!(page.eval("document.title").await, "frames");
    }
}

#[tokio::test]
async fn an_address_is_waited_for_over_loads_and_without() {
    let page = open("click.html").await;

    page.eval("setTimeout(() => history.pushState(null, '', '?pushed'), 200)").await;
    text_of(&page, "wait_for_url", json!({ "url": "?pushed" })).await;
    page.eval("setTimeout(() => { location.href = '/slow?ms=300' }, 100)").await;
    text_of(&page, "wait_for_url", json!({ "url": "http://*/slow?ms=*" })).await;

    let failure =
        refused(&page, "wait_for_url", json!({ "url": "/nowhere", "timeout": 500 })).await;
    assert_eq!(failure.code, "timeout", "{}", failure.text());
    assert!(failure.message.starts_with("Timeout after 500ms waiting for "), "{}", failure.message);
}

/// The mark is Chrome's, so it is in the picture but not in the page.
#[tokio::test]
async fn a_highlight_is_drawn_over_the_page_not_in_it() {
    let page = open("hard/traces.html").await;

    let said = text_of(&page, "highlight", json!({ "selector": "text=Kit button" })).await;

    assert!(said.contains(r#"button "Kit button" e"#), "{said}");
    assert_eq!(page.eval("look()").await, json!([]));
    text_of(&page, "highlight", json!({})).await;
    text_of(&page, "click", json!({ "selector": "text=Kit button" })).await;
    assert_eq!(page.eval("kit.clicks").await, 1, "a mark must not be in the way");
}
