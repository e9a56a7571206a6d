//! `uncheck`: take a check box's tick away.

use btcp_engine::For;

use crate::actions::fill::fill;
use crate::prelude::*;

/// Untick a check box or switch.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Uncheck {
    /// Check box: ref or selector.
    selector: Target,
}

impl Action for Uncheck {
    const NAME: &'static str = "uncheck";
    const GROUP: Group = Group::Interaction;
    const TOOLSET: Toolset = Toolset::Full;
    const ACCESS: Access = Access::Changes;
    const TIPS: &'static [&'static str] = &[
        "One that is not ticked is left alone. A radio button cannot be unticked: choose another.",
    ];
    type Output = Did;

    fn examples() -> Vec<Example> {
        vec![
            Example::does(
                "A check box",
                json!({ "selector": "#news" }),
                "!document.querySelector('#news').checked && log.includes('change news false')",
            ),
            Example::fails(
                "A radio button",
                json!({ "selector": "#chosen", "timeout": 1000 }),
                "invalid_params",
            ),
        ]
    }

    fn target(&self) -> Option<&Target> {
        Some(&self.selector)
    }

    async fn run(self, tab: &mut Tab) -> Result<Did> {
        fill(tab, &self.selector, For::Check, "false", "unchecked").await
    }
}
