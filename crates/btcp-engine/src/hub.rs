//! The hub: takes in everything Chrome says and hands it to the tab it is about.
//!
//! It runs on the connection's reading task, so it never waits. New pages join the session
//! whose browser context they are in; new frame processes join their tab.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use btcp_cdp::{Connection, Event, EventHandler, SessionId, runtime, target};
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
            (Some(parent), "iframe") => self.tab_of(parent).map(|(_, tab)| tab),
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
        if parent.is_some() {
            tab.frame_attached_to(session, &event.target_info);
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

    fn detached(&self, session: &SessionId) {
        let route = self.routes().tabs.remove(session.as_str());
        if let Some((session, tab)) = route {
            tab.session_ended(&session);
            tab.connection
                .fail_session(&session, btcp_cdp::Error::session_gone("its page or frame is gone"));
        }
    }

    fn crashed(&self, target: &str) {
        let tab =
            self.routes().tabs.values().map(|(_, tab)| tab).find(|t| t.target == target).cloned();
        if let Some(tab) = tab {
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
        } else if let Some(crashed) = event.read::<target::TargetCrashed>() {
            self.crashed(&crashed.target_id);
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
