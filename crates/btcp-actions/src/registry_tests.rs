//! What must hold for every action of the registry, checked without a browser.

use std::collections::HashMap;

use btcp_engine::names::squashed;
use serde_json::{Value, json};

use crate::action::{Access, Expect, Toolset};
use crate::export::tool;
use crate::{Action, ENTRIES, GUIDE, toolsets};

/// What `cargo xtask new` begins an action with, compiled so that it can be.
#[path = "../../../xtask/templates/action.rs.txt"]
#[allow(dead_code, unused_variables, clippy::todo, reason = "it has blanks to fill")]
mod template;

/// Words of the binary that no action may take.
const WORDS: &[&str] = &[
    "mcp",
    "sweep",
    "serve",
    "agent",
    "demo",
    "doctor",
    "install",
    "status",
    "stop",
    "sessions",
    "config",
    "connect",
    "repl",
    "skill",
    "help",
    "generate",
    "daemon",
    "completions",
    "man",
];

#[test]
fn a_new_action_begins_with_what_every_action_needs() {
    let examples = template::NewAction::examples();
    assert_eq!(template::NewAction::NAME, "new_action");
    assert!(examples.iter().any(|example| matches!(example.expect, Expect::Does(_))));
    assert!(examples.iter().any(|example| matches!(example.expect, Expect::Fails(_))));
    assert!(!template::NewAction::TIPS.is_empty());
}

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
fn every_action_has_a_tip_that_its_tool_is_not_charged_for() {
    for entry in ENTRIES {
        assert!(!entry.tips.is_empty(), "{} has no tip", entry.name);
        let listed = format!("{} {}", tool(entry).description, json!(tool(entry).input_schema));
        for tip in entry.tips {
            let plain = tip.is_ascii() && tip.ends_with('.') && !tip.contains("  ");
            assert!(plain && (10..=300).contains(&tip.len()), "{}: {tip}", entry.name);
            assert!(!listed.contains(tip), "{} says so in its schema too: {tip}", entry.name);
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
            Some(crate::action::Prepared::Tab { targets, .. }) => {
                assert!(!targets.is_empty(), "{} hides its target", entry.name);
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
            let named_so = fat == "\"format\":" && matches!(entry.name, "screenshot" | "snapshot");
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

/// Every action there is to be by now, written out a second time so that none is lost unnoticed.
#[test]
fn every_action_that_is_promised_is_there() {
    let promised = "navigate back forward reload url title close \
        click dblclick type fill fillform clear check uncheck select multiselect hover focus \
        selectall press keydown keyup inserttext drag upload mouse batch \
        getbyrole getbytext getbylabel getbyplaceholder getbyalttext getbytitle getbytestid nth \
        snapshot find getattribute gettext innertext innerhtml inputvalue isvisible isenabled \
        ischecked count boundingbox content getpagecontent \
        wait waitforurl waitforloadstate waitforfunction scrollintoview scroll \
        screenshot highlight pdf \
        storageget storageset storageclear cookiesget cookiesset cookiesclear statesave stateload \
        dialog resize emulate setoffline clipboard downloads frame mainframe \
        evaluate addscript addstyle setcontent dispatch console describe \
        tabs getalltabs opentab switchtab closetab session \
        pagetools callpagetool \
        open goto listtabs eval";
    for name in promised.split_whitespace() {
        assert!(toolsets::find(name, ENTRIES).is_some(), "there is no {name}");
    }
    let known: Vec<String> = promised.split_whitespace().map(str::to_owned).collect();
    for entry in ENTRIES {
        assert!(known.contains(&squashed(entry.name)), "nobody promised {}", entry.name);
    }
}

/// Other names for parameters mean the same field: one of them is enough, and both are one too many.
#[test]
fn parameters_answer_to_their_other_names() {
    let text = |word: &str| json!(word);
    for (action, alias, name, value, rest) in [
        ("select", "values", "value", text("a"), json!({ "selector": "#a" })),
        ("dispatch", "eventInit", "detail", json!({}), json!({ "selector": "#a", "event": "a" })),
        ("addscript", "url", "src", text("https://a.test/"), json!({})),
        ("addstyle", "url", "href", text("https://a.test/"), json!({})),
        ("evaluate", "expression", "script", text("1"), json!({})),
        ("mouse", "action", "kind", text("move"), json!({ "x": 1, "y": 1 })),
        ("clipboard", "action", "do", text("read"), json!({})),
        ("session", "action", "do", text("list"), json!({})),
        ("tabs", "action", "do", text("list"), json!({})),
        ("dialog", "action", "response", text("accept"), json!({})),
        ("describe", "name", "action", text("click"), json!({})),
        ("get_by_label", "text", "label", text("a"), json!({})),
        ("get_by_placeholder", "text", "placeholder", text("a"), json!({})),
        ("get_by_alt_text", "text", "alt", text("a"), json!({})),
        ("get_by_title", "text", "title", text("a"), json!({})),
        ("get_by_role", "action", "subaction", text("click"), json!({ "role": "button" })),
        ("get_by_text", "action", "subaction", text("click"), json!({ "text": "a" })),
        ("get_by_label", "action", "subaction", text("click"), json!({ "label": "a" })),
        ("get_by_placeholder", "action", "subaction", text("click"), json!({ "text": "a" })),
        ("get_by_alt_text", "action", "subaction", text("click"), json!({ "alt": "a" })),
        ("get_by_title", "action", "subaction", text("click"), json!({ "title": "a" })),
        ("get_by_test_id", "action", "subaction", text("click"), json!({ "testId": "a" })),
        ("nth", "action", "subaction", text("click"), json!({ "selector": "a", "index": 0 })),
    ] {
        let entry = toolsets::find(action, ENTRIES).unwrap();
        let takes = |names: &[&str]| {
            let mut args = rest.clone();
            names.iter().for_each(|name| args[*name] = value.clone());
            (entry.prepare)(args).map(drop)
        };
        takes(&[name]).unwrap_or_else(|error| panic!("{action}.{name}: {error}"));
        takes(&[alias]).unwrap_or_else(|error| panic!("{action}.{alias}: {error}"));
        let both = takes(&[alias, name]).expect_err("one field, said twice").to_string();
        assert!(both.contains(name), "{action}: {both}");
    }
}
