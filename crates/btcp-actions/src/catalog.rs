//! The catalog: every action, and the one door to them, `Catalog::call`.
//!
//! find, allow, read, tab, run, settle, outcome: all steps but `run` are written here,
//! once, so that no surface and no action repeats them.

use std::sync::Arc;
use std::time::Duration;

use btcp_engine::{
    Bound, CallContext, Done, Folders, Progress, Session, Sessions, SnapshotOptions, Tab, Target,
    WaitUntil, names,
};
use serde_json::{Map, Value};

use crate::action::{Access, Action, Boxed, Entry, Group, OnTab, Prepared};
use crate::actions;
use crate::audit::Audit;
use crate::call::Call;
use crate::call_params::{CallParams, DEFAULT_TIMEOUT};
use crate::caller::Caller;
use crate::did::Did;
use crate::error::{CallError, Failure, Fault};
use crate::export::{Tool, tool, tool_in_session};
use crate::grant::{Grant, OnPage};
use crate::handles::Handles;
use crate::long::Part;
use crate::order::Order;
use crate::outcome::{Outcome, Output};
use crate::{ENTRIES, hints, secrets, sequence, toolsets};

/// Every action there is, bound to the sessions they work on.
#[derive(Clone)]
pub struct Catalog {
    entries: Arc<[Entry]>,
    sessions: Arc<Sessions>,
    pub(crate) handles: Arc<Handles>,
    pub(crate) audit: Audit,
    order: Order,
    /// How long a call may take that says nothing of it.
    timeout: Duration,
    /// How long a snapshot may be that says nothing of it.
    longest_snapshot: usize,
}

/// What is asked for, read and judged.
pub(crate) struct Asked {
    pub(crate) params: CallParams,
    pub(crate) prepared: Prepared,
    pub(crate) on_page: OnPage,
    /// Which part of a long answer.
    part: Option<Part>,
    /// Secrets it holds.
    pub(crate) carried: Vec<Bound>,
}

impl Catalog {
    /// The catalog of all actions.
    pub fn new(sessions: Arc<Sessions>) -> Self {
        Self::with_entries(sessions, ENTRIES.to_vec())
    }

    /// A catalog of other actions; tests prove with it that no surface knows one by name.
    pub fn with_entries(sessions: Arc<Sessions>, entries: Vec<Entry>) -> Self {
        let (handles, audit) = (Arc::default(), Audit::default());
        let timeout = DEFAULT_TIMEOUT;
        let longest_snapshot = SnapshotOptions::default().max_chars;
        let (entries, order) = (entries.into(), Order::default());
        Self { entries, sessions, handles, audit, order, timeout, longest_snapshot }
    }

    /// Where a line goes for each call that is denied; to the log if nobody says.
    #[must_use]
    pub fn auditing(mut self, say: impl Fn(&str) + Send + Sync + 'static) -> Self {
        self.audit = Audit::to(say);
        self
    }

    /// How long a call may take that says nothing of it.
    #[must_use]
    pub fn with_timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// How many characters a snapshot may have that says nothing of it.
    #[must_use]
    pub fn with_longest_snapshot(mut self, characters: usize) -> Self {
        self.longest_snapshot = characters;
        self
    }

    /// The actions.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The sessions the calls go to.
    pub fn sessions(&self) -> &Arc<Sessions> {
        &self.sessions
    }

    /// Reads a toolset as written on a command line. Of the disk it has the session's folder and
    /// those that were set; a surface at whose other end sits the person adds `Folders::here`.
    pub fn grant(&self, toolset: &str) -> Result<Grant, CallError> {
        let folders = Folders::default().allowing(&self.sessions.settings().allow_folders);
        let tools = toolsets::parse(toolset, &self.entries)?;
        Ok(Grant::for_tools(tools).with_folders(folders))
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

    /// The tools where the protocol keeps no session: each says that one can be named.
    pub fn stateless_tools(&self, grant: &Grant) -> Vec<Tool> {
        let grant = self.stateless(grant);
        let entries = grant.tools().iter().filter_map(|name| self.find(name));
        entries
            .map(|entry| if entry.in_session { tool_in_session(entry) } else { tool(entry) })
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

    /// Opens a caller's session before its first call; says which browser it is in.
    pub async fn open(&self, caller: &Caller) -> Result<String, Failure> {
        let opened = self.sessions.open(&caller.session).await;
        let session =
            opened.map_err(|error| self.failure(&error.into(), Some(Done::No), &caller.grant))?;
        Ok(session.product().to_owned())
    }

    /// Does what a caller asks. Dropping the future cancels the work in the browser too.
    pub async fn call(
        &self,
        caller: &Caller,
        name: &str,
        args: Map<String, Value>,
    ) -> Result<Outcome, Failure> {
        let progress = Progress::default();
        let mut note = None;
        let entry = self.find(name);
        let named = secrets::named_session(&args);
        let result = match entry {
            Some(entry) => self.dispatch(entry, caller, name, args, &progress, &mut note).await,
            None => Err(Fault::Call(CallError::UnknownTool {
                name: name.to_owned(),
                suggestions: self.suggestions(name, &caller.grant),
            })),
        };
        let secrets = &self.hidden(caller, named.as_deref());
        match result {
            Ok(outcome) => Ok(outcome.noting(note).masked(secrets)),
            Err(fault) => {
                match &fault {
                    Fault::Several { results, .. } => {
                        self.all_denied(caller, name, &sequence::denials(results));
                    }
                    _ if fault.code() == "denied" => self.denied(caller, name, fault.to_string()),
                    _ => {}
                }
                let changes = entry.is_some_and(|entry| entry.access == Access::Changes);
                let done = changes.then(|| whether_done(&fault, progress.done()));
                Err(self.failure(&fault, done, &caller.grant).noting(note).masked(secrets))
            }
        }
    }

    async fn dispatch(
        &self,
        entry: &Entry,
        caller: &Caller,
        written: &str,
        args: Map<String, Value>,
        progress: &Progress,
        note: &mut Option<String>,
    ) -> Result<Outcome, Fault> {
        let asked = self.prepare(caller, entry, written, args)?;
        let params = asked.params.clone();
        let session = self.session_name(caller, &params)?;
        let place = match asked.prepared {
            Prepared::Tab { .. } => Some(self.order.place(session).await),
            Prepared::Session(_) | Prepared::Catalog(_) => None,
        };
        let call = Call {
            catalog: self,
            caller,
            session,
            params: &params,
            progress,
            unblocks: matches!(asked.prepared, Prepared::Tab { unblocks: true, .. }),
            leaves: entry.group == Group::Navigation && entry.access == Access::Changes,
            place: std::sync::Mutex::new(place),
            note: std::sync::Mutex::default(),
        };
        let result = self.carry_out(&call, entry, asked).await;
        // Told with a failure too.
        *note = call.note.into_inner().unwrap_or_default();
        result
    }

    /// Does what was asked for.
    async fn carry_out(
        &self,
        call: &Call<'_>,
        entry: &Entry,
        asked: Asked,
    ) -> Result<Outcome, Fault> {
        let Asked { prepared, on_page, part, carried, .. } = asked;
        let Call { caller, session, params, progress, .. } = *call;
        match prepared {
            Prepared::Catalog(run) => {
                let output = run(call).await?;
                self.all_denied(caller, entry.name, &output.denials());
                Ok(Outcome::of(output))
            }
            Prepared::Session(run) => {
                let session = self.sessions.open(session).await?;
                let limit = params.timeout.unwrap_or(self.timeout);
                let context = CallContext::new(limit, progress.clone())
                    .answering(caller.grant.has(actions::Dialog::NAME))
                    .revealing(caller.grant.reveals())
                    .reaching(caller.grant.reach())
                    .with_folders(caller.grant.folders().clone());
                let result = session.within(limit, entry.name, run(&session, &context)).await;
                keep_note(call, &session);
                let mut output = result?;
                output.only_of(&|url| on_page.tells(url));
                Ok(Outcome::of(output))
            }
            Prepared::Tab { targets, unblocks, sees_dialogs, delay, run, .. } => {
                if let Some(part) = &part
                    && let Some(rest) = part.read_on(self.sessions.open(session).await?.as_ref())?
                {
                    return Ok(rest);
                }
                let timeout = self.deadline(params, entry, delay);
                let changes = params.changes;
                let watched = changes && entry.access == Access::Changes;
                let (name, progress) = (entry.name, progress.clone());
                let done = self.on_tab(call, &targets, timeout, watched, carried, move |tab| {
                    Box::pin(async move {
                        let unblocks = unblocks || (sees_dialogs && tab.meets_dialog());
                        let mut output =
                            run_on(tab, &on_page, unblocks, run, name, &progress).await?;
                        settle(tab, &on_page, output.as_mut(), changes).await?;
                        Ok(output)
                    })
                });
                // Before it is cut and kept: a part of a secret could not be recognised.
                let output = done.await?;
                self.all_denied(caller, entry.name, &output.denials());
                let outcome = Outcome::of(output).masked(&self.hidden(caller, Some(session)));
                Ok(match part {
                    Some(part) => part.first(self.sessions.open(session).await?.as_ref(), outcome),
                    None => outcome,
                })
            }
        }
    }

    /// Reads what an action is to do, and asks the grant: once for each call, and for each step of
    /// a batch as for a call of its own.
    pub(crate) fn prepare(
        &self,
        caller: &Caller,
        entry: &Entry,
        written: &str,
        mut args: Map<String, Value>,
    ) -> Result<Asked, Fault> {
        let on_page = caller.grant.judge(entry, written, &args)?;
        let carried = secrets::put_in(entry, &mut args, &self.sessions.settings().secrets)?;
        let params = CallParams::take(&mut args, entry.own)?;
        let part = Part::take(entry, &mut args)?;
        let prepared = (entry.prepare)(Value::Object(args))?;
        if let Prepared::Tab { runs: Some(name), .. } = &prepared
            && let Some(other) = self.find(name)
        {
            caller.grant.check_inner(other, written)?;
        }
        Ok(Asked { params, prepared, on_page, part, carried })
    }

    /// Does work in the turn of the tab a call is about.
    pub(crate) async fn on_tab<T: Send + 'static>(
        &self,
        call: &Call<'_>,
        targets: &[Target],
        timeout: Duration,
        watched: bool,
        carried: Vec<Bound>,
        work: impl for<'t> FnOnce(&'t mut Tab) -> Boxed<'t, Result<T, Fault>> + Send + 'static,
    ) -> Result<T, Fault> {
        let caller = call.caller;
        let place = match call.take_place() {
            Some(place) => place,
            None => self.order.place(call.session).await,
        };
        // Getting a browser may take minutes the first time: outside the call's timeout.
        let session = self.sessions.open(call.session).await?;
        self.begin(caller, &session).await?;
        let ref_number = targets.iter().find_map(Target::ref_number);
        let tab = session.tab_for(call.params.tab_id, ref_number).await?;
        let context = CallContext::new(timeout, call.progress.clone())
            .comparing(watched)
            .unblocking(call.unblocks)
            .leaving(call.leaves)
            .answering(caller.grant.has(actions::Dialog::NAME))
            .revealing(caller.grant.reveals())
            .with_folders(caller.grant.folders().clone())
            .reaching(caller.grant.reach())
            .with_longest_snapshot(self.longest_snapshot)
            .carrying(carried);
        let result = tab.run_from(place, context, work).await;
        keep_note(call, &session);
        result
    }

    /// The session a call is about: the caller's own, or one it has a handle of. To anybody else a
    /// handle means nothing.
    fn session_name<'a>(
        &self,
        caller: &'a Caller,
        params: &'a CallParams,
    ) -> Result<&'a str, Fault> {
        match params.session.as_deref() {
            None => Ok(&caller.session),
            Some(own) if own == caller.session => Ok(own),
            Some(handle) if self.handles.belongs(handle, &caller.session) => Ok(handle),
            Some(other) => {
                let session = btcp_engine::text::cut(other, 64);
                Err(btcp_engine::Error::SessionGone { session }.into())
            }
        }
    }

    /// How long a call may take, or takes if it is a delay; `None` if that cannot be said.
    pub fn patience(
        &self,
        caller: &Caller,
        name: &str,
        args: &Map<String, Value>,
    ) -> Option<Duration> {
        let entry = self.find(name)?;
        let Asked { params, prepared, .. } =
            self.prepare(caller, entry, name, args.clone()).ok()?;
        match prepared {
            Prepared::Tab { delay, .. } if !delay.is_zero() => Some(delay),
            Prepared::Tab { .. } | Prepared::Session(_) => {
                Some(params.timeout.unwrap_or(self.timeout))
            }
            Prepared::Catalog(_) => None,
        }
    }

    /// When a call ends. A delay asked for on purpose moves that back, and then `timeout` is not the limit.
    pub(crate) fn deadline(&self, params: &CallParams, entry: &Entry, delay: Duration) -> Duration {
        match delay.is_zero() || !entry.own.contains(&"timeout") {
            true => params.timeout.unwrap_or(self.timeout) + delay,
            false => self.timeout + delay,
        }
    }

    /// The first call of a session opens the caller's start page. If that fails this call says so,
    /// and the next one finds a blank page.
    async fn begin(&self, caller: &Caller, session: &Arc<Session>) -> Result<(), Fault> {
        let Some(url) = caller.start.clone().filter(|_| session.begins()) else { return Ok(()) };
        let tab = session.tab_for(None, None).await?;
        let context = CallContext::new(self.timeout, Progress::default());
        let arrived = tab.run(context, move |tab| {
            Box::pin(async move { tab.navigate(&url, WaitUntil::Load).await })
        });
        arrived.await.map(drop).map_err(Fault::Page)
    }

    /// A handle for another session of this caller's.
    pub(crate) fn make_handle(&self, owner: &str) -> Option<String> {
        self.handles.make(owner)
    }

    /// The sessions of a caller, and whether each is open: its own first.
    pub(crate) fn sessions_of(&self, owner: &str) -> Vec<(String, bool)> {
        let open = self.sessions.names();
        let all = std::iter::once(owner.to_owned()).chain(self.handles.of(owner));
        all.map(|name| (open.contains(&name), name)).map(|(open, name)| (name, open)).collect()
    }

    /// Ends a session; a handle of it stands for nothing any more.
    pub(crate) async fn end(&self, session: &str) {
        self.handles.remove(session);
        self.sessions.close(session).await;
    }

    /// What a caller may use where the protocol keeps no session: the means to name one too.
    pub fn stateless(&self, grant: &Grant) -> Grant {
        let more = self.entries.iter().filter(|entry| entry.stateless && !grant.has(entry.name));
        let names = grant.tools().iter().copied().chain(more.map(|entry| entry.name));
        grant.with_tools(names.collect())
    }

    fn failure(&self, fault: &Fault, done: Option<Done>, grant: &Grant) -> Failure {
        let hint = hints::best(fault, self, grant);
        Failure::new(fault, hint, done)
    }
}

/// What happened to the session is told with the answer.
fn keep_note(call: &Call<'_>, session: &Session) {
    let note = session.take_note();
    if let Ok(mut kept) = call.note.lock() {
        *kept = note;
    }
}

/// Waits for what came of an action, where that is to be told.
pub(crate) async fn settle(
    tab: &mut Tab,
    on_page: &OnPage,
    output: &mut dyn Output,
    patient: bool,
) -> Result<(), Fault> {
    let field = output.reads_back();
    if let Some(slot) = output.effect() {
        let effect = tab.settle(patient, field).await?;
        // What it led to may be nobody's business.
        let told = on_page.tells(&tab.url());
        *slot = Some(if told { effect } else { effect.without_page() });
    }
    Ok(())
}

/// Runs an action on a tab; a dialog in its way is told, or answered where nobody can.
pub(crate) async fn run_on(
    tab: &mut Tab,
    on_page: &OnPage,
    unblocks: bool,
    run: OnTab,
    name: &str,
    progress: &Progress,
) -> Result<Box<dyn Output>, Fault> {
    on_page.allows(&tab.url())?;
    let ran = match unblocks {
        true => run(tab).await,
        false => tab.undisturbed(run).await,
    };
    let mut output = ran.or_else(|fault| interrupted(fault, name, progress))?;
    if !on_page.tells(&tab.url()) {
        output.without_page();
    }
    Ok(output)
}

/// A dialog that opened after the action's event was sent is what came of it.
fn interrupted(fault: Fault, name: &str, progress: &Progress) -> Result<Box<dyn Output>, Fault> {
    match fault {
        Fault::Page(btcp_engine::Error::DialogOpen { .. }) if progress.this_part() != Done::No => {
            Ok(Box::new(Did::plain(format!("began to {name}"))))
        }
        other => Err(other),
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
