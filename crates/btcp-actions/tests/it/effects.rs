//! What an action says came of it: navigated, changed, or nothing.

use btcp_testkit::{open, server};
use serde_json::json;

use crate::refusal::text_of;

#[tokio::test]
async fn a_click_on_a_link_reports_where_it_led() {
    let page = open("click.html").await;

    let outcome = page.call("click", json!({ "selector": "#go" })).await.unwrap();

    let there = server().url("click.html?went");
    assert_eq!(outcome.data["effect"], "navigated");
    assert_eq!(outcome.data["url"], there);
    let text = outcome.text.for_model();
    assert!(text.starts_with(r#"clicked link "Go" e"#), "{text}");
    assert!(text.contains(&format!(": navigated to {there}")), "{text}");
}

#[tokio::test]
async fn a_click_that_changes_nothing_says_so() {
    let page = open("click.html").await;
    // The page changes by itself once; that is not the click's doing.
    page.until("document.getElementById('late')").await;

    let outcome = page.call("click", json!({ "selector": "#nothing" })).await.unwrap();

    assert_eq!(outcome.data["effect"], "none");
    assert_eq!(page.log().await, ["click nothing"]);
}

/// The change of a timer or a request that the click started belongs to the click.
#[tokio::test]
async fn a_change_that_comes_a_little_later_is_waited_for() {
    for script in [
        "nothing.onclick = () => setTimeout(() => { nothing.textContent = 'Done' }, 50)",
        "nothing.onclick = async () => { await fetch('/slow?ms=700'); nothing.textContent = 'Done' }",
    ] {
        let page = open("click.html").await;
        page.eval(&format!("{script}; 1")).await;

        let outcome = page.call("click", json!({ "selector": "#nothing" })).await.unwrap();

        assert_eq!(outcome.data["effect"], "changed", "{script}: {}", outcome.data);
        assert_eq!(page.eval("nothing.textContent").await, "Done", "{script}");
    }
}

#[tokio::test]
async fn nothing_is_waited_for_when_changes_are_not_wanted() {
    let page = open("click.html").await;

    let outcome =
        page.call("click", json!({ "selector": "#send", "changes": false })).await.unwrap();

    assert_eq!(outcome.data["success"], true);
    page.until("log.length").await;
    assert_eq!(page.log().await, ["click send"]);
}

/// A link to a page that never finishes: the click was done, and the answer does not wait for ever.
#[tokio::test]
async fn a_link_to_a_page_that_never_loads_is_navigated_still_loading() {
    let page = open("click.html").await;
    page.eval("document.getElementById('go').href = '/drip'; 1").await;

    let outcome = page.call("click", json!({ "selector": "#go", "timeout": "3s" })).await;

    let outcome = outcome.unwrap_or_else(|failure| panic!("{}", failure.text()));
    assert_eq!(outcome.data["effect"], "navigated", "{}", outcome.data);
    assert_eq!(outcome.data["stillLoading"], true, "{}", outcome.data);
}

#[tokio::test]
async fn going_back_and_reloading_say_where_they_are() {
    let page = open("navigate.html").await;
    text_of(&page, "click", json!({ "selector": "#next" })).await;

    let back = page.call("back", json!({})).await.unwrap();
    assert_eq!(back.data["url"], server().url("back.html"), "the page had pushed ?second");
    let back = page.call("back", json!({})).await.unwrap();
    assert_eq!(back.data["url"], server().url("navigate.html"));
    let reload = page.call("reload", json!({})).await.unwrap();
    assert_eq!(reload.data["url"], server().url("navigate.html"));
}

#[tokio::test]
async fn there_is_no_page_before_the_first() {
    let page = open("title.html").await;

    let failure = page.call("back", json!({})).await.unwrap_err();

    assert_eq!(failure.code, "no_history");
    assert_eq!(failure.message, "There is no page to go back to");
    assert_eq!(page.eval("location.href").await, page.url());
}

/// An answer in the page's words must not pass for ours.
#[tokio::test]
async fn the_pages_words_are_quoted_or_fenced() {
    let page = open("get_text.html").await;

    let quoted = text_of(&page, "get_text", json!({ "selector": "#quotes" })).await;
    assert_eq!(quoted, r#""Say \"hi\" \\ bye""#);
    let fenced = text_of(&page, "get_text", json!({ "selector": "#forged" })).await;
    let first = fenced.lines().next().unwrap_or_default();
    let nonce = first.split(' ').nth(1).unwrap_or_default();
    assert!(first.starts_with("<page ") && nonce != "00000000", "{fenced}");
    assert!(fenced.ends_with(&format!("</page {nonce}>")), "{fenced}");
}
