//! The end: of the input, and of a client that is gone.

use serde_json::json;

use crate::client::{Client, REVISIONS, STATELESS, text};

#[tokio::test]
async fn calls_that_are_nearly_done_are_still_answered() {
    for revision in REVISIONS {
        let mut client = Client::ready(revision).await;
        let params = json!({ "name": "browser_greet", "arguments": { "name": "Ada" } });
        client.write(&client.request(1, "tools/call", params)).await;
        let rest = client.leave().await;
        assert_eq!(rest.len(), 1, "{revision}: {rest:?}");
        assert_eq!(text(&rest[0]), "Hello Ada");
    }
}

/// The clock jumps as soon as everyone waits, so this takes no time if nobody else holds us up.
#[tokio::test(start_paused = true)]
async fn calls_that_would_never_end_are_stopped_within_two_seconds() {
    for revision in REVISIONS {
        let mut client = Client::ready(revision).await;
        client.stall(1, &format!("left alone in {revision}")).await;
        let left = tokio::time::Instant::now();
        client.leave().await;
        let took = left.elapsed();
        assert!(took < std::time::Duration::from_secs(2), "{revision}: {took:?}");
    }
}

#[tokio::test]
async fn a_last_line_without_an_end_is_answered() {
    let mut client = Client::silent(STATELESS);
    let request = client.request(1, "tools/list", json!({})).to_string();
    client.write_bytes(request.as_bytes()).await;
    let rest = client.leave().await;
    assert_eq!(rest.len(), 1, "{rest:?}");
}

#[tokio::test]
async fn a_client_that_closed_its_end_of_the_output_ends_the_server() {
    let mut client = Client::ready("2025-11-25").await;
    client.stall(1, "nobody listens").await;
    client.stops_listening_and_asks("ping").await;
}
