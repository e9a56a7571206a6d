//! What reading actions tell of a page: all of it, and no password.

use btcp_testkit::open;
use serde_json::json;

use crate::refusal::text_of;

/// A password is in no answer, wherever a page has it: in markup, as an attribute that a framework
/// wrote, in a template, in a field that was turned into text.
#[tokio::test]
async fn no_reading_action_tells_a_password() {
    let page = open("script/reading.html").await;
    page.eval("reveal()").await;

    for (name, args) in [
        ("content", json!({})),
        ("content", json!({ "selector": "#form" })),
        ("content", json!({ "selector": "#static" })),
        ("inner_html", json!({ "selector": "#form" })),
        ("get_page_content", json!({ "type": "html" })),
        ("input_value", json!({ "selector": "#static" })),
        ("input_value", json!({ "selector": "#shown" })),
        ("get_attribute", json!({ "selector": "#static", "attribute": "value" })),
        ("get_attribute", json!({ "selector": "#shown", "attribute": "VALUE" })),
    ] {
        let outcome = page.call(name, args.clone()).await.expect("it can be read");
        let (text, data) = (outcome.text.plain(), outcome.data.to_string());
        for said in [text, data] {
            assert!(!said.contains("opensesame") && !said.contains("123"), "{name} {args}: {said}");
        }
    }

    let html = page.call("inner_html", json!({ "selector": "#form" })).await.expect("it is there");
    let html = html.data["html"].as_str().unwrap_or_default().to_owned();
    assert!(html.contains(r#"value="[10 characters]" title=" value=" data-x="1">"#), "{html}");
    assert!(html.contains(r#"autocomplete="cc-csc" value="[5 characters]""#), "{html}");
    assert!(html.contains(r#"value="harmless""#), "{html}");
    assert_eq!(html.matches("[10 characters]").count(), 3, "{html}");
}

/// Whoever may read secrets gets them.
#[tokio::test]
async fn a_caller_who_may_read_secrets_reads_values() {
    let page = open("script/reading.html").await;
    page.eval("document.cookie = 'taste=sweet'; 1").await;

    let value = page.call_revealing("input_value", json!({ "selector": "#static" })).await;
    let cookies = page.call_revealing("cookies_get", json!({})).await;

    assert_eq!(value.expect("a field").data["value"], "opensesame");
    assert_eq!(cookies.expect("cookies").data["cookies"][0]["value"], "sweet");
    let hidden = text_of(&page, "cookies_get", json!({})).await;
    assert_eq!(hidden, r#""taste" [5 characters] "127.0.0.1" "/script""#);
}

/// Links of shadow roots too, resolved, and whatever a page calls its elements.
#[tokio::test]
async fn links_and_text_are_found_on_a_page_that_shadows_its_own_properties() {
    let page = open("script/reading.html").await;

    let links = page.call("get_page_content", json!({ "type": "links" })).await.expect("links");
    let html = page.call("content", json!({})).await.expect("markup");
    let text = page.call("get_page_content", json!({ "type": "text" })).await.expect("text");

    let url = page.url().to_owned();
    let all = links.data["content"].as_array().expect("a list").clone();
    let at = |name: &str| all.iter().find(|link| link["text"] == name).expect(name)["href"].clone();
    assert_eq!(at("Relative"), format!("{url}?x=1"));
    assert_eq!(at("Named"), "https://a.test/");
    assert_eq!(at("Broken"), "http://[");
    assert!(at("In the root").as_str().is_some_and(|href| href.ends_with("/in")));
    assert!(html.data["html"].as_str().is_some_and(|h| h.starts_with("<!DOCTYPE html><html>")));
    assert!(text.data["content"].as_str().is_some_and(|t| t.contains("Relative")));
}

/// A long answer is told in parts; the next part costs nothing, and all of it is in a file.
#[tokio::test]
async fn a_long_answer_is_read_on_without_running_again() {
    let page = open("evaluate.html").await;
    let script = "globalThis.runs = (globalThis.runs ?? 0) + 1; 'ä'.repeat(40000) + 'end'";
    let args = |offset: usize| json!({ "script": script, "offset": offset });

    let first = text_of(&page, "evaluate", args(0)).await;
    let second = text_of(&page, "evaluate", args(16384)).await;
    let third = text_of(&page, "evaluate", args(32768)).await;

    let (body, note) = first.split_once('\n').expect("a note of the rest");
    assert_eq!(body.chars().count(), 16384);
    assert!(note.starts_with("… 23621 more characters, offset: 16384 for more; all of it is in "));
    let path = note.rsplit(' ').next().unwrap_or_default();
    let all = std::fs::read_to_string(path).expect("the file is there");
    assert_eq!(all.chars().count(), 40005);
    assert!(second.contains("offset: 32768 for more"), "{}", &second[second.len() - 300..]);
    assert!(third.ends_with("end\"") && third.chars().count() == 40005 - 32768, "{third}");
    assert_eq!(page.eval("runs").await, 1);

    let other = page.call("evaluate", json!({ "script": "1", "offset": 5 })).await;
    assert_eq!(other.expect_err("another call").code, "invalid_params");
    let whole = page.call("evaluate", json!({ "script": script, "maxChars": 100_000 })).await;
    assert_eq!(whole.expect("it fits").text.plain().chars().count(), 40005);
}
