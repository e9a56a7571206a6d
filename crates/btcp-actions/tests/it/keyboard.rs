//! Keys that are held, and text that no key makes.

use btcp_testkit::open;
use serde_json::json;

use crate::refusal::{refused, text_of};

/// A held key is held for everything that comes after, as on a keyboard.
#[tokio::test]
async fn a_key_stays_down_until_it_is_let_go() {
    let page = open("keydown.html").await;

    text_of(&page, "keydown", json!({ "key": "Shift" })).await;
    text_of(&page, "click", json!({ "selector": "#button" })).await;
    text_of(&page, "keydown", json!({ "key": "Shift" })).await;
    text_of(&page, "press", json!({ "key": "ArrowDown" })).await;
    text_of(&page, "keyup", json!({ "key": "Shift" })).await;
    text_of(&page, "click", json!({ "selector": "#button" })).await;

    assert_eq!(
        page.log().await,
        [
            "keydown Shift true",
            "click shift",
            "keydown Shift true again",
            "keydown ArrowDown true",
            "keyup ArrowDown true",
            "keyup Shift false",
            "click ",
        ]
    );
    // A chord of `press` lets go of its own keys only.
    text_of(&page, "keydown", json!({ "key": "Shift" })).await;
    text_of(&page, "press", json!({ "key": "Shift+a" })).await;
    text_of(&page, "click", json!({ "selector": "#button" })).await;
    text_of(&page, "keyup", json!({ "key": "Shift" })).await;
    assert!(page.log().await.contains(&"click shift".to_owned()));
}

/// The keys of a US keyboard that make a character: plain, with Shift, code.
const KEYS: &[(&str, &str, &[&str])] = &[
    (
        "`1234567890-=",
        "~!@#$%^&*()_+",
        &[
            "Backquote",
            "Digit1",
            "Digit2",
            "Digit3",
            "Digit4",
            "Digit5",
            "Digit6",
            "Digit7",
            "Digit8",
            "Digit9",
            "Digit0",
            "Minus",
            "Equal",
        ],
    ),
    (
        "[]\\;',./",
        "{}|:\"<>?",
        &[
            "BracketLeft",
            "BracketRight",
            "Backslash",
            "Semicolon",
            "Quote",
            "Comma",
            "Period",
            "Slash",
        ],
    ),
];

fn code_of(c: char) -> String {
    let at = |row: &str| row.chars().position(|key| key == c);
    match c {
        ' ' => "Space".to_owned(),
        c if c.is_ascii_alphabetic() => format!("Key{}", c.to_ascii_uppercase()),
        c => {
            let mut rows = KEYS.iter();
            let found = rows.find_map(|(plain, shifted, codes)| {
                at(plain).or_else(|| at(shifted)).map(|place| codes[place])
            });
            found.unwrap_or_else(|| panic!("no key makes {c}")).to_owned()
        }
    }
}

/// A key goes down, makes its character and comes up before the next one: for each that a keyboard has.
#[tokio::test]
async fn every_printable_character_is_typed_by_its_key() {
    let page = open("type.html").await;
    let all: String = (' '..='~').collect();
    assert_eq!(all.len(), 95);

    text_of(&page, "type", json!({ "selector": "#keys", "text": all })).await;

    let wanted: Vec<String> = all
        .chars()
        .flat_map(|c| {
            let code = code_of(c);
            [
                format!("keydown {c} {code}"),
                format!("keypress {c}"),
                format!("input {c}"),
                format!("keyup {c}"),
            ]
        })
        .collect();
    assert_eq!(page.log().await, wanted);
    assert_eq!(page.eval("at('keys').value").await, all);
}

/// Every character arrives whole, whatever it is made of.
#[tokio::test]
async fn what_no_key_makes_is_typed_as_text_one_character_at_a_time() {
    let page = open("type.html").await;
    page.eval("addEventListener('input', (event) => { if (event.target.id === 'area') log.push(event.data) }); 1").await;

    let text = "é ñ ¡ß 👩‍👩‍👧 👍🏽 🇳🇴 日本語 한국 e\u{301} ü";
    text_of(&page, "type", json!({ "selector": "#area", "text": text })).await;

    assert_eq!(page.eval("area.value").await, text);
    let typed: Vec<String> = page.log().await;
    for whole in ["👩‍👩‍👧", "👍🏽", "🇳🇴", "日", "e\u{301}", "é"] {
        assert!(typed.contains(&whole.to_owned()), "{whole} did not arrive whole: {typed:?}");
    }
}

#[tokio::test]
async fn a_delay_is_kept_between_keys() {
    let page = open("type.html").await;

    text_of(&page, "type", json!({ "selector": "#slow", "text": "abcé1", "delay": 60 })).await;

    assert_eq!(page.eval("slow.value").await, "abcé1");
    let gaps = page.eval("gaps").await;
    let gaps: Vec<f64> = gaps.as_array().unwrap().iter().filter_map(|gap| gap.as_f64()).collect();
    // `é` is no key, so one gap is two delays.
    assert_eq!(gaps.len(), 3, "{gaps:?}");
    assert!(gaps.iter().all(|gap| *gap >= 50.0), "{gaps:?}");

    let args = json!({ "selector": "#slow", "text": "x".repeat(1000), "delay": 60_000 });
    let failure = refused(&page, "type", args).await;
    assert_eq!(failure.code, "invalid_params", "{}", failure.text());
    assert_eq!(page.eval("slow.value").await, "abcé1");
}

/// Where the caret goes by itself, the text goes on there: as for a person.
#[tokio::test]
async fn line_breaks_and_moving_focus_are_a_persons() {
    let page = open("type.html").await;

    text_of(&page, "type", json!({ "selector": "#area", "text": "one\r\ntwo\nthree" })).await;
    assert_eq!(page.eval("area.value").await, "one\ntwo\nthree");
    text_of(&page, "type", json!({ "selector": "#jump", "text": "12345" })).await;
    assert_eq!(page.eval("[jump.value, at('name').value]").await, json!(["12", "345"]));
    text_of(&page, "type", json!({ "selector": "#num", "text": "-12.5e1" })).await;
    assert_eq!(page.eval("num.valueAsNumber").await, -125);
}

#[tokio::test]
async fn focusing_and_selecting_do_what_they_say() {
    let page = open("focus.html").await;
    let said = text_of(&page, "focus", json!({ "selector": "#plain" })).await;
    assert!(said.contains("(it does not take the focus)"), "{said}");
    text_of(&page, "focus", json!({ "selector": "text=Name" })).await;
    text_of(&page, "insert_text", json!({ "text": "Ada" })).await;
    assert_eq!(page.eval("document.getElementById('name').value").await, "Ada");

    let page = open("select_all.html").await;
    text_of(&page, "select_all", json!({ "selector": "#note" })).await;
    text_of(&page, "press", json!({ "key": "Delete" })).await;
    assert_eq!(page.eval("note.textContent").await, "");

    let page = open("hard/frames.html").await;
    text_of(&page, "fill", json!({ "selector": "label=Kit field", "value": "old" })).await;
    text_of(&page, "select_all", json!({ "selector": "label=Kit field" })).await;
    text_of(&page, "press", json!({ "key": "x" })).await;
    let state = page.call("get_text", json!({ "selector": "testid=kit-state" })).await.unwrap();
    assert!(state.data["text"].as_str().unwrap().contains("value x,"), "{}", state.data);
}
