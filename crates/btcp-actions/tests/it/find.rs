//! `find`: lines of the page, also of what a snapshot folds away.

use btcp_testkit::open;
use serde_json::json;

use crate::refusal::text_of;

/// The row comes along, and its button works.
#[tokio::test]
async fn a_row_is_found_with_its_controls() {
    let page = open("find.html").await;

    let text = text_of(&page, "find", json!({ "query": "GRACE" })).await;

    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], r#"row: "Grace" | "New York" | *"#, "{text}");
    let button =
        lines[1].trim().strip_prefix(r#"button "Write" "#).unwrap_or_else(|| panic!("{text}"));
    assert_eq!(lines.len(), 2, "{text}");
    text_of(&page, "click", json!({ "selector": button })).await;
    assert_eq!(page.log().await, ["write grace"]);
}

/// Cards are boxes without a role: what repeats is a card.
#[tokio::test]
async fn a_card_is_found_with_its_controls_however_long_the_page_is() {
    let page = open("find.html").await;
    page.eval(
        "document.body.innerHTML = Array.from({ length: 3000 }, (_, n) => `<div class=card><h3>Shoe ${n}</h3><p>Size ${n % 50}</p><div><button data-log='buy ${n}'>Buy</button></div></div>`).join(''); 1",
    )
    .await;
    let seen = text_of(&page, "snapshot", json!({})).await;
    assert!(!seen.contains("Shoe 2718"), "it was to be folded away");

    let text = text_of(&page, "find", json!({ "query": "Shoe 2718" })).await;

    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[..2], [r#"heading "Shoe 2718" [h3]"#, r#""Size 18""#], "{text}");
    let button = lines[2].strip_prefix(r#"button "Buy" "#).unwrap_or_else(|| panic!("{text}"));
    text_of(&page, "click", json!({ "selector": button })).await;
    assert_eq!(page.log().await, ["buy 2718"]);
}

#[tokio::test]
async fn matches_beyond_the_limit_are_counted() {
    let page = open("find.html").await;

    let outcome = page.call("find", json!({ "query": "/a-[0-9]+/", "limit": 3 })).await.unwrap();

    assert_eq!(outcome.data["count"], 40);
    assert_eq!(outcome.data["matches"].as_array().map(Vec::len), Some(3));
    let text = outcome.text.for_model();
    assert!(text.ends_with("\n… 37 more matches"), "{text}");
}

#[tokio::test]
async fn what_is_in_frames_is_found_too() {
    let page = open("hard/frames.html").await;

    let seen = text_of(&page, "snapshot", json!({})).await;
    let inside = seen
        .lines()
        .skip_while(|line| !line.trim_start().starts_with("iframe"))
        .find_map(|line| line.trim_start().strip_prefix("button \""))
        .and_then(|rest| rest.split('"').next())
        .unwrap_or_else(|| panic!("no button in a frame in\n{seen}"))
        .to_owned();
    let text = text_of(&page, "find", json!({ "query": inside })).await;

    assert!(text.contains(&format!("button \"{inside}\" e")), "{text}");
}

#[tokio::test]
async fn what_is_nowhere_is_told() {
    let page = open("find.html").await;

    let text = text_of(&page, "find", json!({ "query": "Babbage" })).await;

    assert_eq!(text, "no line holds 'Babbage'");
}
