//! The WebSocket transport with a real Chrome at the other end.

use std::sync::Arc;
use std::time::Duration;

use btcp_cdp::{Connection, Error, Event, EventHandler, browser, runtime, target};
use btcp_testkit::ForeignChrome;
use tokio::time::Instant;

use crate::launch::without_chrome;

struct Deaf;

impl EventHandler for Deaf {
    fn event(&self, _: &Connection, _: Event<'_>) {}

    fn closed(&self, _: &str) {}
}

fn later() -> Instant {
    Instant::now() + Duration::from_secs(60)
}

/// Fifty megabytes come in one message; then Chrome is killed, and nobody waits for it.
#[tokio::test]
async fn a_chrome_by_web_socket_sends_large_answers_and_its_end_is_noticed() {
    if without_chrome() {
        return;
    }
    let mut chrome = ForeignChrome::new();
    let connection = chrome.connect(Arc::new(Deaf)).await;
    let version = connection.call(None, &browser::GetVersion, later()).await.unwrap();
    assert!(version.product.contains("Chrome/"), "{version:?}");
    let make = target::CreateTarget { url: "about:blank", ..Default::default() };
    let made = connection.call(None, &make, later()).await.unwrap();
    let attach = target::AttachToTarget { target_id: &made.target_id, flatten: true };
    let session = connection.call(None, &attach, later()).await.unwrap().session_id;

    let script = runtime::Evaluate {
        return_by_value: Some(true),
        ..runtime::Evaluate::of("'x'.repeat(50_000_000)")
    };
    let large = connection.call(Some(&session), &script, later()).await.unwrap();
    assert_eq!(large.result.value.unwrap().get().len(), 50_000_002);

    let forever = runtime::Evaluate::of("for (;;);");
    let hangs = connection.call(Some(&session), &forever, later());
    chrome.kill();

    assert!(matches!(hangs.await, Err(Error::Closed { .. })));
    assert!(connection.is_closed());
}
