//! Chrome and `btcp mcp` are killed at random moments under load, again and again: nothing may be
//! left of either, and whoever survives answers every call.
//!
//! 12 rounds; 200 with `cargo xtask test --long`. `BTCP_TEST_SEED` repeats a run.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use btcp_testkit::{Dice, Process, below, everyone, server};
use serde_json::{Value, json};

use crate::processes::{BTCP, until};

/// The promise is one second; other tests keep this machine busy.
const GONE: Duration = Duration::from_secs(5);

/// Far beyond any deadline of the calls below.
const STUCK: Duration = Duration::from_secs(60);

/// When, after the first call of a load, something is killed: from before Chrome is there to
/// the middle of the work.
const MOMENTS: u64 = 900;

/// How a call may fail whose Chrome is killed; one that was just starting is `no_browser`.
const KILLED: [&str; 2] = ["browser_gone", "page_crashed"];
const AT_ITS_START: &str = "ended at its start (signal: 9 (SIGKILL))";

/// How one may fail that finds an empty page, because the navigation before it failed so.
const ON_NOTHING: [&str; 2] = ["not_found", "javascript_error"];

/// A `btcp mcp` that has all its temporary files in a folder of its own.
struct Server {
    process: Child,
    input: ChildStdin,
    answers: Receiver<Value>,
    home: PathBuf,
    asked: u64,
    answered: Vec<u64>,
    /// A call has heard that Chrome was killed.
    lost_page: bool,
}

impl Server {
    fn start(round: u64) -> Self {
        // Short: a socket's path has to fit in.
        let home = std::env::temp_dir().join(format!("bs-{}-{round}", std::process::id()));
        fs::create_dir(&home).unwrap();
        let mut process = Command::new(BTCP)
            .args(["mcp", "--toolset", "all"])
            .env("TMPDIR", &home)
            .env("XDG_STATE_HOME", home.join("state"))
            .env_remove("XDG_RUNTIME_DIR")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let input = process.stdin.take().unwrap();
        let output = BufReader::new(process.stdout.take().unwrap());
        let (heard, answers) = channel();
        std::thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                // Nobody listens any more once the server was killed.
                let _ = heard.send(serde_json::from_str(&line).unwrap());
            }
        });
        let (answered, lost_page) = (Vec::new(), false);
        let mut server = Self { process, input, answers, home, asked: 0, answered, lost_page };
        let client = json!({ "name": "soak", "version": "1" });
        let hello =
            json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client });
        let id = server.send("initialize", hello);
        server.answer_to(id);
        server
    }

    fn send(&mut self, method: &str, params: Value) -> u64 {
        self.asked += 1;
        let id = self.asked;
        let request = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
        writeln!(self.input, "{request}").unwrap();
        id
    }

    fn call(&mut self, tool: &str, args: Value) -> u64 {
        self.send("tools/call", json!({ "name": tool, "arguments": args }))
    }

    /// Calls of all kinds, all at once.
    fn load(&mut self, dice: &mut Dice) {
        let url = page();
        self.call("browser_navigate", json!({ "url": url }));
        for _ in 0..5 + dice.roll(10) {
            match dice.roll(6) {
                0 => self.call("browser_snapshot", json!({})),
                1 => self.call("browser_click", json!({ "selector": "#pay", "timeout": 5000 })),
                2 => self.call(
                    "browser_fill",
                    json!({ "selector": "#note", "value": "x", "timeout": 5000 }),
                ),
                3 => self.call("browser_screenshot", json!({ "timeout": 5000 })),
                4 => self.call("browser_navigate", json!({ "url": url })),
                _ => self.call(
                    "browser_evaluate",
                    json!({ "script": "fillBasket('x')", "timeout": 5000 }),
                ),
            };
        }
    }

    /// Hears answers until a moment comes.
    fn listen(&mut self, moment: Duration) {
        let end = Instant::now() + moment;
        loop {
            match self.answers.recv_timeout(end.saturating_duration_since(Instant::now())) {
                Ok(message) => self.heard(&message),
                Err(RecvTimeoutError::Timeout) => return,
                Err(RecvTimeoutError::Disconnected) => panic!("it ended by itself"),
            }
        }
    }

    fn heard(&mut self, message: &Value) {
        let id = message["id"].as_u64().unwrap_or_else(|| panic!("no answer: {message}"));
        assert!(!self.answered.contains(&id), "{id} was answered twice");
        self.answered.push(id);
        let result = message.get("result").filter(|result| result.is_object());
        let result = result.unwrap_or_else(|| panic!("it is neither done nor failed: {message}"));
        if result["isError"] == true {
            let text = result["content"][0]["text"].as_str().unwrap_or_default();
            let code = code_in(text);
            let was_killed =
                KILLED.contains(&code) || (code == "no_browser" && text.contains(AT_ITS_START));
            self.lost_page |= was_killed;
            let on_nothing = self.lost_page && ON_NOTHING.contains(&code);
            assert!(
                was_killed || on_nothing,
                "'{code}' tells nothing of a Chrome that was killed: {message}"
            );
        }
    }

    fn answer_to(&mut self, id: u64) -> Value {
        loop {
            let message = self.answers.recv_timeout(STUCK).unwrap_or_else(|error| {
                panic!("call {id} of {} was not answered: {error}", self.asked)
            });
            self.heard(&message);
            if message["id"] == id {
                return message;
            }
        }
    }

    /// Every call was answered, and once.
    fn all_answered(&mut self) {
        let missing: Vec<u64> = (1..=self.asked).filter(|id| !self.answered.contains(id)).collect();
        for id in missing {
            if !self.answered.contains(&id) {
                self.answer_to(id);
            }
        }
    }

    /// The Chrome it has, as soon as it has one.
    fn chrome(&self) -> Process {
        let mut found = None;
        until(STUCK, "there is a Chrome", || {
            found = self.chromes().pop();
            found.is_some()
        });
        found.unwrap()
    }

    fn chromes(&self) -> Vec<Process> {
        // Its own child: a process that Chrome is about to start has Chrome's command line for a
        // moment.
        let is_chrome = |process: &Process| {
            process.parent() == self.process.id()
                && process.told("cmdline").contains("--user-data-dir=")
        };
        below(self.process.id()).into_iter().filter(is_chrome).collect()
    }

    /// Waits until it knows that its Chrome was killed: its session has none, or another. A call that
    /// comes sooner may be told so.
    fn has_noticed(&mut self, killed: &Process) {
        let begun = Instant::now();
        loop {
            let list = self.call("browser_session", json!({ "do": "list" }));
            let none = self.answer_to(list).to_string().contains("[not started]");
            let another = self.chromes().iter().any(|chrome| chrome.id != killed.id);
            if none || another {
                return;
            }
            assert!(begun.elapsed() < GONE, "it does not notice that its Chrome is gone");
        }
    }

    /// Nothing that was started with its folders runs any more, and nothing lies in them.
    fn left_nothing(&self) -> Duration {
        let begun = Instant::now();
        let gone = || processes_in(&self.home).is_empty() && files_in(&self.home).is_empty();
        while !gone() {
            assert!(
                begun.elapsed() < GONE,
                "after {GONE:?} there are still {:?} and {:?}",
                processes_in(&self.home),
                files_in(&self.home)
            );
            std::thread::park_timeout(Duration::from_millis(5));
        }
        begun.elapsed()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
        let _ = fs::remove_dir_all(&self.home);
    }
}

/// The code stands in the last parenthesis: `... (browser_gone, done: no)`.
fn code_in(text: &str) -> &str {
    let inside = text.rsplit_once('(').map_or("", |(_, rest)| rest);
    inside.trim_end().trim_end_matches(')').split(',').next().unwrap_or_default()
}

fn page() -> String {
    server().url("recovery/shop.html")
}

/// Whoever was told these folders, by command line or environment.
fn processes_in(home: &Path) -> Vec<String> {
    let home = home.to_str().unwrap();
    let told = |process: &Process| {
        let line = process.told("cmdline");
        (line.contains(home) || process.told("environ").contains(home)).then_some(line)
    };
    everyone().iter().filter_map(told).collect()
}

/// What temporary files there are. What sessions keep on purpose is none, nor is the folder that
/// profiles come and go in.
fn files_in(home: &Path) -> Vec<PathBuf> {
    let names = |folder: &Path| {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        entries.map(|entry| entry.path()).collect::<Vec<_>>()
    };
    let is = |path: &Path, start: &str| {
        path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(start))
    };
    let mut all = Vec::new();
    for path in names(home).into_iter().filter(|path| !is(path, "state")) {
        if is(&path, "btcp-") { all.extend(names(&path)) } else { all.push(path) }
    }
    all
}

#[test]
#[expect(clippy::print_stdout, reason = "a run that failed can be repeated by its seed")]
fn nothing_is_left_and_no_answer_is_lost_whatever_is_killed() {
    let seed = std::env::var("BTCP_TEST_SEED").ok().and_then(|seed| seed.parse().ok());
    let now = std::time::SystemTime::UNIX_EPOCH.elapsed().unwrap().as_millis();
    let seed: u64 = seed.unwrap_or(u64::try_from(now).unwrap());
    let rounds = if std::env::var_os("BTCP_TEST_LONG").is_some() { 200 } else { 12 };
    println!("BTCP_TEST_SEED={seed}");
    let mut dice = Dice::new(seed);
    let mut slowest = Duration::ZERO;
    for round in 0..rounds {
        println!("round {round}");
        let mut server = Server::start(round);
        server.load(&mut dice);
        server.listen(Duration::from_millis(dice.roll(MOMENTS)));
        let killed = server.chrome();
        killed.kill();
        server.all_answered();
        server.has_noticed(&killed);
        let again = server.call("browser_navigate", json!({ "url": page() }));
        let answer = server.answer_to(again);
        assert!(answer["result"].get("isError").is_none(), "the next call did not work: {answer}");
        // Nothing is killed any more but the server, of which nobody hears.
        server.lost_page = false;

        server.load(&mut dice);
        server.listen(Duration::from_millis(dice.roll(MOMENTS)));
        server.process.kill().unwrap();
        server.process.wait().unwrap();
        slowest = slowest.max(server.left_nothing());
    }
    println!("all was gone after {slowest:?} at the latest");
}
