//! `get_by_placeholder`: find a field by its placeholder.

use btcp_engine::page::ops::Step;

use crate::locator::{Located, Subaction, locate};
use crate::prelude::*;

/// Find a field by its placeholder, and act on it.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct GetByPlaceholder {
    /// Placeholder.
    #[serde(alias = "text")]
    placeholder: String,
    /// Whole, case-sensitive matches only.
    #[serde(default)]
    exact: bool,
    /// What to do with it.
    #[serde(alias = "action")]
    subaction: Option<Subaction>,
    /// With fill: the value.
    value: Option<FieldText>,
}

impl Action for GetByPlaceholder {
    const NAME: &'static str = "get_by_placeholder";
    const GROUP: Group = Group::Locators;
    const TOOLSET: Toolset = Toolset::Full;
    const ACCESS: Access = Access::Changes;
    const TIPS: &'static [&'static str] =
        &["Without exact a part is enough, in any case; whole matches are preferred."];
    type Output = Located;

    fn examples() -> Vec<Example> {
        vec![
            Example::gives("A field", json!({ "placeholder": "Search" }), json!({ "count": 1 })),
            Example::does(
                "Fill it",
                json!({ "placeholder": "Search", "subaction": "fill", "value": "tea" }),
                "document.querySelector('#search').value === 'tea'",
            ),
            Example::fails(
                "One that is not there",
                json!({ "placeholder": "Fax", "timeout": 1000 }),
                "not_found",
            ),
        ]
    }

    fn runs(&self) -> Option<&'static str> {
        self.subaction.map(Subaction::action)
    }

    async fn run(self, tab: &mut Tab) -> Result<Located> {
        let written = format!("placeholder={}", self.placeholder);
        let step = Step::Placeholder { value: self.placeholder, exact: self.exact };
        locate(tab, Target::from_step(written, step), self.subaction, self.value).await
    }
}
