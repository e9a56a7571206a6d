//! `storage_get`: what the page's origin keeps in web storage.

use crate::prelude::*;
use crate::values::Area;

/// Read an item of web storage, or all items.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct StorageGet {
    /// Item, default all.
    key: Option<String>,
    /// Which storage, default local.
    #[serde(rename = "type", default)]
    area: Area,
}

/// What it holds.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Stored {
    /// A string, null if there is none; of all items an object.
    value: Value,
    #[serde(skip)]
    origin: String,
}

impl Action for StorageGet {
    const NAME: &'static str = "storage_get";
    const GROUP: Group = Group::State;
    const TOOLSET: Toolset = Toolset::All;
    const ACCESS: Access = Access::Reads;
    const LONG: bool = true;
    const TIPS: &'static [&'static str] =
        &["It is the storage of the origin of the frame that is worked in."];
    type Output = Stored;

    fn examples() -> Vec<Example> {
        vec![
            Example::gives("An item", json!({ "key": "theme" }), json!({ "value": "dark" })),
            Example::gives(
                "All of the session's",
                json!({ "type": "session" }),
                json!({ "value": { "step": "2" } }),
            ),
            Example::gives("One it does not have", json!({ "key": "x" }), json!({ "value": null })),
            Example::fails("A wrong type", json!({ "type": "cookie" }), "invalid_params"),
        ]
    }

    async fn run(self, tab: &mut Tab) -> Result<Stored> {
        let value = tab.storage(self.area.into(), self.key.as_deref()).await?;
        Ok(Stored { value, origin: origin(&tab.url()).to_owned() })
    }
}

impl Output for Stored {
    fn data(&self) -> Value {
        json!(self)
    }

    fn schema() -> Option<Schema> {
        schema_of_output::<Self>()
    }

    fn text(&self) -> Text {
        match &self.value {
            Value::String(text) => Text::page(text, &self.origin),
            // JSON is its own quoting.
            other => Text::ours(other.to_string()),
        }
    }
}
