//! The exports know no action by name: one that was just made up is in each of them, whole.

use serde::Deserialize;
use serde_json::{Value, json};

use super::*;
use crate::prelude::*;
use crate::{Caller, Catalog, ENTRIES};

/// Tune a string instrument.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct TuneString {
    /// Which string.
    string_name: String,
    /// How carefully.
    #[serde(default)]
    care: Care,
    /// Turns of the peg.
    turns: Option<u32>,
}

#[derive(Deserialize, JsonSchema, Default)]
#[serde(rename_all = "lowercase")]
enum Care {
    #[default]
    Much,
    Little,
}

#[derive(Serialize, JsonSchema)]
struct Tuned {
    hertz: u32,
}

impl Output for Tuned {
    fn data(&self) -> Value {
        json!(self)
    }

    fn schema() -> Option<Schema> {
        schema_of_output::<Self>()
    }

    fn text(&self) -> Text {
        Text::ours(self.hertz.to_string())
    }
}

impl CatalogAction for TuneString {
    const NAME: &'static str = "tune_string";
    const ALIASES: &'static [&'static str] = &["tighten"];
    const GROUP: Group = Group::Debugging;
    const TOOLSET: Toolset = Toolset::All;
    const ACCESS: Access = Access::Reads;
    type Output = Tuned;

    fn examples() -> Vec<Example> {
        vec![
            Example::gives("The A", json!({ "stringName": "a" }), json!({ "hertz": 440 })),
            Example::fails("None", json!({}), "invalid_params"),
        ]
    }

    async fn run(self, _: &Call<'_>) -> Result<Tuned> {
        let turns = self.turns.unwrap_or_default();
        let hertz =
            if self.string_name == "a" && matches!(self.care, Care::Much) { 440 } else { 0 };
        Ok(Tuned { hertz: hertz + turns })
    }
}

fn entries() -> Vec<Entry> {
    let describe = ENTRIES.iter().find(|entry| entry.name == "describe").unwrap();
    vec![Entry::of_catalog::<TuneString>(), *describe]
}

fn catalog() -> Catalog {
    let settings = btcp_engine::Settings::default();
    Catalog::with_entries(btcp_engine::Sessions::new(settings), entries())
}

/// The made-up one among the tools of an export.
fn found(tools: &Value, name: impl Fn(&Value) -> &Value) -> &Value {
    let tools = tools.as_array().unwrap();
    assert_eq!(tools.len(), 2, "{tools:?}");
    tools.iter().find(|tool| *name(tool) == "browser_tune_string").unwrap()
}

fn plain_parameters() -> Value {
    json!({
        "type": "object",
        "properties": {
            "stringName": { "type": "string", "description": "Which string." },
            "care": { "type": "string", "enum": ["much", "little"], "description": "How carefully." },
            "turns": { "type": "integer", "minimum": 0, "description": "Turns of the peg." },
        },
        "required": ["stringName"],
    })
}

#[test]
fn a_made_up_action_is_a_tool_for_openai() {
    let tools = openai(&tools(&entries(), "all").unwrap());
    assert_eq!(
        *found(&tools, |tool| &tool["function"]["name"]),
        json!({ "type": "function", "function": {
            "name": "browser_tune_string",
            "description": "Tune a string instrument.",
            "parameters": plain_parameters(),
        } })
    );
}

#[test]
fn a_made_up_action_is_a_strict_tool_for_openai() {
    let tools = openai_strict(&tools(&entries(), "all").unwrap());
    let function = &found(&tools, |tool| &tool["function"]["name"])["function"];
    assert_eq!(function["strict"], true);
    assert_eq!(
        function["parameters"],
        json!({
            "type": "object",
            "properties": {
                "stringName": { "type": "string", "description": "Which string." },
                "care": {
                    "type": ["string", "null"],
                    "enum": ["much", "little", null],
                    "description": "How carefully.",
                },
                "turns": { "type": ["integer", "null"], "description": "Turns of the peg." },
            },
            "required": ["stringName", "care", "turns"],
            "additionalProperties": false,
        })
    );
}

#[test]
fn a_made_up_action_is_a_tool_for_anthropic() {
    let tools = anthropic(&tools(&entries(), "all").unwrap());
    assert_eq!(
        *found(&tools, |tool| &tool["name"]),
        json!({
            "name": "browser_tune_string",
            "description": "Tune a string instrument.",
            "input_schema": plain_parameters(),
        })
    );
}

#[test]
fn a_made_up_action_has_typescript_types() {
    let group = types(&entries(), Group::Debugging);
    let params = "/** Tune a string instrument. */\nexport interface TuneStringParams {\n  \
        /** Which string. */\n  stringName: string\n  /** How carefully. */\n  \
        care?: 'much' | 'little'\n  /** Turns of the peg. */\n  turns?: number\n}\n";
    let result = "export interface TuneStringResult {\n  hertz: number\n}\n";
    let line = "  tune_string: { params: TuneStringParams; result: TuneStringResult }\n";
    for part in [params, result, line] {
        assert!(group.contains(part), "no {part} in {group}");
    }
    let index = typescript_index(&entries());
    assert!(index.contains("  browser_tune_string: 'tune_string'\n"), "{index}");
    assert!(index.contains("export type * from './debugging.ts'\n"), "{index}");
    assert!(!index.contains("navigation"), "{index}");
}

#[test]
fn a_made_up_action_is_in_the_manifest() {
    let manifest: Value = serde_json::from_str(&manifest(&entries())).unwrap();
    assert_eq!(manifest["protocolVersion"], "1.0");
    assert_eq!(manifest["presets"]["all"], json!(["describe", "tune_string"]));
    assert_eq!(manifest["presets"]["minimal"], json!(["describe"]));
    assert_eq!(
        manifest["actions"][0],
        json!({
            "name": "tune_string",
            "tool": "browser_tune_string",
            "aliases": ["tighten"],
            "group": "debugging",
            "presets": ["all"],
            "access": "reads",
            "description": "Tune a string instrument.",
            "inputSchema": plain_parameters(),
            "examples": [
                { "says": "The A", "args": { "stringName": "a" } },
                { "says": "None", "args": {}, "fails": "invalid_params" },
            ],
            "resultSchema": manifest["actions"][0]["resultSchema"],
        })
    );
    assert_eq!(manifest["actions"][0]["resultSchema"]["required"], json!(["hertz"]));
}

#[test]
fn a_made_up_action_is_documented() {
    let page = actions_page(&entries());
    assert!(page.contains("### `tune_string`\n\nTune a string instrument.\n"), "{page}");
    assert!(page.contains("| `stringName` | string | Which string. |"), "{page}");
    assert!(page.contains("| The A | `{\"stringName\":\"a\"}` | `{\"hertz\":440}` |"), "{page}");
    assert!(page.contains("\nAnswers with `{hertz}`.\n"), "{page}");
    assert!(
        page.contains("Tool `browser_tune_string`, in no preset but `all`, reads only"),
        "{page}"
    );
    let table = readme_table(&entries());
    assert!(table.contains("| debugging | `tune_string`, `describe` |"), "{table}");
}

#[tokio::test]
async fn a_made_up_action_is_described_and_takes_nulls_for_absent() {
    let catalog = catalog();
    let caller = Caller::new("a", catalog.grant("all").unwrap());
    let call = |name: &'static str, args: Value| {
        let (catalog, caller) = (catalog.clone(), caller.clone());
        async move { catalog.call(&caller, name, args.as_object().unwrap().clone()).await.unwrap() }
    };
    let all = call("describe", json!({})).await.text.for_model();
    assert!(all.contains("tune_string{stringName, care?, turns?}: Tune a string"), "{all}");
    let one = call("describe", json!({ "action": "tighten" })).await.data;
    assert_eq!(one["name"], "tune_string");
    assert_eq!(one["parameters"], plain_parameters());
    assert_eq!(one["returns"], "{hertz}");

    let args = json!({ "stringName": "a", "care": null, "turns": null, "timeout": null });
    assert_eq!(call("browser_tune_string", args).await.data, json!({ "hertz": 440 }));
}

/// Strict mode knows part of JSON Schema, and is refused whole if anything else is in it.
#[test]
fn every_strict_tool_is_strict_all_the_way_down() {
    fn check(schema: &Value, at: &str) {
        let object = schema.as_object().unwrap();
        for (keyword, inner) in object {
            match keyword.as_str() {
                "type" | "enum" | "const" | "description" | "required" => {}
                "additionalProperties" => assert_eq!(inner, false, "{at}"),
                "items" => check(inner, at),
                "anyOf" => inner.as_array().unwrap().iter().for_each(|one| check(one, at)),
                "properties" => {
                    let inner = inner.as_object().unwrap();
                    let names: Vec<&String> = inner.keys().collect();
                    assert_eq!(schema["required"], json!(names), "{at}");
                    assert_eq!(schema["additionalProperties"], false, "{at}");
                    inner.iter().for_each(|(name, one)| check(one, &format!("{at}.{name}")));
                }
                other => panic!("{at} has {other}"),
            }
        }
    }
    /// Whether a value of any shape may stand somewhere in it.
    fn is_free(schema: &Value) -> bool {
        let inner = schema["properties"].as_object().into_iter().flat_map(serde_json::Map::values);
        let inner = inner.chain(schema.get("items"));
        (schema["type"] == "object" && schema.get("properties").is_none())
            || inner.into_iter().any(is_free)
    }
    let tools = openai_strict(&tools(ENTRIES, "all").unwrap());
    for tool in tools.as_array().unwrap() {
        let function = &tool["function"];
        if is_free(&function["parameters"]) {
            assert_eq!(function.get("strict"), None, "{function}");
            continue;
        }
        assert_eq!(function["strict"], true, "{function}");
        check(&function["parameters"], function["name"].as_str().unwrap());
    }
}
