//! What commands say of themselves and of the machine: `doctor`, `status`, `config`.

use std::fs;

use btcp_testkit::server;
use serde_json::{Value, json};

use crate::home::Home;

/// All that it looks at, in this order.
const LOOKED_AT: [&str; 11] = [
    "settings",
    "chrome",
    "start",
    "sandbox",
    "shared memory",
    "fonts",
    "daemon",
    "ports",
    "folder",
    "profile",
    "proxy",
];

/// How something was found, by the name it has there.
fn found(told: &Value, what: &str) -> Value {
    let all = told["findings"].as_array().unwrap();
    all.iter()
        .find(|one| one["what"] == what)
        .unwrap_or_else(|| panic!("no {what}: {told}"))
        .clone()
}

impl Home {
    /// What the doctor finds, of a machine on which something is wrong.
    fn ill(&self, flags: &[&str]) -> Value {
        let said = self.say(&[&["doctor", "--json"], flags].concat());
        assert_eq!(said.code, 1, "{said:?}");
        let told: Value = serde_json::from_str(&said.out).unwrap();
        assert_eq!(told["success"], false, "{told}");
        told
    }
}

fn assert_bad(told: &Value, what: &str, says: &str) {
    let finding = found(told, what);
    assert!(finding["state"] == "bad" && finding["hint"].is_string(), "{finding}");
    assert!(finding["says"].as_str().unwrap().contains(says), "{finding}");
}

#[test]
fn the_doctor_looks_at_all_that_is_needed() {
    let home = Home::new();
    let well = home.data(&["doctor"]);
    assert_eq!(well["success"], true, "{well}");
    let looked_at: Vec<&str> = well["findings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|finding| finding["what"].as_str().unwrap())
        .collect();
    assert_eq!(looked_at, LOOKED_AT);
    assert!(found(&well, "start")["says"].as_str().unwrap().contains("runs a script after"));
    for what in ["settings", "chrome", "start", "daemon", "ports", "folder", "profile", "proxy"] {
        assert_eq!(found(&well, what)["state"], "ok", "{well}");
    }
    // What this machine has; how less is told is a test beside the code.
    let shm = rustix::fs::statvfs("/dev/shm").unwrap();
    let size = (shm.f_blocks * shm.f_frsize) >> 20;
    let memory = found(&well, "shared memory");
    assert_eq!(memory["says"], format!("/dev/shm has {size} MB"));
    assert_eq!(memory["state"], if size >= 256 { "ok" } else { "warning" }, "{memory}");
    let fonts = found(&well, "fonts");
    assert_eq!((&fonts["says"], &fonts["state"]), (&json!("there are some"), &json!("ok")));

    let text = home.does(&["doctor"]);
    assert_eq!(text.lines().filter(|line| !line.starts_with("    ")).count(), LOOKED_AT.len());
    assert!(text.contains("ok      ports: this machine's can be opened\n"), "{text}");
}

#[test]
fn the_doctor_finds_what_is_wrong_and_says_what_to_do() {
    let home = Home::new();
    fs::write(home.work().join("btcp.toml"), "tolset = \"all\"\n").unwrap();
    fs::write(home.work().join("taken"), "").unwrap();
    fs::create_dir_all(home.runtime().join("daemon.sock")).unwrap();
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let taken = port.local_addr().unwrap().port().to_string();
    let told = home.ill(&[
        "--browser",
        "/no/such/chrome",
        "--proxy",
        "http://127.0.0.1:1",
        "--out",
        "taken",
        "--profile",
        "taken",
        "--debugging-port",
        &taken,
    ]);
    fs::remove_dir(home.runtime().join("daemon.sock")).unwrap();
    assert_bad(&told, "settings", "did you mean 'toolset'?");
    assert_bad(&told, "chrome", "/no/such/chrome");
    assert_bad(&told, "start", "/no/such/chrome");
    assert_bad(&told, "daemon", "daemon.sock is a folder");
    assert_bad(&told, "ports", &taken);
    assert_bad(&told, "folder", "taken");
    assert_bad(&told, "profile", "is no folder");
    assert_bad(&told, "proxy", "127.0.0.1:1");
    let sandbox = found(&told, "sandbox");
    assert!(
        sandbox["state"] == "warning"
            && sandbox["says"].as_str().unwrap().contains("cannot be told"),
        "{sandbox}"
    );
}

#[test]
fn status_and_config_tell_a_person_what_there_is() {
    let home = Home::new();
    assert_eq!(home.does(&["status"]), "no daemon runs; the next action starts one\n");
    home.does(&["open", &server().url("click.html")]);
    let status = home.does(&["status"]);
    let daemon = home.daemon().unwrap();
    assert!(
        status.starts_with(&format!(
            "daemon {}, btcp {}, for ",
            daemon.id,
            env!("CARGO_PKG_VERSION")
        )),
        "{status}"
    );
    assert!(status.contains("\nsessions: 1, calls under way: 0\n"), "{status}");
    assert!(
        status.contains(&format!("\nsocket: {}", home.runtime().join("daemon.sock").display())),
        "{status}"
    );

    fs::write(home.work().join("btcp.toml"), "viewport = \"700x500\"\n").unwrap();
    let config = home.does(&["config", "--headed=false", "--proxy", "http://ada:hush@127.0.0.1:1"]);
    let file = home.work().join("btcp.toml");
    for says in [
        format!(
            "viewport = 700x500  ({})\n  Size of the page; --viewport, BTCP_VIEWPORT\n",
            file.display()
        ),
        "headed = false  (flag)\n".to_owned(),
        "debugging-port = off  (default)\n".to_owned(),
        "proxy = [hidden]  (flag)\n".to_owned(),
        format!("files: {}\n", file.display()),
    ] {
        assert!(config.contains(&says), "no {says:?} in {config}");
    }
}
