//! Parameter and output types that several actions share.

use std::time::Duration;

use btcp_engine::Arrived;
use btcp_engine::text::cut;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::call_params;
use crate::outcome::{Output, Text, schema_of_output};

/// A field's value as agents write it: text, or JSON true, false and numbers.
#[derive(Debug, Clone, Deserialize)]
#[serde(try_from = "Value")]
pub(crate) struct FieldText(pub(crate) String);

impl TryFrom<Value> for FieldText {
    type Error = String;

    fn try_from(value: Value) -> Result<Self, String> {
        match value {
            Value::String(text) => Ok(Self(text)),
            Value::Bool(_) | Value::Number(_) => Ok(Self(value.to_string())),
            other => {
                Err(format!("invalid type: {other}, expected a string, a number, true or false"))
            }
        }
    }
}

impl JsonSchema for FieldText {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "FieldText".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "string" })
    }
}

/// A time in milliseconds, or as text: `"15s"`.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(try_from = "Value")]
pub(crate) struct Millis(pub(crate) Duration);

impl TryFrom<Value> for Millis {
    type Error = String;

    fn try_from(value: Value) -> Result<Self, String> {
        call_params::duration("time", &value).map(Self).map_err(|error| error.to_string())
    }
}

impl JsonSchema for Millis {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Millis".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "number" })
    }
}

/// It is done; there is nothing more to tell programs.
pub(crate) struct Done(String);

impl Done {
    pub(crate) fn saying(text: String) -> Self {
        Self(text)
    }
}

impl Output for Done {
    fn data(&self) -> Value {
        json!({ "success": true })
    }

    fn schema() -> Option<schemars::Schema> {
        Some(schemars::json_schema!({
            "type": "object",
            "properties": { "success": { "const": true } },
            "required": ["success"],
        }))
    }

    fn text(&self) -> Text {
        Text::ours(&self.0)
    }
}

/// Where going through the history, or loading again, led.
#[derive(Serialize, JsonSchema)]
pub(crate) struct WentTo {
    success: bool,
    url: String,
    #[serde(skip)]
    title: String,
}

impl WentTo {
    pub(crate) fn new(arrived: Arrived) -> Self {
        Self { success: true, url: arrived.url, title: arrived.title }
    }
}

impl Output for WentTo {
    fn data(&self) -> Value {
        json!(self)
    }

    fn schema() -> Option<schemars::Schema> {
        schema_of_output::<Self>()
    }

    fn text(&self) -> Text {
        let title = btcp_engine::text::quoted(&cut(&self.title, 120));
        Text::ours(format!("page {title} {}", cut(&self.url, 200)))
    }
}
