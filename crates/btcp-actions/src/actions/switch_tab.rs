//! `switch_tab`: go on in another tab.

use crate::prelude::*;
use crate::tabs::TabDid;

/// Make a tab the current one.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct SwitchTab {
    /// Its number.
    tab_id: u32,
}

impl SessionAction for SwitchTab {
    const NAME: &'static str = "switch_tab";
    const GROUP: Group = Group::Tabs;
    const TOOLSET: Toolset = Toolset::All;
    const ACCESS: Access = Access::Changes;
    const OWN: &'static [&'static str] = &["tabId"];
    const TIPS: &'static [&'static str] =
        &["Calls without a tabId then go to it. A ref goes to its own tab, whichever is current."];
    type Output = TabDid;

    fn examples() -> Vec<Example> {
        vec![
            Example::gives(
                "The first",
                json!({ "tabId": 1 }),
                json!({ "success": true, "tabId": 1 }),
            ),
            Example::fails("One that is not there", json!({ "tabId": 99 }), "no_such_tab"),
            Example::fails("None", json!({}), "invalid_params"),
        ]
    }

    async fn run(self, session: &Arc<Session>, _: &CallContext) -> Result<TabDid> {
        session.select_tab(self.tab_id)?;
        Ok(TabDid::selected(session, self.tab_id).await)
    }
}
