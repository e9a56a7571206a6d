//! The daemon's life: one for all who start it at once, none left behind, however it ends.

use std::fs::{self, File};
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::net::UnixListener;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use btcp_testkit::{Dice, Process, everyone, server};
use serde_json::Value;

use crate::home::{Home, PATIENCE, Said};
use crate::processes::{BTCP, until};

/// How many start it at once.
const CROWD: usize = 20;

/// How long what it started may take to be gone: seconds, on a machine that is busy with other tests.
const LEFT: Duration = Duration::from_secs(20);

/// How often it is killed.
const KILLS: u32 = 6;

#[test]
fn twenty_who_start_it_at_once_get_one_daemon() {
    let home = Home::new();
    // Held back until all of them have found no daemon.
    fs::create_dir(home.runtime()).unwrap();
    let lock = File::create(home.runtime().join("daemon.starting")).unwrap();
    lock.lock().unwrap();
    let all: Vec<_> = (0..CROWD).map(|_| home.starts(&["url"])).collect();
    let waits = |id: u32| {
        let status = fs::read_to_string(format!("/proc/{id}/status")).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("voluntary_ctxt_switches:"));
        line.is_some_and(|count| count.trim().parse::<u32>().unwrap() > 10)
    };
    until(PATIENCE, "all of them wait", || all.iter().all(|one| waits(one.id())));
    drop(lock);

    for one in all {
        let said = Said::of(one.wait_with_output().unwrap());
        assert_eq!((said.code, said.out.as_str()), (0, "about:blank\n"), "{said:?}");
    }
    assert_eq!(home.daemons().len(), 1);
    assert_eq!(home.does(&["sessions"]), "default\n");
    let mode =
        |name: &str| fs::metadata(home.runtime().join(name)).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(""), mode("daemon.sock"), mode("daemon.log")), (0o700, 0o600, 0o600));
}

/// Killed while it works, and while it and its Chrome start.
#[test]
fn killing_it_at_any_moment_leaves_nothing_and_the_next_command_works() {
    let home = Home::new();
    let page = server().url("click.html");
    let mut dice = Dice::new(seed());
    let rounds = if std::env::var_os("BTCP_TEST_LONG").is_some() { 100 } else { KILLS };
    for round in 0..rounds {
        let cold = round % 2 == 0;
        if cold {
            home.does(&["stop"]);
        }
        let call = home.starts(&["open", &page]);
        until(PATIENCE, "a daemon is there", || !home.daemons().is_empty());
        let moment = Duration::from_millis(dice.roll(if cold { 500 } else { 60 }));
        let begun = Instant::now();
        until(PATIENCE, "the moment has come", || begun.elapsed() >= moment);
        // Held: the call, which it may not have begun, cannot start the next one meanwhile.
        let lock = File::create(home.runtime().join("daemon.starting")).unwrap();
        lock.lock().unwrap();
        let daemon = home.daemons().remove(0);

        daemon.kill();

        home.assert_nothing_left(call.id());
        drop(lock);
        let said = Said::of(call.wait_with_output().unwrap());
        // Answered already, asked of the next daemon, or told that nobody knows.
        let told = said.err.contains("(browser_gone, done: unknown)");
        assert!(said.code == 0 || (said.code == 1 && told), "{said:?}");
        assert!(home.does(&["open", &page]).contains("page \"click\""));
        assert_eq!(home.daemons().len(), 1);
    }
    let daemon = home.daemon().unwrap();
    let chrome = Home::chrome(&daemon);
    home.does(&["stop"]);
    home.assert_clean(&[chrome, vec![daemon]].concat());
    assert_eq!(home.data(&["status"])["running"], false);
    assert!(home.does(&["stop"]).contains("no daemon runs"));
}

/// What it had begun may have happened: nobody does it again unasked.
#[test]
fn a_call_that_a_killed_daemon_had_begun_is_not_made_again() {
    let home = Home::new();
    home.does(&["open", &server().url("click.html")]);
    let daemon = home.daemon().unwrap();
    let call = home.starts(&["evaluate", "new Promise(() => {})", "--timeout", "60s", "--json"]);
    until(PATIENCE, "the call is under way", || home.data(&["status"])["calls"] == 1);

    daemon.kill();

    let said = Said::of(call.wait_with_output().unwrap());
    let told: Value = serde_json::from_str(&said.out).unwrap();
    let error = &told["error"];
    assert_eq!((said.code, &error["code"]), (1, &"browser_gone".into()), "{said:?}");
    assert_eq!(error["done"], "unknown");
    assert_eq!(home.daemons().len(), 0, "it was asked again");
}

#[test]
fn what_a_dead_daemon_left_is_repaired() {
    let home = Home::new();
    home.does(&["describe"]);
    home.does(&["stop"]);
    let socket = home.runtime().join("daemon.sock");
    // A socket nobody listens at, and the pid of somebody else.
    drop(UnixListener::bind(&socket).unwrap());
    fs::write(home.runtime().join("daemon.pid"), std::process::id().to_string()).unwrap();

    assert!(home.does(&["stop"]).contains("no daemon runs"), "we are not the daemon");
    assert!(home.does(&["describe", "click"]).contains("click"));
    assert!(home.daemon().is_some());

    home.does(&["stop"]);
    fs::create_dir(&socket).unwrap();
    let said = home.say(&["describe"]);
    assert!(said.code == 1 && said.err.contains("daemon cannot be started"), "{said:?}");
    fs::remove_dir(&socket).unwrap();
}

#[test]
fn it_ends_when_nobody_needs_it() {
    let home = Home::new();
    home.does(&["--daemon-idle", "1", "describe"]);
    let daemons = home.daemons();
    assert_eq!(daemons.len(), 1);
    until(PATIENCE, "it ended", || !daemons[0].is_alive());
    assert!(!home.runtime().join("daemon.sock").exists());
    home.does(&["describe"]);
}

/// A session that nobody calls ends, its Chrome with it, and then the daemon; whoever says so last says how
/// soon, also to one that runs already.
#[test]
fn it_ends_with_its_last_session_and_leaves_nothing() {
    let home = Home::new();
    home.does(&[
        "--daemon-idle",
        "3600",
        "--idle-timeout",
        "2",
        "open",
        &server().url("click.html"),
    ]);
    let daemon = home.daemon().unwrap();
    let chrome = Home::chrome(&daemon);
    assert!(!chrome.is_empty());

    home.does(&["--daemon-idle", "1", "url"]);

    home.assert_clean(&[chrome, vec![daemon]].concat());
    assert!(!home.runtime().join("daemon.sock").exists());
}

/// A new version takes the old one's place, and whoever the old one works for is answered.
#[test]
fn another_version_takes_its_place_and_nobody_loses_an_answer() {
    let home = Home::new();
    let other = home.folder.join("btcp");
    fs::copy(BTCP, &other).unwrap();
    home.does(&["open", &server().url("click.html")]);
    let old = home.daemon().unwrap();
    let mut waiting = home.starts(&["wait", "--time", "20s"]);
    until(PATIENCE, "the call is under way", || home.data(&["status"])["calls"] == 1);

    let mut command = home.command_of(&other, &["url"]);
    let said = Said::of(command.output().unwrap());

    assert_eq!((said.code, said.out.as_str()), (0, "about:blank\n"), "{said:?}");
    assert_ne!(home.daemon().unwrap().id, old.id);
    assert!(waiting.try_wait().unwrap().is_none(), "its call was over before anybody came");
    let answered = Said::of(waiting.wait_with_output().unwrap());
    assert_eq!(answered.code, 0, "{answered:?}");
    until(PATIENCE, "the old one ended", || !old.is_alive());
    assert_eq!(home.daemons().len(), 1);
}

/// A client that goes away takes its call along; one that stops the daemon is told what became of it.
#[test]
fn a_call_ends_with_its_client_and_with_the_daemon() {
    let home = Home::new();
    home.does(&["open", &server().url("click.html")]);
    let calls = |count: u64| home.data(&["status"])["calls"] == count;
    let mut client = home.starts(&["wait", "--time", "60000"]);
    until(PATIENCE, "the call is under way", || calls(1));
    client.kill().unwrap();
    client.wait().unwrap();
    until(PATIENCE, "the call is over", || calls(0));

    // Of what only reads nobody need know whether it was done.
    for (words, done) in [
        (["wait", "--time", "60000", "--json"].as_slice(), Value::Null),
        (&["click", "#off", "--timeout", "60s", "--json"], "unknown".into()),
    ] {
        home.does(&["open", &server().url("click.html")]);
        let client = home.starts(words);
        until(PATIENCE, "the call is under way", || calls(1));
        home.does(&["stop"]);
        let said = Said::of(client.wait_with_output().unwrap());
        let told: Value = serde_json::from_str(&said.out).unwrap();
        assert_eq!((said.code, &told["error"]["code"]), (1, &"cancelled".into()), "{said:?}");
        assert_eq!(told["error"]["done"], done, "{said:?}");
    }
}

/// Should the folder be opened to others, the daemon still answers its own user only.
#[test]
fn nobody_else_is_answered() {
    const NOBODY: u32 = 65_534;
    let home = Home::new();
    home.does(&["describe"]);
    let socket = home.runtime().join("daemon.sock");
    let ask = "import socket,sys\ns=socket.socket(socket.AF_UNIX)\ns.settimeout(20)\n\
               s.connect(sys.argv[1])\n\
               try:\n s.sendall(b'{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"status\"}\\n')\n \
               print(len(s.recv(4096)))\n\
               except (BrokenPipeError, ConnectionResetError):\n print(0)";
    let mut python = Command::new("python3");
    python.args(["-c", ask]).arg(&socket).current_dir("/").stderr(Stdio::piped());
    let mine = python.output().unwrap();
    assert_ne!(String::from_utf8_lossy(&mine.stdout).trim(), "0", "{mine:?}");
    // Only root can be somebody else.
    if rustix::process::geteuid().is_root() {
        let theirs = python.uid(NOBODY).gid(NOBODY).output().unwrap();
        assert!(!theirs.status.success(), "the folder lets them in: {theirs:?}");
        for path in
            [socket.as_path(), socket.parent().unwrap(), &home.folder.join("run"), &home.folder]
        {
            open_to_all(path);
        }
        let theirs = python.output().unwrap();
        let read = String::from_utf8_lossy(&theirs.stdout);
        assert_eq!(read.trim(), "0", "they were answered: {theirs:?}");
    }
}

fn open_to_all(path: &Path) {
    fs::set_permissions(path, fs::Permissions::from_mode(0o777)).unwrap();
}

/// What the moments of this run follow from, so that it can be had again.
#[expect(clippy::print_stdout, reason = "a run that failed can be repeated by its seed")]
fn seed() -> u64 {
    let given = std::env::var("BTCP_TEST_SEED").ok().and_then(|seed| seed.parse().ok());
    let seed = given.unwrap_or_else(|| std::process::id().into());
    println!("BTCP_TEST_SEED={seed}");
    seed
}

impl Home {
    /// Whatever was killed, soon nothing that was started in this home runs but for the command that
    /// asked, and no profile is left; nobody has come who would clear up.
    fn assert_nothing_left(&self, asks: u32) {
        let home = self.folder.to_str().unwrap();
        let left = || {
            let of_home = |one: &Process| {
                one.id != asks
                    && (one.told("environ").contains(home) || one.told("cmdline").contains(home))
            };
            let running = everyone().into_iter().filter(of_home).map(|one| one.told("cmdline"));
            let files = fs::read_dir(self.runtime()).into_iter().flatten().flatten();
            let names = files.map(|file| file.file_name().to_string_lossy().into_owned());
            let profiles = names.filter(|name| name.starts_with("profile-"));
            running.chain(profiles).collect::<Vec<_>>()
        };
        let begun = Instant::now();
        while !left().is_empty() {
            assert!(begun.elapsed() < LEFT, "after {LEFT:?} there are still {:?}", left());
            std::thread::park_timeout(Duration::from_millis(5));
        }
    }
}
