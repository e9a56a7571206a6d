//! A session: one conversation's browser, with its tabs, cookies, storage and refs.
//!
//! Lives in a browser context of its own, or as a guest in a person's (`tenure.rs`). Work on a tab's page goes through that tab (`tab.rs`);
//! what is asked of the session itself never waits for a page.

use std::any::Any;
use std::fmt;
use std::future::Future;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, Weak};
use std::time::Duration;

use btcp_cdp::{Connection, target};
use tokio::sync::watch;
use tokio::time::Instant;

use crate::browser::{Browser, PROMPTLY};
use crate::clipboard::Clipboard;
use crate::downloads::{Download, DownloadState};
use crate::egress::{Guard, Witness};
use crate::error::{Error, Result};
use crate::memory::Ended;
use crate::recovery::{Kept, KeptTabs, Note};
use crate::refs::Refs;
use crate::secrets::Passwords;
use crate::sessions::lock;
use crate::state::Keeper;
use crate::tab::{TabHandle, serve};
use crate::tab_state::{Shared, TabState};
use crate::tabs::Tabs;

/// One conversation's browser: tabs, cookies, storage, refs.
pub struct Session {
    /// Set when somebody wants it.
    name: OnceLock<String>,
    context: Option<String>,
    folder: PathBuf,
    shots: AtomicU32,
    pub(crate) browser: Arc<Browser>,
    pub(crate) refs: Mutex<Refs>,
    tabs: Mutex<Tabs>,
    /// Copies what its pages store.
    pub(crate) keeper: Keeper,
    /// Its tabs at the moment its browser was gone.
    pub(crate) lost: OnceLock<KeptTabs>,
    /// Pages that were ended because they took too much memory.
    pub(crate) ended_pages: Ended,
    /// What happened to it that the agent does not know yet.
    pub(crate) note: Mutex<Option<Note>>,
    changed: watch::Sender<()>,
    shared: Arc<Shared>,
    ended: AtomicBool,
    begun: AtomicBool,
    /// What its callers keep with it.
    beside: Mutex<Option<Arc<dyn Any + Send + Sync>>>,
    /// Bytes of files its pages were given.
    uploaded: AtomicU64,
    /// What was copied in it.
    pub(crate) clipboard: Clipboard,
    /// Whether a page of it was given a secret.
    pub(crate) uses_secrets: AtomicBool,
    /// What was typed into its password fields.
    pub(crate) passwords: Arc<Passwords>,
}

impl Session {
    /// A new one, or what is left of one whose browser crashed. One without a name is in readiness.
    pub(crate) async fn begin(
        name: Option<&str>,
        browser: Arc<Browser>,
        kept: Option<&Kept>,
    ) -> Result<Arc<Self>> {
        let memory = kept.map(Kept::egress).unwrap_or_default();
        let (context, guard) = browser.home(memory).await?;
        let folder = match kept {
            Some(kept) => kept.folder().to_owned(),
            None => crate::capture::folder(browser.settings.out.as_deref(), name),
        };
        let shared = Shared::new(
            folder.join("downloads"),
            context.as_deref(),
            &browser.settings,
            guard,
            browser.own_agent(),
            kept.map(Kept::emulation),
        );
        let session = Arc::new(Self {
            name: name.map(|name| OnceLock::from(name.to_owned())).unwrap_or_default(),
            context,
            folder,
            shots: AtomicU32::new(kept.map_or(0, Kept::files)),
            browser,
            refs: Mutex::new(kept.map(Kept::refs).unwrap_or_default()),
            tabs: Mutex::default(),
            keeper: kept.map(|kept| Keeper::from(kept.copy())).unwrap_or_default(),
            lost: OnceLock::new(),
            ended_pages: Ended::default(),
            note: Mutex::default(),
            changed: watch::channel(()).0,
            shared: Arc::new(shared),
            ended: AtomicBool::new(false),
            begun: AtomicBool::new(kept.is_some()),
            beside: Mutex::default(),
            uploaded: AtomicU64::new(0),
            clipboard: Clipboard::default(),
            // What a page was given before a crash it may have stored.
            uses_secrets: AtomicBool::new(kept.is_some()),
            passwords: kept.map(Kept::passwords).unwrap_or_default(),
        });
        if let Some(context) = session.context() {
            session.browser.hub.add_session(context, &session);
        }
        if session.browser.is_kept() {
            session.browser.hub.add_only(&session);
        }
        let witness: Weak<dyn Witness> = Arc::<Self>::downgrade(&session);
        session.guard().memory.held.begin(witness);
        if session.guard().memory.held.any() {
            session.browser.hold_workers();
        }
        session.browser.keep_downloads(session.context(), &session.shared.downloads.folder);
        match kept {
            Some(kept) => session.resume(kept).await?,
            None => session.browser.first_tab(&session).await?,
        }
        Ok(session)
    }

    /// Its name; one conversation has one.
    pub fn name(&self) -> &str {
        self.name.get().map_or("", String::as_str)
    }

    /// Somebody wants it.
    pub(crate) fn take_name(&self, name: &str) {
        // It was in nobody's hands before.
        let _ = self.name.set(name.to_owned());
    }

    /// What its browser says it is, such as `Chrome/156.0.8078.79`.
    pub fn product(&self) -> &str {
        &self.browser.tenure.version().product
    }

    /// Where its files go.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// What its tabs have in common.
    pub(crate) fn shared(&self) -> &Arc<Shared> {
        &self.shared
    }

    /// Through which all it sends must go.
    pub(crate) fn guard(&self) -> &Arc<Guard> {
        &self.shared.guard
    }

    /// The browser context it lives in; none is a person's own.
    pub(crate) fn context(&self) -> Option<&str> {
        self.context.as_deref()
    }

    /// Opens an empty tab and waits until it is there.
    pub(crate) async fn new_tab(self: &Arc<Self>) -> Result<TabHandle> {
        let target = self.browser.open_page(self, self.emulation().viewport).await?;
        self.until_there(&target).await
    }

    /// Waits until a page is one of its tabs.
    pub(crate) async fn until_there(&self, target: &str) -> Result<TabHandle> {
        let deadline = Instant::now() + PROMPTLY;
        let mut changes = self.changed.subscribe();
        loop {
            changes.mark_unchanged();
            if let Some(tab) = self.tabs().of_target(target) {
                return Ok(tab);
            }
            if tokio::time::timeout_at(deadline, changes.changed()).await.is_err() {
                return Err(Error::Timeout { after: PROMPTLY, waiting_for: "a new tab".into() });
            }
        }
    }

    /// Whether this is asked for the first time.
    pub fn begins(&self) -> bool {
        !self.begun.swap(true, Ordering::Relaxed)
    }

    /// The files its pages handed over, oldest first.
    pub fn downloads(&self) -> Vec<Download> {
        self.shared.downloads.list()
    }

    /// How many bytes have come of the downloads that run, and how many there will be, where servers say so.
    pub fn downloading(&self) -> Option<(u64, u64)> {
        let all = self.shared.downloads.list();
        let running = all.iter().filter(|download| download.state == DownloadState::Running);
        let known = running.filter_map(|one| Some((one.bytes, one.total?)));
        known.reduce(|a, b| (a.0.saturating_add(b.0), a.1.saturating_add(b.1)))
    }

    /// Waits until the download of this number, or every one, has ended.
    pub async fn downloads_ended(&self, id: Option<u32>) {
        let runs = |download: &Download| {
            download.state == DownloadState::Running && id.is_none_or(|id| download.id == id)
        };
        let over = |list: &[Download]| (!list.iter().any(runs)).then_some(());
        self.shared.downloads.until(over).await;
    }

    /// The hub found a page of this session's context; `None` when it has too many already.
    pub(crate) fn add_tab(
        self: &Arc<Self>,
        event: &target::AttachedToTarget,
        connection: Connection,
        lent: bool,
    ) -> Option<Arc<TabState>> {
        let (info, session) = (&event.target_info, event.session_id.clone());
        let opener = info.opener_id.as_deref();
        let state = {
            let mut tabs = self.tabs();
            if opener.is_some() && tabs.len() >= self.browser.settings.max_tabs {
                tabs.refused_to(opener);
                return None;
            }
            let id = tabs.next_id();
            let shared = self.shared.clone();
            let state = Arc::new(TabState::new(id, info, session, connection, shared, lent));
            tabs.opened_by(opener, &state);
            tabs.add(serve(self, state.clone()), opener);
            state
        };
        state.begin(!event.waiting_for_debugger);
        self.changed.send_replace(());
        Some(state)
    }

    /// The tab a call goes to: the one it names, its ref's, or the current one. A session whose
    /// last tab was closed gets a new one.
    pub async fn tab_for(
        self: &Arc<Self>,
        id: Option<u32>,
        ref_number: Option<u32>,
    ) -> Result<TabHandle> {
        if self.browser.is_gone() {
            return Err(self.gone());
        }
        if let Some(id) = id {
            return self.tabs().get(id);
        }
        let of_ref = ref_number
            .and_then(|number| lock(&self.refs).get(number).map(|issued| issued.place.tab));
        let found = {
            let mut tabs = self.tabs();
            of_ref.and_then(|id| tabs.get(id).ok()).or_else(|| tabs.current())
        };
        match found {
            Some(tab) => Ok(tab),
            None if self.is_gone() => Err(self.gone()),
            None => self.new_tab().await,
        }
    }

    /// The state of the current tab.
    pub(crate) fn current(&self) -> Option<Arc<TabState>> {
        self.tabs().current().map(|tab| tab.state)
    }

    /// Whether Chrome has to be told to bring a tab to the front of its window.
    pub(crate) fn bring_to_front(&self, id: u32) -> bool {
        self.tabs().bring_to_front(id)
    }

    /// Runs session work within a limit of time.
    pub async fn within<T, E: From<Error>>(
        &self,
        limit: Duration,
        what: &str,
        work: impl Future<Output = Result<T, E>>,
    ) -> Result<T, E> {
        match tokio::time::timeout(limit, work).await {
            Ok(result) => result,
            Err(_) => Err(Error::Timeout { after: limit, waiting_for: what.to_owned() }.into()),
        }
    }

    /// Where this session's files go, and a number for the next one.
    pub(crate) fn next_file(&self) -> (PathBuf, u32) {
        (self.folder.clone(), self.shots.fetch_add(1, Ordering::Relaxed) + 1)
    }

    /// Writes a text into the session's folder.
    pub fn save_text(&self, text: &str) -> Result<PathBuf> {
        let (folder, number) = self.next_file();
        let path = folder.join(format!("answer-{number}.txt"));
        crate::capture::save(&folder, &path, text.as_bytes())?;
        Ok(path)
    }

    /// Keeps something of a caller's for as long as the session lives, in place of what was kept
    /// before.
    pub fn keep_beside<T: Any + Send + Sync>(&self, what: Arc<T>) {
        *lock(&self.beside) = Some(what);
    }

    /// What was kept last, if it is of this kind.
    pub fn kept<T: Any + Send + Sync>(&self) -> Option<Arc<T>> {
        let beside = lock(&self.beside).clone();
        beside.and_then(|what| what.downcast().ok())
    }

    /// Counts bytes its pages are given; how many there were before.
    pub(crate) fn uploaded(&self, bytes: u64) -> u64 {
        self.uploaded.fetch_add(bytes, Ordering::Relaxed)
    }

    /// How many files it has numbered.
    pub(crate) fn files_so_far(&self) -> u32 {
        self.shots.load(Ordering::Relaxed)
    }

    /// Whether it was ended on purpose.
    pub(crate) fn is_ended(&self) -> bool {
        self.ended.load(Ordering::Relaxed)
    }

    pub(crate) fn is_gone(&self) -> bool {
        self.browser.is_gone() || self.ended.load(Ordering::Relaxed)
    }

    pub(crate) fn gone(&self) -> Error {
        let reason = self.browser.hub.gone().unwrap_or_else(|| "its session was closed".into());
        self.browser.gone(reason)
    }

    /// It was ended on purpose; nothing of it is kept.
    pub(crate) fn leave(&self) {
        if let Some(context) = self.context() {
            self.browser.hub.remove_session(context);
        }
        self.ended.store(true, Ordering::Relaxed);
        crate::upload::clear(&self.folder);
    }

    pub(crate) async fn end(&self) {
        self.leave();
        self.browser.clear_home(self).await;
    }

    pub(crate) fn tabs(&self) -> MutexGuard<'_, Tabs> {
        lock(&self.tabs)
    }
}

/// A session nobody has any more, one that was ended while it was opened for example, takes its
/// context along.
impl Drop for Session {
    fn drop(&mut self) {
        if self.name.get().is_none() {
            // Nobody wanted it: there is nothing in it.
            let _ = std::fs::remove_dir(&self.folder);
        }
        if self.ended.load(Ordering::Relaxed) {
            return;
        }
        if let Some(context) = self.context() {
            self.browser.hub.remove_session(context);
        }
        self.browser.post_clear_home(self);
    }
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session").field("name", &self.name()).finish_non_exhaustive()
    }
}
