//! Actions as a command line has them: required parameters by their place, in the order in which
//! they were written, the others by `--name`.
//!
//! Values are text there. What a parameter's schema says decides what JSON becomes of one; whether
//! that fits is judged where every call is, so that the errors are the same everywhere.

use serde_json::{Map, Value, json};

use crate::action::{Access, Entry};
use crate::call_params;
use crate::export::schema::tool;

/// A parameter on a command line.
#[derive(Debug, Clone, PartialEq)]
pub struct Parameter {
    /// Its name in JSON: `fullPage`.
    pub name: String,
    /// What kind of value it takes.
    pub kind: Kind,
    /// Where it stands.
    pub stands: Stands,
    /// What it is for.
    pub says: String,
    /// The words it can be, where there are only some.
    pub choices: Vec<String>,
}

/// Where a parameter stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stands {
    /// By its place; it must be there.
    Required,
    /// By its place or by its name: the first of an action that requires none.
    First,
    /// By its name.
    Named,
    /// By its name, and every action has it.
    OfCall,
    /// A list of calls, read from a file or standard input.
    Steps,
}

/// What kind of value a parameter takes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
    /// Text as it is.
    Text,
    /// A number.
    Number,
    /// True or false.
    Switch,
    /// Several.
    List(Box<Kind>),
    /// JSON.
    Json,
}

impl Parameter {
    /// Its name on a command line: `full-page`.
    pub fn flag(&self) -> String {
        let mut flag = String::new();
        for c in self.name.chars() {
            if c.is_ascii_uppercase() {
                flag.push('-');
            }
            flag.push(c.to_ascii_lowercase());
        }
        flag
    }
}

impl Kind {
    fn of(schema: &Value) -> Self {
        let types: Vec<&str> = match schema.get("type") {
            Some(Value::String(one)) => vec![one],
            Some(Value::Array(several)) => several.iter().filter_map(Value::as_str).collect(),
            _ => Vec::new(),
        };
        if types.contains(&"string") {
            return Self::Text;
        }
        match types.first() {
            Some(&("integer" | "number")) => Self::Number,
            Some(&"boolean") => Self::Switch,
            Some(&"array") => match Self::of(schema.get("items").unwrap_or(&Value::Null)) {
                Self::Json | Self::List(_) => Self::Json,
                one => Self::List(Box::new(one)),
            },
            _ => Self::Json,
        }
    }

    /// The JSON a text stands for; text that does not fit stays text, and is told as such.
    pub fn read(&self, text: &str) -> Value {
        let as_text = || Value::String(text.to_owned());
        match self {
            Self::Text | Self::List(_) => as_text(),
            Self::Number => match serde_json::from_str(text) {
                Ok(number @ Value::Number(_)) => number,
                _ => as_text(),
            },
            Self::Switch => match text {
                "true" | "yes" | "1" => json!(true),
                "false" | "no" | "0" => json!(false),
                _ => as_text(),
            },
            Self::Json => serde_json::from_str(text).unwrap_or_else(|_| as_text()),
        }
    }
}

/// The parameters of an action: its own, then those of every call.
pub fn parameters(entry: &Entry) -> Vec<Parameter> {
    let schema = tool(entry).input_schema;
    let properties = schema.get("properties").and_then(Value::as_object);
    let required = schema.get("required").and_then(Value::as_array);
    let is_required = |name: &str| required.is_some_and(|all| all.iter().any(|one| one == name));
    let none_required = required.is_none_or(Vec::is_empty);
    let mut all: Vec<Parameter> = Vec::new();
    for (name, property) in properties.into_iter().flatten() {
        let kind = Kind::of(property);
        let stands = if entry.steps == Some(name) {
            Stands::Steps
        } else if is_required(name) {
            Stands::Required
        } else if none_required && all.is_empty() && matches!(kind, Kind::Text | Kind::Number) {
            Stands::First
        } else {
            Stands::Named
        };
        all.push(parameter(name, property, stands));
    }
    for (name, says) in entry.unlisted {
        let schema = json!({ "type": "string", "description": says });
        all.push(parameter(name, &schema, Stands::Named));
    }
    for (name, schema) in of_every_call(entry) {
        if !all.iter().any(|one| one.name == name) {
            all.push(parameter(name, &schema, Stands::OfCall));
        }
    }
    all
}

/// What every call of this action accepts. A session is named by the command line itself.
fn of_every_call(entry: &Entry) -> Vec<(&'static str, Value)> {
    let fits = |name: &str| match name {
        "session" => false,
        "changes" => entry.access == Access::Changes,
        _ => true,
    };
    let listed = call_params::LIST.iter().filter(|param| fits(param.name));
    let mut all: Vec<_> = listed.map(|param| (param.name, (param.schema)())).collect();
    if entry.long {
        all.extend(call_params::OF_LONG.iter().map(|param| (param.name, (param.schema)())));
    }
    all
}

/// The command line that makes a call, and what it reads from standard input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommandLine {
    /// The action and its arguments.
    pub words: Vec<String>,
    /// What it reads.
    pub input: Option<String>,
}

/// The action's name on a command line: `get-text`.
pub fn command_name(entry: &Entry) -> String {
    entry.name.replace('_', "-")
}

/// How a call is written on a command line. What has no flag, or is not of the kind its parameter
/// takes, can only be written as JSON.
pub fn command_line(entry: &Entry, args: &Map<String, Value>) -> CommandLine {
    written(entry, args).unwrap_or_else(|| CommandLine {
        words: vec![command_name(entry), "--args".into(), Value::Object(args.clone()).to_string()],
        input: None,
    })
}

fn written(entry: &Entry, args: &Map<String, Value>) -> Option<CommandLine> {
    let all = parameters(entry);
    let is_known = |name: &String| all.iter().any(|one| one.name == *name);
    if !args.keys().all(is_known) {
        return None;
    }
    let (mut flags, mut places, mut input) = (Vec::new(), Vec::new(), None);
    let mut missing = false;
    for one in &all {
        let value = args.get(&one.name);
        match (one.stands, value) {
            (Stands::Required, None) => missing = true,
            (_, None) => {}
            // Only the last ones can be left out.
            (Stands::Required, Some(_)) if missing => return None,
            (Stands::Required | Stands::First, Some(value)) => {
                places.extend(texts(&one.kind, value)?)
            }
            (Stands::Steps, Some(value)) => input = Some(value.to_string()),
            (Stands::Named | Stands::OfCall, Some(value)) => {
                for text in texts(&one.kind, value)? {
                    flags.push(match (&one.kind, text.as_str()) {
                        (Kind::Switch, "true") => format!("--{}", one.flag()),
                        _ => format!("--{}={text}", one.flag()),
                    });
                }
            }
        }
    }
    let mut words = vec![command_name(entry)];
    words.append(&mut flags);
    if places.iter().any(|place| place.starts_with('-')) {
        words.push("--".into());
    }
    words.append(&mut places);
    Some(CommandLine { words, input })
}

/// The texts that become this value.
fn texts(kind: &Kind, value: &Value) -> Option<Vec<String>> {
    match (kind, value) {
        (Kind::Text, Value::String(text)) => Some(vec![text.clone()]),
        (Kind::Number, Value::Number(_)) | (Kind::Switch, Value::Bool(_)) => {
            Some(vec![value.to_string()])
        }
        (Kind::List(kind), Value::Array(items)) if !items.is_empty() => {
            let all: Option<Vec<_>> = items.iter().map(|item| texts(kind, item)).collect();
            Some(all?.concat())
        }
        (Kind::Json, Value::Array(_) | Value::Object(_)) => Some(vec![value.to_string()]),
        _ => None,
    }
}

fn parameter(name: &str, schema: &Value, stands: Stands) -> Parameter {
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let choices = schema.get("enum").and_then(Value::as_array).into_iter().flatten();
    Parameter {
        name: name.to_owned(),
        kind: Kind::of(schema),
        stands,
        says: schema.get("description").and_then(text).unwrap_or_default(),
        choices: choices.filter_map(text).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ENTRIES;

    fn of(action: &str) -> Vec<Parameter> {
        parameters(ENTRIES.iter().find(|entry| entry.name == action).unwrap())
    }

    fn standing(action: &str, stands: Stands) -> Vec<String> {
        let all = of(action).into_iter().filter(|one| one.stands == stands);
        all.map(|one| one.flag()).collect()
    }

    #[test]
    fn required_parameters_stand_by_their_place_and_others_by_name() {
        assert_eq!(standing("fill", Stands::Required), ["selector", "value"]);
        assert_eq!(standing("tabs", Stands::First), ["do"]);
        assert_eq!(standing("batch", Stands::Steps), ["steps"]);
        assert_eq!(standing("batch", Stands::Named), ["on-error"]);
        assert!(standing("screenshot", Stands::Named).contains(&"full-page".to_owned()));
        assert_eq!(standing("url", Stands::OfCall), ["timeout", "tab-id"]);
    }

    #[test]
    fn a_call_is_written_as_a_command_line() {
        let line = |action: &str, args: Value| {
            let entry = ENTRIES.iter().find(|entry| entry.name == action).unwrap();
            command_line(entry, args.as_object().unwrap()).words.join(" ")
        };
        let args = json!({ "selector": "#a", "button": "right" });
        assert_eq!(line("click", args), "click --button=right #a");
        assert_eq!(line("get_text", json!({ "selector": "-a" })), "get-text -- -a");
        assert_eq!(line("screenshot", json!({ "fullPage": true })), "screenshot --full-page");
        assert_eq!(line("upload", json!({ "selector": "a", "files": ["b", "c"] })), "upload a b c");
        assert_eq!(line("describe", json!({ "action": 5 })), r#"describe --args {"action":5}"#);
        assert_eq!(line("url", json!({ "x": 1 })), r#"url --args {"x":1}"#);
        assert_eq!(line("fill", json!({ "value": "x" })), r#"fill --args {"value":"x"}"#);
    }

    #[test]
    fn values_become_what_the_schema_says() {
        let kind = |action: &str, name: &str| {
            of(action).into_iter().find(|one| one.name == name).unwrap().kind
        };
        assert_eq!(kind("mouse", "x").read("1.5"), json!(1.5));
        assert_eq!(kind("mouse", "x").read("left"), json!("left"));
        assert_eq!(kind("fill", "value").read("007"), json!("007"));
        assert_eq!(kind("screenshot", "fullPage").read("false"), json!(false));
        assert_eq!(kind("upload", "files"), Kind::List(Box::new(Kind::Text)));
        assert_eq!(kind("click", "position").read(r#"{"x":1}"#), json!({ "x": 1 }));
    }
}
