//! Tools: MCP knows no action by name.

use btcp_actions::Catalog;
use btcp_actions::engine::{Sessions, Settings};
use serde_json::{Value, json};

use crate::client::{Client, REVISIONS, STATELESS, text};

#[tokio::test]
async fn a_made_up_action_is_listed_described_and_callable() {
    for revision in REVISIONS {
        let mut client = Client::ready(revision).await;

        let list = client.ask(1, "tools/list", json!({})).await;
        let mut tools = list["result"]["tools"].as_array().unwrap().iter();
        assert_eq!(
            *tools.find(|tool| tool["name"] == "browser_greet").unwrap(),
            json!({
                "name": "browser_greet",
                "description": "Say hello to someone.",
                "inputSchema": {
                    "type": "object",
                    "properties": {
                        "name": { "type": "string", "description": "Whom to greet." },
                    },
                    "required": ["name"],
                },
                "annotations": { "readOnlyHint": true },
            })
        );

        let described = client.call("browser_describe", json!({ "action": "greet" })).await;
        assert!(text(&described).contains("Say hello to someone."), "{described}");
        assert_eq!(text(&client.call("Greet", json!({ "name": "Ada" })).await), "Hello Ada");
    }
}

#[tokio::test]
async fn pictures_follow_the_text() {
    let mut client = Client::ready("2025-11-25").await;
    let answer = client.call("browser_paint", json!({})).await;
    assert_eq!(
        answer["result"],
        json!({ "content": [
            { "type": "text", "text": "Two pictures" },
            { "type": "image", "data": "AAAA", "mimeType": "image/png" },
            { "type": "image", "data": "BBBB", "mimeType": "image/png" },
        ] })
    );
}

/// Every token of the list is paid in every conversation.
#[tokio::test]
async fn the_real_list_is_compact_and_its_names_are_safe() {
    let catalog = Catalog::new(Sessions::new(Settings::default()));
    let mut client = Client::of(catalog.clone(), STATELESS, 64 * 1024);
    let list = client.ask(1, "tools/list", json!({})).await;
    let tools = list["result"]["tools"].as_array().unwrap();
    assert_eq!(tools.len(), catalog.entries().len());
    for tool in tools {
        let name = tool["name"].as_str().unwrap();
        let safe = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
        assert!(name.chars().all(safe) && name.len() <= 64, "{name}");
        for key in tool.as_object().unwrap().keys() {
            assert!(["name", "description", "inputSchema", "annotations"].contains(&key.as_str()));
        }
        assert_eq!(tool["inputSchema"]["type"], "object", "{tool}");
        if let Some(annotations) = tool.get("annotations") {
            assert_eq!(annotations, &json!({ "readOnlyHint": true }), "{tool}");
        }
    }
}

/// The budget of tokens is counted on the manifest, so the manifest must say what we list.
#[tokio::test]
async fn the_default_list_is_that_of_the_manifest() {
    let catalog = Catalog::new(Sessions::new(Settings::default()));
    let manifest: Value =
        serde_json::from_str(&btcp_actions::export::manifest(catalog.entries())).unwrap();
    let actions = manifest["actions"].as_array().unwrap();
    let expected: Vec<Value> = manifest["presets"]["agent"]
        .as_array()
        .unwrap()
        .iter()
        .map(|name| {
            let action = actions.iter().find(|action| action["name"] == *name).unwrap();
            let mut tool = json!({
                "name": action["tool"],
                "description": action["description"],
                "inputSchema": action["inputSchema"],
            });
            if action["access"] == "reads" {
                tool["annotations"] = json!({ "readOnlyHint": true });
            }
            tool
        })
        .collect();

    let options = btcp_servers::mcp::McpOptions::new(catalog.grant("agent").unwrap());
    let mut client =
        Client::with_options(catalog.clone(), "2025-11-25", 64 * 1024, options.clone());
    client.greet().await;
    let list = client.ask(1, "tools/list", json!({})).await;
    let listed = list["result"]["tools"].to_string();
    assert_eq!(listed, Value::Array(expected.clone()).to_string(), "to the byte");

    // Where each request stands alone there is one tool more, and sessions can be named.
    let mut client = Client::with_options(catalog, STATELESS, 64 * 1024, options);
    let list = client.ask(1, "tools/list", json!({})).await;
    let listed = list["result"]["tools"].as_array().unwrap();
    assert_eq!(listed.len(), expected.len() + 1);
    for (listed, expected) in listed.iter().zip(&expected) {
        let (mut listed, name) = (listed.clone(), expected["name"].to_string());
        let properties = listed["inputSchema"]["properties"].as_object_mut().unwrap();
        let session = properties.shift_remove("session");
        assert_eq!(session.is_some(), name != "\"browser_describe\"", "{name}");
        assert_eq!(listed.to_string(), expected.to_string());
    }
}

#[tokio::test]
async fn a_tool_outside_the_toolset_is_denied_not_unknown() {
    let catalog = crate::actions::catalog();
    let options = btcp_servers::mcp::McpOptions::new(catalog.grant("browser_paint").unwrap());
    let mut client = Client::with_options(catalog, STATELESS, 64 * 1024, options);
    let list = client.ask(1, "tools/list", json!({})).await;
    assert_eq!(list["result"]["tools"].as_array().map(Vec::len), Some(1));
    let answer = client.call("browser_greet", json!({ "name": "Ada" })).await;
    assert_eq!(answer["result"]["isError"], true);
    assert!(text(&answer).ends_with("(denied)"), "{answer}");
}
