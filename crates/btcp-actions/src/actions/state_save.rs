//! `state_save`: what the session's pages have stored, in a file for other sessions.

use crate::prelude::*;
use crate::states::Held;

/// Save cookies, web storage and databases to a file.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct StateSave {
    /// The file.
    path: String,
}

impl SessionAction for StateSave {
    const NAME: &'static str = "state_save";
    const GROUP: Group = Group::State;
    const TOOLSET: Toolset = Toolset::All;
    const ACCESS: Access = Access::Changes;
    const TIPS: &'static [&'static str] = &[
        "It has web storage of the origins this session has been at, of the current tab its session storage, and of the pages that are open their databases (IndexedDB).",
        "Of a page that left by itself or was closed it has what that had stored shortly after the last call that changed something.",
        "Files are readable by their owner only; with BTCP_STATE_KEY in the environment they are encrypted.",
    ];
    type Output = Held;

    fn examples() -> Vec<Example> {
        vec![
            Example::gives(
                "A file of the session's folder",
                json!({ "path": "shop.json" }),
                json!({ "success": true, "cookies": 1, "origins": 1 }),
            ),
            Example::fails(
                "A place that is not for agents",
                json!({ "path": "/etc/shop.json" }),
                "denied",
            ),
        ]
    }

    async fn run(self, session: &Arc<Session>, call: &CallContext) -> Result<Held> {
        Ok(Held::new("saved", session.save_state(&self.path, call).await?))
    }
}
