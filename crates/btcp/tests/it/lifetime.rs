//! How `btcp mcp` begins and ends, and its Chrome with it.

use std::fs::{self, File};
use std::io::{BufRead as _, BufReader, Read, Write};
use std::net::Shutdown;
use std::os::fd::OwnedFd;
use std::os::unix::fs::MetadataExt;
use std::os::unix::net::UnixStream;
use std::os::unix::process::{CommandExt, ExitStatusExt as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use btcp::{Browser, Settings};
use btcp_testkit::{Process, below, server};
use serde_json::json;

use crate::processes::{BTCP, Mcp, until};

/// Clients kill a server that takes two seconds to leave; other tests keep this machine busy.
const CLIENTS_PATIENCE: Duration = Duration::from_secs(4);

/// A folder for profiles that nobody else has.
struct OwnFolder(PathBuf);

impl OwnFolder {
    fn new() -> Self {
        let path = std::env::temp_dir().join(format!("btcp-own-{}", std::process::id()));
        fs::create_dir(&path).unwrap();
        Self(path)
    }
}

impl Drop for OwnFolder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn with_chrome_in(folder: &Path) -> Mcp {
    let mut mcp = Mcp::of(Command::new(BTCP).arg("mcp").env("XDG_RUNTIME_DIR", folder));
    mcp.call("browser_navigate", json!({ "url": server().url("click.html") }));
    mcp
}

fn with_chrome() -> Mcp {
    let mut mcp = Mcp::start();
    mcp.call("browser_navigate", json!({ "url": server().url("click.html") }));
    assert!(!mcp.family().is_empty(), "Chrome is no child of ours");
    mcp
}

/// However we end, a second later nothing of Chrome is left; other tests keep this machine busy.
const GONE: Duration = Duration::from_secs(5);

/// Waits until nothing is left of a Chrome; how long that took.
fn assert_gone(family: &[Process]) -> Duration {
    until(GONE, "Chrome is gone", || family.iter().all(|process| !process.is_alive()))
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

/// Clients in Node give sockets for streams, scripts give files: both are served to the end.
#[test]
fn any_kind_of_stream_is_served() {
    let hello = json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "test", "version": "1" } } });
    let (mut here, there) = UnixStream::pair().unwrap();
    let mut process = Command::new(BTCP)
        .arg("mcp")
        .stdin(OwnedFd::from(there.try_clone().unwrap()))
        .stdout(OwnedFd::from(there))
        .spawn()
        .unwrap();
    writeln!(here, "{hello}").unwrap();
    here.shutdown(Shutdown::Write).unwrap();
    let mut answer = String::new();
    here.read_to_string(&mut answer).unwrap();
    assert!(answer.contains("\"protocolVersion\":\"2025-11-25\""), "{answer}");
    assert!(process.wait().unwrap().success());

    let script = std::env::temp_dir().join(format!("btcp-test-script-{}", std::process::id()));
    fs::write(&script, format!("{hello}\n")).unwrap();
    let output =
        Command::new(BTCP).arg("mcp").stdin(File::open(&script).unwrap()).output().unwrap();
    assert!(String::from_utf8_lossy(&output.stdout).contains("\"protocolVersion\""), "{output:?}");
    fs::remove_file(script).unwrap();
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

/// The promise is a second, and is kept where the machine has the time.
#[test]
fn killing_it_leaves_no_chrome() {
    let mut took = Vec::new();
    for _ in 0..3 {
        let mut mcp = with_chrome();
        let family = mcp.family();
        let profile = profile_of(&family);
        assert!(profile.is_dir());

        mcp.process.kill().unwrap();

        took.push(assert_gone(&family) + assert_swept(&profile));
    }
    assert!(took.iter().min() < Some(&Duration::from_secs(1)), "{took:?}");
}

/// Nothing is left of a profile either; how long that took.
fn assert_swept(profile: &Path) -> Duration {
    until(GONE, "the profile is gone", || {
        !profile.exists() && !profile.with_extension("lock").exists()
    })
}

/// By whichever signal: those that ask and are answered, and those that nobody can answer.
#[test]
fn whatever_signal_ends_it_leaves_no_chrome() {
    for (signal, asked) in [
        ("HUP", Some(129)),
        ("INT", Some(130)),
        ("TERM", Some(143)),
        ("QUIT", None),
        ("ABRT", None),
        ("ILL", None),
        ("USR1", None),
    ] {
        // Nobody wants to read what some of these write down; and who runs us in the background of a shell
        // has had some of them ignored.
        let quietly = "ulimit -c 0; exec \"$0\" mcp";
        let shell = ["--default-signal", "/bin/sh", "-c", quietly, BTCP];
        let mut mcp = Mcp::of(Command::new("env").args(shell));
        mcp.call("browser_navigate", json!({ "url": server().url("click.html") }));
        let family = mcp.family();
        let profile = profile_of(&family);

        let id = mcp.process.id().to_string();
        assert!(
            Command::new("kill").args([&format!("-{signal}"), &id]).status().unwrap().success()
        );

        let process = &mut mcp.process;
        until(CLIENTS_PATIENCE, signal, || process.try_wait().unwrap().is_some());
        assert_eq!(process.wait().unwrap().code(), asked, "{signal}");
        assert_gone(&family);
        assert_swept(&profile);
    }
}

/// The system has no memory left for us: what a page sends finds no room.
#[test]
fn running_out_of_memory_leaves_no_chrome() {
    let quietly = "ulimit -c 0; exec \"$0\" mcp --toolset all";
    let mut mcp = Mcp::of(Command::new("/bin/sh").args(["-c", quietly, BTCP]));
    mcp.call("browser_navigate", json!({ "url": server().url("click.html") }));
    let family = mcp.family();
    let profile = profile_of(&family);

    let id = mcp.process.id().to_string();
    // Nothing more than what it has; Chrome is not limited.
    let limited = Command::new("prlimit").args(["--pid", &id, "--as=4096"]).status().unwrap();
    assert!(limited.success());
    let script = "'x'.repeat(50_000_000)";
    let large = json!({ "name": "browser_evaluate", "arguments": { "script": script } });
    mcp.send("tools/call", large);

    let process = &mut mcp.process;
    until(CLIENTS_PATIENCE * 5, "it ended", || process.try_wait().unwrap().is_some());
    assert_eq!(process.wait().unwrap().signal(), Some(ABORTED), "it did not run out of memory");
    assert_gone(&family);
    assert_swept(&profile);
}

const ABORTED: i32 = 6;

/// Set where this very test is run a second time, as the program that panics.
const PANICS: &str = "BTCP_TEST_PANICS";

/// A mistake in the program that holds the browser: its own, or ours.
#[test]
fn a_panic_leaves_no_chrome() {
    if std::env::var_os(PANICS).is_some() {
        return panic_with_a_browser();
    }
    let mut program = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "lifetime::a_panic_leaves_no_chrome", "--nocapture"])
        .env(PANICS, "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut said = BufReader::new(program.stdout.take().unwrap()).lines().map(Result::unwrap);
    assert!(said.any(|line| line.contains("the page is open")), "it came to no page");
    let family = below(program.id());
    let profile = profile_of(&family);

    drop(program.stdin.take());

    let mut cause = String::new();
    program.stderr.take().unwrap().read_to_string(&mut cause).unwrap();
    assert!(cause.contains("panicked at"), "{cause}");
    assert!(!program.wait().unwrap().success());
    assert_gone(&family);
    assert_swept(&profile);
}

/// Opens a page, and panics in the midst of it once its input has ended.
fn panic_with_a_browser() {
    let settings = Settings { install: false, sweeper: Some(BTCP.into()), ..Settings::default() };
    let browser = Browser::new(settings);
    tokio::runtime::Runtime::new().unwrap().block_on(async {
        let session = browser.session("ada");
        let url = server().url("click.html");
        session.call("navigate", json!({ "url": url })).await.unwrap();
        let mut said = std::io::stdout();
        writeln!(said, "the page is open").unwrap();
        std::io::stdin().read_to_end(&mut Vec::new()).unwrap();
        panic!("as a mistake would");
    });
}

/// The profile that the processes of a Chrome were told.
fn profile_of(family: &[Process]) -> PathBuf {
    let lines = family.iter().map(|process| process.told("cmdline"));
    lines
        .flat_map(|line| line.split('\0').map(str::to_owned).collect::<Vec<_>>())
        .find_map(|switch| switch.strip_prefix("--user-data-dir=").map(PathBuf::from))
        .expect("Chrome has a profile")
}

/// A key in the terminal and a client that gives up reach the whole process group.
#[test]
fn killing_its_whole_group_leaves_nothing_either() {
    let mut mcp = Mcp::of(Command::new(BTCP).arg("mcp").process_group(0));
    mcp.call("browser_navigate", json!({ "url": server().url("click.html") }));
    let family = mcp.family();
    let profile = profile_of(&family);

    let group = format!("-{}", mcp.process.id());
    assert!(Command::new("kill").args(["-KILL", "--", &group]).status().unwrap().success());

    assert_gone(&family);
    assert_swept(&profile);
}

/// The one that clears up may be killed too: the next start finds what is left by the ledger.
#[test]
fn the_next_start_reaps_what_a_power_cut_left() {
    // Other tests' starts sweep too.
    let own = OwnFolder::new();
    let mut mcp = with_chrome_in(&own.0);
    let family = mcp.family();
    let profile = profile_of(&family);
    let sweepers = family.iter().filter(|process| process.told("cmdline").contains("sweep"));
    sweepers.for_each(Process::kill);
    mcp.process.kill().unwrap();
    mcp.process.wait().unwrap();
    assert_gone(&family);
    assert!(profile.with_extension("lock").exists(), "nobody is there to remove it");
    // A process that the death of its owner has missed.
    let mut missed = Command::new("/bin/sh")
        .args(["-c", "read line", &format!("--user-data-dir={}", profile.display())])
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();

    let _next = with_chrome_in(&own.0);

    until(Duration::from_secs(5), "the profile is swept", || {
        !profile.exists() && !profile.with_extension("lock").exists()
    });
    assert!(!missed.wait().unwrap().success(), "it was left running");
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

/// Chrome's pages are in its sandbox wherever the kernel lets an ordinary user make one.
#[test]
fn pages_of_an_ordinary_user_are_in_the_sandbox() {
    const NOBODY: u32 = 65_534;
    let folder = std::env::temp_dir().join(format!("btcp-test-nobody-{}", std::process::id()));
    fs::create_dir(&folder).unwrap();
    // Where it was built an ordinary user may not look.
    let binary = folder.join("btcp");
    fs::copy(BTCP, &binary).unwrap();
    let is_root = fs::metadata(&folder).unwrap().uid() == 0;
    let ordinary = |program: &Path| {
        let mut command = Command::new(program);
        command.env("HOME", &folder).env_remove("XDG_RUNTIME_DIR").env_remove("XDG_STATE_HOME");
        if is_root {
            std::os::unix::fs::chown(&folder, Some(NOBODY), Some(NOBODY)).unwrap();
            command.uid(NOBODY).gid(NOBODY);
        }
        command.current_dir(&folder);
        command
    };
    let possible = ordinary(Path::new("unshare")).args(["--user", "true"]).status().unwrap();

    let said = folder.join("said");
    let mut mcp = Mcp::of(ordinary(&binary).arg("mcp").stderr(File::create(&said).unwrap()));
    mcp.call("browser_navigate", json!({ "url": server().url("click.html") }));

    let family = mcp.family();
    let pages: Vec<String> = family
        .iter()
        .filter(|process| process.told("cmdline").contains("--type=renderer"))
        .map(|page| page.told("status"))
        .collect();
    assert!(!pages.is_empty(), "no page among {family:?}");
    // 2: system calls are filtered.
    let filtered = pages.iter().all(|status| status.contains("\nSeccomp:\t2"));
    let asked_off = family.iter().any(|process| process.told("cmdline").contains("--no-sandbox"));
    assert_eq!((filtered, !asked_off), (possible.success(), possible.success()), "{pages:?}");
    // Where it cannot be on, a line says so and why.
    let said = fs::read_to_string(said).unwrap();
    assert_eq!(said.contains("sandbox off: "), asked_off, "{said}");
    drop(mcp);
    fs::remove_dir_all(folder).unwrap();
}
