//! `open_tab`: another tab.

use crate::prelude::*;
use crate::tabs::TabDid;

/// Open a URL in a new tab and wait for it to load.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct OpenTab {
    /// http or https address.
    url: String,
    /// Make it the current tab, default true.
    active: Option<bool>,
}

impl SessionAction for OpenTab {
    const NAME: &'static str = "open_tab";
    const GROUP: Group = Group::Tabs;
    const TOOLSET: Toolset = Toolset::All;
    const ACCESS: Access = Access::Changes;
    const LISTED: &'static [&'static str] = &["timeout"];
    const TIPS: &'static [&'static str] =
        &["A page that cannot be opened leaves no tab behind; one that loads too long does."];
    type Output = TabDid;

    fn examples() -> Vec<Example> {
        vec![
            Example::gives(
                "A page",
                json!({ "url": "{origin}/open_tab.html?second" }),
                json!({ "success": true, "tabId": 2, "url": "{origin}/open_tab.html?second" }),
            ),
            Example::gives(
                "Without leaving this one",
                json!({ "url": "{origin}/open_tab.html?behind", "active": false }),
                json!({ "success": true, "tabId": 2 }),
            ),
            Example::fails("A file", json!({ "url": "file:///etc/passwd" }), "denied"),
            Example::fails(
                "A server that is not there",
                json!({ "url": "http://127.0.0.1:1/" }),
                "navigation_failed",
            ),
        ]
    }

    async fn run(self, session: &Arc<Session>, call: &CallContext) -> Result<TabDid> {
        let id = session.open_tab_at(&self.url, self.active.unwrap_or(true), call).await?;
        Ok(TabDid::opened(session, id).await)
    }
}
