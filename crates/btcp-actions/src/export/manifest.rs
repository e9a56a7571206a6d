//! `web/protocol/manifest.json`: the whole registry as one object, for programs without Rust.

use serde_json::{Map, Value, json};

use crate::action::{Access, Entry, Example, Expect};
use crate::export::schema::tool;
use crate::{GUIDE, call_params, toolsets};

/// The version of the protocol whose actions these are.
const PROTOCOL_VERSION: &str = "1.0";

/// The manifest, as printed.
pub fn manifest(entries: &[Entry]) -> String {
    let presets: Map<String, Value> = toolsets::PRESETS
        .iter()
        .map(|name| ((*name).to_owned(), json!(preset(name, entries))))
        .collect();
    let call_parameters: Map<String, Value> =
        call_params::LIST.iter().map(|param| (param.name.to_owned(), (param.schema)())).collect();
    let actions: Vec<Value> = entries.iter().map(|entry| action(entry, entries)).collect();
    let manifest = json!({
        "protocolVersion": PROTOCOL_VERSION,
        "guide": GUIDE,
        "callParameters": call_parameters,
        "presets": presets,
        "actions": actions,
    });
    format!("{manifest:#}\n")
}

/// The actions of a preset that exist, in the order in which they are listed.
fn preset(name: &str, entries: &[Entry]) -> Vec<&'static str> {
    let mut names = toolsets::preset(name, entries).unwrap_or_default();
    names.retain(|name| entries.iter().any(|entry| entry.name == *name));
    names
}

fn action(entry: &Entry, entries: &[Entry]) -> Value {
    let tool = tool(entry);
    let presets =
        toolsets::PRESETS.iter().filter(|name| preset(name, entries).contains(&entry.name));
    let mut action = json!({
        "name": entry.name,
        "tool": tool.name,
        "aliases": entry.aliases,
        "group": entry.group.name(),
        "presets": presets.collect::<Vec<_>>(),
        "access": match entry.access {
            Access::Reads => "reads",
            Access::Changes => "changes",
        },
        "description": tool.description,
        "inputSchema": tool.input_schema,
        "examples": (entry.examples)().iter().map(example).collect::<Vec<_>>(),
    });
    if let Some(result) = (entry.result)() {
        action["resultSchema"] = result.to_value();
    }
    action
}

fn example(example: &Example) -> Value {
    let mut shown = json!({ "says": example.says, "args": example.args });
    if let Expect::Fails(code) = example.expect {
        shown["fails"] = json!(code);
    }
    shown
}
