//! What we know of a tab, kept up to date by Chrome's events.
//!
//! The hub writes it, on the reading task, in short locked steps; whoever waits for
//! something subscribes to its changes. Nothing here talks to Chrome except to answer what
//! cannot wait: dialogs, and new frames that are held until we say go.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use btcp_cdp::{Connection, Event, SessionId, emulation, log, network, page, runtime, target};
use tokio::sync::watch;
use tokio::time::Instant;

use crate::console::Console;
use crate::dialog::{self, Dialog, Dialogs};
use crate::downloads::Downloads;
use crate::frame::{DOM_CONTENT_LOADED, Frames, LOADED};
use crate::network::Requests;

/// A tab as events have shaped it.
pub(crate) struct TabState {
    pub(crate) id: u32,
    pub(crate) target: String,
    pub(crate) session: SessionId,
    pub(crate) connection: Connection,
    /// Where its downloads go.
    pub(crate) downloads: PathBuf,
    facts: Mutex<Facts>,
    changed: watch::Sender<u64>,
}

/// What is known, all under one lock.
pub(crate) struct Facts {
    pub(crate) frames: Frames,
    pub(crate) dialogs: Dialogs,
    pub(crate) requests: Requests,
    pub(crate) console: Console,
    pub(crate) downloads: Downloads,
    /// Windows the page asked for: how many, and the tabs they became.
    pub(crate) windows: Windows,
    /// How often the main frame got another document or address.
    pub(crate) commits: u64,
    /// How often a navigation of the main frame began.
    pub(crate) starts: u64,
    /// Where the navigation that began last goes.
    pub(crate) heading: String,
    /// Whether the main frame is loading or about to.
    pub(crate) loading: bool,
    /// Whether Chrome has let it go: nothing may be asked of it before.
    pub(crate) begun: bool,
    pub(crate) crashed: bool,
    pub(crate) closed: bool,
    /// Sessions of workers, and what kind each is.
    pub(crate) workers: HashMap<SessionId, &'static str>,
}

/// Windows a page asked for.
#[derive(Debug, Default)]
pub(crate) struct Windows {
    /// How often it asked.
    pub(crate) asked: u64,
    /// The tabs that came of it: number and the address asked for.
    pub(crate) opened: Vec<(u32, String)>,
    /// Addresses asked for whose tab has not come yet.
    pub(crate) expected: Vec<String>,
}

impl TabState {
    pub(crate) fn new(
        id: u32,
        info: &target::TargetInfo,
        session: SessionId,
        connection: Connection,
        downloads: PathBuf,
    ) -> Self {
        let frames = Frames::new(&info.target_id, session.clone(), &info.url);
        Self {
            id,
            target: info.target_id.clone(),
            session,
            connection,
            downloads,
            facts: Mutex::new(Facts {
                frames,
                dialogs: Dialogs::default(),
                requests: Requests::new(),
                console: Console::default(),
                downloads: Downloads::default(),
                windows: Windows::default(),
                commits: 0,
                starts: 0,
                heading: String::new(),
                loading: false,
                begun: false,
                crashed: false,
                closed: false,
                workers: HashMap::new(),
            }),
            changed: watch::channel(0).0,
        }
    }

    /// The facts, for a short look; never across an await.
    pub(crate) fn facts(&self) -> MutexGuard<'_, Facts> {
        self.facts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until a question about the facts has an answer; `None` at the deadline.
    pub(crate) async fn until<T>(
        &self,
        deadline: Instant,
        mut question: impl FnMut(&Facts) -> Option<T>,
    ) -> Option<T> {
        let mut changes = self.changed.subscribe();
        loop {
            changes.mark_unchanged();
            if let Some(answer) = question(&self.facts()) {
                return Some(answer);
            }
            match tokio::time::timeout_at(deadline, changes.changed()).await {
                Ok(Ok(())) => {}
                Ok(Err(_)) | Err(_) => return question(&self.facts()),
            }
        }
    }

    /// Makes a new page ready before any of its scripts runs. Sent in one go: a paused target
    /// answers only after it was let go.
    pub(crate) fn begin(self: &Arc<Self>, viewport: (u32, u32)) {
        let (connection, session) = (&self.connection, Some(&self.session));
        begin_frames(connection, &self.session);
        connection.post(
            session,
            &emulation::SetDeviceMetricsOverride {
                width: viewport.0,
                height: viewport.1,
                device_scale_factor: 1.0,
                ..Default::default()
            },
        );
        connection.post(session, &emulation::SetFocusEmulationEnabled { enabled: true });
        let begun = connection.call(
            session,
            &runtime::RunIfWaitingForDebugger,
            Instant::now() + crate::browser::PROMPTLY,
        );
        // A navigation sent before Chrome has let the page go can crash its renderer.
        let state = self.clone();
        tokio::spawn(async move {
            let begun = begun.await;
            state.update(|facts| facts.begun = begun.is_ok());
        });
    }

    /// A frame of this tab lives in a process of its own.
    pub(crate) fn frame_attached_to(&self, session: &SessionId, info: &target::TargetInfo) {
        self.update(|facts| {
            facts.frames.attach(&info.target_id, info.parent_frame_id.as_deref(), session.clone());
        });
        begin_frames(&self.connection, session);
        self.connection.post(Some(session), &runtime::RunIfWaitingForDebugger);
    }

    /// A worker of this tab began: only its console is of interest.
    pub(crate) fn worker_attached(&self, session: &SessionId, kind: &'static str) {
        self.update(|facts| {
            facts.workers.insert(session.clone(), kind);
        });
        self.connection.post(Some(session), &runtime::RunIfWaitingForDebugger);
    }

    /// Every process of this tab that can log something.
    pub(crate) fn sessions(&self) -> Vec<SessionId> {
        let facts = self.facts();
        let mut sessions = vec![self.session.clone()];
        for id in facts.frames.below(&facts.frames.main) {
            let session = facts.frames.get(&id).map(|frame| &frame.session);
            sessions.extend(session.filter(|session| !sessions.contains(session)).cloned());
        }
        sessions.extend(facts.workers.keys().cloned());
        sessions
    }

    /// A process of this tab's frames is gone.
    pub(crate) fn session_ended(&self, session: &SessionId) {
        self.update(|facts| {
            if *session == self.session {
                facts.closed = true;
            } else if facts.workers.remove(session).is_none() {
                facts.frames.session_ended(session);
            }
        });
    }

    /// The renderer crashed: Chrome will answer nothing that is under way.
    pub(crate) fn crashed(&self) {
        self.update(|facts| facts.crashed = true);
        self.connection
            .fail_session(&self.session, btcp_cdp::Error::session_gone("the page crashed"));
    }

    /// Takes in an event of one of this tab's sessions.
    pub(crate) fn event(self: &Arc<Self>, session: &SessionId, event: &Event<'_>) {
        match event.method {
            "Page.frameAttached" => self.on(event, |facts, e: page::FrameAttached| {
                facts.frames.attach(&e.frame_id, Some(&e.parent_frame_id), session.clone());
            }),
            "Page.frameDetached" => self.on(event, |facts, e: page::FrameDetached| {
                // `swap` is a move to another process; the frame itself stays.
                if e.reason != "swap" {
                    facts.frames.detach(&e.frame_id);
                }
            }),
            "Page.frameNavigated" => {
                let commits = self.facts().commits;
                self.on(event, |facts, e| frame_navigated(facts, session, e));
                if self.facts().commits > commits {
                    self.prepare_world();
                }
            }
            "Page.navigatedWithinDocument" => {
                self.on(event, |facts, e: page::NavigatedWithinDocument| {
                    facts.commits += u64::from(e.frame_id == facts.frames.main);
                    if let Some(frame) = facts.frames.get_mut(&e.frame_id) {
                        frame.url = e.url;
                    }
                });
            }
            "Page.lifecycleEvent" => self.on(event, |facts, e: page::LifecycleEvent| {
                let stage = match e.name.as_str() {
                    "DOMContentLoaded" => DOM_CONTENT_LOADED,
                    "load" => DOM_CONTENT_LOADED | LOADED,
                    _ => return,
                };
                facts.frames.reached(&e.frame_id, &e.loader_id, stage);
            }),
            "Page.javascriptDialogOpening" => self.on(event, |facts, e| self.dialog(facts, e)),
            "Page.windowOpen" => self.on(event, |facts, e: page::WindowOpen| {
                facts.windows.asked += 1;
                facts.windows.expected.push(e.url);
            }),
            "Inspector.targetCrashed" if *session == self.session => self.crashed(),
            _ if event.method.starts_with("Runtime.") || event.method.starts_with("Log.") => {
                self.console_event(session, event);
            }
            _ => self.loading_event(event),
        }
    }

    /// What pages and workers log, and the worlds scripts run in.
    fn console_event(&self, session: &SessionId, event: &Event<'_>) {
        match event.method {
            "Runtime.consoleAPICalled" => self.on(event, |facts, e| {
                let context = facts.context_of(session);
                facts.console.called(session, context, e);
            }),
            "Runtime.exceptionThrown" => self.on(event, |facts, e| {
                let context = facts.context_of(session);
                facts.console.threw(session, context, e);
            }),
            "Log.entryAdded" => self.on(event, |facts, e: log::EntryAdded| {
                // Failed requests are reported as such, and workers speak for themselves.
                if !matches!(e.entry.source.as_str(), "network" | "worker") {
                    let context = facts.context_of(session);
                    facts.console.logged(session, context, e);
                }
            }),
            "Runtime.executionContextCreated" => {
                self.on(event, |facts, e: runtime::ExecutionContextCreated| {
                    let data = e.context.aux_data.filter(|data| data.is_default);
                    let frame = data.and_then(|data| data.frame_id);
                    if let Some(frame) = frame.and_then(|id| facts.frames.get_mut(&id)) {
                        frame.main_world = Some(e.context.id);
                    }
                });
            }
            _ => {}
        }
    }

    /// Navigations beginning and ending, and requests: what "at rest" is made of.
    fn loading_event(&self, event: &Event<'_>) {
        match event.method {
            "Page.frameStartedNavigating" => {
                self.on(event, |facts, e: page::FrameStartedNavigating| {
                    let elsewhere = e
                        .navigation_type
                        .as_deref()
                        .is_none_or(|kind| !kind.contains("ameDocument"));
                    if e.frame_id == facts.frames.main && elsewhere {
                        facts.heading = e.url;
                        facts.starts += 1;
                        facts.loading = true;
                    }
                });
            }
            "Page.frameRequestedNavigation" => {
                self.on(event, |facts, e: page::FrameRequestedNavigation| {
                    if e.frame_id == facts.frames.main && e.disposition == "currentTab" {
                        facts.starts += 1;
                        facts.loading = true;
                    }
                });
            }
            "Page.frameStartedLoading" => self.on(event, |facts, e: page::FrameStartedLoading| {
                facts.loading |= e.frame_id == facts.frames.main;
            }),
            "Page.frameStoppedLoading" => self.on(event, |facts, e: page::FrameStoppedLoading| {
                facts.loading &= e.frame_id != facts.frames.main;
            }),
            "Network.requestWillBeSent" => {
                self.on(event, |facts, e: network::RequestWillBeSent| {
                    let (method, url) = (&e.request.method, &e.request.url);
                    facts.requests.start(&e.request_id, e.kind.as_deref(), method, url);
                })
            }
            "Network.responseReceived" => self.on(event, |facts, e: network::ResponseReceived| {
                facts.requests.answered(&e.request_id, e.response.status, &e.response.mime_type);
            }),
            "Network.dataReceived" => self.on(event, |facts, e: network::DataReceived| {
                facts.requests.heard(&e.request_id);
            }),
            "Network.loadingFinished" => self.on(event, |facts, e: network::LoadingFinished| {
                facts.requests.end(&e.request_id);
            }),
            "Network.loadingFailed" => self.on(event, |facts, e: network::LoadingFailed| {
                facts.requests.fail(&e.request_id, &e.error_text, e.canceled);
            }),
            _ => {}
        }
    }

    fn on<E: btcp_cdp::EventKind>(&self, event: &Event<'_>, change: impl FnOnce(&mut Facts, E)) {
        if let Some(event) = event.read::<E>() {
            self.update(|facts| change(facts, event));
        }
    }

    pub(crate) fn update(&self, change: impl FnOnce(&mut Facts)) {
        change(&mut self.facts());
        self.changed.send_modify(|serial| *serial += 1);
    }

    /// Answers a dialog at once: its page is blocked until somebody does.
    fn dialog(&self, facts: &mut Facts, event: page::JavascriptDialogOpening) {
        let accept = dialog::accepts(&event.kind);
        facts.dialogs.add(Dialog {
            kind: event.kind,
            message: event.message,
            answered: Some(if accept { "accepted" } else { "dismissed" }),
        });
        self.connection
            .post(Some(&self.session), &page::HandleJavaScriptDialog { accept, prompt_text: None });
    }
}

/// What every process with frames of a tab must report.
fn begin_frames(connection: &Connection, session: &SessionId) {
    let session = Some(session);
    connection.post(session, &page::Enable);
    connection.post(session, &page::SetLifecycleEventsEnabled { enabled: true });
    connection.post(session, &network::Enable::default());
    connection.post(session, &log::Enable);
    connection.post(
        session,
        &target::SetAutoAttach {
            auto_attach: true,
            wait_for_debugger_on_start: true,
            flatten: true,
            filter: Some(&[
                target::FilterEntry { kind: Some("iframe"), exclude: None },
                target::FilterEntry { kind: Some("worker"), exclude: None },
            ]),
        },
    );
}

impl Facts {
    /// Whose console a session's messages are.
    fn context_of(&self, session: &SessionId) -> &'static str {
        self.workers.get(session).copied().unwrap_or("page")
    }
}

fn frame_navigated(facts: &mut Facts, session: &SessionId, event: page::FrameNavigated) {
    let frame = event.frame;
    if facts.frames.get(&frame.id).is_none() {
        facts.frames.attach(&frame.id, frame.parent_id.as_deref(), session.clone());
    }
    let is_main = frame.id == facts.frames.main;
    let restored = event.kind.as_deref() == Some("BackForwardCacheRestore");
    let url =
        frame.unreachable_url.unwrap_or(frame.url) + frame.url_fragment.as_deref().unwrap_or("");
    facts.frames.navigated(&frame.id, &frame.loader_id, url, frame.name.unwrap_or_default());
    if restored {
        // No loading happens and no stage is reported: the document comes back as it was.
        facts.frames.reached(&frame.id, &frame.loader_id, DOM_CONTENT_LOADED | LOADED);
    }
    if is_main {
        facts.commits += 1;
        facts.crashed = false;
        facts.requests.reset();
    }
}
