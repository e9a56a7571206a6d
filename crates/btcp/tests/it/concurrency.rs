//! Many conversations at work in one Chrome.

use std::process::Command;

use btcp::{Browser, Session};
use btcp_testkit::{OwnChrome, server};
use serde_json::{Value, json};

use crate::processes::{BTCP, Mcp};

const SESSIONS: usize = 50;
const ROUNDS: usize = 2;

/// Fifty pages share the cores that one page has elsewhere.
const PATIENT: &str = "5m";

async fn call(session: &Session, action: &str, mut args: Value) -> Value {
    args["timeout"] = json!(PATIENT);
    match session.call(action, args).await {
        Ok(outcome) => outcome.data,
        Err(failure) => panic!("{}: {action}: {}", session.id(), failure.text()),
    }
}

/// One conversation: leaves its name wherever a page can keep one and reads it back.
async fn work(session: Session) {
    let name = session.id().to_owned();
    let cookie = server().url(&format!("set-cookie?who={name}"));
    call(&session, "navigate", json!({ "url": cookie })).await;
    for round in 0..ROUNDS {
        call(&session, "navigate", json!({ "url": server().url("recovery/shop.html") })).await;
        let note = format!("{name} {round}");
        call(&session, "fill", json!({ "selector": "#note", "value": note })).await;
        call(&session, "evaluate", json!({ "script": format!("fillBasket('{name}')") })).await;
        let script = "[note.value, localStorage.basket, document.cookie.split('; ').sort().join()]";
        let found = call(&session, "evaluate", json!({ "script": script })).await;
        let cookies = format!("visitor={name},who={name}");
        assert_eq!(found["result"], json!([note, name, cookies]), "{name}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn fifty_sessions_lose_no_call_and_mix_no_cookie() {
    let chrome = OwnChrome::new();
    let browser = Browser::new(chrome.settings());

    let sessions = (0..SESSIONS).map(|number| {
        tokio::spawn(work(browser.session(&format!("s{number}")).with_toolset("all").unwrap()))
    });
    for session in sessions.collect::<Vec<_>>() {
        session.await.unwrap();
    }

    assert_eq!(browser.conversations().len(), SESSIONS);
    assert_eq!(chrome.leaders().len(), 1, "they share one Chrome");
    browser.close().await;
}

/// Sends two calls to one field, the second before the first is answered; what is in it then.
fn types_twice(mcp: &mut Mcp, round: u64) -> String {
    for (id, text) in [(100 + round, "aaaaa"), (200 + round, "bbbbb")] {
        let args = json!({ "selector": "#keys", "text": text, "delay": 20, "timeout": PATIENT });
        mcp.send_as(id, "tools/call", json!({ "name": "browser_type", "arguments": args }));
    }
    for id in [100 + round, 200 + round] {
        let answer = mcp.read();
        assert_eq!(answer["id"], id, "{answer}");
        assert!(answer["result"].get("isError").is_none(), "{answer}");
    }
    let field = "document.getElementById('keys')";
    let script = format!("const typed = {field}.value; {field}.value = ''; return typed");
    mcp.call("browser_evaluate", json!({ "script": script }))
}

/// Two calls to one tab happen in the order in which they came: also the very first ones, which wait
/// for a browser to start.
#[test]
fn calls_that_come_together_happen_in_their_order() {
    let url = server().url("type.html");
    let mut mcp = Mcp::of(Command::new(BTCP).args(["mcp", "--url", &url]));

    for round in 0..5 {
        assert_eq!(types_twice(&mut mcp, round), "\"aaaaabbbbb\"", "round {round}");
    }
}

/// A page that hangs holds up neither the list of tools nor other tabs.
#[test]
fn tools_are_listed_and_other_tabs_work_while_a_page_hangs() {
    let mut mcp = Mcp::start();
    mcp.call("browser_navigate", json!({ "url": server().url("engine/loop.html") }));
    let args = json!({ "selector": "#loop", "timeout": PATIENT });
    mcp.send_as(100, "tools/call", json!({ "name": "browser_click", "arguments": args }));

    // Each is the next line: the click is not answered before them.
    let list = mcp.ask("tools/list", json!({}));
    assert!(list["result"]["tools"].as_array().is_some_and(|tools| !tools.is_empty()), "{list}");
    let other = json!({ "do": "new", "url": server().url("title.html") });
    assert!(mcp.call("browser_tabs", other).contains("opened tab 2"));
    assert_eq!(mcp.call("browser_evaluate", json!({ "script": "document.title" })), "\"title\"");
    mcp.call("browser_tabs", json!({ "do": "close", "tabId": 1 }));

    // It had been pressed, and its tab is gone: there is nothing more to wait for.
    assert_eq!(mcp.read()["id"], 100);
}
