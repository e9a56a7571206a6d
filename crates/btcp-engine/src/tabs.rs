//! The tabs of a session: which there are, which one is current, which share a window.
//!
//! Kept from Chrome's events, so that a list of them never waits for a page.

use std::sync::Arc;

use crate::error::{Error, Result};
use crate::frame::LOADED;
use crate::recovery::KeptTabs;
use crate::tab::TabHandle;
use crate::tab_state::{Facts, TabState};

/// A tab as it is listed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TabInfo {
    /// Its number in the session, never used again.
    pub id: u32,
    /// The page's title, as far as Chrome has told it.
    pub title: String,
    /// The page's address.
    pub url: String,
    /// Whether calls go to it that name no tab.
    pub current: bool,
    /// What is the matter with its page, if anything.
    pub trouble: Option<Trouble>,
}

/// What keeps a page from answering.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trouble {
    /// It is still loading.
    Loading,
    /// Its script did not let it answer.
    Hung,
    /// Its process ended; the next call loads it again.
    Crashed,
}

impl Trouble {
    /// As a list shows it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Loading => "loading",
            Self::Hung => "hung",
            Self::Crashed => "crashed",
        }
    }

    fn of(facts: &Facts) -> Option<Self> {
        // Chrome says a moment later that it has stopped.
        let loaded = facts.frames.main().is_some_and(|main| main.stages & LOADED != 0);
        match () {
            () if facts.crashed => Some(Self::Crashed),
            () if facts.hung => Some(Self::Hung),
            () if facts.loading && !loaded => Some(Self::Loading),
            () => None,
        }
    }
}

/// The tabs of a session.
#[derive(Default)]
pub(crate) struct Tabs {
    list: Vec<Listed>,
    current: u32,
    issued: u32,
}

struct Listed {
    tab: TabHandle,
    opener: Option<u32>,
    /// Its window, by the number of the first tab in it.
    window: u32,
    /// Whether it lies in front of the others of its window.
    in_front: bool,
}

impl Tabs {
    /// The number of the next tab.
    pub(crate) fn next_id(&mut self) -> u32 {
        self.issued += 1;
        self.issued
    }

    /// The next tab has this number.
    pub(crate) fn next_is(&mut self, id: u32) {
        self.issued = id.saturating_sub(1);
    }

    /// What is to be opened again after a crash.
    pub(crate) fn kept(&self) -> KeptTabs {
        // One that a person lends is theirs to open again.
        let again = |tab: &&TabHandle| !tab.is_closed() && !tab.state.lent;
        let open = || self.list.iter().map(|listed| &listed.tab).filter(again);
        KeptTabs {
            tabs: open().map(|tab| (tab.id(), tab.state.url())).collect(),
            targets: open().map(|tab| tab.target().to_owned()).collect(),
            current: self.current,
            issued: self.issued,
        }
    }

    /// Goes on with the numbers there were before a crash.
    pub(crate) fn number_on(&mut self, kept: &KeptTabs) {
        self.issued = self.issued.max(kept.issued);
        // Refused only if that tab was closed without being missed.
        let _ = self.select(kept.current);
    }

    /// What is known of each that is open.
    pub(crate) fn states(&self) -> Vec<Arc<TabState>> {
        let open = self.list.iter().map(|listed| &listed.tab).filter(|tab| !tab.is_closed());
        open.map(|tab| tab.state.clone()).collect()
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.list.iter().filter(|listed| !listed.tab.is_closed()).count()
    }

    /// A tab came: ours, or one that a page opened, which lies in its opener's window, in front.
    pub(crate) fn add(&mut self, tab: TabHandle, opener: Option<&str>) {
        let opener = opener.and_then(|target| self.by_target(target));
        let (opener, window) = match opener {
            Some(listed) => (Some(listed.tab.id()), listed.window),
            None => (None, tab.id()),
        };
        for other in self.list.iter_mut().filter(|other| other.window == window) {
            other.in_front = false;
        }
        if self.current == 0 {
            self.current = tab.id();
        }
        self.list.push(Listed { tab, opener, window, in_front: true });
    }

    /// Tells the tab that asked for a window that it is there.
    pub(crate) fn opened_by(&self, opener: Option<&str>, new: &TabState) {
        let Some(opener) = opener.and_then(|target| self.by_target(target)) else { return };
        opener.tab.state.update(|facts| {
            let windows = &mut facts.windows;
            let url = if windows.expected.is_empty() {
                String::new()
            } else {
                windows.expected.remove(0)
            };
            windows.opened.push((new.id, url));
        });
    }

    /// Tells the tab that asked for a window that it will not get one.
    pub(crate) fn refused_to(&self, opener: Option<&str>) {
        let Some(opener) = opener.and_then(|target| self.by_target(target)) else { return };
        opener.tab.state.update(|facts| {
            facts.windows.refused += 1;
            if !facts.windows.expected.is_empty() {
                facts.windows.expected.remove(0);
            }
        });
    }

    fn by_target(&self, target: &str) -> Option<&Listed> {
        self.list.iter().find(|listed| listed.tab.target() == target)
    }

    /// Forgets what was closed. Of a current tab that is gone the opener is next, else the newest.
    fn sweep(&mut self) {
        let opener = |id: u32| self.list.iter().find(|l| l.tab.id() == id).and_then(|l| l.opener);
        let is_open = |id: u32| self.list.iter().any(|l| l.tab.id() == id && !l.tab.is_closed());
        let mut current = self.current;
        let mut steps = 0;
        while !is_open(current) && steps <= self.list.len() {
            steps += 1;
            match opener(current) {
                Some(id) => current = id,
                None => break,
            }
        }
        self.list.retain(|listed| !listed.tab.is_closed());
        if !self.list.iter().any(|listed| listed.tab.id() == current) {
            current = self.list.last().map_or(0, |listed| listed.tab.id());
        }
        self.current = current;
    }

    /// All of them, in the order in which they came.
    pub(crate) fn infos(&mut self) -> Vec<TabInfo> {
        self.sweep();
        self.list
            .iter()
            .map(|Listed { tab, .. }| {
                let facts = tab.state.facts();
                TabInfo {
                    id: tab.id(),
                    title: facts.title.clone(),
                    url: facts.url(),
                    current: tab.id() == self.current,
                    trouble: Trouble::of(&facts),
                }
            })
            .collect()
    }

    /// What Chrome says they are called now.
    pub(crate) fn rename(&self, infos: Vec<btcp_cdp::target::TargetInfo>) {
        for info in infos {
            if let Some(listed) = self.by_target(&info.target_id) {
                listed.tab.state.facts().title = info.title;
            }
        }
    }

    /// The one of this number.
    pub(crate) fn get(&mut self, id: u32) -> Result<TabHandle> {
        self.sweep();
        let found = self.list.iter().find(|listed| listed.tab.id() == id);
        found.map(|listed| listed.tab.clone()).ok_or(Error::NoSuchTab { id })
    }

    /// The one calls go to that name none; `None` when the last was closed.
    pub(crate) fn current(&mut self) -> Option<TabHandle> {
        self.sweep();
        self.get(self.current).ok()
    }

    /// Calls go to this one from now on.
    pub(crate) fn select(&mut self, id: u32) -> Result<TabHandle> {
        let tab = self.get(id)?;
        self.current = id;
        Ok(tab)
    }

    /// The one that was made for this target.
    pub(crate) fn of_target(&self, target: &str) -> Option<TabHandle> {
        self.by_target(target).map(|listed| listed.tab.clone())
    }

    /// Brings a tab to the front of its window; whether Chrome has to be told. A tab behind another
    /// draws no frames and cannot be captured.
    pub(crate) fn bring_to_front(&mut self, id: u32) -> bool {
        let Some(window) = self.list.iter().find(|l| l.tab.id() == id).map(|l| l.window) else {
            return false;
        };
        let mut behind = false;
        for listed in self.list.iter_mut().filter(|listed| listed.window == window) {
            let is_it = listed.tab.id() == id;
            behind |= is_it && !listed.in_front;
            listed.in_front = is_it;
        }
        behind
    }
}
