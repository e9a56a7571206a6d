//! `find`: lines of the page that hold some text, folded ones too.

use btcp_engine::Finds;

use crate::prelude::*;

/// Find lines of the page by text or /regex/, also in folded parts, with the row or card around them.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Find {
    /// Text or /regex/.
    query: String,
    /// Most matches shown, default 10.
    #[schemars(range(min = 1, max = 100))]
    limit: Option<u32>,
}

/// What was found.
pub(crate) struct Matches {
    query: String,
    finds: Finds,
}

impl Action for Find {
    const NAME: &'static str = "find";
    const GROUP: Group = Group::Reading;
    const TOOLSET: Toolset = Toolset::All;
    const ACCESS: Access = Access::Reads;
    const LONG: bool = true;
    const TIPS: &'static [&'static str] =
        &["On a long page find is shorter than a snapshot, and its refs can be used at once."];
    type Output = Matches;

    fn examples() -> Vec<Example> {
        vec![
            Example::gives("A row by its text", json!({ "query": "grace" }), json!({ "count": 1 })),
            Example::gives(
                "All that looks like an order number",
                json!({ "query": "/A-\\d+/", "limit": 2 }),
                json!({ "count": 40 }),
            ),
            Example::gives("Nothing", json!({ "query": "nowhere" }), json!({ "count": 0 })),
            Example::fails("Too many", json!({ "query": "A", "limit": 500 }), "invalid_params"),
            Example::fails("What is not a pattern", json!({ "query": "/(/" }), "invalid_params"),
        ]
    }

    async fn run(self, tab: &mut Tab) -> Result<Matches> {
        let limit = within("limit", self.limit.unwrap_or(10), 1..=100)? as usize;
        let finds = tab.find_lines(&self.query, limit).await?;
        Ok(Matches { query: self.query, finds })
    }
}

impl Output for Matches {
    fn data(&self) -> Value {
        let one = |found: &btcp_engine::Find| {
            let mut data = json!({ "line": found.line, "context": found.context });
            if let Some(number) = found.number {
                data["ref"] = json!(format!("@ref:{number}"));
            }
            data
        };
        let matches: Vec<Value> = self.finds.matches.iter().map(one).collect();
        json!({ "matches": matches, "count": self.finds.count })
    }

    fn schema() -> Option<Schema> {
        Some(json_schema!({
            "type": "object",
            "properties": {
                "matches": {
                    "type": "array",
                    "items": {
                        "type": "object",
                        "properties": {
                            "line": { "type": "string" },
                            "ref": { "type": "string" },
                            "context": { "type": "string", "description": "The lines of the row, item or card it is in." },
                        },
                        "required": ["line", "context"],
                    },
                },
                "count": { "type": "integer" },
            },
            "required": ["matches", "count"],
        }))
    }

    fn text(&self) -> Text {
        let blocks: Vec<&str> =
            self.finds.matches.iter().map(|found| found.text.as_str()).collect();
        if blocks.is_empty() {
            return Text::ours(format!("no line holds '{}'", self.query));
        }
        let more = self.finds.count.saturating_sub(self.finds.shown);
        let rest = match more {
            0 => String::new(),
            1 => "\n… 1 more match".to_owned(),
            _ => format!("\n… {more} more matches"),
        };
        Text::ours(format!("{}{rest}", blocks.join("\n")))
    }
}
