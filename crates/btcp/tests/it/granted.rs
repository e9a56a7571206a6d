//! Settings that are about what may be done and reached, through the daemon and the files they are in.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt as _;

use btcp_testkit::server;

use crate::home::{Home, Said};

#[test]
fn a_command_may_do_what_it_was_granted_and_the_rest_is_written_down() {
    let home = Home::new();
    let page = server().url("click.html");
    let origin = server().origin();
    let audit = home.work().join("denied.log");
    let granted =
        ["--capabilities", "navigate,dom:read", "--origins", &origin, "--audit", "denied.log"];
    let say = |words: &[&str]| home.say(&[&granted, words].concat());
    assert_eq!(say(&["open", &page]).code, 0);
    assert_eq!(say(&["title"]).out, "click\n");
    let elsewhere = format!("{}/click.html", server().other_origin());
    for (words, says) in [
        (&["click", "#send"][..], "needs dom:write, which is not granted"),
        (&["open", &elsewhere], "outside this caller's origins"),
    ] {
        let denied = say(words);
        assert!(denied.code == 1 && denied.err.contains(says), "{denied:?}");
    }
    let written = fs::read_to_string(&audit).unwrap();
    assert_eq!(written.lines().count(), 2, "{written}");
    assert_eq!(fs::metadata(&audit).unwrap().permissions().mode() & 0o777, 0o600);
    // The grant is a call's own, not the session's.
    assert_eq!(home.say(&["click", "#send"]).code, 0);
}

#[test]
fn secrets_come_from_a_file_that_only_its_owner_reads() {
    let home = Home::new();
    let (value, origin) = ("correct-horse-battery", server().origin());
    let file = home.work().join("secrets.json");
    fs::write(&file, format!(r#"{{"PASS": {{"value": "{value}", "origins": ["{origin}"]}}}}"#))
        .unwrap();
    let page = server().url("fill.html");
    let with = |words: &[&str]| home.say(&[&["--secrets", "secrets.json"], words].concat());

    fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).unwrap();
    let refused = with(&["open", &page]);
    assert!(refused.code == 2 && refused.err.contains("chmod 600 mends that"), "{refused:?}");

    fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
    assert_eq!(with(&["open", &page]).code, 0);
    let filled = with(&["fill", "input", "{{secret:PASS}}"]);
    assert!(filled.code == 0 && !filled.out.contains(value), "{filled:?}");
    let length = with(&["evaluate", "document.querySelector('input').value.length"]);
    assert_eq!(length.out, format!("{}\n", value.len()), "{length:?}");
}

/// A session keeps the secrets it began with; who comes with others is told what became of it.
#[test]
fn secrets_that_come_late_begin_the_session_anew_and_that_is_told() {
    let home = Home::new();
    home.does(&["open", &server().url("fill.html")]);
    let mut late = home.command(&["url"]);
    late.env("BTCP_SECRET_PASS", "correct-horse-battery")
        .env("BTCP_SECRET_PASS_ORIGINS", server().origin());
    let late = Said::of(late.output().unwrap());
    assert_eq!((late.code, late.out.as_str()), (0, "about:blank\n"), "{late:?}");
    assert!(
        late.err.contains("Session 'default' began anew: this call came with other secrets"),
        "{late:?}"
    );
    assert!(late.err.contains("from its first call on") && !late.err.contains('@'), "{late:?}");
}

/// Whoever writes a settings file decides which program is started.
#[test]
fn a_settings_file_that_others_may_write_is_refused() {
    let home = Home::new();
    let file = home.work().join("btcp.toml");
    fs::write(&file, "viewport = \"700x500\"\n").unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o666)).unwrap();
    let refused = home.say(&["config"]);
    assert!(refused.code == 2 && refused.err.contains("chmod o-w mends that"), "{refused:?}");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).unwrap();
    assert!(home.does(&["config"]).contains("viewport = 700x500"));
    // Only root can give it to somebody else.
    if rustix::process::geteuid().is_root() {
        std::os::unix::fs::chown(&file, Some(65_534), None).unwrap();
        let refused = home.say(&["config"]);
        assert!(
            refused.code == 2 && refused.err.contains("it belongs to user 65534"),
            "{refused:?}"
        );
    }
}

#[test]
fn pictures_go_where_they_are_to_be_kept() {
    let home = Home::new();
    let picture = home.data(&["screenshot", "--out", "shots"]);
    let path = std::path::Path::new(picture["path"].as_str().unwrap());
    assert!(path.starts_with(home.work().join("shots")) && path.is_file(), "{}", path.display());
}

/// What is public is fetched by the person's proxy, with their password, and nothing goes past it.
#[test]
fn a_proxy_is_given_its_password_and_the_pages_come_through_it() {
    let home = Home::new();
    let proxy = TcpListener::bind("127.0.0.1:0").unwrap();
    let place = proxy.local_addr().unwrap();
    let seen = std::thread::spawn(move || {
        let (stream, _) = proxy.accept().unwrap();
        let mut reading = BufReader::new(stream.try_clone().unwrap());
        let mut head = || {
            let mut text = String::new();
            while !text.ends_with("\r\n\r\n") && reading.read_line(&mut text).unwrap() > 0 {}
            text
        };
        let asked = head();
        write!(&stream, "HTTP/1.1 200 OK\r\n\r\n").unwrap();
        let page = "<title>by proxy</title>";
        head();
        write!(
            &stream,
            "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{page}",
            page.len()
        )
        .unwrap();
        asked
    });
    let flag = format!("http://ada:secret@{place}");
    home.does(&["--proxy", &flag, "open", "http://203.0.113.7/"]);
    assert_eq!(home.does(&["title"]), "by proxy\n");
    let asked = seen.join().unwrap();
    assert!(asked.starts_with("CONNECT 203.0.113.7:80 HTTP/1.1\r\n"), "{asked}");
    assert!(asked.contains("Proxy-Authorization: Basic YWRhOnNlY3JldA==\r\n"), "{asked}");
}
