//! A user of the command line with a home of their own, and so with a daemon of their own.

use std::fs;
use std::io::Write as _;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use btcp_testkit::{Process, below, everyone};
use serde_json::Value;

use crate::processes::{BTCP, until};

/// Far beyond what any of this takes on a busy machine.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// Where they live; their daemon ends with this.
pub(crate) struct Home {
    pub(crate) folder: PathBuf,
}

/// What a command said.
#[derive(Debug)]
pub(crate) struct Said {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Home {
    pub(crate) fn new() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(1);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("btcp-h{}-{number}", std::process::id()));
        let make = |path: &Path| fs::DirBuilder::new().mode(0o700).create(path).unwrap();
        make(&folder);
        for part in ["run", "state", "config", "work"] {
            make(&folder.join(part));
        }
        Self { folder }
    }

    /// Where sockets and profiles are.
    pub(crate) fn runtime(&self) -> PathBuf {
        self.folder.join("run/btcp")
    }

    /// Where commands are typed.
    pub(crate) fn work(&self) -> PathBuf {
        self.folder.join("work")
    }

    /// A command of this user's.
    pub(crate) fn command(&self, words: &[&str]) -> Command {
        self.command_of(Path::new(BTCP), words)
    }

    /// The same with another binary.
    pub(crate) fn command_of(&self, binary: &Path, words: &[&str]) -> Command {
        let mut command = Command::new(binary);
        command
            .args(words)
            .current_dir(self.work())
            .env("XDG_RUNTIME_DIR", self.folder.join("run"))
            .env("XDG_STATE_HOME", self.folder.join("state"))
            .env("XDG_CONFIG_HOME", self.folder.join("config"))
            .stdin(Stdio::null());
        command
    }

    pub(crate) fn say(&self, words: &[&str]) -> Said {
        Said::of(self.command(words).output().unwrap())
    }

    /// A command that reads this.
    pub(crate) fn say_with(&self, words: &[&str], input: &str) -> Said {
        let mut command = self.command(words);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
        Said::of(child.wait_with_output().unwrap())
    }

    /// A command that must succeed.
    pub(crate) fn does(&self, words: &[&str]) -> String {
        let said = self.say(words);
        assert_eq!(said.code, 0, "{words:?}: {said:?}");
        said.out
    }

    /// A command that must succeed, for a program.
    pub(crate) fn data(&self, words: &[&str]) -> Value {
        let out = self.does(&[words, &["--json"]].concat());
        serde_json::from_str(&out).unwrap_or_else(|error| panic!("{error}: {out}"))
    }

    /// A command that is not waited for.
    pub(crate) fn starts(&self, words: &[&str]) -> Child {
        self.command(words).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    }

    /// The daemon's process, if there is one that tells of itself.
    pub(crate) fn daemon(&self) -> Option<Process> {
        let status = self.data(&["status"]);
        let id = status["pid"].as_u64()?;
        everyone().into_iter().find(|process| u64::from(process.id) == id)
    }

    /// Every daemon of this user's.
    pub(crate) fn daemons(&self) -> Vec<Process> {
        let place = format!("XDG_RUNTIME_DIR={}\0", self.folder.join("run").display());
        let is_ours = |process: &Process| {
            process.told("cmdline").starts_with("btcp\0daemon\0")
                && process.told("environ").contains(&place)
        };
        everyone().into_iter().filter(is_ours).collect()
    }

    /// The Chrome of a daemon.
    pub(crate) fn chrome(daemon: &Process) -> Vec<Process> {
        below(daemon.id)
    }

    /// Waits until nothing that was started is left, neither processes nor profiles.
    pub(crate) fn assert_clean(&self, processes: &[Process]) {
        until(PATIENCE, "its processes are gone", || processes.iter().all(|one| !one.is_alive()));
        until(PATIENCE, "its profiles are gone", || {
            let there = fs::read_dir(self.runtime()).into_iter().flatten().flatten();
            !there.into_iter().any(|one| one.file_name().to_string_lossy().starts_with("profile-"))
        });
    }
}

impl Said {
    pub(crate) fn of(output: Output) -> Self {
        Self {
            code: output.status.code().unwrap_or(-1),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        let _ = self.command(&["stop"]).output();
        let _ = fs::remove_dir_all(&self.folder);
    }
}
