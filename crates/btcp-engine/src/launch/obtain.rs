//! Installing Chromium where none is.
//!
//! Only where a package manager can do it without asking: Debian and its
//! children, as root. The installation outlives a caller that stops waiting,
//! because an apt-get that is killed leaves packages half installed.

use std::{path::Path, process::Stdio, time::Duration};

use rustix::process::{Pid, Signal, geteuid, kill_process};
use tokio::{
    io::{AsyncBufReadExt, AsyncRead, BufReader},
    process::Command,
    sync::{Mutex, mpsc},
    time::timeout,
};

use super::{Installed, LaunchError, find};
use crate::settings::Settings;

/// Two apt-get at a time stand in each other's way.
static ONE_AT_A_TIME: Mutex<()> = Mutex::const_new(());

/// On a slow line the download alone takes minutes.
const LIMIT: Duration = Duration::from_secs(15 * 60);

/// Recommended packages would bring a hundred more, printers included. Without any font
/// pages show boxes. Another apt-get may hold the lock: wait for it.
const INSTALL: &str =
    "install -y --no-install-recommends -o DPkg::Lock::Timeout=300 chromium fonts-liberation";

/// How many lines of apt-get's output an error shows.
const LAST_LINES: usize = 8;

/// Installs Chromium, telling `progress` in a few lines how far it is. A second caller waits for
/// the first and gets the same browser.
pub async fn obtain(progress: &mut (dyn FnMut(&str) + Send)) -> Result<Installed, LaunchError> {
    let (lines, mut received) = mpsc::unbounded_channel();
    let installation = tokio::spawn(install(lines));
    while let Some(line) = received.recv().await {
        progress(&line);
    }
    installation.await.unwrap_or_else(|error| Err(failed(error.to_string())))
}

async fn install(progress: mpsc::UnboundedSender<String>) -> Result<Installed, LaunchError> {
    let _turn = ONE_AT_A_TIME.lock().await;
    match find(&Settings::default()) {
        Err(LaunchError::NotInstalled { .. }) => {}
        found => return found,
    }
    if !has_apt() || !geteuid().is_root() {
        return Err(LaunchError::NotInstalled { how_to_get: how_to_get() });
    }
    let say = |line: &str| drop(progress.send(line.to_owned()));
    say("installing Chromium with apt-get (about 100 MB)");
    // A source that cannot be reached need not be the one Chromium comes from.
    if let Err(error) = apt_get("update", &progress).await {
        say(&format!("{error}; trying with the package lists there are"));
    }
    apt_get(INSTALL, &progress).await.map_err(failed)?;
    say("Chromium is installed");
    find(&Settings::default())
}

/// How a person gets a browser here.
pub(super) fn how_to_get() -> String {
    let own = "point to one with CHROME=/path/to/chrome";
    if has_apt() {
        format!("run `apt-get update && apt-get {INSTALL}` as root, or {own}")
    } else if cfg!(target_os = "macos") {
        format!("run `brew install --cask google-chrome`, or {own}")
    } else {
        format!("install Chromium with your package manager, or {own}")
    }
}

fn failed(reason: String) -> LaunchError {
    LaunchError::InstallFailed { reason }
}

fn has_apt() -> bool {
    Path::new("/usr/bin/apt-get").is_file() && Path::new("/etc/debian_version").exists()
}

/// Runs one apt-get command to its end; its last words if it fails.
async fn apt_get(arguments: &str, progress: &mpsc::UnboundedSender<String>) -> Result<(), String> {
    let failure = |what: &str| format!("`apt-get {arguments}` {what}");
    let mut child = Command::new("/usr/bin/apt-get")
        .args(arguments.split(' '))
        .env("DEBIAN_FRONTEND", "noninteractive")
        .env("LC_ALL", "C")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| failure(&format!("did not start: {error}")))?;
    let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
    let run = async {
        let (_, complaints, status) =
            tokio::join!(follow(stdout, progress), follow(stderr, progress), child.wait());
        (status, complaints)
    };
    match timeout(LIMIT, run).await {
        Ok((Ok(status), _)) if status.success() => Ok(()),
        Ok((Ok(status), complaints)) => {
            Err(failure(&format!("failed ({status}):\n{}", complaints.join("\n"))))
        }
        Ok((Err(error), _)) => Err(failure(&format!("was lost: {error}"))),
        Err(_) => {
            // Not SIGKILL: dpkg may finish the package it is at.
            if let Some(pid) = child.id().and_then(|pid| Pid::from_raw(pid.cast_signed())) {
                let _ = kill_process(pid, Signal::TERM);
            }
            Err(failure(&format!("took more than {} minutes", LIMIT.as_secs() / 60)))
        }
    }
}

/// Passes on what a person wants to know; the last lines of all of it.
async fn follow(
    output: Option<impl AsyncRead + Unpin>,
    progress: &mpsc::UnboundedSender<String>,
) -> Vec<String> {
    let mut last = Vec::new();
    let Some(output) = output else { return last };
    let mut lines = BufReader::new(output).lines();
    while let Ok(Some(line)) = lines.next_line().await {
        if is_news(&line) {
            let _ = progress.send(line.trim_end().to_owned());
        }
        if last.len() == LAST_LINES {
            last.remove(0);
        }
        last.push(line);
    }
    last
}

fn is_news(line: &str) -> bool {
    ["Need to get ", "Fetched ", "Unpacking chromium ", "Setting up chromium "]
        .iter()
        .any(|start| line.starts_with(start))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn of_much_output_only_the_news_and_the_end_are_kept() {
        let output = (0..100).map(|n| format!("Get:{n} http://deb\n")).collect::<String>()
            + "Fetched 101 MB in 2s (50 MB/s)\nE: no space left";
        let (progress, mut told) = mpsc::unbounded_channel();

        let last = follow(Some(output.as_bytes()), &progress).await;

        assert_eq!(told.recv().await.unwrap(), "Fetched 101 MB in 2s (50 MB/s)");
        assert!(told.try_recv().is_err());
        assert_eq!(last.len(), LAST_LINES);
        assert_eq!(last[LAST_LINES - 1], "E: no space left");
    }

    #[tokio::test]
    async fn a_command_that_fails_is_told_with_its_last_words() {
        if !has_apt() {
            return;
        }
        let (progress, _told) = mpsc::unbounded_channel();

        let error = apt_get("no-such-operation", &progress).await.unwrap_err();

        assert!(
            error.starts_with("`apt-get no-such-operation` failed (exit status: 100)"),
            "{error}"
        );
        assert!(error.contains("Invalid operation"), "{error}");
    }
}
