//! What a warm command costs, side by side with the least a command can be.
//!
//! `bare`: a static binary that connects to a socket and reads a line back. `asks`: the same
//! binary asking our daemon the same question, so what Chrome and the daemon take. Then `btcp` itself. All take turns, so that a busy machine is
//! busy for each of them. Prints medians; `--rounds N` sets how many.

// A benchmark that cannot go on says why by panicking, and prints what it measured.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

use std::io::Write as _;
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use btcp::daemon::{Call, build_of};
use serde_json::{Value, json};

const BTCP: &str = env!("CARGO_BIN_EXE_btcp");

/// What `btcp url` may cost beyond the bare client.
const TARGET: Duration = Duration::from_millis(2);

fn main() {
    let rounds = rounds();
    let home = Home::new();
    let bare = build_bare(&home.0);
    let echo = home.0.join("echo.sock");
    let listener = UnixListener::bind(&echo).unwrap();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let _ = stream.and_then(|mut stream| stream.write_all(b"{}\n"));
        }
    });
    let page = "<title>bench</title><button onclick=\"this.textContent++\">0</button>";
    run(&mut home.btcp(&["url"]));
    run(&mut home.btcp(&["setcontent", page]));

    let socket = home.0.join("run/btcp/daemon.sock");
    let mut connects = Command::new(&bare);
    connects.arg(&echo).arg("{}");
    let asks = |action: &str, arguments: Value| {
        let mut asks = Command::new(&bare);
        asks.arg(&socket).arg("{\"jsonrpc\":\"2.0\",\"id\"").arg(request(action, arguments));
        asks
    };
    let click = json!({ "selector": "button", "changes": false });
    let mut all: Vec<(&str, Command, Vec<Duration>)> = vec![
        ("bare", connects, Vec::new()),
        ("asks url", asks("url", json!({})), Vec::new()),
        ("btcp url", home.btcp(&["url"]), Vec::new()),
        ("asks snapshot", asks("snapshot", json!({})), Vec::new()),
        ("btcp snapshot", home.btcp(&["snapshot"]), Vec::new()),
        ("asks click", asks("click", click), Vec::new()),
        ("btcp click", home.btcp(&["click", "button", "--changes=false"]), Vec::new()),
    ];
    for _ in 0..rounds {
        for (_, command, times) in &mut all {
            let begun = Instant::now();
            run(command);
            times.push(begun.elapsed());
        }
    }
    let medians: Vec<(&str, Duration)> =
        all.iter_mut().map(|(name, _, times)| (*name, median(times))).collect();
    for (name, median) in &medians {
        println!("{name:<14} {:>7.2} ms", millis(*median));
    }
    for pair in medians[1..].chunks_exact(2) {
        let more = millis(pair[1].1) - millis(pair[0].1);
        println!(
            "{} costs {more:.2} ms more than what the daemon and Chrome take for it",
            pair[1].0
        );
    }
    let over = medians[2].1.saturating_sub(medians[0].1);
    let verdict = if over <= TARGET { "within" } else { "over" };
    println!(
        "btcp url costs {:.2} ms more than bare, {verdict} the target of {:.0} ms ({rounds} rounds)",
        millis(over),
        millis(TARGET)
    );
}

fn rounds() -> usize {
    let words: Vec<String> = std::env::args().collect();
    let given = words.iter().position(|word| word == "--rounds").and_then(|at| words.get(at + 1));
    let quick = words.iter().any(|word| word == "--quick");
    given.and_then(|word| word.parse().ok()).unwrap_or(if quick { 30 } else { 200 })
}

/// The question a command asks. The daemon serves its own build only.
fn request(action: &str, arguments: Value) -> String {
    let call = Call {
        build: build_of(Path::new(BTCP)),
        session: "default".into(),
        action: Some(action.to_owned()),
        arguments: arguments.as_object().cloned().unwrap_or_default(),
        folder: None,
        settings: Default::default(),
        data: false,
        watched: false,
    };
    json!({ "jsonrpc": "2.0", "id": 1, "method": "call", "params": call }).to_string()
}

fn build_bare(folder: &Path) -> PathBuf {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/command/bare.rs");
    let bare = folder.join("bare");
    let built = Command::new("rustc")
        .args(["--edition", "2024", "-O", "-C", "panic=abort", "-C", "target-feature=+crt-static"])
        .arg("-o")
        .args([&bare, &source])
        .status();
    assert!(built.is_ok_and(|status| status.success()), "rustc cannot build {}", source.display());
    bare
}

fn run(command: &mut Command) {
    let status = command.stdin(Stdio::null()).stdout(Stdio::null()).status().unwrap();
    assert!(status.success(), "{command:?} failed");
}

fn median(times: &mut [Duration]) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

/// A user with a daemon of their own, which ends with this.
struct Home(PathBuf);

impl Home {
    fn new() -> Self {
        let folder = std::env::temp_dir().join(format!("btcp-bench-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("run")).unwrap();
        Self(folder)
    }

    fn btcp(&self, words: &[&str]) -> Command {
        let mut command = Command::new(BTCP);
        command.args(words).current_dir(&self.0).env("XDG_RUNTIME_DIR", self.0.join("run"));
        command.env("XDG_STATE_HOME", self.0.join("state"));
        command
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        let _ = self.btcp(&["stop"]).stdout(Stdio::null()).status();
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
