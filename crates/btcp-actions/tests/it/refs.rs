//! Refs: the same element keeps its number, and a number never means another element.

use btcp_testkit::open;
use serde_json::json;

use crate::refusal::{assert_refused, ref_of, refused, text_of};

#[tokio::test]
async fn another_snapshot_keeps_the_refs() {
    let page = open("click.html").await;

    let first = ref_of(&page, r#"button "Send""#).await;
    page.eval("document.body.prepend(Object.assign(document.createElement('button'), { textContent: 'New' })); 1").await;
    let second = ref_of(&page, r#"button "Send""#).await;
    let new = ref_of(&page, r#"button "New""#).await;

    assert_eq!(first, second);
    let number = |of: &str| of[1..].parse::<u32>().unwrap();
    assert!(number(&new) > number(&first), "{new} was given after {first}");
}

#[tokio::test]
async fn a_ref_works_in_every_spelling() {
    let page = open("click.html").await;
    let send = ref_of(&page, r#"button "Send""#).await;
    let number = &send[1..];

    for written in
        [send.clone(), format!("@ref:{number}"), format!("@{number}"), format!("ref={number}")]
    {
        text_of(&page, "click", json!({ "selector": written })).await;
    }

    assert_eq!(page.log().await, ["click send"; 4]);
}

/// The element moved, so did its ref with it.
#[tokio::test]
async fn a_ref_follows_its_element_wherever_the_page_puts_it() {
    let page = open("click.html").await;
    let send = ref_of(&page, r#"button "Send""#).await;

    page.eval("document.body.append(document.getElementById('send')); 1").await;
    text_of(&page, "click", json!({ "selector": send })).await;

    assert_eq!(page.log().await, ["click send"]);
}

/// The one mistake that costs an agent most: acting on a different element under the same name.
#[tokio::test]
async fn a_ref_is_never_rebound_to_a_look_alike() {
    let page = open("click.html").await;
    let send = ref_of(&page, r#"button "Send""#).await;
    page.eval("const twin = send.cloneNode(true); send.replaceWith(twin); 1").await;

    let call = ("click", json!({ "selector": send, "timeout": 1000 }));
    let sentence = format!(r#"Ref '{send}' is stale: button "Send" is no longer on the page"#);
    let failure = assert_refused(&page, call, &sentence, "stale_ref", Some("no")).await;

    assert_eq!(page.log().await, Vec::<String>::new());
    let hint = failure.hint.expect("it says what looks like it now");
    assert!(hint.starts_with("Now there is button \"Send\" e"), "{hint}");
    let now = hint.trim_end_matches('.').rsplit(' ').next().unwrap();
    assert_ne!(now, send);
    text_of(&page, "click", json!({ "selector": now })).await;
    assert_eq!(page.log().await, ["click send"]);
}

#[tokio::test]
async fn refs_of_a_page_that_was_left_are_stale() {
    let page = open("click.html").await;
    let send = ref_of(&page, r#"button "Send""#).await;
    text_of(&page, "reload", json!({})).await;

    let failure = refused(&page, "click", json!({ "selector": send, "timeout": 1000 })).await;

    assert_eq!(failure.code, "stale_ref", "{}", failure.text());
    assert!(failure.message.contains(r#"button "Send""#), "{}", failure.message);
    let again = ref_of(&page, r#"button "Send""#).await;
    assert_ne!(again, send, "a number was used again");
    assert_eq!(page.log().await, Vec::<String>::new());
}

#[tokio::test]
async fn reading_by_a_stale_ref_is_refused_too() {
    let page = open("get_text.html").await;
    let field = ref_of(&page, r#"textbox "Field""#).await;
    page.eval("document.getElementById('field').remove()").await;

    let failure = refused(&page, "get_text", json!({ "selector": field, "timeout": 1000 })).await;

    assert_eq!(failure.code, "stale_ref", "{}", failure.text());
}

/// An element that left and came back is the same element.
#[tokio::test]
async fn a_ref_is_good_again_when_its_element_is_put_back() {
    let page = open("click.html").await;
    let send = ref_of(&page, r#"button "Send""#).await;
    page.eval("window.kept = document.getElementById('send'); kept.remove(); 1").await;
    refused(&page, "click", json!({ "selector": send, "timeout": 1000 })).await;

    page.eval("document.body.prepend(kept); 1").await;
    text_of(&page, "click", json!({ "selector": send })).await;

    assert_eq!(page.log().await, ["click send"]);
}
