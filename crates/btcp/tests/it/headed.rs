//! Windows: Chrome on a display, what is acted on marked, at a pace a person can follow.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use btcp_testkit::server;
use serde_json::{Value, json};

use crate::home::{Home, PATIENCE, Said};
use crate::processes::{BTCP, Mcp, until};

/// How long a person may look: longer than anything here takes by itself.
const PAUSE: Duration = Duration::from_secs(4);

/// How often a page prints: the first time Chrome's preview has to be loaded, later it is known.
const PRINTS: usize = 5;

/// A display of our own, which ends with it; what it shows is in a file.
struct Display {
    server: Child,
    name: String,
    folder: PathBuf,
}

impl Display {
    fn new() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(1);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("btcp-display-{}-{number}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        fs::create_dir_all(&folder).expect("the temporary folder can be written to");
        let mut server = Command::new("Xvfb")
            .args(["-displayfd", "1", "-screen", "0", "1400x1000x24", "-nolisten", "tcp", "-fbdir"])
            .arg(&folder)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("Xvfb is installed");
        let mut number = String::new();
        let stdout = server.stdout.take().expect("it is piped");
        BufReader::new(stdout).read_line(&mut number).expect("it tells its number");
        Self { server, name: format!(":{}", number.trim()), folder }
    }

    /// How many points of the screen have the colour of our mark: orange, or that over something light.
    fn orange(&self) -> usize {
        let screen = fs::read(self.folder.join("Xvfb_screen0")).expect("it writes what it shows");
        // The format of `xwd`: a head of numbers, colours of 12 bytes, then the points, 32 bits each.
        let number = |at: usize| {
            let bytes = screen[at * 4..][..4].try_into().expect("four bytes are four bytes");
            u32::from_be_bytes(bytes) as usize
        };
        let (head, bits, colours) = (number(0), number(11), number(19));
        assert_eq!(bits, 32, "another display");
        let points = screen[head + colours * 12..].chunks_exact(4);
        let is_orange = |point: &&[u8]| {
            let (blue, green, red) =
                (i32::from(point[0]), i32::from(point[1]), i32::from(point[2]));
            red > 220 && (100..230).contains(&green) && red - blue > 60 && green > blue
        };
        points.filter(is_orange).count()
    }
}

impl Drop for Display {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
        let _ = fs::remove_dir_all(&self.folder);
    }
}

#[test]
fn a_page_in_a_window_is_worked_on_at_a_persons_pace() {
    let display = Display::new();
    let pause = PAUSE.as_millis().to_string();
    let flags = ["mcp", "--headed", "--slow-motion", &pause, "--toolset", "all"];
    let mut mcp = Mcp::of(Command::new(BTCP).args(flags).env("DISPLAY", &display.name));
    mcp.call("browser_navigate", json!({ "url": server().url("clipboard.html") }));

    let before = display.orange();
    let click = json!({ "name": "browser_click", "arguments": { "selector": "#copy" } });
    let begun = Instant::now();
    mcp.send("tools/call", click);
    until(PATIENCE, "what is about to be clicked is marked", || display.orange() > before + 200);
    let answer = mcp.read();
    assert!(begun.elapsed() >= PAUSE, "nobody could see it");
    let clicked = answer["result"]["content"][0]["text"].as_str().unwrap();
    assert!(clicked.starts_with("clicked button \"Copy\""), "{clicked}");
    until(PATIENCE, "the mark is gone", || display.orange() < before + 100);
    mcp.call("browser_press", json!({ "key": "Control+v", "selector": "#field" }));

    let script = "[/Headless/.test(navigator.userAgent), field.value, innerWidth, innerHeight]";
    let seen = mcp.call("browser_evaluate", json!({ "script": script }));
    assert_eq!(seen, "[false,\"SAVE-20\",1280,720]");
    let pictured = mcp.call("browser_screenshot", json!({}));
    assert!(pictured.starts_with("1280x720 "), "{pictured}");
}

/// With windows Chrome shows what it would print, and the page waits until somebody closes that.
#[test]
fn a_page_in_a_window_neither_prints_nor_asks_for_permission() {
    let display = Display::new();
    let home = Home::new();
    let flags = ["--headed", "--timeout", "20s"];
    let does = |words: &[&str]| {
        let words = [words, &flags, &["--json"]].concat();
        let said = Said::of(home.command(&words).env("DISPLAY", &display.name).output().unwrap());
        assert_eq!(said.code, 0, "{words:?}: {said:?}");
        serde_json::from_str::<Value>(&said.out).unwrap()
    };
    does(&["open", &server().url("hard/prompts.html")]);

    let ignored = json!({ "type": "print", "message": "Print the page", "answered": "ignored" });
    for time in 1..=PRINTS {
        let printed = does(&["click", "#print"]);
        assert_eq!(printed["dialog"], ignored, "{printed}");
        assert_eq!(does(&["evaluate", "log"])["result"], json!(vec!["printed"; time]));
        assert_eq!(does(&["tabs"])["tabs"].as_array().unwrap().len(), 1, "the preview is a tab");
    }
    does(&["evaluate", "log.length = 0"]);

    let mut asked = does(&["click", "#where"]);
    does(&["wait-for-function", "log.includes('where 1')"]);
    // Told at the click, or, if Chrome took its time, at one of the next.
    until(PATIENCE, "it is told that a permission was denied", || {
        if asked.get("dialog").is_none() {
            asked = does(&["click", "#nothing"]);
        }
        asked.get("dialog").is_some()
    });
    let dialog = json!({ "type": "permission", "message": "geolocation", "answered": "denied" });
    assert_eq!(asked["dialog"], dialog, "{asked}");
    assert_eq!(does(&["evaluate", "log"])["result"], json!(["where 1"]));
}
