//! The clipboard: a session's own, whatever way its pages copy.

use btcp_testkit::{TestPage, open, server};
use serde_json::{Value, json};

async fn held(page: &TestPage) -> Value {
    let read = page.call("clipboard", json!({ "do": "read" })).await;
    read.expect("it can be read").data["text"].clone()
}

async fn press(page: &TestPage, key: &str, on: &str) {
    page.call("press", json!({ "key": key, "selector": on })).await.expect("keys are pressed");
}

#[tokio::test]
async fn whatever_a_page_copies_is_the_sessions() {
    let page = open("clipboard.html").await;
    assert_eq!(held(&page).await, "");

    for (button, text) in [("#copy", "SAVE-20"), ("#rich", "plain"), ("#old", "SAVE-20")] {
        page.call("clipboard", json!({ "do": "write", "text": "before" })).await.unwrap();
        page.call("click", json!({ "selector": button })).await.unwrap();
        assert_eq!(held(&page).await, text, "{button}");
    }
    assert_eq!(
        page.eval("log.filter((line) => typeof line === 'string' && !line.includes(' '))").await,
        json!(["copied", "copied"])
    );
    for (field, text) in [("#own", "replaced"), ("#stopped", "stopped"), ("#field", "typed")] {
        if field == "#field" {
            page.call("fill", json!({ "selector": field, "value": text })).await.unwrap();
        }
        press(&page, "Control+a", field).await;
        press(&page, "Control+c", field).await;
        assert_eq!(held(&page).await, text, "{field}");
    }
    press(&page, "Control+x", "#field").await;
    assert_eq!(page.eval("field.value").await, "");
    assert_eq!(held(&page).await, "typed");

    // What Chrome does not copy, nobody has.
    press(&page, "Control+a", "#secret").await;
    press(&page, "Control+c", "#secret").await;
    assert_eq!(held(&page).await, "typed");
}

#[tokio::test]
async fn what_is_pasted_is_the_sessions_own() {
    let (page, other) = (open("clipboard.html").await, open("clipboard.html").await);
    page.call("clipboard", json!({ "do": "write", "text": "mine" })).await.unwrap();
    other.call("click", json!({ "selector": "#rich" })).await.unwrap();
    // A page copies in its own time.
    let copied = json!({ "expression": "log.includes('copied')" });
    other.call("wait_for_function", copied).await.unwrap();

    press(&page, "Control+v", "#field").await;
    press(&other, "Control+v", "#field").await;
    press(&other, "Control+v", "#editor").await;

    assert_eq!(page.eval("field.value").await, "mine");
    assert_eq!(
        other.eval("[field.value, editor.innerHTML]").await,
        json!(["plain", "<i>rich</i>"])
    );
    // The page hears of its own pastes only, and what it reads by script is nobody's.
    assert_eq!(page.eval("log").await, json!(["paste field"]));
    let empty = open("clipboard.html").await;
    press(&empty, "Control+v", "#field").await;
    assert_eq!(empty.eval("field.value").await, "");
    let given = empty.call("emulate", json!({ "permissions": ["clipboard-read"] })).await;
    let refused = given.unwrap_err();
    assert_eq!(refused.code, "invalid_params");
    assert!(refused.text().contains("one clipboard for all sessions"), "{}", refused.text());
}

#[tokio::test]
async fn sessions_that_paste_at_once_do_not_get_each_others_text() {
    let paste = async |number: u32| {
        let page = open("clipboard.html").await;
        for round in 0..3 {
            let text = format!("{number} in round {round}");
            page.call("clipboard", json!({ "do": "write", "text": text })).await.unwrap();
            page.call("clear", json!({ "selector": "#field" })).await.unwrap();
            press(&page, "Control+v", "#field").await;
            assert_eq!(page.eval("field.value").await, text);
        }
    };
    tokio::join!(paste(1), paste(2), paste(3), paste(4));
}

/// Chrome has one clipboard for all sessions, and a page may copy as fast as it likes once somebody clicked.
#[tokio::test]
async fn a_page_that_copies_all_the_time_gets_nothing_into_other_sessions() {
    let (page, other) = (open("clipboard.html").await, open("clipboard.html").await);
    page.call("clipboard", json!({ "do": "write", "text": "mine" })).await.unwrap();
    for round in 1..=20 {
        if round % 5 == 1 {
            other.call("click", json!({ "selector": "#storm" })).await.unwrap();
        }
        press(&page, "Control+v", "#field").await;
        assert_eq!(page.eval("field.value").await, "mine".repeat(round));
    }
    let copied = other.eval("storms").await;
    assert!(copied.as_u64().is_some_and(|copied| copied > 20), "it copied {copied} times");
    // Nor into what handlers are told.
    assert_eq!(page.eval("pasted").await, json!(vec!["mine"; 20]));
}

/// Handlers hear of a paste, may refuse it, and get what was copied as it was.
#[tokio::test]
async fn a_page_hears_of_a_paste_and_may_take_it_over() {
    let page = open("clipboard.html").await;
    page.call("clipboard", json!({ "do": "write", "text": "two\nlines" })).await.unwrap();

    press(&page, "Control+v", "#field").await;
    press(&page, "Control+z", "#field").await;
    assert_eq!(page.eval("field.value").await, "");
    press(&page, "Control+v", "#field").await;
    press(&page, "Control+v", "#editor").await;
    press(&page, "Control+v", "#keyless").await;
    press(&page, "Control+v", "#handled").await;

    let values = "[field.value, editor.innerText, keyless.value, handled.value]";
    assert_eq!(page.eval(values).await, json!(["two lines", "two\nlines", "", "TWO\nLINES"]));
    let inputs =
        json!(["insertFromPaste two\nlines", "historyUndo null", "insertFromPaste two\nlines"]);
    assert_eq!(page.eval("inputs").await, inputs);
}

/// A frame of another site that is in an endless loop answers nothing.
#[tokio::test]
async fn a_frame_that_hangs_keeps_nobody_from_pasting() {
    let page = open("clipboard.html").await;
    let frame = format!("{}/engine/loop.html", server().other_origin());
    let load = "(src) => new Promise((done) => document.body.append(Object.assign(
        document.createElement('iframe'), { id: 'hung', src, onload: done })))";
    page.eval(&format!("({load})('{frame}').then(() => 1)")).await;
    page.call("click", json!({ "selector": "#hung >> #loop", "timeout": 1000 }))
        .await
        .expect_err("it loops");

    page.call("clipboard", json!({ "do": "write", "text": "free" })).await.unwrap();
    page.call("press", json!({ "key": "Control+v", "selector": "#field" })).await.unwrap();

    assert_eq!(held(&page).await, "free");
    assert_eq!(page.eval("field.value").await, "free");
}

#[tokio::test]
async fn keys_that_are_held_paste_too() {
    let page = open("clipboard.html").await;
    page.call("clipboard", json!({ "do": "write", "text": "held" })).await.unwrap();
    page.call("focus", json!({ "selector": "#field" })).await.unwrap();

    page.call("keydown", json!({ "key": "Control" })).await.unwrap();
    page.call("keydown", json!({ "key": "v" })).await.unwrap();
    page.call("keyup", json!({ "key": "v" })).await.unwrap();
    page.call("keyup", json!({ "key": "Control" })).await.unwrap();

    assert_eq!(page.eval("field.value").await, "held");
}
