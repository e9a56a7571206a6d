//! `--structured`: the same text twice, for clients that read only the structured part.

use btcp_servers::mcp::McpOptions;
use serde_json::{Value, json};

use crate::actions::catalog;
use crate::client::{Client, REVISIONS, STATELESS, error};

async fn client(revision: &'static str) -> Client {
    let catalog = catalog();
    let options = McpOptions { structured: true, ..McpOptions::new(catalog.grant("all").unwrap()) };
    let mut client = Client::with_options(catalog, revision, 64 * 1024, options);
    client.greet().await;
    client
}

/// Structured results came with 2025-06-18.
fn has_them(revision: &str) -> bool {
    revision >= "2025-06-18"
}

#[tokio::test]
async fn a_result_carries_the_same_text_in_both_parts() {
    for revision in REVISIONS {
        let mut client = client(revision).await;
        let answer = client.call("browser_quote", json!({})).await;
        let result = &answer["result"];

        let text = result["content"][0]["text"].as_str().unwrap();
        assert!(text.starts_with("<page "), "{text}");
        match has_them(revision) {
            true => assert_eq!(result["structuredContent"], json!({ "text": text }), "{revision}"),
            false => assert!(result.get("structuredContent").is_none(), "{revision}: {result}"),
        }
        assert!(result.get("isError").is_none(), "{revision}: {result}");
    }
}

#[tokio::test]
async fn an_error_has_its_code_hint_and_done_apart() {
    for revision in REVISIONS {
        let mut client = client(revision).await;
        let answer = client.call("browser_refuse", json!({})).await;
        let result = &answer["result"];

        assert_eq!(result["isError"], true, "{revision}");
        let text = result["content"][0]["text"].as_str().unwrap();
        let structured = json!({
            "text": text,
            "code": "denied",
            "hint": "Start btcp with --toolset to add tools.",
            "done": "no",
        });
        match has_them(revision) {
            true => assert_eq!(result["structuredContent"], structured, "{revision}"),
            false => assert!(result.get("structuredContent").is_none(), "{revision}: {result}"),
        }
    }
}

#[tokio::test]
async fn reading_errors_have_no_done() {
    let mut client = client(STATELESS).await;
    let answer = client.call("browser_greet", json!({})).await;
    let structured = &answer["result"]["structuredContent"];
    assert_eq!(structured["code"], "invalid_params");
    assert!(structured.get("done").is_none(), "{structured}");
}

#[tokio::test]
async fn pictures_stay_in_the_content() {
    let mut client = client("2025-06-18").await;
    let answer = client.call("browser_paint", json!({})).await;
    let result = &answer["result"];
    assert_eq!(result["structuredContent"], json!({ "text": "Two pictures" }));
    assert_eq!(result["content"].as_array().map(Vec::len), Some(3));
}

/// Every word of it would be paid for in every conversation, and promise what no result needs.
#[tokio::test]
async fn the_list_of_tools_is_the_same_and_declares_no_output() {
    for revision in REVISIONS {
        let with = client(revision).await.ask(1, "tools/list", json!({})).await;
        let without = Client::ready(revision).await.ask(1, "tools/list", json!({})).await;
        assert_eq!(with, without, "{revision}");
        let tools = with["result"]["tools"].as_array().unwrap();
        assert!(tools.iter().all(|tool| tool.get("outputSchema").is_none()), "{revision}");
    }
}

#[tokio::test]
async fn an_unknown_tool_stays_an_error_of_the_protocol() {
    let mut client = client("2025-11-25").await;
    let answer = client.call("browser_gret", Value::Object(serde_json::Map::new())).await;
    assert_eq!(error(&answer).0, -32602);
}

/// One pipe may carry both eras; a result follows its own request.
#[tokio::test]
async fn a_stateless_request_after_an_old_greeting_gets_its_structured_part() {
    let mut client = client("2024-11-05").await;
    let params = json!({
        "name": "browser_paint",
        "arguments": {},
        "_meta": {
            "io.modelcontextprotocol/protocolVersion": STATELESS,
            "io.modelcontextprotocol/clientCapabilities": {},
        },
    });
    let answer = client.ask(1, "tools/call", params).await;
    assert_eq!(answer["result"]["structuredContent"], json!({ "text": "Two pictures" }));
    let answer = client.call("browser_paint", json!({})).await;
    assert!(answer["result"].get("structuredContent").is_none(), "{answer}");
}
