//! What a session's pages have stored, copied in the background for the case that Chrome crashes.
//!
//! A copy is due after each call that may have changed something, and made when the agent pauses,
//! so that no call waits for it: cookies from Chrome, web storage from the frames of the tab that
//! was worked on. A page that the agent leaves is asked once more before it goes. What is done with
//! the copy after a crash is in `recovery.rs`.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use btcp_cdp::{Call, runtime, storage};
use futures_util::future::join_all;
use tokio::sync::{Notify, watch};
use tokio::time::Instant;

use crate::memory::weigh;
use crate::page::ops::{CopyStorageRequest, StorageCopy, Stored};
use crate::page::{read, with_call};
use crate::session::Session;
use crate::sessions::lock;
use crate::tab_state::TabState;

/// Cookies and storage of a session beyond this, in bytes, are not kept.
pub(crate) const LIMIT: usize = 5 << 20;

/// How long no call must have been under way before a copy is made, so that it is in no call's way.
const PAUSE: Duration = Duration::from_millis(30);

/// A copy is not put off longer than this by calls that follow each other.
const AT_MOST: Duration = Duration::from_millis(500);

/// How long a page may take to tell what it has stored; one that hangs keeps its last copy.
const PATIENCE: Duration = Duration::from_secs(2);

/// Frames of a tab that are asked.
const FRAMES: usize = 30;

/// Whose storage it is: Chrome keeps that of a frame apart by the page the frame is in.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Area {
    /// Origin of the tab's page.
    pub(crate) top: String,
    /// Origin of the frame's document.
    pub(crate) frame: String,
}

/// What a session's pages had stored when it was last looked.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Copy {
    pub(crate) cookies: Vec<storage::Cookie>,
    pub(crate) local: BTreeMap<Area, String>,
    /// By tab: each has its own.
    pub(crate) session: BTreeMap<(u32, Area), String>,
    /// Whether some of it was too large to be kept.
    pub(crate) left_out: bool,
    /// Which look each part is of: a frame may answer an earlier one last.
    looks: BTreeMap<(Option<u32>, Area), u64>,
}

impl Copy {
    /// Takes over what one frame had stored at a look, unless a later one was taken over already.
    fn take(&mut self, look: u64, tab: u32, area: Area, local: Stored, session: Stored) {
        self.left_out |=
            matches!(local, Stored::TooMuch(_)) || matches!(session, Stored::TooMuch(_));
        if self.is_news(look, None, &area) {
            match local {
                Stored::Items(items) => drop(self.local.insert(area.clone(), items)),
                _ => drop(self.local.remove(&area)),
            }
        }
        if self.is_news(look, Some(tab), &area) {
            match session {
                Stored::Items(items) => drop(self.session.insert((tab, area), items)),
                _ => drop(self.session.remove(&(tab, area))),
            }
        }
    }

    fn is_news(&mut self, look: u64, tab: Option<u32>, area: &Area) -> bool {
        let last = self.looks.entry((tab, area.clone())).or_default();
        let is_news = look >= *last;
        *last = look.max(*last);
        is_news
    }

    /// Forgets what only tabs had that are closed.
    fn keep_tabs(&mut self, is_open: impl Fn(u32) -> bool) {
        self.session.retain(|(tab, _), _| is_open(*tab));
        self.looks.retain(|(tab, _), _| tab.is_none_or(&is_open));
    }

    /// Drops the largest until the rest may be kept.
    fn fit(&mut self, limit: usize) {
        let cookies: usize = self.cookies.iter().map(|c| c.name.len() + c.value.len()).sum();
        let mut size = cookies
            + self.local.values().map(String::len).sum::<usize>()
            + self.session.values().map(String::len).sum::<usize>();
        while size > limit {
            self.left_out = true;
            let local = self.local.iter().max_by_key(|(_, items)| items.len());
            let session = self.session.iter().max_by_key(|(_, items)| items.len());
            let length = |items: Option<&String>| items.map_or(0, String::len);
            let (of_local, of_session) =
                (length(local.map(|(_, i)| i)), length(session.map(|(_, i)| i)));
            if of_local == 0 && of_session == 0 {
                self.cookies.clear();
                return;
            }
            size -= of_local.max(of_session);
            if of_local >= of_session {
                let largest = local.map(|(area, _)| area.clone());
                self.local.retain(|area, _| Some(area) != largest.as_ref());
            } else {
                let largest = session.map(|(place, _)| place.clone());
                self.session.retain(|place, _| Some(place) != largest.as_ref());
            }
        }
    }
}

/// The databases of pages, by whose they are.
#[derive(Debug, Default)]
pub(crate) struct Databases {
    pub(crate) found: BTreeMap<Area, String>,
    /// Whether some were too large.
    pub(crate) left_out: bool,
}

impl Databases {
    fn take(&mut self, area: &Area, stored: Stored) {
        match stored {
            Stored::Items(items) => drop(self.found.insert(area.clone(), items)),
            Stored::TooMuch(_) => self.left_out = true,
            Stored::Nothing => {}
        }
    }

    /// Drops the largest until the rest has this many characters.
    pub(crate) fn fit(&mut self, limit: usize) {
        while self.found.values().map(String::len).sum::<usize>() > limit {
            let largest = self.found.iter().max_by_key(|(_, items)| items.len());
            let Some(largest) = largest.map(|(area, _)| area.clone()) else { return };
            self.found.remove(&largest);
            self.left_out = true;
        }
    }
}

/// Keeps the copy of a session up to date.
pub(crate) struct Keeper {
    copy: Mutex<Copy>,
    due: Mutex<Due>,
    /// The last call that was under way has ended.
    paused: Arc<Notify>,
    /// Whether nothing is due.
    rests: watch::Sender<bool>,
    /// How often pages were asked.
    looks: AtomicU64,
    /// How many that are being left have not all answered yet.
    leaving: watch::Sender<usize>,
}

/// Tabs that were worked on since the last copy.
struct Due {
    tabs: BTreeSet<u32>,
    first: Instant,
    last: Instant,
    /// Calls under way.
    working: usize,
}

impl Due {
    fn when(&self) -> Instant {
        let latest = self.first + AT_MOST;
        if self.working > 0 { latest } else { latest.min(self.last + PAUSE) }
    }
}

/// A call under way, as long as it is held.
pub(crate) struct Working(Arc<Session>);

impl Drop for Working {
    fn drop(&mut self) {
        let keeper = &self.0.keeper;
        let mut due = lock(&keeper.due);
        due.working -= 1;
        due.last = Instant::now();
        if due.working == 0 {
            keeper.paused.notify_one();
        }
    }
}

impl Default for Keeper {
    fn default() -> Self {
        let now = Instant::now();
        Self {
            copy: Mutex::default(),
            due: Mutex::new(Due { tabs: BTreeSet::new(), first: now, last: now, working: 0 }),
            paused: Arc::default(),
            rests: watch::channel(true).0,
            looks: AtomicU64::default(),
            leaving: watch::channel(0).0,
        }
    }
}

impl Keeper {
    /// The copy a restored session goes on from.
    pub(crate) fn from(mut copy: Copy) -> Self {
        // Its looks are counted from the start again.
        copy.looks.clear();
        Self { copy: Mutex::new(copy), ..Self::default() }
    }

    pub(crate) fn copy(&self) -> Copy {
        lock(&self.copy).clone()
    }

    /// The number of a look at pages, to be taken before they are asked.
    fn look(&self) -> u64 {
        self.looks.fetch_add(1, Ordering::SeqCst)
    }

    /// Takes over what frames answered at a look; gives their databases back.
    fn take_over(&self, look: u64, stored: Vec<(u32, Area, StorageCopy)>) -> Databases {
        let mut databases = Databases::default();
        let mut copy = lock(&self.copy);
        for (tab, area, found) in stored {
            databases.take(&area, found.databases);
            copy.take(look, tab, area, found.local, found.session);
        }
        copy.fit(LIMIT);
        databases
    }

    /// Tells when nothing is due.
    pub(crate) fn rests(&self) -> watch::Receiver<bool> {
        self.rests.subscribe()
    }

    /// A tab was worked on; whether somebody has to be sent to copy.
    fn note(&self, tab: u32) -> bool {
        let mut due = lock(&self.due);
        let now = Instant::now();
        if due.tabs.is_empty() {
            due.first = now;
        }
        due.last = now;
        due.tabs.insert(tab);
        self.rests.send_replace(false)
    }

    /// When the next copy is to be made, unless a call ends before.
    fn when(&self) -> Instant {
        lock(&self.due).when()
    }

    /// The tabs to copy; none when nothing is due any more.
    fn take_due(&self) -> Option<BTreeSet<u32>> {
        let mut due = lock(&self.due);
        if due.tabs.is_empty() {
            self.rests.send_replace(true);
            return None;
        }
        Some(std::mem::take(&mut due.tabs))
    }
}

impl Session {
    /// A call begins; no copy is made in its way.
    pub(crate) fn working(self: &Arc<Self>) -> Working {
        lock(&self.keeper.due).working += 1;
        Working(self.clone())
    }

    /// A call may have changed what pages have stored.
    pub(crate) fn touched(self: &Arc<Self>, tab: u32) {
        if !self.browser.owns_pages() || !self.keeper.note(tab) {
            return;
        }
        let session = Arc::downgrade(self);
        tokio::spawn(async move {
            loop {
                let keeper = session.upgrade().map(|session| {
                    let keeper = &session.keeper;
                    (keeper.when(), keeper.paused.clone())
                });
                let Some((when, paused)) = keeper else { return };
                if when > Instant::now() {
                    tokio::select! {
                        () = tokio::time::sleep_until(when) => {}
                        () = paused.notified() => {}
                    }
                    continue;
                }
                let Some(session) = session.upgrade() else { return };
                let Some(tabs) = session.keeper.take_due() else { return };
                let copying = session.copy_state(&tabs, None);
                tokio::join!(copying, weigh(Arc::downgrade(&session)));
            }
        });
    }

    /// Waits until the copy that a crash would be recovered from has what every call that was
    /// answered so far has changed.
    pub async fn copied(&self) {
        // The sender lives as long as we do.
        let _ = self.keeper.rests().wait_for(|rests| *rests).await;
        self.left_are_copied().await;
    }

    /// Waits until the pages that were left have said what they had stored, or took too long.
    pub(crate) async fn left_are_copied(&self) {
        // The sender lives as long as we do.
        let _ = self.keeper.leaving.subscribe().wait_for(|leaving| *leaving == 0).await;
    }

    /// The page of a tab is about to be left: asks what it has stored by now. The question goes out at once, before
    /// whatever is sent to the page next; nobody waits for the answer.
    pub(crate) fn copy_before_leaving(self: &Arc<Self>, tab: &TabState) {
        if !self.browser.owns_pages() {
            return;
        }
        let look = self.keeper.look();
        let asked = Asked::of(tab, None, Instant::now() + PATIENCE);
        self.keeper.leaving.send_modify(|leaving| *leaving += 1);
        let session = Arc::downgrade(self);
        tokio::spawn(async move {
            let stored = asked.answers().await;
            let Some(session) = session.upgrade() else { return };
            session.keeper.take_over(look, stored);
            session.keeper.leaving.send_modify(|leaving| *leaving -= 1);
        });
    }

    /// Brings the copy up to date. Databases are not part of it, but given back where they are asked
    /// for, up to so many characters of each origin.
    pub(crate) async fn copy_state(
        &self,
        tabs: &BTreeSet<u32>,
        databases: Option<usize>,
    ) -> Databases {
        let patience = if databases.is_some() { PATIENCE * 5 } else { PATIENCE };
        let deadline = Instant::now() + patience;
        let cookies = storage::GetCookies { browser_context_id: self.context() };
        let cookies = self.browser.connection.call(None, &cookies, deadline);
        let look = self.keeper.look();
        let open = self.open_tabs();
        let asked = open.iter().filter(|tab| tabs.contains(&tab.id));
        let asked = asked.map(|tab| Asked::of(tab, databases, deadline).answers());
        let stored = join_all(asked).await.into_iter().flatten().collect();
        let cookies = cookies.await.map(|answer| self.only_its(answer.cookies));
        {
            let mut copy = lock(&self.keeper.copy);
            if let Ok(cookies) = cookies {
                copy.cookies = cookies;
            }
            copy.keep_tabs(|tab| open.iter().any(|open| open.id == tab));
        }
        self.keeper.take_over(look, stored)
    }
}

/// The frames of a tab that were asked what they have stored, the main one first. One that has no world
/// of ours was never worked on.
struct Asked {
    tab: u32,
    frames: Vec<Option<Call<runtime::Evaluated>>>,
}

impl Asked {
    /// Asks them; the questions are on their way when this is back.
    fn of(tab: &TabState, databases: Option<usize>, deadline: Instant) -> Self {
        let worlds: Vec<_> = {
            let facts = tab.facts();
            // One whose storage is just being put back has not all of it yet.
            if facts.crashed || facts.closed || facts.emptied {
                return Self { tab: tab.id, frames: Vec::new() };
            }
            let frames = facts.frames.below(&facts.frames.main).into_iter().take(FRAMES);
            frames
                .filter_map(|id| facts.frames.get(&id))
                .map(|frame| frame.world.map(|world| (frame.session.clone(), world)))
                .collect()
        };
        let request = CopyStorageRequest { limit: LIMIT, databases };
        let ask = |(session, world)| {
            with_call(world, "copyStorage", &request, true, |call| {
                tab.connection.call(Some(&session), call, deadline)
            })
        };
        Self { tab: tab.id, frames: worlds.into_iter().map(|world| world.map(ask)).collect() }
    }

    /// What they answer.
    async fn answers(self) -> Vec<(u32, Area, StorageCopy)> {
        let answers = self.frames.into_iter().map(answered);
        let mut answers = join_all(answers).await.into_iter();
        let Some(main) = answers.next().flatten() else { return Vec::new() };
        let top = main.origin.clone();
        let all = std::iter::once(main).chain(answers.flatten());
        all.filter(|found| found.origin.starts_with("http"))
            .map(|found| (self.tab, Area { top: top.clone(), frame: found.origin.clone() }, found))
            .collect()
    }
}

async fn answered(call: Option<Call<runtime::Evaluated>>) -> Option<StorageCopy> {
    read("copyStorage", call?.await.ok()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn area(origin: &str) -> Area {
        Area { top: origin.into(), frame: origin.into() }
    }

    #[test]
    fn a_copy_is_made_in_a_pause_and_not_put_off_for_ever() {
        let first = Instant::now();
        let last = first + Duration::from_millis(100);
        let due = |working, last| Due { tabs: BTreeSet::from([1]), first, last, working }.when();

        assert_eq!(due(0, last), last + PAUSE);
        assert_eq!(due(1, last), first + AT_MOST);
        assert_eq!(due(0, first + AT_MOST), first + AT_MOST);
    }

    #[test]
    fn the_largest_is_dropped_until_the_rest_fits() {
        let mut copy = Copy::default();
        let items = |length| Stored::Items("x".repeat(length));
        copy.take(1, 1, area("http://a.test"), items(30), items(10));
        copy.take(2, 2, area("http://b.test"), items(5), items(40));

        copy.fit(50);

        assert!(copy.left_out);
        assert_eq!(copy.local.len(), 2);
        assert_eq!(copy.session.keys().map(|(tab, _)| *tab).collect::<Vec<_>>(), [1]);
    }

    #[test]
    fn storage_that_was_emptied_is_not_kept() {
        let mut copy = Copy::default();
        copy.take(1, 1, area("http://a.test"), Stored::Items("[]".into()), Stored::Nothing);

        copy.take(1, 1, area("http://a.test"), Stored::Nothing, Stored::TooMuch(false));

        assert!(copy.local.is_empty() && copy.session.is_empty());
        assert!(copy.left_out);
    }

    /// A page that was left is slow to answer, and the next page of its origin was asked meanwhile.
    #[test]
    fn an_earlier_look_that_is_answered_last_does_not_undo_a_later_one() {
        let mut copy = Copy::default();
        let items = |text: &str| Stored::Items(text.into());
        copy.take(2, 1, area("http://a.test"), items("new"), items("new"));

        copy.take(1, 1, area("http://a.test"), items("old"), Stored::Nothing);
        copy.take(1, 7, area("http://a.test"), items("old"), items("of another tab"));

        assert_eq!(copy.local.values().collect::<Vec<_>>(), ["new"]);
        assert_eq!(copy.session.values().collect::<Vec<_>>(), ["new", "of another tab"]);
    }
}
