//! One pipe, both eras: which one a request is in, it says itself.

use serde_json::{Value, json};

use crate::client::{Client, STATELESS, initialize};

fn meta() -> serde_json::Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": STATELESS,
        "io.modelcontextprotocol/clientCapabilities": {},
    })
}

#[tokio::test]
async fn a_probe_does_not_keep_a_client_from_initialize() {
    let mut client = Client::silent("2025-06-18");
    let probe = client.ask(1, "server/discover", json!({ "_meta": meta() })).await;
    assert_eq!(probe["result"]["resultType"], "complete");

    client.greet().await;
    let list = client.ask(2, "tools/list", json!({})).await;
    assert!(list["result"].get("resultType").is_none(), "{list}");
}

#[tokio::test]
async fn a_client_that_called_without_initialize_may_still_initialize() {
    let mut client = Client::silent("2025-06-18");
    let params =
        json!({ "name": "browser_greet", "arguments": { "name": "Ada" }, "_meta": meta() });
    let answer = client.ask(1, "tools/call", params).await;
    assert_eq!(answer["result"]["resultType"], "complete");

    client.greet().await;
    let answer = client.call("browser_greet", json!({ "name": "Ada" })).await;
    assert!(answer["result"].get("resultType").is_none(), "{answer}");
}

#[tokio::test]
async fn stateless_requests_are_served_beside_a_settled_revision() {
    let mut client = Client::ready("2024-11-05").await;
    for _ in 0..2 {
        let stateless = client.ask(1, "tools/list", json!({ "_meta": meta() })).await;
        assert_eq!(stateless["result"]["resultType"], "complete");
        let settled = client.ask(2, "tools/list", json!({})).await;
        assert!(settled["result"].get("resultType").is_none(), "{settled}");
        assert_eq!(without_session(&stateless), settled["result"]["tools"]);
    }
}

/// The tools of a list where sessions are named, as they are listed where they are not.
fn without_session(list: &Value) -> Value {
    let mut tools = list["result"]["tools"].clone();
    let mut naming = 0;
    for tool in tools.as_array_mut().into_iter().flatten() {
        let properties = tool["inputSchema"]["properties"].as_object_mut();
        naming += usize::from(properties.and_then(|all| all.remove("session")).is_some());
    }
    assert!(naming > 0, "{list}");
    tools
}

/// Clients may send on before they have read the answer to `initialize`.
#[tokio::test]
async fn requests_may_follow_initialize_without_waiting() {
    let mut client = Client::silent("2024-11-05");
    client.write(&client.request(1, "initialize", initialize("2024-11-05"))).await;
    client.write(&client.request(2, "tools/list", json!({}))).await;
    let answers = [client.read().await, client.read().await];
    for answer in answers {
        assert!(answer["result"].is_object(), "{answer}");
        assert!(answer["result"].get("resultType").is_none(), "{answer}");
    }
}
