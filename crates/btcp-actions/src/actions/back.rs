//! `back`: one step back in the tab's history.

use crate::prelude::*;

/// Go back to the previous page.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Back {}

impl Action for Back {
    const NAME: &'static str = "back";
    const GROUP: Group = Group::Navigation;
    const TOOLSET: Toolset = Toolset::Standard;
    const ACCESS: Access = Access::Changes;
    const TIPS: &'static [&'static str] =
        &["It waits until the page has loaded. With nothing to go back to the code is no_history."];
    type Output = WentTo;

    fn examples() -> Vec<Example> {
        vec![Example::does("To the page before", json!({}), "location.search === ''")]
    }

    async fn run(self, tab: &mut Tab) -> Result<WentTo> {
        Ok(WentTo::new(tab.travel(false).await?))
    }
}
