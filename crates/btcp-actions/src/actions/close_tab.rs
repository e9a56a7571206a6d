//! `close_tab`: a tab is done with.

use crate::prelude::*;
use crate::tabs::TabDid;

/// Close a tab.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct CloseTab {
    /// Its number; the current tab if absent.
    tab_id: Option<u32>,
}

impl SessionAction for CloseTab {
    const NAME: &'static str = "close_tab";
    const GROUP: Group = Group::Tabs;
    const TOOLSET: Toolset = Toolset::All;
    const ACCESS: Access = Access::Changes;
    const OWN: &'static [&'static str] = &["tabId"];
    const TIPS: &'static [&'static str] = &[
        "The page is not asked: it closes also while its script hangs or a dialog is open.",
        "Its opener becomes current, or the newest tab; after the last one a blank tab opens with the next call.",
    ];
    type Output = TabDid;

    fn examples() -> Vec<Example> {
        vec![
            Example::gives("The current one", json!({}), json!({ "success": true, "tabId": 1 })),
            Example::fails("One that is not there", json!({ "tabId": 99 }), "no_such_tab"),
        ]
    }

    async fn run(self, session: &Arc<Session>, call: &CallContext) -> Result<TabDid> {
        let id = session.close_tab(self.tab_id, call).await?;
        Ok(TabDid::closed(session, id).await)
    }
}
