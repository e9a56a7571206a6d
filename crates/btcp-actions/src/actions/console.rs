//! `console`: what the page and its workers logged.

use btcp_engine::Message;

use crate::prelude::*;

/// Read the console: messages and uncaught errors, newest last.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Console {
    /// Forget them afterwards.
    #[serde(default)]
    clear: bool,
    /// How many, default 100.
    #[schemars(range(min = 1, max = 1000))]
    limit: Option<u32>,
    /// Only this kind: error, warning, info, log, debug.
    level: Option<String>,
}

/// The messages.
pub(crate) struct Messages {
    messages: Vec<Message>,
    origin: String,
}

impl Action for Console {
    const NAME: &'static str = "console";
    const GROUP: Group = Group::Debugging;
    const TOOLSET: Toolset = Toolset::Full;
    const ACCESS: Access = Access::Reads;
    const LONG: bool = true;
    const TIPS: &'static [&'static str] =
        &["Workers and service workers log here too; objects are told by their contents."];
    type Output = Messages;

    fn examples() -> Vec<Example> {
        vec![
            Example::gives(
                "What was logged, objects too",
                json!({ "level": "log" }),
                json!({ "messages": [{ "type": "log", "text": "hello {\"a\":1}", "args": ["hello", { "a": 1 }], "context": "page" }] }),
            ),
            Example::gives(
                "Only warnings",
                json!({ "level": "warning" }),
                json!({ "messages": [{ "type": "warning", "text": "careful", "context": "page" }] }),
            ),
            Example::fails("None at all", json!({ "limit": 0 }), "invalid_params"),
            Example::fails("A wrong kind", json!({ "limit": "many" }), "invalid_params"),
        ]
    }

    async fn run(self, tab: &mut Tab) -> Result<Messages> {
        let level = self.level.as_deref().map(|level| match level.to_lowercase().as_str() {
            "warn" => "warning".to_owned(),
            other => other.to_owned(),
        });
        let limit = within("limit", self.limit.unwrap_or(100), 1..=1000)? as usize;
        let messages = tab.console(limit, level.as_deref()).await?;
        if self.clear {
            tab.clear_console();
        }
        Ok(Messages { messages, origin: origin(&tab.url()).to_owned() })
    }
}

impl Output for Messages {
    fn data(&self) -> Value {
        let messages: Vec<Value> = self
            .messages
            .iter()
            .map(|message| {
                json!({
                    "type": message.kind,
                    "text": message.text,
                    "args": message.args,
                    "timestamp": message.timestamp,
                    "context": message.context,
                    "source": message.source,
                })
            })
            .collect();
        json!({ "messages": messages })
    }

    fn schema() -> Option<Schema> {
        Some(json_schema!({
            "type": "object",
            "properties": {
                "messages": {
                    "type": "array",
                    "description": "Newest last.",
                    "items": {
                        "type": "object",
                        "properties": {
                            "type": { "type": "string", "description": "log, info, warning, error, debug …" },
                            "text": { "type": "string" },
                            "args": { "type": "array", "items": {} },
                            "timestamp": { "type": "number", "description": "Milliseconds since 1970." },
                            "context": { "enum": ["page", "worker", "service worker"] },
                            "source": { "type": "string" },
                        },
                        "required": ["type", "text", "args", "timestamp", "context", "source"],
                    },
                },
            },
            "required": ["messages"],
        }))
    }

    fn text(&self) -> Text {
        if self.messages.is_empty() {
            return Text::ours("no messages");
        }
        self.messages.iter().enumerate().fold(Text::default(), |text, (at, message)| {
            let line = if at == 0 { "" } else { "\n" };
            let context = if message.context == "page" {
                String::new()
            } else {
                format!(" [{}]", message.context)
            };
            let source = match message.source.is_empty() {
                true => String::new(),
                false => format!(" {}", address(&message.source)),
            };
            text.then(Text::ours(format!("{line}{}{context} ", message.kind)))
                .then(Text::page(&message.text, &self.origin))
                .then(Text::ours(source))
        })
    }
}
