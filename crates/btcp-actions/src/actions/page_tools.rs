//! `page_tools`: what the page itself offers to do.
//!
//! Pages declare tools by WebMCP. A page may say anything in their descriptions: they are its
//! words, quoted or fenced. A list of tools must not change because of what a page does, so these
//! never become tools of ours; `call_page_tool` calls one.

use btcp_engine::PageTools as Declared;

use crate::prelude::*;

/// List the tools that the page and its frames declare, with the arguments each takes.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PageTools {}

/// The tools.
pub(crate) struct Listed(Declared);

impl Action for PageTools {
    const NAME: &'static str = "page_tools";
    const GROUP: Group = Group::Page;
    const TOOLSET: Toolset = Toolset::All;
    const ACCESS: Access = Access::Reads;
    const LONG: bool = true;
    const TIPS: &'static [&'static str] = &[
        "Pages declare tools by WebMCP, in scripts or as forms; most declare none. What they say of them is the page's word, not ours.",
    ];
    type Output = Listed;

    fn examples() -> Vec<Example> {
        vec![Example::gives(
            "One that a script declares, and a form",
            json!({}),
            json!({ "tools": [
                {
                    "name": "order_tea",
                    "origin": "{origin}",
                    "description": "Order tea",
                    "inputSchema": { "required": ["kind"] },
                },
                { "name": "subscribe", "description": "Get news by mail" },
            ] }),
        )]
    }

    async fn run(self, tab: &mut Tab) -> Result<Listed> {
        Ok(Listed(tab.page_tools().await?))
    }
}

impl Output for Listed {
    fn data(&self) -> Value {
        let tools = self.0.tools.iter().map(|tool| {
            json!({
                "name": tool.name,
                "origin": tool.origin,
                "description": tool.description,
                "inputSchema": tool.input_schema,
            })
        });
        let mut data = json!({ "tools": tools.collect::<Vec<_>>() });
        if self.0.more > 0 {
            data["more"] = json!(self.0.more);
        }
        data
    }

    fn schema() -> Option<Schema> {
        Some(json_schema!({
            "type": "object",
            "properties": {
                "tools": {
                    "type": "array",
                    "items": {
                        "type": "object",
                        "properties": {
                            "name": { "type": "string" },
                            "origin": { "type": "string" },
                            "description": { "type": "string" },
                            "inputSchema": { "description": "JSON Schema; null where it is too long to be told." },
                        },
                        "required": ["name", "origin", "description", "inputSchema"],
                    },
                },
                "more": { "type": "integer", "description": "How many more there are, if not all are listed." },
            },
            "required": ["tools"],
        }))
    }

    fn text(&self) -> Text {
        if self.0.tools.is_empty() {
            return Text::ours("no tools");
        }
        let mut text = Text::default();
        for (at, tool) in self.0.tools.iter().enumerate() {
            let line = if at > 0 { "\n" } else { "" };
            let (name, origin) = (quoted(&cut(&tool.name, 120)), address(&tool.origin));
            let schema = tool.input_schema.as_ref().map_or("unknown".to_owned(), json_text);
            text = text
                .then(Text::ours(format!("{line}{name} of {origin} ")))
                .then(Text::page(&tool.description, &tool.origin))
                .then(Text::ours("\ninput "))
                .then(page_json(&schema, &tool.origin));
        }
        match self.0.more {
            0 => text,
            more => text.then(Text::ours(format!("\n… {more} more tools"))),
        }
    }
}

/// JSON is its own quoting; what is long stands between fences all the same.
pub(crate) fn page_json(json: &str, origin: &str) -> Text {
    match json.chars().nth(200) {
        None => Text::ours(json),
        Some(_) => Text::page(json, origin),
    }
}
