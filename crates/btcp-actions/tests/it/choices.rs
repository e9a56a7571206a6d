//! Ticking and choosing: only what can be ticked is ticked, and what holds already is left alone.

use btcp_testkit::open;
use serde_json::json;

use crate::refusal::{assert_refused, refused, text_of};

/// A text field must never end up with "true" in it.
#[tokio::test]
async fn only_what_can_be_ticked_is_ticked() {
    let page = open("fill.html").await;

    for name in ["check", "uncheck"] {
        for selector in ["#name", "#bio", "#city", "#note", "#plain"] {
            let failure =
                refused(&page, name, json!({ "selector": selector, "timeout": 500 })).await;
            assert_eq!(failure.code, "not_editable", "{name} {selector} said: {}", failure.text());
            assert_eq!(failure.done.map(|done| done.name()), Some("no"));
        }
    }
    assert_eq!(page.log().await, Vec::<String>::new());
}

#[tokio::test]
async fn a_box_is_ticked_once_and_unticked_once() {
    let page = open("fill.html").await;

    for name in ["check", "check", "uncheck", "uncheck"] {
        text_of(&page, name, json!({ "selector": "#agree" })).await;
    }

    let changes: Vec<_> =
        page.log().await.into_iter().filter(|line| line.starts_with("change")).collect();
    assert_eq!(changes, ["change agree true", "change agree false"]);
}

/// A person cannot untick a radio button.
#[tokio::test]
async fn a_radio_button_is_chosen_but_not_unticked() {
    let page = open("fill.html").await;

    text_of(&page, "check", json!({ "selector": "#s" })).await;
    text_of(&page, "check", json!({ "selector": "label=Medium" })).await;
    let call = ("uncheck", json!({ "selector": "#m", "timeout": 500 }));
    let sentence = "Value 'false' does not fit radio \"Medium\": it takes true; another radio button of \
                    its group turns it off";
    assert_refused(&page, call, sentence, "invalid_params", Some("no")).await;

    assert_eq!(page.eval("[s.checked, m.checked]").await, json!([false, true]));
}

#[tokio::test]
async fn what_is_no_select_has_no_options() {
    let page = open("select.html").await;

    let failure =
        refused(&page, "select", json!({ "selector": "#plain", "value": "x", "timeout": 500 }))
            .await;

    assert_eq!(failure.code, "not_editable", "{}", failure.text());
}

#[tokio::test]
async fn a_disabled_option_is_not_chosen() {
    let page = open("select.html").await;

    let args = json!({ "selector": "#city", "value": "Rome", "timeout": 500 });
    let failure = refused(&page, "select", args).await;

    assert_eq!(failure.code, "disabled", "{}", failure.text());
    assert_eq!(failure.done.map(|done| done.name()), Some("no"), "{}", failure.text());
    assert_eq!(page.eval("city.value").await, "");
    assert_eq!(page.log().await, Vec::<String>::new());
}

#[tokio::test]
async fn several_are_only_for_a_select_that_takes_several() {
    let page = open("select.html").await;

    let args = json!({ "selector": "#city", "value": ["Oslo", "Paris"], "timeout": 500 });
    let failure = refused(&page, "select", args).await;

    assert_eq!(failure.code, "invalid_params", "{}", failure.text());
    assert_eq!(page.eval("city.value").await, "");
}

/// What one option of several is missing, nothing is chosen by halves.
#[tokio::test]
async fn all_or_nothing_is_chosen() {
    let page = open("select.html").await;

    let args = json!({ "selector": "#tags", "value": ["Red", "Pink"], "timeout": 500 });
    let failure = refused(&page, "select", args).await;

    assert_eq!(failure.code, "no_such_option", "{}", failure.text());
    assert_eq!(page.eval("tags.selectedOptions.length").await, 0);
}

/// An agent should hear at once which options there are.
#[tokio::test]
async fn a_missing_option_is_told_at_once_with_those_there_are() {
    let page = open("select.html").await;

    let failure = refused(&page, "select", json!({ "selector": "#city", "value": "Berlin" })).await;

    assert_eq!(failure.code, "no_such_option", "{}", failure.text());
    let hint = failure.hint.expect("it lists the options");
    assert!(hint.contains("Oslo") && hint.contains("Paris"), "{hint}");
}
