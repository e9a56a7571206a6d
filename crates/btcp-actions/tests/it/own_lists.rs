//! Lists that pages make themselves in place of `<select>`.

use btcp_testkit::open;
use serde_json::json;

use crate::refusal::{refused, text_of};

const PAGE: &str = "hard/inside/own-lists.html";

/// However it is built, an option is chosen as a person would: with trusted clicks and keys.
#[tokio::test]
async fn an_option_of_any_list_is_chosen() {
    for (selector, value, shown) in [
        // A listbox that is always open.
        (
            "#open",
            "Green",
            "at('open').querySelector('[aria-selected=true]').textContent === 'Green'",
        ),
        ("#open", "2", "at('open').querySelector('[aria-selected=true]').textContent === 'Blue'"),
        // A button that opens one somewhere else, 150 ms later.
        ("label=Portal", "Paris", "portal.textContent === 'Paris'"),
        ("label=Portal", "osl", "portal.textContent === 'Oslo'"),
        // A field that filters as one types.
        ("label=Filter", "Norway", "filter.value === 'Norway' && chosen.filter === 'Norway'"),
        // A list of a thousand that makes only what is in view.
        ("label=Long", "Item 700", "long.textContent === 'Item 700'"),
        // A menu button.
        ("text=Sort by", "Price", "chosen.menu === 'Price'"),
        // In a shadow root.
        ("label=Deep", "Two", "chosen.deep === 'Two'"),
    ] {
        let page = open(PAGE).await;
        let said = text_of(&page, "select", json!({ "selector": selector, "value": value })).await;
        page.until(shown).await;
        assert!(said.starts_with("selected in "), "{said}");
    }
}

#[tokio::test]
async fn what_is_chosen_is_read_back_and_fill_can_do_it_too() {
    let page = open(PAGE).await;

    let said =
        text_of(&page, "select", json!({ "selector": "label=Portal", "value": "Paris" })).await;
    assert!(said.contains(r#"now "Paris""#), "{said}");
    let said = text_of(&page, "fill", json!({ "selector": "label=Portal", "value": "Oslo" })).await;
    assert!(said.contains(r#"now "Oslo""#), "{said}");
    let said = text_of(&page, "select", json!({ "selector": "#open", "value": "Red" })).await;
    assert!(said.contains(r#"now "Red""#), "{said}");
}

/// The options are named, and nothing stays open or half typed.
#[tokio::test]
async fn an_option_there_is_not_is_told_with_those_there_are() {
    for (selector, options) in [
        ("#open", r#""Red", "Green", "Blue""#),
        ("label=Portal", r#""Oslo", "Paris", "Rome""#),
        ("label=Filter", r#""Norway""#),
    ] {
        let page = open(PAGE).await;
        let failure =
            refused(&page, "select", json!({ "selector": selector, "value": "Atlantis" })).await;
        assert_eq!(failure.code, "no_such_option", "{}", failure.text());
        let hint = failure.hint.clone().unwrap_or_default();
        assert!(hint.contains(options), "{selector}: {}", failure.text());
        assert_eq!(failure.done.map(|done| done.name()), Some("no"), "{}", failure.text());
        let state =
            "[portal.textContent, filter.value, document.querySelectorAll('.popup').length]";
        assert_eq!(page.eval(state).await, json!(["Choose", "", 0]), "{selector}");
    }
}

#[tokio::test]
async fn one_of_a_list_that_takes_one() {
    let page = open(PAGE).await;

    let args = json!({ "selector": "#open", "values": ["Red", "Blue"], "timeout": 1000 });
    let failure = refused(&page, "multiselect", args).await;
    assert_eq!(failure.code, "invalid_params", "{}", failure.text());
    assert_eq!(page.eval("at('open').querySelectorAll('[aria-selected=true]').length").await, 0);

    text_of(&page, "multiselect", json!({ "selector": "label=Several", "values": ["B", "C"] }))
        .await;
    page.until("chosen.several === 'B,C'").await;
}
