//! Whether it happened: deadlines, cancellations, crashes and kills around a submit that a server
//! counts.
//!
//! After `done: no` the server must have seen nothing, after success one request, and never two.
//! The rounds are random but always the same. Some cannot come out but one way however busy the
//! machine is, so that always saying the same is wrong too.

use std::process::Command;
use std::time::{Duration, Instant};

use btcp_actions::{Caller, Catalog, Failure, Outcome};
use btcp_engine::{Done, Sessions};
use btcp_testkit::{Dice, OwnChrome, on_runtime, open, server};
use serde_json::{Value, json};

const DEADLINES: u32 = 70;
const CANCELLATIONS: u32 = 30;
const CRASHES: u32 = 21;
const KILLS: u32 = 12;
/// Of a press around which something is killed: far beyond what it takes.
const DEADLINE: Duration = Duration::from_secs(40);

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

fn button(dice: &mut Dice) -> &'static str {
    if dice.roll(2) == 0 { "#form" } else { "#fetch" }
}

/// The ways an agent has to press a button, one by one: by pointer, by key, found by what it is, and
/// as a step of several.
fn press(way: u32, button: &str, timeout: u64) -> (&'static str, Value) {
    let name = match button {
        "#form" => "Order",
        "#fetch" => "Send",
        "#slow" => "Think",
        "#late" => "Wait",
        _ => "Off",
    };
    let (action, mut args) = match way % 4 {
        0 => ("click", json!({ "selector": button })),
        1 => ("press", json!({ "selector": button, "key": "Enter" })),
        2 => ("get_by_role", json!({ "role": "button", "name": name, "subaction": "click" })),
        _ => ("batch", json!({ "steps": [{ "action": "click", "selector": button }] })),
    };
    args["timeout"] = json!(timeout);
    (action, args)
}

fn assert_all_true(told: &[Told]) {
    let wrong: Vec<String> = told.iter().filter_map(Told::wrong).collect();
    assert!(wrong.is_empty(), "{} of {} wrong:\n{}", wrong.len(), told.len(), wrong.join("\n"));
}

/// Who always says the same is never wrong and no help.
fn assert_told_apart(told: &[Told]) {
    let ended =
        |kinds: &[Done]| told.iter().any(|t| t.happened.is_some_and(|d| kinds.contains(&d)));
    assert!(ended(&[Done::No]), "no round ended with done: no");
    assert!(ended(&[Done::Yes, Done::Unknown]), "every round ended with done: no");
}

#[tokio::test]
async fn a_deadline_around_a_submit_never_tells_wrongly_whether_it_happened() {
    let page = open("_submit.html?key=none").await;
    let mut dice = Dice::new(7);
    let mut told = Vec::new();
    for round in 0..DEADLINES {
        let key = format!("deadline-{round}");
        let url = server().url(&format!("_submit.html?key={key}"));
        page.call("navigate", json!({ "url": url })).await.unwrap();
        let button = match round % 7 {
            0 => "#slow",
            1 => "#late",
            // However late everything is, nobody can press this one.
            2 => "#off",
            _ => button(&mut dice),
        };
        // Seven and four have nothing in common: each way meets each button.
        let (action, args) = press(round, button, dice.roll(40));
        let answer = page.call(action, args).await;
        if answer.is_ok() && button == "#form" {
            // The next round's navigation would take the form's place before it is sent.
            page.call("wait_for_url", json!({ "url": "/count/" })).await.unwrap();
        }
        let answer = Told::new(key, answer);
        if button == "#off" {
            assert_eq!(answer.happened, Some(Done::No), "{action}: {}", answer.text);
        }
        told.push(answer);
        // The session goes on, and whatever is under way has had its turn.
        page.call("title", json!({})).await.unwrap();
    }
    assert_all_true(&told);
    for kind in [Done::No, Done::Yes, Done::Unknown] {
        let has = told.iter().any(|told| told.happened == Some(kind));
        assert!(has, "no round ended with done: {}", kind.name());
    }
}

/// Whoever gives a call up hears nothing of it: it must not happen later, nor twice.
#[tokio::test]
async fn a_call_that_is_given_up_around_a_submit_happens_once_or_never() {
    let page = open("_submit.html?key=none").await;
    let mut dice = Dice::new(17);
    let mut given_up = 0;
    for round in 0..CANCELLATIONS {
        let key = format!("cancelled-{round}");
        let url = server().url(&format!("_submit.html?key={key}"));
        page.call("navigate", json!({ "url": url })).await.unwrap();
        let button = if round.is_multiple_of(3) { "#off" } else { button(&mut dice) };
        let after = Duration::from_micros(dice.roll(40_000));

        let (action, args) = press(round, button, 15_000);
        let answer = tokio::time::timeout(after, page.call(action, args)).await;

        // Nobody waits for it any more: what would have let it happen comes too late.
        if button == "#off" {
            assert!(answer.is_err(), "a disabled button was pressed");
            page.eval("document.getElementById('off').disabled = false; 1").await;
            page.eval("new Promise((done) => setTimeout(() => requestAnimationFrame(done), 100))")
                .await;
        }
        // The session goes on, and whatever is under way has had its turn.
        page.call("title", json!({})).await.unwrap();
        let (count, most) = (server().count(&key), u64::from(button != "#off"));
        assert!(count <= most, "{key}, {button}: counted {count}");
        match answer {
            Ok(answer) => assert_all_true(&[Told::new(key, answer)]),
            Err(_) => given_up += 1,
        }
    }
    assert!(given_up >= CANCELLATIONS / 3, "only {given_up} were given up");
}

#[tokio::test]
async fn a_page_that_crashes_around_a_submit_is_never_told_wrongly() {
    open("_submit.html?key=none").await;
    on_runtime(async {
        let chrome = Victim::new();
        let mut dice = Dice::new(11);
        let mut told = Vec::new();
        for round in 0..CRASHES {
            let key = format!("crash-{round}");
            told.push(chrome.press_and_kill(round, key, &mut dice, Kill::Page).await);
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
        assert_told_apart(&told);
    })
    .await;
}

#[tokio::test]
async fn a_browser_that_is_killed_around_a_submit_is_never_told_wrongly() {
    open("_submit.html?key=none").await;
    on_runtime(async {
        let mut dice = Dice::new(13);
        let mut told = Vec::new();
        for pair in 0..KILLS / 2 {
            // The third crash within a minute would be the last.
            let chrome = Victim::new();
            for round in [2 * pair, 2 * pair + 1] {
                let key = format!("kill-{round}");
                let press = chrome.press_and_kill(round, key, &mut dice, Kill::Browser).await;
                if press.happened == Some(Done::Yes) {
                    // It was answered before the kill, which a call in flight may run into now.
                    let next = chrome.call("title", json!({})).await;
                    let code = next.err().map(|failure| failure.code);
                    assert!(matches!(code, None | Some("browser_gone")), "{code:?}");
                }
                told.push(press);
            }
        }
        assert_all_true(&told);
        assert_told_apart(&told);
    })
    .await;
}

#[derive(Clone, Copy, PartialEq)]
enum Kill {
    Page,
    Browser,
}

/// A session in a Chrome that no other test uses, so that it can be killed.
struct Victim {
    chrome: OwnChrome,
    catalog: Catalog,
    caller: Caller,
}

impl Victim {
    fn new() -> Self {
        let chrome = OwnChrome::new();
        let catalog = Catalog::new(Sessions::new(chrome.settings()));
        let grant = catalog.grant("all").expect("all is a preset");
        Self { chrome, catalog, caller: Caller::new("own", grant) }
    }

    async fn call(&self, name: &str, args: Value) -> Result<Outcome, Failure> {
        let args = args.as_object().expect("arguments are an object").clone();
        self.catalog.call(&self.caller, name, args).await
    }

    /// Presses a submit while its page or browser is killed: in one round of three before it can
    /// be pressed, in one after the server has counted it, in one at some moment.
    async fn press_and_kill(&self, round: u32, key: String, dice: &mut Dice, kill: Kill) -> Told {
        let url = server().url(&format!("_submit.html?key={key}"));
        let opened = self.call("navigate", json!({ "url": url })).await;
        assert!(opened.is_ok(), "the next call did not work: {:?}", opened.err().map(|e| e.text()));
        let victims = match kill {
            Kill::Browser => self.chrome.leaders(),
            Kill::Page => self.chrome.renderers(),
        };
        assert!(!victims.is_empty(), "nothing to kill");
        let button = if round.is_multiple_of(3) { "#off" } else { button(dice) };
        let (action, args) = press(round, button, DEADLINE.as_secs() * 1000);
        let press = self.call(action, args);
        let after = Duration::from_micros(dice.roll(30_000));
        let end = async {
            match round % 3 {
                1 => {
                    let counted = tokio::time::timeout(DEADLINE / 4, server().counted(&key)).await;
                    assert!(counted.is_ok(), "{key}: the press did not reach the server");
                }
                _ => {
                    let never = std::future::pending::<()>();
                    tokio::time::timeout(after, never).await.expect_err("it never ends by itself");
                }
            }
            let pids = victims.iter().map(|victim| victim.id.to_string());
            Command::new("kill").arg("-9").args(pids).output().expect("kill runs");
        };
        let begun = Instant::now();
        let (answer, ()) = tokio::join!(press, end);
        let took = begun.elapsed();
        assert!(took < DEADLINE / 2, "nobody noticed for {took:?}: {:?}", answer.err());
        Told::new(key, answer)
    }
}
