//! What a person sees at a terminal: a pseudo-terminal without any program around it.

use std::fs::{File, OpenOptions};
use std::io::{Read as _, Write as _};
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt as _;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};

use btcp_testkit::server;
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

use crate::home::{Home, PATIENCE};
use crate::mirror::{Manners, Mirror};
use crate::processes::until;

/// A command whose terminal is ours.
struct Terminal {
    keyboard: File,
    screen: Arc<Mutex<String>>,
    process: Child,
}

impl Terminal {
    fn start(command: &mut Command) -> Self {
        let ours = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        grantpt(&ours).unwrap();
        unlockpt(&ours).unwrap();
        let name = ptsname(&ours, Vec::new()).unwrap();
        let path = std::path::Path::new(std::ffi::OsStr::from_bytes(name.as_bytes()));
        let theirs = OpenOptions::new().read(true).write(true).open(path).unwrap();
        let stdio = || Stdio::from(OwnedFd::from(theirs.try_clone().unwrap()));
        let process = command
            .env("TERM", "xterm")
            .env_remove("NO_COLOR")
            .stdin(stdio())
            .stdout(stdio())
            .stderr(stdio())
            .spawn()
            .unwrap();
        let keyboard = File::from(ours);
        let screen = Arc::new(Mutex::new(String::new()));
        let (mut reading, shown) = (keyboard.try_clone().unwrap(), screen.clone());
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            // Ends when the other side is closed.
            while let Ok(read @ 1..) = reading.read(&mut bytes) {
                shown.lock().unwrap().push_str(&String::from_utf8_lossy(&bytes[..read]));
            }
        });
        // The last copies of their side; it would never close while we have one.
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        drop(theirs);
        Self { keyboard, screen, process }
    }

    fn shown(&self) -> String {
        self.screen.lock().unwrap().clone()
    }

    /// Waits until something is shown that was not there before.
    fn sees(&self, text: &str) {
        until(PATIENCE, &format!("{text:?} is shown"), || self.shown().contains(text));
        self.screen.lock().unwrap().clear();
    }

    fn types(&mut self, keys: &str) {
        self.keyboard.write_all(keys.as_bytes()).unwrap();
    }

    fn ends(&mut self) -> Option<i32> {
        let process = &mut self.process;
        until(PATIENCE, "it ended", || process.try_wait().unwrap().is_some());
        process.wait().unwrap().code()
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[test]
fn a_spinner_turns_on_a_terminal_and_leaves_no_trace() {
    let home = Home::new();
    home.does(&["open", &server().url("click.html")]);
    let slow = ["wait", "--time", "1500"];

    let mut terminal = Terminal::start(&mut home.command(&slow));
    assert_eq!(terminal.ends(), Some(0));
    let drawn = |text: &str| text.contains("\r| wait") || text.contains("\r/ wait");
    until(PATIENCE, "the spinner was drawn", || drawn(&terminal.shown()));
    until(PATIENCE, "and wiped away", || terminal.shown().contains("\r\x1b[K"));

    let mut terminal = Terminal::start(&mut home.command(&["click", "#no", "--timeout", "2s"]));
    assert_eq!(terminal.ends(), Some(1));
    until(PATIENCE, "an error is red", || {
        terminal.shown().contains("\x1b[31mSelector '#no' not found\x1b[0m")
    });

    let piped = home.say(&slow);
    assert_eq!((piped.code, piped.err.as_str()), (0, ""), "no terminal, no spinner: {piped:?}");
}

/// Neither a spinner for what takes long, nor red for what fails.
#[test]
fn no_color_leaves_plain_text_on_a_terminal() {
    let home = Home::new();
    home.does(&["open", &server().url("click.html")]);
    let words = ["click", "#no", "--timeout", "2s"];
    let plain = home.command(&words);
    // By `env`, after `start` has taken it away.
    let mut terminal = Terminal::start(
        Command::new("env")
            .args(["NO_COLOR=1"])
            .arg(plain.get_program())
            .args(words)
            .envs(plain.get_envs().filter_map(|(name, value)| Some((name, value?))))
            .current_dir(home.work()),
    );

    assert_eq!(terminal.ends(), Some(1));
    // The code is the last that is said.
    until(PATIENCE, "all of the error is shown", || terminal.shown().contains("(not_found"));

    let shown = terminal.shown();
    assert!(shown.starts_with("Selector '#no' not found\r\n"), "{shown:?}");
    assert!(!shown.contains('\x1b'), "{shown:?}");
}

#[test]
fn an_installation_draws_a_bar_and_wipes_it_away() {
    let home = Home::new();
    let mirror = Mirror::new(Manners::default());
    let mut terminal = Terminal::start(&mut home.install(&mirror.url, &["--force"]));
    assert_eq!(terminal.ends(), Some(0));
    until(PATIENCE, "the bar was drawn", || {
        terminal.shown().contains("\r[########################] 100 %  1024 of 1024 KB \x1b[K")
    });
    until(PATIENCE, "and wiped away before the next line", || {
        terminal.shown().contains("\r\x1b[Kbtcp: unpacking it")
    });

    let mut quiet = Terminal::start(&mut home.install(&mirror.url, &["--force", "--quiet"]));
    assert_eq!(quiet.ends(), Some(0));
    assert_eq!(quiet.shown(), "");
}

#[test]
fn a_long_wait_and_a_download_draw_a_bar() {
    let home = Home::new();
    home.does(&["open", &server().url("click.html")]);
    let mut terminal = Terminal::start(&mut home.command(&["wait", "--time", "4s"]));
    assert_eq!(terminal.ends(), Some(0));
    until(PATIENCE, "how long it takes was drawn", || {
        let shown = terminal.shown();
        // The second that is told depends on how busy the machine is.
        shown.contains("\rwait [####")
            && shown.contains(" of 4 s \x1b[K")
            && shown.contains("\r\x1b[K")
    });

    let file = server().url("/file?name=a.bin&bytes=2048000&ms=4000");
    let mut terminal = Terminal::start(&mut home.command(&["open", &file]));
    assert_eq!(terminal.ends(), Some(0));
    until(PATIENCE, "how far it is was drawn", || terminal.shown().contains(" of 2000 KB \x1b[K"));

    let file = server().url("/file?name=b.bin&bytes=2048000&ms=1000");
    let piped = home.say(&["open", &file]);
    assert_eq!((piped.code, piped.err.as_str()), (0, ""), "{piped:?}");
}

#[test]
fn the_repl_completes_remembers_and_goes_on_after_an_error() {
    let home = Home::new();
    let page = server().url("click.html");
    let mut terminal = Terminal::start(&mut home.command(&["repl", "--session", "typed"]));
    terminal.sees("btcp> ");
    terminal.types(&format!("open {page}\r"));
    terminal.sees("page \"click\"");
    terminal.types("snapsh\t\r");
    terminal.sees("button \"Send\" e");
    terminal.types("screenshot --full-p\t\r");
    terminal.sees("shot-1.png");
    terminal.types("clik e1\r");
    terminal.sees("did you mean click");
    terminal.types("url --j\t\r");
    terminal.sees(&format!("{{\"url\":\"{page}\"}}"));
    // The line before, from memory.
    terminal.types("\x1b[A\r");
    terminal.sees(&format!("{{\"url\":\"{page}\"}}"));
    terminal.types("\x04");
    assert_eq!(terminal.ends(), Some(0));
    assert_eq!(home.does(&["sessions"]), "typed\n");
    let history = std::fs::read_to_string(home.folder.join("state/btcp/repl_history")).unwrap();
    assert!(history.contains("snapshot"), "{history}");

    let said = home.say_with(&["repl", "--session", "typed", "--json"], "title\nexit\nclik\n");
    assert_eq!((said.code, said.out.as_str()), (0, "{\"title\":\"click\"}\n"), "{said:?}");
    let said = home.say_with(&["repl"], "mcp\n");
    assert!(said.code == 2 && said.err.contains("not for here"), "{said:?}");
}
