//! `wait_for_load_state`: until the page has loaded so far.

use btcp_engine::WaitUntil;

use crate::prelude::*;

/// Wait until the page has loaded.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct WaitForLoadState {
    /// How far; networkidle is half a second without requests.
    state: State,
}

/// How far a page has loaded.
#[derive(Deserialize, JsonSchema, Clone, Copy)]
#[serde(rename_all = "lowercase")]
enum State {
    Load,
    DomContentLoaded,
    NetworkIdle,
}

impl Action for WaitForLoadState {
    const NAME: &'static str = "wait_for_load_state";
    const GROUP: Group = Group::Waiting;
    const TOOLSET: Toolset = Toolset::All;
    const ACCESS: Access = Access::Reads;
    const LISTED: &'static [&'static str] = &["timeout"];
    const TIPS: &'static [&'static str] = &[
        "networkidle is half a second without requests after the load; WebSockets, event streams and polls apart.",
    ];
    type Output = Done;

    fn examples() -> Vec<Example> {
        vec![
            Example::keeps(
                "The load",
                json!({ "state": "load" }),
                "document.readyState === 'complete'",
            ),
            Example::does(
                "The network to be idle",
                json!({ "state": "networkidle" }),
                "log.join() === 'one,two'",
            ),
            Example::fails("A state there is not", json!({ "state": "ready" }), "invalid_params"),
        ]
    }

    async fn run(self, tab: &mut Tab) -> Result<Done> {
        let (until, said) = match self.state {
            State::Load => (WaitUntil::Load, "the page has loaded"),
            State::DomContentLoaded => (WaitUntil::DomContentLoaded, "the document is there"),
            State::NetworkIdle => (WaitUntil::NetworkIdle, "the network is idle"),
        };
        tab.wait_for_load(until).await?;
        Ok(Done::saying(said.to_owned()))
    }
}
