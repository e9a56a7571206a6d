//! Headers of the person's own: with every request to their origin, and with no other.

use btcp_engine::Settings;
use btcp_testkit::{TestPage, empty_with, server};
use serde_json::json;

const HEADER: &str = "x-team: blue";

async fn page() -> TestPage {
    let header = format!("{}={HEADER}", server().origin()).parse().expect("it is a header");
    empty_with(Settings { headers: vec![header], ..Settings::default() }).await
}

/// What the server was sent, as the page it answered with shows it.
async fn sent(page: &TestPage, url: &str) -> String {
    page.call("navigate", json!({ "url": url })).await.expect("it is there");
    let text = page.eval("document.body.innerText").await;
    text.as_str().expect("a page has text").to_owned()
}

#[tokio::test]
async fn a_header_goes_to_its_origin_and_nowhere_else() {
    let page = page().await;
    let (ours, other) = (server().url("/echo"), format!("{}/echo", server().other_origin()));
    assert!(sent(&page, &ours).await.contains(HEADER));
    assert!(!sent(&page, &other).await.contains(HEADER));
    // Where a redirect leads is asked anew.
    let there = format!("{}/redirect?to={other}", server().origin());
    assert!(!sent(&page, &there).await.contains(HEADER));
    let back = format!("{}/redirect?to={ours}", server().other_origin());
    assert!(sent(&page, &back).await.contains(HEADER));
}

/// Scripts, frames and workers ask too; a body and the headers of the page's own stay.
#[tokio::test]
async fn whoever_asks_the_header_is_there() {
    let page = page().await;
    page.call("navigate", json!({ "url": server().url("click.html") })).await.unwrap();
    let script = "fetch('/echo', { method: 'POST', body: 'hello', headers: { 'x-mine': '1', 'x-team': 'red' } })
        .then((answer) => answer.text())";
    let told = page.eval(script).await;
    let told = told.as_str().unwrap();
    assert!(told.contains(HEADER) && !told.contains("red"), "{told}");
    assert!(
        told.contains("x-mine: 1") && told.contains("POST") && told.ends_with("hello"),
        "{told}"
    );

    let worker = "new Promise((done) => {
        const code = `fetch('${location.origin}/echo').then((a) => a.text()).then(postMessage)`
        const worker = new Worker(URL.createObjectURL(new Blob([code])))
        worker.onmessage = (event) => done(event.data)
    })";
    let told = page.eval(worker).await;
    assert!(told.as_str().unwrap().contains(HEADER), "{told}");

    let frame = |origin: &str| {
        format!(
            "new Promise((done) => {{
                const frame = document.createElement('iframe')
                frame.onload = () => done(frame.contentDocument?.body.innerText ?? 'closed')
                frame.src = '{origin}/echo'
                document.body.append(frame)
            }})"
        )
    };
    let told = page.eval(&frame(&server().origin())).await;
    assert!(told.as_str().unwrap().contains(HEADER), "{told}");
    // In a frame of another site the page cannot look; we can.
    page.eval(&frame(&server().other_origin())).await;
    let seen = page.call("snapshot", json!({})).await.unwrap();
    let seen = seen.data["tree"].as_str().unwrap().to_owned();
    assert_eq!(seen.matches(HEADER).count(), 1, "only in the frame of its origin: {seen}");
}

/// A service worker belongs to no page, and is not held up until we know of it.
#[tokio::test]
async fn a_service_worker_sends_the_header_too() {
    let page = page().await;
    let url = server().url("headers/index.html");
    page.call("navigate", json!({ "url": url })).await.unwrap();
    let asked =
        format!("(async () => {{ while (!(await ask()).includes('{HEADER}')); return 'sent' }})()");
    assert_eq!(page.eval(&asked).await, "sent");
}

/// Together with what else holds requests: passwords, and rules about navigations.
#[tokio::test]
async fn a_header_goes_along_with_passwords_and_rules() {
    let origin = server().origin();
    let settings = || {
        let header = format!("{origin}={HEADER}").parse().unwrap();
        Settings { headers: vec![header], ..Settings::default() }
    };
    let mut ruled = settings();
    ruled.egress.allow = vec![origin.parse().unwrap()];
    let known = format!("{origin}=ada:secret").parse().unwrap();
    let known = Settings { credentials: vec![known], ..settings() };
    for settings in [ruled, known] {
        let page = empty_with(settings).await;
        assert!(sent(&page, &server().url("/echo")).await.contains(HEADER));
        let told = page.eval("fetch('/echo').then((answer) => answer.text())").await;
        assert!(told.as_str().unwrap().contains(HEADER), "{told}");
    }
}
