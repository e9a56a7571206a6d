//! `state_load`: a session goes on where another was.

use crate::prelude::*;
use crate::states::Held;

/// Load cookies, web storage and databases from a file; the current tab is loaded again.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct StateLoad {
    /// The file.
    path: String,
}

impl SessionAction for StateLoad {
    const NAME: &'static str = "state_load";
    const GROUP: Group = Group::State;
    const TOOLSET: Toolset = Toolset::All;
    const ACCESS: Access = Access::Changes;
    const TIPS: &'static [&'static str] =
        &["It takes the place of what the same origins have; other origins keep theirs."];
    type Output = Held;

    fn examples() -> Vec<Example> {
        vec![
            Example::gives(
                "A state another session saved",
                json!({ "path": "{files}/shop.json" }),
                json!({ "success": true, "cookies": 1, "origins": 1 }),
            ),
            Example::fails(
                "A file that is not there",
                json!({ "path": "missing.json" }),
                "file_not_found",
            ),
        ]
    }

    async fn run(self, session: &Arc<Session>, call: &CallContext) -> Result<Held> {
        Ok(Held::new("loaded", session.load_state(&self.path, call).await?))
    }
}
