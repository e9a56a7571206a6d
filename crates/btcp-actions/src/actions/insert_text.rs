//! `insert_text`: text at the caret, without keys.

use crate::prelude::*;

/// Insert text where the caret is, without key events.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct InsertText {
    /// Text.
    text: String,
}

impl Action for InsertText {
    const NAME: &'static str = "insert_text";
    const GROUP: Group = Group::Interaction;
    const TOOLSET: Toolset = Toolset::All;
    const ACCESS: Access = Access::Changes;
    const TIPS: &'static [&'static str] =
        &["It goes to whatever has the focus; focus a field first."];
    type Output = Did;

    fn examples() -> Vec<Example> {
        vec![
            Example::does(
                "Into the field that has the focus",
                json!({ "text": "日本 👍🏽" }),
                "field.value === '日本 👍🏽' && log.join() === 'input'",
            ),
            Example::fails("A wrong kind", json!({ "text": 5 }), "invalid_params"),
        ]
    }

    async fn run(self, tab: &mut Tab) -> Result<Did> {
        tab.watch().await?;
        tab.insert_text(&self.text).await?;
        let count = self.text.chars().count();
        Ok(Did::plain(format!("inserted {count} characters")))
    }
}
