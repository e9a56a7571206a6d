//! Chromium from the system's packages: Debian and its children, as root.
//!
//! An apt-get that is killed leaves packages half installed, so it is let to its end.

use std::{
    path::{Path, PathBuf},
    process::Stdio,
    time::Duration,
};

use rustix::process::{Pid, Signal, geteuid, kill_process};
use tokio::{
    io::{AsyncBufReadExt, AsyncRead, BufReader},
    process::Command,
    time::timeout,
};

use super::{Hear, News, Unit, say};

const PROGRAM: &str = "/usr/bin/apt-get";
const DEBIAN: &str = "/etc/debian_version";

/// On a slow line the download alone takes minutes.
const LIMIT: Duration = Duration::from_secs(15 * 60);

/// Recommended packages would bring a hundred more, printers included. Without any font
/// pages show boxes. Another apt-get may hold the lock: wait for it.
const INSTALL: &str =
    "install -y --no-install-recommends -o DPkg::Lock::Timeout=300 chromium fonts-liberation";

/// How many lines of apt-get's output an error shows.
const LAST_LINES: usize = 8;

/// The system's packages, and who asks for them.
pub(super) struct Apt {
    program: PathBuf,
    /// Only Debian and its children have it.
    debian: PathBuf,
    root: bool,
}

impl Apt {
    /// Those of this system.
    pub(super) fn here() -> Self {
        Self { program: PROGRAM.into(), debian: DEBIAN.into(), root: geteuid().is_root() }
    }

    fn is_there(&self) -> bool {
        self.program.is_file() && self.debian.exists()
    }

    /// Whether Chromium was installed. Where it can be and was not, the reason is told.
    pub(super) async fn gives_chromium(&self, hear: &Hear) -> bool {
        if !self.is_there() || !self.root {
            return false;
        }
        match self.install(hear).await {
            Ok(()) => true,
            // Ubuntu's package is a reference to a snap, which no container can install.
            Err(why) => {
                say(hear, &format!("{why}\ntaking Chrome for Testing instead"));
                false
            }
        }
    }

    /// Installs Chromium; why not, if it cannot.
    async fn install(&self, hear: &Hear) -> Result<(), String> {
        say(hear, "installing Chromium with apt-get (about 100 MB)");
        // A source that cannot be reached need not be the one Chromium comes from.
        if let Err(error) = apt_get(&self.program, "update", hear).await {
            say(hear, &format!("{error}; trying with the package lists there are"));
        }
        apt_get(&self.program, INSTALL, hear).await?;
        say(hear, "Chromium is installed");
        Ok(())
    }
}

/// How a person gets a browser here.
pub(in crate::launch) fn how_to_get() -> String {
    let own = "or point to one with CHROME=/path/to/chrome";
    let ours = "run `btcp install`";
    if Apt::here().is_there() {
        format!("{ours}, or `apt-get update && apt-get {INSTALL}` as root, {own}")
    } else if cfg!(target_os = "macos") {
        format!("{ours} or `brew install --cask google-chrome`, {own}")
    } else {
        format!("{ours}, install Chromium with your package manager, {own}")
    }
}

/// Runs one apt-get command to its end; its last words if it fails.
async fn apt_get(program: &Path, arguments: &str, hear: &Hear) -> Result<(), String> {
    let failure = |what: &str| format!("`apt-get {arguments}` {what}");
    let mut child = Command::new(program)
        .args(arguments.split(' '))
        // Between what it prints: how far it is.
        .args(["-o", "APT::Status-Fd=1"])
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
            tokio::join!(follow(stdout, hear), follow(stderr, hear), child.wait());
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
async fn follow(output: Option<impl AsyncRead + Unpin>, hear: &Hear) -> Vec<String> {
    let mut last = Vec::new();
    let Some(output) = output else { return last };
    let mut lines = BufReader::new(output).lines();
    while let Ok(Some(line)) = lines.next_line().await {
        if let Some(done) = amount(&line) {
            let _ = hear.send(News::Amount { unit: Unit::Parts, done, total: TOTAL });
            continue;
        }
        if is_news(&line) {
            say(hear, line.trim_end());
        }
        if last.len() == LAST_LINES {
            last.remove(0);
        }
        last.push(line);
    }
    last
}

/// What a whole installation is: half of it is the download.
const TOTAL: u64 = 20_000;

/// How far apt-get says it is: `dlstatus:1:12.5:…` while it loads, `pmstatus:chromium:40:…` then.
fn amount(line: &str) -> Option<u64> {
    let mut parts = line.split(':');
    let done = match parts.next()? {
        "dlstatus" => 0.0,
        "pmstatus" => 100.0,
        _ => return None,
    };
    // After the name of a package, which may have an architecture at its end.
    let percent = parts.skip(1).take(2).find_map(|part| part.parse::<f64>().ok());
    let percent = percent.filter(|percent| percent.is_finite())?;
    let hundredths = (done + percent.clamp(0.0, 100.0)) * 100.0;
    // Not negative, and two hundred at most.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "see above")]
    Some(hundredths as u64)
}

fn is_news(line: &str) -> bool {
    ["Need to get ", "Fetched ", "Unpacking chromium ", "Setting up chromium "]
        .iter()
        .any(|start| line.starts_with(start))
}

#[cfg(test)]
mod tests {
    use tokio::sync::mpsc;

    use super::*;

    #[test]
    fn how_far_it_is_is_read_from_its_status_lines() {
        assert_eq!(amount("dlstatus:1:12.5:Retrieving file 1 of 3"), Some(1250));
        assert_eq!(amount("pmstatus:libc6:amd64:40:Installing"), Some(14_000));
        assert_eq!(amount("pmstatus:chromium:40.25:Installing chromium"), Some(14_025));
        assert_eq!(amount("pmstatus:chromium:400:x"), Some(TOTAL));
        assert_eq!(amount("pmstatus:chromium:NaN:x"), None);
        assert_eq!(amount("Setting up chromium (1:2)"), None);
    }

    #[tokio::test]
    async fn of_much_output_only_the_news_and_the_end_are_kept() {
        let output = (0..100).map(|n| format!("Get:{n} http://deb\n")).collect::<String>()
            + "Fetched 101 MB in 2s (50 MB/s)\nE: no space left";
        let (progress, mut told) = mpsc::unbounded_channel();

        let last = follow(Some(output.as_bytes()), &progress).await;

        let fetched = News::Line("Fetched 101 MB in 2s (50 MB/s)".to_owned());
        assert_eq!(told.recv().await.unwrap(), fetched);
        assert!(told.try_recv().is_err());
        assert_eq!(last.len(), LAST_LINES);
        assert_eq!(last[LAST_LINES - 1], "E: no space left");
    }

    #[tokio::test]
    #[expect(clippy::print_stderr, reason = "a skipped test says so")]
    async fn a_command_that_fails_is_told_with_its_last_words() {
        if !Apt::here().is_there() {
            eprintln!("skipped: there is no apt here");
            return;
        }
        let (progress, _told) = mpsc::unbounded_channel();

        let error = apt_get(Path::new(PROGRAM), "no-such-operation", &progress).await.unwrap_err();

        assert!(
            error.starts_with("`apt-get no-such-operation` failed (exit status: 100)"),
            "{error}"
        );
        assert!(error.contains("Invalid operation"), "{error}");
    }

    /// An apt-get that writes down what it is asked for, and fails at one word.
    struct Fake {
        folder: PathBuf,
        apt: Apt,
    }

    impl Fake {
        fn new(test: &str, fails: &str) -> Self {
            let folder =
                std::env::temp_dir().join(format!("btcp-apt-{}-{test}", std::process::id()));
            std::fs::create_dir_all(&folder).unwrap();
            let program = folder.join("apt-get");
            let script = format!(
                "#!/bin/sh\necho \"$*\" >> {}/asked\nif [ \"$1\" = {fails} ]; then echo 'E: no such thing' >&2; exit 100; fi\n",
                folder.display()
            );
            // By another process: one that a test beside us starts would hold ours open for writing.
            let write = r#"printf '%s' "$1" > "$0"; chmod 755 "$0""#;
            let mut writing = std::process::Command::new("sh");
            let written = writing.args(["-c", write]).arg(&program).arg(script).status();
            assert!(written.unwrap().success());
            let apt = Apt { program, debian: folder.clone(), root: true };
            Self { folder, apt }
        }

        /// Whether it gave one, what it was asked for, and what was said.
        async fn asked(&self) -> (bool, Vec<String>, String) {
            let (progress, mut told) = mpsc::unbounded_channel();
            let given = self.apt.gives_chromium(&progress).await;
            drop(progress);
            let mut said = String::new();
            while let Some(news) = told.recv().await {
                said.push_str(&format!("{news:?}\n"));
            }
            let asked = std::fs::read_to_string(self.folder.join("asked")).unwrap_or_default();
            let words = |line: &str| line.split(' ').next().unwrap_or_default().to_owned();
            (given, asked.lines().map(words).collect(), said)
        }
    }

    impl Drop for Fake {
        fn drop(&mut self) {
            let _ = std::fs::remove_dir_all(&self.folder);
        }
    }

    #[tokio::test]
    async fn root_on_debian_gets_chromium_from_its_packages() {
        let (given, asked, said) = Fake::new("root", "nothing").asked().await;
        assert!(given, "{said}");
        assert_eq!(asked, ["update", "install"]);

        let (given, asked, said) = Fake::new("lists", "update").asked().await;
        assert!(given && said.contains("trying with the package lists there are"), "{said}");
        assert_eq!(asked, ["update", "install"]);
    }

    #[tokio::test]
    async fn where_packages_give_none_it_is_chrome_for_testing() {
        let (given, asked, said) = Fake::new("fails", "install").asked().await;
        assert!(!given && asked.len() == 2);
        assert!(
            said.contains("no such thing") && said.contains("taking Chrome for Testing"),
            "{said}"
        );

        let mut user = Fake::new("user", "nothing");
        user.apt.root = false;
        let mut elsewhere = Fake::new("elsewhere", "nothing");
        elsewhere.apt.debian = elsewhere.folder.join("no-debian");
        for fake in [user, elsewhere] {
            assert_eq!(fake.asked().await, (false, Vec::new(), String::new()));
        }
    }
}
