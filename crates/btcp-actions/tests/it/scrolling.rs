//! Scrolling: pages that scroll smoothly, boxes in boxes, snapping, lists made as one scrolls.

use btcp_testkit::open;
use serde_json::json;

use crate::refusal::{refused, text_of};

const PAGE: &str = "hard/inside/scrollers.html";

/// `scroll-behavior: smooth` takes its time; the answer must be where it ends.
#[tokio::test]
async fn a_page_that_scrolls_smoothly_is_where_the_answer_says() {
    let page = open(PAGE).await;

    for (args, y) in [
        (json!({ "direction": "down" }), 500),
        (json!({ "direction": "down", "amount": 300 }), 800),
        (json!({ "direction": "up", "amount": 100 }), 700),
        (json!({ "y": 50 }), 750),
        (json!({ "direction": "bottom" }), 3280),
        (json!({ "direction": "top" }), 0),
    ] {
        let outcome = page.call("scroll", args.clone()).await.unwrap();

        assert_eq!(outcome.data["scrollY"].as_f64(), Some(f64::from(y)), "{args}");
        assert_eq!(page.eval("scrollY").await, y, "{args}");
    }
}

#[tokio::test]
async fn a_box_in_a_box_is_scrolled_by_itself() {
    let page = open(PAGE).await;

    for args in [
        json!({ "selector": "#box", "direction": "down", "amount": 120 }),
        json!({ "selector": "#box", "direction": "right", "amount": 80 }),
    ] {
        text_of(&page, "scroll", args).await;
    }

    let places = "[box.scrollLeft, box.scrollTop, outer.scrollTop, scrollY]";
    assert_eq!(page.eval(places).await, json!([80, 120, 0, 0]));
}

#[tokio::test]
async fn the_end_is_told() {
    let page = open(PAGE).await;

    text_of(&page, "scroll", json!({ "direction": "bottom" })).await;
    let again = text_of(&page, "scroll", json!({ "direction": "down" })).await;

    assert!(again.starts_with("already at its end"), "{again}");
}

#[tokio::test]
async fn what_snaps_is_told_where_it_snapped() {
    let page = open(PAGE).await;

    let outcome = page.call("scroll", json!({ "selector": "#snap", "amount": 150 })).await.unwrap();

    let shown = page.eval("snap.scrollTop").await;
    assert_eq!(outcome.data["scrollY"].as_f64(), shown.as_f64(), "the page shows {shown}");
}

/// A long list makes its rows as they come into view; scrolling must give it time to.
#[tokio::test]
async fn a_list_that_makes_its_rows_has_made_them_after_scrolling() {
    let page = open(PAGE).await;

    text_of(&page, "scroll", json!({ "selector": "#list", "amount": 4000 })).await;

    let text = page.call("get_text", json!({ "selector": "#row-100" })).await.unwrap();
    assert_eq!(text.data["text"], "Row 100");
}

#[tokio::test]
async fn something_inside_two_scrollers_comes_into_view() {
    let page = open("click.html").await;

    text_of(&page, "scroll_into_view", json!({ "selector": "#inner" })).await;

    let seen = "(() => { const { left, top } = inner.getBoundingClientRect(); return document.elementFromPoint(left + 2, top + 2) === inner })()";
    let seen = seen.replace("inner", "document.getElementById('inner')");
    assert_eq!(page.eval(&seen).await, true);
}

#[tokio::test]
async fn something_in_a_nested_frame_comes_into_view() {
    let page = open("hard/frames.html").await;

    text_of(&page, "scroll_into_view", json!({ "selector": "text=Kit button" })).await;

    assert_ne!(page.eval("scrollY").await, 0, "the page itself had to scroll");
}

#[tokio::test]
async fn a_direction_there_is_not_is_refused() {
    let page = open(PAGE).await;

    let failure = refused(&page, "scroll", json!({ "direction": "sideways" })).await;

    assert_eq!(failure.code, "invalid_params");
    assert!(
        failure.message.starts_with("direction must be one of up, down"),
        "{}",
        failure.message
    );
    assert_eq!(page.eval("scrollY").await, 0);
}
