//! Elements that cannot be clicked (yet): waited for while there is time, then told why.

use std::time::Instant;

use btcp_testkit::open;
use serde_json::json;

use crate::refusal::{assert_refused, ref_of, refused, text_of};

const NOBODY: Vec<String> = Vec::new();

/// A banner over the button must be named, never clicked through.
#[tokio::test]
async fn a_covered_button_is_not_clicked() {
    let page = open("click.html").await;

    let call = ("click", json!({ "selector": "#under", "timeout": 500 }));
    let sentence = r#"Element '#under' is covered by dialog "Cookies""#;
    let failure = assert_refused(&page, call, sentence, "covered", Some("no")).await;

    assert_eq!(failure.hint.as_deref(), Some(r#"Close dialog "Cookies" or scroll, then retry."#));
    assert_eq!(page.log().await, NOBODY);
}

#[tokio::test]
async fn a_button_that_is_covered_for_a_while_is_clicked_when_it_is_free() {
    let page = open("click.html").await;
    page.eval("setTimeout(() => document.querySelector('[role=dialog]').remove(), 300)").await;

    text_of(&page, "click", json!({ "selector": "#under" })).await;

    assert_eq!(page.log().await, ["click under"]);
}

#[tokio::test]
async fn a_half_covered_button_is_clicked_where_it_is_free() {
    let page = open("click.html").await;

    text_of(&page, "click", json!({ "selector": "#peek" })).await;

    assert_eq!(page.log().await, ["click peek"]);
}

#[tokio::test]
async fn a_disabled_button_is_not_clicked() {
    let page = open("click.html").await;

    for (selector, what) in [("#off", r#"button "Off""#), ("#off-link", r#"button "Also off""#)] {
        let call = ("click", json!({ "selector": selector, "timeout": 500 }));
        let sentence = format!("Element '{selector}' is disabled: {what}");
        assert_refused(&page, call, &sentence, "disabled", Some("no")).await;
    }
    assert_eq!(page.log().await, NOBODY);
}

#[tokio::test]
async fn a_button_that_becomes_enabled_is_waited_for() {
    let page = open("click.html").await;
    page.eval("setTimeout(() => { off.disabled = false }, 300)").await;

    text_of(&page, "click", json!({ "selector": "#off" })).await;

    assert_eq!(page.log().await, ["click off"]);
}

#[tokio::test]
async fn a_button_without_size_is_not_visible() {
    let page = open("click.html").await;

    for selector in ["#zero", "#hidden-save"] {
        let call = ("click", json!({ "selector": selector, "timeout": 500 }));
        let sentence = format!("Element '{selector}' is not visible");
        assert_refused(&page, call, &sentence, "not_visible", Some("no")).await;
    }
    assert_eq!(page.log().await, NOBODY);
}

#[tokio::test]
async fn a_button_that_slides_into_place_is_hit() {
    let page = open("click.html").await;

    text_of(&page, "click", json!({ "selector": "#moving" })).await;

    assert_eq!(page.log().await, ["click moving"]);
}

/// Keys reach what lies under a wall, a person does not: nothing is written there.
#[tokio::test]
async fn a_covered_field_is_not_written_into() {
    let page = open("fields/covered.html").await;
    let before = page.eval("kept()").await;
    for (action, selector, given) in [
        ("fill", "#text", json!({ "value": "new" })),
        ("fill", "#area", json!({ "value": "new" })),
        ("fill", "#date", json!({ "value": "2026-02-02" })),
        ("fill", "#rich", json!({ "value": "new" })),
        ("fill", "#city", json!({ "value": "Paris" })),
        ("type", "#text", json!({ "text": "new" })),
        ("clear", "#text", json!({})),
        ("select", "#city", json!({ "value": "Paris" })),
        ("select_all", "#text", json!({})),
        ("focus", "#text", json!({})),
        ("press", "#text", json!({ "key": "x" })),
        ("fill", "iframe >> #inside", json!({ "value": "new" })),
        ("type", "iframe >> #inside", json!({ "text": "new" })),
    ] {
        let mut args = given;
        args["selector"] = json!(selector);
        args["timeout"] = json!("1s");
        let sentence = format!(r#"Element '{selector}' is covered by dialog "Wall""#);
        assert_refused(&page, (action, args), &sentence, "covered", Some("no")).await;
    }
    let inert = json!({ "selector": "#inert", "value": "new", "timeout": "1s" });
    assert_eq!(refused(&page, "fill", inert).await.code, "covered");
    assert_eq!(page.eval("kept()").await, before);
    assert_eq!(page.eval("[log, document.activeElement.localName]").await, json!([[], "body"]));
    // There for keys only: nobody could point at it anyway.
    text_of(&page, "type", json!({ "selector": "#secret", "text": "keys" })).await;
    assert_eq!(page.eval("secret.value").await, "keys");

    // What it waits for may come.
    page.eval("setTimeout(free, 300); 0").await;
    text_of(&page, "fill", json!({ "selector": "#text", "value": "new" })).await;
    for (selector, value) in [("#floating", "label"), ("iframe >> #inside", "framed")] {
        text_of(&page, "fill", json!({ "selector": selector, "value": value })).await;
    }
    assert_eq!(
        page.eval("[text.value, floating.value, frames[0].document.all.inside.value]").await,
        json!(["new", "label", "framed"])
    );
    let inert = json!({ "selector": "#inert", "value": "new", "timeout": "1s" });
    assert_eq!(refused(&page, "fill", inert).await.code, "not_visible");
}

/// Some things never rest; they are pressed where the hit test finds them.
#[tokio::test]
async fn a_button_that_never_rests_is_clicked_where_it_is() {
    let page = open("click.html").await;

    text_of(&page, "click", json!({ "selector": "#restless" })).await;

    assert_eq!(page.log().await, ["click restless"]);
}

/// One that never rests and that no press would hit: told as moving, not clicked beside.
#[tokio::test]
async fn a_button_that_never_rests_and_cannot_be_hit_is_told_as_moving() {
    let page = open("click.html").await;
    page.eval(
        "const veil = document.createElement('div'); veil.style.cssText = 'position:fixed;inset:0;z-index:9999'; \
         document.body.append(veil); 1",
    )
    .await;

    let call = ("click", json!({ "selector": "#restless", "timeout": 900 }));
    assert_refused(&page, call, "Element '#restless' is moving", "moving", Some("no")).await;
    assert_eq!(page.log().await, NOBODY);
}

/// Pressed here, let go there: no click event came of it, and nobody may think so.
#[tokio::test]
async fn a_button_that_slips_away_when_it_is_pressed_got_no_click() {
    let page = open("click.html").await;

    let text = text_of(&page, "click", json!({ "selector": "#slips" })).await;

    assert!(!page.log().await.contains(&"click slips".to_owned()), "the page changed its mind");
    assert!(text.contains("but it got no click: the button was let go over"), "{text}");
}

/// Whatever the moment it is caught in, what is told is what the page saw.
#[tokio::test]
async fn a_button_that_flees_is_told_as_the_page_saw_it() {
    let page = open("click.html").await;
    page.eval(
        "const hare = document.getElementById('send'); hare.style.cssText = 'position:fixed;top:300px'; \
         let at = 0; (function run() { hare.style.left = `${(at += 170) % 900}px`; requestAnimationFrame(run) })(); 1",
    )
    .await;

    for _ in 0..4 {
        page.eval("log.length = 0").await;
        let answer = page.call("click", json!({ "selector": "#send", "timeout": 1500 })).await;
        let clicked = page.log().await.contains(&"click send".to_owned());
        match answer {
            Err(failure) => {
                assert_eq!((failure.code, clicked), ("moving", false), "{}", failure.text());
            }
            Ok(outcome) => {
                let text = outcome.text.for_model();
                let missed = text.contains("got no click") || text.contains("the event went to");
                assert_eq!(missed, !clicked, "it said: {text}");
            }
        }
    }
}

#[tokio::test]
async fn a_button_that_comes_later_is_waited_for() {
    let page = open("click.html").await;

    text_of(&page, "click", json!({ "selector": "#late" })).await;

    assert_eq!(page.log().await, ["click late"]);
}

#[tokio::test]
async fn a_button_below_the_fold_is_scrolled_to() {
    let page = open("click.html").await;

    text_of(&page, "click", json!({ "selector": "#below" })).await;
    text_of(&page, "click", json!({ "selector": "#inner" })).await;

    assert_eq!(page.log().await, ["click below", "click inner"]);
}

/// It was found, it was waited for, and then the page took it away.
#[tokio::test]
async fn a_button_detached_half_way_is_a_stale_ref() {
    let page = open("click.html").await;
    let off = ref_of(&page, r#"button "Off""#).await;
    page.eval("setTimeout(() => off.remove(), 300)").await;

    let start = Instant::now();
    let call = ("click", json!({ "selector": off, "timeout": "14s" }));
    let sentence = format!(r#"Ref '{off}' is stale: button "Off" is no longer on the page"#);
    assert_refused(&page, call, &sentence, "stale_ref", Some("no")).await;

    assert!(
        start.elapsed().as_secs() < 10,
        "it waited {:?} for what cannot return",
        start.elapsed()
    );
    assert_eq!(page.log().await, NOBODY);
}

/// A selector may match again, so it is waited for to the end.
#[tokio::test]
async fn a_button_that_is_replaced_half_way_is_found_again_by_its_selector() {
    let page = open("click.html").await;
    page.eval(
        "setTimeout(() => { off.remove(); setTimeout(() => document.body.prepend(Object.assign(document.createElement('button'), { id: 'off', textContent: 'On' })), 200) }, 200)",
    )
    .await;

    text_of(&page, "click", json!({ "selector": "#off" })).await;

    assert_eq!(page.log().await, ["click off"]);
}

/// It goes away under the pointer: nobody may be told that it was clicked.
#[tokio::test]
async fn a_button_that_goes_away_under_the_pointer_is_not_reported_as_clicked() {
    let page = open("click.html").await;

    let answer = page.call("click", json!({ "selector": "#gone-on-hover", "timeout": 3000 })).await;

    assert!(!page.log().await.contains(&"click gone-on-hover".to_owned()));
    match answer {
        Err(failure) => {
            assert!(matches!(failure.code, "not_found" | "stale_ref"), "{}", failure.text())
        }
        Ok(outcome) => {
            let text = outcome.text.for_model();
            assert!(text.contains("the event went to"), "it said: {text}");
        }
    }
}

#[tokio::test]
async fn several_css_matches_mean_the_first_visible_one_and_it_says_so() {
    let page = open("click.html").await;

    let text = text_of(&page, "click", json!({ "selector": ".save" })).await;

    assert_eq!(page.log().await, ["click save-1"]);
    assert!(text.contains("3 matches"), "{text}");
}

#[tokio::test]
async fn a_hidden_check_box_is_clicked_through_its_label() {
    let page = open("click.html").await;

    let text = text_of(&page, "click", json!({ "selector": "#tick" })).await;

    assert!(page.log().await.contains(&"tick true".to_owned()), "{:?}", page.log().await);
    assert!(text.contains("through"), "{text}");
}

#[tokio::test]
async fn buttons_counts_modifiers_and_positions_reach_the_page() {
    let page = open("click.html").await;

    text_of(&page, "click", json!({ "selector": "#menu", "button": "right" })).await;
    text_of(&page, "click", json!({ "selector": "#middle", "button": "middle" })).await;
    text_of(&page, "click", json!({ "selector": "#box", "position": { "x": 20, "y": 7 } })).await;
    text_of(&page, "click", json!({ "selector": "#keys", "modifiers": ["Control", "Shift"] }))
        .await;
    text_of(&page, "click", json!({ "selector": "#twice", "clickCount": 2 })).await;

    let log = page.log().await;
    for wanted in [
        "contextmenu menu",
        "auxclick middle 1",
        "at box 20,7",
        "modifiers keys Control+Shift",
        "dblclick twice",
    ] {
        assert!(log.contains(&wanted.to_owned()), "{wanted} is missing in {log:?}");
    }
    assert_eq!(log.iter().filter(|line| *line == "click twice").count(), 2, "{log:?}");
}

#[tokio::test]
async fn nobody_clicks_no_times_or_nine_times() {
    let page = open("click.html").await;

    for count in [0, 4, 9] {
        let call = ("click", json!({ "selector": "#twice", "clickCount": count }));
        let sentence = format!("clickCount must be 1 to 3, not {count}");
        assert_refused(&page, call, &sentence, "invalid_params", Some("no")).await;
    }
    assert_eq!(page.log().await, NOBODY);
}

#[tokio::test]
async fn a_position_outside_the_element_is_refused() {
    let page = open("click.html").await;

    let args = json!({ "selector": "#box", "position": { "x": 5000, "y": 7 }, "timeout": 500 });
    let sentence = "Element '#box' is outside the viewport and cannot be scrolled into it";
    assert_refused(&page, ("click", args), sentence, "outside_viewport", Some("no")).await;

    assert_eq!(page.log().await, NOBODY);
}
