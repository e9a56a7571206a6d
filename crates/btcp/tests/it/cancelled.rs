//! Calls that are given up in their midst: the work in the browser ends, not only the answer.

use std::process::Command;

use btcp_testkit::server;
use serde_json::{Value, json};

use crate::home::{Home, PATIENCE};
use crate::processes::{BTCP, Mcp, is_asleep, until};

/// Longer than any test may take: none of these calls ends by its deadline.
const LONG: &str = "10m";

/// The number of the call that is given up.
const GIVEN_UP: u64 = 100;

/// What is typed, much more slowly than it takes to give it up.
const TEXT: &str = "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz";

fn open(page: &str) -> Mcp {
    let mut mcp = Mcp::of(Command::new(BTCP).args(["mcp", "--toolset", "all"]));
    mcp.call("browser_navigate", json!({ "url": server().url(page) }));
    mcp
}

fn begin(mcp: &mut Mcp, tool: &str, mut args: Value) {
    args["timeout"] = json!(LONG);
    mcp.send_as(GIVEN_UP, "tools/call", json!({ "name": tool, "arguments": args }));
}

fn script(mcp: &mut Mcp, script: &str) -> String {
    mcp.call("browser_evaluate", json!({ "script": script, "tabId": 1 }))
}

/// Nobody waits for an answer to what was given up, so there is none.
fn assert_never_answered(mut mcp: Mcp) {
    mcp.close_input();
    assert_eq!(mcp.rest(), "");
}

#[test]
fn typing_that_is_given_up_stops_in_the_middle_of_the_text() {
    let mut mcp = open("engine/later.html?key=typing-given-up");
    begin(&mut mcp, "browser_type", json!({ "selector": "#field", "text": TEXT, "delay": 250 }));
    until(PATIENCE, "it types", || server().count("typing-given-up") > 1);

    mcp.cancel(GIVEN_UP);

    let typed: String = serde_json::from_str(&script(&mut mcp, "field.value")).unwrap();
    assert!(typed.len() < TEXT.len() && TEXT.starts_with(&typed), "{typed}");
    // Time for several more letters.
    let more = json!({ "expression": format!("field.value !== '{typed}'"), "timeout": 1500 });
    let more =
        mcp.ask("tools/call", json!({ "name": "browser_wait_for_function", "arguments": more }));
    assert!(more["result"]["isError"] == true && more.to_string().contains("(timeout"), "{more}");
    mcp.call("browser_type", json!({ "selector": "#field", "text": "!" }));
    assert_eq!(script(&mut mcp, "field.value"), format!("\"{typed}!\""));
    assert_never_answered(mcp);
}

#[test]
fn a_script_that_never_ends_is_ended_with_its_call() {
    let mut mcp = open("engine/later.html");
    // Told of before it begins: the request is over when `send` returns.
    let forever = "const told = new XMLHttpRequest(); told.open('POST', '/count/loop-given-up', false); \
                   told.send(); for (;;);";
    begin(&mut mcp, "browser_evaluate", json!({ "script": forever }));
    until(PATIENCE, "it runs", || server().count("loop-given-up") == 1);

    mcp.cancel(GIVEN_UP);

    assert_eq!(script(&mut mcp, "[1 + 1, document.title]"), "[2,\"later\"]");
    mcp.call("browser_click", json!({ "selector": "#now" }));
    assert_eq!(script(&mut mcp, "log"), "[\"now\"]");
    assert_never_answered(mcp);
}

/// The button is enabled by another tab, so that this needs no turn of the one that waits.
#[test]
fn a_click_that_is_given_up_while_it_waits_never_happens() {
    let mut mcp = open("engine/later.html");
    begin(&mut mcp, "browser_click", json!({ "selector": "#later" }));
    until(PATIENCE, "it waits", || mcp.is_asleep());

    mcp.cancel(GIVEN_UP);

    let other = json!({ "do": "new", "url": server().url("engine/later.html?enable") });
    assert!(mcp.call("browser_tabs", other).contains("opened tab 2"));
    let enabled = json!({ "expression": "!later.disabled", "tabId": 1 });
    mcp.call("browser_wait_for_function", enabled);
    mcp.call("browser_click", json!({ "selector": "#now", "tabId": 1 }));
    assert_eq!(script(&mut mcp, "log"), "[\"now\"]");
    assert_never_answered(mcp);
}

/// What a click that nobody gives up does: without it the tests beside it would show nothing.
#[test]
fn a_click_that_is_waited_for_happens_when_the_button_is_enabled() {
    let mut mcp = open("engine/later.html");
    begin(&mut mcp, "browser_click", json!({ "selector": "#later" }));
    until(PATIENCE, "it waits", || mcp.is_asleep());

    let other = json!({ "do": "new", "url": server().url("engine/later.html?enable") });
    mcp.send_as(200, "tools/call", json!({ "name": "browser_tabs", "arguments": other }));

    // They answer in either order.
    let mut answers = [mcp.read(), mcp.read()];
    answers.sort_by_key(|answer| answer["id"].as_u64());
    assert!(answers[0].to_string().contains("clicked button"), "{answers:?}");
    assert!(answers[1].to_string().contains("opened tab 2"), "{answers:?}");
    assert_eq!(script(&mut mcp, "log"), "[\"later\"]");
}

#[test]
fn a_click_whose_command_is_killed_while_it_waits_never_happens() {
    let home = Home::new();
    home.does(&["open", &server().url("engine/later.html")]);
    let daemon = home.daemon().unwrap();
    let running = || home.data(&["status"])["calls"].as_u64();
    let mut command = home.starts(&["click", "#later", "--timeout", LONG]);
    until(PATIENCE, "the call is under way", || running() == Some(1));
    until(PATIENCE, "it waits", || is_asleep(daemon.id));

    command.kill().unwrap();
    command.wait().unwrap();

    until(PATIENCE, "the daemon has given it up", || running() == Some(0));
    home.does(&["tabs", "new", "--url", &server().url("engine/later.html?enable")]);
    home.does(&["wait-for-function", "!later.disabled", "--tab-id", "1"]);
    home.does(&["click", "#now", "--tab-id", "1"]);
    assert_eq!(home.does(&["evaluate", "log", "--tab-id", "1"]), "[\"now\"]\n");
}
