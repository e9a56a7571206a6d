//! What an action says came of it: navigated, changed, or nothing.

use std::time::{Duration, Instant};

use btcp_testkit::{TestPage, open, server};
use serde_json::{Value, json};

use crate::refusal::{assert_refused, text_of};

/// What came of a click that must succeed: as programs get it, and as a model reads it.
async fn click(page: &TestPage, args: Value) -> (Value, String) {
    let outcome = page.call("click", args).await;
    let outcome = outcome.unwrap_or_else(|failure| panic!("{}", failure.text()));
    (outcome.data, outcome.text.for_model())
}

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

    let (data, text) = click(&page, json!({ "selector": "#nothing" })).await;

    assert_eq!(data["effect"], "none");
    assert_eq!(page.log().await, ["click nothing"]);
    let (did, came) = text.split_once(": ").expect("it says what came of it");
    assert!(did.starts_with(r#"clicked button "Nothing" e"#), "{text}");
    let watched = came.strip_prefix("nothing changed within ").and_then(|t| t.strip_suffix(" ms"));
    let watched: u64 = watched.and_then(|ms| ms.parse().ok()).unwrap_or_else(|| panic!("{text}"));
    assert!(watched >= 100, "{text}");
}

/// The change of a timer or a request that the click started belongs to the click.
#[tokio::test]
async fn a_change_that_comes_a_little_later_is_waited_for() {
    for script in [
        "nothing.onclick = () => setTimeout(() => { nothing.textContent = 'Done' }, 50)",
        "nothing.onclick = async () => { await fetch('/slow?ms=700'); nothing.textContent = 'Done' }",
    ] {
        let page = open("click.html").await;
        page.until("document.getElementById('late')").await;
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

/// Nobody has answered at the other end: the agent is told where the tab is going, not that
/// the page it still shows has changed.
#[tokio::test]
async fn a_link_to_a_server_that_never_answers_is_navigated_still_loading() {
    let page = open("click.html").await;
    page.until("document.getElementById('late')").await;
    page.eval("document.getElementById('go').href = '/hang'; 1").await;

    let (data, text) = click(&page, json!({ "selector": "#go", "timeout": "3s" })).await;

    let there = server().url("/hang");
    assert_eq!(data["effect"], "navigated", "{data}");
    assert_eq!(data["url"], there, "{data}");
    assert_eq!(data["stillLoading"], true, "{data}");
    assert_eq!(data["changes"], Value::Null, "{data}");
    assert!(text.ends_with(&format!(": navigated to {there}, still loading")), "{text}");
}

/// A link may start something at the server and lead nowhere.
#[tokio::test]
async fn a_link_that_is_answered_with_nothing_changes_nothing() {
    let page = open("click.html").await;
    page.until("document.getElementById('late')").await;
    page.eval("document.getElementById('go').href = '/status/204'; 1").await;

    let (data, text) = click(&page, json!({ "selector": "#go" })).await;
    assert_eq!(data["effect"], "none", "{data}");
    assert!(text.contains(": nothing changed within "), "{text}");

    // What the click does beside it is not lost.
    page.eval("go.onclick = () => { nothing.textContent = 'Sent' }; 1").await;
    let (data, text) = click(&page, json!({ "selector": "#go" })).await;
    assert_eq!(data["effect"], "changed", "{data}");
    assert!(text.contains(r#"~ button "Sent""#), "{text}");
}

/// A request holds up the answer for three seconds, and is no change.
#[tokio::test]
async fn a_request_that_does_not_end_is_told_as_still_loading() {
    let page = open("click.html").await;
    page.until("document.getElementById('late')").await;
    page.eval("nothing.onclick = () => { fetch('/hang') }; 1").await;

    let start = Instant::now();
    let (data, text) = click(&page, json!({ "selector": "#nothing", "timeout": "60s" })).await;

    let took = start.elapsed();
    assert_eq!(data["effect"], "none", "{data}");
    assert_eq!(data["stillLoading"], true, "{data}");
    assert!(
        text.contains(": nothing changed within ") && text.ends_with(", still loading"),
        "{text}"
    );
    assert!(took >= Duration::from_secs(3) && took < Duration::from_secs(30), "it took {took:?}");
}

/// What a page hides from a person, an agent is told: the first five of each.
#[tokio::test]
async fn errors_and_failed_requests_of_a_click_are_told_with_it() {
    let page = open("click.html").await;
    page.eval("console.error('before'); 1").await;
    page.eval(
        "nothing.onclick = async () => { \
           for (let i = 1; i < 8; i++) console.error(`oh ${i}`); \
           for (let i = 1; i < 8; i++) await fetch(i % 2 ? `/status/404?${i}` : `/status/500?${i}`) }; 1",
    )
    .await;

    let (data, text) = click(&page, json!({ "selector": "#nothing" })).await;

    assert_eq!(data["consoleErrors"], json!(["oh 1", "oh 2", "oh 3", "oh 4", "oh 5"]), "{data}");
    let failed = |i: u32| {
        let status = if i % 2 == 1 { 404 } else { 500 };
        format!("GET {} {status}", server().url(&format!("/status/{status}?{i}")))
    };
    assert_eq!(data["failedRequests"], json!((1..=5).map(failed).collect::<Vec<_>>()), "{data}");
    assert!(text.contains("\nconsole error \"oh 1\"\n"), "{text}");
    assert!(text.contains(&format!("\nfailed request \"{}\"", failed(5))), "{text}");
    assert!(
        !text.contains("oh 6") && !text.contains(&failed(6)) && !text.contains("before"),
        "{text}"
    );
}

/// A server that is not there has no status; Chrome's own name says why.
#[tokio::test]
async fn a_request_that_nobody_answers_is_told_with_chromes_name() {
    let page = open("click.html").await;
    page.eval("nothing.onclick = () => { fetch('/reset').catch(() => {}) }; 1").await;

    let (data, _) = click(&page, json!({ "selector": "#nothing" })).await;

    let failed = data["failedRequests"][0].as_str().unwrap_or_default();
    assert!(failed.starts_with(&format!("GET {} net::ERR_", server().url("/reset"))), "{data}");
}

/// It asked for one field and the page gave the keys to another.
#[tokio::test]
async fn keys_that_went_to_another_element_are_told() {
    let page = open("type.html").await;
    page.eval(
        "document.body.innerHTML = '<input aria-label=One><input aria-label=Two>'; \
         const [one, two] = document.querySelectorAll('input'); one.onfocus = () => two.focus(); 1",
    )
    .await;

    let outcome = page.call("press", json!({ "selector": "label=One", "key": "x" })).await;

    let outcome = outcome.unwrap_or_else(|failure| panic!("{}", failure.text()));
    let text = outcome.text.for_model();
    let who = outcome.data["receivedBy"].as_str().unwrap_or_default();
    assert!(who.starts_with(r#"textbox "Two""#), "{}", outcome.data);
    assert!(text.contains(&format!("the event went to {who}")), "{text}");
}

/// The page may make something else of what is filled in: the agent hears what is there now.
#[tokio::test]
async fn a_field_says_what_it_holds_after_it_was_filled() {
    let page = open("type.html").await;
    page.eval("document.body.innerHTML = '<input aria-label=Code maxlength=9>'; 1").await;
    page.eval(
        "const field = document.querySelector('input'); \
         field.oninput = () => { field.value = field.value.toUpperCase() }; 1",
    )
    .await;

    let text = text_of(&page, "fill", json!({ "selector": "label=Code", "value": "ab-1" })).await;

    assert!(text.starts_with(r#"filled textbox "Code" e"#), "{text}");
    assert!(text.contains(r#", now "AB-1""#), "{text}");
}

/// The button that was meant is gone when the mouse comes up: whoever stands in its place is named.
#[tokio::test]
async fn a_button_that_is_replaced_when_it_is_pressed_is_told() {
    let page = open("click.html").await;

    let (data, text) = click(&page, json!({ "selector": "#swap" })).await;

    assert_eq!(data["effect"], "changed", "{data}");
    assert_eq!(data["releasedOver"], r#"button "Swapped""#, "{data}");
    let told = r#"but it got no click: the button was let go over button "Swapped""#;
    assert!(text.contains(told), "{text}");
    assert_eq!(page.log().await, [""; 0], "nobody was clicked");
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

#[tokio::test]
async fn there_is_no_page_after_the_last() {
    let page = open("title.html").await;

    let sentence = "There is no page to go forward to";
    assert_refused(&page, ("forward", json!({})), sentence, "no_history", Some("no")).await;

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

/// A press that never reached the page is not told as one that came to nothing.
#[tokio::test]
async fn a_press_that_the_page_did_not_get_is_told_as_such() {
    let page = open("engine/swallowed.html").await;

    let pressed = page.call("click", json!({ "selector": "#send" })).await.unwrap();

    let text = pressed.text.for_model();
    assert!(text.contains("but the page got no event: try again"), "{text}");
    assert_eq!(pressed.data["unheard"], true, "{}", pressed.data);
    assert_eq!(page.log().await, [""; 0]);
    // The frame has the keyboard now too, and a key is no press.
    let key = page.call("press", json!({ "key": "a" })).await.unwrap();
    assert_eq!(key.data.get("unheard"), None, "{}", key.data);
    // Where it is heard, nothing is said of it, nor where the page keeps what it heard to itself.
    for path in ["click.html", "engine/hushed.html"] {
        let page = open(path).await;
        let heard = page.call("click", json!({ "selector": "#send" })).await.unwrap();
        assert_eq!(heard.data.get("unheard"), None, "{path}: {}", heard.data);
        assert_ne!(page.log().await, [""; 0], "{path}");
    }
}
