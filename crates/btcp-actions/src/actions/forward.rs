//! `forward`: one step forward in the tab's history.

use crate::prelude::*;

/// Go forward to the next page.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Forward {}

impl Action for Forward {
    const NAME: &'static str = "forward";
    const GROUP: Group = Group::Navigation;
    const TOOLSET: Toolset = Toolset::Standard;
    const ACCESS: Access = Access::Changes;
    const TIPS: &'static [&'static str] = &[
        "It waits until the page has loaded. With nothing to go forward to the code is no_history.",
    ];
    type Output = WentTo;

    fn examples() -> Vec<Example> {
        vec![Example::does("To the page after", json!({}), "location.search === '?second'")]
    }

    async fn run(self, tab: &mut Tab) -> Result<WentTo> {
        Ok(WentTo::new(tab.travel(true).await?))
    }
}
