//! `close`: the session is done with.

use crate::prelude::*;

/// End the session: its tabs, cookies and storage are gone.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Close {}

/// It is gone.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Closed {
    success: bool,
}

impl CatalogAction for Close {
    const NAME: &'static str = "close";
    const GROUP: Group = Group::Navigation;
    const TOOLSET: Toolset = Toolset::All;
    const ACCESS: Access = Access::Changes;
    const TIPS: &'static [&'static str] = &["The next call begins a new session."];
    type Output = Closed;

    fn examples() -> Vec<Example> {
        vec![
            Example::gives("It", json!({}), json!({ "success": true })),
            Example::fails("A tab", json!({ "tab": 1 }), "invalid_params"),
        ]
    }

    async fn run(self, call: &Call<'_>) -> Result<Closed> {
        call.catalog.end(call.session).await;
        Ok(Closed { success: true })
    }
}

impl Output for Closed {
    fn data(&self) -> Value {
        json!(self)
    }

    fn schema() -> Option<Schema> {
        schema_of_output::<Self>()
    }

    fn text(&self) -> Text {
        Text::ours("ended the session")
    }
}
