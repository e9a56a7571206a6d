//! `reload`: load the page again.

use crate::prelude::*;

/// Reload the page.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Reload {
    /// Ask the server for everything again.
    #[serde(default)]
    bypass_cache: bool,
}

impl Action for Reload {
    const NAME: &'static str = "reload";
    const GROUP: Group = Group::Navigation;
    const TOOLSET: Toolset = Toolset::Standard;
    const ACCESS: Access = Access::Changes;
    const TIPS: &'static [&'static str] = &[
        "With bypassCache the server is asked for everything; otherwise it may answer that nothing has changed.",
    ];
    type Output = WentTo;

    fn examples() -> Vec<Example> {
        vec![
            Example::does("The page", json!({}), "loads === 2 && kind === 'reload'"),
            Example::does("Past the cache", json!({ "bypassCache": true }), "loads === 2"),
            Example::fails("A flag it does not have", json!({ "hard": true }), "invalid_params"),
        ]
    }

    async fn run(self, tab: &mut Tab) -> Result<WentTo> {
        Ok(WentTo::new(tab.reload(self.bypass_cache).await?))
    }
}
