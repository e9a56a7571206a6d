//! Real frameworks (`web/frameworks`): a field holds what its framework holds, so what counts is
//! whether that has heard of the new value.

use btcp_testkit::open;
use serde_json::{Value, json};

use crate::refusal::text_of;

/// Each kind of field, what is given, and what the framework must hold then.
fn values() -> Vec<(&'static str, Value, Value)> {
    vec![
        ("name", json!("Ada"), json!("ADA")),
        ("email", json!("ada@example.test"), json!("ada@example.test")),
        ("bio", json!("two\nlines"), json!("two\nlines")),
        ("count", json!(12.5), json!("12.5")),
        ("agree", json!(true), json!(true)),
        ("city", json!("par"), json!("par")),
        ("date", json!("2026-01-31"), json!("2026-01-31")),
        ("time", json!("14:30"), json!("14:30")),
        ("month", json!("2026-02"), json!("2026-02")),
        ("week", json!("2026-W05"), json!("2026-W05")),
        ("moment", json!("2026-01-31T14:30"), json!("2026-01-31T14:30")),
        ("color", json!("#3366ff"), json!("#3366ff")),
        ("range", json!(70), json!("70")),
    ]
}

/// Frameworks may keep numbers as numbers.
fn is_same(held: &Value, wanted: &Value) -> bool {
    let wanted_number = wanted.as_str().and_then(|text| text.parse::<f64>().ok());
    held == wanted || (held.is_number() && held.as_f64() == wanted_number)
}

/// A person's input is heard by every framework; so must ours be, for fields of every kind.
#[tokio::test(flavor = "multi_thread")]
async fn controlled_fields_of_every_framework_take_what_is_filled_in() {
    for framework in ["react", "vue", "angular"] {
        let page = open(&format!("frameworks/{framework}.html")).await;
        text_of(&page, "wait", json!({ "selector": "#range" })).await;

        for (name, value, wanted) in values() {
            let args = json!({ "selector": format!("#{name}"), "value": value });
            let said = text_of(&page, "fill", args).await;
            page.until(&format!("state().{name} !== undefined")).await;
            let held = page.eval(&format!("state().{name}")).await;
            assert!(is_same(&held, &wanted), "{framework} {name} holds {held}; {said}");
            // What is read back is what the field shows once the framework has rendered.
            let shown = wanted.as_str().map_or_else(|| wanted.to_string(), str::to_owned);
            let quoted = shown.replace('\n', " ");
            assert!(said.contains(&format!(r#"now "{quoted}""#)), "{framework} {name}: {said}");
        }
        // Empty again, and typed into: the framework follows each key.
        text_of(&page, "clear", json!({ "selector": "#email" })).await;
        text_of(&page, "type", json!({ "selector": "#name", "text": " lovelace é" })).await;
        text_of(&page, "uncheck", json!({ "selector": "#agree" })).await;
        text_of(&page, "select", json!({ "selector": "#city", "value": "osl" })).await;
        let held = page.eval("[state().email, state().name, state().agree, state().city]").await;
        assert_eq!(held, json!(["", "ADA LOVELACE É", false, "osl"]), "{framework}");
    }
}

/// A whole form in one call, in each framework.
#[tokio::test(flavor = "multi_thread")]
async fn a_form_of_every_framework_is_filled_at_once() {
    for framework in ["react", "vue", "angular"] {
        let page = open(&format!("frameworks/{framework}.html")).await;
        text_of(&page, "wait", json!({ "selector": "#range" })).await;

        let fields: Vec<Value> = values()
            .iter()
            .map(|(name, value, _)| json!({ "selector": format!("#{name}"), "value": value }))
            .collect();
        let said = text_of(&page, "fill_form", json!({ "fields": fields })).await;

        let held = page.eval("state()").await;
        for (name, _, wanted) in values() {
            assert!(is_same(&held[name], &wanted), "{framework} {name}: {held}\n{said}");
        }
    }
}

/// Rich-text editors keep a model of their own and undo what only the DOM shows.
#[tokio::test(flavor = "multi_thread")]
async fn rich_text_editors_take_text_into_their_model() {
    let page = open("frameworks/editors.html").await;

    for (editor, label) in [("prosemirror", "ProseMirror"), ("lexical", "Lexical")] {
        let selector = format!(r#"role=textbox[name="{label}"]"#);
        let held = format!("state().{editor}");
        for text in ["Hello, Ada", "In its place: 日本 👍🏽"] {
            let args = json!({ "selector": selector, "value": text });
            let said = text_of(&page, "fill", args).await;
            page.until(&format!("{held} === {}", json!(text))).await;
            assert!(said.contains(&format!("now \"{text}\"")), "{editor}: {said}");
        }
        let args = json!({ "selector": selector, "text": "!\nNext" });
        text_of(&page, "type", args).await;
        page.until(&format!("/^In its place: 日本 👍🏽!\\n+Next$/.test({held})")).await;
        text_of(&page, "clear", json!({ "selector": selector })).await;
        page.until(&format!("{held}.trim() === ''")).await;
    }
}
