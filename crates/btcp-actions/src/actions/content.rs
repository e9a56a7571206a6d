//! `content`: the markup of the page or of one element, passwords apart.

use crate::page_words::PageMarkup;
use crate::prelude::*;

/// Get the HTML of the page or of an element.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Content {
    /// Only this element: ref or selector.
    selector: Option<Target>,
}

impl Action for Content {
    const NAME: &'static str = "content";
    const GROUP: Group = Group::Reading;
    const TOOLSET: Toolset = Toolset::All;
    const ACCESS: Access = Access::Reads;
    const LONG: bool = true;
    const TIPS: &'static [&'static str] = &[
        "It is the markup as it is now, after scripts; of the frame that was entered, where one was.",
        "A password in it is told as its length.",
    ];
    type Output = PageMarkup;

    fn examples() -> Vec<Example> {
        vec![
            Example::gives(
                "The page",
                json!({}),
                json!({ "html": "<!DOCTYPE html><html><head><title>content</title>\n</head><body><p id=\"text\">Words</p>\n</body></html>" }),
            ),
            Example::gives(
                "An element",
                json!({ "selector": "#text" }),
                json!({ "html": "<p id=\"text\">Words</p>" }),
            ),
            Example::fails(
                "Something that is not there",
                json!({ "selector": "#missing", "timeout": 1000 }),
                "not_found",
            ),
        ]
    }

    fn target(&self) -> Option<&Target> {
        self.selector.as_ref()
    }

    async fn run(self, tab: &mut Tab) -> Result<PageMarkup> {
        let html = tab.html(self.selector.as_ref()).await?;
        Ok(PageMarkup::of(tab, html))
    }
}
