//! A Chrome that stands still: suspended, swapped out, on a machine that sleeps. Calls end at their
//! deadlines, and go on when it does.

use std::process::Command;
use std::time::{Duration, Instant};

use btcp_testkit::{Process, server};
use serde_json::{Value, json};

use crate::processes::{BTCP, Mcp};

/// What each call may take.
const DEADLINE: Duration = Duration::from_secs(2);

/// How much later than its deadline an answer may come on a busy machine.
const LATE: Duration = Duration::from_secs(8);

/// Processes that stand still until this is dropped: they could not notice that their parent ended.
struct Frozen(Vec<Process>);

impl Frozen {
    /// All of a Chrome's processes.
    fn chrome_of(mcp: &Mcp) -> Self {
        let mut family = mcp.family();
        family.retain(|process| !process.told("cmdline").starts_with(BTCP));
        assert!(family.iter().any(|one| one.told("cmdline").contains("--type=renderer")));
        signal("-STOP", &family);
        Self(family)
    }
}

impl Drop for Frozen {
    fn drop(&mut self) {
        signal("-CONT", &self.0);
    }
}

fn signal(which: &str, processes: &[Process]) {
    let ids = processes.iter().map(|process| process.id.to_string());
    // One that has ended meanwhile is no loss.
    let _ = Command::new("kill").arg(which).args(ids).status();
}

fn fails(mcp: &mut Mcp, tool: &str, mut args: Value) -> String {
    args["timeout"] = json!(DEADLINE.as_millis() as u64);
    let begun = Instant::now();
    let answer = mcp.ask("tools/call", json!({ "name": tool, "arguments": args }));
    let took = begun.elapsed();
    assert_eq!(answer["result"]["isError"], true, "{tool}: {answer}");
    assert!(took < DEADLINE + LATE, "{tool} ended after {took:?}: {answer}");
    answer["result"]["content"][0]["text"].as_str().unwrap().to_owned()
}

fn open(page: &str) -> Mcp {
    let mut mcp = Mcp::of(Command::new(BTCP).args(["mcp", "--toolset", "all"]));
    mcp.call("browser_navigate", json!({ "url": page }));
    mcp
}

#[test]
fn calls_to_a_chrome_that_stands_still_end_and_go_on_with_it() {
    let page = server().url("engine/later.html");
    let mut mcp = open(&page);

    let frozen = Frozen::chrome_of(&mcp);
    for (tool, args) in [
        ("browser_evaluate", json!({ "script": "log.push('evaluated')" })),
        ("browser_click", json!({ "selector": "#now" })),
        ("browser_snapshot", json!({})),
        ("browser_screenshot", json!({})),
    ] {
        let text = fails(&mut mcp, tool, args);
        assert!(text.contains("(page_hung") || text.contains("(timeout"), "{tool}: {text}");
    }
    // What is known without Chrome is told meanwhile.
    assert!(mcp.call("browser_tabs", json!({})).contains(&page));
    drop(frozen);

    // The page is the one it was, and nothing was clicked.
    let happened = mcp.call("browser_evaluate", json!({ "script": "log.includes('now')" }));
    assert_eq!(happened, "false");
    mcp.call("browser_click", json!({ "selector": "#now" }));
    assert_eq!(mcp.call("browser_evaluate", json!({ "script": "log.at(-1)" })), "\"now\"");
}

/// A page that gives no sign of life is ended so that it can be left: here it ends only when
/// Chrome goes on, and whoever works in it by then is told so.
#[test]
fn a_page_that_was_left_while_chrome_stood_still_is_crashed_or_gone() {
    let page = server().url("engine/later.html");
    let mut mcp = open(&page);

    let frozen = Frozen::chrome_of(&mcp);
    let text = fails(&mut mcp, "browser_navigate", json!({ "url": format!("{page}?second") }));
    assert!(text.contains("(page_hung") || text.contains("(timeout"), "{text}");
    drop(frozen);

    let ask = json!({ "name": "browser_evaluate", "arguments": { "script": "6 * 7" } });
    let first = mcp.ask("tools/call", ask)["result"]["content"][0]["text"].to_string();
    assert!(first == "\"42\"" || first.contains("(page_crashed"), "{first}");
    mcp.call("browser_navigate", json!({ "url": page }));
    mcp.call("browser_click", json!({ "selector": "#now" }));
    assert_eq!(mcp.call("browser_evaluate", json!({ "script": "log" })), "[\"now\"]");
}
