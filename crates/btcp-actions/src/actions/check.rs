//! `check`: tick a check box or choose a radio button.

use btcp_engine::For;

use crate::actions::fill::fill;
use crate::prelude::*;

/// Tick a check box or switch, or choose a radio button.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Check {
    /// Check box or radio button: ref or selector.
    selector: Target,
}

impl Check {
    pub(crate) fn on(selector: Target) -> Self {
        Self { selector }
    }
}

impl Action for Check {
    const NAME: &'static str = "check";
    const GROUP: Group = Group::Interaction;
    const TOOLSET: Toolset = Toolset::Standard;
    const ACCESS: Access = Access::Changes;
    const TIPS: &'static [&'static str] =
        &["One that is ticked already is left alone, and the page sees no event."];
    type Output = Did;

    fn examples() -> Vec<Example> {
        vec![
            Example::does(
                "A check box",
                json!({ "selector": "#agree" }),
                "document.querySelector('#agree').checked && log.includes('change agree true')",
            ),
            Example::keeps(
                "One that is ticked already stays so",
                json!({ "selector": "#news" }),
                "document.querySelector('#news').checked && log.length === 0",
            ),
            Example::does(
                "A styled one, through its label",
                json!({ "selector": "#styled" }),
                "document.querySelector('#styled').checked",
            ),
            Example::fails(
                "Something that cannot be ticked",
                json!({ "selector": "#plain", "timeout": 1000 }),
                "not_editable",
            ),
        ]
    }

    fn target(&self) -> Option<&Target> {
        Some(&self.selector)
    }

    async fn run(self, tab: &mut Tab) -> Result<Did> {
        fill(tab, &self.selector, For::Check, "true", "checked").await
    }
}
