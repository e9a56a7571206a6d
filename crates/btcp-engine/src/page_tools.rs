//! Tools that pages declare for agents (WebMCP): which there are, and calling one.
//!
//! Chrome's own list leaves out frames that share the page's process, so the page code is asked in
//! every frame. Chrome calls them, and its domain is on for the time of a call only: otherwise a
//! page that declares tools without end would tell us of each. Whether arguments fit a tool's
//! schema is decided by whoever calls; Chrome does not look.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use btcp_cdp::{Call, Connection, SessionId, runtime, web_mcp};
use futures_util::future::join_all;
use serde_json::{Map, Value};
use tokio::runtime::Handle;
use tokio::time::Instant;

use crate::error::{Error, Result};
use crate::evaluate::{end_loop, value_of};
use crate::hang::PASSING;
use crate::page::Answer;
use crate::page::ops::{PageToolsReply, PageToolsRequest};
use crate::tab::Tab;
use crate::tab_state::{Facts, TabState};
use crate::text::{cut, quoted, thrown};

/// More tools of one tab are counted, not told.
const MOST: usize = 200;
/// Of a description so many characters are told.
const LONGEST_TEXT: usize = 2000;
/// A longer schema is not looked at.
const LONGEST_SCHEMA: usize = 64 * 1024;
/// How many answers are kept for somebody who does not know yet which is his.
const HEARD: usize = 100;
/// How long after a page was left its tool may still answer.
const AFTER_LEAVING: Duration = Duration::from_secs(1);

/// A tool of a page.
#[derive(Debug, Clone)]
pub struct PageTool {
    /// Its name; the page's word, as all of this.
    pub name: String,
    /// The origin of the document that declares it.
    pub origin: String,
    /// What it does.
    pub description: String,
    /// The JSON Schema of its arguments, `{}` where the page gives none; `None` where it is too long or
    /// cannot be read.
    pub input_schema: Option<Value>,
    frame: String,
    document: u64,
}

/// The tools of a tab's pages.
#[derive(Debug, Clone)]
pub struct PageTools {
    /// Those that are told.
    pub tools: Vec<PageTool>,
    /// How many more there are.
    pub more: usize,
}

/// What calling a tool came to.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolAnswer {
    /// What it returned, if anything.
    pub value: Option<Value>,
    /// Whether its document was left before it answered.
    pub left: bool,
}

/// What Chrome says of tools while somebody waits for one.
#[derive(Debug, Default)]
pub(crate) struct ToolAnswers {
    awaited: bool,
    heard: VecDeque<web_mcp::ToolResponded>,
    /// How often a page declared some.
    added: u64,
}

impl ToolAnswers {
    pub(crate) fn add(&mut self) {
        self.added += 1;
    }

    pub(crate) fn hear(&mut self, answer: web_mcp::ToolResponded) {
        if self.awaited {
            // A page that calls its own tools all the time must not fill our memory.
            if self.heard.len() == HEARD {
                self.heard.pop_front();
            }
            self.heard.push_back(answer);
        }
    }

    fn listen(&mut self, awaited: bool) {
        self.awaited = awaited;
        self.heard.clear();
    }

    fn of(&self, invocation: &str) -> Option<&web_mcp::ToolResponded> {
        self.heard.iter().find(|answer| answer.invocation_id == invocation)
    }
}

/// Processes of which Chrome tells when a tool is declared, until nobody waits for one any more.
struct Listening {
    state: Arc<TabState>,
    sessions: Vec<SessionId>,
}

impl Drop for Listening {
    fn drop(&mut self) {
        for session in &self.sessions {
            self.state.connection.post(Some(session), &web_mcp::Disable);
        }
    }
}

/// A call of a tool, ended in the page too if nobody waits for it any more.
struct Invocation {
    state: Arc<TabState>,
    session: SessionId,
    /// Chrome has not said yet what it calls it.
    asked: Option<Call<web_mcp::Invoked>>,
    id: Option<String>,
    over: bool,
}

impl Drop for Invocation {
    fn drop(&mut self) {
        let connection = &self.state.connection;
        if !self.over {
            if self.state.facts().dialogs.open().is_some() {
                // It asks something: what it does goes on once that is answered.
                return;
            }
            if let Some(invocation_id) = &self.id {
                cancel(connection, &self.session, invocation_id);
            } else if let (Some(asked), Ok(runtime)) = (self.asked.take(), Handle::try_current()) {
                // The page may have begun, though Chrome has not answered yet.
                let (connection, session) = (connection.clone(), self.session.clone());
                runtime.spawn(async move {
                    if let Ok(invoked) = asked.await {
                        cancel(&connection, &session, &invoked.invocation_id);
                    }
                });
                // Who calls the next tool turns this off again: what is off cannot be cancelled.
                self.state.facts().tool_answers.listen(false);
                return;
            }
        }
        connection.post(Some(&self.session), &web_mcp::Disable);
        self.state.facts().tool_answers.listen(false);
    }
}

fn cancel(connection: &Connection, session: &SessionId, invocation_id: &str) {
    connection.post(Some(session), &web_mcp::CancelInvocation { invocation_id });
    end_loop(connection, session);
}

/// How a call of a tool ended.
enum Came {
    Answer(Box<web_mcp::ToolResponded>),
    /// Its document is gone.
    Left,
    /// Its process is.
    Gone,
}

impl Tab {
    /// The tools that the tab's pages declare and the caller may have, frames included.
    pub async fn page_tools(&mut self) -> Result<PageTools> {
        self.declared(None).await
    }

    /// The tool of that name, once a page declares it. Of several it is that of the frame the agent has
    /// entered, or the one of this origin.
    pub async fn page_tool(&mut self, name: &str, origin: Option<&str>) -> Result<PageTool> {
        let home = self.checked_home()?;
        let entered = home != self.main_frame();
        let mut listening = Listening { state: self.state.clone(), sessions: Vec::new() };
        loop {
            let added = self.state.facts().tool_answers.added;
            let mut found = self.declared(Some(name)).await?.tools;
            found.retain(|tool| origin.is_none_or(|origin| tool.origin == origin));
            if let Some(own) = found.iter().position(|tool| entered && tool.frame == home) {
                return Ok(found.swap_remove(own));
            }
            match found.len() {
                0 if self.context.left().is_zero() => return Err(self.no_such_tool(name).await),
                0 => self.more_tools(&mut listening, added).await,
                1 => return Ok(found.swap_remove(0)),
                count => {
                    let mut origins: Vec<String> =
                        found.iter().map(|tool| quoted(&cut(&tool.origin, 120))).collect();
                    origins.dedup();
                    return Err(Error::AmbiguousTool { name: cut(name, 200), count, origins });
                }
            }
        }
    }

    /// Comes back when there may be more tools than when so many had been added, or at the deadline.
    async fn more_tools(&self, listening: &mut Listening, added: u64) {
        let mut new = self.state.facts().frames.sessions();
        new.retain(|session| !listening.sessions.contains(session));
        if !new.is_empty() {
            // What came before Chrome listened is not told: it is asked for once more.
            let told = new.iter().map(|session| {
                self.state.unless_silent(session, PASSING, self.send_to(session, &web_mcp::Enable))
            });
            join_all(told).await;
            listening.sessions.extend(new);
            return;
        }
        let more = |facts: &Facts| {
            let known = |session| listening.sessions.contains(session);
            let new =
                facts.tool_answers.added != added || !facts.frames.sessions().iter().all(known);
            (new || facts.closed || facts.crashed).then_some(())
        };
        self.state.until(self.deadline(), more).await;
    }

    async fn no_such_tool(&mut self, name: &str) -> Error {
        let all = self.declared(None).await.map(|all| all.tools).unwrap_or_default();
        let names = all.iter().map(|tool| tool.name.as_str());
        let near = crate::names::nearest(name, names, 3);
        let similar = near.into_iter().map(|near| quoted(&cut(near, 120))).collect();
        Error::NoSuchTool { name: cut(name, 200), similar }
    }

    /// What the page code finds in each frame. A frame that hangs has no say.
    async fn declared(&mut self, name: Option<&str>) -> Result<PageTools> {
        let request = PageToolsRequest {
            name,
            most: MOST,
            longest_text: LONGEST_TEXT,
            longest_schema: LONGEST_SCHEMA,
        };
        let main = self.main_frame();
        let (reply, document) = self.op::<_, PageToolsReply>(&main, "pageTools", &request).await?;
        let frames = self.state.facts().frames.below(&main);
        let (tab, request) = (&*self, &request);
        let others = frames.into_iter().skip(1).map(|frame| async move {
            let asked = tab.op_once::<_, PageToolsReply>(&frame, "pageTools", request, None);
            match tab.ask_frame(&frame, tab.patience(false), asked).await {
                Some(Ok(Answer::Is(reply, document))) => Some((frame, document, reply)),
                _ => None,
            }
        });
        let others = join_all(others).await.into_iter().flatten();
        let mut all = PageTools { tools: Vec::new(), more: 0 };
        for (frame, document, reply) in [(main, document, reply)].into_iter().chain(others) {
            // All tools of a document are of its origin.
            let origin = reply.tools.first().map(|tool| tool.origin.as_str());
            if !origin.is_some_and(|origin| self.context.has_belongings_of(origin)) {
                continue;
            }
            all.more += reply.more;
            all.tools.extend(reply.tools.into_iter().map(|tool| PageTool {
                name: tool.name,
                origin: tool.origin,
                description: tool.description,
                input_schema: serde_json::from_str(&tool.schema).ok(),
                frame: frame.clone(),
                document,
            }));
        }
        all.more += all.tools.len().saturating_sub(MOST);
        all.tools.truncate(MOST);
        Ok(all)
    }

    /// Calls a tool and waits for its answer.
    pub async fn call_page_tool(
        &mut self,
        tool: &PageTool,
        arguments: &Map<String, Value>,
    ) -> Result<ToolAnswer> {
        self.watch().await?;
        let session = {
            let facts = self.state.facts();
            let frame = facts.frames.get(&tool.frame);
            frame.filter(|frame| frame.document == tool.document).map(|frame| frame.session.clone())
        };
        let Some(session) = session else { return Err(self.no_such_tool(&tool.name).await) };
        self.state.facts().tool_answers.listen(true);
        let mut invocation =
            Invocation { state: self.state.clone(), session, asked: None, id: None, over: false };
        let session = &invocation.session;
        let enabled = self.send_to(session, &web_mcp::Enable);
        self.context.progress.sent();
        let invoke =
            web_mcp::InvokeTool { frame_id: &tool.frame, tool_name: &tool.name, input: arguments };
        let asked = self.send_to(session, &invoke);
        let asked = invocation.asked.insert(asked);
        enabled.await.map_err(|error| self.explain(error))?;
        let invoked = asked.await;
        invocation.asked = None;
        let id = match invoked {
            Ok(invoked) => invoked.invocation_id,
            // The page has taken it back meanwhile.
            Err(btcp_cdp::Error::Remote { message, .. }) if message.contains("not found") => {
                self.context.progress.undone();
                invocation.over = true;
                return Err(self.no_such_tool(&tool.name).await);
            }
            Err(error) => return Err(self.explain(error)),
        };
        invocation.id = Some(id.clone());
        let came = self.tool_answer(tool, &id).await;
        invocation.over = came.is_some();
        match came {
            Some(Came::Answer(answer)) => {
                self.context.progress.happened();
                self.told(tool, *answer)
            }
            Some(Came::Left) => {
                self.context.progress.happened();
                Ok(ToolAnswer { value: None, left: true })
            }
            Some(Came::Gone) => Err(self.gone()),
            None => Err(self.too_late(&format!("page tool '{}' to answer", cut(&tool.name, 200)))),
        }
    }

    /// Waits for what becomes of a call; `None` at the deadline.
    async fn tool_answer(&self, tool: &PageTool, id: &str) -> Option<Came> {
        let answer = |facts: &Facts| {
            let answer = facts.tool_answers.of(id)?.clone();
            Some(Came::Answer(Box::new(answer)))
        };
        let came = |facts: &Facts| {
            if let Some(answer) = answer(facts) {
                return Some(answer);
            }
            if facts.closed || facts.crashed {
                return Some(Came::Gone);
            }
            match facts.frames.get(&tool.frame) {
                Some(frame) if frame.crashed.is_some() => Some(Came::Gone),
                Some(frame) if frame.document == tool.document => None,
                _ => Some(Came::Left),
            }
        };
        match self.state.until(self.deadline(), came).await {
            // A form that is sent answers with what its next page says.
            Some(Came::Left) => {
                let soon = self.deadline().min(Instant::now() + AFTER_LEAVING);
                self.state.until(soon, answer).await.or(Some(Came::Left))
            }
            came => came,
        }
    }

    /// What Chrome says a tool has answered.
    fn told(&self, tool: &PageTool, answer: web_mcp::ToolResponded) -> Result<ToolAnswer> {
        let document = self.state.facts().frames.get(&tool.frame).map(|frame| frame.document);
        let left = document != Some(tool.document);
        match answer.status.as_str() {
            "Completed" => {
                let nothing = |value: &Value| match value {
                    Value::String(text) => text == "undefined",
                    Value::Array(items) => left && items.is_empty(),
                    _ => false,
                };
                Ok(ToolAnswer { value: answer.output.filter(|value| !nothing(value)), left })
            }
            "Canceled" => {
                let message = format!("The page cancelled its tool '{}'", cut(&tool.name, 200));
                Err(Error::JavaScript { message })
            }
            _ => Err(Error::JavaScript { message: threw(&answer) }),
        }
    }
}

/// What a tool threw, in words.
fn threw(answer: &web_mcp::ToolResponded) -> String {
    let Some(exception) = &answer.exception else {
        return format!("The tool failed: {}", quoted(&cut(&answer.error_text, 500)));
    };
    let said = |exception: &runtime::RemoteObject| {
        let said = exception.description.as_deref()?;
        Some(thrown(said.lines().next().unwrap_or(said)))
    };
    match value_of(exception) {
        Some(Value::String(text)) if exception.subtype.is_none() => {
            format!("Uncaught {}", quoted(&cut(&text, 500)))
        }
        value => said(exception).unwrap_or_else(|| {
            let value = value.map_or("undefined".to_owned(), |value| value.to_string());
            format!("Uncaught {}", quoted(&cut(&value, 500)))
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn responded(id: usize) -> web_mcp::ToolResponded {
        let answer = serde_json::json!({ "invocationId": id.to_string(), "status": "Completed" });
        serde_json::from_value(answer).unwrap()
    }

    #[test]
    fn answers_are_kept_only_while_somebody_waits_and_not_without_end() {
        let mut answers = ToolAnswers::default();
        answers.hear(responded(0));
        assert!(answers.of("0").is_none());

        answers.listen(true);
        for id in 0..=HEARD {
            answers.hear(responded(id));
        }
        assert!(answers.of("0").is_none() && answers.of("1").is_some());
        assert_eq!(answers.heard.len(), HEARD);
        answers.listen(false);
        assert!(answers.heard.is_empty());
    }

    #[test]
    fn what_a_tool_throws_stands_in_quotes() {
        let of = |exception: Value| {
            let answer = serde_json::json!({
                "invocationId": "1", "status": "Error", "errorText": "why", "exception": exception,
            });
            threw(&serde_json::from_value(answer).unwrap())
        };
        let error = |description: &str| {
            of(serde_json::json!({
                "type": "object", "subtype": "error", "description": description,
            }))
        };
        assert_eq!(error("Error: no tea\n    at execute"), "Error: \"no tea\"");
        assert_eq!(
            error("ReferenceError: tea is not defined"),
            "ReferenceError: tea is not defined"
        );
        assert_eq!(of(serde_json::json!({ "type": "string", "value": "x" })), "Uncaught \"x\"");
        assert_eq!(of(Value::Null), "The tool failed: \"why\"");
    }
}
