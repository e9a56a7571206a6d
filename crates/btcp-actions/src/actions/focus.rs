//! `focus`: the keyboard goes to an element.

use btcp_engine::For;

use crate::prelude::*;

/// Give an element the keyboard focus.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Focus {
    /// Element: ref or selector.
    selector: Target,
}

impl Action for Focus {
    const NAME: &'static str = "focus";
    const GROUP: Group = Group::Interaction;
    const TOOLSET: Toolset = Toolset::All;
    const ACCESS: Access = Access::Changes;
    const TIPS: &'static [&'static str] =
        &["If the element does not take the focus the answer says so."];
    type Output = Did;

    fn examples() -> Vec<Example> {
        vec![
            Example::does(
                "A field",
                json!({ "selector": "label=Name" }),
                "document.activeElement.id === 'name' && log.includes('focus name')",
            ),
            Example::fails(
                "A disabled one",
                json!({ "selector": "#off", "timeout": 1000 }),
                "disabled",
            ),
        ]
    }

    fn target(&self) -> Option<&Target> {
        Some(&self.selector)
    }

    async fn run(self, tab: &mut Tab) -> Result<Did> {
        let hit = tab.ready(&self.selector, For::Focus).await?;
        tab.did_in_page();
        let refused = hit.unfocused.then(|| "it does not take the focus".to_owned());
        Ok(Did::to(&hit.element, "focused").note(refused.or(hit.note())))
    }
}
