//! `multiselect`: several options of one list.

use crate::actions::select::select;
use crate::prelude::*;

/// Choose several options of a list; others are dropped.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Multiselect {
    /// List: ref or selector.
    selector: Target,
    /// Options: values, labels or indexes.
    values: Vec<FieldText>,
}

impl Action for Multiselect {
    const NAME: &'static str = "multiselect";
    const GROUP: Group = Group::Interaction;
    const TOOLSET: Toolset = Toolset::All;
    const ACCESS: Access = Access::Changes;
    const TIPS: &'static [&'static str] = &[
        "The options given are all that is chosen afterwards; none at all takes every choice back.",
    ];
    type Output = Did;

    fn examples() -> Vec<Example> {
        vec![
            Example::does(
                "Two of three",
                json!({ "selector": "#tags", "values": ["Red", "Blue"] }),
                "chosen() === 'Red,Blue' && log.join() === '~input tags,~change tags'",
            ),
            Example::does(
                "None",
                json!({ "selector": "#sizes", "values": [] }),
                "document.querySelector('#sizes').selectedOptions.length === 0",
            ),
            Example::does(
                "In a list the page made itself",
                json!({ "selector": "#colours", "values": ["Green", "Blue"] }),
                "custom() === 'Green,Blue'",
            ),
            Example::fails(
                "One that is not there",
                json!({ "selector": "#tags", "values": ["Red", "Pink"], "timeout": 1000 }),
                "no_such_option",
            ),
        ]
    }

    fn target(&self) -> Option<&Target> {
        Some(&self.selector)
    }

    async fn run(self, tab: &mut Tab) -> Result<Did> {
        let choices: Vec<String> = self.values.into_iter().map(|value| value.0).collect();
        select(tab, &self.selector, &choices).await
    }
}
