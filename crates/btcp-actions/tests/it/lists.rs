//! Lists that a framework renders again and again, under the agent's hands.

use btcp_testkit::{TestPage, open, server};
use serde_json::json;

use crate::refusal::{ref_of, refused, text_of};

const ITEM: &str = r#"role=button[name="Item 3"]"#;

async fn clicked(page: &TestPage) -> Vec<String> {
    page.log().await.into_iter().filter(|line| line.starts_with("click")).collect()
}

/// Whatever the list does meanwhile, the item that was asked for is the one that is hit, and a
/// list that was made anew between press and release, which no browser takes for a click, is told.
#[tokio::test]
async fn the_item_that_was_asked_for_is_clicked_while_the_list_renders() {
    for path in ["hard/list-keyed.html", "hard/list-unkeyed.html", "hard/list-forever.html"] {
        let page = open(path).await;

        let mut lost = 0;
        loop {
            let text =
                text_of(&page, "click", json!({ "selector": ITEM, "timeout": 10_000 })).await;
            if !text.contains("it got no click") {
                assert_eq!(clicked(&page).await, ["click Item 3"], "{path} said: {text}");
                break;
            }
            assert!(clicked(&page).await.is_empty(), "{path} was clicked, and said: {text}");
            lost += 1;
            assert!(lost < 10, "{path} was never clicked, and said: {text}");
        }
    }
}

#[tokio::test]
async fn a_ref_survives_a_list_that_moves_its_items() {
    let page = open("hard/list-keyed.html").await;
    let item = ref_of(&page, r#"button "Item 3""#).await;
    page.until("log.includes('still')").await;

    text_of(&page, "click", json!({ "selector": item })).await;

    assert_eq!(clicked(&page).await, ["click Item 3"]);
    assert_eq!(ref_of(&page, r#"button "Item 3""#).await, item);
}

#[tokio::test]
async fn a_ref_of_a_list_that_makes_its_items_anew_is_stale_and_says_what_it_was() {
    let page = open("hard/list-unkeyed.html").await;
    let item = ref_of(&page, r#"button "Item 3""#).await;
    page.until("log.includes('still')").await;

    let failure = refused(&page, "click", json!({ "selector": item, "timeout": 1000 })).await;

    assert_eq!(failure.code, "stale_ref");
    assert_eq!(
        failure.message,
        format!(r#"Ref '{item}' is stale: button "Item 3" is no longer on the page"#)
    );
    let hint = failure.hint.expect("it says what looks like it now");
    assert!(hint.contains(r#"button "Item 3" e"#), "{hint}");
    assert!(clicked(&page).await.is_empty());
}

/// A page that never comes to rest must not hold the answer back for ever.
#[tokio::test]
async fn a_list_that_never_stops_does_not_hold_up_the_answer() {
    let page = open("hard/list-forever.html").await;
    let start = std::time::Instant::now();

    text_of(&page, "click", json!({ "selector": "text=Kit button" })).await;

    assert!(start.elapsed().as_secs() < 10, "it took {:?}", start.elapsed());
    assert_eq!(page.eval("kit.clicks").await, 1);
}

/// A page that makes its controls anew shows another box than the one that was ticked: what is told is
/// what the page shows.
#[tokio::test]
async fn what_a_field_holds_is_told_of_the_one_that_is_there_now() {
    let page = open("describe.html").await;
    for (action, args, now) in [
        ("check", json!({ "selector": "label=Kit box" }), "true"),
        ("fill", json!({ "selector": "label=Kit box", "value": true }), "true"),
        ("fill", json!({ "selector": "label=Kit field", "value": "Ada" }), "Ada"),
        ("type", json!({ "selector": "label=Kit field", "text": "Ada" }), "Ada"),
        ("select", json!({ "selector": "label=Kit choice", "value": "hello" }), "hello"),
    ] {
        for changes in [true, false] {
            let there = json!({ "url": server().url("hard/rerendered.html") });
            page.call("navigate", there).await.unwrap();
            let mut args = args.clone();
            args["changes"] = json!(changes);

            let said = page.call(action, args).await.unwrap().text.plain();

            let told = said.contains(&format!(r#", now "{now}""#));
            assert!(told, "{action}, changes {changes}: {said}");
        }
    }
}
