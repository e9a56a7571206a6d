//! Reading an action's own parameters, with errors that name the field.

use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::error::CallError;
use btcp_engine::names;

/// Deserializes parameters; what does not fit is named with what would.
pub(crate) fn read<T: DeserializeOwned>(args: Value) -> Result<T, CallError> {
    serde_path_to_error::deserialize(args).map_err(|error| {
        let path = error.path().to_string();
        explain((path != ".").then_some(path), &error.into_inner().to_string())
    })
}

/// Takes out the optional fields that are null: models in OpenAI's strict mode send every field
/// and say so of those they mean to leave out. Only where the schema has such a field, so that
/// a null inside a value of the caller's own stays what it is.
pub(crate) fn without_nulls(mut args: Value, schema: impl FnOnce() -> schemars::Schema) -> Value {
    if has_null(&args) {
        leave_out(&mut args, schema().as_value());
    }
    args
}

fn has_null(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Array(items) => items.iter().any(has_null),
        Value::Object(fields) => fields.values().any(has_null),
        _ => false,
    }
}

fn leave_out(value: &mut Value, schema: &Value) {
    for option in schema.get("anyOf").and_then(Value::as_array).into_iter().flatten() {
        leave_out(value, option);
    }
    match value {
        Value::Array(items) => {
            if let Some(schema) = schema.get("items") {
                items.iter_mut().for_each(|item| leave_out(item, schema));
            }
        }
        Value::Object(fields) => {
            let Some(known) = schema.get("properties").and_then(Value::as_object) else { return };
            let required = schema.get("required").and_then(Value::as_array);
            let is_needed =
                |name: &str| required.is_some_and(|all| all.iter().any(|one| one == name));
            fields.retain(|name, value| {
                !value.is_null() || is_needed(name) || !known.contains_key(name)
            });
            for (name, value) in fields {
                if let Some(schema) = known.get(name) {
                    leave_out(value, schema);
                }
            }
        }
        _ => {}
    }
}

/// Turns serde's sentence into ours.
fn explain(path: Option<String>, message: &str) -> CallError {
    if let Some(field) = between(message, "missing field `", "`") {
        let field = under(path, field);
        return invalid(Some(field.clone()), format!("{field} is required"), None);
    }
    if let Some(unknown) = between(message, "unknown field `", "`") {
        let known = quoted_words(message.split_once("expected").map_or("", |(_, list)| list));
        let hint = match names::nearest(unknown, known.iter().copied(), 1).first() {
            Some(near) => format!("Did you mean '{near}'?"),
            None if known.is_empty() => "It takes no parameters.".to_owned(),
            None => format!("It takes {}.", known.join(", ")),
        };
        // serde reports the unknown field itself as the end of the path.
        let field = path.unwrap_or_else(|| unknown.to_owned());
        return invalid(Some(field), format!("Unknown parameter '{unknown}'"), Some(hint));
    }
    let field = path.unwrap_or_else(|| "arguments".into());
    if let Some(got) = between(message, "unknown variant `", "`") {
        let known = quoted_words(message.split_once("expected").map_or("", |(_, list)| list));
        let reason = format!("{field} must be one of {}, not '{got}'", known.join(", "));
        return invalid(Some(field), reason, None);
    }
    let reason = match message.split_once(", expected ") {
        Some((got, wants)) => {
            let got =
                got.trim_start_matches("invalid type: ").trim_start_matches("invalid value: ");
            format!("{field} must be {wants}, not {}", got.replace('`', ""))
        }
        None => format!("{field}: {message}"),
    };
    invalid(Some(field), reason, None)
}

fn invalid(field: Option<String>, reason: String, hint: Option<String>) -> CallError {
    CallError::InvalidParams { field, reason, hint }
}

fn under(path: Option<String>, field: &str) -> String {
    match path {
        Some(path) if path != field => format!("{path}.{field}"),
        _ => field.to_owned(),
    }
}

fn between<'a>(text: &'a str, open: &str, close: &str) -> Option<&'a str> {
    let rest = &text[text.find(open)? + open.len()..];
    rest.split(close).next()
}

fn quoted_words(text: &str) -> Vec<&str> {
    text.split('`').skip(1).step_by(2).collect()
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;
    use serde_json::json;

    use super::*;

    #[derive(Deserialize, Debug)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    struct Sample {
        #[serde(rename = "selector")]
        _selector: String,
        #[serde(default, rename = "button")]
        _button: Option<Button>,
    }

    #[derive(Deserialize, Debug)]
    #[serde(rename_all = "lowercase")]
    enum Button {
        Left,
        Right,
    }

    fn reason(args: Value) -> (String, Option<String>) {
        match read::<Sample>(args).unwrap_err() {
            CallError::InvalidParams { reason, hint, .. } => (reason, hint),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_missing_field_is_named() {
        assert_eq!(reason(json!({})).0, "selector is required");
    }

    #[test]
    fn an_unknown_field_is_named_with_the_nearest_known_one() {
        let (text, hint) = reason(json!({ "selector": "a", "buton": "left" }));
        assert_eq!(text, "Unknown parameter 'buton'");
        assert_eq!(hint.as_deref(), Some("Did you mean 'button'?"));
    }

    #[test]
    fn a_wrong_type_says_what_it_must_be() {
        assert_eq!(reason(json!({ "selector": 5 })).0, "selector must be a string, not integer 5");
    }

    #[test]
    fn a_wrong_choice_lists_the_right_ones() {
        let (text, _) = reason(json!({ "selector": "a", "button": "top" }));
        assert_eq!(text, "button must be one of left, right, not 'top'");
    }
}
