//! `get_by_test_id`: find by `data-testid`.

use btcp_engine::page::ops::Step;

use crate::locator::{Located, Subaction, locate};
use crate::prelude::*;

/// Find an element by its test id, and act on it.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct GetByTestId {
    /// Value of data-testid.
    test_id: String,
    /// What to do with it.
    #[serde(alias = "action")]
    subaction: Option<Subaction>,
    /// With fill: the value.
    value: Option<FieldText>,
}

impl Action for GetByTestId {
    const NAME: &'static str = "get_by_test_id";
    const GROUP: Group = Group::Locators;
    const TOOLSET: Toolset = Toolset::All;
    const ACCESS: Access = Access::Changes;
    const TIPS: &'static [&'static str] = &["Only the whole value counts."];
    type Output = Located;

    fn examples() -> Vec<Example> {
        vec![
            Example::gives("One", json!({ "testId": "send" }), json!({ "count": 1 })),
            Example::does(
                "Click it",
                json!({ "testId": "send", "subaction": "click" }),
                "log.includes('click send')",
            ),
            Example::fails(
                "Only whole ones count",
                json!({ "testId": "sen", "timeout": 1000 }),
                "not_found",
            ),
        ]
    }

    fn runs(&self) -> Option<&'static str> {
        self.subaction.map(Subaction::action)
    }

    async fn run(self, tab: &mut Tab) -> Result<Located> {
        let written = format!("testid={}", self.test_id);
        let step = Step::Testid { value: self.test_id };
        locate(tab, Target::from_step(written, step), self.subaction, self.value).await
    }
}
