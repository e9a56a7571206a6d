//! One call's place in time: its deadline, and how far its work has come.
//!
//! Every error of an action that changes something must say whether it happened. The
//! places that send events to the page mark it here; whoever reports the error reads it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Duration;

use tokio::time::Instant;

use crate::files::Folders;
use crate::secrets::Bound;
use crate::snapshot::SnapshotOptions;

/// Whether what a failed call asked for happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Done {
    /// Nothing was sent to the page.
    No,
    /// It happened; what failed came after.
    Yes,
    /// It was sent, but no answer came.
    Unknown,
}

impl Done {
    /// `no`, `yes`, `unknown`.
    pub fn name(self) -> &'static str {
        match self {
            Self::No => "no",
            Self::Yes => "yes",
            Self::Unknown => "unknown",
        }
    }
}

/// How far a call has come; shared between the tab that works and the catalog that reports.
///
/// A call of several parts keeps what became of those before: it is never taken back.
#[derive(Debug, Clone, Default)]
pub struct Progress(Arc<AtomicU8>);

/// The part under way was sent, or has happened.
const SENT: u8 = 1;
const HAPPENED: u8 = 2;
const PART: u8 = SENT | HAPPENED;
/// An earlier part happened, or may have.
const KEPT: u8 = 4;
const KEPT_UNSURE: u8 = 8;

impl Progress {
    /// Something that changes the page is about to be sent.
    pub(crate) fn sent(&self) {
        self.part(SENT);
    }

    /// What was sent has been answered.
    pub(crate) fn happened(&self) {
        self.part(HAPPENED);
    }

    /// What was sent has been taken back before it could happen.
    pub(crate) fn undone(&self) {
        self.part(0);
    }

    fn part(&self, state: u8) {
        let kept = self.0.load(Ordering::SeqCst) & !PART;
        self.0.store(kept | state, Ordering::SeqCst);
    }

    /// How far the part under way has come.
    pub fn this_part(&self) -> Done {
        match self.0.load(Ordering::SeqCst) & PART {
            0 => Done::No,
            SENT => Done::Unknown,
            _ => Done::Yes,
        }
    }

    /// A part of the call is over and another begins; whether that part happened.
    pub fn next_part(&self) -> Done {
        let done = self.this_part();
        let kept = match done {
            Done::No => 0,
            Done::Unknown => KEPT_UNSURE,
            Done::Yes => KEPT,
        };
        let before = self.0.load(Ordering::SeqCst) & !PART;
        self.0.store(before | kept, Ordering::SeqCst);
        done
    }

    /// How far it has come, all parts together.
    pub fn done(&self) -> Done {
        let now = self.0.load(Ordering::SeqCst);
        if now & PART == SENT || now & KEPT_UNSURE != 0 {
            Done::Unknown
        } else if now == 0 {
            Done::No
        } else {
            Done::Yes
        }
    }
}

/// Whose belongings a caller may have.
pub trait Reach: std::fmt::Debug + Send + Sync {
    /// Those of pages of this origin.
    fn origin(&self, origin: &str) -> bool;

    /// Cookies for this host; with a dot in front, for those below it too.
    fn cookies_of(&self, domain: &str) -> bool;
}

/// A call's deadline and progress.
#[derive(Debug, Clone)]
pub struct CallContext {
    pub(crate) deadline: Instant,
    pub(crate) timeout: Duration,
    pub(crate) progress: Progress,
    /// Whether what it changes is to be told.
    pub(crate) compares: bool,
    /// Whether the caller can answer dialogs.
    pub(crate) answers: bool,
    /// Whether all it does is answer a dialog.
    pub(crate) unblocks: bool,
    /// Whether it goes to another page, whatever has become of the one that is there.
    pub(crate) leaves: bool,
    /// Whether the caller may read passwords and cookies.
    pub(crate) reveals: bool,
    /// Whose cookies and storage the caller may have; everybody's if there is none.
    pub(crate) reach: Option<Arc<dyn Reach>>,
    /// Where the caller may read and write files.
    pub(crate) folders: Arc<Folders>,
    /// Secrets that stand in its parameters.
    pub(crate) carries: Vec<Bound>,
    /// How long a snapshot may be for which nobody said it.
    pub(crate) longest_snapshot: usize,
}

impl CallContext {
    /// A call that ends after `timeout`.
    pub fn new(timeout: Duration, progress: Progress) -> Self {
        Self {
            deadline: Instant::now() + timeout,
            timeout,
            progress,
            compares: false,
            answers: false,
            unblocks: false,
            leaves: false,
            reveals: false,
            reach: None,
            folders: Arc::default(),
            carries: Vec::new(),
            longest_snapshot: SnapshotOptions::default().max_chars,
        }
    }

    /// The same call, its changes to be told or not.
    #[must_use]
    pub fn comparing(mut self, compares: bool) -> Self {
        self.compares = compares;
        self
    }

    /// The same call, by somebody who can answer dialogs or cannot.
    #[must_use]
    pub fn answering(mut self, answers: bool) -> Self {
        self.answers = answers;
        self
    }

    /// The same call, which answers a dialog or does something else.
    #[must_use]
    pub fn unblocking(mut self, unblocks: bool) -> Self {
        self.unblocks = unblocks;
        self
    }

    /// The same call, which leaves the page that is there or works on it.
    #[must_use]
    pub fn leaving(mut self, leaves: bool) -> Self {
        self.leaves = leaves;
        self
    }

    /// The same call, by somebody who may read secrets or may not.
    #[must_use]
    pub fn revealing(mut self, reveals: bool) -> Self {
        self.reveals = reveals;
        self
    }

    /// Whether the caller may read secrets.
    pub fn reveals(&self) -> bool {
        self.reveals
    }

    /// The same call, by somebody who may have the belongings of these only.
    #[must_use]
    pub fn reaching(mut self, reach: Option<Arc<dyn Reach>>) -> Self {
        self.reach = reach;
        self
    }

    /// Whether the caller may have cookies for this host.
    pub fn has_cookies_of(&self, domain: &str) -> bool {
        self.reach.as_ref().is_none_or(|reach| reach.cookies_of(domain))
    }

    /// Whether the caller may have what pages of this origin have stored, or handed over.
    pub fn has_belongings_of(&self, origin: &str) -> bool {
        self.reach.as_ref().is_none_or(|reach| reach.origin(origin))
    }

    /// The same call, by somebody who may read and write there.
    #[must_use]
    pub fn with_folders(mut self, folders: Arc<Folders>) -> Self {
        self.folders = folders;
        self
    }

    /// The same call, with secrets in its parameters.
    #[must_use]
    pub fn carrying(mut self, secrets: Vec<Bound>) -> Self {
        self.carries = secrets;
        self
    }

    /// The same call, with snapshots of so many characters unless it says otherwise.
    #[must_use]
    pub fn with_longest_snapshot(mut self, characters: usize) -> Self {
        self.longest_snapshot = characters;
        self
    }

    /// What is left of the time.
    pub(crate) fn left(&self) -> Duration {
        self.deadline.saturating_duration_since(Instant::now())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_is_unknown_between_sending_and_hearing() {
        let progress = Progress::default();
        assert_eq!(progress.done(), Done::No);
        progress.sent();
        assert_eq!(progress.clone().done(), Done::Unknown);
        progress.happened();
        assert_eq!(progress.done(), Done::Yes);
    }

    #[test]
    fn what_an_earlier_part_did_is_not_taken_back() {
        let progress = Progress::default();
        assert_eq!(progress.next_part(), Done::No);
        assert_eq!(progress.done(), Done::No);
        progress.sent();
        progress.happened();
        assert_eq!(progress.next_part(), Done::Yes);
        progress.sent();
        progress.undone();
        assert_eq!(progress.done(), Done::Yes);
        progress.sent();
        assert_eq!(progress.next_part(), Done::Unknown);
        progress.sent();
        progress.happened();
        assert_eq!(progress.done(), Done::Unknown);
    }
}
