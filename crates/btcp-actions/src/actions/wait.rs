//! `wait`: for an element, a text, or a while.

use std::time::Duration;

use btcp_engine::ElementState;

use crate::prelude::*;

/// Wait for an element or a text, or for a time. Actions wait by themselves; use this for what comes later.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Wait {
    /// Element: ref or selector.
    selector: Option<Target>,
    /// What the element must be.
    #[serde(default)]
    state: State,
    /// Text that must appear.
    text: Option<String>,
    /// Text that must disappear.
    gone: Option<String>,
    /// Milliseconds to wait, if nothing else is given.
    time: Option<Millis>,
    /// Milliseconds, default 15000.
    timeout: Option<Millis>,
}

/// What an element must be.
#[derive(Deserialize, JsonSchema, Default, Clone, Copy)]
#[serde(rename_all = "lowercase")]
enum State {
    Attached,
    Detached,
    #[default]
    Visible,
    Hidden,
}

/// It came true.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Waited {
    success: bool,
    #[serde(skip)]
    said: String,
}

impl Wait {
    /// A time alone is a delay.
    fn pause(&self) -> Option<Duration> {
        let waits = self.selector.is_some() || self.text.is_some() || self.gone.is_some();
        let time = self.time.or(self.timeout).map(|time| time.0);
        time.filter(|_| !waits)
    }
}

impl Action for Wait {
    const NAME: &'static str = "wait";
    const GROUP: Group = Group::Waiting;
    const TOOLSET: Toolset = Toolset::Standard;
    const ACCESS: Access = Access::Reads;
    const OWN: &'static [&'static str] = &["timeout"];
    const TIPS: &'static [&'static str] = &[
        "Elements named by text=, role=, label= and the like are looked for in all frames; hidden and detached mean in none of them.",
    ];
    type Output = Waited;

    fn examples() -> Vec<Example> {
        vec![
            Example::does(
                "An element that comes later",
                json!({ "selector": "#later" }),
                "document.querySelector('#later') !== null",
            ),
            Example::does(
                "A text",
                json!({ "text": "Ready now" }),
                "document.body.innerText.includes('Ready now')",
            ),
            Example::does(
                "A text to go away",
                json!({ "gone": "Loading…" }),
                "!document.body.innerText.includes('Loading…')",
            ),
            Example::gives("A while", json!({ "time": 50 }), json!({ "success": true })),
            Example::fails(
                "Something that never comes",
                json!({ "selector": "#never", "timeout": 1000 }),
                "timeout",
            ),
        ]
    }

    fn target(&self) -> Option<&Target> {
        self.selector.as_ref()
    }

    fn delay(&self) -> Duration {
        self.pause().unwrap_or_default()
    }

    async fn run(self, tab: &mut Tab) -> Result<Waited> {
        if let Some(time) = self.pause() {
            tab.pause(time).await;
            return Ok(Waited {
                success: true,
                said: format!("waited {}", btcp_engine::seconds(&time)),
            });
        }
        let mut said = Vec::new();
        if let Some(target) = &self.selector {
            let state = match self.state {
                State::Attached => ElementState::Attached,
                State::Detached => ElementState::Detached,
                State::Visible => ElementState::Visible,
                State::Hidden => ElementState::Hidden,
            };
            tab.wait_for(target, state).await?;
            said.push(format!("'{target}' is {}", state.name()));
        }
        if let Some(text) = &self.text {
            tab.wait_for_text(text, false).await?;
            said.push(format!("the text '{text}' is there"));
        }
        if let Some(text) = &self.gone {
            tab.wait_for_text(text, true).await?;
            said.push(format!("the text '{text}' is gone"));
        }
        if said.is_empty() {
            let message = "Give a selector, a text, gone or a time to wait for".to_owned();
            return Err(btcp_engine::Error::BadParam { field: "selector", message }.into());
        }
        Ok(Waited { success: true, said: said.join(", ") })
    }
}

impl Output for Waited {
    fn data(&self) -> Value {
        json!(self)
    }

    fn schema() -> Option<Schema> {
        schema_of_output::<Self>()
    }

    fn text(&self) -> Text {
        Text::ours(&self.said)
    }
}
