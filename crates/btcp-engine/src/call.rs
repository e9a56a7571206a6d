//! One call's place in time: its deadline, and how far its work has come.
//!
//! Every error of an action that changes something must say whether it happened. The
//! places that send events to the page mark it here; whoever reports the error reads it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Duration;

use tokio::time::Instant;

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
#[derive(Debug, Clone, Default)]
pub struct Progress(Arc<AtomicU8>);

impl Progress {
    /// Something that changes the page is about to be sent.
    pub(crate) fn sent(&self) {
        self.0.store(1, Ordering::SeqCst);
    }

    /// What was sent has been answered.
    pub(crate) fn happened(&self) {
        self.0.store(2, Ordering::SeqCst);
    }

    /// What was sent has been taken back before it could happen.
    pub(crate) fn undone(&self) {
        self.0.store(0, Ordering::SeqCst);
    }

    /// How far it has come.
    pub fn done(&self) -> Done {
        match self.0.load(Ordering::SeqCst) {
            0 => Done::No,
            1 => Done::Unknown,
            _ => Done::Yes,
        }
    }
}

/// A call's deadline and progress.
#[derive(Debug, Clone)]
pub struct CallContext {
    pub(crate) deadline: Instant,
    pub(crate) timeout: Duration,
    pub(crate) progress: Progress,
}

impl CallContext {
    /// A call that ends after `timeout`.
    pub fn new(timeout: Duration, progress: Progress) -> Self {
        Self { deadline: Instant::now() + timeout, timeout, progress }
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
}
