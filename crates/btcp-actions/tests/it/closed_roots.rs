//! Closed shadow roots: no script sees them, a person does, and so does an agent.

use btcp_testkit::open;
use serde_json::json;

use crate::complete::{assert_has, assert_lacks, lines};
use crate::refusal::{ref_of, refused, text_of};

#[tokio::test]
async fn closed_shadow_roots_are_read_like_open_ones() {
    let page = open("complete/closed.html").await;

    let lines = lines(&page, json!({})).await;

    assert_has(
        &lines,
        &[
            r#""Closed words""#,
            r#"button "Closed button""#,
            r#"textbox "Closed field""#,
            r#"checkbox "Closed box""#,
            r#"combobox "Closed choice" = "One" [options: One, Two]"#,
            r#"link "Closed link" /closed"#,
            r#"button "Deepest button""#,
            r#"heading "Custom heading" [h2]"#,
            r#"button "Custom button""#,
            r#"button "Instead button""#,
            r#"button "Span button""#,
            r#"button "Declared button""#,
            r#"button "Under open""#,
            r#"button "Slotting button""#,
            r#""Quoted words""#,
            r#"link "Source link" /source"#,
            r#""Chat words""#,
            r#"link "Chat link" /chat"#,
        ],
    );
    assert_lacks(&lines, &["Never drawn"]);
    let at = |text: &str| lines.iter().position(|line| line.contains(text));
    assert!(at("Custom heading") < at("Slotted words"), "{lines:?}");
    assert!(at("Slotted button") < at("Custom button"), "{lines:?}");
}

#[tokio::test]
async fn what_is_in_a_closed_root_can_be_clicked_and_filled_by_its_ref() {
    let page = open("complete/closed.html").await;

    for (what, heard) in [
        (r#"button "Closed button""#, "click Closed button"),
        (r#"button "Deepest button""#, "click deepest"),
        (r#"button "Custom button""#, "click Custom button"),
        (r#"button "Instead button""#, "click Instead button"),
        (r#"button "Under open""#, "click under open"),
        (r#"checkbox "Closed box""#, "change true"),
    ] {
        let target = ref_of(&page, what).await;
        let text = text_of(&page, "click", json!({ "selector": target })).await;
        assert!(text.starts_with(&format!("clicked {what} {target}")), "{text}");
        assert_eq!(page.log().await.last().map(String::as_str), Some(heard));
    }
    let field = ref_of(&page, r#"textbox "Closed field""#).await;
    text_of(&page, "fill", json!({ "selector": field, "value": "filled" })).await;
    text_of(&page, "type", json!({ "selector": field, "text": " and typed" })).await;
    let choice = ref_of(&page, r#"combobox "Closed choice""#).await;
    text_of(&page, "select", json!({ "selector": choice, "value": "Two" })).await;

    let lines = lines(&page, json!({})).await;
    assert_has(
        &lines,
        &[
            r#"textbox "Closed field" = "filled and typed""#,
            r#"checkbox "Closed box" [checked]"#,
            r#"combobox "Closed choice" = "Two" [options: One, Two, focused]"#,
        ],
    );
    assert_eq!(page.log().await.last().map(String::as_str), Some("change Two"));
}

/// What was found once is there for every kind of target.
#[tokio::test]
async fn what_is_in_a_closed_root_is_found_by_its_words_after_a_snapshot() {
    let page = open("complete/closed.html").await;
    text_of(&page, "snapshot", json!({})).await;

    text_of(&page, "click", json!({ "selector": "text=Span button" })).await;
    text_of(
        &page,
        "click",
        json!({ "selector": "#custom >> role=button[name=\"Slotted button\"]" }),
    )
    .await;

    assert_eq!(page.log().await, ["click Span button"]);
}

#[tokio::test]
async fn a_part_in_a_closed_root_can_be_asked_for() {
    let page = open("complete/closed.html").await;

    let host = lines(&page, json!({ "selector": "#quoting" })).await;
    assert_eq!(host, ["blockquote", r#""Quoted words""#, r#"link "Source link" /source"#]);
    let field = ref_of(&page, r#"textbox "Closed field""#).await;
    let inside = lines(&page, json!({ "selector": field })).await;
    assert_eq!(inside, [r#"textbox "Closed field""#]);
}

/// A root may come long after its element was first seen without one.
#[tokio::test]
async fn a_closed_root_that_comes_later_is_read_too() {
    let page = open("complete/closed.html").await;
    text_of(&page, "snapshot", json!({})).await;

    page.eval("closed('spacer', '<p>Late words</p><button>Late button</button>').host.style.height = 'auto'; 1")
        .await;

    assert_has(&lines(&page, json!({})).await, &[r#""Late words""#, r#"button "Late button""#]);
}

/// Its host shows all it holds, so nothing on the page hints at it; and there are many like it.
#[tokio::test]
async fn a_closed_root_is_found_among_hundreds_of_elements_that_look_like_its_host() {
    for (others, rows) in [("div", 700), ("p", 20)] {
        let page = open("complete/closed.html").await;
        page.eval(&format!(
            "for (let i = 0; i < {rows}; i += 1) document.body.insertAdjacentHTML('beforeend', `<{others}><b>Row</b> ${{i}}</{others}>`); 1"
        ))
        .await;

        let lines = lines(&page, json!({ "maxChars": 200_000 })).await;

        assert_has(&lines, &[r#"button "Slotting button""#, r#"link "Source link" /source"#]);
    }
}

/// Slots that anybody can see explain nothing: the ones that are hidden are on top of them.
#[tokio::test]
async fn a_closed_root_is_found_beside_open_ones_with_slots() {
    let page = open("complete/closed.html").await;
    page.eval(
        "for (let i = 0; i < 200; i += 1) {
           const host = document.createElement('div')
           host.innerHTML = '<i>Slotted</i>'
           host.attachShadow({ mode: 'open' }).innerHTML = '<slot></slot><slot name=more></slot>'
           document.body.append(host)
         } 1",
    )
    .await;

    let lines = lines(&page, json!({ "maxChars": 200_000 })).await;

    assert_has(&lines, &[r#"button "Slotting button""#, r#"link "Source link" /source"#]);
}

/// The slots of a frame in the page's own process are counted with the page's.
#[tokio::test]
async fn a_closed_root_with_slots_is_found_in_a_frame_of_the_same_process() {
    let page = open("complete/everywhere.html").await;
    page.eval(
        "new Promise((done) => {
           const frame = document.createElement('iframe')
           frame.src = 'closed.html'
           frame.onload = () => done(1)
           document.body.append(frame)
         })",
    )
    .await;

    let lines = lines(&page, json!({ "maxChars": 200_000 })).await;

    assert_has(&lines, &[r#"button "Slotting button""#, r#"link "Source link" /source"#]);
}

/// Something over a closed root must be named, something in it must not be taken for a cover.
#[tokio::test]
async fn a_covered_button_in_a_closed_root_is_not_clicked() {
    let page = open("complete/closed.html").await;
    let target = ref_of(&page, r#"button "Closed button""#).await;
    page.eval("document.body.insertAdjacentHTML('beforeend', '<div role=dialog aria-label=Wall style=\"position:fixed;inset:0;background:white\">Wall</div>'); 1").await;

    let failure = refused(&page, "click", json!({ "selector": target, "timeout": 1000 })).await;

    assert_eq!(failure.code, "covered", "{}", failure.text());
    assert!(page.log().await.is_empty());
}

#[tokio::test]
async fn a_modal_in_a_closed_root_covers_the_page() {
    let page = open("complete/closed.html").await;
    page.eval("const root = closed('spacer', '<dialog aria-label=Ask><button>Yes</button></dialog>'); root.host.style.height = 0; root.querySelector('dialog').showModal(); 1").await;

    let lines = lines(&page, json!({})).await;

    assert_has(&lines, &[r#"dialog "Ask" [modal]"#, r#"button "Yes" [focused]"#]);
    assert_lacks(&lines, &["Closed button"]);
}
