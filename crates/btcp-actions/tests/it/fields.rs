//! Fields of every kind: what `fill`, `type` and `press` put in is what the page sees.

use btcp_testkit::open;
use serde_json::json;

use crate::refusal::{assert_refused, text_of};

#[tokio::test]
async fn every_kind_of_field_is_filled() {
    let page = open("fill.html").await;

    // The value given, and a script of what the field (`it`) must then show.
    for (selector, value, shown) in [
        ("#name", json!("Ada"), "it.value === 'Ada'"),
        ("#old", json!("new"), "it.value === 'new'"),
        ("#old", json!(""), "it.value === ''"),
        ("#bio", json!("two\nlines"), "it.value === 'two\\nlines'"),
        ("#when", json!("2026-07-28"), "it.value === '2026-07-28'"),
        ("#time", json!("10:30"), "it.value === '10:30'"),
        ("#color", json!("#ff8800"), "it.value === '#ff8800'"),
        ("#range", json!(7), "it.value === '7'"),
        ("#num", json!(12.5), "it.value === '12.5'"),
        ("#email", json!("ada@example.test"), "it.value === 'ada@example.test'"),
        ("#pw", json!("secret"), "it.value === 'secret'"),
        ("#agree", json!(true), "it.checked"),
        ("#agree", json!(true), "it.checked"),
        ("#news", json!("false"), "!it.checked"),
        ("#m", json!(true), "it.checked"),
        ("#city", json!("Oslo"), "it.value === 'osl'"),
        ("#city", json!("par"), "it.value === 'par'"),
        ("#note", json!("a note"), "it.textContent === 'a note'"),
        ("#react", json!("state"), "it.value === 'state' && react.value === 'state'"),
        ("#upper", json!("loud"), "it.value === 'LOUD'"),
    ] {
        let text = text_of(&page, "fill", json!({ "selector": selector, "value": value })).await;

        let script = format!("((it) => {shown})(document.querySelector('{selector}'))");
        assert_eq!(page.eval(&script).await, true, "{selector} {value}: {shown}; it said: {text}");
    }
}

/// Frameworks listen to `input` and `change`; a value without them is lost.
#[tokio::test]
async fn filling_sends_the_events_of_a_person() {
    let page = open("fill.html").await;

    text_of(&page, "fill", json!({ "selector": "#name", "value": "Ada" })).await;
    text_of(&page, "fill", json!({ "selector": "#agree", "value": true })).await;
    text_of(&page, "fill", json!({ "selector": "#when", "value": "2026-07-28" })).await;

    let log = page.log().await;
    assert!(log.contains(&"input name Ada".to_owned()), "{log:?}");
    assert!(log.contains(&"change agree true".to_owned()), "{log:?}");
    assert!(log.iter().any(|line| line.ends_with("change when 2026-07-28")), "{log:?}");
}

/// A password is never repeated: not in the answer, not in a snapshot.
#[tokio::test]
async fn a_password_appears_only_as_a_length() {
    let page = open("fill.html").await;

    for (name, key) in [("fill", "value"), ("type", "text")] {
        let said = text_of(&page, name, json!({ "selector": "#pw", key: "hunter42" })).await;
        assert!(!said.contains("hunter42"), "{said}");
    }
    let tree = text_of(&page, "snapshot", json!({})).await;
    assert!(!tree.contains("hunter42"), "{tree}");
    assert!(
        tree.contains(r#"textbox "Password" e"#) && tree.contains("[password, 16 characters"),
        "{tree}"
    );
}

#[tokio::test]
async fn what_takes_no_text_is_told() {
    let page = open("fill.html").await;

    for (selector, code, sentence) in [
        ("#ro", "not_editable", r#"Element '#ro' is not editable: textbox "Read only""#),
        ("#off", "disabled", r#"Element '#off' is disabled: textbox "Off""#),
        ("#set-off", "disabled", r#"Element '#set-off' is disabled: textbox "Inside""#),
    ] {
        let call = ("fill", json!({ "selector": selector, "value": "x", "timeout": 500 }));
        assert_refused(&page, call, sentence, code, Some("no")).await;
    }
    let failure = page
        .call("fill", json!({ "selector": "#plain", "value": "x", "timeout": 500 }))
        .await
        .unwrap_err();
    assert_eq!(failure.code, "not_editable", "{}", failure.text());
    assert_eq!(page.log().await, Vec::<String>::new());
}

#[tokio::test]
async fn a_value_that_does_not_fit_is_told_with_what_would() {
    let page = open("fill.html").await;

    let call = ("fill", json!({ "selector": "#city", "value": "Berlin", "timeout": 500 }));
    let failure = assert_refused(
        &page,
        call,
        "Element '#city' has no option 'Berlin'",
        "no_such_option",
        Some("no"),
    )
    .await;
    let hint = failure.hint.expect("it lists the options");
    assert!(hint.contains("Oslo") && hint.contains("Paris"), "{hint}");
    for (selector, value) in
        [("#when", "tomorrow"), ("#num", "many"), ("#color", "reddish"), ("#agree", "maybe")]
    {
        let args = json!({ "selector": selector, "value": value, "timeout": 500 });
        let failure = page.call("fill", args).await.unwrap_err();
        assert_eq!(failure.code, "invalid_params", "{}", failure.text());
        assert!(
            failure.message.starts_with(&format!("Value '{value}' does not fit ")),
            "{}",
            failure.message
        );
        assert_eq!(failure.done.map(|done| done.name()), Some("no"));
    }
    assert_eq!(page.log().await, Vec::<String>::new());
}

/// Every key goes down and up as on a keyboard.
#[tokio::test]
async fn typing_sends_real_keys() {
    let page = open("type.html").await;

    text_of(&page, "type", json!({ "selector": "#keys", "text": "aB" })).await;

    let mut log = page.log().await;
    // Whether Shift itself is pressed for a capital is left open.
    log.retain(|line| !line.contains("Shift"));
    assert_eq!(
        log,
        [
            "keydown a KeyA",
            "keypress a",
            "input a",
            "keyup a",
            "keydown B KeyB",
            "keypress B",
            "input B",
            "keyup B",
        ]
    );
}

#[tokio::test]
async fn typing_goes_on_where_the_text_ends_unless_it_is_to_be_cleared() {
    let page = open("type.html").await;

    text_of(&page, "type", json!({ "selector": "#pre", "text": "er" })).await;
    assert_eq!(page.eval("document.getElementById('pre').value").await, "older");
    text_of(&page, "type", json!({ "selector": "#pre", "text": "new", "clear": true })).await;
    assert_eq!(page.eval("document.getElementById('pre').value").await, "new");
    text_of(&page, "type", json!({ "selector": "#area", "text": "one\ntwo" })).await;
    assert_eq!(page.eval("document.getElementById('area').value").await, "one\ntwo");
    text_of(&page, "type", json!({ "selector": "#rich", "text": "héllo ✓ 日本" })).await;
    assert_eq!(page.eval("document.getElementById('rich').textContent").await, "héllo ✓ 日本");
}

/// What stands in the field is what counts, not what was sent.
#[tokio::test]
async fn typing_reads_back_what_the_page_made_of_it() {
    let page = open("type.html").await;

    let said = text_of(&page, "type", json!({ "selector": "#upper", "text": "loud" })).await;
    assert!(said.contains(r#"now "LOUD""#), "{said}");
    let said = text_of(&page, "type", json!({ "selector": "#digits", "text": "1a2b" })).await;
    assert!(said.contains(r#"now "12""#), "{said}");
}

#[tokio::test]
async fn keys_and_shortcuts_do_what_they_do_on_a_keyboard() {
    let page = open("press.html").await;

    text_of(&page, "press", json!({ "key": "Enter", "selector": "#user" })).await;
    text_of(&page, "press", json!({ "key": "Control+K" })).await;
    text_of(&page, "press", json!({ "key": "Tab", "selector": "#first" })).await;
    text_of(&page, "press", json!({ "key": "Shift+Tab" })).await;
    text_of(&page, "press", json!({ "key": "Space", "selector": "#box" })).await;
    text_of(&page, "press", json!({ "key": "ArrowDown", "selector": "#list" })).await;
    text_of(&page, "press", json!({ "key": "Control+a", "selector": "#text" })).await;
    text_of(&page, "press", json!({ "key": "Delete" })).await;
    text_of(&page, "click", json!({ "selector": "#open" })).await;
    text_of(&page, "press", json!({ "key": "Escape" })).await;

    let log = page.log().await;
    for wanted in ["submit", "shortcut", "focus second", "box true", "closed"] {
        assert!(log.contains(&wanted.to_owned()), "{wanted} is missing in {log:?}");
    }
    assert_eq!(log.iter().filter(|line| *line == "focus first").count(), 2, "{log:?}");
    assert_eq!(page.eval("list.value").await, "Two");
    assert_eq!(page.eval("text.value").await, "");
}

#[tokio::test]
async fn a_key_there_is_not_is_told() {
    let page = open("press.html").await;

    for key in ["Entr", "Control+", "Hyper+a", ""] {
        let failure = page.call("press", json!({ "key": key })).await.unwrap_err();
        assert_eq!(failure.code, "invalid_params", "'{key}' said: {}", failure.text());
        assert_eq!(failure.done.map(|done| done.name()), Some("no"));
    }
    assert_eq!(page.eval("keys").await, json!([]));
}
