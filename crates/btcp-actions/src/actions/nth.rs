//! `nth`: one of several matches.

use crate::locator::{Located, Subaction, locate};
use crate::prelude::*;

/// Take one of several matches, and act on it.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Nth {
    /// Ref or selector that matches several.
    selector: Target,
    /// Which, from 0; -1 is the last.
    index: i32,
    /// What to do with it.
    #[serde(alias = "action")]
    subaction: Option<Subaction>,
    /// With fill: the value.
    value: Option<FieldText>,
}

impl Action for Nth {
    const NAME: &'static str = "nth";
    const GROUP: Group = Group::Locators;
    const TOOLSET: Toolset = Toolset::All;
    const ACCESS: Access = Access::Changes;
    const TIPS: &'static [&'static str] = &["-1 is the last one."];
    type Output = Located;

    fn examples() -> Vec<Example> {
        vec![
            Example::gives(
                "The second",
                json!({ "selector": "role=button", "index": 1 }),
                json!({ "name": "Two", "count": 3 }),
            ),
            Example::does(
                "Click the last",
                json!({ "selector": "text=Save", "index": -1, "subaction": "click" }),
                "log.includes('click save-2')",
            ),
            Example::fails(
                "One too many",
                json!({ "selector": "role=button", "index": 3, "timeout": 1000 }),
                "not_found",
            ),
        ]
    }

    fn target(&self) -> Option<&Target> {
        Some(&self.selector)
    }

    fn runs(&self) -> Option<&'static str> {
        self.subaction.map(Subaction::action)
    }

    async fn run(self, tab: &mut Tab) -> Result<Located> {
        let found = tab.find_nth(&self.selector, self.index).await?;
        if self.subaction.is_none() && self.value.is_none() {
            return Ok(Located::Found(found));
        }
        let Some(target) = found.matches.first().map(btcp_engine::Element::target) else {
            let (target, similar) = (self.selector.to_string(), Vec::new());
            return Err(btcp_engine::Error::NotFound { target, similar }.into());
        };
        locate(tab, target, self.subaction, self.value).await
    }
}
