//! `wait_for_url`: until the tab is somewhere.

use crate::prelude::*;

/// Wait until the page's URL matches.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct WaitForUrl {
    /// Part of the URL, or a glob for all of it: https://*/home*.
    url: String,
}

impl Action for WaitForUrl {
    const NAME: &'static str = "wait_for_url";
    const GROUP: Group = Group::Waiting;
    const TOOLSET: Toolset = Toolset::Full;
    const ACCESS: Access = Access::Reads;
    const LISTED: &'static [&'static str] = &["timeout"];
    const TIPS: &'static [&'static str] = &[
        "A part is enough; with a * it is a pattern for the whole URL. Where it fits already the answer comes at once.",
    ];
    type Output = Done;

    fn examples() -> Vec<Example> {
        vec![
            Example::does("A part", json!({ "url": "?later" }), "location.search === '?later'"),
            Example::does(
                "A glob",
                json!({ "url": "http://*/wait_for_url.html?l*" }),
                "location.search === '?later'",
            ),
            Example::fails(
                "Somewhere it never goes",
                json!({ "url": "/nowhere", "timeout": 1000 }),
                "timeout",
            ),
        ]
    }

    async fn run(self, tab: &mut Tab) -> Result<Done> {
        let url = tab.wait_for_url(&self.url).await?;
        Ok(Done::saying(format!("at {}", cut(&url, 200))))
    }
}
