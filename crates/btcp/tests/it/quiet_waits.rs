//! Waiting costs nothing: the page tells when something is so, and nobody asks it again and again.

use std::fs::{self, File};
use std::process::Command;

use btcp_testkit::server;
use serde_json::json;

use crate::processes::{BTCP, Mcp};

/// How many more commands a wait of three seconds more may take; one that asked ten times a second
/// would take thirty.
const SPARE: usize = 8;

#[test]
fn waiting_longer_asks_the_page_no_more() {
    let log = std::env::temp_dir().join(format!("btcp-waits-{}.log", std::process::id()));
    let mut command = Command::new(BTCP);
    command.args(["-vvv", "mcp", "--toolset", "all"]).stderr(File::create(&log).unwrap());
    let mut mcp = Mcp::of(&mut command);
    mcp.call("browser_navigate", json!({ "url": server().url("hard/inside/meanings.html") }));

    for (tool, args) in [
        ("browser_wait", json!({ "selector": "#never" })),
        ("browser_wait", json!({ "selector": "button", "state": "hidden" })),
        ("browser_wait", json!({ "selector": "text=Never" })),
        ("browser_wait", json!({ "selector": "text=Save", "state": "detached" })),
        ("browser_wait", json!({ "text": "Never" })),
        ("browser_wait", json!({ "gone": "Save" })),
        ("browser_wait_for_url", json!({ "url": "/never" })),
        ("browser_wait_for_function", json!({ "expression": "log.includes('never')" })),
        ("browser_wait_for_function", json!({ "expression": "return log.includes('never')" })),
        (
            "browser_wait_for_function",
            json!({ "expression": "let all = log\nall.includes('never')" }),
        ),
        (
            "browser_wait_for_function",
            json!({ "expression": "const all = await Promise.resolve(log); all.includes('never');" }),
        ),
        (
            "browser_wait_for_function",
            json!({ "expression": "if (log.includes('never')) { true } else { false }" }),
        ),
    ] {
        let mut sent = |timeout: u32| {
            let mut args = args.clone();
            args["timeout"] = json!(timeout);
            let before = sent_to_pages(&log);
            let answer = mcp.ask("tools/call", json!({ "name": tool, "arguments": args }));
            assert_eq!(answer["result"]["isError"], true, "{args}: {answer}");
            sent_to_pages(&log) - before
        };
        let (short, long) = (sent(300), sent(3300));
        assert!(short > 0 || tool == "browser_wait_for_url", "the log tells nothing of {args}");
        assert!(long <= short + SPARE, "{tool} {args}: {short} commands, then {long}");
    }
    let _ = fs::remove_file(log);
}

/// How many commands that run something in a page the log has.
fn sent_to_pages(log: &std::path::Path) -> usize {
    let said = fs::read_to_string(log).unwrap();
    let runs = |line: &&str| {
        line.contains("btcp_cdp::connection: ")
            && (line.contains("method=\"Runtime.evaluate\"")
                || line.contains("method=\"Runtime.callFunctionOn\""))
    };
    said.lines().filter(runs).count()
}
