//! `get_by_role`: find by role and accessible name.

use btcp_engine::page::ops::Step;

use crate::locator::{Located, Subaction, locate};
use crate::prelude::*;

/// Find an element by role and name, and act on it.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct GetByRole {
    /// Role: button, link, textbox.
    role: String,
    /// Accessible name.
    name: Option<String>,
    /// Whole, case-sensitive matches only.
    #[serde(default)]
    exact: bool,
    /// What to do with it.
    #[serde(alias = "action")]
    subaction: Option<Subaction>,
    /// With fill: the value.
    value: Option<FieldText>,
}

impl Action for GetByRole {
    const NAME: &'static str = "get_by_role";
    const GROUP: Group = Group::Locators;
    const TOOLSET: Toolset = Toolset::Standard;
    const ACCESS: Access = Access::Changes;
    const TIPS: &'static [&'static str] = &[
        "Roles and names are those that a snapshot prints. Several equal matches are ambiguous for a subaction that acts; without one they are listed with their refs.",
    ];
    type Output = Located;

    fn examples() -> Vec<Example> {
        vec![
            Example::gives(
                "A button",
                json!({ "role": "button", "name": "Send" }),
                json!({ "role": "button", "name": "Send", "count": 1 }),
            ),
            Example::does(
                "Click it",
                json!({ "role": "button", "name": "Send", "subaction": "click" }),
                "log.includes('click send')",
            ),
            Example::gives(
                "Several",
                json!({ "role": "button", "name": "Save" }),
                json!({ "count": 2 }),
            ),
            Example::fails(
                "Which of two to click",
                json!({ "role": "button", "name": "Save", "subaction": "click" }),
                "ambiguous",
            ),
            Example::fails(
                "One that is not there",
                json!({ "role": "button", "name": "Sell", "timeout": 1000 }),
                "not_found",
            ),
        ]
    }

    fn runs(&self) -> Option<&'static str> {
        self.subaction.map(Subaction::action)
    }

    async fn run(self, tab: &mut Tab) -> Result<Located> {
        let written = match &self.name {
            Some(name) => format!("role={}[name=\"{name}\"]", self.role),
            None => format!("role={}", self.role),
        };
        let step =
            Step::Role { role: self.role.to_lowercase(), name: self.name, exact: self.exact };
        locate(tab, Target::from_step(written, step), self.subaction, self.value).await
    }
}
