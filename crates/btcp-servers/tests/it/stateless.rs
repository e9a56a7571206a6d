//! 2026-07-28: every request stands for itself.

use serde_json::{Value, json};

use crate::client::{Client, REVISIONS, STATELESS, error};

const VERSION: &str = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";

async fn ask_with_meta(client: &mut Client, method: &str, meta: Value) -> Value {
    let params = json!({ "_meta": meta, "name": "browser_paint" });
    client.write(&json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params })).await;
    client.read().await
}

#[tokio::test]
async fn both_keys_are_required_and_the_missing_one_is_named() {
    let mut client = Client::silent(STATELESS);
    for method in ["tools/list", "tools/call", "server/discover"] {
        for (meta, named) in [
            (json!({ CAPABILITIES: {} }), vec![VERSION]),
            (json!({ VERSION: STATELESS }), vec![CAPABILITIES]),
            (json!({ VERSION: 2026, CAPABILITIES: {} }), vec![VERSION]),
            (json!({ VERSION: STATELESS, CAPABILITIES: [] }), vec![CAPABILITIES]),
            (json!({}), vec![VERSION, CAPABILITIES]),
        ] {
            let answer = ask_with_meta(&mut client, method, meta.clone()).await;
            let (code, message) = error(&answer);
            assert_eq!(code, -32602, "{method} {meta}");
            for key in [VERSION, CAPABILITIES] {
                assert_eq!(message.contains(key), named.contains(&key), "{message}");
            }
        }
    }
}

#[tokio::test]
async fn the_optional_keys_are_accepted() {
    let mut client = Client::silent(STATELESS);
    let meta = json!({
        VERSION: STATELESS,
        CAPABILITIES: { "elicitation": { "form": {} }, "extensions": { "a.test/b": {} } },
        "io.modelcontextprotocol/clientInfo": { "name": "test", "version": "1" },
        "io.modelcontextprotocol/logLevel": "debug",
        "a.test/trace": 7,
    });
    let answer = ask_with_meta(&mut client, "tools/call", meta).await;
    assert_eq!(answer["result"]["resultType"], "complete", "{answer}");
}

#[tokio::test]
async fn a_version_we_do_not_speak_is_told_which_we_do() {
    let mut client = Client::silent(STATELESS);
    for requested in ["2099-01-01", "1999-01-01", "2025-11-25", ""] {
        for method in ["tools/list", "tools/call", "server/discover"] {
            let meta = json!({ VERSION: requested, CAPABILITIES: {} });
            let answer = ask_with_meta(&mut client, method, meta).await;
            assert_eq!(error(&answer).0, -32022, "{answer}");
            let data = &answer["error"]["data"];
            let newest_first: Vec<&str> = REVISIONS.into_iter().rev().collect();
            assert_eq!(data["supported"], json!(newest_first));
            assert_eq!(data["requested"], requested);
        }
    }
}

#[tokio::test]
async fn what_the_revision_removed_or_we_do_not_offer_is_unknown() {
    let mut client = Client::silent(STATELESS);
    for method in [
        "ping",
        "logging/setLevel",
        "resources/subscribe",
        "resources/unsubscribe",
        "resources/list",
        "prompts/list",
        "completion/complete",
        "subscriptions/listen",
        "tasks/get",
        "sampling/createMessage",
        "roots/list",
        "elicitation/create",
    ] {
        let answer = client.ask(1, method, json!({})).await;
        assert_eq!(error(&answer).0, -32601, "{method}");
    }
}

#[tokio::test]
async fn the_list_is_the_same_whatever_was_asked_before() {
    let mut client = Client::silent(STATELESS);
    let first = client.ask(1, "tools/list", json!({})).await;
    client.call("browser_refuse", json!({})).await;
    client.ask(1, "server/discover", json!({})).await;
    assert_eq!(client.ask(1, "tools/list", json!({})).await, first);

    let mut other = Client::silent(STATELESS);
    assert_eq!(other.ask(1, "tools/list", json!({})).await, first);
}
