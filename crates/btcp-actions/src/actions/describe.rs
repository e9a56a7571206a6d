//! `describe`: what can be asked for, and how.

use btcp_engine::names;

use crate::action::Entry;
use crate::actions::{Navigate, Snapshot};
use crate::export::{all_parameters, returns, shown, tool};
use crate::prelude::*;

/// Explain an action with its parameters and examples, or list all actions.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Describe {
    /// Name of the action; all if absent.
    #[serde(alias = "name")]
    action: Option<String>,
}

/// What there is to say.
pub(crate) struct Described {
    data: Value,
    text: String,
}

impl CatalogAction for Describe {
    const NAME: &'static str = "describe";
    const GROUP: Group = Group::Debugging;
    const TOOLSET: Toolset = Toolset::Minimal;
    const ACCESS: Access = Access::Reads;
    const TIPS: &'static [&'static str] = &[
        "Upper case, underscores, dashes and a leading browser_ do not matter. A wrong name is answered with the nearest.",
    ];
    type Output = Described;

    fn examples() -> Vec<Example> {
        vec![
            Example::gives(
                "One action",
                json!({ "action": "get_text" }),
                json!({ "name": "get_text", "returns": "{text}" }),
            ),
            Example::gives(
                "A typo",
                json!({ "action": "clik" }),
                json!({ "suggestions": ["click"] }),
            ),
            Example::gives(
                "Everything",
                json!({}),
                json!({ "quickRef": { "get_text": "get_text{selector}" } }),
            ),
            Example::fails("A wrong kind", json!({ "action": 5 }), "invalid_params"),
        ]
    }

    async fn run(self, call: &Call<'_>) -> Result<Described> {
        let offered = || {
            let tools = call.caller.grant.tools().iter();
            tools.filter_map(|name| call.catalog.entries().iter().find(|entry| entry.name == *name))
        };
        let Some(wanted) = self.action else { return Ok(everything(offered())) };
        let squashed = names::squashed(&wanted);
        let found = offered().find(|entry| {
            let mut all = std::iter::once(&entry.name).chain(entry.aliases);
            all.any(|name| names::squashed(name) == squashed)
        });
        Ok(match found {
            Some(entry) => one(entry),
            None => suggestions(&wanted, offered()),
        })
    }
}

/// How one goes about it, as far as the caller's toolset goes.
fn workflow(offered: &[&Entry]) -> String {
    let has = |name: &str| offered.iter().any(|entry| entry.name == name);
    let changes = |entry: &&Entry| entry.access == Access::Changes && takes_target(entry);
    let steps = [
        (has(Navigate::NAME), Navigate::NAME),
        (has(Snapshot::NAME), Snapshot::NAME),
        (offered.iter().any(takes_target), "use refs (e5) or selectors"),
        (offered.iter().any(changes), "read what the answer says changed"),
    ];
    let steps: Vec<&str> = steps.iter().filter(|(can, _)| *can).map(|(_, step)| *step).collect();
    if steps.is_empty() { "ask for what you need".to_owned() } else { steps.join(", ") }
}

fn takes_target(entry: &&Entry) -> bool {
    tool(entry).input_schema["properties"].get("selector").is_some()
}

fn everything<'a>(offered: impl Iterator<Item = &'a Entry>) -> Described {
    let offered: Vec<&Entry> = offered.collect();
    let workflow = workflow(&offered);
    let mut text = format!("Workflow: {workflow}.\n");
    let (mut actions, mut quick) = (Vec::new(), serde_json::Map::new());
    for entry in offered {
        let tool = tool(entry);
        let line = format!("{}{}", entry.name, parameters(&tool.input_schema));
        text.push_str(&format!("\n{line}: {}", tool.description));
        actions.push(entry.name);
        quick.insert(entry.name.to_owned(), json!(line));
    }
    Described { data: json!({ "actions": actions, "workflow": workflow, "quickRef": quick }), text }
}

fn one(entry: &Entry) -> Described {
    let (tool, schema) = (tool(entry), all_parameters(entry));
    let mut text = format!("{}{}: {}", entry.name, parameters(&schema), tool.description);
    let properties = schema.get("properties").and_then(Value::as_object);
    for (name, schema) in properties.into_iter().flatten() {
        let says = schema.get("description").and_then(Value::as_str).unwrap_or_default();
        let choice = schema.get("enum").map(|words| format!(" {words}")).unwrap_or_default();
        text.push_str(&format!("\n  {name}{choice}: {says}"));
    }
    let returns = returns(entry);
    text.push_str(&format!("\nReturns {returns}"));
    let args = |example: &Example| serde_json::from_str(&shown(&example.args));
    let examples: Vec<Value> = (entry.examples)()
        .into_iter()
        .map(|example| json!({ "says": example.says, "args": args(&example).unwrap_or(example.args) }))
        .collect();
    for example in &examples {
        let says = example["says"].as_str().unwrap_or_default();
        text.push_str(&format!("\nExample, {}: {}", lower_first(says), example["args"]));
    }
    for tip in entry.tips {
        text.push_str(&format!("\n{tip}"));
    }
    Described {
        data: json!({
            "name": entry.name,
            "description": tool.description,
            "parameters": schema,
            "returns": returns,
            "examples": examples,
            "tips": entry.tips,
        }),
        text,
    }
}

fn suggestions<'a>(wanted: &str, offered: impl Iterator<Item = &'a Entry>) -> Described {
    let near = names::nearest(wanted, offered.map(|entry| entry.name), 3);
    let text = match near.is_empty() {
        true => format!("There is no action '{wanted}'"),
        false => format!("There is no action '{wanted}'; did you mean {}?", near.join(", ")),
    };
    Described { data: json!({ "suggestions": near }), text }
}

/// `{selector, button?}`.
fn parameters(schema: &serde_json::Map<String, Value>) -> String {
    let required = schema.get("required").and_then(Value::as_array);
    let names: Vec<String> = schema
        .get("properties")
        .and_then(Value::as_object)
        .into_iter()
        .flat_map(serde_json::Map::keys)
        .map(|name| {
            let needed = required.is_some_and(|all| all.iter().any(|one| one == name));
            if needed { name.clone() } else { format!("{name}?") }
        })
        .collect();
    if names.is_empty() { String::new() } else { format!("{{{}}}", names.join(", ")) }
}

fn lower_first(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map(|first| first.to_lowercase().chain(chars).collect()).unwrap_or_default()
}

impl Output for Described {
    fn data(&self) -> Value {
        self.data.clone()
    }

    fn schema() -> Option<Schema> {
        Some(json_schema!({
            "anyOf": [
                {
                    "type": "object",
                    "properties": {
                        "actions": { "type": "array", "items": { "type": "string" } },
                        "workflow": { "type": "string" },
                        "quickRef": { "type": "object", "additionalProperties": { "type": "string" } },
                    },
                    "required": ["actions", "workflow", "quickRef"],
                },
                {
                    "type": "object",
                    "properties": {
                        "name": { "type": "string" },
                        "description": { "type": "string" },
                        "parameters": { "type": "object", "description": "JSON Schema." },
                        "returns": { "type": "string" },
                        "examples": {
                            "type": "array",
                            "items": {
                                "type": "object",
                                "properties": { "says": { "type": "string" }, "args": { "type": "object" } },
                                "required": ["says", "args"],
                            },
                        },
                        "tips": { "type": "array", "items": { "type": "string" } },
                    },
                    "required": ["name", "description", "parameters", "returns", "examples", "tips"],
                },
                {
                    "type": "object",
                    "properties": { "suggestions": { "type": "array", "items": { "type": "string" } } },
                    "required": ["suggestions"],
                },
            ],
        }))
    }

    fn text(&self) -> Text {
        Text::ours(&self.text)
    }
}
