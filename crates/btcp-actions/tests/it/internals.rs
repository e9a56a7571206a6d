//! Custom elements that say what they are through `ElementInternals`: no script can read it, a
//! person's screen reader can, and so can an agent.

use btcp_testkit::open;
use serde_json::json;

use crate::complete::{assert_has, assert_lacks, lines};
use crate::refusal::{ref_of, refused, text_of};

#[tokio::test]
async fn an_element_is_what_it_says_of_itself_wherever_it_stands() {
    let page = open("complete/internals.html").await;

    let lines = lines(&page, json!({})).await;

    assert_has(
        &lines,
        &[
            r#"checkbox "Send news""#,
            r#"button "Save""#,
            r#"button "Stop" [disabled]"#,
            r#"link "Written""#,
            r#""Plain words""#,
            r#"checkbox "In the open root""#,
            r#"checkbox "In the closed root""#,
            r#"button "In a frame""#,
        ],
    );
}

/// Its states change without a trace in the document.
#[tokio::test]
async fn a_check_box_of_internals_is_told_as_it_is_now() {
    let page = open("complete/internals.html").await;
    let target = ref_of(&page, r#"checkbox "Send news""#).await;

    let text = text_of(&page, "click", json!({ "selector": target })).await;

    assert!(text.contains(&format!(r#"~ checkbox "Send news" {target} [checked]"#)), "{text}");
    assert_has(&lines(&page, json!({})).await, &[r#"checkbox "Send news" [checked]"#]);
    page.eval("document.querySelector('#news').click(); 1").await;
    assert_lacks(&lines(&page, json!({})).await, &["[checked]"]);
    assert_eq!(page.log().await, ["click news"]);
}

/// Nobody has taken a snapshot yet.
#[tokio::test]
async fn elements_are_found_by_the_role_and_name_of_their_internals_at_once() {
    let page = open("complete/internals.html").await;

    let found = text_of(&page, "get_by_role", json!({ "role": "button", "name": "Save" })).await;
    assert!(found.contains(r#"button "Save""#), "{found}");
    text_of(&page, "click", json!({ "selector": r#"role=checkbox[name="Send news"]"# })).await;
    text_of(&page, "check", json!({ "selector": "role=checkbox[name='In the open root']" })).await;
    text_of(&page, "click", json!({ "selector": "role=button[name='In a frame']" })).await;

    assert_eq!(page.log().await, ["click news", "click open"]);
    assert_has(
        &lines(&page, json!({})).await,
        &[r#"checkbox "Send news" [checked]"#, r#"checkbox "In the open root" [checked]"#],
    );
}

#[tokio::test]
async fn a_button_that_its_internals_disable_is_not_pressed() {
    let page = open("complete/internals.html").await;
    let target = ref_of(&page, r#"button "Stop""#).await;

    let failure = refused(&page, "click", json!({ "selector": target, "timeout": 1000 })).await;

    assert_eq!(failure.code, "disabled", "{}", failure.text());
    assert!(page.log().await.is_empty());
}

/// The first of a tag speak for the rest, and those that come later are asked about too.
#[tokio::test]
async fn of_many_elements_each_is_told_and_so_is_one_that_comes_later() {
    let page = open("complete/internals.html").await;
    page.eval("for (let i = 1; i <= 60; i += 1) document.body.insertAdjacentHTML('beforeend', `<x-check data-name='Box ${i}'>☐</x-check>`); 1").await;

    let all = lines(&page, json!({})).await;
    assert_has(&all, &[r#"checkbox "Box 1""#, r#"checkbox "Box 60""#]);
    page.eval(
        "document.body.insertAdjacentHTML('beforeend', '<x-check data-name=Late>☐</x-check>'); 1",
    )
    .await;

    assert_has(&lines(&page, json!({})).await, &[r#"checkbox "Late""#]);
}
