//! JavaScript dialogs: answered by the engine at once, and remembered for the report.
//!
//! An open dialog blocks its page, so one must never wait for a caller that cannot answer
//! it: alerts and `beforeunload` are accepted, confirm and prompt dismissed.

use std::collections::VecDeque;

/// A dialog the page opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dialog {
    /// `alert`, `confirm`, `prompt` or `beforeunload`.
    pub kind: String,
    /// What it said.
    pub message: String,
    /// How the engine answered: `accepted` or `dismissed`.
    pub answered: Option<&'static str>,
}

/// Whether the engine accepts a dialog of this kind.
pub(crate) fn accepts(kind: &str) -> bool {
    matches!(kind, "alert" | "beforeunload")
}

/// The dialogs of a tab: the last few, and how many there were.
#[derive(Debug, Default)]
pub(crate) struct Dialogs {
    recent: VecDeque<Dialog>,
    count: u64,
}

const KEPT: usize = 50;

impl Dialogs {
    pub(crate) fn add(&mut self, dialog: Dialog) {
        if self.recent.len() == KEPT {
            self.recent.pop_front();
        }
        self.recent.push_back(dialog);
        self.count += 1;
    }

    /// How many there have been.
    pub(crate) fn count(&self) -> u64 {
        self.count
    }

    /// The first one since there were `count`, if it is still known.
    pub(crate) fn since(&self, count: u64) -> Option<&Dialog> {
        let new = usize::try_from(self.count.saturating_sub(count)).unwrap_or(usize::MAX);
        if new == 0 {
            return None;
        }
        let from = self.recent.len().saturating_sub(new);
        self.recent.get(from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dialog(message: &str) -> Dialog {
        Dialog { kind: "alert".into(), message: message.into(), answered: Some("accepted") }
    }

    #[test]
    fn the_first_dialog_since_a_mark_is_found() {
        let mut dialogs = Dialogs::default();
        dialogs.add(dialog("old"));
        let mark = dialogs.count();
        assert!(dialogs.since(mark).is_none());
        dialogs.add(dialog("one"));
        dialogs.add(dialog("two"));
        assert_eq!(dialogs.since(mark).unwrap().message, "one");
    }

    #[test]
    fn a_storm_is_counted_but_not_kept() {
        let mut dialogs = Dialogs::default();
        for n in 0..10_000 {
            dialogs.add(dialog(&n.to_string()));
        }
        assert_eq!(dialogs.count(), 10_000);
        assert_eq!(dialogs.recent.len(), KEPT);
        assert!(dialogs.since(0).is_some());
    }
}
