//! What must hold for every action of the registry, checked without a browser.

use std::collections::HashMap;

use btcp_engine::names::squashed;
use serde_json::Value;

use crate::action::{Access, Expect, Toolset};
use crate::export::tool;
use crate::{ENTRIES, GUIDE, toolsets};

/// Words of the binary that no action may take.
const WORDS: &[&str] = &[
    "mcp", "serve", "agent", "demo", "doctor", "install", "status", "stop", "sessions", "config",
    "connect", "repl", "skill", "help", "generate",
];

#[test]
fn no_two_actions_answer_to_one_name() {
    let mut seen = HashMap::new();
    for entry in ENTRIES {
        for name in std::iter::once(&entry.name).chain(entry.aliases) {
            let key = squashed(name);
            assert!(!WORDS.contains(&key.as_str()), "'{name}' is a word of the binary");
            if let Some(other) = seen.insert(key, entry.name) {
                panic!("'{name}' means both {other} and {}", entry.name);
            }
        }
    }
}

#[test]
fn every_action_and_parameter_is_described() {
    for entry in ENTRIES {
        let tool = tool(entry);
        assert!(!tool.description.is_empty(), "{} has no description", entry.name);
        let properties = tool.input_schema["properties"].as_object().unwrap();
        for (name, property) in properties {
            let says = property.get("description").and_then(Value::as_str).unwrap_or_default();
            assert!(!says.is_empty(), "{}.{name} has no description", entry.name);
        }
    }
}

#[test]
fn every_action_has_a_page_and_examples_of_success_and_failure() {
    let pages = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testpages");
    for entry in ENTRIES {
        let page = pages.join(format!("{}.html", entry.name));
        assert!(page.exists(), "{} is missing", page.display());
        let examples = (entry.examples)();
        let fails = examples.iter().any(|e| matches!(e.expect, Expect::Fails(_)));
        let does = examples.iter().any(|e| !matches!(e.expect, Expect::Fails(_)));
        let takes_nothing = tool(entry).input_schema["properties"].as_object().unwrap().is_empty();
        assert!(does, "{} has no example that succeeds", entry.name);
        assert!(fails || takes_nothing, "{} has no example that fails", entry.name);
    }
}

#[test]
fn an_action_with_a_selector_says_so_to_its_tab() {
    for entry in ENTRIES.iter().filter(|entry| entry.on_page) {
        let has = tool(entry).input_schema["properties"].get("selector").is_some();
        let example = (entry.examples)().into_iter().find(|e| e.args.get("selector").is_some());
        if !has {
            continue;
        }
        let args = example
            .unwrap_or_else(|| panic!("{} needs an example with a selector", entry.name))
            .args;
        let mut args = args.as_object().unwrap().clone();
        crate::CallParams::take(&mut args, entry.own).unwrap();
        match (entry.prepare)(Value::Object(args)).ok() {
            Some(crate::action::Prepared::Tab { target, .. }) => {
                assert!(target.is_some(), "{} hides its target", entry.name);
            }
            _ => panic!("{} is not a tab's", entry.name),
        }
    }
}

#[test]
fn schemas_are_what_every_model_format_takes() {
    for entry in ENTRIES {
        let tool = tool(entry);
        assert!(
            tool.name.len() <= 64
                && tool.name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
        );
        assert_eq!(tool.input_schema["type"], "object", "{}", entry.name);
        let text = Value::Object(tool.input_schema).to_string() + &tool.description;
        for fat in
            ["$schema", "$ref", "\"null\"", "\"title\":\"", "\"format\":", "additionalProperties"]
        {
            let named_so = fat == "\"format\":" && entry.name == "screenshot";
            assert!(named_so || !text.contains(fat), "{} has {fat}: {text}", entry.name);
        }
        assert!(text.is_ascii(), "{} is not ASCII: {text}", entry.name);
    }
}

#[test]
fn the_guide_names_only_tools_that_exist() {
    for word in GUIDE.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_')) {
        if let Some(name) = word.strip_prefix("browser_") {
            assert!(ENTRIES.iter().any(|entry| entry.name == name), "the guide names {word}");
        }
    }
}

#[test]
fn presets_agree_with_what_the_actions_say() {
    for (name, toolset) in
        [("minimal", Toolset::Minimal), ("standard", Toolset::Standard), ("full", Toolset::Full)]
    {
        let listed = toolsets::preset(name, ENTRIES).unwrap();
        for entry in ENTRIES {
            let should = entry.toolset <= toolset;
            assert_eq!(listed.contains(&entry.name), should, "{} in {name}", entry.name);
        }
    }
}

#[test]
fn the_minimal_preset_only_reads() {
    for name in toolsets::preset("minimal", ENTRIES).unwrap() {
        if let Some(entry) = ENTRIES.iter().find(|entry| entry.name == name) {
            assert_eq!(entry.access, Access::Reads, "{name}");
        }
    }
}
