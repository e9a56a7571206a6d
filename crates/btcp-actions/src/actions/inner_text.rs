//! `inner_text`: an element's text as a person reads it.

use crate::page_words::PageText;
use crate::prelude::*;

/// Get the text of an element as it is shown: hidden parts left out, lines kept.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct InnerText {
    /// Element: ref or selector.
    selector: Target,
}

impl Action for InnerText {
    const NAME: &'static str = "inner_text";
    const GROUP: Group = Group::Reading;
    const TOOLSET: Toolset = Toolset::All;
    const ACCESS: Access = Access::Reads;
    const LONG: bool = true;
    const TIPS: &'static [&'static str] = &[
        "It is what a person sees of it: hidden parts are left out, and text that styles write in capitals comes in capitals.",
    ];
    type Output = PageText;

    fn examples() -> Vec<Example> {
        vec![
            Example::gives(
                "Without what is hidden",
                json!({ "selector": "#text" }),
                json!({ "text": "One\nTwo" }),
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
        let text = tab.inner_text(&self.selector).await?;
        Ok(PageText::of(tab, text))
    }
}
