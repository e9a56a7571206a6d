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
    /// Longest answer.
    max_chars: Option<usize>,
    /// Only what changed since the last one.
    since: Option<Since>,
    /// Also what a person cannot see.
    #[serde(default)]
    include_hidden: bool,
    /// json: nested objects instead of lines.
    #[serde(default)]
    format: Format,
}

/// How the lines are given.
#[derive(Deserialize, JsonSchema, Default, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum Format {
    #[default]
    Text,
    Json,
}

/// Compared with what.
#[derive(Deserialize, JsonSchema, Clone, Copy)]
#[serde(rename_all = "lowercase")]
enum Since {
    Last,
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
pub(crate) struct Seen {
    snapshot: btcp_engine::Snapshot,
    /// With `format: json`.
    nested: Option<Value>,
}

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
                json!({
                    "title": "Sign in",
                    "refs": { "@ref:1": { "role": "textbox", "name": "Email" } },
                    "truncated": false,
                }),
            ),
            Example::gives(
                "What can be acted on in one form",
                json!({ "selector": "#login", "mode": "interactive" }),
                json!({ "refs": { "@ref:4": { "name": "Sign in" } }, "truncated": false }),
            ),
            Example::fails(
                "A part that is not there",
                json!({ "selector": "#missing", "timeout": 1000 }),
                "not_found",
            ),
        ]
    }

    fn target(&self) -> Option<&Target> {
        self.selector.as_ref()
    }

    async fn run(self, tab: &mut Tab) -> Result<Seen> {
        let defaults = SnapshotOptions::default();
        let mut options = SnapshotOptions {
            root: self.selector,
            mode: match self.mode {
                Mode::All => Lines::All,
                Mode::Interactive => Lines::Interactive,
                Mode::Text => Lines::Text,
            },
            max_depth: self.max_depth.unwrap_or(defaults.max_depth),
            include_hidden: self.include_hidden,
            max_chars: self.max_chars.unwrap_or_else(|| tab.longest_snapshot()).max(200),
            since_last: self.since.is_some(),
            ..defaults
        };
        if self.format == Format::Text {
            return Ok(Seen { snapshot: tab.snapshot(&options).await?, nested: None });
        }
        // Objects are longer than lines; by how much depends on the page.
        let budget = options.max_chars;
        loop {
            options.max_chars = options.max_chars * 2 / 3;
            let snapshot = tab.snapshot(&options).await?;
            let nested = snapshot.nested();
            // What was told is not told again: a difference is not tried a second time.
            let fits = nested.to_string().chars().count() <= budget;
            if fits || options.since_last || options.max_chars < 100 {
                return Ok(Seen { snapshot, nested: Some(nested) });
            }
        }
    }
}

impl Output for Seen {
    fn data(&self) -> Value {
        let refs: Map<String, Value> = self
            .snapshot
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
            "url": self.snapshot.url,
            "title": self.snapshot.title,
            "tree": self.nested.clone().unwrap_or_else(|| json!(self.snapshot.json_text)),
            "refs": refs,
            "truncated": self.snapshot.truncated,
        })
    }

    fn schema() -> Option<Schema> {
        Some(json_schema!({
            "type": "object",
            "properties": {
                "url": { "type": "string" },
                "title": { "type": "string" },
                "tree": { "type": ["string", "object"], "description": "A line an element, refs as `@ref:1`." },
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
        match &self.nested {
            Some(nested) => Text::ours(nested.to_string()),
            None => Text::ours(&self.snapshot.text),
        }
    }
}
