//! Requests under way in a tab: enough to know when a page has come to rest.
//!
//! Long-lived streams never end, so they do not count; what does is bounded, because a
//! hostile page can start requests for ever.

use std::collections::HashMap;

use tokio::time::Instant;

/// Kinds that stay open by design or matter to nobody.
const UNCOUNTED: &[&str] =
    &["WebSocket", "EventSource", "Ping", "Prefetch", "Media", "CSPViolationReport", "Preflight"];

const TRACKED: usize = 10_000;

/// Requests under way.
#[derive(Debug)]
pub(crate) struct Requests {
    open: HashMap<String, u64>,
    started: u64,
    quiet_since: Instant,
}

impl Requests {
    pub(crate) fn new() -> Self {
        Self { open: HashMap::new(), started: 0, quiet_since: Instant::now() }
    }

    pub(crate) fn start(&mut self, id: &str, kind: Option<&str>) {
        let counted = !kind.is_some_and(|kind| UNCOUNTED.contains(&kind));
        // A redirect starts the same request again.
        if counted && self.open.len() < TRACKED && !self.open.contains_key(id) {
            self.started += 1;
            self.open.insert(id.to_owned(), self.started);
        }
    }

    pub(crate) fn end(&mut self, id: &str) {
        if self.open.remove(id).is_some() && self.open.is_empty() {
            self.quiet_since = Instant::now();
        }
    }

    /// A response that streams for ever must not hold anybody up.
    pub(crate) fn streams(&mut self, id: &str, mime: &str) {
        if mime == "text/event-stream" {
            self.end(id);
        }
    }

    /// Forgets everything: the main frame has a new document.
    pub(crate) fn reset(&mut self) {
        self.open.clear();
        self.quiet_since = Instant::now();
    }

    /// A point in time, for `busy_since`.
    pub(crate) fn mark(&self) -> u64 {
        self.started
    }

    /// Whether a request that began after the mark is under way.
    pub(crate) fn busy_since(&self, mark: u64) -> bool {
        self.open.values().any(|started| *started > mark)
    }

    /// Since when nothing has been under way.
    pub(crate) fn quiet_since(&self) -> Option<Instant> {
        self.open.is_empty().then_some(self.quiet_since)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_requests_after_the_mark_count() {
        let mut requests = Requests::new();
        requests.start("old", Some("Fetch"));
        let mark = requests.mark();
        assert!(!requests.busy_since(mark));
        requests.start("new", Some("XHR"));
        assert!(requests.busy_since(mark));
        requests.end("new");
        assert!(!requests.busy_since(mark) && requests.quiet_since().is_none());
        requests.end("old");
        assert!(requests.quiet_since().is_some());
    }

    #[test]
    fn streams_hold_nobody_up() {
        let mut requests = Requests::new();
        requests.start("ws", Some("WebSocket"));
        requests.start("fetch", Some("Fetch"));
        requests.streams("fetch", "text/event-stream");
        assert!(requests.quiet_since().is_some());
    }
}
