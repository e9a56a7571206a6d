//! `btcp demo`, whole.

use std::path::Path;
use std::process::Command;

use crate::processes::BTCP;

#[test]
fn the_demo_shows_every_step_and_where_the_picture_is() {
    let output = Command::new(BTCP).arg("demo").output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    let complained = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}\n{complained}");

    for step in ["navigate", "snapshot", "fill", "click", "wait", "get_text", "screenshot"] {
        assert!(said.contains(&format!("> browser_{step} {{")), "no {step} in:\n{said}");
    }
    assert!(said.contains("Thank you, Ada Lovelace! 3 x Green tea"), "{said}");
    let picture = said.lines().last().unwrap().rsplit(' ').next().unwrap();
    let bytes = std::fs::read(Path::new(picture)).unwrap();
    assert!(bytes.starts_with(b"\x89PNG"), "{picture} is no picture");
}

#[test]
fn the_reading_half_runs_on_any_page() {
    let url = btcp_testkit::server().url("click.html");
    let output = Command::new(BTCP).args(["demo", "--url", &url]).output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    let complained = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}\n{complained}");

    let calls: Vec<&str> =
        said.lines().filter_map(|line| line.trim_start().strip_prefix("> ")).collect();
    let tools: Vec<&str> = calls.iter().filter_map(|call| call.split(' ').next()).collect();
    assert_eq!(tools, ["browser_navigate", "browser_snapshot", "browser_screenshot"]);
    assert!(calls[0].contains(&url), "{said}");
    assert!(said.contains("button \"Send\" e"), "{said}");
    let picture = said.lines().last().unwrap().rsplit(' ').next().unwrap();
    let bytes = std::fs::read(Path::new(picture)).unwrap();
    assert!(bytes.starts_with(b"\x89PNG"), "{picture} is no picture");
}

#[test]
fn a_page_that_cannot_be_opened_ends_the_demo() {
    let output = Command::new(BTCP).args(["demo", "--url", "file:///etc/passwd"]).output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("denied"), "{said}");
}

#[test]
fn a_demo_that_cannot_go_on_says_why_and_fails() {
    let arguments = ["demo", "--browser", "/no/such/chrome", "--no-install"];
    let output = Command::new(BTCP).args(arguments).output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("/no/such/chrome"), "{said}");
    assert!(said.contains("no_browser"), "{said}");
}
