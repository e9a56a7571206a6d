//! Chrome as a process: it starts, it answers, and nothing of it stays behind.
//!
//! These tests start Chromes of their own, because what they are about is its end.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{
    env, fs,
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::Arc,
    time::{Duration, Instant},
};

use btcp_cdp::{Connection, Error, Event, EventHandler, SessionId, browser, page, runtime, target};
use btcp_engine::{
    Settings,
    launch::{self, Chrome, LaunchError},
};
use tokio::time::Instant as Deadline;

/// Set in the process that is to be killed.
const VICTIM: &str = "BTCP_TEST_LAUNCH_VICTIM";

struct Deaf;

impl EventHandler for Deaf {
    fn event(&self, _: &Connection, _: Event<'_>) {}
    fn closed(&self, _: &str) {}
}

async fn start() -> Chrome {
    let installed = launch::find(&Settings::default()).unwrap();
    launch::start(&installed, &Settings::default(), Arc::new(Deaf)).await.unwrap()
}

fn later() -> Deadline {
    Deadline::now() + Duration::from_secs(20)
}

/// A page of its own; the line to it.
async fn open_page(chrome: &Chrome) -> SessionId {
    let new =
        target::CreateTarget { url: "about:blank", new_window: Some(true), ..Default::default() };
    let made = chrome.connection.call(None, &new, later()).await.unwrap();
    let attach = target::AttachToTarget { target_id: &made.target_id, flatten: true };
    chrome.connection.call(None, &attach, later()).await.unwrap().session_id
}

async fn evaluate(chrome: &Chrome, session: &SessionId, expression: &str) -> String {
    let command = runtime::Evaluate {
        expression,
        return_by_value: Some(true),
        await_promise: Some(true),
        ..Default::default()
    };
    let answer = chrome.connection.call(Some(session), &command, later()).await.unwrap();
    answer.result.value.unwrap().get().to_owned()
}

#[tokio::test]
async fn chrome_starts_and_runs_a_page() {
    if without_chrome() {
        return;
    }
    let chrome = start().await;

    let page = open_page(&chrome).await;

    assert!(chrome.version.product.contains("Chrome/"), "{}", chrome.version.product);
    assert_eq!(evaluate(&chrome, &page, "6 * 7").await, "42");
    assert_eq!(evaluate(&chrome, &page, "'😀'.slice(0, 1)").await, r#""\ufffd""#);
}

#[tokio::test]
async fn closing_leaves_no_process_and_no_profile() {
    if without_chrome() {
        return;
    }
    let chrome = start().await;
    let profile = chrome.profile().to_owned();
    open_page(&chrome).await;
    assert!(profile.is_dir());

    chrome.close(later()).await;

    assert!(chrome.exit_status().unwrap().success(), "{:?}", chrome.exit_status());
    assert!(chrome.connection.is_closed());
    assert_gone(&profile).await;
    assert!(!profile.exists());
}

#[tokio::test]
async fn dropping_leaves_no_process_and_no_profile() {
    if without_chrome() {
        return;
    }
    let chrome = start().await;
    let profile = chrome.profile().to_owned();
    open_page(&chrome).await;

    let socket = fs::read_link(profile.join("SingletonSocket")).unwrap();
    assert!(socket.starts_with(&profile), "temporary files outside the profile: {socket:?}");
    let since = Instant::now();
    drop(chrome);

    assert!(since.elapsed() < Duration::from_secs(5), "{:?}", since.elapsed());
    assert!(!profile.exists());
    assert_gone(&profile).await;
}

#[tokio::test]
async fn a_chrome_that_hangs_is_killed_at_the_deadline() {
    if without_chrome() {
        return;
    }
    let chrome = start().await;
    let profile = chrome.profile().to_owned();
    let stop = rustix::process::Signal::STOP;
    let pid = rustix::process::Pid::from_raw(chrome.pid().cast_signed()).unwrap();
    rustix::process::kill_process(pid, stop).unwrap();

    chrome.close(Deadline::now() + Duration::from_millis(100)).await;

    assert!(!chrome.exit_status().unwrap().success());
    assert!(!profile.exists());
    assert_gone(&profile).await;
}

#[tokio::test]
async fn a_chrome_that_crashes_fails_what_waits_for_it() {
    if without_chrome() {
        return;
    }
    let chrome = start().await;
    let page = open_page(&chrome).await;
    let never = runtime::Evaluate {
        expression: "new Promise(() => {})",
        await_promise: Some(true),
        ..Default::default()
    };
    let call = chrome.connection.call(Some(&page), &never, later());
    let pid = rustix::process::Pid::from_raw(chrome.pid().cast_signed()).unwrap();

    rustix::process::kill_process(pid, rustix::process::Signal::KILL).unwrap();

    let error = call.await.unwrap_err();
    assert!(matches!(error, Error::Closed { .. }), "{error:?}");
    chrome.exited().await.unwrap();
    assert_gone(chrome.profile()).await;
}

/// A program that is no Chrome; gone at the end of the test.
struct Impostor(PathBuf);

impl Impostor {
    fn new(script: &str) -> Self {
        let name = format!("btcp-impostor-{}-{}", std::process::id(), script.len());
        let path = env::temp_dir().join(name);
        // Written by another process: while we hold it open, a fork in a parallel test would make
        // starting it fail with "text file busy".
        let write = r#"printf '#!/bin/sh\n%s\n' "$1" > "$2" && chmod 755 "$2""#;
        let written = Command::new("/bin/sh").args(["-c", write, "sh", script]).arg(&path).status();
        assert!(written.unwrap().success());
        Self(path)
    }

    async fn start(&self) -> LaunchError {
        let settings = Settings {
            browser: Some(self.0.clone()),
            start_timeout: Duration::from_secs(1),
            ..Settings::default()
        };
        let installed = launch::find(&settings).unwrap();
        launch::start(&installed, &settings, Arc::new(Deaf)).await.unwrap_err()
    }
}

impl Drop for Impostor {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

#[tokio::test]
async fn a_browser_that_ends_at_once_is_told_with_its_last_words() {
    let browser = Impostor::new("echo 'cannot open display' >&2; exit 3");

    let error = browser.start().await;

    let path = browser.0.display();
    let expected = format!("'{path}' ended at its start (exit status: 3):\ncannot open display");
    assert_eq!(error.to_string(), expected);
}

#[tokio::test]
async fn a_browser_that_never_answers_is_given_up() {
    let browser = Impostor::new("exec sleep 100");

    let error = browser.start().await;

    let path = browser.0.display();
    assert_eq!(error.to_string(), format!("'{path}' did not answer within 1 s"));
}

/// Nothing can be done on SIGKILL, so the system has to do it.
#[test]
fn a_killed_owner_takes_chrome_along() {
    if without_chrome() {
        return;
    }
    if env::var_os(VICTIM).is_some() {
        return be_killed();
    }
    let mut owner = Command::new(env::current_exe().unwrap())
        .args(["launch::a_killed_owner_takes_chrome_along", "--exact", "--nocapture"])
        .env(VICTIM, "1")
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let output = BufReader::new(owner.stdout.take().unwrap());
    let profile = output
        .lines()
        .map_while(Result::ok)
        .find_map(|line| line.split_once("profile: ").map(|told| PathBuf::from(told.1)))
        .expect("the owner started no Chrome");
    assert!(processes_of(&profile).len() > 1, "{:?}", processes_of(&profile));

    owner.kill().unwrap();
    owner.wait().unwrap();

    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    runtime.block_on(assert_gone(&profile));
    // The next start sweeps it up; it may have done so already.
    let _ = fs::remove_dir_all(&profile);
}

/// The other side of the test: holds a Chrome with a page until killed.
#[expect(clippy::print_stdout, reason = "tells the test which Chrome it holds")]
fn be_killed() {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let chrome = start().await;
        open_page(&chrome).await;
        println!("profile: {}", chrome.profile().display());
        chrome.exited().await;
    });
}

/// Where the time to the first page goes; run with `--nocapture` to see it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[expect(clippy::print_stdout, reason = "a measurement is there to be read")]
async fn start_up_is_measured() {
    if without_chrome() {
        return;
    }
    let rounds: u32 = env::var("BTCP_TEST_ROUNDS").map_or(1, |rounds| rounds.parse().unwrap());
    for _ in 0..rounds {
        let since = Instant::now();
        let chrome = start().await;
        let answers = since.elapsed();
        let page = open_page(&chrome).await;
        let opened = since.elapsed();
        evaluate(&chrome, &page, "document.readyState").await;
        let evaluated = since.elapsed();
        let trips = Instant::now();
        for _ in 0..200 {
            chrome.connection.call(None, &browser::GetVersion, later()).await.unwrap();
        }
        let trip = trips.elapsed() / 200;
        chrome.connection.call(Some(&page), &page::Enable, later()).await.unwrap();
        let closing = Instant::now();
        chrome.close(later()).await;
        println!(
            "answers {answers:.0?}, page {opened:.0?}, evaluated {evaluated:.0?}, round trip {trip:.0?}, close {:.0?}",
            closing.elapsed()
        );
    }
}

/// Waits for all processes that use the profile to be gone: a second, and more on a busy machine.
async fn assert_gone(profile: &Path) {
    let since = Instant::now();
    // The kernel tells nobody but the parent when a process ends: look again.
    let mut looks = tokio::time::interval(Duration::from_millis(5));
    while !processes_of(profile).is_empty() {
        assert!(since.elapsed() < Duration::from_secs(5), "{:?} still run", processes_of(profile));
        looks.tick().await;
    }
}

/// Command lines of the Chrome that has this profile. All its processes are told the profile, the
/// crash handlers too; a zombie has no command line.
fn processes_of(profile: &Path) -> Vec<String> {
    let profile = profile.to_str().unwrap();
    let processes = fs::read_dir("/proc").unwrap().flatten();
    let lines = processes.filter_map(|entry| fs::read_to_string(entry.path().join("cmdline")).ok());
    lines.filter(|line| line.contains(profile)).map(|line| line.replace('\0', " ")).collect()
}

/// The one way to skip tests that need Chrome.
#[expect(clippy::print_stderr, reason = "a skipped test says so")]
pub(crate) fn without_chrome() -> bool {
    let skip = env::var("BTCP_TEST_WITHOUT_CHROME").is_ok_and(|value| value == "1");
    if skip {
        eprintln!("skipped: needs Chrome");
    }
    skip
}
