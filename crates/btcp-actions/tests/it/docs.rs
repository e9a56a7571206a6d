//! What the documents show is what one gets.

use btcp_testkit::open;
use serde_json::json;

use crate::refusal::text_of;

const GUIDE: &str = include_str!("../../../../docs/snapshot.md");

#[tokio::test]
async fn the_snapshot_guide_shows_the_page_as_it_is_read() {
    let page = open("docs/orders.html").await;

    let text = text_of(&page, "snapshot", json!({})).await;

    let shown = GUIDE.split("```").nth(1).map(str::trim).unwrap_or_default();
    assert_eq!(text.lines().skip(1).collect::<Vec<_>>(), shown.lines().skip(1).collect::<Vec<_>>());
    assert!(text.starts_with("page \"Orders\" http://127.0.0.1:"), "{text}");
}

#[tokio::test]
async fn the_snapshot_guide_finds_what_it_says() {
    let page = open("docs/orders.html").await;
    text_of(&page, "snapshot", json!({})).await;

    let text = text_of(&page, "find", json!({ "query": "grace" })).await;

    assert!(GUIDE.contains(&format!("> find {{\"query\": \"grace\"}}\n{text}\n")), "{text}");
}
