//! `fill_form`: several fields at once. What can be filled is filled; what failed is named.

use crate::actions::Fill;
use crate::grant::OnPage;
use crate::prelude::*;
use crate::sequence::{self, Kind, Part, Sequence};

/// Fill several fields.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct FillForm {
    /// Each {selector, value}.
    fields: Vec<Field>,
}

/// One field.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Field {
    selector: Target,
    value: FieldText,
}

impl JsonSchema for Field {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Field".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> Schema {
        // What is in it the description says, in half the tokens.
        json_schema!({ "type": "object" })
    }
}

/// More is no form that a person fills.
const MOST: usize = 100;

impl Action for FillForm {
    const NAME: &'static str = "fill_form";
    const GROUP: Group = Group::Interaction;
    const TOOLSET: Toolset = Toolset::All;
    const ACCESS: Access = Access::Changes;
    const TIPS: &'static [&'static str] = &[
        "Fields that could not be filled are named in the results, the others are filled all the same.",
        "It stops where the page asks something or goes elsewhere.",
    ];
    type Output = Sequence;

    fn examples() -> Vec<Example> {
        vec![
            Example::does(
                "A name, a box and a select",
                json!({ "fields": [
                    { "selector": "#name", "value": "Ada" },
                    { "selector": "label=I agree", "value": true },
                    { "selector": "#city", "value": "Oslo" },
                ] }),
                "shown() === 'Ada true osl' && log.includes('input name Ada')",
            ),
            Example::gives(
                "One that is not there",
                json!({ "fields": [
                    { "selector": "#name", "value": "Ada" },
                    { "selector": "#fax", "value": "1" },
                ], "timeout": 1500 }),
                json!({ "success": false, "results": [
                    { "selector": "#name", "success": true },
                    { "selector": "#fax", "success": false, "code": "not_found" },
                ] }),
            ),
            Example::fails(
                "None that can be filled",
                json!({ "fields": [{ "selector": "#ro", "value": "x" }], "timeout": 1000 }),
                "not_editable",
            ),
        ]
    }

    fn targets(&self) -> Vec<&Target> {
        self.fields.iter().map(|field| &field.selector).collect()
    }

    async fn run(self, tab: &mut Tab) -> Result<Sequence> {
        let count = self.fields.len();
        if count == 0 || count > MOST {
            let message = format!("fields must be 1 to {MOST}, not {count}");
            return Err(btcp_engine::Error::BadParam { field: "fields", message }.into());
        }
        let parts = self.fields.into_iter().map(|Field { selector, value }| Part {
            label: selector.to_string(),
            name: Fill::NAME,
            unblocks: false,
            sees_dialogs: false,
            navigates: false,
            on_page: OnPage::any(),
            carried: None,
            limit: None,
            run: Box::new(move |tab| {
                Box::pin(async move {
                    let did = Fill::with(selector, value).run(tab).await?;
                    Ok(Box::new(did) as Box<dyn Output>)
                })
            }),
        });
        let kind = Kind { nouns: ["field", "fields"], key: "selector", stops: false };
        sequence::run(tab, parts.collect(), kind).await
    }
}
