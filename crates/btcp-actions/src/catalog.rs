//! The catalog: every action, and the one door to them, `Catalog::call`.
//!
//! find, allow, read, tab, run, settle, outcome: all steps but `run` are written here,
//! once, so that no surface and no action repeats them.

use std::sync::Arc;
use std::time::Duration;

use btcp_engine::{CallContext, Done, Progress, Sessions, names};
use serde_json::{Map, Value};

use crate::action::{Access, Entry, Prepared};
use crate::call::Call;
use crate::call_params::{CallParams, DEFAULT_TIMEOUT};
use crate::error::{CallError, Failure, Fault};
use crate::export::{Tool, tool};
use crate::grant::Grant;
use crate::outcome::{Outcome, Output};
use crate::{ENTRIES, hints, toolsets};

/// Every action there is, bound to the sessions they work on.
#[derive(Clone)]
pub struct Catalog {
    entries: Arc<[Entry]>,
    sessions: Arc<Sessions>,
}

/// Who calls: whose session, and what they may use.
#[derive(Debug, Clone)]
pub struct Caller {
    /// The session's name; one conversation has one.
    pub session: String,
    /// What they may use.
    pub grant: Grant,
}

impl Catalog {
    /// The catalog of all actions.
    pub fn new(sessions: Arc<Sessions>) -> Self {
        Self::with_entries(sessions, ENTRIES.to_vec())
    }

    /// A catalog of other actions; tests prove with it that no surface knows one by name.
    pub fn with_entries(sessions: Arc<Sessions>, entries: Vec<Entry>) -> Self {
        Self { entries: entries.into(), sessions }
    }

    /// The actions.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The sessions the calls go to.
    pub fn sessions(&self) -> &Arc<Sessions> {
        &self.sessions
    }

    /// Reads a toolset as written on a command line.
    pub fn grant(&self, toolset: &str) -> Result<Grant, CallError> {
        toolsets::parse(toolset, &self.entries).map(Grant::for_tools)
    }

    /// The caller's tools, in the order in which they are to be listed.
    pub fn tools(&self, grant: &Grant) -> Vec<Tool> {
        grant
            .tools()
            .iter()
            .filter_map(|name| self.entries.iter().find(|entry| entry.name == *name))
            .map(tool)
            .collect()
    }

    /// The entry a name means, whatever its spelling.
    pub fn find(&self, name: &str) -> Option<&Entry> {
        toolsets::find(name, &self.entries)
    }

    /// The nearest tool names in the caller's toolset.
    pub fn suggestions(&self, name: &str, grant: &Grant) -> Vec<String> {
        let known: Vec<String> = self.tools(grant).into_iter().map(|tool| tool.name).collect();
        names::nearest(name, known.iter().map(String::as_str), 3)
            .into_iter()
            .map(str::to_owned)
            .collect()
    }

    /// Does what a caller asks. Dropping the future cancels the work in the browser too.
    pub async fn call(
        &self,
        caller: &Caller,
        name: &str,
        args: Map<String, Value>,
    ) -> Result<Outcome, Failure> {
        let progress = Progress::default();
        let entry = self.find(name);
        let result = match entry {
            Some(entry) => self.dispatch(entry, caller, name, args, &progress).await,
            None => Err(Fault::Call(CallError::UnknownTool {
                name: name.to_owned(),
                suggestions: self.suggestions(name, &caller.grant),
            })),
        };
        result.map(Outcome::of).map_err(|fault| {
            let changes = entry.is_some_and(|entry| entry.access == Access::Changes);
            self.failure(
                &fault,
                changes.then(|| whether_done(&fault, progress.done())),
                &caller.grant,
            )
        })
    }

    async fn dispatch(
        &self,
        entry: &Entry,
        caller: &Caller,
        written: &str,
        mut args: Map<String, Value>,
        progress: &Progress,
    ) -> Result<Box<dyn Output>, Fault> {
        caller.grant.check(entry, written)?;
        let params = CallParams::take(&mut args, entry.own)?;
        let prepared = (entry.prepare)(Value::Object(args))?;
        match prepared {
            Prepared::Catalog(run) => run(&Call { catalog: self, caller }).await,
            Prepared::Session(run) => {
                let session = self.sessions.open(self.session_name(caller, &params)).await?;
                let limit = params.timeout.unwrap_or(DEFAULT_TIMEOUT);
                session.within(limit, entry.name, run(&session)).await
            }
            Prepared::Tab { target, runs, delay, run } => {
                if let Some(other) = runs.and_then(|name| self.find(name)) {
                    caller.grant.check_inner(other, written)?;
                }
                // Getting a browser may take minutes the first time: outside the call's timeout.
                let session = self.sessions.open(self.session_name(caller, &params)).await?;
                let ref_number = target.as_ref().and_then(btcp_engine::Target::ref_number);
                let tab = session.tab_for(params.tab_id, ref_number)?;
                let timeout = deadline(&params, entry, delay);
                let context = CallContext::new(timeout, progress.clone());
                let changes = params.changes;
                tab.run(context, move |tab| {
                    Box::pin(async move {
                        let mut output = run(tab).await?;
                        let field = output.reads_back();
                        if let Some(slot) = output.effect() {
                            *slot = Some(tab.settle(changes, field).await?);
                        }
                        Ok(output)
                    })
                })
                .await
            }
        }
    }

    /// Names of other sessions come with the protocol that has session handles.
    fn session_name<'a>(&self, caller: &'a Caller, _params: &CallParams) -> &'a str {
        &caller.session
    }

    fn failure(&self, fault: &Fault, done: Option<Done>, grant: &Grant) -> Failure {
        let hint = hints::best(fault, self, grant);
        Failure::new(fault, hint, done)
    }
}

/// A page or browser that died after the event arrived may have died before it had any effect.
fn whether_done(fault: &Fault, done: Done) -> Done {
    use btcp_engine::Error::{BrowserGone, PageCrashed};
    match (fault, done) {
        (Fault::Page(BrowserGone { .. } | PageCrashed { .. }), Done::Yes) => Done::Unknown,
        (_, done) => done,
    }
}

/// A delay asked for on purpose moves the deadline back, and then `timeout` is not the limit.
fn deadline(params: &CallParams, entry: &Entry, delay: Duration) -> Duration {
    if delay.is_zero() || !entry.own.contains(&"timeout") {
        return params.timeout.unwrap_or(DEFAULT_TIMEOUT) + delay;
    }
    DEFAULT_TIMEOUT + delay
}
