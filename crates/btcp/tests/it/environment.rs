//! What Chrome's processes know of our environment: nothing that was meant for us.

use std::process::Command;

use btcp_testkit::{Process, below, everyone};
use serde_json::json;

use crate::home::{Home, Said};
use crate::processes::{BTCP, Mcp};

/// Everything we read from the environment that nobody else may know.
const SECRETS: &[(&str, &str)] = &[
    ("BTCP_SECRET_BANK", "correct-horse-battery"),
    ("BTCP_SECRET_BANK_ORIGINS", "https://bank-of-the-test.test"),
    ("BTCP_STATE_KEY", "ab12ab12ab12ab12ab12ab12ab12ab12ab12ab12ab12ab12ab12ab12ab12ab12"),
    ("BTCP_PROXY", "http://ada:hush-hush-proxy@127.0.0.1:9"),
    ("BTCP_HTTP_AUTH", "https://login-of-the-test.test=ada:hush-hush-login"),
];

/// What is no business of ours is passed on: a process that has it has the environment of whoever started it.
const PASSED_ON: (&str, &str) = ("BTCPS_NEIGHBOUR", "everybody-may-know");

fn with_secrets(command: &mut Command) -> &mut Command {
    command.envs(SECRETS.iter().copied()).env(PASSED_ON.0, PASSED_ON.1)
}

/// Those that have a browser's command line, its crash handler included, and all below a process.
fn assert_know_nothing(root: u32) {
    let family = below(root);
    let line = |process: &Process| process.told("cmdline").replace('\0', " ");
    let told = |kind: &str| family.iter().any(|process| line(process).contains(kind));
    assert!(told("--remote-debugging-pipe") && told("--type=renderer"), "Chrome does not run");
    let mut inherited = 0;
    for process in &family {
        let environment = process.told("environ");
        inherited += usize::from(environment.contains(PASSED_ON.1));
        for (name, value) in SECRETS {
            let known = environment.contains(name) || environment.contains(value);
            assert!(!known, "{name} is known to {}", line(process));
            assert!(!line(process).contains(value), "{name} is told to {}", line(process));
        }
    }
    assert!(inherited >= 2, "of {} processes {inherited} can be read", family.len());
}

#[test]
fn no_process_of_chrome_inherits_what_is_meant_for_us() {
    let mut mcp = Mcp::of(with_secrets(Command::new(BTCP).args(["mcp", "--toolset", "all"])));
    mcp.call("browser_navigate", json!({ "url": "about:blank" }));

    let ours = everyone().into_iter().find(|process| process.id == mcp.process.id()).unwrap();
    for (name, value) in SECRETS {
        assert!(ours.told("environ").contains(&format!("{name}={value}\0")), "{name} is not set");
    }
    assert_know_nothing(ours.id);
}

#[test]
fn no_process_of_the_daemons_chrome_inherits_it_either() {
    let home = Home::new();
    let said =
        Said::of(with_secrets(&mut home.command(&["open", "about:blank"])).output().unwrap());
    assert_eq!(said.code, 0, "{said:?}");

    assert_know_nothing(home.daemons()[0].id);
}
