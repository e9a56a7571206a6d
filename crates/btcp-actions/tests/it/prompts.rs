//! What Chrome would ask a person for: files, passwords, permissions, a printer. Nothing waits.

use std::time::{Duration, Instant};

use btcp_actions::Outcome;
use btcp_engine::Settings;
use btcp_testkit::{TestPage, empty_with, open, server};
use serde_json::{Value, json};

use crate::refusal::{assert_goes_on, text_of};

const PAGE: &str = "hard/prompts.html";

#[tokio::test]
async fn a_file_chooser_is_closed_and_reported() {
    for (id, message) in [("choose", "Choose a file"), ("files", "Choose files")] {
        let page = open(PAGE).await;

        let outcome = page.call("click", json!({ "selector": format!("#{id}") })).await.unwrap();

        let dialog = json!({ "type": "filechooser", "message": message, "answered": "closed" });
        assert_eq!(outcome.data["dialog"], dialog, "{}", outcome.data);
        let text = outcome.text.for_model();
        assert!(text.contains(&format!(r#"filechooser "{message}" was closed"#)), "{text}");
        page.until("log.length").await;
        assert_eq!(page.log().await, ["cancelled"]);
        assert_goes_on(&page).await;
    }
}

#[tokio::test]
async fn printing_is_ignored_and_reported() {
    let page = open(PAGE).await;

    let outcome = page.call("click", json!({ "selector": "#print" })).await.unwrap();

    let dialog = json!({ "type": "print", "message": "Print the page", "answered": "ignored" });
    assert_eq!(outcome.data["dialog"], dialog, "{}", outcome.data);
    let text = outcome.text.for_model();
    assert!(text.contains(r#"print "Print the page" was ignored"#), "{text}");
    page.until("log.length").await;
    assert_eq!(page.log().await, ["printed"]);
    assert_goes_on(&page).await;
}

/// The report, at the action or, if Chrome took its time, at one of the next.
async fn told_of_permission(page: &TestPage, first: Outcome, wanted: bool) -> Option<Value> {
    let mut outcome = first;
    for _ in 0..40 {
        if !wanted || outcome.data.get("dialog").is_some() {
            break;
        }
        let next = page.call("click", json!({ "selector": "#nothing" })).await;
        outcome = next.expect("the session goes on");
    }
    outcome.data.get("dialog").cloned()
}

/// It was listened to before anybody did anything, but what it asked for then is nobody's doing.
#[tokio::test]
async fn what_a_page_asks_for_by_itself_is_not_told_as_the_doing_of_the_first_action() {
    let page = open("engine/idle.html").await;
    let denied = page
        .eval(
            "quiet.then(async () => {
               const status = await navigator.permissions.query({ name: 'geolocation' })
               const changed = new Promise((done) => { status.onchange = () => done(status.state) })
               navigator.geolocation.getCurrentPosition(() => {}, () => {})
               return changed
             })",
        )
        .await;
    assert_eq!(denied, json!("denied"));

    let clicked = page.call("click", json!({ "selector": "#send" })).await.unwrap();

    assert_eq!(clicked.data.get("dialog"), None, "{}", clicked.data);
}

/// Nobody is there to press "Allow": the page hears no, at once.
#[tokio::test]
async fn permissions_are_denied_at_once() {
    let page = open(PAGE).await;
    let start = Instant::now();

    for (id, said, permission) in [
        ("where", "where 1", Some("geolocation")),
        // Chrome lets the page wait a second or two, as a person would.
        ("notify", "notify denied", Some("notifications")),
        // There is no camera here, so nobody is asked.
        ("see", "see refused", None),
        ("paste", "paste refused", Some("clipboard-read")),
    ] {
        let clicked = page.call("click", json!({ "selector": format!("#{id}") })).await.unwrap();
        page.until(&format!("log.includes('{said}')")).await;
        let told = told_of_permission(&page, clicked, permission.is_some()).await;
        let expected = permission
            .map(|name| json!({ "type": "permission", "message": name, "answered": "denied" }));
        assert_eq!(told, expected, "{id}");
    }
    // What was denied once is not asked for again.
    let again = page.call("click", json!({ "selector": "#where" })).await.unwrap();
    assert_eq!(again.data.get("dialog"), None, "{}", again.data);

    assert!(start.elapsed() < Duration::from_secs(20), "it took {:?}", start.elapsed());
    assert_goes_on(&page).await;
}

/// Without credentials a server that wants some is what it is to any visitor: a refusal.
#[tokio::test]
async fn a_server_that_asks_for_a_password_is_refused_at_once() {
    let page = open("downloads.html").await;
    let start = Instant::now();

    let url = server().url("/auth");
    let dialog = json!({ "type": "auth", "message": url, "answered": "refused" });
    let outcome = page.call("navigate", json!({ "url": url })).await.unwrap();
    assert_eq!(outcome.data["status"], 401, "{}", outcome.data);
    assert_eq!(outcome.data["title"], "Outside", "{}", outcome.data);
    assert_eq!(outcome.data["dialog"], dialog, "{}", outcome.data);

    // A window of Chrome's over the next page would swallow this click.
    text_of(&page, "navigate", json!({ "url": page.url() })).await;
    page.eval("document.getElementById('file').href = '/auth'; 1").await;
    let outcome = page.call("click", json!({ "selector": "#file" })).await.unwrap();
    assert_eq!(outcome.data["dialog"], dialog, "{}", outcome.data);
    let text = outcome.text.for_model();
    assert!(text.contains(&format!(r#"auth "{url}" was refused"#)), "{text}");

    assert!(start.elapsed() < Duration::from_secs(10), "it took {:?}", start.elapsed());
    let there = json!({ "url": server().url("title.html") });
    assert_eq!(page.call("navigate", there).await.unwrap().data["status"], 200);
}

#[tokio::test]
async fn a_server_is_given_the_password_the_settings_have_for_it() {
    let credential = |secret: &str| format!("{}={secret}", server().origin()).parse().unwrap();
    let known = Settings { credentials: vec![credential("ada:secret")], ..Settings::default() };
    let page = empty_with(known).await;

    let outcome = page.call("navigate", json!({ "url": server().url("/auth") })).await.unwrap();

    assert_eq!(outcome.data["title"], "Inside", "{}", outcome.data);
    assert_eq!(outcome.data["dialog"]["type"], "auth", "{}", outcome.data);
    assert_eq!(outcome.data["dialog"]["answered"], "given the password", "{}", outcome.data);
    assert!(!outcome.data.to_string().contains("secret"), "{}", outcome.data);
    // Another origin gets nothing of it.
    let other = format!("{}/auth", server().other_origin());
    let outcome = page.call("navigate", json!({ "url": other })).await.unwrap();
    assert_eq!(outcome.data["status"], 401, "{}", outcome.data);
    assert_eq!(outcome.data["dialog"]["answered"], "refused", "{}", outcome.data);
    text_of(&page, "navigate", json!({ "url": server().url(PAGE) })).await;
    text_of(&page, "click", json!({ "selector": "#print" })).await;
    assert_eq!(page.log().await, ["printed"]);
}

/// A wrong password is offered once, not for ever.
#[tokio::test]
async fn a_password_that_is_wrong_is_not_offered_again() {
    let wrong = format!("{}=ada:wrong", server().origin()).parse().unwrap();
    let page = empty_with(Settings { credentials: vec![wrong], ..Settings::default() }).await;
    let start = Instant::now();

    let outcome = page.call("navigate", json!({ "url": server().url("/auth") })).await.unwrap();

    assert_eq!(outcome.data["status"], 401, "{}", outcome.data);
    assert_eq!(outcome.data["dialog"]["more"], 1, "{}", outcome.data);
    assert!(start.elapsed() < Duration::from_secs(10), "it took {:?}", start.elapsed());
    let there = json!({ "url": server().url("title.html") });
    assert_eq!(page.call("navigate", there).await.unwrap().data["status"], 200);
}
