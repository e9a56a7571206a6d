//! `clipboard`: what was copied in the session.

use crate::prelude::*;

/// Read the session's clipboard, or put a text into it to be pasted with Control+v.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Clipboard {
    /// Read or write.
    #[serde(rename = "do", alias = "action")]
    task: Task,
    /// What to write.
    text: Option<String>,
}

/// Which way.
#[derive(Deserialize, JsonSchema, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum Task {
    Read,
    Write,
}

/// What it holds.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Held {
    /// As plain text.
    text: String,
    /// The caller wrote it just now.
    #[serde(skip)]
    written: bool,
}

impl Action for Clipboard {
    const NAME: &'static str = "clipboard";
    const GROUP: Group = Group::State;
    const TOOLSET: Toolset = Toolset::All;
    const ACCESS: Access = Access::Changes;
    const LONG: bool = true;
    const TIPS: &'static [&'static str] = &[
        "It is the session's own: what its pages copy is in it, never what a person or another \
         session copied.",
        "Pages read it when Control+v is pressed, not by scripts.",
    ];
    type Output = Held;

    fn examples() -> Vec<Example> {
        vec![
            Example::gives(
                "What was copied, here nothing yet",
                json!({ "do": "read" }),
                json!({ "text": "" }),
            ),
            Example::gives(
                "A text to paste",
                json!({ "do": "write", "text": "Hello" }),
                json!({ "text": "Hello" }),
            ),
            Example::fails("Nothing to write", json!({ "do": "write" }), "invalid_params"),
        ]
    }

    async fn run(self, tab: &mut Tab) -> Result<Held> {
        match (self.task, self.text) {
            (Task::Read, None) => Ok(Held { text: tab.read_clipboard().await, written: false }),
            (Task::Write, Some(text)) => {
                tab.write_clipboard(&text);
                Ok(Held { text, written: true })
            }
            (Task::Read, Some(_)) => Err(wrong("Only 'write' takes a text")),
            (Task::Write, None) => Err(wrong("'write' needs a text")),
        }
    }
}

fn wrong(message: &str) -> crate::error::Fault {
    btcp_engine::Error::BadParam { field: "text", message: message.to_owned() }.into()
}

impl Output for Held {
    fn data(&self) -> Value {
        json!(self)
    }

    fn schema() -> Option<Schema> {
        schema_of_output::<Self>()
    }

    fn text(&self) -> Text {
        match self.text.chars().count() {
            0 => Text::ours("the clipboard is empty"),
            count if self.written => Text::ours(format!("{count} characters are there to paste")),
            // Some page of the session wrote it, not always the one that is open.
            _ => Text::page(&self.text, "the clipboard"),
        }
    }
}
