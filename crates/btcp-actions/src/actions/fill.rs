//! `fill`: give any kind of field a value.

use btcp_engine::{Button, FillPlan, For, How, Modifiers};

use crate::prelude::*;

/// Set the value of a field: text, date, color, range, check box (true/false), select (value or label), editable content.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Fill {
    /// Field: ref (e5), CSS, XPath, label=Email, placeholder=, role=textbox[name="Email"], testid=; A >> B looks inside A.
    selector: Target,
    /// New value; replaces what is there.
    value: FieldText,
}

impl Fill {
    pub(crate) fn with(selector: Target, value: FieldText) -> Self {
        Self { selector, value }
    }
}

impl Action for Fill {
    const NAME: &'static str = "fill";
    const GROUP: Group = Group::Interaction;
    const TOOLSET: Toolset = Toolset::Standard;
    const ACCESS: Access = Access::Changes;
    const TIPS: &'static [&'static str] = &[
        "The answer says what the field holds afterwards.",
        "A secret is written as {{secret:NAME}}.",
    ];
    type Output = Did;

    fn examples() -> Vec<Example> {
        vec![
            Example::does(
                "Text",
                json!({ "selector": "#name", "value": "Ada" }),
                "document.querySelector('#name').value === 'Ada' && log.includes('input name Ada')",
            ),
            Example::does(
                "A date",
                json!({ "selector": "#when", "value": "2026-01-31" }),
                "document.querySelector('#when').value === '2026-01-31'",
            ),
            Example::does(
                "A check box",
                json!({ "selector": "#agree", "value": true }),
                "document.querySelector('#agree').checked",
            ),
            Example::does(
                "A select, by label",
                json!({ "selector": "#city", "value": "Paris" }),
                "document.querySelector('#city').value === 'par'",
            ),
            Example::does(
                "Editable content",
                json!({ "selector": "#note", "value": "Hello" }),
                "document.querySelector('#note').textContent === 'Hello'",
            ),
            Example::fails(
                "An option that is not there",
                json!({ "selector": "#city", "value": "Berlin", "timeout": 1000 }),
                "no_such_option",
            ),
            Example::fails(
                "A read-only field",
                json!({ "selector": "#ro", "value": "x", "timeout": 1000 }),
                "not_editable",
            ),
        ]
    }

    fn target(&self) -> Option<&Target> {
        Some(&self.selector)
    }

    async fn run(self, tab: &mut Tab) -> Result<Did> {
        fill(tab, &self.selector, For::Fill, &self.value.0, "filled").await
    }
}

/// Gives a field a value, whatever kind it is, and says what it holds then.
pub(super) async fn fill(
    tab: &mut Tab,
    selector: &Target,
    purpose: For,
    value: &str,
    verb: &str,
) -> Result<Did> {
    let how = How { value: Some(value), ..How::default() };
    let hit = loop {
        let hit = tab.ready_how(selector, purpose, how).await?;
        match hit.fill {
            Some(FillPlan::Insert) => tab.insert_text(value).await?,
            Some(FillPlan::Delete) => tab.press("Delete").await?,
            Some(FillPlan::Click) => {
                if !tab.click_at(hit.point, Button::Left, 1, Modifiers::default()).await? {
                    tab.may_press_again(selector)?;
                    continue;
                }
            }
            Some(FillPlan::Done) => tab.did_in_page(),
            Some(FillPlan::List) => tab.choose_options(selector, &hit, &[value.to_owned()]).await?,
            Some(FillPlan::Same) | None => {}
        }
        break hit;
    };
    Ok(Did::to(&hit.element, verb).note(hit.note()).read_back())
}
