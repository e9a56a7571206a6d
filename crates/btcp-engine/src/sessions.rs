//! Sessions: who owns which tabs. A session is one conversation's browser.
//!
//! The first is opened on first use and starts Chrome; all share it, each in a browser
//! context of its own. Work on a tab's page goes through that tab (`tab.rs`); what is asked
//! of the session itself never waits for a page.

use std::collections::HashMap;
use std::fmt;
use std::future::Future;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use btcp_cdp::{Connection, SessionId, target};
use tokio::sync::{OnceCell, watch};
use tokio::time::Instant;

use crate::browser::{Browser, PROMPTLY};
use crate::error::{Error, Result};
use crate::refs::Refs;
use crate::settings::Settings;
use crate::tab::{TabHandle, serve};
use crate::tab_state::TabState;

type Say = dyn Fn(&str) + Send + Sync;
type Slot<T> = Arc<OnceCell<Arc<T>>>;

/// All sessions of this process, and the Chrome they share.
pub struct Sessions {
    settings: Arc<Settings>,
    browser: Mutex<Slot<Browser>>,
    open: Mutex<HashMap<String, Slot<Session>>>,
    say: Mutex<Option<Arc<Say>>>,
}

impl Sessions {
    /// Nothing is started until a session is opened.
    pub fn new(settings: Settings) -> Arc<Self> {
        Arc::new(Self {
            settings: Arc::new(settings),
            browser: Mutex::default(),
            open: Mutex::default(),
            say: Mutex::default(),
        })
    }

    /// Hears what takes long (getting a browser), in lines for a person.
    pub fn on_progress(&self, say: impl Fn(&str) + Send + Sync + 'static) {
        *lock(&self.say) = Some(Arc::new(say));
    }

    /// Starts Chrome now instead of with the first session.
    pub async fn start(&self) -> Result<()> {
        self.browser().await.map(drop)
    }

    /// The names of the sessions that are open, in no order.
    pub fn names(&self) -> Vec<String> {
        let open = lock(&self.open);
        let is_open = |slot: &Slot<Session>| slot.get().is_some_and(|session| !session.is_gone());
        open.iter().filter(|(_, slot)| is_open(slot)).map(|(name, _)| name.clone()).collect()
    }

    /// The session of this name: the one there is, or a new one.
    pub async fn open(&self, name: &str) -> Result<Arc<Session>> {
        let slot = {
            let mut open = lock(&self.open);
            if open.get(name).is_some_and(|slot| slot.get().is_some_and(|s| s.is_gone())) {
                open.remove(name);
            }
            open.entry(name.to_owned()).or_default().clone()
        };
        slot.get_or_try_init(|| async { Session::begin(name, self.browser().await?).await })
            .await
            .cloned()
    }

    /// Ends one session; its tabs, cookies and storage are gone.
    pub async fn close(&self, name: &str) {
        let slot = lock(&self.open).remove(name);
        if let Some(session) = slot.as_ref().and_then(|slot| slot.get()) {
            session.end().await;
        }
    }

    /// Ends every session and Chrome.
    pub async fn close_all(&self) {
        lock(&self.open).clear();
        let slot = std::mem::take(&mut *lock(&self.browser));
        if let Some(browser) = slot.get() {
            browser.close().await;
        }
    }

    async fn browser(&self) -> Result<Arc<Browser>> {
        let slot = {
            let mut slot = lock(&self.browser);
            if slot.get().is_some_and(|browser| browser.is_gone()) {
                *slot = Slot::default();
            }
            slot.clone()
        };
        let say = lock(&self.say).clone();
        slot.get_or_try_init(|| async {
            let say = move |line: &str| match &say {
                Some(say) => say(line),
                None => tracing::info!("{line}"),
            };
            Browser::start(self.settings.clone(), &say).await.map(Arc::new)
        })
        .await
        .cloned()
    }
}

/// One conversation's browser: tabs, cookies, storage, refs.
pub struct Session {
    name: String,
    context: String,
    folder: PathBuf,
    shots: AtomicU32,
    pub(crate) browser: Arc<Browser>,
    pub(crate) refs: Mutex<Refs>,
    tabs: Mutex<Tabs>,
    changed: watch::Sender<()>,
}

#[derive(Default)]
struct Tabs {
    list: Vec<TabHandle>,
    current: u32,
    issued: u32,
}

impl Tabs {
    /// Tells the tab that asked for a window that it is there.
    fn opened_by(&self, opener: Option<&str>, new: &TabState) {
        let opener = self.list.iter().find(|tab| opener == Some(tab.target()));
        if let Some(opener) = opener {
            opener.state.update(|facts| {
                let windows = &mut facts.windows;
                let url = if windows.expected.is_empty() {
                    String::new()
                } else {
                    windows.expected.remove(0)
                };
                windows.opened.push((new.id, url));
            });
        }
    }
}

impl Session {
    async fn begin(name: &str, browser: Arc<Browser>) -> Result<Arc<Self>> {
        let made = browser
            .call(&target::CreateBrowserContext {
                dispose_on_detach: Some(true),
                ..Default::default()
            })
            .await?;
        let session = Arc::new(Self {
            name: name.to_owned(),
            context: made.browser_context_id,
            folder: crate::capture::folder(browser.settings.out.as_deref(), name),
            shots: AtomicU32::new(0),
            browser,
            refs: Mutex::default(),
            tabs: Mutex::default(),
            changed: watch::channel(()).0,
        });
        session.browser.hub.add_session(&session.context, &session);
        session.keep_downloads();
        session.new_tab().await?;
        Ok(session)
    }

    /// Its name; one conversation has one.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Opens a tab and waits until it is there.
    async fn new_tab(self: &Arc<Self>) -> Result<TabHandle> {
        let (width, height) = self.browser.settings.viewport;
        let made = self
            .browser
            .call(&target::CreateTarget {
                url: "about:blank",
                browser_context_id: Some(&self.context),
                // A tab behind another of its window can be neither captured nor animated.
                new_window: Some(true),
                width: Some(width),
                height: Some(height),
                background: None,
            })
            .await?;
        let deadline = Instant::now() + PROMPTLY;
        let mut changes = self.changed.subscribe();
        loop {
            changes.mark_unchanged();
            let tab = self.tabs().list.iter().find(|tab| tab.target() == made.target_id).cloned();
            if let Some(tab) = tab {
                return Ok(tab);
            }
            if tokio::time::timeout_at(deadline, changes.changed()).await.is_err() {
                return Err(Error::Timeout { after: PROMPTLY, waiting_for: "a new tab".into() });
            }
        }
    }

    /// Downloads go to the session's folder, not to the person's.
    fn keep_downloads(&self) {
        let folder = self.downloads();
        self.browser.connection.post(
            None,
            &btcp_cdp::browser::SetDownloadBehavior {
                behavior: "allowAndName",
                browser_context_id: Some(&self.context),
                download_path: folder.to_str(),
                events_enabled: Some(true),
            },
        );
    }

    fn downloads(&self) -> PathBuf {
        self.folder.join("downloads")
    }

    /// The hub found a page of this session's context.
    pub(crate) fn add_tab(
        self: &Arc<Self>,
        info: &target::TargetInfo,
        session: SessionId,
        connection: Connection,
    ) -> Arc<TabState> {
        let state = {
            let mut tabs = self.tabs();
            tabs.issued += 1;
            let state =
                Arc::new(TabState::new(tabs.issued, info, session, connection, self.downloads()));
            tabs.opened_by(info.opener_id.as_deref(), &state);
            tabs.list.push(serve(self, state.clone()));
            if tabs.current == 0 {
                tabs.current = state.id;
            }
            state
        };
        state.begin(self.browser.settings.viewport);
        self.changed.send_replace(());
        state
    }

    /// The tab a call goes to: the one it names, its ref's, or the current one.
    pub fn tab_for(&self, id: Option<u32>, ref_number: Option<u32>) -> Result<TabHandle> {
        let of_ref = ref_number
            .and_then(|number| lock(&self.refs).get(number).map(|issued| issued.place.tab));
        let mut tabs = self.tabs();
        tabs.list.retain(|tab| !tab.is_closed());
        if !tabs.list.iter().any(|tab| tab.id() == tabs.current) {
            tabs.current = tabs.list.last().map_or(0, TabHandle::id);
        }
        let wanted = id.or_else(|| of_ref.filter(|of| tabs.list.iter().any(|tab| tab.id() == *of)));
        let wanted = wanted.unwrap_or(tabs.current);
        let found = tabs.list.iter().find(|tab| tab.id() == wanted).cloned();
        found.ok_or_else(|| match id {
            Some(id) => Error::NoSuchTab { id },
            None if self.is_gone() => self.gone(),
            None => Error::SessionGone { session: self.name.clone() },
        })
    }

    /// The state of the current tab.
    pub(crate) fn current(&self) -> Option<Arc<TabState>> {
        let tabs = self.tabs();
        tabs.list.iter().find(|tab| tab.id() == tabs.current).map(|tab| tab.state.clone())
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

    pub(crate) fn is_gone(&self) -> bool {
        self.browser.is_gone() || self.tabs().list.iter().all(TabHandle::is_closed)
    }

    pub(crate) fn gone(&self) -> Error {
        let reason = self.browser.hub.gone().unwrap_or_else(|| "its last tab was closed".into());
        Error::BrowserGone { reason }
    }

    async fn end(&self) {
        self.browser.hub.remove_session(&self.context);
        // A browser that is gone has taken its contexts along.
        let _ = self
            .browser
            .call(&target::DisposeBrowserContext { browser_context_id: &self.context })
            .await;
    }

    fn tabs(&self) -> MutexGuard<'_, Tabs> {
        lock(&self.tabs)
    }
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session").field("name", &self.name).finish_non_exhaustive()
    }
}

/// A poisoned lock here guards plain data that is whole at every step.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
