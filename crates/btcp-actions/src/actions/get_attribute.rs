//! `get_attribute`: an attribute as it is written in the page.

use crate::prelude::*;

/// Get an attribute of an element.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct GetAttribute {
    /// Element: ref or selector.
    selector: Target,
    /// Its name: href, value, data-id.
    attribute: String,
}

/// The attribute.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Attribute {
    value: Option<String>,
    #[serde(skip)]
    origin: String,
}

impl Action for GetAttribute {
    const NAME: &'static str = "get_attribute";
    const GROUP: Group = Group::Reading;
    const TOOLSET: Toolset = Toolset::Minimal;
    const ACCESS: Access = Access::Reads;
    const TIPS: &'static [&'static str] =
        &["The value is null if the element has no such attribute."];
    type Output = Attribute;

    fn examples() -> Vec<Example> {
        vec![
            Example::gives(
                "A link's address",
                json!({ "selector": "#link", "attribute": "href" }),
                json!({ "value": "/there" }),
            ),
            Example::gives(
                "One it does not have",
                json!({ "selector": "#link", "attribute": "title" }),
                json!({ "value": null }),
            ),
            Example::fails(
                "Something that is not there",
                json!({ "selector": "#missing", "attribute": "href", "timeout": 1000 }),
                "not_found",
            ),
        ]
    }

    fn target(&self) -> Option<&Target> {
        Some(&self.selector)
    }

    async fn run(self, tab: &mut Tab) -> Result<Attribute> {
        let value = tab.attribute(&self.selector, &self.attribute).await?;
        Ok(Attribute { value, origin: origin(&tab.url()).to_owned() })
    }
}

impl Output for Attribute {
    fn data(&self) -> Value {
        json!(self)
    }

    fn schema() -> Option<Schema> {
        schema_of_output::<Self>()
    }

    fn text(&self) -> Text {
        match &self.value {
            Some(value) => Text::page(value, &self.origin),
            None => Text::ours("null"),
        }
    }
}
