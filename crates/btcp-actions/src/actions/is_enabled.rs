//! `is_enabled`: whether a control can be used.

use crate::prelude::*;

/// Tell whether a control is enabled.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct IsEnabled {
    /// Element: ref or selector.
    selector: Target,
}

/// Yes or no.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Enabled {
    enabled: bool,
}

impl Action for IsEnabled {
    const NAME: &'static str = "is_enabled";
    const GROUP: Group = Group::Reading;
    const TOOLSET: Toolset = Toolset::Full;
    const ACCESS: Access = Access::Reads;
    const TIPS: &'static [&'static str] =
        &["A control in a disabled fieldset, or with aria-disabled, is not enabled."];
    type Output = Enabled;

    fn examples() -> Vec<Example> {
        vec![
            Example::gives("A button", json!({ "selector": "#on" }), json!({ "enabled": true })),
            Example::gives(
                "A disabled one",
                json!({ "selector": "#off" }),
                json!({ "enabled": false }),
            ),
            Example::gives(
                "One in a disabled group",
                json!({ "selector": "#inside" }),
                json!({ "enabled": false }),
            ),
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

    async fn run(self, tab: &mut Tab) -> Result<Enabled> {
        Ok(Enabled { enabled: tab.is_enabled(&self.selector).await? })
    }
}

impl Output for Enabled {
    fn data(&self) -> Value {
        json!(self)
    }

    fn schema() -> Option<Schema> {
        schema_of_output::<Self>()
    }

    fn text(&self) -> Text {
        Text::ours(self.enabled.to_string())
    }
}
