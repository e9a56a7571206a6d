//! `input_value`: what stands in a field; of a password how long it is.

use crate::prelude::*;

/// Get the value of a field.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct InputValue {
    /// Element: ref or selector.
    selector: Target,
}

/// What stands in it.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Held {
    /// Null for a password.
    value: Option<String>,
    /// How many characters a password has.
    #[serde(skip_serializing_if = "Option::is_none")]
    length: Option<usize>,
    #[serde(skip)]
    origin: String,
}

impl Action for InputValue {
    const NAME: &'static str = "input_value";
    const GROUP: Group = Group::Reading;
    const TOOLSET: Toolset = Toolset::All;
    const ACCESS: Access = Access::Reads;
    const TIPS: &'static [&'static str] = &[
        "Of a select it is the chosen option's value, not its label. A password is told as its length unless secrets may be read.",
    ];
    type Output = Held;

    fn examples() -> Vec<Example> {
        vec![
            Example::gives(
                "A text field",
                json!({ "selector": "#name" }),
                json!({ "value": "Ada" }),
            ),
            Example::gives("A select", json!({ "selector": "#city" }), json!({ "value": "osl" })),
            Example::gives(
                "A password: its length",
                json!({ "selector": "#pw" }),
                json!({ "value": null, "length": 7 }),
            ),
            Example::fails("No field", json!({ "selector": "#text" }), "invalid_params"),
            Example::fails(
                "Something that is not there",
                json!({ "selector": "#missing", "timeout": 1000 }),
                "not_found",
            ),
        ]
    }

    fn target(&self) -> Option<&Target> {
        Some(&self.selector)
    }

    async fn run(self, tab: &mut Tab) -> Result<Held> {
        let held = tab.input_value(&self.selector).await?;
        let origin = origin(&tab.url()).to_owned();
        Ok(match held.secret {
            true => Held { value: None, length: Some(held.length), origin },
            false => Held { value: Some(held.value), length: None, origin },
        })
    }
}

impl Output for Held {
    fn data(&self) -> Value {
        json!(self)
    }

    fn schema() -> Option<Schema> {
        schema_of_output::<Self>()
    }

    fn text(&self) -> Text {
        match (&self.value, self.length) {
            (Some(value), _) => Text::page(value, &self.origin),
            (None, length) => Text::ours(format!("[{} characters]", length.unwrap_or_default())),
        }
    }
}
