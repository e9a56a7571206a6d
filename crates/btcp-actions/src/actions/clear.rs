//! `clear`: empty a field.

use btcp_engine::For;

use crate::actions::fill::fill;
use crate::prelude::*;

/// Empty a field.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Clear {
    /// Field: ref or selector.
    selector: Target,
}

impl Action for Clear {
    const NAME: &'static str = "clear";
    const GROUP: Group = Group::Interaction;
    const TOOLSET: Toolset = Toolset::Standard;
    const ACCESS: Access = Access::Changes;
    const TIPS: &'static [&'static str] = &[
        "Editable content is emptied too; the page gets an input event, and the answer says what the field holds afterwards.",
    ];
    type Output = Did;

    fn examples() -> Vec<Example> {
        vec![
            Example::does(
                "A text field",
                json!({ "selector": "#old" }),
                "document.querySelector('#old').value === '' && log.includes('input old ')",
            ),
            Example::does(
                "Editable content",
                json!({ "selector": "#note" }),
                "document.querySelector('#note').textContent === ''",
            ),
            Example::fails(
                "A read-only field",
                json!({ "selector": "#ro", "timeout": 1000 }),
                "not_editable",
            ),
        ]
    }

    fn target(&self) -> Option<&Target> {
        Some(&self.selector)
    }

    async fn run(self, tab: &mut Tab) -> Result<Did> {
        fill(tab, &self.selector, For::Fill, "", "cleared").await
    }
}
