//! Whether it happened: deadlines, crashes and kills around a submit that a server counts.
//!
//! After `done: no` the server must have seen nothing, after success one request, and never two.
//! The rounds are random but always the same.

use std::collections::HashSet;
use std::process::Command;
use std::time::Duration;

use btcp_actions::{Caller, Catalog, Failure, Outcome};
use btcp_engine::{Done, Sessions, Settings};
use btcp_testkit::{on_runtime, open, server};
use serde_json::{Value, json};

const DEADLINES: u32 = 70;
const CRASHES: u32 = 20;
const KILLS: u32 = 12;

/// What an agent was told about one press, and the key under which the server counted it.
struct Told {
    key: String,
    happened: Option<Done>,
    text: String,
}

impl Told {
    fn new(key: String, answer: Result<Outcome, Failure>) -> Self {
        match answer {
            Ok(outcome) => Self { key, happened: Some(Done::Yes), text: outcome.text.for_model() },
            Err(failure) => Self { key, happened: failure.done, text: failure.text() },
        }
    }

    /// What is wrong about it, given what the server saw.
    fn wrong(&self) -> Option<String> {
        let count = server().count(&self.key);
        let fits = match self.happened {
            Some(Done::No) => count == 0,
            Some(Done::Yes) => count == 1,
            Some(Done::Unknown) => count <= 1,
            None => false,
        };
        (!fits).then(|| format!("{}: counted {count}, told: {}", self.key, self.text))
    }
}

/// A small generator, so that every run has the same rounds.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, below: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % below
    }

    fn button(&mut self) -> &'static str {
        if self.roll(2) == 0 { "#form" } else { "#fetch" }
    }
}

fn assert_all_true(told: &[Told]) {
    let wrong: Vec<String> = told.iter().filter_map(Told::wrong).collect();
    assert!(wrong.is_empty(), "{} of {} wrong:\n{}", wrong.len(), told.len(), wrong.join("\n"));
}

#[tokio::test]
async fn a_deadline_around_a_submit_never_tells_wrongly_whether_it_happened() {
    let page = open("_submit.html?key=none").await;
    let mut dice = Dice(7);
    let mut told = Vec::new();
    for round in 0..DEADLINES {
        let key = format!("deadline-{round}");
        let url = server().url(&format!("_submit.html?key={key}"));
        page.call("navigate", json!({ "url": url })).await.unwrap();
        let button = match round % 7 {
            0 => "#slow",
            1..3 => "#late",
            _ => dice.button(),
        };
        let args = json!({ "selector": button, "timeout": dice.roll(40) });
        let answer = page.call("click", args).await;
        if answer.is_ok() && button == "#form" {
            // The next round's navigation would take the form's place before it is sent.
            page.call("wait_for_url", json!({ "url": "/count/" })).await.unwrap();
        }
        told.push(Told::new(key, answer));
        // The session goes on, and whatever is under way has had its turn.
        page.call("title", json!({})).await.unwrap();
    }
    assert_all_true(&told);
    for kind in [Done::No, Done::Yes, Done::Unknown] {
        let has = told.iter().any(|told| told.happened == Some(kind));
        assert!(has, "no round ended with done: {}", kind.name());
    }
}

#[tokio::test]
async fn a_page_that_crashes_around_a_submit_is_never_told_wrongly() {
    open("_submit.html?key=none").await;
    on_runtime(async {
        let chrome = OwnChrome::start().await;
        let mut dice = Dice(11);
        let mut told = Vec::new();
        for round in 0..CRASHES {
            let key = format!("crash-{round}");
            told.push(chrome.press_and_kill(key, &mut dice, Kill::Page).await);
            // The crash may be noticed only now; the call after that finds the page loaded again.
            let mut title = chrome.call("title", json!({})).await;
            if title.as_ref().is_err_and(|failure| failure.code == "page_crashed") {
                title = chrome.call("title", json!({})).await;
            }
            assert!(
                title.is_ok(),
                "the session did not go on: {:?}",
                title.err().map(|e| e.text())
            );
        }
        assert_all_true(&told);
    })
    .await;
}

#[tokio::test]
async fn a_browser_that_is_killed_around_a_submit_is_never_told_wrongly() {
    open("_submit.html?key=none").await;
    on_runtime(async {
        let chrome = OwnChrome::start().await;
        let mut dice = Dice(13);
        let mut told = Vec::new();
        for round in 0..KILLS {
            let key = format!("kill-{round}");
            told.push(chrome.press_and_kill(key, &mut dice, Kill::Browser).await);
        }
        assert_all_true(&told);
    })
    .await;
}

#[derive(Clone, Copy, PartialEq)]
enum Kill {
    Page,
    Browser,
}

/// A Chrome that no other test uses, so that it can be killed.
struct OwnChrome {
    catalog: Catalog,
    caller: Caller,
    others: HashSet<u32>,
    _turn: tokio::sync::MutexGuard<'static, ()>,
}

/// One at a time: a Chrome is known to be a test's own by being new.
static TURN: tokio::sync::Mutex<()> = tokio::sync::Mutex::const_new(());

impl OwnChrome {
    async fn start() -> Self {
        let turn = TURN.lock().await;
        let others = browsers().into_iter().collect();
        let catalog =
            Catalog::new(Sessions::new(Settings { install: false, ..Settings::default() }));
        let grant = catalog.grant("all").expect("all is a preset");
        let caller = Caller { session: "own".into(), grant };
        Self { catalog, caller, others, _turn: turn }
    }

    async fn call(&self, name: &str, args: Value) -> Result<Outcome, Failure> {
        let args = args.as_object().expect("arguments are an object").clone();
        self.catalog.call(&self.caller, name, args).await
    }

    /// Presses a submit while its page or browser is killed at some moment.
    async fn press_and_kill(&self, key: String, dice: &mut Dice, kill: Kill) -> Told {
        let url = server().url(&format!("_submit.html?key={key}"));
        let opened = self.call("navigate", json!({ "url": url })).await;
        assert!(opened.is_ok(), "the next call did not work: {:?}", opened.err().map(|e| e.text()));
        let victims = self.victims(kill);
        assert!(!victims.is_empty(), "nothing to kill");
        let press = self.call("click", json!({ "selector": dice.button(), "timeout": "20s" }));
        let after = Duration::from_micros(dice.roll(30_000));
        let end = async {
            let never = std::future::pending::<()>();
            tokio::time::timeout(after, never).await.expect_err("it never ends by itself");
            let pids = victims.iter().map(u32::to_string);
            Command::new("kill").arg("-9").args(pids).output().expect("kill runs");
        };
        let (answer, ()) = tokio::join!(press, end);
        Told::new(key, answer)
    }

    /// The processes of our own Chrome to kill: itself, or its renderers.
    fn victims(&self, kill: Kill) -> Vec<u32> {
        let own: Vec<u32> =
            browsers().into_iter().filter(|pid| !self.others.contains(pid)).collect();
        match kill {
            Kill::Browser => own,
            Kill::Page => processes()
                .into_iter()
                .filter(|process| process.command.contains("--type=renderer"))
                .filter(|process| own.iter().any(|pid| descends(process.pid, *pid)))
                .map(|process| process.pid)
                .collect(),
        }
    }
}

struct Process {
    pid: u32,
    parent: u32,
    command: String,
}

/// Chromes that this test binary started.
fn browsers() -> Vec<u32> {
    let me = std::process::id();
    processes()
        .into_iter()
        .filter(|process| {
            process.parent == me && process.command.contains("--remote-debugging-pipe")
        })
        .map(|process| process.pid)
        .collect()
}

fn processes() -> Vec<Process> {
    let entries = std::fs::read_dir("/proc").expect("this is Linux").flatten();
    entries
        .filter_map(|entry| {
            let pid = entry.file_name().to_str()?.parse().ok()?;
            let stat = std::fs::read_to_string(entry.path().join("stat")).ok()?;
            let parent = stat.rsplit_once(") ")?.1.split(' ').nth(1)?.parse().ok()?;
            let command = std::fs::read_to_string(entry.path().join("cmdline")).ok()?;
            Some(Process { pid, parent, command })
        })
        .collect()
}

fn descends(mut pid: u32, from: u32) -> bool {
    let all = processes();
    for _ in 0..20 {
        if pid == from {
            return true;
        }
        match all.iter().find(|process| process.pid == pid) {
            Some(process) => pid = process.parent,
            None => return false,
        }
    }
    false
}
