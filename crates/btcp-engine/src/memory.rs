//! How much memory a session's pages hold, and what is done about too much.
//!
//! What scripts, documents and buffers take is asked of each page's engine when the session is
//! copied (`state.rs`), which costs a page a fraction of a millisecond, and now and then besides.
//! If all together have too much, the page with the most is ended; whoever calls its tab next is
//! told so, and the call after that loads it again.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, Weak};
use std::time::Duration;

use btcp_cdp::{page, runtime};
use futures_util::future::join_all;
use tokio::time::Instant;

use crate::error::{Error, Limited, Result};
use crate::session::Session;
use crate::sessions::lock;
use crate::tab_state::{Facts, TabState};

/// How long a page may take to tell; one that hangs is not counted.
const PATIENCE: Duration = Duration::from_secs(2);

/// How long the end of a page may take.
const DYING: Duration = Duration::from_secs(5);

/// Tabs whose page was ended, and what is to be said about it.
#[derive(Default)]
pub(crate) struct Ended(Mutex<BTreeMap<u32, String>>);

/// Weighs a session's pages; ends the heaviest if they have too much together. Does not hold the
/// session meanwhile: that would count as using it.
pub(crate) async fn weigh(session: Weak<Session>) {
    let weighed = session.upgrade().filter(|session| session.browser.owns_pages());
    let Some(tabs) = weighed.map(|session| session.open_tabs()) else { return };
    let deadline = Instant::now() + PATIENCE;
    let weights = join_all(tabs.iter().map(|tab| weight(tab, deadline))).await;
    // Pages of one site may share an engine, which is then told by each of them.
    let mut counted = BTreeSet::new();
    let mut heaviest: Option<(u64, &TabState)> = None;
    let mut sum = 0;
    for (tab, engines) in tabs.iter().zip(weights) {
        let own: u64 = engines.iter().map(|(_, bytes)| bytes).sum();
        let new = engines.into_iter().filter(|(id, _)| counted.insert(id.clone()));
        sum += new.map(|(_, bytes)| bytes).sum::<u64>();
        if heaviest.is_none_or(|(most, _)| own > most) {
            heaviest = Some((own, tab));
        }
    }
    let heaviest = heaviest.map(|(_, tab)| tab);
    let Some((session, tab)) = session.upgrade().zip(heaviest) else { return };
    if sum <= session.browser.settings.max_memory {
        return;
    }
    session.end_page(tab, sum);
    drop(session);
    let over = |facts: &Facts| (facts.crashed || facts.closed).then_some(());
    tab.until(Instant::now() + DYING, over).await;
}

impl Session {
    fn end_page(&self, tab: &TabState, held: u64) {
        let message = format!(
            "The session's pages held {}, and may hold {}: the page of tab {} was ended",
            megabytes(held),
            megabytes(self.browser.settings.max_memory),
            tab.id
        );
        lock(&self.ended_pages.0).insert(tab.id, message);
        tab.update(|facts| facts.crash_told = true);
        tab.connection.post(Some(&tab.session), &page::Crash);
    }

    /// Says once that a tab's page was ended.
    pub(crate) fn ended_for_memory(&self, tab: u32) -> Result<()> {
        match lock(&self.ended_pages.0).remove(&tab) {
            Some(message) => Err(Error::SessionLimit { of: Limited::Memory, message }),
            None => Ok(()),
        }
    }
}

/// The engines of a tab's frames, and what each holds.
async fn weight(tab: &TabState, deadline: Instant) -> Vec<(String, u64)> {
    let sessions = {
        let facts = tab.facts();
        if facts.crashed || facts.closed {
            return Vec::new();
        }
        let frames = facts.frames.below(&facts.frames.main).into_iter();
        let sessions = frames.filter_map(|id| facts.frames.get(&id).map(|f| f.session.clone()));
        sessions.fold(Vec::new(), |mut all, session| {
            if !all.contains(&session) {
                all.push(session);
            }
            all
        })
    };
    let engines = join_all(sessions.iter().map(async |session| {
        let id = tab.connection.call(Some(session), &runtime::GetIsolateId, deadline);
        let heap = tab.connection.call(Some(session), &runtime::GetHeapUsage, deadline);
        let heap = heap.await.ok()?;
        Some((id.await.ok()?.id, heap.bytes()))
    }));
    engines.await.into_iter().flatten().collect()
}

fn megabytes(bytes: u64) -> String {
    format!("{} MB", bytes >> 20)
}
