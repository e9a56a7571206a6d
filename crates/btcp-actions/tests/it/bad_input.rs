//! Calls that are wrong in themselves: names, fields, types, selectors, refs, addresses.
//!
//! Each is told with a sentence, a code and `done: no`; nothing happens in the page and
//! the session goes on.

use btcp_testkit::open;
use serde_json::json;

use crate::refusal::{assert_goes_on, assert_refused, refused};

/// Models misremember names: the answer is the nearest ones.
#[tokio::test]
async fn a_wrong_action_name_is_answered_with_the_nearest() {
    let page = open("click.html").await;

    for (name, nearest) in [
        ("clik", "browser_click"),
        ("browser_snapsot", "browser_snapshot"),
        ("getTxt", "browser_get_text"),
    ] {
        let failure = assert_refused(
            &page,
            (name, json!({})),
            &format!("Tool not found: '{name}'"),
            "unknown_tool",
            None,
        )
        .await;
        let suggestions = failure.data["suggestions"].as_array().expect("there are suggestions");
        assert_eq!(suggestions[0], nearest, "{suggestions:?}");
        assert!(suggestions.len() <= 3, "{suggestions:?}");
        let hint = failure.hint.expect("it has a hint");
        assert!(hint.starts_with(&format!("Did you mean {nearest}")), "{hint}");
    }
}

/// Case, `_`, `-` and the prefix do not matter.
#[tokio::test]
async fn an_action_is_found_however_its_name_is_spelled() {
    let page = open("title.html").await;

    for name in ["get_text", "getText", "browser_get_text", "get-text", "GETTEXT"] {
        let outcome = page.call(name, json!({ "selector": "#change" })).await.unwrap();
        assert_eq!(outcome.data["text"], "Change", "{name}");
    }
}

#[tokio::test]
async fn a_tool_outside_the_toolset_is_denied_and_never_named() {
    let page = open("click.html").await;

    let failure =
        page.call_as("minimal", "click", json!({ "selector": "#send" })).await.unwrap_err();

    assert_eq!(failure.code, "denied");
    assert_eq!(failure.message, "'click' is outside this caller's toolset");
    let missing = page
        .call_as("minimal", "get_text", json!({ "selector": "#x", "timeout": 100 }))
        .await
        .unwrap_err();
    let text = missing.text();
    assert!(!text.contains("browser_click") && !text.contains("browser_wait"), "{text}");
    assert_eq!(page.log().await, Vec::<String>::new());
}

#[tokio::test]
async fn a_missing_field_is_named() {
    let page = open("click.html").await;

    let failure = assert_refused(
        &page,
        ("click", json!({})),
        "selector is required",
        "invalid_params",
        Some("no"),
    )
    .await;
    assert_eq!(failure.data["field"], "selector");
    assert_refused(
        &page,
        ("fill", json!({ "selector": "#a" })),
        "value is required",
        "invalid_params",
        Some("no"),
    )
    .await;
    assert_refused(&page, ("get_text", json!({})), "selector is required", "invalid_params", None)
        .await;
}

#[tokio::test]
async fn an_unknown_field_is_named_with_the_nearest_known_one() {
    let page = open("click.html").await;

    let failure = assert_refused(
        &page,
        ("click", json!({ "selector": "#send", "buton": "right" })),
        "Unknown parameter 'buton'",
        "invalid_params",
        Some("no"),
    )
    .await;

    assert_eq!(failure.hint.as_deref(), Some("Did you mean 'button'?"));
    assert_eq!(failure.data["field"], "buton");
    assert_eq!(page.log().await, Vec::<String>::new());
}

#[tokio::test]
async fn a_wrong_type_says_what_the_field_takes() {
    let page = open("click.html").await;

    for (name, args, sentence) in [
        ("click", json!({ "selector": 5 }), "selector must be a string, not integer 5"),
        (
            "click",
            json!({ "selector": "#send", "button": "top" }),
            "button must be one of left, right, middle, not 'top'",
        ),
        (
            "click",
            json!({ "selector": "#send", "timeout": "soon" }),
            r#"timeout must be milliseconds or a text like "15s", not "soon""#,
        ),
        (
            "click",
            json!({ "selector": "#send", "tabId": "first" }),
            r#"tabId must be a whole number, not "first""#,
        ),
        (
            "click",
            json!({ "selector": "#send", "changes": "yes" }),
            r#"changes must be true or false, not "yes""#,
        ),
        (
            "navigate",
            json!({ "url": "about:blank", "waitUntil": "soon" }),
            "waitUntil must be one of load, domcontentloaded, networkidle, commit, not 'soon'",
        ),
    ] {
        assert_refused(&page, (name, args), sentence, "invalid_params", Some("no")).await;
    }
    assert_eq!(page.log().await, Vec::<String>::new());
}

#[tokio::test]
async fn a_tab_that_does_not_exist_is_named() {
    let page = open("click.html").await;

    let call = ("click", json!({ "selector": "#send", "tabId": 77 }));
    assert_refused(&page, call, "Tab 77 does not exist", "no_such_tab", Some("no")).await;
}

/// Both kinds: what we cannot read, and what only the browser's parser refuses.
#[tokio::test]
async fn a_selector_that_does_not_parse_is_told_at_once() {
    let page = open("click.html").await;

    for (selector, sentence) in [
        ("", "selector: a selector must not be empty"),
        ("text=", "selector: 'text=' needs a value"),
        ("#a >> ", "selector: a part between '>>' is empty"),
        ("@x", "selector: '@x' is not a ref; a ref looks like e12"),
        ("##", "Selector '##' is not valid: '##' is not a valid selector"),
        ("button[", "Selector 'button[' is not valid: 'button[' is not a valid selector"),
        ("div:nope(", "Selector 'div:nope(' is not valid: 'div:nope(' is not a valid selector"),
        (
            "//button[",
            "Selector '//button[' is not valid: The string '//button[' is not a valid XPath expression",
        ),
        (
            "xpath=)(",
            "Selector 'xpath=)(' is not valid: The string ')(' is not a valid XPath expression",
        ),
    ] {
        let start = std::time::Instant::now();
        let call = ("click", json!({ "selector": selector }));
        let failure = assert_refused(&page, call, sentence, "invalid_params", Some("no")).await;
        assert!(sentence.ends_with(failure.data["reason"].as_str().unwrap_or("no reason")));
        assert!(start.elapsed().as_secs() < 10, "'{selector}' took {:?}", start.elapsed());
    }
    let sentence = "Selector '##' is not valid: '##' is not a valid selector";
    let call = ("count", json!({ "selector": "##" }));
    assert_refused(&page, call, sentence, "invalid_params", None).await;
    assert_goes_on(&page).await;
    assert_eq!(page.log().await, Vec::<String>::new());
}

/// Models invent refs. They must not hit anything, nor wait for it.
#[tokio::test]
async fn a_ref_that_was_never_issued_is_not_found() {
    let page = open("click.html").await;
    page.call("snapshot", json!({})).await.unwrap();

    for written in ["e9999", "@ref:9999", "@9999", "ref=9999"] {
        let call = ("click", json!({ "selector": written, "timeout": 1000 }));
        let sentence = format!("Selector '{written}' not found");
        assert_refused(&page, call, &sentence, "not_found", Some("no")).await;
    }
    assert_eq!(page.log().await, Vec::<String>::new());
}

#[tokio::test]
async fn a_selector_without_a_match_is_not_found() {
    let page = open("click.html").await;

    let call = ("click", json!({ "selector": "#missing", "timeout": 300 }));
    assert_refused(&page, call, "Selector '#missing' not found", "not_found", Some("no")).await;
    let call = ("get_text", json!({ "selector": "#missing", "timeout": 300 }));
    assert_refused(&page, call, "Selector '#missing' not found", "not_found", None).await;
}

/// What the agent meant is probably on the page under a similar name.
#[tokio::test]
async fn a_near_miss_is_answered_with_what_the_page_has() {
    let page = open("click.html").await;

    let args = json!({ "selector": r#"role=button[name="Sent"]"#, "timeout": 300 });
    let failure = refused(&page, "click", args).await;

    assert_eq!(failure.code, "not_found");
    let hint = failure.hint.expect("it has a hint");
    assert!(hint.contains(r#"button "Send""#), "{hint}");
}

#[tokio::test]
async fn two_equal_matches_are_ambiguous_and_listed_with_refs() {
    let page = open("click.html").await;

    let call = ("click", json!({ "selector": "text=Save", "timeout": 300 }));
    let failure = assert_refused(
        &page,
        call,
        "Selector 'text=Save' matches 2 elements",
        "ambiguous",
        Some("no"),
    )
    .await;

    let hint = failure.hint.expect("it has a hint");
    assert_eq!(hint.matches(r#"button "Save" e"#).count(), 2, "{hint}");
    assert_eq!(page.log().await, Vec::<String>::new());
}
