//! Whether a value is what a schema says: the part of JSON Schema that results are declared in.
//!
//! Stricter than JSON Schema in one point: a field that the schema does not name is a mismatch,
//! because programs would not know of it.

use serde_json::Value;

/// Where and how a value differs from its schema.
pub(crate) fn mismatch(path: &str, schema: &Value, value: &Value) -> Option<String> {
    let list = |key: &str| schema.get(key).and_then(Value::as_array);
    if let Some(options) = list("anyOf") {
        let mut all = options.iter().map(|option| mismatch(path, option, value));
        return all.all(|one| one.is_some()).then(|| format!("result{path} is none of its kinds"));
    }
    if schema.get("const").is_some_and(|only| only != value) {
        return Some(format!("result{path} is {value}"));
    }
    if list("enum").is_some_and(|words| !words.contains(value)) {
        return Some(format!("result{path} is {value}, which is not in its list"));
    }
    let fits = match schema.get("type") {
        None => true,
        Some(Value::Array(kinds)) => kinds.iter().any(|kind| is_a(value, kind)),
        Some(kind) => is_a(value, kind),
    };
    if !fits {
        return Some(format!("result{path} is {value}, not a {}", schema["type"]));
    }
    match value {
        Value::Array(items) => {
            let schema = schema.get("items")?;
            let mut items = items.iter().enumerate();
            items.find_map(|(at, item)| mismatch(&format!("{path}[{at}]"), schema, item))
        }
        Value::Object(fields) => {
            let missing = list("required").into_iter().flatten().filter_map(Value::as_str);
            if let Some(name) = missing.into_iter().find(|name| !fields.contains_key(*name)) {
                return Some(format!("result{path}.{name} is missing"));
            }
            let known = schema.get("properties");
            let others = schema.get("additionalProperties");
            fields.iter().find_map(|(name, value)| {
                let path = format!("{path}.{name}");
                match known.and_then(|known| known.get(name)).or(others) {
                    Some(schema) => mismatch(&path, schema, value),
                    None => known.map(|_| format!("result{path} is not declared")),
                }
            })
        }
        _ => None,
    }
}

fn is_a(value: &Value, kind: &Value) -> bool {
    match kind.as_str().unwrap_or_default() {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "string" => value.is_string(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_differs_is_named_with_its_place() {
        let schema = json!({
            "type": "object",
            "properties": {
                "list": { "type": "array", "items": { "type": "integer" } },
                "name": { "type": ["string", "null"] },
                "kind": { "enum": ["a", "b"] },
            },
            "required": ["list"],
        });
        let said = |value: Value| mismatch("", &schema, &value);
        assert_eq!(said(json!({ "list": [1], "name": null, "kind": "a" })), None);
        for (value, place) in [
            (json!({}), "result.list is missing"),
            (json!({ "list": [1, "x"] }), "result.list[1]"),
            (json!({ "list": [], "name": 5 }), "result.name"),
            (json!({ "list": [], "kind": "c" }), "result.kind"),
            (json!({ "list": [], "other": 1 }), "result.other is not declared"),
            (json!([]), "result is []"),
        ] {
            let what = said(value).unwrap();
            assert!(what.starts_with(place), "{what}");
        }
    }

    #[test]
    fn one_of_several_kinds_is_enough() {
        let schema = json!({ "anyOf": [{ "type": "string" }, { "const": true }] });
        assert_eq!(mismatch("", &schema, &json!(true)), None);
        assert!(mismatch("", &schema, &json!(false)).is_some());
    }
}
