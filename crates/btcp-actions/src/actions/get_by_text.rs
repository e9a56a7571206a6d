//! `get_by_text`: find by text.

use btcp_engine::page::ops::Step;

use crate::locator::{Located, Subaction, locate};
use crate::prelude::*;

/// Find an element by its text, and act on it.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct GetByText {
    /// Text.
    text: String,
    /// Whole, case-sensitive matches only.
    #[serde(default)]
    exact: bool,
    /// What to do with it.
    #[serde(alias = "action")]
    subaction: Option<Subaction>,
    /// With fill: the value.
    value: Option<FieldText>,
}

impl Action for GetByText {
    const NAME: &'static str = "get_by_text";
    const GROUP: Group = Group::Locators;
    const TOOLSET: Toolset = Toolset::Standard;
    const ACCESS: Access = Access::Changes;
    const TIPS: &'static [&'static str] = &[
        "Without exact a part is enough, in any case; whole matches are preferred. The innermost element with the text is meant.",
    ];
    type Output = Located;

    fn examples() -> Vec<Example> {
        vec![
            Example::gives("A text", json!({ "text": "Terms of use" }), json!({ "count": 1 })),
            Example::does(
                "Click it",
                json!({ "text": "Terms of use", "subaction": "click" }),
                "log.includes('click terms')",
            ),
            Example::gives(
                "Read all of it",
                json!({ "text": "Terms", "subaction": "text" }),
                json!({ "text": "Terms of use" }),
            ),
            Example::fails(
                "One that is not there",
                json!({ "text": "Nowhere", "timeout": 1000 }),
                "not_found",
            ),
        ]
    }

    fn runs(&self) -> Option<&'static str> {
        self.subaction.map(Subaction::action)
    }

    async fn run(self, tab: &mut Tab) -> Result<Located> {
        let written = format!("text={}", self.text);
        let step = Step::Text { value: self.text, exact: self.exact };
        locate(tab, Target::from_step(written, step), self.subaction, self.value).await
    }
}
