//! The library's face: a browser, and a session in it for each conversation.
//!
//! A thin coat over [`Sessions`] and [`Catalog`]: no action is named here, and nothing can be
//! done here that a surface could not do.

use std::sync::Arc;

use btcp_actions::{CallError, Caller, Catalog, Failure, Outcome, Tool, export};
use btcp_engine::{Folders, Sessions, Settings};
use serde_json::{Map, Value, json};

/// What a program that says nothing of it may use: it chooses for its model.
const TOOLSET: &str = "all";

/// How many characters a snapshot has at most unless a call says otherwise. Programs hold more
/// than what a model reads of every page.
const LONGEST_SNAPSHOT: usize = 50_000;

/// A browser that many conversations share, each in a session of its own.
///
/// Clones are the same browser. Chrome ends with [`close`](Self::close), and with this process
/// at the latest. Everything here needs a tokio runtime with I/O and time, the same one
/// throughout: the connection to Chrome lives on the runtime of the call that started it.
#[derive(Clone)]
pub struct Browser {
    catalog: Catalog,
}

impl Browser {
    /// A browser that starts Chrome when the first call needs it.
    pub fn new(settings: Settings) -> Self {
        let catalog = Catalog::new(Sessions::new(settings));
        Self { catalog: catalog.with_longest_snapshot(LONGEST_SNAPSHOT) }
    }

    /// A browser whose Chrome runs already, so that a machine without one is noticed here and
    /// the first call need not wait for it.
    ///
    /// # Errors
    ///
    /// `no_browser`, if there is no Chrome or it does not start.
    pub async fn start(settings: Settings) -> Result<Self, Failure> {
        let browser = Self::new(settings);
        match browser.sessions().start().await {
            Ok(()) => Ok(browser),
            Err(error) => Err(failure(error.code(), error.to_string())),
        }
    }

    /// The session of a conversation, with every tool there is: what its model is to have of them
    /// is said by [`with_toolset`](Session::with_toolset). It is opened by its first call; the
    /// same id is always the same session, until it is ended.
    pub fn session(&self, conversation: &str) -> Session {
        let grant = self.catalog.grant(TOOLSET).expect("all is a toolset");
        let caller = Caller::new(conversation, grant);
        Session { catalog: self.catalog.clone(), caller }
    }

    /// Ends a conversation's session: its tabs are closed, its cookies and storage are gone. The
    /// others are not touched. A later call with that id begins a new session.
    pub async fn end(&self, conversation: &str) {
        self.sessions().close(conversation).await;
    }

    /// The conversations that have a session now, in no order.
    pub fn conversations(&self) -> Vec<String> {
        self.sessions().names()
    }

    /// Hears what takes long (getting a browser), in lines for a person.
    pub fn on_progress(&self, say: impl Fn(&str) + Send + Sync + 'static) {
        self.sessions().on_progress(say);
    }

    /// Ends every session, and Chrome.
    pub async fn close(&self) {
        self.sessions().close_all().await;
    }

    /// Every action there is; what the other surfaces are made of.
    pub fn catalog(&self) -> &Catalog {
        &self.catalog
    }

    fn sessions(&self) -> &Arc<Sessions> {
        self.catalog.sessions()
    }
}

/// In whose words tools are told to a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ToolFormat {
    /// The `tools` of OpenAI's chat completions.
    OpenAi,
    /// The same in strict mode.
    OpenAiStrict,
    /// The `tools` of Anthropic's messages.
    Anthropic,
}

/// One conversation's browser: its tabs, cookies and refs, and the tools its model may use.
///
/// A session is only a name until its first call. Calls to one tab take turns; calls of other
/// sessions do not wait for them.
#[derive(Clone)]
pub struct Session {
    catalog: Catalog,
    caller: Caller,
}

impl Session {
    /// The conversation's id.
    pub fn id(&self) -> &str {
        &self.caller.session
    }

    /// The same session with other tools: `agent`, `minimal`, `standard`, `full`, `all`, a group,
    /// names, or a list of them such as `minimal,evaluate`. What is not in it is refused.
    ///
    /// # Errors
    ///
    /// A word that is none of these.
    pub fn with_toolset(mut self, toolset: &str) -> Result<Self, CallError> {
        let folders = self.caller.grant.folders().as_ref().clone();
        self.caller.grant = self.catalog.grant(toolset)?.with_folders(folders);
        Ok(self)
    }

    /// The same session, whose model may read and write files there; without this only in the
    /// session's own folder and in [`Settings::allow_folders`].
    #[must_use]
    pub fn with_folders(mut self, folders: Folders) -> Self {
        self.caller.grant = self.caller.grant.with_folders(folders);
        self
    }

    /// The tools its model may use.
    pub fn tools(&self) -> Vec<Tool> {
        self.catalog.tools(&self.caller.grant)
    }

    /// The tools as JSON, ready for the `tools` field of a request to a model.
    pub fn tools_json(&self, format: ToolFormat) -> Value {
        let tools = self.tools();
        match format {
            ToolFormat::OpenAi => export::openai(&tools),
            ToolFormat::OpenAiStrict => export::openai_strict(&tools),
            ToolFormat::Anthropic => export::anthropic(&tools),
        }
    }

    /// Does what a model asks for. `name` is an action's or a tool's (`click`,
    /// `browser_click`), `args` an object, or a text with one in it, as OpenAI sends it.
    ///
    /// To cancel a call, drop its future (`tokio::select!`, `tokio::time::timeout`, aborting its
    /// task): what it waits for in the browser stops too, and the tab is free for the next call.
    ///
    /// # Errors
    ///
    /// Every failure has a sentence, a stable code, mostly a hint, and for actions that change
    /// something whether it happened: [`Failure::text`] is what to tell the model.
    pub async fn call(&self, name: &str, args: impl Into<Value>) -> Result<Outcome, Failure> {
        match arguments(args.into()) {
            Ok(args) => self.catalog.call(&self.caller, name, args).await,
            Err(other) => {
                let reason = format!("Arguments must be an object, not {other}");
                let mut failure = failure("invalid_params", reason.clone());
                failure.data.insert("reason".into(), json!(reason));
                Err(failure)
            }
        }
    }
}

/// The object that was meant, or what was given instead of one.
fn arguments(args: Value) -> Result<Map<String, Value>, Value> {
    let args = match args {
        Value::String(text) if text.trim().is_empty() => Value::Null,
        Value::String(text) => serde_json::from_str(&text).unwrap_or(Value::String(text)),
        args => args,
    };
    match args {
        Value::Object(args) => Ok(args),
        Value::Null => Ok(Map::new()),
        other => Err(other),
    }
}

fn failure(code: &'static str, message: String) -> Failure {
    Failure { code, message, hint: None, done: None, data: Map::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_an_object_however_they_come() {
        let object = json!({ "selector": "#a" });
        for args in [object.clone(), json!(r##"{ "selector": "#a" }"##)] {
            assert_eq!(Value::Object(arguments(args).unwrap()), object);
        }
        for nothing in [json!(null), json!(""), json!("null"), json!({})] {
            assert_eq!(arguments(nothing).unwrap(), Map::new());
        }
        for wrong in [json!([1]), json!("#a"), json!(7)] {
            assert_eq!(arguments(wrong.clone()).unwrap_err(), wrong);
        }
    }

    #[test]
    fn a_session_tells_its_own_tools_in_each_format() {
        let session = Browser::new(Settings::default()).session("a");
        let minimal = session.clone().with_toolset("minimal").unwrap();
        let more = session.clone().with_toolset("minimal,evaluate").unwrap();

        assert_eq!(session.tools().len(), session.catalog.entries().len());
        assert_eq!(minimal.tools().len() + 1, more.tools().len());
        assert!(minimal.tools().len() < session.tools().len());
        for format in [ToolFormat::OpenAi, ToolFormat::OpenAiStrict, ToolFormat::Anthropic] {
            let tools = minimal.tools_json(format);
            assert_eq!(tools.as_array().map(Vec::len), Some(minimal.tools().len()), "{format:?}");
        }
        assert!(session.with_toolset("no-such-tools").is_err());
    }
}
