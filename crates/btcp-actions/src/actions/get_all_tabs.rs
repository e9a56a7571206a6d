//! `get_all_tabs`: which tabs there are.

use crate::prelude::*;
use crate::tabs::TabList;

/// List the session's tabs.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct GetAllTabs {}

impl SessionAction for GetAllTabs {
    const NAME: &'static str = "get_all_tabs";
    const ALIASES: &'static [&'static str] = &["list_tabs"];
    const GROUP: Group = Group::Tabs;
    const TOOLSET: Toolset = Toolset::All;
    const ACCESS: Access = Access::Reads;
    const TIPS: &'static [&'static str] =
        &["Answers also while a page hangs: such a tab is marked [hung]."];
    type Output = TabList;

    fn examples() -> Vec<Example> {
        vec![
            Example::gives(
                "The one there is",
                json!({}),
                json!({ "success": true, "tabs": [{ "id": 1, "active": true, "groupId": -1 }] }),
            ),
            Example::fails("What it cannot be asked", json!({ "window": 1 }), "invalid_params"),
        ]
    }

    async fn run(self, session: &Arc<Session>, _: &CallContext) -> Result<TabList> {
        Ok(TabList(session.list_tabs().await))
    }
}
