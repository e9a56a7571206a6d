//! `select`: choose in a drop-down list.

use btcp_engine::{FillPlan, For, How};

use crate::prelude::*;

/// Choose an option of a select.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Select {
    /// Select: ref or selector.
    selector: Target,
    /// Option: value, label or index.
    #[serde(alias = "values")]
    value: Choice,
}

/// One option, or several of a multiple select.
#[derive(Deserialize)]
#[serde(untagged)]
enum Choice {
    One(FieldText),
    Several(Vec<FieldText>),
}

impl JsonSchema for Choice {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Choice".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "string" })
    }
}

impl Action for Select {
    const NAME: &'static str = "select";
    const GROUP: Group = Group::Interaction;
    const TOOLSET: Toolset = Toolset::Standard;
    const ACCESS: Access = Access::Changes;
    const TIPS: &'static [&'static str] = &["value may be a list for a select that takes several."];
    type Output = Did;

    fn examples() -> Vec<Example> {
        vec![
            Example::does(
                "By label",
                json!({ "selector": "#city", "value": "Paris" }),
                "document.querySelector('#city').value === 'par' && log.join() === '~input city par,~change city par'",
            ),
            Example::does(
                "By value",
                json!({ "selector": "#city", "value": "osl" }),
                "document.querySelector('#city').value === 'osl'",
            ),
            Example::does(
                "By index",
                json!({ "selector": "#city", "value": 1 }),
                "document.querySelector('#city').selectedIndex === 1",
            ),
            Example::does(
                "Several",
                json!({ "selector": "#tags", "value": ["Red", "Blue"] }),
                "[...document.querySelector('#tags').selectedOptions].map((o) => o.label).join() === 'Red,Blue'",
            ),
            Example::does(
                "In a list the page made itself",
                json!({ "selector": "role=combobox[name=\"Colour\"]", "value": "Green" }),
                "document.querySelector('#colour').textContent === 'Green'",
            ),
            Example::fails(
                "One that is not there",
                json!({ "selector": "#city", "value": "Berlin", "timeout": 1000 }),
                "no_such_option",
            ),
        ]
    }

    fn target(&self) -> Option<&Target> {
        Some(&self.selector)
    }

    async fn run(self, tab: &mut Tab) -> Result<Did> {
        let choices: Vec<String> = match self.value {
            Choice::One(one) => vec![one.0],
            Choice::Several(all) => all.into_iter().map(|one| one.0).collect(),
        };
        select(tab, &self.selector, &choices).await
    }
}

/// Chooses options of a select, or of a list the page made itself.
pub(super) async fn select(tab: &mut Tab, selector: &Target, choices: &[String]) -> Result<Did> {
    let how = How { choices, ..How::default() };
    let hit = tab.ready_how(selector, For::Select, how).await?;
    match hit.fill {
        Some(FillPlan::List) => tab.choose_options(selector, &hit, choices).await?,
        Some(FillPlan::Same) => {}
        _ => tab.did_in_page(),
    }
    Ok(Did::to(&hit.element, "selected in").note(hit.note()).read_back())
}
