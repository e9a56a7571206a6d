//! `mainframe`: back from a frame to the page.

use crate::prelude::*;

/// Leave the iframe: CSS targets and scripts mean the page again.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Mainframe {}

impl Action for Mainframe {
    const NAME: &'static str = "mainframe";
    const GROUP: Group = Group::Frames;
    const TOOLSET: Toolset = Toolset::Full;
    const ACCESS: Access = Access::Changes;
    const TIPS: &'static [&'static str] =
        &["Refs carry their frame: for them nobody has to enter or leave one."];
    type Output = Done;

    fn examples() -> Vec<Example> {
        vec![Example::gives("Back to the page", json!({}), json!({ "success": true }))]
    }

    async fn run(self, tab: &mut Tab) -> Result<Done> {
        tab.leave_frame();
        Ok(Done::saying(format!("in the page {}", cut(&tab.url(), 200))))
    }
}
