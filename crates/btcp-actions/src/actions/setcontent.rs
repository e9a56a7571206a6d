//! `setcontent`: another markup for the page, at the same address.

use crate::prelude::*;

/// Replace the page's HTML.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Setcontent {
    /// The new HTML.
    html: String,
}

impl Action for Setcontent {
    const NAME: &'static str = "setcontent";
    const GROUP: Group = Group::Script;
    const TOOLSET: Toolset = Toolset::All;
    const ACCESS: Access = Access::Changes;
    const TIPS: &'static [&'static str] =
        &["Address, cookies and storage stay; refs of what was there are stale."];
    type Output = Did;

    fn examples() -> Vec<Example> {
        vec![
            Example::does(
                "Another page",
                json!({ "html": "<!doctype html><title>New</title><h1>Hello</h1>" }),
                "document.title === 'New' && document.querySelector('h1').textContent === 'Hello'",
            ),
            Example::fails("None", json!({}), "invalid_params"),
        ]
    }

    async fn run(self, tab: &mut Tab) -> Result<Did> {
        tab.set_content(&self.html).await?;
        Ok(Did::plain("set the page's content"))
    }
}
