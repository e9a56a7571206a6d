//! Requests of a tab: enough to know when a page has come to rest, and what failed.
//!
//! Long-lived streams never end, so they do not count; what does is bounded, because a
//! hostile page can start requests for ever.

use std::collections::{HashMap, VecDeque};

use tokio::time::{Duration, Instant};

/// Kinds that stay open by design or matter to nobody.
const UNCOUNTED: &[&str] =
    &["WebSocket", "EventSource", "Ping", "Prefetch", "Media", "CSPViolationReport", "Preflight"];

const TRACKED: usize = 10_000;

/// Failures that are remembered.
const FAILURES: usize = 50;

/// Requests under way, and the last that failed.
#[derive(Debug)]
pub(crate) struct Requests {
    open: HashMap<String, Open>,
    started: u64,
    quiet_since: Instant,
    failed: VecDeque<(u64, String)>,
}

#[derive(Debug)]
struct Open {
    serial: u64,
    name: String,
    /// When its answer, or a piece of it, last came.
    heard: Option<Instant>,
}

/// Chrome never tells the end of a response whose body nobody reads; this long after the last
/// piece of one we take it for ended.
const UNREAD: Duration = Duration::from_millis(150);

impl Open {
    /// When it counts as ended, if nothing more comes; `None` while the server has not answered.
    fn ends(&self) -> Option<Instant> {
        self.heard.map(|heard| heard + UNREAD)
    }
}

impl Requests {
    pub(crate) fn new() -> Self {
        Self {
            open: HashMap::new(),
            started: 0,
            quiet_since: Instant::now(),
            failed: VecDeque::new(),
        }
    }

    pub(crate) fn start(&mut self, id: &str, kind: Option<&str>, method: &str, url: &str) {
        let counted = !kind.is_some_and(|kind| UNCOUNTED.contains(&kind));
        // A redirect starts the same request again.
        if counted && self.open.len() < TRACKED && !self.open.contains_key(id) {
            self.started += 1;
            let name = format!("{method} {}", crate::text::cut(url, 200));
            self.open.insert(id.to_owned(), Open { serial: self.started, name, heard: None });
        }
    }

    /// The server answered; an error status is a failure the page may hide.
    pub(crate) fn answered(&mut self, id: &str, status: i64, mime: &str) {
        if status >= 400 {
            self.note(id, &status.to_string());
        }
        self.heard(id);
        // A response that streams for ever must not hold anybody up.
        if mime == "text/event-stream" {
            self.end(id);
        }
    }

    /// A piece of the answer came.
    pub(crate) fn heard(&mut self, id: &str) {
        if let Some(open) = self.open.get_mut(id) {
            open.heard = Some(Instant::now());
        }
    }

    /// It ended without an answer.
    pub(crate) fn fail(&mut self, id: &str, error: &str, cancelled: bool) {
        if !cancelled {
            self.note(id, error);
        }
        self.end(id);
    }

    fn note(&mut self, id: &str, why: &str) {
        let Some(open) = self.open.get(id) else { return };
        if self.failed.len() == FAILURES {
            self.failed.pop_front();
        }
        self.failed.push_back((open.serial, format!("{} {why}", open.name)));
    }

    /// Requests that began after the mark and failed: `GET https://a.test/x 500`.
    pub(crate) fn failed_since(&self, mark: u64) -> Vec<String> {
        self.failed
            .iter()
            .filter(|(serial, _)| *serial > mark)
            .map(|(_, name)| name.clone())
            .collect()
    }

    pub(crate) fn end(&mut self, id: &str) {
        if self.open.remove(id).is_some() && self.open.is_empty() {
            self.quiet_since = Instant::now();
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
        let now = Instant::now();
        self.open.values().any(|open| open.serial > mark && open.ends().is_none_or(|end| end > now))
    }

    /// When to look again, because an answer nobody reads may then count as ended.
    pub(crate) fn look_again(&self) -> Option<Instant> {
        let now = Instant::now();
        self.open.values().filter_map(Open::ends).filter(|end| *end > now).min()
    }

    /// Since when nothing has been under way.
    pub(crate) fn quiet_since(&self) -> Option<Instant> {
        let now = Instant::now();
        self.open.values().try_fold(self.quiet_since, |quiet, open| {
            open.ends().filter(|end| *end <= now).map(|end| quiet.max(end))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_requests_after_the_mark_count() {
        let mut requests = Requests::new();
        requests.start("old", Some("Fetch"), "GET", "https://a.test/");
        let mark = requests.mark();
        assert!(!requests.busy_since(mark));
        requests.start("new", Some("XHR"), "POST", "https://a.test/x");
        assert!(requests.busy_since(mark));
        requests.answered("new", 500, "text/html");
        assert_eq!(requests.failed_since(mark), ["POST https://a.test/x 500"]);
        requests.end("new");
        assert!(!requests.busy_since(mark) && requests.quiet_since().is_none());
        requests.end("old");
        assert!(requests.quiet_since().is_some());
    }

    #[test]
    fn streams_hold_nobody_up() {
        let mut requests = Requests::new();
        requests.start("ws", Some("WebSocket"), "GET", "");
        requests.start("fetch", Some("Fetch"), "GET", "");
        requests.answered("fetch", 200, "text/event-stream");
        assert!(requests.quiet_since().is_some());
    }
}
