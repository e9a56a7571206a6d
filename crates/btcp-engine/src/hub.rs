//! The hub: takes in everything Chrome says and hands it to the tab it is about.
//!
//! It runs on the connection's reading task, so it never waits. New pages join the session
//! whose browser context they are in; new frame processes join their tab.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use btcp_cdp::{Connection, Event, EventHandler, SessionId, browser, runtime, target};
use tokio::sync::watch;

use crate::sessions::Session;
use crate::tab_state::TabState;

/// Where events go.
pub(crate) struct Hub {
    routes: Mutex<Routes>,
    gone: watch::Sender<Option<String>>,
}

#[derive(Default)]
struct Routes {
    /// By CDP session.
    tabs: HashMap<String, (SessionId, Arc<TabState>)>,
    /// By browser context.
    sessions: HashMap<String, Weak<Session>>,
}

impl Hub {
    pub(crate) fn new() -> Arc<Self> {
        Arc::new(Self { routes: Mutex::default(), gone: watch::channel(None).0 })
    }

    /// Pages of this browser context belong to this session from now on.
    pub(crate) fn add_session(&self, context: &str, session: &Arc<Session>) {
        self.routes().sessions.insert(context.to_owned(), Arc::downgrade(session));
    }

    pub(crate) fn remove_session(&self, context: &str) {
        self.routes().sessions.remove(context);
    }

    /// Why the browser is gone, once it is.
    pub(crate) fn gone(&self) -> Option<String> {
        self.gone.borrow().clone()
    }

    fn routes(&self) -> MutexGuard<'_, Routes> {
        self.routes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn tab_of(&self, session: &str) -> Option<(SessionId, Arc<TabState>)> {
        self.routes().tabs.get(session).cloned()
    }

    fn attached(
        &self,
        connection: &Connection,
        parent: Option<&str>,
        event: target::AttachedToTarget,
    ) {
        let session = &event.session_id;
        let route = match (parent, event.target_info.kind.as_str()) {
            (None, "page") => self.new_page(connection, session, &event.target_info),
            (None, "service_worker") => self.worker_home(&event.target_info),
            (Some(parent), "iframe" | "worker") => self.tab_of(parent).map(|(_, tab)| tab),
            _ => None,
        };
        let Some(tab) = route else {
            // Nobody's page, or a kind we do not use: it must not wait for us.
            connection.post(Some(session), &runtime::RunIfWaitingForDebugger);
            connection.post(None, &target::DetachFromTarget { session_id: session.as_str() });
            return;
        };
        let entry = (session.clone(), tab.clone());
        self.routes().tabs.insert(session.as_str().to_owned(), entry);
        match event.target_info.kind.as_str() {
            "iframe" => tab.frame_attached_to(session, &event.target_info),
            "worker" => tab.worker_attached(session, "worker"),
            "service_worker" => tab.worker_attached(session, "service worker"),
            _ => {}
        }
    }

    fn new_page(
        &self,
        connection: &Connection,
        session: &SessionId,
        info: &target::TargetInfo,
    ) -> Option<Arc<TabState>> {
        let context = info.browser_context_id.as_deref()?;
        let owner = self.routes().sessions.get(context)?.upgrade()?;
        Some(owner.add_tab(info, session.clone(), connection.clone()))
    }

    /// A service worker belongs to no page; its console is shown where the agent looks.
    fn worker_home(&self, info: &target::TargetInfo) -> Option<Arc<TabState>> {
        let context = info.browser_context_id.as_deref()?;
        let owner = self.routes().sessions.get(context)?.upgrade()?;
        owner.current()
    }

    /// Attached to without holding it up: a paused service worker stops every page it serves.
    fn target_created(&self, connection: &Connection, info: &target::TargetInfo) {
        let ours = info
            .browser_context_id
            .as_ref()
            .is_some_and(|c| self.routes().sessions.contains_key(c));
        if info.kind == "service_worker" && ours && !info.attached {
            let attach = target::AttachToTarget { target_id: &info.target_id, flatten: true };
            connection.post(None, &attach);
        }
    }

    fn detached(&self, session: &SessionId) {
        let route = self.routes().tabs.remove(session.as_str());
        if let Some((session, tab)) = route {
            tab.session_ended(&session);
            tab.connection
                .fail_session(&session, btcp_cdp::Error::session_gone("its page or frame is gone"));
        }
    }

    /// A download belongs to the tab that has the frame it came from.
    fn download_began(&self, event: &browser::DownloadWillBegin) {
        let tab = self.find_tab(|tab| tab.facts().frames.get(&event.frame_id).is_some());
        if let Some(tab) = tab {
            tab.update(|facts| facts.downloads.begin(&tab.downloads, event));
        }
    }

    fn download_progress(&self, event: &browser::DownloadProgress) {
        if let Some(tab) = self.find_tab(|tab| tab.facts().downloads.knows(&event.guid)) {
            tab.update(|facts| facts.downloads.progress(event));
        }
    }

    fn find_tab(&self, is_it: impl Fn(&TabState) -> bool) -> Option<Arc<TabState>> {
        let tabs: Vec<_> = self.routes().tabs.values().map(|(_, tab)| tab.clone()).collect();
        tabs.into_iter().find(|tab| is_it(tab))
    }

    fn crashed(&self, target: &str) {
        if let Some(tab) = self.find_tab(|tab| tab.target == target) {
            tab.crashed();
        }
    }
}

impl EventHandler for Hub {
    fn event(&self, connection: &Connection, event: Event<'_>) {
        if let Some(attached) = event.read::<target::AttachedToTarget>() {
            self.attached(connection, event.session, attached);
        } else if let Some(detached) = event.read::<target::DetachedFromTarget>() {
            self.detached(&detached.session_id);
        } else if let Some(created) = event.read::<target::TargetCreated>() {
            self.target_created(connection, &created.target_info);
        } else if let Some(crashed) = event.read::<target::TargetCrashed>() {
            self.crashed(&crashed.target_id);
        } else if let Some(began) = event.read::<browser::DownloadWillBegin>() {
            self.download_began(&began);
        } else if let Some(progress) = event.read::<browser::DownloadProgress>() {
            self.download_progress(&progress);
        } else if let Some((session, tab)) = event.session.and_then(|session| self.tab_of(session))
        {
            tab.event(&session, &event);
        }
    }

    fn closed(&self, reason: &str) {
        self.gone.send_replace(Some(reason.to_owned()));
        let tabs: Vec<_> = self.routes().tabs.drain().map(|(_, (_, tab))| tab).collect();
        for tab in tabs {
            tab.update(|facts| facts.closed = true);
        }
    }
}
