//! Parameters that every call accepts, taken off before the action reads its own.
//!
//! They are declared once, here; schemas list them only where it pays (`LISTED`).

use std::time::Duration;

use serde_json::{Map, Value};

use crate::error::CallError;

/// A call without its own timeout ends after this long.
pub const DEFAULT_TIMEOUT: Duration = Duration::from_secs(15);

/// Nobody may ask for a longer wait than this.
const LONGEST: Duration = Duration::from_secs(600);

/// What every call accepts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallParams {
    /// When to give up.
    pub timeout: Option<Duration>,
    /// Which tab; the current one if absent.
    pub tab_id: Option<u32>,
    /// Which session; the caller's own if absent.
    pub session: Option<String>,
    /// Whether to wait for and report what changed.
    pub changes: bool,
}

/// A call parameter as schemas list it.
pub(crate) struct Listed {
    /// Its name.
    pub name: &'static str,
    /// Its schema.
    pub schema: fn() -> Value,
}

/// Every call parameter there is.
pub(crate) const LIST: &[Listed] = &[
    Listed {
        name: "timeout",
        schema: || serde_json::json!({ "type": "number", "description": "Milliseconds, default 15000." }),
    },
    Listed {
        name: "tabId",
        schema: || serde_json::json!({ "type": "integer", "description": "Tab, default the current one." }),
    },
    Listed {
        name: "session",
        schema: || serde_json::json!({ "type": "string", "description": "Session handle." }),
    },
    Listed {
        name: "changes",
        schema: || serde_json::json!({ "type": "boolean", "description": "Report what changed, default true." }),
    },
];

/// What calls of actions with long answers accept besides.
pub(crate) const OF_LONG: &[Listed] = &[
    Listed {
        name: "maxChars",
        schema: || serde_json::json!({ "type": "integer", "description": "Characters of a long answer to print at once." }),
    },
    Listed {
        name: "offset",
        schema: || serde_json::json!({ "type": "integer", "description": "Read on in the last long answer from here." }),
    },
];

impl CallParams {
    /// Takes the call parameters out of `args`; those the action reads itself stay there too.
    pub fn take(args: &mut Map<String, Value>, own: &[&str]) -> Result<Self, CallError> {
        let mut take = |name: &str| {
            match own.contains(&name) {
                true => args.get(name).cloned(),
                false => args.shift_remove(name),
            }
            .filter(|value| !value.is_null())
        };
        let timeout = take("timeout").map(|value| duration("timeout", &value)).transpose()?;
        let tab_id = take("tabId").map(|value| whole("tabId", &value)).transpose()?;
        let session = match take("session") {
            None => None,
            Some(Value::String(name)) => Some(name),
            Some(other) => return Err(wrong("session", "a string", &other)),
        };
        let changes = match take("changes") {
            None => true,
            Some(Value::Bool(changes)) => changes,
            Some(other) => return Err(wrong("changes", "true or false", &other)),
        };
        Ok(Self { timeout, tab_id, session, changes })
    }
}

/// Milliseconds, or a text like `15s`, `1500ms`, `2m`.
pub(crate) fn duration(field: &str, value: &Value) -> Result<Duration, CallError> {
    let millis = match value {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => parse_duration(text),
        _ => None,
    };
    match millis {
        Some(millis) if millis >= 0.0 && millis <= LONGEST.as_millis() as f64 => {
            Ok(Duration::from_micros((millis * 1000.0) as u64))
        }
        Some(_) => Err(CallError::InvalidParams {
            field: Some(field.into()),
            reason: format!("{field} must be between 0 and 10 minutes, not {value}"),
            hint: None,
        }),
        None => Err(wrong(field, "milliseconds or a text like \"15s\"", value)),
    }
}

/// A duration as a person writes it: `15s`, `1500ms`, `2m`, or milliseconds.
///
/// # Errors
///
/// It is none, or longer than ten minutes; says what is wanted.
pub fn read_duration(text: &str) -> Result<Duration, String> {
    let read = duration("it", &Value::String(text.to_owned())).ok();
    read.filter(|duration| !duration.is_zero())
        .ok_or_else(|| "a time up to 10 minutes is wanted, like 30s".to_owned())
}

fn parse_duration(text: &str) -> Option<f64> {
    let text = text.trim();
    let (number, factor) = if let Some(number) = text.strip_suffix("ms") {
        (number, 1.0)
    } else if let Some(number) = text.strip_suffix('s') {
        (number, 1000.0)
    } else if let Some(number) = text.strip_suffix('m') {
        (number, 60_000.0)
    } else {
        (text, 1.0)
    };
    number.trim().parse::<f64>().ok().filter(|n| n.is_finite()).map(|number| number * factor)
}

fn whole(field: &str, value: &Value) -> Result<u32, CallError> {
    let number = match value {
        Value::String(text) => text.parse().ok(),
        value => value.as_u64(),
    };
    number.and_then(|n| u32::try_from(n).ok()).ok_or_else(|| wrong(field, "a whole number", value))
}

fn wrong(field: &str, wants: &str, got: &Value) -> CallError {
    CallError::InvalidParams {
        field: Some(field.into()),
        reason: format!("{field} must be {wants}, not {got}"),
        hint: None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn taken(args: Value) -> Result<(CallParams, Value), CallError> {
        let Value::Object(mut args) = args else { panic!("an object") };
        let params = CallParams::take(&mut args, &[])?;
        Ok((params, Value::Object(args)))
    }

    #[test]
    fn call_parameters_are_taken_off() {
        let (params, rest) =
            taken(json!({ "selector": "a", "timeout": "2m", "tabId": 3 })).unwrap();
        assert_eq!(params.timeout, Some(Duration::from_secs(120)));
        assert_eq!(params.tab_id, Some(3));
        assert!(params.changes);
        assert_eq!(rest, json!({ "selector": "a" }));
    }

    #[test]
    fn durations_are_numbers_or_words() {
        for (value, millis) in [(json!(1500), 1500), (json!("1500ms"), 1500), (json!("1.5s"), 1500)]
        {
            assert_eq!(duration("timeout", &value).unwrap(), Duration::from_millis(millis));
        }
        for value in [json!("soon"), json!(-1), json!(true), json!("11m"), json!("inf")] {
            assert!(duration("timeout", &value).is_err(), "{value} was accepted");
        }
    }

    #[test]
    fn a_wrong_kind_names_the_field() {
        let error = taken(json!({ "tabId": "first" })).unwrap_err();
        assert_eq!(error.to_string(), r#"tabId must be a whole number, not "first""#);
    }
}
