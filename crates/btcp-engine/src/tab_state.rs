//! What we know of a tab, kept up to date by Chrome's events.
//!
//! The hub writes it, on the reading task, in short locked steps; whoever waits for
//! something subscribes to its changes. Nothing here talks to Chrome except to answer what
//! cannot wait: dialogs, and new frames that are held until we say go.

use std::collections::{HashMap, HashSet, VecDeque};
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use btcp_cdp::{Connection, Event, SessionId, emulation, log, network, page, runtime, target};
use tokio::sync::watch;
use tokio::time::Instant;

use crate::console::Console;
use crate::dialog::Dialogs;
use crate::downloads::{Download, Shelf};
use crate::egress::{Guard, Host, host_of};
use crate::emulation::{self as believed, Emulation, OwnAgent, To};
use crate::frame::Frames;
use crate::headers::Header;
use crate::holding;
use crate::network::Requests;
use crate::page_tools::ToolAnswers;
use crate::prompts::{self, Credential};
use crate::sessions::lock;
use crate::settings::Settings;
use crate::upload::Awaited;

/// A tab as events have shaped it.
pub(crate) struct TabState {
    pub(crate) id: u32,
    pub(crate) target: String,
    /// A person's, who lends it: it is neither resized nor closed by itself.
    pub(crate) lent: bool,
    /// A page that can lead it somewhere opened it.
    pub(crate) has_kin: bool,
    pub(crate) session: SessionId,
    pub(crate) connection: Connection,
    pub(crate) shared: Arc<Shared>,
    facts: Mutex<Facts>,
    changed: watch::Sender<u64>,
}

/// What all tabs of a session have in common.
pub(crate) struct Shared {
    /// The files their pages handed over.
    pub(crate) downloads: Shelf,
    /// Whether whoever called last can answer dialogs; if not, the engine does.
    pub(crate) answers: AtomicBool,
    /// What servers that ask for a password are given.
    pub(crate) credentials: Vec<Credential>,
    /// What requests to some origins are sent with.
    pub(crate) headers: Vec<Header>,
    /// What their pages believe of the device they are on.
    pub(crate) emulation: Mutex<Emulation>,
    /// What Chrome calls itself.
    pub(crate) own: OwnAgent,
    /// Every worker of theirs.
    pub(crate) workers: Mutex<Vec<SessionId>>,
    /// Through which everything they send goes.
    pub(crate) guard: Arc<Guard>,
    /// Whether Chrome's clipboard is a person's.
    pub(crate) desktop: bool,
}

impl Shared {
    pub(crate) fn new(
        downloads: PathBuf,
        context: Option<&str>,
        settings: &Settings,
        guard: Arc<Guard>,
        own: OwnAgent,
        emulation: Option<Emulation>,
    ) -> Self {
        let emulation = emulation.unwrap_or_else(|| Emulation::new(settings.viewport));
        Self {
            desktop: settings.headed || settings.connect.is_some(),
            downloads: Shelf::new(downloads, context, settings),
            answers: AtomicBool::new(false),
            credentials: settings.credentials.clone(),
            headers: settings.headers.clone(),
            emulation: Mutex::new(emulation),
            own,
            workers: Mutex::default(),
            guard,
        }
    }
}

/// What is known, all under one lock.
pub(crate) struct Facts {
    /// The tab's number.
    pub(crate) id: u32,
    pub(crate) shared: Arc<Shared>,
    pub(crate) frames: Frames,
    pub(crate) dialogs: Dialogs,
    pub(crate) requests: Requests,
    pub(crate) console: Console,
    /// Windows the page asked for: how many, and the tabs they became.
    pub(crate) windows: Windows,
    /// How often the main frame got another document or address.
    pub(crate) commits: u64,
    /// The documents it got last, newest at the end.
    pub(crate) loaders: VecDeque<String>,
    /// Documents that were asked for last and given up.
    pub(crate) given_up: VecDeque<String>,
    /// How often its documents asked to go elsewhere, and which did last.
    pub(crate) asked_to_leave: u64,
    pub(crate) asked_by: String,
    /// How often a navigation of the main frame began.
    pub(crate) starts: u64,
    /// Whether Chrome shows why the main document did not come, in its place.
    pub(crate) failed: bool,
    /// Why the rest of the main document will not come.
    pub(crate) broken: Option<String>,
    /// Where the navigation that began last goes.
    pub(crate) heading: String,
    /// Whether the main frame is loading or about to.
    pub(crate) loading: bool,
    /// Whether Chrome has let it go: nothing may be asked of it before.
    pub(crate) begun: bool,
    pub(crate) crashed: bool,
    /// Whether somebody was told, or is by other words, that this page crashed.
    pub(crate) crash_told: bool,
    /// Whether the process of a page that would not be left, which we end, is gone. Such an end is
    /// no crash.
    pub(crate) ended: Option<bool>,
    /// Whether a call has waited for its page in vain since it last gave a sign of life.
    pub(crate) hung: bool,
    /// Whether it did not even answer a question of ours while a call waits for it. Not yet hung:
    /// that is said of a page only when a call's whole time was not enough.
    pub(crate) deaf: bool,
    /// Processes of its frames and workers that do not answer at present.
    pub(crate) silent: HashSet<SessionId>,
    /// Whether its requests are answered with an empty document instead of by their servers.
    pub(crate) emptied: bool,
    pub(crate) closed: bool,
    /// The page's title, as Chrome tells it of its own accord.
    pub(crate) title: String,
    /// Sessions of workers, and what kind each is.
    pub(crate) workers: HashMap<SessionId, &'static str>,
    /// Whose code they run, where that is known.
    pub(crate) worker_hosts: HashMap<SessionId, Option<Host>>,
    /// Requests to private hosts by TLS, with the hosts of the documents that ask.
    pub(crate) askers: VecDeque<(String, Option<Host>)>,
    /// The frame of the page that was shown to whoever watches it, base64.
    pub(crate) watched: Option<String>,
    /// Requests whose servers were given a password.
    pub(crate) asked: HashSet<String>,
    /// Whether a chooser is waited for, and the one that opened.
    pub(crate) chooser: Awaited,
    /// What tools of its pages answered while a call waits for one.
    pub(crate) tool_answers: ToolAnswers,
}

/// Windows a page asked for.
#[derive(Debug, Default)]
pub(crate) struct Windows {
    /// How often it asked.
    pub(crate) asked: u64,
    /// The tabs that came of it: number and the address asked for.
    pub(crate) opened: Vec<(u32, String)>,
    /// How often the session had too many tabs to give it one.
    pub(crate) refused: u64,
    /// Addresses asked for whose tab has not come yet.
    pub(crate) expected: Vec<String>,
}

/// How many windows are remembered whose tab has not come.
pub(crate) const EXPECTED: usize = 100;

impl TabState {
    pub(crate) fn new(
        id: u32,
        info: &target::TargetInfo,
        session: SessionId,
        connection: Connection,
        shared: Arc<Shared>,
        lent: bool,
    ) -> Self {
        let frames = Frames::new(&info.target_id, session.clone(), &info.url);
        Self {
            id,
            target: info.target_id.clone(),
            lent,
            has_kin: info.opener_id.is_some(),
            session,
            connection,
            shared: shared.clone(),
            facts: Mutex::new(Facts {
                id,
                shared,
                frames,
                dialogs: Dialogs::default(),
                requests: Requests::new(),
                console: Console::default(),
                windows: Windows::default(),
                commits: 0,
                loaders: VecDeque::new(),
                given_up: VecDeque::new(),
                asked_to_leave: 0,
                asked_by: String::new(),
                starts: 0,
                failed: false,
                broken: None,
                heading: String::new(),
                loading: false,
                begun: false,
                crashed: false,
                crash_told: false,
                ended: None,
                hung: false,
                deaf: false,
                silent: HashSet::new(),
                emptied: false,
                closed: false,
                title: info.title.clone(),
                workers: HashMap::new(),
                worker_hosts: HashMap::new(),
                askers: VecDeque::new(),
                watched: None,
                asked: HashSet::new(),
                chooser: Awaited::No,
                tool_answers: ToolAnswers::default(),
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
    /// answers only after it was let go. One that could not be held may have begun before.
    pub(crate) fn begin(self: &Arc<Self>, runs: bool) {
        let (connection, session) = (&self.connection, Some(&self.session));
        self.begin_frames(&self.session);
        // A person's window has the size they gave it.
        if !self.lent {
            self.tell_belief(&self.session, To::Page);
        }
        connection.post(session, &emulation::SetFocusEmulationEnabled { enabled: true });
        let begun = connection.call(
            session,
            &runtime::RunIfWaitingForDebugger,
            Instant::now() + crate::browser::PROMPTLY,
        );
        let soon = Instant::now() + crate::browser::PROMPTLY;
        let there = runs.then(|| connection.call(session, &page::GetFrameTree, soon));
        // A navigation sent before Chrome has let the page go can crash its renderer.
        let state = self.clone();
        tokio::spawn(async move {
            let begun = begun.await;
            if let Some(there) = there
                && let Ok(there) = there.await
            {
                state.update(|facts| facts.catch_up(&state.session, &there.frame_tree));
            }
            state.update(|facts| facts.begun = begun.is_ok());
        });
    }

    /// A frame of this tab lives in a process of its own.
    pub(crate) fn frame_attached_to(&self, session: &SessionId, info: &target::TargetInfo) {
        self.update(|facts| {
            facts.frames.attach(&info.target_id, info.parent_frame_id.as_deref(), session.clone());
        });
        self.begin_frames(session);
        self.tell_belief(session, To::Frame);
        self.connection.post(Some(session), &runtime::RunIfWaitingForDebugger);
    }

    /// What a process that begins is to believe of its device.
    fn tell_belief(&self, session: &SessionId, to: To) {
        let emulation = lock(&self.shared.emulation).clone();
        believed::tell(&self.connection, session, to, &emulation, &self.shared.own, false);
    }

    /// A worker of this tab began: its console is of interest, and what it believes.
    pub(crate) fn worker_attached(
        &self,
        session: &SessionId,
        kind: &'static str,
        info: &target::TargetInfo,
    ) {
        self.update(|facts| {
            facts.workers.insert(session.clone(), kind);
            facts.worker_hosts.insert(session.clone(), host_of(&info.url));
        });
        lock(&self.shared.workers).push(session.clone());
        self.tell_belief(session, To::Worker);
        prompts::hold_of_worker(&self.connection, session, &self.shared);
        holding::begin_worker(&self.connection, session, &self.shared);
        self.connection.post(Some(session), &runtime::RunIfWaitingForDebugger);
    }

    /// Every process of this tab that can log something.
    pub(crate) fn sessions(&self) -> Vec<SessionId> {
        let facts = self.facts();
        let mut sessions = facts.frames.sessions();
        sessions.extend(facts.workers.keys().cloned());
        sessions
    }

    /// A process of this tab's frames is gone.
    pub(crate) fn session_ended(&self, session: &SessionId) {
        lock(&self.shared.workers).retain(|worker| worker != session);
        self.shared.guard.memory.held.session_ended(session.as_str());
        self.update(|facts| {
            facts.worker_hosts.remove(session);
            if *session == self.session {
                facts.closed = true;
                facts.dialogs.dropped();
            } else if facts.workers.remove(session).is_none() {
                facts.frames.session_ended(session);
            }
        });
    }

    /// It was closed by us: what waits for it need not wait for Chrome to say so.
    pub(crate) fn close(&self) {
        self.update(|facts| facts.closed = true);
        self.connection
            .fail_session(&self.session, btcp_cdp::Error::session_gone("the tab was closed"));
    }

    /// The address of its page.
    pub(crate) fn url(&self) -> String {
        self.facts().url()
    }

    /// The renderer crashed: Chrome will answer nothing that is under way.
    pub(crate) fn crashed(&self) {
        let mut known = false;
        self.update(|facts| {
            // Chrome tells it twice.
            known = facts.crashed || facts.ended == Some(true);
            match &mut facts.ended {
                Some(ended) => *ended = true,
                None => facts.crashed = true,
            }
            facts.dialogs.dropped();
        });
        if known {
            return;
        }
        self.connection
            .fail_session(&self.session, btcp_cdp::Error::session_gone("the page crashed"));
    }

    /// A process of its frames crashed: the page itself goes on without them.
    pub(crate) fn frame_crashed(&self, session: &SessionId) {
        let mut new = false;
        self.update(|facts| new = facts.frames.crash(session));
        if new {
            let crashed = btcp_cdp::Error::session_gone("the frame crashed");
            self.connection.fail_session(session, crashed);
        }
    }

    pub(crate) fn on<E: btcp_cdp::EventKind>(
        &self,
        event: &Event<'_>,
        change: impl FnOnce(&mut Facts, E),
    ) {
        if let Some(event) = event.read::<E>() {
            self.update(|facts| change(facts, event));
        }
    }

    pub(crate) fn update(&self, change: impl FnOnce(&mut Facts)) {
        change(&mut self.facts());
        self.changed.send_modify(|serial| *serial += 1);
    }

    /// What every process with frames of a tab must report.
    fn begin_frames(&self, id: &SessionId) {
        let (connection, session) = (&self.connection, Some(id));
        connection.post(session, &page::Enable);
        connection.post(session, &page::SetLifecycleEventsEnabled { enabled: true });
        connection.post(session, &network::Enable::default());
        connection.post(session, &log::Enable);
        for script in crate::page::with_every_document(self.shared.desktop) {
            connection.post(session, &script);
        }
        prompts::begin(connection, id, &self.shared);
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
}

impl Facts {
    /// The address of the page.
    pub(crate) fn url(&self) -> String {
        self.frames.main().map(|frame| frame.url.clone()).unwrap_or_default()
    }

    /// The first download since there were `count` of this tab or of one it opened.
    pub(crate) fn download_since(&self, count: u32) -> Option<Download> {
        let opened = |tab: u32| self.windows.opened.iter().any(|(id, _)| *id == tab);
        self.shared.downloads.since(count, |tab| tab == self.id || opened(tab))
    }
}
