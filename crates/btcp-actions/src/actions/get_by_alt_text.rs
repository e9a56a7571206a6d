//! `get_by_alt_text`: find by alternative text.

use btcp_engine::page::ops::Step;

use crate::locator::{Located, Subaction, locate};
use crate::prelude::*;

/// Find an element by its alternative text, and act on it.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct GetByAltText {
    /// Alternative text.
    #[serde(alias = "text")]
    alt: String,
    /// Whole, case-sensitive matches only.
    #[serde(default)]
    exact: bool,
    /// What to do with it.
    #[serde(alias = "action")]
    subaction: Option<Subaction>,
    /// With fill: the value.
    value: Option<FieldText>,
}

impl Action for GetByAltText {
    const NAME: &'static str = "get_by_alt_text";
    const GROUP: Group = Group::Locators;
    const TOOLSET: Toolset = Toolset::All;
    const ACCESS: Access = Access::Changes;
    const TIPS: &'static [&'static str] = &[
        "Without exact a part is enough, in any case; whole matches are preferred. Frames and open shadow roots are searched too.",
    ];
    type Output = Located;

    fn examples() -> Vec<Example> {
        vec![
            Example::gives("One", json!({ "alt": "Logo" }), json!({ "count": 1 })),
            Example::does(
                "Click it",
                json!({ "alt": "Logo", "subaction": "click" }),
                "log.includes('click alt')",
            ),
            Example::fails(
                "One that is not there",
                json!({ "alt": "Fax", "timeout": 1000 }),
                "not_found",
            ),
        ]
    }

    fn runs(&self) -> Option<&'static str> {
        self.subaction.map(Subaction::action)
    }

    async fn run(self, tab: &mut Tab) -> Result<Located> {
        let written = format!("alt={}", self.alt);
        let step = Step::Alt { value: self.alt, exact: self.exact };
        locate(tab, Target::from_step(written, step), self.subaction, self.value).await
    }
}
