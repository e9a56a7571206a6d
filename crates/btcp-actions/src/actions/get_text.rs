//! `get_text`: an element's `textContent`.

use crate::page_words::PageText;
use crate::prelude::*;

/// Get the text of an element.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct GetText {
    /// Element: ref or selector.
    selector: Target,
}

impl Action for GetText {
    const NAME: &'static str = "get_text";
    const GROUP: Group = Group::Reading;
    const TOOLSET: Toolset = Toolset::Minimal;
    const ACCESS: Access = Access::Reads;
    const LONG: bool = true;
    const TIPS: &'static [&'static str] =
        &["It is all its text, hidden parts too; it waits until the element exists."];
    type Output = PageText;

    fn examples() -> Vec<Example> {
        vec![
            Example::gives(
                "A paragraph",
                json!({ "selector": "#plain" }),
                json!({ "text": "Plain text" }),
            ),
            Example::gives(
                "Inside a shadow root",
                json!({ "selector": "#inside" }),
                json!({ "text": "In the shadow" }),
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

    async fn run(self, tab: &mut Tab) -> Result<PageText> {
        let text = tab.text(&self.selector).await?;
        Ok(PageText::of(tab, text))
    }
}
