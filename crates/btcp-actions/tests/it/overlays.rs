//! Layers over the page: some let events through, some go away, some must be named.

use btcp_testkit::open;
use serde_json::json;

use crate::refusal::{assert_refused, text_of};

const PAGE: &str = "hard/overlays.html";

/// The waiting layer goes after 500 ms, the glass layer is not in the way at all.
#[tokio::test]
async fn a_layer_that_goes_away_is_waited_for() {
    let page = open(PAGE).await;

    text_of(&page, "click", json!({ "selector": "text=Kit button" })).await;

    assert_eq!(page.eval("kit.clicks").await, 1);
}

#[tokio::test]
async fn a_banner_is_named_until_it_is_closed() {
    let page = open(PAGE).await;
    page.until("!document.getElementById('busy')").await;

    let call = ("click", json!({ "selector": "#last", "timeout": 1000 }));
    let sentence = r#"Element '#last' is covered by dialog "Cookies""#;
    assert_refused(&page, call, sentence, "covered", Some("no")).await;
    text_of(&page, "click", json!({ "selector": "text=Accept" })).await;
    text_of(&page, "click", json!({ "selector": "#last" })).await;

    assert_eq!(page.log().await, ["click accept", "click last"]);
}

/// Under a sticky header even when scrolled to the top edge: it must come out from under it.
#[tokio::test]
async fn what_hides_under_a_sticky_header_is_scrolled_out() {
    let page = open(PAGE).await;
    page.until("!document.getElementById('busy')").await;
    page.eval("document.querySelector('section').scrollIntoView({ block: 'start' })").await;

    text_of(&page, "fill", json!({ "selector": "label=Kit field", "value": "seen" })).await;
    text_of(&page, "click", json!({ "selector": "text=Kit button" })).await;

    assert_eq!(page.eval("[kit.value, kit.clicks]").await, json!(["seen", 1]));
}
