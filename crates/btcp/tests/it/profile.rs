//! A profile that is kept from one start to the next, and the port by which others may use Chrome.

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};

use btcp_testkit::{Process, server};

use crate::home::{Home, PATIENCE};
use crate::processes::until;

/// What a person would be sorry to lose.
const LOG_IN: &str = "document.cookie = 'login=ada; max-age=3600'; localStorage.basket = '3'";
const LOGGED_IN: &str = "document.cookie + ' ' + localStorage.basket";

impl Home {
    /// The Chrome of its daemon: the process that leads it.
    fn leader(&self) -> Process {
        let daemon = self.daemon().unwrap();
        let leads = |one: &Process| {
            one.parent() == daemon.id && one.told("cmdline").contains("--remote-debugging-pipe")
        };
        Self::chrome(&daemon).into_iter().find(leads).unwrap()
    }
}

#[test]
fn what_pages_store_in_a_profile_is_there_the_next_time() {
    let home = Home::new();
    let folder = home.folder.join("logins/agent");
    let (profile, page) = (folder.to_str().unwrap(), server().url("click.html"));
    let open = ["--profile", profile, "open", &page];
    home.does(&open);
    home.does(&["evaluate", LOG_IN]);
    assert_eq!(home.does(&["sessions"]), "default (set: profile)\n");
    let chrome = home.leader();
    assert!(chrome.told("cmdline").contains(&format!("--user-data-dir={profile}\0")));
    home.does(&["stop"]);
    home.assert_clean(&[chrome]);
    assert!(folder.join("Default").is_dir(), "the profile was removed");

    home.does(&open);
    assert_eq!(home.does(&["evaluate", LOGGED_IN]), "\"login=ada 3\"\n");
    // An agent has no business in it, wherever it is.
    fs::write(folder.join("note.txt"), "").unwrap();
    let upload = server().url("upload.html");
    home.does(&["open", &upload]);
    let note = folder.join("note.txt");
    let parent = folder.parent().unwrap().to_str().unwrap();
    let allowed = ["--profile", profile, "--allow-folder", parent];
    home.does(&[&allowed[..], &["open", &upload]].concat());
    let refused = home.say(&[&allowed[..], &["upload", "input", note.to_str().unwrap()]].concat());
    assert!(refused.code == 1 && refused.err.contains("(denied"), "{refused:?}");
    home.does(&open);
    // New windows are the session's too.
    let opened = home.data(&["tabs", "new", "--url", &page]);
    assert_eq!(home.data(&["tabs", "list"])["tabs"].as_array().unwrap().len(), 2, "{opened}");

    // However it ends: what was written is there, and what only this start needed is not.
    let (daemon, chrome) = (home.daemon().unwrap(), home.leader());
    daemon.kill();
    home.assert_clean(&[daemon, chrome]);
    home.does(&open);
    assert_eq!(home.does(&["evaluate", LOGGED_IN]), "\"login=ada 3\"\n");
}

#[test]
fn a_profile_is_one_sessions_and_one_chromes_at_a_time() {
    let (home, other) = (Home::new(), Home::new());
    let folder = home.folder.join("agent");
    let (profile, page) = (folder.to_str().unwrap(), server().url("click.html"));
    home.does(&["--profile", profile, "open", &page]);
    home.does(&["evaluate", LOG_IN]);

    let refused = home.say(&["--profile", profile, "--session", "second", "url"]);
    assert_eq!(refused.code, 1, "{refused:?}");
    assert!(
        refused.err.contains("is one session's at a time, and 'default' has it"),
        "{refused:?}"
    );
    let refused = other.say(&["--profile", profile, "url"]);
    assert!(refused.code == 1 && refused.err.contains("another btcp has it open"), "{refused:?}");
    assert!(
        refused.err.contains("'profile'") && refused.err.contains("(no_browser"),
        "{refused:?}"
    );
    // One without it knows nothing of it.
    home.does(&["--session", "second", "open", &page]);
    assert_eq!(home.does(&["--session", "second", "evaluate", "document.cookie"]), "\"\"\n");

    home.does(&["close"]);
    home.does(&["--profile", profile, "--session", "third", "open", &page]);
    assert_eq!(home.does(&["--session", "third", "evaluate", LOGGED_IN]), "\"login=ada 3\"\n");
}

/// The guard stands before a profile as before any other context.
#[test]
fn pages_in_a_profile_are_behind_the_guard() {
    let home = Home::new();
    let folder = home.folder.join("agent");
    let (profile, page) = (folder.to_str().unwrap(), server().url("click.html"));
    let elsewhere = format!("{}/click.html", server().other_origin());
    let ask = format!("fetch('{elsewhere}', {{ mode: 'no-cors' }}).then(() => 'in', () => 'out')");
    home.does(&["--profile", profile, "open", &page]);
    assert_eq!(home.does(&["evaluate", &ask]), "\"in\"\n");
    home.does(&["--profile", profile, "--deny", "localhost", "open", &page]);
    assert_eq!(home.does(&["evaluate", &ask]), "\"out\"\n", "it went past the guard");
}

#[test]
fn a_debugging_port_is_open_where_it_was_asked_for_and_on_this_machine_only() {
    let home = Home::new();
    let page = server().url("click.html");
    home.does(&["open", &page]);
    assert!(!home.leader().told("cmdline").contains("--remote-debugging-port"));
    home.does(&["close"]);

    let said = home.say(&["--debugging-port", "0", "open", &page]);
    let place = said.err.split_once("Chrome takes connections at 127.0.0.1:").unwrap().1;
    let port: u16 = place.split_once(':').unwrap().0.parse().unwrap();
    let mut other = TcpStream::connect(("127.0.0.1", port)).unwrap();
    write!(other, "GET /json/version HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
        .unwrap();
    other.set_read_timeout(Some(PATIENCE)).unwrap();
    let mut told = Vec::new();
    // It keeps the connection, so there is no end to read to.
    while !String::from_utf8_lossy(&told).contains("webSocketDebuggerUrl") {
        let mut part = [0; 4096];
        let read = other.read(&mut part).unwrap();
        assert_ne!(read, 0, "{}", String::from_utf8_lossy(&told));
        told.extend_from_slice(&part[..read]);
    }
    assert_eq!(listening(port), ["0100007F"], "it is open to other machines");
    // An agent that reached it could do everything.
    let named = home.say(&["open", &format!("http://127.0.0.1:{port}/json")]);
    assert!(named.code == 1 && named.err.contains("(denied"), "{named:?}");
    let script = format!(
        "fetch('http://127.0.0.1:{port}/json', {{ mode: 'no-cors' }}).then(() => 'in', () => 'out')"
    );
    assert_eq!(home.does(&["evaluate", &script]), "\"out\"\n");
    home.does(&["close"]);
    until(PATIENCE, "it ended with Chrome", || TcpStream::connect(("127.0.0.1", port)).is_err());

    // Chrome leaves no file of a port that was named.
    let named = home.say(&["--debugging-port", &port.to_string(), "open", &page]);
    assert!(named.err.contains(&format!("connections at 127.0.0.1:{port}:")), "{named:?}");
    TcpStream::connect(("127.0.0.1", port)).unwrap();
    home.does(&["close"]);

    let taken = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let _holds = TcpListener::bind(("127.0.0.1", taken)).unwrap();
    let refused = home.say(&["--debugging-port", &taken.to_string(), "url"]);
    assert_eq!(refused.code, 1, "{refused:?}");
    assert!(
        refused.err.contains(&format!("did not open the debugging port {taken}")),
        "{refused:?}"
    );
    assert_eq!(home.does(&["sessions"]), "");
}

/// The addresses at which this machine listens on a port, as the kernel writes them.
fn listening(port: u16) -> Vec<String> {
    let tables = ["/proc/net/tcp", "/proc/net/tcp6"]
        .map(|path| fs::read_to_string(path).unwrap_or_default());
    let line = |line: &str| {
        let fields: Vec<&str> = line.split_whitespace().collect();
        let (address, at) = fields.get(1)?.split_once(':')?;
        let listens = *fields.get(3)? == "0A" && u16::from_str_radix(at, 16).ok()? == port;
        listens.then(|| address.to_owned())
    };
    tables.iter().flat_map(|table| table.lines()).filter_map(line).collect()
}
