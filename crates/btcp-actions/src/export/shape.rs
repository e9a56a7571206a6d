//! The registry in short form, for those who read it: what an action answers with, and its examples.

use serde_json::{Map, Value};

use crate::action::Entry;

/// What stands in examples for the test server, and what readers are shown in its place.
const STANDS_FOR: [(&str, &str); 5] = [
    ("{origin}", "https://example.test"),
    ("{other}", "https://other.test"),
    ("{host}", "example.test"),
    ("{port}", "443"),
    ("{files}", "/home/ada/files"),
];

/// The fields of an action's result: `{url, title, status?}`.
pub(crate) fn returns(entry: &Entry) -> String {
    match (entry.result)() {
        Some(schema) => shape(&schema.to_value(), 0),
        None => "any value".to_owned(),
    }
}

/// An example's arguments or answer, with addresses a reader has.
pub(crate) fn shown(value: &Value) -> String {
    let mut text = value.to_string();
    for (placeholder, shown) in STANDS_FOR {
        text = text.replace(placeholder, shown);
    }
    text
}

/// The name of a result that several actions have in common.
pub(super) fn title(schema: &Value) -> Option<&str> {
    schema.get("title").and_then(Value::as_str)
}

/// A schema in one line. Objects inside objects are opened once, unless they have a name.
pub(super) fn shape(schema: &Value, depth: usize) -> String {
    let list = |key: &str| schema.get(key).and_then(Value::as_array);
    if let Some(options) = list("anyOf").or_else(|| list("oneOf")) {
        let is_null = |one: &&Value| one.get("type").is_some_and(|kind| kind == "null");
        let all = options.iter().filter(|one| !is_null(one)).map(|one| shape(one, depth));
        return all.collect::<Vec<_>>().join(" or ");
    }
    if let Some(items) = schema.get("items") {
        return format!("[{}]", shape(items, depth));
    }
    match schema.get("properties").and_then(Value::as_object) {
        Some(fields) => object(schema, fields, depth),
        None => String::new(),
    }
}

fn object(schema: &Value, fields: &Map<String, Value>, depth: usize) -> String {
    let required = schema.get("required").and_then(Value::as_array);
    let one = |(name, field): (&String, &Value)| {
        let needed = required.is_some_and(|all| all.iter().any(|one| one == name));
        let mark = if needed { "" } else { "?" };
        let inner = match depth == 0 && title(field).is_none() {
            true => shape(field, depth + 1),
            false => String::new(),
        };
        match inner.trim_matches(['[', ']']).is_empty() {
            true => format!("{name}{mark}"),
            false => format!("{name}{mark}: {inner}"),
        }
    };
    format!("{{{}}}", fields.iter().map(one).collect::<Vec<_>>().join(", "))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_result_is_told_by_its_fields() {
        let schema = json!({
            "type": "object",
            "properties": {
                "count": { "type": "integer" },
                "ref": { "anyOf": [{ "type": "string" }, { "type": "null" }] },
                "words": { "type": "array", "items": { "type": "string" } },
                "matches": { "type": "array", "items": {
                    "type": "object",
                    "properties": { "line": {}, "inner": { "properties": { "deep": {} } } },
                    "required": ["line"],
                } },
                "dialog": { "title": "Dialog", "properties": { "message": {} } },
            },
            "required": ["count", "matches"],
        });
        let told = "{count, ref?, words?, matches: [{line, inner?}], dialog?}";
        assert_eq!(shape(&schema, 0), told);
        let either =
            json!({ "anyOf": [{ "properties": { "a": {} } }, { "properties": { "b": {} } }] });
        assert_eq!(shape(&either, 0), "{a?} or {b?}");
    }

    #[test]
    fn nobody_reads_of_a_test_server() {
        let args = json!({ "url": "{origin}/a?b={host}" });
        assert_eq!(shown(&args), r#"{"url":"https://example.test/a?b=example.test"}"#);
    }
}
