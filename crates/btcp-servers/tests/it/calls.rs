//! Calls under way: side by side, cancelled, broken, too many, too slow to be read.

use btcp_servers::mcp::McpOptions;
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt;

use crate::actions::{EVENTS, catalog};
use crate::client::{Client, REVISIONS, STATELESS, error, text};

#[tokio::test]
async fn a_cancelled_call_stops_and_is_never_answered() {
    for revision in REVISIONS {
        let mut client = Client::ready(revision).await;
        let name = format!("cancelled in {revision}");
        client.stall("slow", &name).await;

        let params = json!({ "requestId": "slow", "reason": "no longer needed" });
        let cancelled = "notifications/cancelled";
        client.write(&json!({ "jsonrpc": "2.0", "method": cancelled, "params": params })).await;
        client.hears(&format!("dropped {name}")).await;
        client.is_up_to_date().await;
        assert_eq!(client.leave().await, Vec::<Value>::new(), "{revision}");
    }
}

#[tokio::test]
async fn a_number_and_the_same_digits_are_two_ids() {
    let mut client = Client::ready("2025-11-25").await;
    client.stall(7, "number").await;
    client.stall("7", "digits").await;
    let params = json!({ "requestId": "7" });
    client
        .write(&json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": params }))
        .await;
    client.hears("dropped digits").await;
    client.is_up_to_date().await;
}

#[tokio::test]
async fn a_cancelled_member_is_left_out_of_its_batch() {
    let mut client = Client::ready("2025-03-26").await;
    let stall = json!({ "name": "browser_stall", "arguments": { "name": "in a batch" } });
    let batch =
        json!([client.request(1, "tools/call", stall), client.request(2, "ping", json!({}))]);
    client.write(&batch).await;
    client.hears("began in a batch").await;

    let params = json!({ "requestId": 1 });
    client
        .write(&json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": params }))
        .await;
    assert_eq!(client.read().await, json!([{ "jsonrpc": "2.0", "id": 2, "result": {} }]));
}

#[tokio::test]
async fn a_slow_call_delays_nobody() {
    for revision in REVISIONS {
        let mut client = Client::ready(revision).await;
        client.stall("slow", &format!("slow in {revision}")).await;
        let answer = client.call("browser_greet", json!({ "name": "Ada" })).await;
        assert_eq!(text(&answer), "Hello Ada");
    }
}

#[tokio::test]
async fn an_id_in_use_is_refused_without_answering_for_the_first() {
    let mut client = Client::ready("2025-11-25").await;
    client.stall(1, "the first of two").await;
    client.write(&client.request(1, "ping", json!({}))).await;
    let answer = client.read().await;
    assert_eq!(answer["id"], Value::Null);
    assert_eq!(error(&answer).0, -32600);
}

#[tokio::test]
async fn a_bug_in_an_action_is_an_answer_not_silence() {
    let mut client = Client::ready(STATELESS).await;
    let answer = client.call("browser_break", json!({})).await;
    assert_eq!(error(&answer).0, -32603);
    client.is_up_to_date().await;
}

#[tokio::test]
async fn more_calls_than_an_agent_has_hands_are_refused() {
    let mut client = Client::ready("2025-11-25").await;
    for number in 0..128 {
        client.stall(number, &format!("one of many, {number}")).await;
    }
    let answer = client.ask("one more", "ping", json!({})).await;
    assert_eq!(error(&answer), (-32603, "128 requests are already under way"));
}

/// The clock stands still until nothing can move, so running into the limit proves a standstill.
#[tokio::test(start_paused = true)]
async fn a_client_that_stops_reading_is_not_read_from_either() {
    const MANY: usize = 20_000;
    let client = Client::of(catalog(), "2025-11-25", 1024);
    let (mut input, mut output) = client.pipes();
    let ping = |id: usize| format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"ping\"}}\n");

    let mut sent = 0;
    let limit = std::time::Duration::from_secs(3600);
    while tokio::time::timeout(limit, input.write_all(ping(sent).as_bytes())).await.is_ok() {
        sent += 1;
        assert!(sent < MANY, "it reads on, whatever we do");
    }
    assert!(sent < 1000, "{sent} lines were taken while none was read");

    drop(input);
    let mut answered = 0;
    while output.next_line().await.unwrap().is_some() {
        answered += 1;
    }
    assert!(answered >= sent, "{answered} of {sent} were answered");
}

#[tokio::test]
async fn progress_is_told_to_those_who_asked_and_ends_with_the_answer() {
    for revision in REVISIONS {
        let catalog = catalog();
        let options = McpOptions::new(catalog.grant("all").unwrap());
        let progress = options.progress.clone();
        let mut client = Client::with_options(catalog, revision, 64 * 1024, options);
        client.greet().await;
        let until = format!("fetched in {revision}");
        let params = json!({
            "name": "browser_fetch",
            "arguments": { "until": until },
            "_meta": { "progressToken": "token" },
        });
        client.write(&client.request(1, "tools/call", params)).await;
        client.hears(&format!("began {until}")).await;
        client.stall("silent", &format!("silent in {revision}")).await;

        progress.send("Installing Chromium".into()).unwrap();
        let told = client.read().await;
        assert_eq!(told["method"], "notifications/progress", "{revision}: {told}");
        assert_eq!(told["params"]["progressToken"], "token");
        assert_eq!(told["params"]["message"], "Installing Chromium");
        progress.send("Starting Chromium".into()).unwrap();
        let more = client.read().await;
        assert!(more["params"]["progress"].as_f64() > told["params"]["progress"].as_f64());

        EVENTS.send(until).unwrap();
        assert_eq!(text(&client.read().await), "Fetched");
        client.is_up_to_date().await;
    }
}
