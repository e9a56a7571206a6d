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

#[test]
fn shells_complete_every_action_and_its_flags() {
    for shell in ["bash", "zsh", "fish", "powershell"] {
        let script = btcp(&["completions", shell]);
        assert!(script.status.success());
        for entry in btcp_actions::ENTRIES {
            let name = btcp_actions::export::command_name(entry);
            assert!(stdout(&script).contains(&name), "{shell} does not know {name}");
        }
        assert!(stdout(&script).contains("full-page"), "{shell}");
    }
    // Typed as a person would, and completed by bash itself.
    let script = "source <(\"$0\" completions bash); COMP_WORDS=(btcp \"$1\" \"$2\"); COMP_CWORD=2; \
                  _btcp btcp \"$2\" \"$1\"; echo \"${COMPREPLY[@]}\"";
    let completed =
        Command::new("bash").args(["-c", script, BTCP, "screenshot", "--full"]).output().unwrap();
    assert_eq!(stdout(&completed).trim(), "--full-page", "{completed:?}");
    assert_eq!(btcp(&["completions", "tcsh"]).status.code(), Some(2));
}

#[test]
fn the_manual_and_the_guide_for_agents_are_whole() {
    let page = btcp(&["man"]);
    assert!(stdout(&page).contains(".TH btcp 1"), "{}", stdout(&page));
    for part in ["BTCP_VIEWPORT", "EXIT STATUS", "Click an element"] {
        assert!(stdout(&page).contains(part), "no {part} in {}", stdout(&page));
    }
    let guide = btcp(&["skill"]);
    let guide = stdout(&guide);
    // What it costs is measured in `web/protocol/src/budget.test.ts`, on this file.
    let kept = concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/protocol/skill.json");
    let kept: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(kept).unwrap()).unwrap();
    assert_eq!(kept["skill"], *guide, "run `cargo xtask gen`");
    assert!(guide.starts_with("---\nname: btcp\n"));
    assert!(!guide.contains("browser_"), "a tool's name is no command: {guide}");
    for entry in btcp_actions::ENTRIES {
        assert!(guide.contains(&btcp_actions::export::command_name(entry)), "{}", entry.name);
    }
}

#[test]
fn help_tells_what_describe_knows() {
    for words in [&["help", "click"][..], &["help", "Click"]] {
        let help = btcp(words);
        for part in
            ["Click an element", "<SELECTOR>", "--button", "left, right", "btcp click '#send'"]
        {
            assert!(stdout(&help).contains(part), "no {part} in {}", stdout(&help));
        }
    }
    assert!(stdout(&btcp(&["click", "--help"])).contains("<SELECTOR>"));
    assert!(stdout(&btcp(&["help"])).contains("get-by-role"));
    assert!(stdout(&btcp(&["help", "mcp"])).contains("--toolset"));
    assert_eq!(btcp(&["help", "clik"]).status.code(), Some(2));
}
