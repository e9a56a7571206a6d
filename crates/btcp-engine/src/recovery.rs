//! After Chrome crashed: the session goes on in a new one.
//!
//! Its tabs come back under their numbers, by their addresses; cookies and web storage as
//! `state.rs` copied them last. Storage is put in place before any page is there to ask for it: on
//! an empty document of its origin, with which we answer instead of the server. What no copy can
//! hold (what was typed, scripts' variables) is lost, and the next answer says so.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::time::Duration;

use btcp_cdp::{Event, SessionId, fetch, page, storage, target};
use futures_util::FutureExt;

use crate::call::{CallContext, Progress};
use crate::egress::Memory;
use crate::emulation::Emulation;
use crate::error::{Error, Result, seconds};
use crate::navigation::WaitUntil;
use crate::page::ops::PutStorageRequest;
use crate::refs::Refs;
use crate::secrets::Passwords;
use crate::session::Session;
use crate::sessions::lock;
use crate::state::{Area, Copy};
use crate::tab::{Tab, TabHandle};
use crate::tab_state::{Facts, TabState};

/// How long a page that comes back may load before calls to its tab go on without it.
const LOADING: Duration = Duration::from_secs(15);

/// How long all storage may take to be put in place.
const PUTTING: Duration = Duration::from_secs(10);

/// The tabs a session had.
#[derive(Debug, Clone)]
pub(crate) struct KeptTabs {
    /// Number and address, in the order in which they came.
    pub(crate) tabs: Vec<(u32, String)>,
    pub(crate) current: u32,
    /// The highest number given so far.
    pub(crate) issued: u32,
    /// What Chrome called them.
    pub(crate) targets: Vec<String>,
}

/// What is left of a session whose Chrome is gone.
pub(crate) struct Kept {
    tabs: KeptTabs,
    refs: Refs,
    folder: PathBuf,
    files: u32,
    copy: Copy,
    emulation: Emulation,
    egress: Arc<Memory>,
    passwords: Arc<Passwords>,
    /// How often it was tried to go on from here.
    tries: AtomicU32,
}

/// What happened to a session while its agent did not look; told with the next answer.
#[derive(Debug)]
pub(crate) enum Note {
    /// It was closed, and this is a new one.
    Expired { after: Duration },
    /// Its Chrome crashed, and it went on in another.
    Recovered(Recovered),
}

/// What was done about a crash.
#[derive(Debug)]
pub(crate) struct Recovered {
    tabs: usize,
    failed: Arc<AtomicUsize>,
    left_out: bool,
    /// Whether the pages were left out.
    blank: bool,
    /// How often it was tried.
    tries: u32,
    /// Whether it was a person's Chrome, which we do not start.
    guest: bool,
}

impl Note {
    fn text(&self) -> String {
        match self {
            Self::Expired { after } => format!(
                "The session was closed after {} without a call: this is a new one, without its tabs, cookies and storage.",
                seconds(after)
            ),
            Self::Recovered(recovered) => recovered.text(),
        }
    }
}

impl Recovered {
    fn text(&self) -> String {
        let tabs = match self.tabs {
            1 => "1 tab was".to_owned(),
            many => format!("{many} tabs were"),
        };
        let what = match self.guest {
            false => "The browser had crashed and was started again",
            true => "The connection to Chrome was lost, and was made again",
        };
        let mut text = format!("{what}: {tabs} opened again");
        if self.blank {
            text.push_str(" without their pages, at which it had crashed before");
        }
        text.push_str(
            "; what was typed, the tabs' history, and what was stored since the last action, is lost.",
        );
        match self.failed.load(Ordering::Relaxed) {
            0 => {}
            1 => text.push_str(" 1 page did not load."),
            many => text.push_str(&format!(" {many} pages did not load.")),
        }
        if self.left_out {
            text.push_str(" Some web storage, 5 MB being the limit, is lost too.");
        }
        text
    }
}

impl Session {
    /// What is left of it if its browser is gone; nothing of one that was ended.
    pub(crate) fn keep(&self) -> Option<Kept> {
        if self.is_ended() || !self.browser.is_gone() {
            return None;
        }
        Some(Kept {
            tabs: self.lost.get_or_init(|| self.kept_tabs()).clone(),
            refs: lock(&self.refs).clone(),
            folder: self.folder().to_owned(),
            files: self.files_so_far(),
            copy: self.keeper.copy(),
            emulation: self.emulation(),
            egress: self.guard().memory.clone(),
            passwords: self.passwords.clone(),
            tries: AtomicU32::new(match &*lock(&self.note) {
                // Nobody has been answered since the last time: it crashed over what came back.
                Some(Note::Recovered(last)) => last.tries,
                _ => 0,
            }),
        })
    }

    /// Its browser is gone: remembers the tabs before they count as closed.
    pub(crate) fn browser_gone(&self) {
        // Told once, here or by a caller who came before us.
        self.lost.get_or_init(|| self.kept_tabs());
    }

    /// What an agent must know of before it goes on; told once.
    pub fn take_note(&self) -> Option<String> {
        lock(&self.note).take().map(|note| note.text())
    }

    /// Has something told with the next answer.
    pub(crate) fn tell(&self, note: Note) {
        *lock(&self.note) = Some(note);
    }

    /// Opens again what there was. Returns when all storage is in place; the pages load in their
    /// tabs' turns, before whatever comes next.
    pub(crate) async fn resume(self: &Arc<Self>, kept: &Kept) -> Result<()> {
        // A page that crashes Chrome would do so for ever: the third time it is left out.
        let tries = kept.tries.fetch_add(1, Ordering::Relaxed) + 1;
        let blank = tries > 2;
        self.put_cookies(&kept.copy.cookies).await?;
        let guest = self.browser.is_guest();
        if guest {
            // If it was only the connection that was lost, they are still there.
            for target_id in &kept.tabs.targets {
                self.browser.connection.post(None, &target::CloseTarget { target_id });
            }
        }
        let mut tabs = Vec::with_capacity(kept.tabs.tabs.len());
        for (id, url) in &kept.tabs.tabs {
            tabs.push((self.new_tab_numbered(*id).await?, url.clone()));
        }
        // What a person lent they may have closed meanwhile.
        let lent = guest && self.browser.take_lent(self).await.is_ok_and(|lent| lent > 0);
        if tabs.is_empty() && !lent {
            self.new_tab_numbered(kept.tabs.issued + 1).await?;
        }
        self.number_on(&kept.tabs);
        let mut left_out = kept.copy.left_out;
        if let Some((first, _)) = tabs.first() {
            match put_local(first, &kept.copy).await {
                Err(error @ Error::BrowserGone { .. }) => return Err(error),
                Err(error) => {
                    tracing::debug!(%error, "storage was not put back");
                    left_out = true;
                }
                Ok(()) => {}
            }
        }
        let failed = Arc::new(AtomicUsize::new(0));
        for (tab, url) in &tabs {
            let areas = Areas::session(&kept.copy, tab.id());
            let url = if blank { String::new() } else { url.clone() };
            load(tab, url, areas, failed.clone());
        }
        let tabs = tabs.len();
        self.tell(Note::Recovered(Recovered { tabs, failed, left_out, blank, tries, guest }));
        Ok(())
    }

    /// Cookies first: pages ask for them with their first request.
    pub(crate) async fn put_cookies(&self, cookies: &[storage::Cookie]) -> Result<()> {
        let put = async |cookies: &[storage::Cookie]| {
            let context = self.context();
            self.browser.call(&storage::SetCookies { cookies, browser_context_id: context }).await
        };
        if cookies.is_empty() {
            return Ok(());
        }
        match put(cookies).await {
            // Chrome refuses all for the sake of one; that one is then missing.
            Err(Error::Internal { .. }) => {
                for cookie in cookies {
                    match put(std::slice::from_ref(cookie)).await {
                        Err(Error::Internal { .. }) | Ok(_) => {}
                        Err(error) => return Err(error),
                    }
                }
                Ok(())
            }
            other => other.map(drop),
        }
    }
}

impl Kept {
    pub(crate) fn refs(&self) -> Refs {
        self.refs.clone()
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    pub(crate) fn files(&self) -> u32 {
        self.files
    }

    pub(crate) fn copy(&self) -> Copy {
        self.copy.clone()
    }

    pub(crate) fn emulation(&self) -> Emulation {
        self.emulation.clone()
    }

    /// A page that comes back may give back what it was given.
    pub(crate) fn passwords(&self) -> Arc<Passwords> {
        self.passwords.clone()
    }

    /// What its agent has named, and its names stood for: a crash makes nobody forget.
    pub(crate) fn egress(&self) -> Arc<Memory> {
        self.egress.clone()
    }
}

/// Puts in place what all tabs share, by way of one of them.
async fn put_local(tab: &TabHandle, copy: &Copy) -> Result<()> {
    let areas = Areas::local(copy);
    let context = CallContext::new(PUTTING, Progress::default());
    tab.run(context, |tab| Box::pin(async move { tab.put_storage(&areas).await })).await
}

/// Loads a page in its tab's next turn.
fn load(tab: &TabHandle, url: String, areas: Areas, failed: Arc<AtomicUsize>) {
    let tab = tab.clone();
    let mut loading = Box::pin(async move {
        let context = CallContext::new(LOADING, Progress::default());
        let loaded =
            tab.run(context, |tab| Box::pin(async move { tab.reopen(&url, &areas).await }));
        if loaded.await.is_err() {
            failed.fetch_add(1, Ordering::Relaxed);
        }
    });
    // Its first step takes its place in the tab's mailbox: before any call that comes now.
    if (&mut loading).now_or_never().is_none() {
        tokio::spawn(loading);
    }
}

/// Storage to be put in place: by the page it is kept under, by origin.
#[derive(Default)]
pub(crate) struct Areas(BTreeMap<String, BTreeMap<String, Items>>);

#[derive(Default)]
struct Items {
    local: Option<String>,
    session: Option<String>,
    databases: Option<String>,
    /// Whether it takes the place of what is there.
    replace: bool,
}

impl Areas {
    /// What all tabs share.
    fn local(copy: &Copy) -> Self {
        let mut areas = Self::default();
        for (area, items) in &copy.local {
            areas.of(area).local = Some(items.clone());
        }
        areas
    }

    /// What one tab has for itself.
    fn session(copy: &Copy, tab: u32) -> Self {
        let mut areas = Self::default();
        for ((_, area), items) in copy.session.iter().filter(|((of, _), _)| *of == tab) {
            areas.of(area).session = Some(items.clone());
        }
        areas
    }

    /// What takes the place of what is there.
    pub(crate) fn replace(&mut self, area: &Area, kept: [Option<String>; 3]) {
        let [local, session, databases] = kept;
        *self.of(area) = Items { local, session, databases, replace: true };
    }

    fn of(&mut self, area: &Area) -> &mut Items {
        self.0.entry(area.top.clone()).or_default().entry(area.frame.clone()).or_default()
    }
}

/// While it lives a tab's requests are answered with nothing, so that its documents are empty.
struct Emptied(Arc<TabState>);

impl Emptied {
    fn begin(tab: &Arc<TabState>) -> Self {
        tab.update(|facts| facts.emptied = true);
        Self(tab.clone())
    }
}

impl Drop for Emptied {
    fn drop(&mut self) {
        self.0.update(|facts| facts.emptied = false);
        self.0.connection.post(Some(&self.0.session), &fetch::Disable);
        // What was held before for the sake of passwords is held again.
        crate::prompts::hold_requests(&self.0.connection, &self.0.session, &self.0.shared);
    }
}

impl Facts {
    /// Whether what is held there is to be given nothing; a worker of elsewhere is none of it.
    pub(crate) fn is_emptied(&self, session: &SessionId) -> bool {
        self.emptied && !self.workers.contains_key(session)
    }
}

impl TabState {
    /// Gives a held request nothing, so that there is a document of its origin without its scripts.
    pub(crate) fn answer_empty(&self, session: &SessionId, event: &Event<'_>) {
        let Some(held) = event.read::<fetch::RequestPaused>() else { return };
        let html = [fetch::Header { name: "content-type", value: "text/html" }];
        let answer = fetch::FulfillRequest {
            request_id: &held.request_id,
            response_code: 200,
            response_headers: &html,
        };
        self.connection.post(Some(session), &answer);
    }
}

impl Tab {
    /// Puts storage in place, in an empty document of each origin.
    async fn put_storage(&mut self, areas: &Areas) -> Result<()> {
        if areas.0.is_empty() {
            return Ok(());
        }
        let _until_the_end = Emptied::begin(&self.state);
        self.call(&fetch::Enable::default()).await?;
        self.put_each(areas).await
    }

    async fn put_each(&mut self, areas: &Areas) -> Result<()> {
        for (top, frames) in &areas.0 {
            self.go_to(&format!("{top}/"), WaitUntil::Load, None).await?;
            let main = self.main_frame();
            if let Some(items) = frames.get(top) {
                self.put(&main, items).await?;
            }
            let others: Vec<_> = frames.iter().filter(|(origin, _)| *origin != top).collect();
            if others.is_empty() {
                continue;
            }
            // Origins are made of letters, digits and a few signs that mean nothing in HTML.
            let frames =
                others.iter().map(|(origin, _)| format!("<iframe src=\"{origin}/\"></iframe>"));
            let html: String = frames.collect();
            self.call(&page::SetDocumentContent { frame_id: &main, html: &html }).await?;
            for (origin, items) in others {
                let frame = self.empty_frame(&format!("{origin}/")).await?;
                self.put(&frame, items).await?;
            }
        }
        Ok(())
    }

    /// Waits for the frame of an address.
    async fn empty_frame(&self, url: &str) -> Result<String> {
        let there = |facts: &Facts| {
            let all = facts.frames.below(&facts.frames.main).into_iter();
            let mut loaded = all.filter_map(|id| facts.frames.get(&id));
            loaded.find(|frame| frame.url == url).map(|frame| frame.id.clone())
        };
        let found = self.state.until(self.deadline(), there).await;
        found.ok_or_else(|| self.too_late("a frame's storage"))
    }

    async fn put(&mut self, frame: &str, items: &Items) -> Result<()> {
        let request = PutStorageRequest {
            local: items.local.as_deref(),
            session: items.session.as_deref(),
            databases: items.databases.as_deref(),
            replace: items.replace,
        };
        self.op::<_, Option<()>>(frame, "putStorage", &request).await.map(drop)
    }

    /// Goes back to where the tab was, as if it had never been elsewhere.
    pub(crate) async fn reopen(&mut self, url: &str, areas: &Areas) -> Result<()> {
        let put = self.put_storage(areas).await;
        let begun_at = self.url();
        let url = if url.is_empty() { "about:blank" } else { url };
        // At the same address there may be an empty document in place of the page.
        let arrived = if begun_at == url && areas.0.is_empty() {
            Ok(())
        } else {
            // It may have been a page that led there, and in vain.
            let going = self.session.guard().again(url);
            self.go_to(url, WaitUntil::Load, going).await.map(drop)
        };
        // A page that did not load is there all the same: Chrome's own, which says why.
        self.call(&page::ResetNavigationHistory).await?;
        arrived.and(put)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_lost_is_told_in_numbers() {
        let recovered = |tabs, failed, left_out, blank| {
            let failed = Arc::new(AtomicUsize::new(failed));
            Recovered { tabs, failed, left_out, blank, tries: 1, guest: false }.text()
        };

        assert_eq!(
            recovered(1, 0, false, false),
            "The browser had crashed and was started again: 1 tab was opened again; what was typed, \
             the tabs' history, and what was stored since the last action, is lost."
        );
        let worse = recovered(3, 2, true, true);
        assert!(worse.contains("3 tabs were opened again without their pages"), "{worse}");
        assert!(worse.ends_with(
            " 2 pages did not load. Some web storage, 5 MB being the limit, is lost too."
        ));
    }
}
