//! Frames of other sites, three deep: seen in the snapshot, and acted in with trusted events.

use btcp_testkit::{TestPage, open, server};
use serde_json::json;

use crate::refusal::{is_ref, ref_of, refused, text_of};

const PAGE: &str = "hard/frames.html";

/// The frames tell the top page what they saw.
async fn assert_heard(page: &TestPage, message: &str) {
    page.until(&format!("log.includes({})", json!(message))).await;
}

#[tokio::test]
async fn a_snapshot_shows_the_controls_of_all_frames_at_their_place() {
    let page = open(PAGE).await;

    let tree = text_of(&page, "snapshot", json!({})).await;

    let controls = tree.lines().filter(|line| line.split_whitespace().any(is_ref)).count();
    assert_eq!(controls, 15, "{tree}");
    let line = |start: &str| {
        tree.lines()
            .position(|line| line.trim_start().starts_with(start))
            .unwrap_or_else(|| panic!("no {start} in\n{tree}"))
    };
    let middle =
        format!(r#"iframe "Middle" http://localhost:{}/hard/inside/middle.html"#, server().port());
    let deep =
        format!(r#"iframe "Deep" http://a0.localhost:{}/hard/inside/deep.html"#, server().port());
    let order = [
        line(r#"button "Top one""#),
        line(r#"iframe "Same page""#),
        line(r#"button "Srcdoc button""#),
        line(r#"iframe "Sandbox""#),
        line(&middle),
        line(r#"button "Middle one""#),
        line(&deep),
        line(r#"link "Deep one""#),
        line(r#"textbox "Kit field""#),
        line(r#"button "Kit button""#),
    ];
    assert!(order.is_sorted(), "{order:?} in\n{tree}");
    let indent =
        |at: usize| tree.lines().nth(at).map_or(0, |line| line.len() - line.trim_start().len());
    assert_eq!(indent(order[5]), indent(order[4]) + 2, "a document is one level deeper\n{tree}");
}

#[tokio::test]
async fn a_click_in_a_nested_frame_of_another_site_is_trusted() {
    let page = open(PAGE).await;

    for (name, heard) in [
        ("Deep two", "deep true"),
        ("Middle one", "middle true"),
        ("Sandbox button", "sandbox true"),
        ("Srcdoc button", "srcdoc true"),
        ("Deep three", "deep box true"),
    ] {
        text_of(&page, "click", json!({ "selector": format!("text={name}") })).await;
        assert_heard(&page, heard).await;
    }
}

#[tokio::test]
async fn a_field_in_a_nested_frame_is_filled_and_typed_into() {
    let page = open(PAGE).await;

    text_of(&page, "fill", json!({ "selector": "label=Deep four", "value": "filled" })).await;
    assert_heard(&page, "deep text filled").await;
    text_of(&page, "type", json!({ "selector": "label=Deep four", "text": " and typed" })).await;
    assert_heard(&page, "deep text filled and typed").await;
}

#[tokio::test]
async fn a_ref_carries_its_frame() {
    let page = open(PAGE).await;
    let deep = ref_of(&page, r#"button "Deep two""#).await;

    let text = text_of(&page, "click", json!({ "selector": deep })).await;

    assert_heard(&page, "deep true").await;
    assert!(text.starts_with(&format!(r#"clicked button "Deep two" {deep}"#)), "{text}");
}

/// `A >> B` enters A where A is a frame, through as many as it takes.
#[tokio::test]
async fn a_chain_goes_into_frames() {
    let page = open(PAGE).await;
    let chain = r#"iframe[title="Middle"] >> iframe[title="Deep"] >> button"#;

    text_of(&page, "click", json!({ "selector": chain })).await;

    assert_heard(&page, "deep true").await;
    let count = page
        .call("count", json!({ "selector": r#"iframe[title="Middle"] >> button"# }))
        .await
        .unwrap();
    assert_eq!(count.data["count"], 2);
}

/// CSS means the page itself; it must not reach into frames by accident.
#[tokio::test]
async fn plain_css_stays_in_the_page() {
    let page = open(PAGE).await;

    let count = page.call("count", json!({ "selector": "button" })).await.unwrap();

    assert_eq!(count.data["count"], 1);
    let failure =
        refused(&page, "click", json!({ "selector": "#kit-field", "timeout": 1000 })).await;
    assert_eq!(failure.code, "not_found", "{}", failure.text());
}

#[tokio::test]
async fn a_frame_that_is_covered_is_not_clicked_through() {
    let page = open(PAGE).await;
    page.eval(
        "document.body.insertAdjacentHTML('beforeend', '<div role=dialog aria-label=Wall style=\"position:fixed;inset:0;background:white\">Wall</div>'); 1",
    )
    .await;

    let failure =
        refused(&page, "click", json!({ "selector": "text=Deep two", "timeout": 1000 })).await;

    assert_eq!(failure.code, "covered", "{}", failure.text());
    assert!(failure.message.ends_with(r#"is covered by dialog "Wall""#), "{}", failure.message);
    assert!(page.log().await.is_empty());
}

#[tokio::test]
async fn a_frame_that_is_taken_away_makes_its_refs_stale() {
    let page = open(PAGE).await;
    let deep = ref_of(&page, r#"button "Deep two""#).await;
    page.eval(r#"document.querySelector('iframe[title="Middle"]').remove()"#).await;

    let failure = refused(&page, "click", json!({ "selector": deep, "timeout": 1000 })).await;

    assert_eq!(failure.code, "stale_ref", "{}", failure.text());
    assert!(failure.message.contains(r#"button "Deep two""#), "{}", failure.message);
}

#[tokio::test]
async fn a_text_in_a_frame_is_waited_for_and_read() {
    let page = open(PAGE).await;

    text_of(&page, "wait", json!({ "text": "Kit text" })).await;
    let read = page.call("get_text", json!({ "selector": "testid=kit-state" })).await.unwrap();

    assert_eq!(read.data["text"], "0 clicks, value empty, box false, choice first");
}

/// Frames are asked together with the page; one without a line must not be waited for.
#[tokio::test]
async fn a_hung_frame_that_nobody_sees_holds_nobody_up() {
    let page = open("frames/unseen.html").await;
    page.eval("document.getElementById('hangs').contentWindow.postMessage('now', '*')").await;
    page.until("log.includes('hangs')").await;

    let begin = std::time::Instant::now();
    let tree = text_of(&page, "snapshot", json!({})).await;
    let again = text_of(&page, "snapshot", json!({})).await;

    assert!(begin.elapsed().as_secs() < 10, "{:?}", begin.elapsed());
    assert!(
        tree.contains(r#"button "Seen""#) && tree.contains(r#"button "In the frame""#),
        "{tree}"
    );
    assert!(!tree.contains("Hangs"), "{tree}");
    assert_eq!(tree, again);
}

/// A page may name itself as late as in its load event.
#[tokio::test]
async fn the_title_of_the_load_event_is_told() {
    let page = open("click.html").await;
    let url = server().url("frames/unseen.html");

    let told = text_of(&page, "navigate", json!({ "url": url })).await;

    assert!(told.contains(r#""after the load""#), "{told}");
}
