//! `get_by_label`: find a field by its label.

use btcp_engine::page::ops::Step;

use crate::locator::{Located, Subaction, locate};
use crate::prelude::*;

/// Find a field by its label, and act on it.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct GetByLabel {
    /// Label.
    #[serde(alias = "text")]
    label: String,
    /// Whole, case-sensitive matches only.
    #[serde(default)]
    exact: bool,
    /// What to do with it.
    #[serde(alias = "action")]
    subaction: Option<Subaction>,
    /// With fill: the value.
    value: Option<FieldText>,
}

impl Action for GetByLabel {
    const NAME: &'static str = "get_by_label";
    const GROUP: Group = Group::Locators;
    const TOOLSET: Toolset = Toolset::Standard;
    const ACCESS: Access = Access::Changes;
    const TIPS: &'static [&'static str] = &[
        "A label is a label element, aria-label or aria-labelledby. Without exact a part is enough, in any case; whole matches are preferred.",
    ];
    type Output = Located;

    fn examples() -> Vec<Example> {
        vec![
            Example::gives(
                "A field",
                json!({ "label": "Email" }),
                json!({ "role": "textbox", "name": "Email", "count": 1 }),
            ),
            Example::does(
                "Fill it",
                json!({ "label": "Email", "subaction": "fill", "value": "ada@example.test" }),
                "document.querySelector('#email').value === 'ada@example.test'",
            ),
            Example::does(
                "Tick it",
                json!({ "label": "I agree", "subaction": "check" }),
                "document.querySelector('#agree').checked",
            ),
            Example::fails(
                "One that is not there",
                json!({ "label": "Fax", "timeout": 1000 }),
                "not_found",
            ),
        ]
    }

    fn runs(&self) -> Option<&'static str> {
        self.subaction.map(Subaction::action)
    }

    async fn run(self, tab: &mut Tab) -> Result<Located> {
        let written = format!("label={}", self.label);
        let step = Step::Label { value: self.label, exact: self.exact };
        locate(tab, Target::from_step(written, step), self.subaction, self.value).await
    }
}
