//! `dialog`: answers the dialog a page has opened.
//!
//! The one page action that runs while a dialog is open. Callers who do not have it never meet
//! an open dialog: the engine answers by itself.

use crate::did::named;
use crate::prelude::*;

/// Answer an open alert, confirm, prompt or beforeunload.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Dialog {
    /// OK or Cancel.
    #[serde(alias = "action")]
    response: Response,
    /// Text for a prompt, default what it suggests.
    prompt_text: Option<String>,
}

/// Which button.
#[derive(Deserialize, JsonSchema, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum Response {
    Accept,
    Dismiss,
}

impl Action for Dialog {
    const NAME: &'static str = "dialog";
    const GROUP: Group = Group::State;
    const TOOLSET: Toolset = Toolset::All;
    const ACCESS: Access = Access::Changes;
    const UNBLOCKS: bool = true;
    const TIPS: &'static [&'static str] =
        &["Until it is answered, calls that need the page fail with dialog_open."];
    type Output = Did;

    fn examples() -> Vec<Example> {
        vec![
            Example::does(
                "OK, with a text",
                json!({ "response": "accept", "promptText": "Grace" }),
                "log[0] === 'Grace'",
            ),
            Example::does("OK", json!({ "response": "accept" }), "log[0] === 'Ada'"),
            Example::does("Cancel", json!({ "response": "dismiss" }), "log[0] === null"),
            Example::fails("Neither", json!({ "response": "maybe" }), "invalid_params"),
        ]
    }

    async fn run(self, tab: &mut Tab) -> Result<Did> {
        let accept = self.response == Response::Accept;
        let dialog = tab.answer_dialog(accept, self.prompt_text.as_deref()).await?;
        let verb = if accept { "accepted" } else { "dismissed" };
        Ok(Did::plain(format!("{verb} {}", named(&dialog))))
    }
}
