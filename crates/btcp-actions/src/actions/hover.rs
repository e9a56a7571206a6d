//! `hover`: the pointer over an element, so that menus and tips open.

use btcp_engine::For;

use crate::prelude::*;

/// Move the mouse over an element.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Hover {
    /// Element: ref or selector.
    selector: Target,
}

impl Hover {
    pub(crate) fn over(selector: Target) -> Self {
        Self { selector }
    }
}

impl Action for Hover {
    const NAME: &'static str = "hover";
    const GROUP: Group = Group::Interaction;
    const TOOLSET: Toolset = Toolset::Standard;
    const ACCESS: Access = Access::Changes;
    const TIPS: &'static [&'static str] =
        &["The pointer stays where it is until it is moved, so that a menu it opened stays open."];
    type Output = Did;

    fn examples() -> Vec<Example> {
        vec![
            Example::does(
                "A menu that opens",
                json!({ "selector": "#menu" }),
                "log.includes('mouseenter menu') && getComputedStyle(document.querySelector('#items')).display === 'block'",
            ),
            Example::fails(
                "One under a dialog",
                json!({ "selector": "#under", "timeout": 1000 }),
                "covered",
            ),
        ]
    }

    fn target(&self) -> Option<&Target> {
        Some(&self.selector)
    }

    async fn run(self, tab: &mut Tab) -> Result<Did> {
        let hit = tab.ready(&self.selector, For::Hover).await?;
        tab.move_to(hit.point).await?;
        Ok(Did::to(&hit.element, "hovered over").note(hit.note()))
    }
}
