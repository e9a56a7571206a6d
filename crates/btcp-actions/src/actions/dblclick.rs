//! `dblclick`: two clicks at once.

use crate::actions::Click;
use crate::prelude::*;

/// Double-click an element.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Dblclick {
    /// Element: ref or selector.
    selector: Target,
}

impl Action for Dblclick {
    const NAME: &'static str = "dblclick";
    const GROUP: Group = Group::Interaction;
    const TOOLSET: Toolset = Toolset::All;
    const ACCESS: Access = Access::Changes;
    const TIPS: &'static [&'static str] =
        &["The page sees two clicks and a dblclick; a word under it becomes selected."];
    type Output = Did;

    fn examples() -> Vec<Example> {
        vec![
            Example::does(
                "A word",
                json!({ "selector": "#word" }),
                "log.includes('dblclick word') && getSelection().toString() === 'twice'",
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

    async fn run(self, tab: &mut Tab) -> Result<Did> {
        Click::times(self.selector, 2).run(tab).await
    }
}
