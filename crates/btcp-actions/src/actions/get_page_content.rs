//! `get_page_content`: one way to everything a page says; the extension's name for it.
//!
//! Markdown comes with the reader; until then the type is not there.

use crate::prelude::*;

/// Get the page's text, HTML, title, address or links.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct GetPageContent {
    /// What of it.
    #[serde(rename = "type")]
    what: What,
    /// Only this element: ref or selector.
    selector: Option<Target>,
}

/// What of a page.
#[derive(Deserialize, JsonSchema, Clone, Copy)]
#[serde(rename_all = "lowercase")]
enum What {
    Text,
    Html,
    Title,
    Url,
    Links,
}

/// What was asked for.
pub(crate) struct PageContent {
    what: What,
    content: Found,
    origin: String,
}

enum Found {
    Text(String),
    Links(Vec<(String, String)>),
}

impl Action for GetPageContent {
    const NAME: &'static str = "get_page_content";
    const GROUP: Group = Group::Reading;
    const TOOLSET: Toolset = Toolset::All;
    const ACCESS: Access = Access::Reads;
    const LONG: bool = true;
    const TIPS: &'static [&'static str] = &[
        "text is what a person sees, html the markup as it is now. Where a frame was entered, it is that frame's.",
    ];
    type Output = PageContent;

    fn examples() -> Vec<Example> {
        vec![
            Example::gives(
                "All text",
                json!({ "type": "text" }),
                json!({ "success": true, "type": "text", "content": "Words\n\nThere Home" }),
            ),
            Example::gives(
                "An element's HTML",
                json!({ "type": "html", "selector": "#text" }),
                json!({ "content": "<p id=\"text\">Words</p>" }),
            ),
            Example::gives(
                "The links",
                json!({ "type": "links" }),
                json!({ "content": [{ "text": "There", "href": "{origin}/there" }, { "text": "Home" }] }),
            ),
            Example::gives(
                "The title",
                json!({ "type": "title" }),
                json!({ "content": "get_page_content" }),
            ),
            Example::gives(
                "The address",
                json!({ "type": "url" }),
                json!({ "content": "{origin}/get_page_content.html" }),
            ),
            Example::fails(
                "Something that is not there",
                json!({ "type": "text", "selector": "#missing", "timeout": 1000 }),
                "not_found",
            ),
        ]
    }

    fn target(&self) -> Option<&Target> {
        self.selector.as_ref()
    }

    async fn run(self, tab: &mut Tab) -> Result<PageContent> {
        let target = self.selector.as_ref();
        let content = match self.what {
            What::Text => Found::Text(tab.page_text(target).await?),
            What::Html => Found::Text(tab.html(target).await?),
            What::Title => Found::Text(tab.title().await?),
            What::Url => Found::Text(tab.url()),
            What::Links => Found::Links(tab.links(target).await?),
        };
        Ok(PageContent { what: self.what, content, origin: origin(&tab.url()).to_owned() })
    }
}

impl Output for PageContent {
    fn data(&self) -> Value {
        let content = match &self.content {
            Found::Text(text) => json!(text),
            Found::Links(links) => {
                links.iter().map(|(text, href)| json!({ "text": text, "href": href })).collect()
            }
        };
        json!({ "success": true, "type": self.what.name(), "content": content })
    }

    fn schema() -> Option<Schema> {
        Some(json_schema!({
            "type": "object",
            "properties": {
                "success": { "const": true },
                "type": { "enum": ["text", "html", "title", "url", "links"] },
                "content": { "description": "A string; of links a list of `{text, href}`." },
            },
            "required": ["success", "type", "content"],
        }))
    }

    fn text(&self) -> Text {
        match &self.content {
            Found::Text(text) => Text::page(text, &self.origin),
            Found::Links(links) if links.is_empty() => Text::ours("no links"),
            Found::Links(links) => {
                let line = |(text, href): &(String, String)| {
                    format!("{} {}", quoted(text), quoted(&cut(href, 200)))
                };
                Text::ours(links.iter().map(line).collect::<Vec<_>>().join("\n"))
            }
        }
    }
}

impl What {
    fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Html => "html",
            Self::Title => "title",
            Self::Url => "url",
            Self::Links => "links",
        }
    }
}
