//! `keydown`: a key goes down and stays there.

use crate::prelude::*;

/// Press a key and hold it.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Keydown {
    /// Shift, Control, a, ArrowDown.
    key: String,
}

impl Action for Keydown {
    const NAME: &'static str = "keydown";
    const GROUP: Group = Group::Interaction;
    const TOOLSET: Toolset = Toolset::All;
    const ACCESS: Access = Access::Changes;
    const TIPS: &'static [&'static str] =
        &["Clicks and other keys have it held until it is let go."];
    type Output = Did;

    fn examples() -> Vec<Example> {
        vec![
            Example::does(
                "Shift stays down",
                json!({ "key": "Shift" }),
                "log.join() === 'keydown Shift true'",
            ),
            Example::fails("A key that is not there", json!({ "key": "Shft" }), "invalid_params"),
        ]
    }

    async fn run(self, tab: &mut Tab) -> Result<Did> {
        tab.watch().await?;
        tab.hold_key(&self.key).await?;
        Ok(Did::plain(format!("holding {}", self.key)))
    }
}
