//! Parameter and output types that several actions share.

use std::time::Duration;

use btcp_engine::text::{address, cut};
use btcp_engine::{Arrived, StorageArea};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::call_params;
use crate::did::{dialog_data, dialog_schema, dialog_text};
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

/// A number that must lie between two others, which the schema says too.
pub(crate) fn within(
    field: &'static str,
    number: u32,
    bounds: std::ops::RangeInclusive<u32>,
) -> Result<u32, btcp_engine::Error> {
    if bounds.contains(&number) {
        return Ok(number);
    }
    let message = format!("{field} must be {} to {}, not {number}", bounds.start(), bounds.end());
    Err(btcp_engine::Error::BadParam { field, message })
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

/// One of the two web storages.
#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Area {
    /// What all tabs of an origin share.
    #[default]
    Local,
    /// What one tab has for itself.
    Session,
}

impl From<Area> for StorageArea {
    fn from(area: Area) -> Self {
        match area {
            Area::Local => Self::Local,
            Area::Session => Self::Session,
        }
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
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "dialog_of")]
    dialog: Option<Value>,
    #[serde(skip)]
    title: String,
    #[serde(skip)]
    asked: Option<String>,
}

fn dialog_of(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    schemars::Schema::try_from(dialog_schema()).unwrap_or_default()
}

impl WentTo {
    pub(crate) fn new(arrived: Arrived) -> Self {
        let Arrived { url, title, dialog, .. } = arrived;
        let asked = dialog.as_ref().map(dialog_text);
        Self { success: true, url, dialog: dialog.as_ref().map(dialog_data), title, asked }
    }
}

impl Output for WentTo {
    fn data(&self) -> Value {
        json!(self)
    }

    fn schema() -> Option<schemars::Schema> {
        schema_of_output::<Self>()
    }

    fn without_page(&mut self) {
        self.title.clear();
        (self.dialog, self.asked) = (None, None);
    }

    fn text(&self) -> Text {
        let title = btcp_engine::text::quoted(&cut(&self.title, 120));
        let asked = self.asked.as_ref().map(|asked| format!("\n{asked}")).unwrap_or_default();
        Text::ours(format!("page {title} {}{asked}", address(&self.url)))
    }
}
