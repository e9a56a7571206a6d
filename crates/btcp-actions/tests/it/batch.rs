//! `batch`: several actions in one call, where it stops, and what it says then.

use btcp_testkit::open;
use serde_json::{Value, json};

use crate::refusal::{ref_of, refused, text_of};

fn step(action: &str, selector: &str) -> Value {
    json!({ "action": action, "selector": selector })
}

fn fill(selector: &str, value: &str) -> Value {
    json!({ "action": "fill", "selector": selector, "value": value })
}

/// All steps are told for themselves, and what came of them once.
#[tokio::test]
async fn steps_are_done_in_order_and_told_once() {
    let page = open("batch.html").await;
    text_of(&page, "snapshot", json!({})).await;

    let steps = json!([
        fill("#name", "Ada"),
        step("click", "#count"),
        step("click", "#count"),
        { "action": "get_text", "selector": "#counted" },
        { "action": "get_by_text", "text": "Send", "subaction": "click" },
    ]);
    let outcome = page.call("batch", json!({ "steps": steps })).await.unwrap();

    assert_eq!(outcome.data["success"], true, "{}", outcome.data);
    assert_eq!(outcome.data["effect"], "changed");
    assert_eq!(outcome.data["results"][3]["result"]["text"], "2");
    assert_eq!(page.log().await, ["sent Ada false"]);
    let said = outcome.text.for_model();
    let lines: Vec<&str> = said.lines().collect();
    assert!(lines[0].starts_with(r#"1 filled textbox "Name" e"#), "{said}");
    assert!(lines[0].ends_with(r#", now "Ada""#), "{said}");
    assert_eq!(lines[3], r#"4 "2""#, "{said}");
    assert_eq!(lines[5], "did 5 of 5 steps: the page changed", "{said}");
    // Both clicks in one difference: the second did not hide what the first had changed.
    assert!(lines[6..].iter().any(|line| line.contains(r#""2""#)), "{said}");
    assert!(lines[6..].iter().any(|line| line.contains(r#"= "Ada""#)), "{said}");
}

/// What was done stays done, and is told; what came after was not tried.
#[tokio::test]
async fn a_failure_stops_it_and_says_how_far_it_came() {
    let page = open("batch.html").await;
    let missing = json!({ "action": "click", "selector": "#missing", "timeout": 200 });

    let steps = json!([step("click", "#count"), missing, step("click", "#count")]);
    let outcome = page.call("batch", json!({ "steps": steps })).await.unwrap();
    let said = outcome.text.for_model();

    assert_eq!(outcome.data["success"], false);
    let results = &outcome.data["results"];
    assert_eq!(results[0]["success"], true, "{results}");
    assert_eq!(results[1]["code"], "not_found", "{results}");
    assert_eq!(results[1]["done"], "no", "{results}");
    assert_eq!(results[2]["error"], "Not tried", "{results}");
    assert!(said.contains(r#"2 "click" failed: Selector '#missing' not found."#), "{said}");
    assert!(said.contains("did 1 of 3 steps, stopped because that failed"), "{said}");
    assert_eq!(page.eval("counted.textContent").await, "1");

    let steps = json!([missing, step("click", "#count")]);
    let all = json!({ "steps": steps, "onError": "continue" });
    let outcome = page.call("batch", all).await.unwrap();
    assert_eq!(outcome.data["success"], false);
    assert_eq!(page.eval("counted.textContent").await, "2");

    let failure = refused(&page, "batch", json!({ "steps": steps })).await;
    assert_eq!(failure.code, "not_found", "{}", failure.text());
    assert_eq!(failure.done.map(|done| done.name()), Some("no"));
    assert_eq!(page.eval("counted.textContent").await, "2");
}

/// The page after a navigation is not the one the steps were written for.
#[tokio::test]
async fn it_stops_where_the_page_goes_elsewhere() {
    let page = open("batch.html").await;

    let steps = json!([step("click", "#count"), step("click", "#go"), step("click", "#count")]);
    let outcome = page.call("batch", json!({ "steps": steps })).await.unwrap();

    assert_eq!(outcome.data["stopped"], "the page navigated", "{}", outcome.data);
    assert_eq!(outcome.data["effect"], "navigated");
    assert!(outcome.data["url"].as_str().unwrap().ends_with("?went"), "{}", outcome.data);
    assert_eq!(page.eval("counted.textContent").await, "0", "the new page was not touched");

    // A page the agent itself asked for is where it wants to go on.
    let url = page.url();
    let steps = json!([{ "action": "navigate", "url": url }, step("click", "#count")]);
    let outcome = page.call("batch", json!({ "steps": steps })).await.unwrap();
    assert_eq!(outcome.data["success"], true, "{}", outcome.data);
    assert_eq!(page.eval("counted.textContent").await, "1");
}

#[tokio::test]
async fn it_stops_where_a_dialog_opens() {
    let steps = json!([step("click", "#ask"), step("click", "#count")]);

    let page = open("batch.html").await;
    let outcome = page.call("batch", json!({ "steps": steps })).await.unwrap();
    assert_eq!(outcome.data["effect"], "dialog", "{}", outcome.data);
    assert_eq!(outcome.data["stopped"], "a dialog opened");
    assert_eq!(outcome.data["dialog"]["message"], "Really?");
    text_of(&page, "dialog", json!({ "response": "accept" })).await;
    assert_eq!(page.log().await, ["answer true"]);
    assert_eq!(page.eval("counted.textContent").await, "0");

    // Where nobody can answer, the engine does; the steps after it are not tried all the same.
    let page = open("batch.html").await;
    let outcome = page.call_as("batch,click", "batch", json!({ "steps": steps })).await.unwrap();
    assert_eq!(outcome.data["dialog"]["answered"], "dismissed", "{}", outcome.data);
    assert_eq!(page.eval("counted.textContent").await, "0");
}

/// One stale ref, and nothing is done at all.
#[tokio::test]
async fn refs_are_looked_up_before_the_first_step() {
    let page = open("batch.html").await;
    let name = ref_of(&page, r#"textbox "Name""#).await;
    let count = ref_of(&page, r#"button "Count""#).await;
    page.eval("document.getElementById('name').remove()").await;

    let steps = json!([step("click", &count), fill(&name, "Ada")]);
    let failure = refused(&page, "batch", json!({ "steps": steps })).await;
    assert_eq!(failure.code, "stale_ref", "{}", failure.text());
    assert_eq!(failure.done.map(|done| done.name()), Some("no"));
    assert_eq!(page.eval("counted.textContent").await, "0");

    let steps = json!([step("click", &count), step("click", "e9999")]);
    let failure = refused(&page, "batch", json!({ "steps": steps })).await;
    assert_eq!(failure.code, "not_found", "{}", failure.text());
    assert_eq!(page.eval("counted.textContent").await, "0");
}

/// A ref that one step makes stale fails at its own step, and hits nothing else.
#[tokio::test]
async fn a_ref_that_goes_stale_on_the_way_stops_it() {
    let page = open("batch.html").await;
    let name = ref_of(&page, r#"textbox "Name""#).await;

    let steps = json!([step("click", "#gone"), fill(&name, "Ada"), step("click", "#count")]);
    let outcome = page.call("batch", json!({ "steps": steps })).await.unwrap();

    assert_eq!(outcome.data["results"][1]["code"], "stale_ref", "{}", outcome.data);
    assert_eq!(page.eval("counted.textContent").await, "0");
}

/// Each step is judged as the action it runs, before anything runs.
#[tokio::test]
async fn a_step_needs_what_its_action_needs() {
    let page = open("batch.html").await;
    let first = step("click", "#count");

    for (steps, code, says) in [
        (json!([first, step("evaluate", "x")]), "denied", "Step 2: 'evaluate' is outside"),
        (
            json!([first, { "action": "get_by_text", "text": "Send", "subaction": "click" }]),
            "denied",
            "Step 2: ",
        ),
        (json!([first, step("clik", "#a")]), "invalid_params", "Step 2: There is no action 'clik'"),
        (json!([first, { "action": "click" }]), "invalid_params", "Step 2: selector is required"),
        (json!([first, { "selector": "#a" }]), "invalid_params", "Step 2: action is required"),
        (
            json!([first, { "action": "batch", "steps": [] }]),
            "invalid_params",
            "Step 2: 'batch' is",
        ),
        (json!([]), "invalid_params", "steps must be 1 to 50, not 0"),
        (
            json!([first, { "action": "click", "selector": "#a", "tabId": 2 }]),
            "invalid_params",
            "Step 2: tabId is for the whole batch",
        ),
    ] {
        let failure =
            page.call_as("batch,click", "batch", json!({ "steps": steps })).await.unwrap_err();
        assert_eq!(failure.code, code, "{steps}: {}", failure.text());
        assert!(failure.message.starts_with(says), "{steps}: {}", failure.text());
        assert_eq!(failure.done.map(|done| done.name()), Some("no"));
    }
    assert_eq!(page.eval("counted.textContent").await, "0");
    let failure = refused(&page, "batch", json!({ "steps": [first, step("clik", "#a")] })).await;
    assert_eq!(failure.data["field"], "steps[1].action");
}

/// A whole batch on a page in frames and shadow roots, each part found where it is.
#[tokio::test]
async fn steps_reach_into_frames_and_shadow_roots() {
    for path in ["hard/frames.html", "hard/shadow.html"] {
        let page = open(path).await;
        let steps = json!([
            fill("label=Kit field", "hello"),
            step("check", "label=Kit box"),
            step("click", r#"role=button[name="Kit button"]"#),
        ]);
        let outcome = page.call("batch", json!({ "steps": steps })).await.unwrap();
        assert_eq!(outcome.data["success"], true, "{path}: {}", outcome.data);
        let state = page.call("get_text", json!({ "selector": "testid=kit-state" })).await.unwrap();
        assert_eq!(state.data["text"], "1 clicks, value hello, box true, choice first", "{path}");
    }
}
