//! `get_text`: an element's `textContent`.

use crate::prelude::*;

/// Get the text of an element.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct GetText {
    /// Element: ref or selector.
    selector: Target,
}

/// The text.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Content {
    text: String,
    #[serde(skip)]
    origin: String,
}

impl Action for GetText {
    const NAME: &'static str = "get_text";
    const GROUP: Group = Group::Reading;
    const TOOLSET: Toolset = Toolset::Minimal;
    const ACCESS: Access = Access::Reads;
    type Output = Content;

    fn examples() -> Vec<Example> {
        vec![
            Example::gives(
                "A paragraph",
                json!({ "selector": "#plain" }),
                json!({ "text": "Plain text" }),
            ),
            Example::gives("Inside a shadow root", json!({ "selector": "#inside" }), json!({})),
            Example::fails(
                "Something that is not there",
                json!({ "selector": "#missing", "timeout": 200 }),
                "not_found",
            ),
        ]
    }

    fn target(&self) -> Option<&Target> {
        Some(&self.selector)
    }

    async fn run(self, tab: &mut Tab) -> Result<Content> {
        let text = tab.text(&self.selector).await?;
        Ok(Content { text, origin: origin(&tab.url()).to_owned() })
    }
}

impl Output for Content {
    fn data(&self) -> Value {
        json!(self)
    }

    fn schema() -> Option<Schema> {
        schema_of_output::<Self>()
    }

    fn text(&self) -> Text {
        Text::page(&self.text, &self.origin)
    }
}
