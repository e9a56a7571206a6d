//! How `btcp mcp` begins and ends, and its Chrome with it.

use std::time::Duration;

use btcp_testkit::server;
use serde_json::json;

use crate::processes::{Mcp, Process, until};

/// Clients kill a server that takes two seconds to leave; other tests keep this machine busy.
const CLIENTS_PATIENCE: Duration = Duration::from_secs(4);

fn with_chrome() -> Mcp {
    let mut mcp = Mcp::start();
    mcp.call("browser_navigate", json!({ "url": server().url("click.html") }));
    assert!(!mcp.family().is_empty(), "Chrome is no child of ours");
    mcp
}

/// However we end, a second later nothing of Chrome is left.
fn assert_gone(family: &[Process]) {
    until(Duration::from_secs(1), "Chrome is gone", || {
        family.iter().all(|process| !process.is_alive())
    });
}

#[test]
fn the_tools_are_listed_without_starting_chrome() {
    let mut mcp = Mcp::start();
    let list = mcp.ask("tools/list", json!({}));
    assert!(list["result"]["tools"].as_array().is_some_and(|tools| !tools.is_empty()));
    mcp.call("browser_describe", json!({}));
    assert_eq!(mcp.family(), []);
}

#[test]
fn the_end_of_the_input_ends_it_and_its_chrome() {
    let mut mcp = with_chrome();
    let family = mcp.family();

    mcp.close_input();
    let process = &mut mcp.process;
    until(CLIENTS_PATIENCE, "it ended", || process.try_wait().unwrap().is_some());
    assert!(process.wait().unwrap().success());
    assert_gone(&family);
}

#[test]
fn a_call_that_takes_long_does_not_hold_up_the_end() {
    let mut mcp = with_chrome();
    let family = mcp.family();

    mcp.send("tools/call", json!({ "name": "browser_wait", "arguments": { "time": 60_000 } }));
    mcp.close_input();
    let process = &mut mcp.process;
    until(CLIENTS_PATIENCE, "it ended", || process.try_wait().unwrap().is_some());
    assert_gone(&family);
}

#[test]
fn killing_it_leaves_no_chrome() {
    let mut mcp = with_chrome();
    let family = mcp.family();

    mcp.process.kill().unwrap();
    assert_gone(&family);
}

#[test]
fn a_polite_signal_ends_chrome_first() {
    let mut mcp = with_chrome();
    let family = mcp.family();

    let id = mcp.process.id().to_string();
    assert!(std::process::Command::new("kill").args(["-TERM", &id]).status().unwrap().success());
    let process = &mut mcp.process;
    until(CLIENTS_PATIENCE, "it ended", || process.try_wait().unwrap().is_some());
    assert_eq!(process.wait().unwrap().code(), Some(143));
    assert_gone(&family);
}
