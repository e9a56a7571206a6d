//! Open shadow roots: searched by every kind of target, shown in the snapshot where they are drawn.

use btcp_testkit::open;
use serde_json::json;

use crate::refusal::{ref_of, text_of};

const PAGE: &str = "hard/shadow.html";

#[tokio::test]
async fn buttons_inside_shadow_roots_are_clicked_by_every_kind_of_target() {
    for target in
        ["#inner", r#"role=button[name="Inner button"]"#, "text=Inner button", "x-outer >> #inner"]
    {
        let page = open(PAGE).await;

        text_of(&page, "click", json!({ "selector": target })).await;

        assert_eq!(page.log().await, ["click inner"], "{target}");
    }
}

#[tokio::test]
async fn a_ref_reaches_into_shadow_roots() {
    let page = open(PAGE).await;
    let inner = ref_of(&page, r#"button "Inner button""#).await;

    text_of(&page, "click", json!({ "selector": inner })).await;

    assert_eq!(page.log().await, ["click inner"]);
}

#[tokio::test]
async fn slotted_content_is_shown_once_where_it_is_drawn() {
    let page = open(PAGE).await;

    let tree = text_of(&page, "snapshot", json!({})).await;

    for (text, times) in [
        ("Slotted button", 1),
        ("Card title", 1),
        ("Inner button", 1),
        ("Fallback text", 2),
        ("Untitled", 0),
    ] {
        assert_eq!(tree.matches(text).count(), times, "{text} in\n{tree}");
    }
    let at = |text: &str| tree.find(text).unwrap_or_default();
    assert!(at("Card title") < at("Slotted button"), "{tree}");
}
