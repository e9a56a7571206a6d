//! `keyup`: a key that was held is let go.

use crate::prelude::*;

/// Let go of a key.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Keyup {
    /// Shift, Control, a, ArrowDown.
    key: String,
}

impl Action for Keyup {
    const NAME: &'static str = "keyup";
    const GROUP: Group = Group::Interaction;
    const TOOLSET: Toolset = Toolset::All;
    const ACCESS: Access = Access::Changes;
    const TIPS: &'static [&'static str] = &[
        "The key is one that was pressed down before; keys held stay held until they are let go.",
    ];
    type Output = Did;

    fn examples() -> Vec<Example> {
        vec![
            Example::does("Shift", json!({ "key": "Shift" }), "log.join() === 'keyup Shift false'"),
            Example::fails("A key that is not there", json!({ "key": "Shft" }), "invalid_params"),
        ]
    }

    async fn run(self, tab: &mut Tab) -> Result<Did> {
        tab.watch().await?;
        tab.release_key(&self.key).await?;
        Ok(Did::plain(format!("released {}", self.key)))
    }
}
