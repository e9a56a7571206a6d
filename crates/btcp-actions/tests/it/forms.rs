//! `fill_form`: what can be filled is filled, what cannot is named.

use btcp_testkit::open;
use serde_json::{Value, json};

use crate::refusal::{refused, text_of};

fn field(selector: &str, value: &str) -> Value {
    json!({ "selector": selector, "value": value })
}

#[tokio::test]
async fn a_field_that_fails_does_not_keep_the_others_empty() {
    let page = open("fill_form.html").await;

    let fields = json!([
        field("#fax", "1"),
        field("#name", "Ada"),
        field("#ro", "x"),
        field("#city", "Berlin"),
        field("#when", "2026-01-31"),
    ]);
    let outcome =
        page.call("fill_form", json!({ "fields": fields, "timeout": 10000 })).await.unwrap();
    let said = outcome.text.for_model();

    let results = outcome.data["results"].as_array().unwrap();
    let told: Vec<_> = results.iter().map(|one| (&one["success"], &one["code"])).collect();
    let [yes, no] = [json!(true), json!(false)];
    let [missing, fixed, option] =
        [json!("not_found"), json!("not_editable"), json!("no_such_option")];
    let wanted = [
        (&no, &missing),
        (&yes, &Value::Null),
        (&no, &fixed),
        (&no, &option),
        (&yes, &Value::Null),
    ];
    assert_eq!(told, wanted, "{said}");
    assert_eq!(outcome.data["success"], false);
    assert!(
        said.contains(r#"4 "#) && said.contains(r#"The options are "Choose", "Oslo", "Paris""#),
        "{said}"
    );
    assert!(said.contains("did 2 of 5 fields: the page changed"), "{said}");
    assert_eq!(
        page.eval("[at('name').value, at('when').value]").await,
        json!(["Ada", "2026-01-31"])
    );
}

/// A field that another one brings is waited for.
#[tokio::test]
async fn a_field_that_comes_later_is_filled() {
    let page = open("fill_form.html").await;

    let fields = json!([field("#country", "Norway"), field("#region", "Oslo")]);
    text_of(&page, "fill_form", json!({ "fields": fields })).await;

    assert_eq!(page.eval("region.value").await, "Oslo");
}

#[tokio::test]
async fn what_the_page_does_meanwhile_ends_it() {
    let page = open("fill_form.html").await;
    let fields = json!([field("#name", "Ada"), field("#asks", "x"), field("#city", "Oslo")]);
    let outcome = page.call("fill_form", json!({ "fields": fields })).await.unwrap();
    assert_eq!(outcome.data["effect"], "dialog", "{}", outcome.data);
    assert_eq!(outcome.data["results"][2]["error"], "Not tried", "{}", outcome.data);
    text_of(&page, "dialog", json!({ "response": "accept" })).await;
    assert_eq!(page.eval("at('city').value").await, "");

    let page = open("fill_form.html").await;
    let fields = json!([field("#name", "Ada"), field("#leaves", "x"), field("#city", "Oslo")]);
    let outcome = page.call("fill_form", json!({ "fields": fields })).await.unwrap();
    assert_eq!(outcome.data["effect"], "navigated", "{}", outcome.data);
    assert_eq!(outcome.data["stopped"], "the page navigated", "{}", outcome.data);
}

/// None was filled: that is an error, with every field's reason in it.
#[tokio::test]
async fn a_form_of_which_nothing_could_be_filled_is_an_error() {
    let page = open("fill_form.html").await;

    let fields = json!([field("#ro", "x"), field("#fax", "1")]);
    let failure = refused(&page, "fill_form", json!({ "fields": fields, "timeout": 10000 })).await;

    assert_eq!(failure.code, "not_editable", "{}", failure.text());
    assert_eq!(failure.done.map(|done| done.name()), Some("no"));
    assert_eq!(failure.data["results"][1]["code"], "not_found", "{:?}", failure.data);
    assert!(failure.message.contains("'#fax' not found"), "{}", failure.message);
    assert_eq!(page.log().await, Vec::<String>::new());
}
