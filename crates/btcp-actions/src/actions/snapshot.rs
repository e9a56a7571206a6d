//! `snapshot`: the page as a model reads it.

use btcp_engine::{Mode as Lines, SnapshotOptions};
use serde_json::Map;

use crate::prelude::*;

/// Read the page as text: one line per element, with refs (e5) to act on.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Snapshot {
    /// Only the part below this element: ref (e5), CSS, XPath, text=, role=button[name="Save"], label=; A >> B.
    selector: Option<Target>,
    /// Levels to show.
    max_depth: Option<u32>,
    /// interactive: only what can be acted on; text: only text.
    #[serde(default)]
    mode: Mode,
    /// Longest answer, default 20000.
    max_chars: Option<usize>,
    /// Also what a person cannot see.
    #[serde(default)]
    include_hidden: bool,
}

/// Which lines.
#[derive(Deserialize, JsonSchema, Default, Clone, Copy)]
#[serde(rename_all = "lowercase")]
enum Mode {
    #[default]
    All,
    Interactive,
    Text,
}

/// What the page looks like.
pub(crate) struct Seen(btcp_engine::Snapshot);

impl Action for Snapshot {
    const NAME: &'static str = "snapshot";
    const GROUP: Group = Group::Reading;
    const TOOLSET: Toolset = Toolset::Minimal;
    const ACCESS: Access = Access::Reads;
    const OWN: &'static [&'static str] = &["maxChars"];
    const TIPS: &'static [&'static str] = &[
        "A ref stays valid as long as its element is on the page; another snapshot keeps it.",
        "Use selector with a ref to read one part of a large page.",
    ];
    type Output = Seen;

    fn examples() -> Vec<Example> {
        vec![
            Example::gives(
                "The page",
                json!({}),
                json!({ "title": "Sign in", "truncated": false }),
            ),
            Example::gives(
                "What can be acted on in one form",
                json!({ "selector": "#login", "mode": "interactive" }),
                json!({ "truncated": false }),
            ),
            Example::fails(
                "A part that is not there",
                json!({ "selector": "#missing", "timeout": 200 }),
                "not_found",
            ),
        ]
    }

    fn target(&self) -> Option<&Target> {
        self.selector.as_ref()
    }

    async fn run(self, tab: &mut Tab) -> Result<Seen> {
        let defaults = SnapshotOptions::default();
        let options = SnapshotOptions {
            root: self.selector,
            mode: match self.mode {
                Mode::All => Lines::All,
                Mode::Interactive => Lines::Interactive,
                Mode::Text => Lines::Text,
            },
            max_depth: self.max_depth.unwrap_or(defaults.max_depth),
            include_hidden: self.include_hidden,
            max_chars: self.max_chars.unwrap_or(defaults.max_chars).max(200),
        };
        Ok(Seen(tab.snapshot(&options).await?))
    }
}

impl Output for Seen {
    fn data(&self) -> Value {
        let refs: Map<String, Value> = self
            .0
            .refs
            .iter()
            .map(|one| {
                let mut info = json!({ "role": one.role, "name": one.name });
                if let Some(frame) = &one.frame {
                    info["frame"] = json!(frame);
                }
                (format!("@ref:{}", one.number), info)
            })
            .collect();
        json!({
            "url": self.0.url,
            "title": self.0.title,
            "tree": self.0.json_text,
            "refs": refs,
            "truncated": self.0.truncated,
        })
    }

    fn schema() -> Option<Schema> {
        Some(json_schema!({
            "type": "object",
            "properties": {
                "url": { "type": "string" },
                "title": { "type": "string" },
                "tree": { "type": "string", "description": "A line an element, refs as `@ref:1`." },
                "refs": {
                    "type": "object",
                    "additionalProperties": {
                        "type": "object",
                        "properties": {
                            "role": { "type": "string" },
                            "name": { "type": "string" },
                            "frame": { "type": "string", "description": "Its frame's address, where that is not the page." },
                        },
                        "required": ["role", "name"],
                    },
                },
                "truncated": { "type": "boolean" },
            },
            "required": ["url", "title", "tree", "refs", "truncated"],
        }))
    }

    fn text(&self) -> Text {
        Text::ours(&self.0.text)
    }
}
