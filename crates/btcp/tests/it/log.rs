//! What `btcp mcp` says on stderr, and that it says it nowhere else.

use std::fs::{self, File};
use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

use btcp_testkit::server;
use serde_json::json;

use crate::home::PATIENCE;
use crate::processes::{BTCP, Mcp, until};

/// A server whose stderr is kept.
struct Heard {
    mcp: Mcp,
    path: PathBuf,
}

impl Heard {
    fn of(words: &[&str]) -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(1);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("btcp-test-log-{}-{number}", std::process::id());
        let path = std::env::temp_dir().join(name);
        let file = File::create(&path).unwrap();
        Self { mcp: Mcp::of(Command::new(BTCP).args(words).stderr(file)), path }
    }

    fn said(&self) -> String {
        String::from_utf8_lossy(&fs::read(&self.path).unwrap()).into_owned()
    }
}

impl Drop for Heard {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
    }
}

/// Clients read every line of stdout as a message, however much we are asked to tell.
#[test]
fn however_much_is_logged_stdout_has_messages_only() {
    let mut heard = Heard::of(&["mcp", "-vvv"]);

    // Each answer must be the next line.
    for path in ["title.html", "click.html"] {
        let args =
            json!({ "name": "browser_navigate", "arguments": { "url": server().url(path) } });
        let answer = heard.mcp.ask("tools/call", args);
        assert_eq!((&answer["jsonrpc"], &answer["id"]), (&json!("2.0"), &json!(1)), "{answer}");
    }

    let said = heard.said();
    for level in ["TRACE", "DEBUG"] {
        assert!(said.contains(level), "nothing of {level} in {} bytes", said.len());
    }
    heard.mcp.close_input();
    assert_eq!(heard.mcp.rest(), "", "after the last answer");
}

/// Whoever runs pages without Chrome's sandbox is told so, and why.
#[test]
fn a_line_says_where_there_is_no_sandbox() {
    let mut heard = Heard::of(&["mcp"]);

    heard.mcp.call("browser_navigate", json!({ "url": server().url("title.html") }));

    let family = heard.mcp.family();
    let off = family.iter().any(|process| process.told("cmdline").contains("--no-sandbox"));
    let said = heard.said();
    let told: Vec<&str> = said.lines().filter(|line| line.contains("sandbox off: ")).collect();
    assert_eq!(told.len(), usize::from(off), "{said}");
    if rustix::process::geteuid().is_root() {
        assert!(told[0].ends_with("sandbox off: Chrome has none for root"), "{said}");
    }
}

/// A click asks the page once whether, and where, it can be pressed; then come the pointer's events.
#[test]
fn a_click_is_one_question_and_three_events() {
    let mut heard = Heard::of(&["mcp", "-vvv"]);
    heard.mcp.call("browser_navigate", json!({ "url": server().url("click.html") }));

    // Others may have something to ask at the same time, but not every time.
    let mut fewest = Vec::new();
    for _ in 0..10 {
        let before = heard.said().len();
        heard.mcp.call("browser_click", json!({ "selector": "#send", "changes": false }));
        let released =
            || sent(&heard.said()[before..]).iter().filter(|m| is_pointer(m)).count() >= 3;
        until(PATIENCE, "the button was let go", released);
        let methods = sent(&heard.said()[before..]);
        let first = methods.iter().position(|method| is_pointer(method)).unwrap();
        let questions = methods[..first].to_vec();
        let events = methods.iter().filter(|method| is_pointer(method)).count();
        assert_eq!(events, 3, "{methods:?}");
        if fewest.is_empty() || questions.len() < fewest.len() {
            fewest = questions;
        }
    }
    assert_eq!(fewest, ["Runtime.callFunctionOn"]);
}

/// Plain text is put in where it was found that it can be, and what the field holds is asked along
/// with it.
#[test]
fn a_fill_is_one_question_and_what_came_of_it() {
    let mut heard = Heard::of(&["mcp", "-vvv"]);
    heard.mcp.call("browser_navigate", json!({ "url": server().url("fill.html") }));

    // Others may have something to ask at the same time, but not every time.
    let mut fewest = Vec::new();
    for n in 0..10 {
        let before = heard.said().len();
        let value = format!("name {n}");
        let args = json!({ "selector": "#name", "value": value, "changes": false });
        let said = heard.mcp.call("browser_fill", args);
        assert!(said.to_string().contains(&value), "{said}");
        let methods = sent(&heard.said()[before..]);
        assert!(!methods.iter().any(|method| method.starts_with("Input.")), "{methods:?}");
        if fewest.is_empty() || methods.len() < fewest.len() {
            fewest = methods;
        }
    }
    assert_eq!(fewest, ["Runtime.callFunctionOn", "Runtime.callFunctionOn"]);
}

/// Much is asked of Chrome at once where there are frames, listeners and closed roots; nobody gives
/// back what another still has in its hands.
#[test]
fn what_is_asked_at_once_does_not_get_in_its_own_way() {
    let mut heard = Heard::of(&["mcp", "-vvv"]);

    for _ in 0..8 {
        let url = server().url("complete/everywhere.html");
        heard.mcp.call("browser_navigate", json!({ "url": url }));
        heard.mcp.call("browser_snapshot", json!({}));
    }

    let said = heard.said();
    let refused: Vec<&str> = said.lines().filter(|line| line.contains(": refused ")).collect();
    assert!(
        sent(&said).iter().any(|method| method == "DOM.resolveNode"),
        "nothing was handed over"
    );
    assert!(refused.is_empty(), "{refused:#?}");
}

fn is_pointer(method: &str) -> bool {
    method == "Input.dispatchMouseEvent"
}

/// The commands that were sent to Chrome, by what the log says.
fn sent(log: &str) -> Vec<String> {
    let lines = log.lines().filter(|line| line.contains("btcp_cdp::connection: call "));
    lines
        .filter_map(|line| Some(line.split_once("method=\"")?.1.split_once('"')?.0.to_owned()))
        .collect()
}

/// A page's traffic is the page's: Chrome has nothing to tell its maker, least of all which fields a
/// page has.
#[test]
fn chrome_calls_nobody_of_its_own_accord() {
    let mut heard = Heard::of(&["mcp", "-vvv", "--toolset", "all"]);

    // Each page is asked about once, when it has been there for a moment.
    for round in 0..10 {
        let url = server().url(&format!("fill.html?{round}"));
        heard.mcp.call("browser_navigate", json!({ "url": url }));
        heard.mcp.call("browser_fill", json!({ "selector": "#name", "value": "Ada" }));
        heard.mcp.call("browser_wait_for_load_state", json!({ "state": "networkidle" }));
    }

    let said = heard.said();
    let asked: Vec<&str> = said.lines().filter(|line| line.contains("asked to connect")).collect();
    assert!(!asked.is_empty(), "not even the page's own requests are logged");
    let strange: Vec<_> = asked.iter().filter(|line| !line.contains("host=127.0.0.1 ")).collect();
    assert!(strange.is_empty(), "{strange:#?}");
}

/// Chrome's accessibility tree costs a page time: it is asked for custom elements only, once where
/// they have nothing to tell, and then given up.
#[test]
fn the_accessibility_tree_is_asked_about_custom_elements_only() {
    let mut heard = Heard::of(&["mcp", "-vvv"]);
    let mut asked = |path: &str| -> Vec<usize> {
        heard.mcp.call("browser_navigate", json!({ "url": server().url(path) }));
        let mut counts = Vec::new();
        for _ in 0..2 {
            let before = heard.said().len();
            heard.mcp.call("browser_snapshot", json!({}));
            let methods = sent(&heard.said()[before..]);
            counts.push(methods.iter().filter(|m| m.starts_with("Accessibility.")).count());
        }
        counts
    };

    assert_eq!(asked("click.html"), [0, 0]);
    let mute = asked("hard/shadow.html");
    assert!(mute[0] > 0 && mute[1] == 0, "those that say nothing of themselves: {mute:?}");
    let told = asked("complete/internals.html");
    assert!(told.iter().all(|count| *count >= 6), "those that say something: {told:?}");
    assert!(heard.said().contains("Accessibility.disable"), "the tree is not given up");
}

/// Closed shadow roots with slots are looked for once, and again when there is somebody new.
#[test]
fn what_hides_nothing_is_not_asked_about_again() {
    let mut heard = Heard::of(&["mcp", "-vvv"]);
    heard.mcp.call("browser_navigate", json!({ "url": server().url("hard/overlays.html") }));
    let searches = |heard: &mut Heard| {
        let before = heard.said().len();
        heard.mcp.call("browser_snapshot", json!({}));
        let methods = sent(&heard.said()[before..]);
        methods.iter().filter(|method| *method == "DOM.performSearch").count()
    };

    assert_eq!([1, 2, 3].map(|_| searches(&mut heard)), [1, 0, 0]);
    let add = "document.body.insertAdjacentHTML('beforeend', '<section><p>Words</p></section>')";
    heard.mcp.call("browser_evaluate", json!({ "script": add }));
    assert_eq!([1, 2].map(|_| searches(&mut heard)), [1, 0]);
}
