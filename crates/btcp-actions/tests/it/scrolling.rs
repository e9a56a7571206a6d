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

/// By so many pixels in any direction, also back.
#[tokio::test]
async fn a_box_is_scrolled_sideways_and_back() {
    let page = open(PAGE).await;

    for (args, left) in [
        (json!({ "selector": "#box", "x": 90 }), 90),
        (json!({ "selector": "#box", "direction": "left", "amount": 30 }), 60),
        (json!({ "selector": "#box", "x": -20, "y": 10 }), 40),
    ] {
        let outcome = page.call("scroll", args.clone()).await.unwrap();
        assert_eq!(outcome.data["scrollX"].as_f64(), Some(f64::from(left)), "{args}");
        assert_eq!(page.eval("box.scrollLeft").await, left, "{args}");
    }
    assert_eq!(page.eval("box.scrollTop").await, 10);
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

    assert_eq!(page.eval("snap.scrollTop").await, 200);
    assert_eq!(outcome.data["scrollY"].as_f64(), Some(200.0));
}

/// A long list makes its rows as they come into view; scrolling must give it time to.
#[tokio::test]
async fn a_list_that_makes_its_rows_has_made_them_after_scrolling() {
    let page = open(PAGE).await;

    text_of(&page, "scroll", json!({ "selector": "#list", "amount": 4000 })).await;

    // Looked at at once: whoever waits for the row would hide that it was not there yet.
    let row = "document.getElementById('row-100')?.textContent ?? 'not made'";
    assert_eq!(page.eval(row).await, "Row 100");
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
    let found = page.call("get_by_text", json!({ "text": "Kit button" })).await.unwrap();
    let place = page.call("bounding_box", json!({ "selector": found.data["ref"] })).await.unwrap();
    let side = |name: &str| place.data[name].as_f64().unwrap_or(f64::NAN);
    let (top, bottom) = (side("y"), side("y") + side("height"));
    assert!(top >= 0.0 && bottom <= 720.0, "it is at {top} to {bottom} of 720");
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

const SHELL: &str = "hard/inside/shell.html";

/// Many pages fill the window and scroll inside it: "scroll down" means what a person would scroll.
#[tokio::test]
async fn a_page_that_fills_the_window_is_scrolled_inside() {
    let page = open(SHELL).await;

    let outcome = page.call("scroll", json!({ "direction": "down" })).await.unwrap();
    assert_eq!(outcome.data["scrollY"].as_f64(), Some(500.0));
    assert_eq!(page.eval("places()").await, json!([500, 0, 0, 0]));
    text_of(&page, "scroll", json!({ "selector": "#side", "amount": 20 })).await;
    assert_eq!(page.eval("places()").await, json!([500, 20, 0, 0]));
    // Only what scrolls sideways can: not the list around it.
    text_of(&page, "scroll", json!({ "selector": "#strip", "direction": "right", "amount": 250 }))
        .await;
    // Down from there goes to what scrolls that way.
    text_of(&page, "scroll", json!({ "selector": "#strip", "direction": "top" })).await;
    assert_eq!(page.eval("places()").await, json!([500, 0, 250, 0]));
    let said = text_of(&page, "scroll", json!({ "direction": "bottom" })).await;
    assert!(said.ends_with("at the bottom"), "{said}");
}

/// What is scrolled to must not end up under a bar that stays.
#[tokio::test]
async fn sticky_bars_do_not_hide_what_is_scrolled_to_and_clicked() {
    let page = open(SHELL).await;

    for n in [40, 2, 99, 0, 57] {
        let selector = format!("#target-{n}");
        text_of(&page, "scroll_into_view", json!({ "selector": selector })).await;
        // Before the click, which would scroll by itself.
        let middle = format!(
            "const box = document.querySelector('{selector}').getBoundingClientRect()
             document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2)?.id"
        );
        let on_top = page.eval(&middle).await;
        assert_eq!(on_top, format!("target-{n}"));
        text_of(&page, "click", json!({ "selector": selector })).await;
    }

    let wanted = ["target-40", "target-2", "target-99", "target-0", "target-57"];
    assert_eq!(page.log().await, wanted.map(|id| format!("click {id}")));
}
