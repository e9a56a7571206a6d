//! `set_offline`: no network for the session's pages and their workers.

use crate::prelude::*;

/// Take the network away from the session's pages, or give it back.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SetOffline {
    /// Whether there is none.
    offline: bool,
}

impl Action for SetOffline {
    const NAME: &'static str = "set_offline";
    const GROUP: Group = Group::State;
    const TOOLSET: Toolset = Toolset::All;
    const ACCESS: Access = Access::Changes;
    const TIPS: &'static [&'static str] =
        &["It holds for every tab of the session and for service workers, until it is taken back."];
    type Output = Done;

    fn examples() -> Vec<Example> {
        vec![
            Example::does(
                "No network",
                json!({ "offline": true }),
                "fetch('/echo').then(() => false, () => !navigator.onLine)",
            ),
            Example::does(
                "A network again",
                json!({ "offline": false }),
                "fetch('/echo').then((answer) => answer.ok && navigator.onLine)",
            )
            .after("set_offline", json!({ "offline": true })),
            Example::fails("Half of it", json!({ "offline": "half" }), "invalid_params"),
        ]
    }

    async fn run(self, tab: &mut Tab) -> Result<Done> {
        tab.set_offline(self.offline).await?;
        let is = if self.offline { "offline" } else { "online" };
        Ok(Done::saying(format!("the session is {is}")))
    }
}
