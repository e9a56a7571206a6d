//! A crash is no way around the egress guard.

use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use btcp::Names;
use btcp_testkit::{World, server};
use serde_json::json;

use crate::recovery::{Own, eval, outcome, said};

/// A site that counts who connects.
fn counting_site() -> (u16, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
    let port = listener.local_addr().expect("it is bound").port();
    let connected = Arc::new(AtomicUsize::new(0));
    let counted = connected.clone();
    std::thread::spawn(move || {
        for mut stream in listener.incoming().map_while(Result::ok) {
            counted.fetch_add(1, Ordering::SeqCst);
            std::thread::spawn(move || {
                let _ = stream.read(&mut [0; 4096]);
                let page = "<!doctype html><title>site</title>";
                let head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close";
                let length = page.len();
                let _ = write!(stream, "{head}\r\nContent-Length: {length}\r\n\r\n{page}");
            });
        }
    });
    (port, connected)
}

/// A page led its tab to this machine and was refused: a tab that is opened again after a crash does not
/// ask in the agent's name.
#[tokio::test]
async fn a_crash_does_not_lead_where_a_page_could_not() {
    let (port, connected) = counting_site();
    let own = Own::set(|settings| {
        settings.egress.names = Some(Names(Arc::new(World::new(&[]))));
        settings.spare = false;
    });
    let session = own.browser.session("ada").with_toolset("all").unwrap();
    for host in ["10.9.8.7", "127.0.0.1"] {
        let target = format!("http://{host}:{port}");
        let attack = format!("boundary/attack.html?target={target}");
        let url = format!("http://public.test:{}/{attack}", server().port());
        said(&session, "navigate", json!({ "url": url, "timeout": "60s" })).await;
        said(&session, "click", json!({ "selector": "#location" })).await;
        let at = outcome(&session, "url", json!({})).await.data["url"].clone();
        assert_eq!(at, format!("{target}/location"));
        own.copied("ada").await;

        own.crash().await;

        // Chrome's own page, which says that it could not be had, comes a moment later.
        let begun = Instant::now();
        loop {
            let at =
                outcome(&session, "url", json!({ "timeout": "60s" })).await.data["url"].clone();
            if at == format!("{target}/location") {
                break;
            }
            assert!(begun.elapsed() < Duration::from_secs(60), "the tab was opened at {at}");
        }
        assert_eq!(connected.load(Ordering::SeqCst), 0, "somebody connected to {host}");
    }
    own.browser.close().await;
}

/// What was public before the crash does not count as this machine's after it, and who has been on
/// the internet has been there: a killed Chrome is no way around the guard.
#[tokio::test]
async fn the_guard_remembers_across_a_crash() {
    let (port, connected) = counting_site();
    let world = World::new(&[("rebinds.test", &["203.0.113.9", "127.0.0.1"])]);
    let own = Own::set(|settings| {
        settings.egress.names = Some(Names(Arc::new(world)));
        settings.spare = false;
    });
    let session = own.browser.session("ada").with_toolset("all").unwrap();
    let url = format!("http://rebinds.test:{port}/");
    said(&session, "navigate", json!({ "url": url })).await;
    assert_eq!(said(&session, "title", json!({})).await, "\"site\"");
    own.copied("ada").await;

    own.crash().await;
    let before = connected.load(Ordering::SeqCst);

    // The tab is opened again at its address, but the name now stands for this machine.
    let there = session.call("evaluate", json!({ "script": "document.title" })).await;
    let title = there.map(|outcome| outcome.data["result"].to_string());
    assert!(!title.as_ref().is_ok_and(|title| title.contains("site")), "{title:?}");
    let refused = session.call("navigate", json!({ "url": url })).await.unwrap_err();
    assert_eq!(refused.code, "denied", "{}", refused.text());
    let rule = "its name stood for a public address before";
    assert!(refused.text().contains(rule), "{}", refused.text());

    // A page of this machine gets no picture of another site's there, as before the crash.
    let local = format!("http://localhost:{}/title.html", server().port());
    said(&session, "navigate", json!({ "url": local })).await;
    let load = format!(
        "new Promise((done) => {{ const image = new Image(); image.onerror = () => done(1); \
         image.src = 'http://127.0.0.1:{port}/picture' }})"
    );
    eval(&session, &load).await;
    assert_eq!(connected.load(Ordering::SeqCst), before, "somebody got through");
    own.browser.close().await;
}
