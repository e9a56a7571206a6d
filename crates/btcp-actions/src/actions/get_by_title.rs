//! `get_by_title`: find by title attribute.

use btcp_engine::page::ops::Step;

use crate::locator::{Located, Subaction, locate};
use crate::prelude::*;

/// Find an element by its title, and act on it.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct GetByTitle {
    /// Title.
    #[serde(alias = "text")]
    title: String,
    /// Whole, case-sensitive matches only.
    #[serde(default)]
    exact: bool,
    /// What to do with it.
    #[serde(alias = "action")]
    subaction: Option<Subaction>,
    /// With fill: the value.
    value: Option<FieldText>,
}

impl Action for GetByTitle {
    const NAME: &'static str = "get_by_title";
    const GROUP: Group = Group::Locators;
    const TOOLSET: Toolset = Toolset::All;
    const ACCESS: Access = Access::Changes;
    const TIPS: &'static [&'static str] =
        &["Without exact a part is enough, in any case; whole matches are preferred."];
    type Output = Located;

    fn examples() -> Vec<Example> {
        vec![
            Example::gives("One", json!({ "title": "Close" }), json!({ "count": 1 })),
            Example::does(
                "Click it",
                json!({ "title": "Close", "subaction": "click" }),
                "log.includes('click title')",
            ),
            Example::fails(
                "One that is not there",
                json!({ "title": "Fax", "timeout": 1000 }),
                "not_found",
            ),
        ]
    }

    fn runs(&self) -> Option<&'static str> {
        self.subaction.map(Subaction::action)
    }

    async fn run(self, tab: &mut Tab) -> Result<Located> {
        let written = format!("title={}", self.title);
        let step = Step::Title { value: self.title, exact: self.exact };
        locate(tab, Target::from_step(written, step), self.subaction, self.value).await
    }
}
