//! Dragging: drag and drop with its data, sliders, sorted lists, and what takes nothing.

use btcp_testkit::open;
use serde_json::json;

use crate::refusal::{refused, text_of};

#[tokio::test]
async fn what_is_dropped_brings_its_data() {
    let page = open("drag.html").await;

    let said = text_of(&page, "drag", json!({ "source": "#card", "target": "#box" })).await;

    let log = page.log().await;
    assert_eq!(log, ["dragstart true", "drop card", r#"data {"id":7}"#, "dragend move"], "{said}");
    assert!(said.contains("dragged ") && said.contains(r#" onto region "Box" e"#), "{said}");
    assert!(said.contains(": the page changed"), "{said}");
}

/// Nothing happens where nothing takes it, and that is told.
#[tokio::test]
async fn what_is_not_taken_is_told() {
    let page = open("drag.html").await;

    let said = text_of(&page, "drag", json!({ "source": "#card", "target": "#wall" })).await;

    assert_eq!(page.log().await, ["dragstart true", "dragend none"], "{said}");
    assert!(said.contains("(nothing there took it)"), "{said}");
    // The next gesture begins with an empty hand.
    text_of(&page, "drag", json!({ "source": "#card", "target": "#box" })).await;
    assert!(page.log().await.contains(&"drop card".to_owned()));
}

#[tokio::test]
async fn sliders_and_sorted_lists_follow_the_pointer() {
    let page = open("drag.html").await;

    text_of(&page, "drag", json!({ "source": "#handle", "target": "#mark" })).await;
    let value = page.eval("slider.value").await.as_f64().unwrap();
    assert!((79.0..=81.0).contains(&value), "the slider is at {value}");
    assert!(page.eval("slider.moves").await.as_u64().unwrap() >= 5);

    text_of(&page, "drag", json!({ "source": "#a", "target": "#c" })).await;
    page.until("order('list') === 'BCAD'").await;
    text_of(&page, "drag", json!({ "source": "#d", "target": "#b" })).await;
    page.until("order('list') === 'DBCA'").await;

    text_of(&page, "drag", json!({ "source": "#n1", "target": "#n3" })).await;
    page.until("order('native') === 'N2N3N1'").await;
}

/// Frames, scrolling, and what slid under the mouse meanwhile.
#[tokio::test]
async fn a_drag_reaches_what_is_far_away_or_in_a_frame() {
    let page = open("hard/inside/drags.html").await;

    text_of(&page, "drag", json!({ "source": "text=Far card", "target": "#low" })).await;
    page.until("log.includes('low Far card')").await;
    text_of(&page, "drag", json!({ "source": "text=Inner card", "target": "text=Inner box" }))
        .await;
    page.until("log.includes('inner Inner card')").await;
    text_of(&page, "drag", json!({ "source": "text=Shadow card", "target": "#top" })).await;
    page.until("log.includes('top Shadow card')").await;
}

#[tokio::test]
async fn nothing_is_picked_up_that_has_nowhere_to_go() {
    let page = open("drag.html").await;

    let args = json!({ "source": "#card", "target": "#missing", "timeout": 300 });
    let failure = refused(&page, "drag", args).await;

    assert_eq!(failure.code, "not_found", "{}", failure.text());
    assert_eq!(failure.done.map(|done| done.name()), Some("no"));
    assert_eq!(page.log().await, Vec::<String>::new());
}
