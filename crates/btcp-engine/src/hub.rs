//! The hub: takes in everything Chrome says and hands it to the tab it is about.
//!
//! It runs on the connection's reading task, so it never waits. New pages join the session
//! whose browser context they are in, or, in a person's Chrome, the one that opened them or whose page
//! did; new frame processes join their tab.

use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use btcp_cdp::{Connection, Event, EventHandler, SessionId, browser, runtime, target};
use tokio::sync::watch;

use crate::downloads::Shelf;
use crate::session::Session;
use crate::tab_state::{Shared, TabState};

/// Where events go.
pub(crate) struct Hub {
    routes: Mutex<Routes>,
    gone: watch::Sender<Option<String>>,
    /// Chrome attaches to workers by itself, and holds them until we have said what they hold.
    holds_workers: AtomicBool,
}

#[derive(Default)]
struct Routes {
    /// By CDP session.
    tabs: HashMap<String, (SessionId, Arc<TabState>)>,
    /// By browser context.
    sessions: HashMap<String, Weak<Session>>,
    /// The one that all pages are of that no context tells: a profile's.
    only: Weak<Session>,
    /// By target: our pages in a context that is a person's.
    claims: HashMap<String, Claim>,
    /// By target: workers that belong to no page, with their sessions.
    workers: HashMap<String, String>,
    /// By target: what Chrome shows before it prints.
    previews: HashMap<String, SessionId>,
    /// Those that are gone, the last few: what they began may be told of later.
    former: VecDeque<(String, Claim)>,
}

/// A page of ours in a context that is a person's.
#[derive(Clone)]
struct Claim {
    session: Weak<Session>,
    /// The page that opened it.
    opener: Option<String>,
    /// It is the person's, or one of theirs opened it: it stays when the session ends.
    lent: bool,
}

/// What that page of Chrome's says to Chrome when a person cancels.
const CLOSE_PREVIEW: &str = "chrome.send('dialogClose')";

/// How many pages that are gone are remembered.
const FORMER: usize = 64;

impl Routes {
    /// Whose a page is.
    fn owner(&self, context: Option<&str>, target: &str) -> Option<Arc<Session>> {
        let claim = || self.claim(target)?.session.upgrade();
        self.of_context(context).or_else(claim)
    }

    fn of_context(&self, context: Option<&str>) -> Option<Arc<Session>> {
        match context.and_then(|context| self.sessions.get(context)) {
            Some(session) => session.upgrade(),
            None => self.only.upgrade(),
        }
    }

    /// A claim, of a page that is gone too.
    fn claim(&self, target: &str) -> Option<&Claim> {
        let former = || self.former.iter().find(|(gone, _)| gone == target);
        self.claims.get(target).or_else(|| former().map(|(_, claim)| claim))
    }
}

impl Hub {
    pub(crate) fn new() -> Arc<Self> {
        Arc::new(Self {
            routes: Mutex::default(),
            gone: watch::channel(None).0,
            holds_workers: AtomicBool::new(false),
        })
    }

    /// Pages of this browser context belong to this session from now on.
    pub(crate) fn add_session(&self, context: &str, session: &Arc<Session>) {
        self.routes().sessions.insert(context.to_owned(), Arc::downgrade(session));
    }

    /// Workers that belong to no page are held from now on, until we have said what they hold.
    pub(crate) fn hold_workers(&self, connection: &Connection) {
        if self.holds_workers.swap(true, Ordering::Relaxed) {
            return;
        }
        let kinds = ["page", "service_worker", "shared_worker"];
        let filter = kinds.map(|kind| target::FilterEntry { kind: Some(kind), exclude: None });
        let attach = target::SetAutoAttach {
            auto_attach: true,
            wait_for_debugger_on_start: true,
            flatten: true,
            filter: Some(&filter),
        };
        connection.post(None, &attach);
    }

    /// Pages that are of no such context belong to this session from now on.
    pub(crate) fn add_only(&self, session: &Arc<Session>) {
        self.routes().only = Arc::downgrade(session);
    }

    pub(crate) fn remove_session(&self, context: &str) {
        self.routes().sessions.remove(context);
    }

    /// This page, in a context that is a person's, belongs to this session from now on.
    pub(crate) fn claim(&self, target: &str, session: &Weak<Session>, opener: Option<&str>) {
        let claim =
            Claim { session: session.clone(), opener: opener.map(str::to_owned), lent: false };
        self.routes().claims.insert(target.to_owned(), claim);
    }

    /// The same for one that the person lends; not if another session has it.
    pub(crate) fn claim_lent(&self, target: &str, session: &Weak<Session>) -> bool {
        let mut routes = self.routes();
        if routes.claims.contains_key(target) {
            return false;
        }
        let claim = Claim { session: session.clone(), opener: None, lent: true };
        routes.claims.insert(target.to_owned(), claim);
        true
    }

    /// It is the person's alone again.
    pub(crate) fn give_back(&self, target: &str) {
        self.routes().claims.remove(target);
    }

    /// The pages that a session, or all sessions, opened in a person's context.
    pub(crate) fn claimed_by(&self, session: Option<&Session>) -> Vec<String> {
        let routes = self.routes();
        let is_its = |claim: &Claim| {
            let of = session.is_none_or(|session| std::ptr::eq(claim.session.as_ptr(), session));
            of && !claim.lent
        };
        let its = routes.claims.iter().filter(|(_, claim)| is_its(claim));
        its.map(|(target, _)| target.clone()).collect()
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
        if parent.is_none() && is_preview(&event.target_info) {
            connection.post(Some(session), &runtime::RunIfWaitingForDebugger);
            let target = event.target_info.target_id.clone();
            self.routes().previews.insert(target, session.clone());
            return self.close_preview(connection, &event.target_info);
        }
        let target = &event.target_info.target_id;
        if parent.is_none() && self.routes().workers.contains_key(target) {
            // Attached to by us, and then by Chrome itself: once is enough.
            connection.post(None, &target::DetachFromTarget { session_id: session.as_str() });
            return;
        }
        let mut unwanted = false;
        let route = match (parent, event.target_info.kind.as_str()) {
            (None, "page") => self.new_page(connection, &event, &mut unwanted),
            (None, "service_worker" | "shared_worker") => self.worker_home(&event.target_info),
            (Some(parent), "iframe" | "worker") => self.tab_of(parent).map(|(_, tab)| tab),
            _ => None,
        };
        let Some(tab) = route else {
            // Nobody's page, or a kind we do not use: it must not wait for us. Nor must one that is
            // closed: `window.open` waits with it, and nobody could let go of that any more.
            connection.post(Some(session), &runtime::RunIfWaitingForDebugger);
            if unwanted {
                let target_id = &event.target_info.target_id;
                connection.post(None, &target::CloseTarget { target_id });
            }
            connection.post(None, &target::DetachFromTarget { session_id: session.as_str() });
            return;
        };
        if crate::holding::must_not_run(&event.target_info, &tab.shared) {
            let target_id = &event.target_info.target_id;
            return connection.post(None, &target::CloseTarget { target_id });
        }
        let entry = (session.clone(), tab.clone());
        self.routes().tabs.insert(session.as_str().to_owned(), entry);
        if matches!(event.target_info.kind.as_str(), "service_worker" | "shared_worker") {
            self.routes().workers.insert(target.clone(), session.as_str().to_owned());
        }
        match event.target_info.kind.as_str() {
            "iframe" => tab.frame_attached_to(session, &event.target_info),
            "worker" => tab.worker_attached(session, "worker", &event.target_info),
            "service_worker" => {
                tab.worker_attached(session, "service worker", &event.target_info);
            }
            "shared_worker" => tab.worker_attached(session, "shared worker", &event.target_info),
            _ => {}
        }
    }

    /// What Chrome shows before it prints, in a window only: the page that asked for it waits until it
    /// is closed, and no person may be there. Chrome closes it for nobody but its own page.
    ///
    /// Tried at each stage it tells of: it may not listen yet.
    fn close_preview(&self, connection: &Connection, info: &target::TargetInfo) {
        // Those of a person's own pages are theirs.
        let owner = self.routes().of_context(info.browser_context_id.as_deref());
        if owner.is_none() {
            return;
        }
        let session = self.routes().previews.get(&info.target_id).cloned();
        match session {
            Some(session) => {
                connection.post(Some(&session), &runtime::Evaluate::of(CLOSE_PREVIEW));
            }
            None => {
                let attach = target::AttachToTarget { target_id: &info.target_id, flatten: true };
                connection.post(None, &attach);
            }
        }
    }

    /// The tab of a page that is somebody's; `unwanted` if it is and may not be a tab.
    fn new_page(
        &self,
        connection: &Connection,
        event: &target::AttachedToTarget,
        unwanted: &mut bool,
    ) -> Option<Arc<TabState>> {
        let info = &event.target_info;
        let owner = self.routes().owner(info.browser_context_id.as_deref(), &info.target_id)?;
        let lent = self.routes().claim(&info.target_id).is_some_and(|claim| claim.lent);
        let tab = match is_web(&info.url) {
            true => owner.add_tab(event, connection.clone(), lent),
            false => None,
        };
        *unwanted = tab.is_none() && !lent;
        tab
    }

    /// A service worker belongs to no page; its console is shown where the agent looks.
    fn worker_home(&self, info: &target::TargetInfo) -> Option<Arc<TabState>> {
        let context = info.browser_context_id.as_deref()?;
        let owner = self.routes().of_context(Some(context))?;
        owner.current()
    }

    /// Attached to without holding it up: a paused service worker stops every page it serves, and in a
    /// person's Chrome no window can be held without holding theirs.
    fn target_created(&self, connection: &Connection, info: &target::TargetInfo) {
        let opener = info.opener_id.as_deref().filter(|_| info.kind == "page");
        let claim = opener.and_then(|opener| self.routes().claims.get(opener).cloned());
        if let Some(claim) = claim {
            match claim.lent {
                true => drop(self.claim_lent(&info.target_id, &claim.session)),
                false => self.claim(&info.target_id, &claim.session, opener),
            }
            let attach = target::AttachToTarget { target_id: &info.target_id, flatten: true };
            connection.post(None, &attach);
            return;
        }
        // Not let go while the routes are locked: it may be the last who has it.
        let owner = self.routes().of_context(info.browser_context_id.as_deref());
        let ours = owner.is_some();
        let by_itself = self.holds_workers.load(Ordering::Relaxed);
        if info.kind == "service_worker" && ours && !info.attached && !by_itself {
            let attach = target::AttachToTarget { target_id: &info.target_id, flatten: true };
            connection.post(None, &attach);
        }
    }

    fn target_destroyed(&self, target: String) {
        let mut routes = self.routes();
        routes.previews.remove(&target);
        let Some(claim) = routes.claims.remove(&target) else { return };
        if routes.former.len() == FORMER {
            routes.former.pop_front();
        }
        routes.former.push_back((target, claim));
    }

    fn detached(&self, session: &SessionId) {
        let route = {
            let mut routes = self.routes();
            routes.workers.retain(|_, of| of != session.as_str());
            routes.tabs.remove(session.as_str())
        };
        if let Some((session, tab)) = route {
            let of_page = session == tab.session;
            tab.session_ended(&session);
            let context = tab.shared.downloads.context.as_deref();
            let owner = self.routes().owner(context, &tab.target);
            if let Some(owner) = owner.filter(|_| of_page) {
                owner.tell_again();
            }
            tab.connection
                .fail_session(&session, btcp_cdp::Error::session_gone("its page or frame is gone"));
        }
    }

    /// A download belongs to the tab that has the frame it came from.
    fn download_began(&self, connection: &Connection, event: &browser::DownloadWillBegin) {
        let tab = self.find_tab(|tab| tab.facts().frames.get(&event.frame_id).is_some());
        let found = tab.map(|tab| (tab.shared.clone(), tab.id));
        let Some((shared, tab)) = found.or_else(|| self.of_window(&event.frame_id)) else { return };
        if !shared.downloads.begin(tab, event) {
            stop_download(connection, &shared.downloads, &event.guid);
        }
        self.tell_all(|tab| tab.shared.downloads.knows(&event.guid));
    }

    /// A window that is there for the sake of a file closes before we have attached to it: the file is
    /// its opener's then.
    fn of_window(&self, target: &str) -> Option<(Arc<Shared>, u32)> {
        let claim = self.routes().claim(target).cloned()?;
        let session = claim.session.upgrade()?;
        let of_target = |target: &str| session.tabs().of_target(target).map(|tab| tab.id());
        let opener = || claim.opener.as_deref().and_then(of_target);
        let tab = of_target(target).or_else(opener)?;
        Some((session.shared().clone(), tab))
    }

    fn download_progress(&self, connection: &Connection, event: &browser::DownloadProgress) {
        let knows = |tab: &TabState| tab.shared.downloads.knows(&event.guid);
        if let Some(tab) = self.find_tab(knows) {
            if !tab.shared.downloads.progress(event) {
                stop_download(connection, &tab.shared.downloads, &event.guid);
            }
            self.tell_all(knows);
        }
    }

    /// Lets everybody who waits in these tabs look again.
    fn tell_all(&self, which: impl Fn(&TabState) -> bool) {
        let tabs: Vec<_> = self.routes().tabs.values().map(|(_, tab)| tab.clone()).collect();
        for tab in tabs.iter().filter(|tab| which(tab)) {
            tab.update(|_| {});
        }
    }

    fn find_tab(&self, is_it: impl Fn(&TabState) -> bool) -> Option<Arc<TabState>> {
        let tabs: Vec<_> = self.routes().tabs.values().map(|(_, tab)| tab.clone()).collect();
        tabs.into_iter().find(|tab| is_it(tab))
    }

    /// Chrome tells titles by itself, so a list of tabs asks no page.
    fn renamed(&self, connection: &Connection, info: target::TargetInfo) {
        if is_preview(&info) {
            return self.close_preview(connection, &info);
        }
        if let Some(tab) = self.find_tab(|tab| tab.target == info.target_id) {
            tab.update(|facts| facts.title = info.title);
        }
    }

    fn crashed(&self, target: &str) {
        if let Some(tab) = self.find_tab(|tab| tab.target == target) {
            tab.crashed();
        }
    }
}

/// Whether it is the page with which Chrome shows what it would print.
fn is_preview(info: &target::TargetInfo) -> bool {
    info.url.starts_with("chrome://print/")
}

/// Whether an address is one a tab may have: pages of the browser itself, of extensions and of its
/// developer tools are never tabs.
pub(crate) fn is_web(url: &str) -> bool {
    let scheme = url.split_once(':').map_or("", |(scheme, _)| scheme);
    matches!(scheme, "" | "http" | "https" | "about" | "data" | "blob" | "javascript")
}

fn stop_download(connection: &Connection, shelf: &Shelf, guid: &str) {
    let context = shelf.context.as_deref();
    connection.post(None, &browser::CancelDownload { guid, browser_context_id: context });
}

impl EventHandler for Hub {
    fn event(&self, connection: &Connection, event: Event<'_>) {
        if let Some(attached) = event.read::<target::AttachedToTarget>() {
            self.attached(connection, event.session, attached);
        } else if let Some(detached) = event.read::<target::DetachedFromTarget>() {
            self.detached(&detached.session_id);
        } else if let Some(created) = event.read::<target::TargetCreated>() {
            self.target_created(connection, &created.target_info);
        } else if let Some(destroyed) = event.read::<target::TargetDestroyed>() {
            self.target_destroyed(destroyed.target_id);
        } else if let Some(changed) = event.read::<target::TargetInfoChanged>() {
            self.renamed(connection, changed.target_info);
        } else if let Some(crashed) = event.read::<target::TargetCrashed>() {
            self.crashed(&crashed.target_id);
        } else if let Some(began) = event.read::<browser::DownloadWillBegin>() {
            self.download_began(connection, &began);
        } else if let Some(progress) = event.read::<browser::DownloadProgress>() {
            self.download_progress(connection, &progress);
        } else if let Some((session, tab)) = event.session.and_then(|session| self.tab_of(session))
        {
            tab.event(&session, &event);
        }
    }

    fn closed(&self, reason: &str) {
        let sessions: Vec<_> = {
            let routes = self.routes();
            let claimed = routes.claims.values().map(|claim| &claim.session);
            let all = routes.sessions.values().chain(claimed).chain([&routes.only]);
            all.filter_map(Weak::upgrade).collect()
        };
        for session in sessions {
            session.browser_gone();
        }
        self.gone.send_replace(Some(reason.to_owned()));
        let tabs: Vec<_> = self.routes().tabs.drain().map(|(_, (_, tab))| tab).collect();
        for tab in tabs {
            tab.update(|facts| facts.closed = true);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What such a page began is told of later; and pages can make windows without end.
    #[test]
    fn a_page_that_is_gone_is_remembered_for_a_while() {
        let hub = Hub::new();
        hub.claim("first", &Weak::new(), Some("opener"));
        assert_eq!(hub.claimed_by(None), ["first"]);

        hub.target_destroyed("first".into());
        hub.target_destroyed("a person's".into());

        assert!(hub.claimed_by(None).is_empty());
        let opener = hub.routes().claim("first").and_then(|claim| claim.opener.clone());
        assert_eq!(opener.as_deref(), Some("opener"));
        assert!(hub.routes().claim("a person's").is_none());
        for number in 0..FORMER {
            hub.claim(&number.to_string(), &Weak::new(), None);
            hub.target_destroyed(number.to_string());
        }
        assert!(hub.routes().claim("first").is_none());
        assert_eq!(hub.routes().former.len(), FORMER);
    }

    #[test]
    fn only_pages_of_the_web_are_tabs() {
        for web in ["", "about:blank", "http://a.test/", "https://a.test/", "blob:http://a.test/1"]
        {
            assert!(is_web(web), "{web}");
        }
        for other in [
            "chrome-extension://abc/panel.html",
            "devtools://devtools/bundled/inspector.html",
            "chrome://version/",
            "view-source:http://a.test/",
            "file:///etc/passwd",
        ] {
            assert!(!is_web(other), "{other}");
        }
    }
}
