//! Sessions and tabs of the real binary: floods, a start page, handles without a connection.

use std::path::Path;

use btcp_testkit::{Mcp, Surface, server};
use serde_json::{Value, json};

use crate::processes::BTCP;

async fn mcp(flags: &[&str]) -> Mcp {
    Mcp::start_with(Path::new(BTCP), flags).await
}

/// 200 windows at one click, in a Chrome whose popup blocker is off: no more tabs than there may
/// be, the agent is told, and Chrome lives.
#[tokio::test]
async fn a_flood_of_windows_is_capped_and_told() {
    let flags =
        ["--toolset", "all", "--extra-args", "--disable-popup-blocking", "--max-tabs", "10"];
    let mcp = mcp(&flags).await;
    mcp.call("navigate", json!({ "url": server().url("engine/flood.html") })).await.unwrap();

    let refusal =
        mcp.call("click", json!({ "selector": "#flood", "timeout": "3m" })).await.unwrap_err();

    assert_eq!(refusal.code, "session_limit", "{}", refusal.text);
    assert!(
        refusal.text.contains("more windows than a session may have tabs (10)"),
        "{}",
        refusal.text
    );
    assert!(refusal.text.ends_with("(session_limit, done: yes)"), "{}", refusal.text);
    let list = mcp.call("get_all_tabs", json!({})).await.unwrap().text;
    assert_eq!(list.lines().count(), 10, "{list}");
    let title = mcp.call("title", json!({})).await.unwrap().text;
    assert_eq!(title, "\"flood\"");
    mcp.call("close_tab", json!({ "tabId": 2 })).await.unwrap();
    let opened = mcp.call("tabs", json!({ "do": "new" })).await.unwrap().text;
    assert!(opened.starts_with("opened tab "), "{opened}");
}

#[tokio::test]
async fn a_start_page_opens_with_the_first_call() {
    let url = server().url("title.html");
    let started = mcp(&["--url", &url]).await;
    let tree = started.call("snapshot", json!({})).await.unwrap().text;
    assert!(tree.starts_with(&format!("page \"title\" {url}")), "{tree}");

    let nowhere = mcp(&["--url", "http://127.0.0.1:1/"]).await;
    let refusal = nowhere.call("snapshot", json!({})).await.unwrap_err();
    assert_eq!(refusal.code, "navigation_failed", "{}", refusal.text);
    let tree = nowhere.call("snapshot", json!({})).await.unwrap().text;
    assert!(tree.starts_with("page "), "{tree}");
}

/// A request that stands for itself, in the revision without a connection.
async fn alone(mcp: &Mcp, method: &str, mut params: Value) -> Value {
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    mcp.request(method, params).await["result"].clone()
}

#[tokio::test]
async fn where_requests_stand_alone_sessions_are_named() {
    let mcp = mcp(&[]).await;
    let list = alone(&mcp, "tools/list", json!({})).await;
    let tools = list["tools"].as_array().unwrap();
    let named = |name: &str| tools.iter().find(|tool| tool["name"] == name);
    assert!(named("browser_session").is_some(), "{list}");
    assert!(named("browser_click").unwrap()["inputSchema"]["properties"]["session"].is_object());
    let usual = mcp.request("tools/list", json!({})).await;
    assert!(!usual.to_string().contains("browser_session"), "{usual}");

    let call = |name: &str, args: Value| {
        alone(&mcp, "tools/call", json!({ "name": name, "arguments": args }))
    };
    let made = call("browser_session", json!({ "do": "new" })).await;
    let text = made["content"][0]["text"].as_str().unwrap();
    let handle = text.strip_prefix("session ").unwrap();
    assert_eq!(handle.len(), 32);
    let url = server().url("title.html");
    let own = call("browser_navigate", json!({ "url": url })).await;
    assert_eq!(own["_meta"]["btcp/session"], "default", "{own}");
    let other = call("browser_tabs", json!({ "session": handle })).await;
    assert_eq!(other["_meta"]["btcp/session"], handle, "{other}");
    let tabs = other["content"][0]["text"].as_str().unwrap();
    assert!(tabs.contains("about:blank") && !tabs.contains("title"), "{tabs}");
    let nobody = call("browser_tabs", json!({ "session": "0123" })).await;
    let text = nobody["content"][0]["text"].as_str().unwrap();
    assert!(text.ends_with("(session_gone, done: no)"), "{text}");
}
