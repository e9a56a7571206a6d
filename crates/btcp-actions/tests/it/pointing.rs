//! The mouse by pixels: of the window, and of pictures of any scale.

use btcp_testkit::{open, server};
use serde_json::{Value, json};

use crate::refusal::{refused, text_of};

/// Where the page saw the last click, as it counts from its own corner.
async fn clicked(page: &btcp_testkit::TestPage) -> (f64, f64) {
    let log = page.log().await;
    let place = log.iter().rev().find_map(|line| {
        let (x, y) = line.strip_prefix("click ")?.split(' ').next()?.split_once(',')?;
        Some((x.parse().ok()?, y.parse().ok()?))
    });
    place.unwrap_or_else(|| panic!("no click in {log:?}"))
}

async fn shot(page: &btcp_testkit::TestPage, args: Value) -> (f64, f64) {
    let taken = page.call("screenshot", args).await.unwrap_or_else(|e| panic!("{}", e.text()));
    let side = |name: &str| taken.data[name].as_f64().unwrap_or_default();
    (side("width"), side("height"))
}

/// What an agent points at in a picture is what it hits, however small the picture is.
#[tokio::test]
async fn a_pixel_of_the_last_picture_is_hit_at_any_scale() {
    let page = open("mouse.html").await;

    // The window, not scaled.
    shot(&page, json!({})).await;
    text_of(&page, "mouse", json!({ "kind": "click", "x": 640, "y": 360 })).await;
    assert_eq!(clicked(&page).await, (640.0, 360.0));

    // The whole page, scaled down, at a place far below the window.
    let (wide, high) = shot(&page, json!({ "fullPage": true })).await;
    assert!(high < 3000.0, "the picture is {wide}x{high}");
    let (x, y) = ((wide * 0.5).round(), (high * 0.8).round());
    let said = text_of(&page, "mouse", json!({ "kind": "click", "x": x, "y": y })).await;
    let (cx, cy) = clicked(&page).await;
    assert!((cx - x * 1280.0 / wide).abs() <= 2.0, "{cx} for {x} of {wide}; {said}");
    assert!((cy - y * 3000.0 / high).abs() <= 2.0, "{cy} for {y} of {high}; {said}");
    assert!(said.contains(r#"on canvas "Drawing" e"#), "{said}");

    // The window again, where it is scrolled to now.
    let top = page.eval("scrollY").await.as_f64().unwrap();
    assert!(top > 0.0, "the page was scrolled to what was clicked");
    shot(&page, json!({})).await;
    text_of(&page, "mouse", json!({ "kind": "click", "x": 100, "y": 50 })).await;
    assert_eq!(clicked(&page).await, (100.0, 50.0 + top));
}

/// An element's picture begins at the element.
#[tokio::test]
async fn a_pixel_of_an_elements_picture_counts_from_its_corner() {
    let page = open("drag.html").await;

    shot(&page, json!({ "selector": "#track" })).await;
    for args in [
        json!({ "kind": "down", "x": 40, "y": 10 }),
        json!({ "kind": "move", "x": 120, "y": 10 }),
        json!({ "kind": "move", "x": 200, "y": 10 }),
        json!({ "kind": "up", "x": 200, "y": 10 }),
    ] {
        text_of(&page, "mouse", args).await;
    }

    assert_eq!(page.eval("slider.value").await, 50);
    text_of(&page, "mouse", json!({ "kind": "move", "x": 300, "y": 10 })).await;
    assert_eq!(page.eval("slider.value").await, 50, "the button is up again");
}

/// A window that is larger than its picture.
#[tokio::test]
async fn a_pixel_of_a_scaled_window_is_hit() {
    let page = open("mouse.html").await;
    text_of(&page, "resize", json!({ "width": 2000, "height": 1000 })).await;
    page.eval("scrollTo(0, 500)").await;

    let (wide, high) = shot(&page, json!({})).await;
    assert_eq!((wide, high), (1517.0, 758.0));
    text_of(&page, "mouse", json!({ "kind": "click", "x": 600, "y": 300 })).await;
    let (x, y) = clicked(&page).await;
    assert!((x - 600.0 * 2000.0 / wide).abs() <= 2.0, "{x}");
    assert!((y - (500.0 + 300.0 * 1000.0 / high)).abs() <= 2.0, "{y}");
}

/// An element that is larger than its picture, and than the window.
#[tokio::test]
async fn a_pixel_of_a_scaled_elements_picture_is_hit() {
    let page = open("mouse.html").await;

    let (wide, high) = shot(&page, json!({ "selector": "#canvas" })).await;
    assert!(high < 3000.0, "the picture is {wide}x{high}");
    let (x, y) = ((wide * 0.25).round(), (high * 0.6).round());
    text_of(&page, "mouse", json!({ "kind": "click", "x": x, "y": y })).await;
    let (cx, cy) = clicked(&page).await;
    assert!((cx - x * 1280.0 / wide).abs() <= 2.0, "{cx} for {x} of {wide}");
    assert!((cy - y * 3000.0 / high).abs() <= 2.0, "{cy} for {y} of {high}");
}

/// A phone has several of its own pixels for each of the page's, and lays out wide pages smaller.
#[tokio::test]
async fn a_pixel_of_a_phones_picture_is_hit() {
    for (path, layout) in [("mouse-fits.html", 412.0), ("mouse-wide.html", 1000.0)] {
        let page = open("click.html").await;
        text_of(&page, "emulate", json!({ "device": "Pixel 7" })).await;
        let url = server().url(&format!("pictures/{path}"));
        text_of(&page, "navigate", json!({ "url": url })).await;
        let laid_out = page.eval("innerWidth").await.as_f64().unwrap();
        assert!((laid_out - layout).abs() <= 2.0, "{path} is laid out {laid_out} wide");

        let (wide, high) = shot(&page, json!({})).await;
        let inner = page.eval("innerHeight").await.as_f64().unwrap();
        text_of(&page, "mouse", json!({ "kind": "click", "x": 200, "y": 300 })).await;
        let (x, y) = clicked(&page).await;
        assert!((x - 200.0 * layout / wide).abs() <= 3.0, "{path}: {x} of {layout}, {wide}x{high}");
        assert!((y - 300.0 * inner / high).abs() <= 3.0, "{path}: {y} of {inner}, {wide}x{high}");
    }
}

#[tokio::test]
async fn the_wheel_scrolls_and_frames_are_reached() {
    let page = open("mouse.html").await;
    let args = json!({ "kind": "wheel", "x": 300, "y": 300, "deltaY": 400 });
    text_of(&page, "mouse", args).await;
    page.until("scrollY === 400").await;
    page.eval("document.body.style.width = '3000px'; 1").await;
    let args = json!({ "kind": "wheel", "x": 300, "y": 300, "deltaX": 200 });
    text_of(&page, "mouse", args).await;
    page.until("scrollX === 200 && scrollY === 400").await;

    let page = open("hard/inside/drags.html").await;
    let target = json!({ "selector": "text=Inner box" });
    text_of(&page, "scroll_into_view", target).await;
    let place = page.eval("(() => { const { left, top } = document.querySelector('iframe').getBoundingClientRect(); return [left, top] })()").await;
    let (left, top) = (place[0].as_f64().unwrap(), place[1].as_f64().unwrap());
    let args = json!({ "kind": "click", "x": (left + 60.0).round(), "y": (top + 60.0).round() });
    let said = text_of(&page, "mouse", args).await;
    assert!(said.contains("Inner box"), "{said}");
}

#[tokio::test]
async fn a_pixel_outside_the_picture_is_refused() {
    let page = open("mouse.html").await;

    for (args, says) in [
        (json!({ "kind": "click", "x": 1281, "y": 10 }), "1281, 10 is outside the window"),
        (json!({ "kind": "click", "x": -1, "y": 10 }), "x and y must not be negative"),
        (
            json!({ "kind": "click", "x": 1, "y": 1, "deltaY": 5 }),
            "deltaX and deltaY are for wheel",
        ),
        (json!({ "kind": "wheel", "x": 1, "y": 1 }), "deltaX and deltaY are for wheel"),
    ] {
        let failure = refused(&page, "mouse", args).await;
        assert_eq!(failure.code, "invalid_params", "{}", failure.text());
        assert!(failure.message.starts_with(says), "{}", failure.text());
        assert_eq!(failure.done.map(|done| done.name()), Some("no"));
    }
    assert_eq!(page.log().await, Vec::<String>::new());
}
