//! The command line without a browser.

use std::process::{Command, Output};

use crate::processes::BTCP;

fn btcp(arguments: &[&str]) -> Output {
    Command::new(BTCP).args(arguments).output().unwrap()
}

fn stdout(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).unwrap()
}

fn stderr(output: &Output) -> &str {
    std::str::from_utf8(&output.stderr).unwrap()
}

#[test]
fn help_and_version_go_to_stdout() {
    let help = btcp(&["--help"]);
    assert!(help.status.success());
    for word in ["mcp", "demo"] {
        assert!(stdout(&help).contains(word), "{}", stdout(&help));
    }
    assert!(!stdout(&help).contains("generate"), "{}", stdout(&help));
    assert_eq!(stdout(&btcp(&["--version"])), format!("btcp {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn a_wrong_command_line_is_exit_code_2_and_says_what_is_meant() {
    for (arguments, says) in [
        (&["dem"][..], "demo"),
        (&["mcp", "--toolset", "standrad"], "standard"),
        (&["mcp", "--heded"], "--headed"),
        (&["demo", "--viewport", "big"], "1280x720"),
        (&["generate", "openai", "--toolset", "standrad"], "standard"),
        (&[], "Usage"),
    ] {
        let output = btcp(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(stderr(&output).contains(says), "{}", stderr(&output));
        assert_eq!(stdout(&output), "");
    }
}

#[test]
fn the_registry_is_printed_for_documentation() {
    let page = btcp(&["generate", "docs"]);
    assert!(page.status.success());
    let table = btcp(&["generate", "readme"]);
    for entry in btcp_actions::ENTRIES {
        for text in [stdout(&page), stdout(&table)] {
            assert!(text.contains(entry.name), "no {} in:\n{text}", entry.name);
        }
    }
}

#[test]
fn tools_are_printed_for_models_of_other_makers() {
    for (kind, name) in
        [("openai", "/function/name"), ("openai-strict", "/function/name"), ("anthropic", "/name")]
    {
        let output = btcp(&["generate", kind, "--toolset", "minimal"]);
        assert!(output.status.success(), "{}", stderr(&output));
        let tools: serde_json::Value = serde_json::from_str(stdout(&output)).unwrap();
        let tools = tools.as_array().unwrap();
        assert_eq!(tools.len(), 8, "{kind}");
        assert_eq!(tools[0].pointer(name).unwrap(), "browser_snapshot", "{kind}");
    }
}

#[test]
fn types_and_the_manifest_are_printed_for_programs() {
    let types = btcp(&["generate", "ts", "interaction"]);
    assert!(stdout(&types).contains("export interface ClickParams {"), "{}", stdout(&types));
    let index = btcp(&["generate", "ts"]);
    assert!(stdout(&index).contains("browser_click: 'click'"), "{}", stdout(&index));
    let manifest = btcp(&["generate", "manifest"]);
    let manifest: serde_json::Value = serde_json::from_str(stdout(&manifest)).unwrap();
    assert_eq!(manifest["actions"].as_array().unwrap().len(), btcp_actions::ENTRIES.len());
}
