//! `inner_html`: the markup in an element, passwords apart.

use crate::page_words::PageMarkup;
use crate::prelude::*;

/// Get the HTML inside an element.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct InnerHtml {
    /// Element: ref or selector.
    selector: Target,
}

impl Action for InnerHtml {
    const NAME: &'static str = "inner_html";
    const GROUP: Group = Group::Reading;
    const TOOLSET: Toolset = Toolset::All;
    const ACCESS: Access = Access::Reads;
    const LONG: bool = true;
    const TIPS: &'static [&'static str] = &["A password in it is told as its length."];
    type Output = PageMarkup;

    fn examples() -> Vec<Example> {
        vec![
            Example::gives(
                "Its markup",
                json!({ "selector": "#box" }),
                json!({ "html": "<b>Bold</b> text" }),
            ),
            Example::gives(
                "A password is left out",
                json!({ "selector": "#form" }),
                json!({ "html": "<input type=\"password\" value=\"[7 characters]\">" }),
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

    async fn run(self, tab: &mut Tab) -> Result<PageMarkup> {
        let html = tab.inner_html(&self.selector).await?;
        Ok(PageMarkup::of(tab, html))
    }
}
