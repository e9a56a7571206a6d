//! A client that stops reading: its answers wait for it, and when it leaves nothing is left.

use std::collections::BTreeSet;
use std::time::Duration;

use btcp_testkit::server;
use serde_json::json;

use crate::processes::{Mcp, until};

/// Far more than the pipe between us and the client holds.
const CALLS: u64 = 60;
const LENGTH: usize = 12_000;

fn floods(mcp: &mut Mcp) {
    mcp.call("browser_navigate", json!({ "url": server().url("title.html") }));
    let script = format!("'x'.repeat({LENGTH})");
    for id in 1..=CALLS {
        let params = json!({ "name": "browser_evaluate", "arguments": { "script": script } });
        mcp.send_as(100 + id, "tools/call", params);
    }
}

#[test]
fn answers_wait_for_a_client_that_does_not_read() {
    let mut mcp = Mcp::start();
    floods(&mut mcp);
    // The last call has run: all that is left is to hand over the answers.
    until(Duration::from_secs(60), "the server has nothing to do", || mcp.is_asleep());

    let mut answered = BTreeSet::new();
    for _ in 0..CALLS {
        let answer = mcp.read();
        let text = answer["result"]["content"][0]["text"].as_str().map_or(0, str::len);
        assert!(text >= LENGTH, "{answer}");
        answered.insert(answer["id"].as_u64());
    }

    assert_eq!(answered.len() as u64, CALLS, "{answered:?}");
    assert_eq!(mcp.call("browser_evaluate", json!({ "script": "document.title" })), "\"title\"");
}

#[test]
fn a_client_that_leaves_without_reading_leaves_nothing_behind() {
    let mut mcp = Mcp::start();
    floods(&mut mcp);
    let family = mcp.family();
    assert!(!family.is_empty());

    mcp.close_input();

    until(Duration::from_secs(5), "the server has ended", || {
        matches!(mcp.process.try_wait(), Ok(Some(_)))
    });
    until(Duration::from_secs(5), "its Chrome is gone", || {
        family.iter().all(|process| !process.is_alive())
    });
}
