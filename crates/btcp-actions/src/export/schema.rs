//! Tools as models see them: name, description and a schema without an ounce of fat.
//!
//! Every token of the tool list is paid in every conversation, so whatever a model does
//! not need (`$schema`, titles, formats, nulls of optional fields) is taken out.

use serde_json::{Map, Value, json};

use crate::action::{Access, Entry};
use crate::call_params;

/// An action as a model sees it.
#[derive(Debug, Clone, PartialEq)]
pub struct Tool {
    /// `browser_click`.
    pub name: String,
    /// What it does.
    pub description: String,
    /// JSON Schema of its arguments.
    pub input_schema: Map<String, Value>,
    /// Whether it only looks.
    pub read_only: bool,
}

/// The tool an entry becomes.
pub fn tool(entry: &Entry) -> Tool {
    let Value::Object(mut schema) = (entry.schema)().to_value() else {
        return bare(entry);
    };
    for (name, property) in listed(entry) {
        properties(&mut schema).entry(name).or_insert(property);
    }
    let description = schema.remove("description");
    let mut schema = Value::Object(schema);
    trim(&mut schema);
    let Value::Object(mut input_schema) = schema else { return bare(entry) };
    input_schema.entry("properties").or_insert_with(|| json!({}));
    Tool {
        name: entry.tool_name(),
        description: description.as_ref().and_then(Value::as_str).map(one_line).unwrap_or_default(),
        input_schema,
        read_only: entry.access == Access::Reads,
    }
}

/// All a call of this action can say of its own, also what its tool leaves out to be short.
pub(crate) fn all_parameters(entry: &Entry) -> Map<String, Value> {
    let mut schema = tool(entry).input_schema;
    let of_long = call_params::OF_LONG.iter().filter(|_| entry.long);
    let of_long = of_long.map(|param| (param.name, (param.schema)()));
    let unlisted = entry
        .unlisted
        .iter()
        .map(|(name, says)| (*name, json!({ "type": "string", "description": says })));
    for (name, property) in unlisted.chain(of_long) {
        properties(&mut schema).entry(name).or_insert(property);
    }
    schema
}

/// The tool where a protocol keeps no session: a call may name one.
pub fn tool_in_session(entry: &Entry) -> Tool {
    let mut tool = tool(entry);
    // Without a description: it would be said again with every tool.
    properties(&mut tool.input_schema)
        .entry("session")
        .or_insert_with(|| json!({ "type": "string" }));
    tool
}

fn bare(entry: &Entry) -> Tool {
    let Value::Object(input_schema) = json!({ "type": "object", "properties": {} }) else {
        unreachable!("an object literal is an object")
    };
    Tool {
        name: entry.tool_name(),
        description: String::new(),
        input_schema,
        read_only: entry.access == Access::Reads,
    }
}

fn listed(entry: &Entry) -> impl Iterator<Item = (String, Value)> {
    call_params::LIST
        .iter()
        .filter(|param| entry.listed.contains(&param.name))
        .map(|param| (param.name.to_owned(), (param.schema)()))
}

fn properties(schema: &mut Map<String, Value>) -> &mut Map<String, Value> {
    let properties = schema.entry("properties").or_insert_with(|| json!({}));
    if !properties.is_object() {
        *properties = json!({});
    }
    properties.as_object_mut().expect("just made an object")
}

/// Takes out what costs tokens and tells a model nothing.
fn trim(schema: &mut Value) {
    match schema {
        Value::Object(object) => {
            for key in ["$schema", "title", "additionalProperties", "format", "default"] {
                // `properties` may well have a field of that name; that one is an object.
                if object.get(key).is_some_and(|value| !value.is_object() || key == "default") {
                    object.shift_remove(key);
                }
            }
            if let Some(Value::String(description)) = object.get_mut("description") {
                *description = one_line(description);
            }
            without_null(object);
            flatten_choice(object);
            object.values_mut().for_each(trim);
        }
        Value::Array(items) => items.iter_mut().for_each(trim),
        _ => {}
    }
}

/// `["string", "null"]` and `anyOf: [X, null]` are `string` and `X`: absent says the same.
fn without_null(object: &mut Map<String, Value>) {
    if let Some(Value::Array(types)) = object.get_mut("type") {
        types.retain(|kind| kind != "null");
        if let [only] = types.as_slice() {
            let only = only.clone();
            object.insert("type".into(), only);
        }
    }
    if let Some(Value::Array(values)) = object.get_mut("enum") {
        values.retain(|value| !value.is_null());
    }
    if let Some(Value::Array(options)) = object.get_mut("anyOf") {
        options.retain(|option| option.get("type").is_none_or(|kind| kind != "null"));
        if options.len() == 1 {
            let only = options.remove(0);
            object.shift_remove("anyOf");
            if let Value::Object(only) = only {
                for (key, value) in only {
                    object.entry(key).or_insert(value);
                }
            }
        }
    }
}

/// schemars describes each variant of a documented enum on its own; a plain `enum` says it shorter.
fn flatten_choice(object: &mut Map<String, Value>) {
    let Some(Value::Array(options)) = object.get("oneOf") else { return };
    let words: Option<Vec<Value>> = options
        .iter()
        .map(|option| {
            let word = option.get("const").cloned();
            let list = option.get("enum").and_then(Value::as_array);
            match (word, list) {
                (Some(word), _) => Some(vec![word]),
                (None, Some(list)) => Some(list.clone()),
                (None, None) => None,
            }
        })
        .collect::<Option<Vec<_>>>()
        .map(|lists| lists.concat());
    if let Some(words) = words {
        object.shift_remove("oneOf");
        object.entry("type").or_insert_with(|| json!("string"));
        object.insert("enum".into(), Value::Array(words));
    }
}

/// Doc comments break lines where the editor did.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
