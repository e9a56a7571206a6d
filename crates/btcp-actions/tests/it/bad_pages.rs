//! Addresses that lead nowhere and pages that never come: told with Chrome's own names,
//! and the session goes on.

use std::net::TcpListener;
use std::time::{Duration, Instant};

use btcp_testkit::{TestPage, empty, open, open_when, server};
use serde_json::{Value, json};

use crate::refusal::{assert_goes_on, assert_refused, refused, text_of};

/// A port on which nobody listens: bound once, so that it was free, and given back.
fn closed_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port can be bound");
    listener.local_addr().expect("it has an address").port()
}

/// After a bad page, a good one must still open in the same session.
async fn assert_opens_a_page(page: &TestPage) {
    let there = json!({ "url": server().url("title.html") });
    let outcome = page.call("navigate", there).await.unwrap_or_else(|e| panic!("{}", e.text()));
    assert_eq!(outcome.data["status"], 200, "{}", outcome.data);
}

fn go(url: &str) -> (&'static str, Value) {
    ("navigate", json!({ "url": url, "timeout": "10s" }))
}

/// People write addresses without a scheme; on this machine they mean http.
#[tokio::test]
async fn an_address_without_a_scheme_opens() {
    let page = empty().await;

    for host in [server().host(), format!("localhost:{}", server().port())] {
        let outcome =
            page.call("navigate", json!({ "url": format!("{host}/title.html") })).await.unwrap();

        assert_eq!(outcome.data["url"], format!("http://{host}/title.html"));
        assert_eq!(outcome.data["status"], 200);
    }
}

/// An agent must not read files, settings or sources of the browser, nor run scripts by address.
#[tokio::test]
async fn other_schemes_than_the_webs_are_denied() {
    let page = open("title.html").await;

    for (url, scheme) in [
        ("file:///etc/passwd", "file"),
        ("FILE:///etc/passwd", "file"),
        ("chrome://version", "chrome"),
        ("javascript:alert(1)", "javascript"),
        ("view-source:http://127.0.0.1/", "view-source"),
        ("data:text/html,<h1>hi</h1>", "data"),
        ("blob:http://127.0.0.1/1", "blob"),
        ("devtools://devtools/bundled/inspector.html", "devtools"),
        ("about:config", "about"),
    ] {
        let sentence = format!("Scheme '{scheme}:' is not allowed: '{url}'");
        assert_refused(&page, go(url), &sentence, "denied", Some("no")).await;
        assert_eq!(page.eval("location.href").await, page.url(), "{url} moved the page");
    }
}

#[tokio::test]
async fn an_empty_address_is_refused() {
    let page = open("title.html").await;

    assert_refused(&page, go("  "), "url must not be empty", "invalid_params", Some("no")).await;
}

/// Words instead of an address: they are in the sentence and nothing moved.
#[tokio::test]
async fn an_address_that_is_none_is_refused() {
    let page = open("title.html").await;

    for url in ["two words", "http://", "http://a b/", "http://[::1"] {
        let sentence = format!("'{url}' is not a valid address");
        assert_refused(&page, go(url), &sentence, "invalid_params", Some("no")).await;
        assert_eq!(page.eval("location.href").await, page.url(), "{url} moved the page");
    }
    assert_opens_a_page(&page).await;
}

#[tokio::test]
async fn a_server_that_is_not_there_is_named() {
    let page = open("title.html").await;
    let host = format!("127.0.0.1:{}", closed_port());

    let sentence = format!("net::ERR_CONNECTION_REFUSED: Failed to connect to {host}");
    assert_refused(
        &page,
        go(&format!("http://{host}/")),
        &sentence,
        "navigation_failed",
        Some("no"),
    )
    .await;

    assert_opens_a_page(&page).await;
}

#[tokio::test]
async fn a_host_without_an_address_is_named() {
    let page = open("title.html").await;

    let sentence = "net::ERR_NAME_NOT_RESOLVED: No address found for nowhere.invalid";
    let call = go("http://nowhere.invalid/");
    assert_refused(&page, call, sentence, "navigation_failed", Some("no")).await;

    assert_opens_a_page(&page).await;
}

/// A plain HTTP port spoken to by https.
#[tokio::test]
async fn a_server_without_tls_is_told_apart() {
    let page = open("title.html").await;
    let host = server().host();

    let sentence = format!("net::ERR_SSL_PROTOCOL_ERROR: {host} does not speak TLS as expected");
    assert_refused(
        &page,
        go(&format!("https://{host}/")),
        &sentence,
        "navigation_failed",
        Some("no"),
    )
    .await;

    assert_opens_a_page(&page).await;
}

#[tokio::test]
async fn a_connection_that_breaks_off_is_told() {
    let page = open("title.html").await;

    let failure = refused(&page, "navigate", json!({ "url": server().url("/reset") })).await;

    assert_eq!(failure.code, "navigation_failed", "{}", failure.text());
    assert!(
        failure.message.ends_with(&format!("{} closed the connection", server().host())),
        "{}",
        failure.message
    );
    assert_eq!(failure.done.map(|done| done.name()), Some("no"), "{}", failure.text());
    assert_goes_on(&page).await;
    assert_opens_a_page(&page).await;
}

/// Half a page is there, and the agent may use it: `done: yes`.
#[tokio::test]
async fn a_page_that_never_finishes_loading_is_a_timeout_that_was_done() {
    for path in ["/never", "/drip", "hard/never.html"] {
        let page = open("title.html").await;
        let call = ("navigate", json!({ "url": server().url(path), "timeout": "1s" }));

        let sentence = "Timeout after 1s waiting for page load";
        assert_refused(&page, call, sentence, "timeout", Some("yes")).await;

        let url = page.call("url", json!({})).await.unwrap();
        assert_eq!(url.data["url"], server().url(path));
        assert_opens_a_page(&page).await;
    }
}

/// Nothing has come: the old page is still there, and stays.
#[tokio::test]
async fn a_server_that_never_answers_is_a_timeout_that_was_not_done() {
    let page = open("title.html").await;
    let call = ("navigate", json!({ "url": server().url("/hang"), "timeout": "1s" }));

    let sentence = "Timeout after 1s waiting for page load";
    assert_refused(&page, call, sentence, "timeout", Some("no")).await;

    assert_eq!(page.eval("location.href").await, page.url());
    assert_opens_a_page(&page).await;
}

/// The content is what the agent came for, whatever else still loads.
#[tokio::test]
async fn a_page_that_never_finishes_loading_can_be_used() {
    for wait_until in ["domcontentloaded", "commit"] {
        let page = open_when("hard/never.html", wait_until).await;

        let clicked = text_of(&page, "click", json!({ "selector": "text=Kit button" })).await;

        assert!(clicked.starts_with(r#"clicked button "Kit button""#), "{clicked}");
        assert_eq!(page.eval("kit.clicks").await, 1);
        let tree = text_of(&page, "snapshot", json!({})).await;
        let first = tree.lines().next().unwrap_or_default();
        assert!(first.ends_with("[loading]"), "{first}");
    }
}

#[tokio::test]
async fn a_status_is_data_not_a_failure() {
    let page = empty().await;

    for status in [404, 500] {
        let outcome = page
            .call("navigate", json!({ "url": server().url(&format!("/status/{status}")) }))
            .await
            .unwrap();

        assert_eq!(outcome.data["status"], status);
        assert_eq!(outcome.data["title"], format!("Status {status}"));
    }
}

#[tokio::test]
async fn a_redirect_is_followed_to_where_it_leads() {
    let page = empty().await;

    let url = server().url("/redirect?to=/redirect%3Fto=/title.html");
    let outcome = page.call("navigate", json!({ "url": url })).await.unwrap();

    assert_eq!(outcome.data["url"], server().url("title.html"));
    let circle = server().url("/redirect?to=/redirect%3Fto=/redirect");
    let failure = page.call("navigate", json!({ "url": circle, "timeout": "10s" })).await;
    // `/redirect` alone leads to `/`, which is not there: an answer, not a circle.
    assert_eq!(failure.unwrap().data["status"], 404);
}

/// The file is what was asked for; the page stays where it was.
#[tokio::test]
async fn a_download_is_kept_and_the_page_stays() {
    let page = open("title.html").await;

    let outcome = page.call("navigate", json!({ "url": server().url("/download") })).await;

    let data = outcome.unwrap_or_else(|failure| panic!("{}", failure.text())).data;
    assert_eq!(data["download"]["filename"], "report.bin", "{data}");
    assert_eq!(data["download"]["bytes"], 1000, "{data}");
    let path = data["download"]["path"].as_str().expect("it has a path");
    assert_eq!(std::fs::read(path).expect("the file is there"), [7; 1000]);
    assert_eq!(page.eval("location.href").await, page.url());
    assert_opens_a_page(&page).await;
}

/// A script in an endless loop holds its page, not the session.
#[tokio::test]
async fn a_script_that_never_ends_is_stopped_and_the_page_goes_on() {
    let page = open("evaluate.html").await;

    let failure =
        refused(&page, "evaluate", json!({ "script": "for (;;);", "timeout": "1s" })).await;

    assert_eq!(failure.code, "timeout", "{}", failure.text());
    assert_eq!(failure.message, "Timeout after 1s waiting for the script to finish");
    assert_eq!(page.eval("answer").await, 42);
}

/// It replaces itself every 10 ms and never rests. No call waits beyond its time, each tells what it
/// saw or that there was no holding it, and the agent can go elsewhere and stays there.
#[tokio::test]
async fn a_page_that_navigates_itself_all_the_time_can_be_left() {
    let page = open("title.html").await;
    let restless = server().url("hard/inside/restless.html");
    let within = Duration::from_secs(10);

    for (name, args) in [
        ("navigate", json!({ "url": restless, "timeout": "3s" })),
        ("snapshot", json!({ "timeout": "3s" })),
        ("title", json!({ "timeout": "3s" })),
        ("click", json!({ "selector": "text=Press", "timeout": "3s" })),
        ("evaluate", json!({ "script": "document.title", "timeout": "3s" })),
        ("screenshot", json!({ "timeout": "3s" })),
        ("wait", json!({ "text": "Never", "timeout": "1s" })),
    ] {
        let start = Instant::now();
        match page.call(name, args).await {
            Ok(outcome) => {
                let text = outcome.text.for_model();
                // Of a page or the next: a picture and what was done tell no address.
                let told = match name {
                    "navigate" | "snapshot" => text.contains("/hard/inside/restless.html"),
                    "title" | "evaluate" => text.contains("restless") || text == "\"\"",
                    _ => !text.is_empty(),
                };
                assert!(told, "{name}: {text}");
            }
            Err(failure) => {
                let begins = match failure.code {
                    "timeout" => "Timeout after ",
                    "page_hung" => "The page did not answer within 3s (waiting for ",
                    "not_found" => "Selector 'text=Press' not found",
                    "stale_ref" | "javascript_error" => "",
                    _ => panic!("{name}: {}", failure.text()),
                };
                assert!(failure.message.starts_with(begins), "{name}: {}", failure.text());
                assert!(failure.hint.is_some(), "{name}: {}", failure.text());
            }
        }
        assert!(start.elapsed() < within, "{name} took {:?}", start.elapsed());
    }

    assert_opens_a_page(&page).await;
    let (title, url) = (server().url("title.html"), page.call("url", json!({})).await.unwrap());
    assert_eq!(url.data["url"], title);
    assert_eq!(page.eval("location.href").await, title, "it came back");
}

/// What came is there to be read, and the next page opens.
#[tokio::test]
async fn a_page_that_is_cut_off_can_be_read_as_far_as_it_came() {
    let page = open("title.html").await;

    let start = Instant::now();
    let failure = refused(&page, "navigate", json!({ "url": server().url("/cut") })).await;

    assert_eq!(failure.code, "navigation_failed", "{}", failure.text());
    let sentence = format!("{} broke off before the page was complete", server().host());
    assert!(failure.message.ends_with(&sentence), "{}", failure.message);
    assert_eq!(failure.done.map(|done| done.name()), Some("yes"));
    assert!(start.elapsed() < Duration::from_secs(10), "it took {:?}", start.elapsed());
    let tree = text_of(&page, "snapshot", json!({})).await;
    assert!(tree.contains("Half a page"), "{tree}");
    assert_opens_a_page(&page).await;
}
