//! `is_visible`: whether a person can see it, answered at once.

use crate::prelude::*;

/// Tell whether an element can be seen, at once.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct IsVisible {
    /// Element: ref or selector.
    selector: Target,
}

/// Yes or no.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Visible {
    visible: bool,
}

impl Action for IsVisible {
    const NAME: &'static str = "is_visible";
    const GROUP: Group = Group::Reading;
    const TOOLSET: Toolset = Toolset::Minimal;
    const ACCESS: Access = Access::Reads;
    const TIPS: &'static [&'static str] = &["It answers at once, false if nothing matches."];
    type Output = Visible;

    fn examples() -> Vec<Example> {
        vec![
            Example::gives(
                "Something there",
                json!({ "selector": "#here" }),
                json!({ "visible": true }),
            ),
            Example::gives(
                "Something hidden",
                json!({ "selector": "#hidden" }),
                json!({ "visible": false }),
            ),
            Example::gives(
                "Nothing",
                json!({ "selector": "#missing" }),
                json!({ "visible": false }),
            ),
            Example::fails("Nonsense", json!({ "selector": "a[" }), "invalid_params"),
        ]
    }

    fn target(&self) -> Option<&Target> {
        Some(&self.selector)
    }

    async fn run(self, tab: &mut Tab) -> Result<Visible> {
        Ok(Visible { visible: tab.is_visible(&self.selector).await? })
    }
}

impl Output for Visible {
    fn data(&self) -> Value {
        json!(self)
    }

    fn schema() -> Option<Schema> {
        schema_of_output::<Self>()
    }

    fn text(&self) -> Text {
        Text::ours(self.visible.to_string())
    }
}
