//! Pictures: of what is larger than the window, behind dialogs, of phones, with marks, in every format.

use base64::Engine as _;
use btcp_testkit::{TestPage, open, server};
use serde_json::{Value, json};

use crate::refusal::{text_of, until_tabs};

async fn shot(page: &TestPage, args: Value) -> Value {
    match page.call("screenshot", args.clone()).await {
        Ok(outcome) => outcome.data,
        Err(failure) => panic!("{args}: {}", failure.text()),
    }
}

/// Width and height of a picture, and its colours at these points, by Chrome's own decoder.
async fn look(picture: &Value, points: &[(u32, u32)]) -> (Value, Vec<String>) {
    let page = open("describe.html").await;
    let script = format!(
        "const blob = await (await fetch('data:image/{};base64,{}')).blob();
         const bitmap = await createImageBitmap(blob);
         const pen = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
         pen.drawImage(bitmap, 0, 0);
         const at = ([x, y]) => Array.from(pen.getImageData(x, y, 1, 1).data.slice(0, 3)).join();
         [[bitmap.width, bitmap.height], {}.map(at)]",
        picture["format"].as_str().unwrap_or_default(),
        picture["image"].as_str().unwrap_or_default(),
        json!(points),
    );
    let seen = page.eval(&script).await;
    let colours = seen[1].as_array().expect("colours").iter();
    let colours = colours.map(|colour| colour.as_str().unwrap_or_default().to_owned()).collect();
    (seen[0].clone(), colours)
}

const RED: &str = "255,0,0";
const LIME: &str = "0,255,0";
const BLUE: &str = "0,0,255";
const YELLOW: &str = "255,255,0";

/// The colours of marks.
const MARKS: [&str; 6] =
    ["194,24,91", "21,101,192", "46,125,50", "106,27,154", "191,54,12", "0,105,92"];

/// 40,000 pixels are more than Chrome paints at once; the picture shows all of them.
#[tokio::test]
async fn a_page_of_any_height_is_on_one_picture() {
    let page = open("pictures/bands.html").await;

    let picture = shot(&page, json!({ "fullPage": true })).await;

    assert_eq!(picture["height"], 1568);
    let width = picture["width"].as_u64().unwrap_or_default() as u32;
    let (size, colours) =
        look(&picture, &[(width / 2, 10), (width / 2, 700), (width / 2, 1556)]).await;
    assert_eq!(size, json!([picture["width"], 1568]));
    assert_eq!(colours, [RED, LIME, BLUE]);
}

/// The element, all of it, and nothing else.
#[tokio::test]
async fn an_element_larger_than_the_window_is_whole() {
    let page = open("pictures/large.html").await;

    let picture = shot(&page, json!({ "selector": "#large" })).await;

    assert_eq!(picture["width"], 1517, "1.15 megapixels at most");
    let (size, colours) = look(&picture, &[(2, 2), (700, 400), (800, 400), (1513, 754)]).await;
    assert_eq!(size, json!([picture["width"], picture["height"]]));
    assert_eq!(colours, [RED, RED, BLUE, BLUE]);
    assert_eq!(page.eval("[innerWidth, innerHeight]").await, json!([1280, 720]));
}

/// A large window is made smaller, and what is scrolled to is what is seen.
#[tokio::test]
async fn a_scaled_picture_shows_the_part_that_is_scrolled_to() {
    let page = open("pictures/bands.html").await;
    text_of(&page, "resize", json!({ "width": 2000, "height": 1000 })).await;
    page.eval("scrollTo(0, 39000)").await;

    let picture = shot(&page, json!({})).await;

    let (width, height) = (picture["width"].as_u64(), picture["height"].as_u64());
    assert_eq!((width, height), (Some(1517), Some(758)));
    let (size, colours) = look(&picture, &[(700, 20), (700, 740)]).await;
    assert_eq!(size, json!([1517, 758]));
    assert_eq!(colours, [BLUE, BLUE]);
}

/// A phone's picture has the page's pixels, not the screen's three for each.
#[tokio::test]
async fn a_picture_of_a_phone_has_css_pixels() {
    let page = open("pictures/marked.html").await;
    text_of(&page, "emulate", json!({ "device": "Pixel 7" })).await;
    text_of(&page, "navigate", json!({ "url": server().url("emulate.html") })).await;

    let picture = shot(&page, json!({})).await;

    let (size, _) = look(&picture, &[]).await;
    assert_eq!(size, json!([412, 839]));
    assert_eq!((picture["width"].as_u64(), picture["height"].as_u64()), (Some(412), Some(839)));
}

/// Numbers are on the picture, in frames too, and never in the page.
#[tokio::test]
async fn refs_are_drawn_on_the_picture_and_not_in_the_page() {
    let page = open("pictures/marked.html").await;

    page.eval("changes = 0").await;

    let plain = shot(&page, json!({})).await;
    let marked = shot(&page, json!({ "annotate": true })).await;

    // The corners of both buttons, and a point of the first that no mark reaches.
    let corners = [(100, 51), (420, 81), (280, 100)];
    let (size, colours) = look(&marked, &corners).await;
    assert_eq!(size, json!([1280, 720]));
    assert!(MARKS.contains(&colours[0].as_str()), "the button: {colours:?}");
    assert!(MARKS.contains(&colours[1].as_str()), "the one in the frame: {colours:?}");
    assert_eq!(look(&plain, &corners).await.1, [YELLOW; 3]);
    assert_eq!(colours[2], YELLOW, "a mark covers no more than a corner");
    // A number stands in each, white on its colour.
    for (left, top) in [(100, 50), (420, 80)] {
        let label: Vec<_> = (0..12 * 12).map(|n| (left + n % 12, top + n / 12)).collect();
        let (_, colours) = look(&marked, &label).await;
        let bright = |colour: &&String| {
            colour.split(',').all(|part| part.parse::<u32>().is_ok_and(|part| part > 200))
        };
        let lit = colours.iter().filter(bright).count();
        assert!((3..70).contains(&lit), "{lit} of 144 pixels are white at {left}, {top}");
    }
    assert_eq!(page.eval("changes").await, 0);
    let tree = text_of(&page, "snapshot", json!({})).await;
    assert!(tree.contains("button \"First\" e1"), "the refs are the snapshot's: {tree}");

    let far = shot(&page, json!({ "fullPage": true, "annotate": true, "format": "jpeg" })).await;
    assert_eq!((far["format"].as_str(), far["height"].as_u64()), (Some("jpeg"), Some(1568)));
    // On a picture that is scaled the mark is where the button is: 100, 5000 of 5060.
    let far = shot(&page, json!({ "fullPage": true, "annotate": true })).await;
    let (_, colours) = look(&far, &[(33, 1561), (33, 1530)]).await;
    assert!(MARKS.contains(&colours[0].as_str()), "the one far below: {colours:?}");
    assert_eq!(colours[1], "255,255,255", "above it there is nothing");
}

/// A highlight is Chrome's, over the page: it is on pictures until it is taken away.
#[tokio::test]
async fn a_highlight_is_seen_until_it_is_taken_away() {
    let page = open("screenshot.html").await;
    let colours = async || look(&shot(&page, json!({})).await, &[(50, 50), (150, 50)]).await.1;
    assert_eq!(colours().await, [RED, LIME]);

    text_of(&page, "highlight", json!({ "selector": "#red" })).await;
    let marked = colours().await;
    assert_ne!(marked[0], RED, "the mark does not show");
    assert_eq!(marked[1], LIME, "only what was asked for is marked");
    text_of(&page, "highlight", json!({ "selector": "#green" })).await;
    let marked = colours().await;
    assert_eq!(marked[0], RED, "one mark at a time");
    assert_ne!(marked[1], LIME);

    text_of(&page, "highlight", json!({})).await;
    assert_eq!(colours().await, [RED, LIME]);
}

/// Chrome keeps a page with a dialog from being captured; its picture is had all the same.
#[tokio::test]
async fn a_page_behind_a_dialog_is_pictured() {
    let page = open("pictures/asking.html").await;
    text_of(&page, "click", json!({ "selector": "button" })).await;

    for format in ["png", "jpeg", "webp"] {
        let picture = shot(&page, json!({ "format": format })).await;
        let (size, colours) = look(&picture, &[(600, 500)]).await;
        assert_eq!(size, json!([1280, 720]), "{format}");
        let near: Vec<u32> = colours[0].split(',').filter_map(|part| part.parse().ok()).collect();
        assert!(near[0] < 10 && near[1] > 245 && near[2] < 10, "{format}: {colours:?}");
    }
    let whole = page.call("screenshot", json!({ "fullPage": true })).await;
    assert_eq!(whole.expect_err("the page cannot be asked").code, "dialog_open");
    text_of(&page, "dialog", json!({ "response": "accept" })).await;
    shot(&page, json!({ "fullPage": true })).await;
}

/// A format is what was asked for, and its quality shows in its size.
#[tokio::test]
async fn formats_and_quality_are_what_was_asked_for() {
    let page = open("click.html").await;
    let mut sizes = Vec::new();
    for (format, quality, magic) in [
        ("png", None, &b"\x89PNG"[..]),
        ("jpeg", Some(90), b"\xff\xd8\xff"),
        ("jpeg", Some(5), b"\xff\xd8\xff"),
        ("webp", Some(90), b"RIFF"),
        ("webp", Some(5), b"RIFF"),
    ] {
        let picture = shot(&page, json!({ "format": format, "quality": quality })).await;
        let image = picture["image"].as_str().unwrap_or_default();
        let bytes = base64::engine::general_purpose::STANDARD.decode(image).expect("base64");
        assert!(bytes.starts_with(magic), "{format}: {:?}", &bytes[..8]);
        let path = picture["path"].as_str().unwrap_or_default().to_owned();
        assert!(path.ends_with(&format!(".{format}")), "{path}");
        assert_eq!(std::fs::read(&path).expect("it is there"), bytes);
        sizes.push(bytes.len());
    }
    assert!(sizes[1] > sizes[2] && sizes[3] > sizes[4], "{sizes:?}");
}

/// A tab that lies behind the one it opened is brought to the front for its picture.
#[tokio::test]
async fn a_tab_in_the_background_is_pictured() {
    let page = open("pictures/asking.html").await;
    page.eval("window.open('bands.html'); 1").await;
    until_tabs(&page, 2).await;

    for (tab, colour) in [(1, LIME), (2, RED), (1, LIME)] {
        let picture = shot(&page, json!({ "tabId": tab })).await;
        assert_eq!(look(&picture, &[(600, 500)]).await.1, [colour], "tab {tab}");
    }
}
