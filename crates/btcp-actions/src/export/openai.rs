//! Tools in the words of OpenAI's chat completions, plain and in strict mode.
//!
//! Strict mode makes a model send exactly what the schema says, and takes only part of JSON
//! Schema for it: every property is required, so optional ones become nullable, and
//! `params.rs` takes such a null for an absent field.

use serde_json::{Map, Value, json};

use super::Tool;

/// The `tools` array of a request.
pub fn openai(tools: &[Tool]) -> Value {
    tools.iter().map(plain).collect()
}

/// The `tools` array of a request, in strict mode. A tool that takes values of any shape cannot
/// be told strictly and stays as it is.
pub fn openai_strict(tools: &[Tool]) -> Value {
    let one = |tool: &Tool| {
        let mut parameters = Value::Object(tool.input_schema.clone());
        match strict(&mut parameters) {
            Some(()) => function(tool, json!({ "parameters": parameters, "strict": true })),
            None => plain(tool),
        }
    };
    tools.iter().map(one).collect()
}

fn plain(tool: &Tool) -> Value {
    function(tool, json!({ "parameters": tool.input_schema }))
}

fn function(tool: &Tool, more: Value) -> Value {
    let mut function = json!({ "name": tool.name, "description": tool.description });
    if let (Value::Object(function), Value::Object(more)) = (&mut function, more) {
        function.extend(more);
    }
    json!({ "type": "function", "function": function })
}

/// What strict mode understands in every model that has it.
const KEYWORDS: &[&str] = &[
    "type",
    "description",
    "enum",
    "const",
    "properties",
    "required",
    "additionalProperties",
    "items",
    "anyOf",
];

/// Makes a schema strict; `None` if that cannot be done.
fn strict(schema: &mut Value) -> Option<()> {
    let schema = schema.as_object_mut()?;
    if let Some(options) = schema.shift_remove("oneOf") {
        schema.insert("anyOf".into(), options);
    }
    schema.retain(|keyword, _| KEYWORDS.contains(&keyword.as_str()));
    if let Some(Value::Array(options)) = schema.get_mut("anyOf") {
        options.iter_mut().try_for_each(strict)?;
    }
    if let Some(items) = schema.get_mut("items") {
        strict(items)?;
    }
    if is_a(schema, "object") {
        return strict_object(schema);
    }
    let is_told = |key: &&str| schema.contains_key(*key);
    let has_items = !is_a(schema, "array") || schema.contains_key("items");
    (["type", "enum", "const", "anyOf"].iter().any(is_told) && has_items).then_some(())
}

fn strict_object(schema: &mut Map<String, Value>) -> Option<()> {
    let required = schema.shift_remove("required").unwrap_or_default();
    let properties = schema.get_mut("properties")?.as_object_mut()?;
    for (name, property) in properties.iter_mut() {
        strict(property)?;
        let needed = required.as_array().is_some_and(|all| all.iter().any(|one| one == name));
        if !needed {
            nullable(property.as_object_mut()?);
        }
    }
    let names: Vec<Value> = properties.keys().map(|name| json!(name)).collect();
    schema.insert("required".into(), Value::Array(names));
    schema.insert("additionalProperties".into(), json!(false));
    Some(())
}

/// Lets a property say that it is absent.
fn nullable(property: &mut Map<String, Value>) {
    if let Some(Value::Array(options)) = property.get_mut("anyOf") {
        options.push(json!({ "type": "null" }));
        return;
    }
    match property.get_mut("type") {
        Some(Value::Array(types)) if !types.contains(&json!("null")) => types.push(json!("null")),
        Some(Value::String(only)) => {
            let both = json!([only, "null"]);
            property.insert("type".into(), both);
        }
        _ => {}
    }
    if let Some(word) = property.shift_remove("const") {
        property.insert("enum".into(), json!([word]));
    }
    if let Some(Value::Array(words)) = property.get_mut("enum") {
        words.push(Value::Null);
    }
}

fn is_a(schema: &Map<String, Value>, kind: &str) -> bool {
    match schema.get("type") {
        Some(Value::String(only)) => only == kind,
        Some(Value::Array(types)) => types.iter().any(|one| one == kind),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strictly(schema: Value) -> Option<Value> {
        let mut schema = schema;
        strict(&mut schema).map(|()| schema)
    }

    #[test]
    fn what_is_optional_becomes_nullable_at_every_level() {
        let given = json!({
            "type": "object",
            "properties": {
                "selector": { "type": "string" },
                "button": { "type": "string", "enum": ["left", "right"] },
                "position": {
                    "type": "object",
                    "properties": { "x": { "type": "number", "minimum": 0 }, "y": { "type": "number" } },
                    "required": ["x"],
                },
                "list": { "type": "array", "items": { "type": "object", "properties": {} } },
            },
            "required": ["selector"],
        });
        let wanted = json!({
            "type": "object",
            "properties": {
                "selector": { "type": "string" },
                "button": { "type": ["string", "null"], "enum": ["left", "right", null] },
                "position": {
                    "type": ["object", "null"],
                    "properties": { "x": { "type": "number" }, "y": { "type": ["number", "null"] } },
                    "required": ["x", "y"],
                    "additionalProperties": false,
                },
                "list": {
                    "type": ["array", "null"],
                    "items": {
                        "type": "object",
                        "properties": {},
                        "required": [],
                        "additionalProperties": false,
                    },
                },
            },
            "required": ["selector", "button", "position", "list"],
            "additionalProperties": false,
        });
        assert_eq!(strictly(given), Some(wanted));
    }

    #[test]
    fn a_value_of_any_shape_cannot_be_strict() {
        for any in [json!({}), json!({ "type": "object" }), json!({ "type": "array" }), json!(true)]
        {
            let given = json!({ "type": "object", "properties": { "detail": any } });
            assert_eq!(strictly(given.clone()), None, "{given}");
        }
    }
}
