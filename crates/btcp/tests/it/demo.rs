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
fn a_demo_that_cannot_go_on_says_why_and_fails() {
    let arguments = ["demo", "--browser", "/no/such/chrome", "--no-install"];
    let output = Command::new(BTCP).args(arguments).output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("/no/such/chrome"), "{said}");
    assert!(said.contains("no_browser"), "{said}");
}
