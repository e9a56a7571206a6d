//! What was typed into a password field comes back as a length, by whatever way the page gives it back.

use btcp_testkit::{TestPage, open};
use serde_json::{Value, json};

const PASSWORD: &str = "hunter-42!x";
const LENGTH: &str = "[password, 11 characters]";

/// The ways in which a password gets into a field.
fn typings() -> Vec<(&'static str, Value)> {
    let field = "#pw";
    vec![
        ("fill", json!({ "selector": field, "value": PASSWORD })),
        ("type", json!({ "selector": field, "text": PASSWORD })),
        ("fill_form", json!({ "fields": [{ "selector": field, "value": PASSWORD }] })),
        ("batch", json!({ "steps": [{ "action": "fill", "selector": field, "value": PASSWORD }] })),
        ("get_by_label", json!({ "label": "Word", "subaction": "fill", "value": PASSWORD })),
    ]
}

/// The ways in which a page may give it back, and whether what is told there is all of a value.
fn asked() -> Vec<(&'static str, Value)> {
    vec![
        ("evaluate", json!({ "script": "pw.value" })),
        ("evaluate", json!({ "script": "({ [pw.value]: [pw.value] })" })),
        ("evaluate", json!({ "script": "throw new Error(pw.value)" })),
        ("get_text", json!({ "selector": "#mirror" })),
        ("input_value", json!({ "selector": "#plain" })),
        ("console", json!({})),
        ("storage_get", json!({ "key": "kept" })),
        ("storage_get", json!({ "type": "session" })),
        ("title", json!({})),
        ("snapshot", json!({})),
        ("find", json!({ "query": "You typed" })),
        ("click", json!({ "selector": "#shout" })),
        ("batch", json!({ "steps": [{ "action": "get_text", "selector": "#mirror" }] })),
    ]
}

#[tokio::test]
async fn a_password_comes_back_by_no_way_but_as_a_length() {
    for (name, args) in typings() {
        let page = open("boundary/passwords.html").await;
        let said = returned(&page, name, args).await;
        assert!(!said.contains(PASSWORD), "{name} said {said}");
        assert_eq!(page.eval("give()").await, 11, "{name} typed something else");
        for (way, args) in asked() {
            let said = returned(&page, way, args.clone()).await;
            let about = format!("after {name}, {way} {args} said {said}");
            assert!(!said.contains(PASSWORD), "{about}");
            assert!(said.contains(LENGTH), "{about}");
        }
        let url = returned(&page, "url", json!({})).await;
        assert!(!url.contains("hunter"), "{url}");
    }
}

/// Who may read secrets reads it everywhere; so each of the ways really gives it back.
#[tokio::test]
async fn a_caller_who_may_read_secrets_reads_passwords() {
    let page = open("boundary/passwords.html").await;
    page.call("fill", json!({ "selector": "#pw", "value": PASSWORD })).await.expect("a field");
    page.eval("give()").await;

    for (way, args) in asked() {
        let said = match page.call_revealing(way, args.clone()).await {
            Ok(outcome) => format!("{} {}", outcome.text.for_model(), outcome.data),
            Err(failure) => failure.text(),
        };
        assert!(said.contains(PASSWORD), "{way} {args} said {said}");
    }
}

/// Typed in two calls, or as text into the field that was clicked: what it adds up to is the password.
#[tokio::test]
async fn a_password_typed_in_parts_is_one() {
    let page = open("boundary/passwords.html").await;
    page.call("click", json!({ "selector": "#pw" })).await.expect("a field");
    page.call("insert_text", json!({ "text": "hun" })).await.expect("it has the focus");
    page.call("type", json!({ "selector": "#pw", "text": "ter-42!x" })).await.expect("a field");
    assert_eq!(page.eval("pw.value.length").await, 11);

    let said = returned(&page, "evaluate", json!({ "script": "pw.value" })).await;

    assert!(said.contains(LENGTH) && !said.contains("ter-42"), "{said}");
}

/// What is typed elsewhere is told as it is, and so are words that stand on pages anyway.
#[tokio::test]
async fn what_is_no_password_or_a_mere_word_is_told() {
    let page = open("boundary/passwords.html").await;
    page.call("fill", json!({ "selector": "#user", "value": "ada-1815" })).await.expect("a field");
    page.call("fill", json!({ "selector": "#pw", "value": "admin" })).await.expect("a field");

    let said = returned(&page, "evaluate", json!({ "script": "`${user.value} /admin`" })).await;

    assert!(said.contains("ada-1815 /admin"), "{said}");
}

/// A file may be given to others.
#[tokio::test]
async fn a_saved_state_holds_no_password() {
    let page = open("boundary/passwords.html").await;
    page.call("fill", json!({ "selector": "#pw", "value": PASSWORD })).await.expect("a field");
    page.eval("give()").await;

    let masked = saved(&page, false).await;
    let whole = saved(&page, true).await;

    assert!(!masked.contains(PASSWORD) && masked.contains(LENGTH), "{masked}");
    assert!(whole.contains(PASSWORD), "{whole}");
}

async fn saved(page: &TestPage, reveals: bool) -> String {
    let args = json!({ "path": "state.json" });
    let saved = match reveals {
        true => page.call_revealing("state_save", args).await,
        false => page.call("state_save", args).await,
    };
    let saved = saved.expect("it is saved");
    let path = saved.data["path"].as_str().expect("it says where").to_owned();
    std::fs::read_to_string(path).expect("it is there")
}

/// All that a model and a program get.
async fn returned(page: &TestPage, name: &str, args: Value) -> String {
    match page.call(name, args).await {
        Ok(outcome) => format!("{} {}", outcome.text.for_model(), outcome.data),
        Err(failure) => format!("{} {:?}", failure.text(), failure.data),
    }
}
