//! `is_checked`: whether a box, button, switch or option is on.

use crate::prelude::*;

/// Tell whether a check box, radio button, switch or option is on.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct IsChecked {
    /// Element: ref or selector.
    selector: Target,
}

/// Yes or no.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Checked {
    checked: bool,
}

impl Action for IsChecked {
    const NAME: &'static str = "is_checked";
    const GROUP: Group = Group::Reading;
    const TOOLSET: Toolset = Toolset::All;
    const ACCESS: Access = Access::Reads;
    const TIPS: &'static [&'static str] =
        &["What cannot be on or off, such as a paragraph, is an error."];
    type Output = Checked;

    fn examples() -> Vec<Example> {
        vec![
            Example::gives(
                "A box that is ticked",
                json!({ "selector": "#on" }),
                json!({ "checked": true }),
            ),
            Example::gives(
                "One that is not",
                json!({ "selector": "#off" }),
                json!({ "checked": false }),
            ),
            Example::gives(
                "A switch by role",
                json!({ "selector": "role=switch" }),
                json!({ "checked": true }),
            ),
            Example::fails("A paragraph", json!({ "selector": "#text" }), "invalid_params"),
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

    async fn run(self, tab: &mut Tab) -> Result<Checked> {
        Ok(Checked { checked: tab.is_checked(&self.selector).await? })
    }
}

impl Output for Checked {
    fn data(&self) -> Value {
        json!(self)
    }

    fn schema() -> Option<Schema> {
        schema_of_output::<Self>()
    }

    fn text(&self) -> Text {
        Text::ours(self.checked.to_string())
    }
}
