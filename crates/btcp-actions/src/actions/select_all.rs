//! `select_all`: all that an element holds is selected.

use btcp_engine::For;

use crate::prelude::*;

/// Select all text of a field or element.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SelectAll {
    /// Field or element: ref or selector.
    selector: Target,
}

impl Action for SelectAll {
    const NAME: &'static str = "select_all";
    const GROUP: Group = Group::Interaction;
    const TOOLSET: Toolset = Toolset::All;
    const ACCESS: Access = Access::Changes;
    const TIPS: &'static [&'static str] =
        &["What is typed afterwards takes the place of the selection."];
    type Output = Did;

    fn examples() -> Vec<Example> {
        vec![
            Example::does(
                "A field",
                json!({ "selector": "#name" }),
                "field.selectionStart === 0 && field.selectionEnd === 3",
            ),
            Example::does(
                "A paragraph",
                json!({ "selector": "#text" }),
                "getSelection().toString() === 'Some words'",
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
        let hit = tab.ready(&self.selector, For::SelectAll).await?;
        tab.did_in_page();
        Ok(Did::to(&hit.element, "selected all of").note(hit.note()))
    }
}
