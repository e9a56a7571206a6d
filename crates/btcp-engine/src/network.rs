//! Requests of a tab: enough to know when a page has come to rest, and what failed.
//!
//! Long-lived streams never end, so they do not count; what does is bounded, because a
//! hostile page can start requests for ever. Rest is two things: for an action it is the end of what
//! the action asked for (`busy_since`), for the network that of all but what the page asks for again
//! and again (`quiet_since`, `polls.rs`).

mod polls;

use std::collections::{HashMap, VecDeque};

use tokio::time::{Duration, Instant};

use self::polls::Polls;
use crate::egress::{Memory, Reason};

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
    polls: Polls,
}

#[derive(Debug)]
struct Open {
    serial: u64,
    name: String,
    /// Where it goes now, redirects followed.
    url: String,
    /// When its answer, or a piece of it, last came.
    heard: Option<Instant>,
    began: Instant,
    /// A script asked for it, and a server may keep it waiting until there is news.
    may_be_held: bool,
    /// What it is asked for as, where the page asks for it again and again.
    poll: bool,
    key: String,
}

/// Chrome never tells the end of a response whose body nobody reads; this long after the last
/// piece of one we take it for ended.
const UNREAD: Duration = Duration::from_millis(150);

/// A server that leaves a script's request unanswered this long waits for news: the page has come to
/// rest without it.
const HELD: Duration = Duration::from_secs(5);

impl Open {
    /// When it counts as ended, if nothing more comes; `None` while the server has not answered.
    fn ends(&self) -> Option<Instant> {
        self.heard.map(|heard| heard + UNREAD)
    }

    /// When the network counts as having come to rest as far as this goes.
    fn rests(&self) -> Option<Instant> {
        self.ends().or_else(|| self.may_be_held.then(|| self.began + HELD))
    }
}

impl Requests {
    pub(crate) fn new() -> Self {
        Self {
            open: HashMap::new(),
            started: 0,
            quiet_since: Instant::now(),
            failed: VecDeque::new(),
            polls: Polls::default(),
        }
    }

    pub(crate) fn start(&mut self, id: &str, kind: Option<&str>, method: &str, url: &str) {
        let counted = !kind.is_some_and(|kind| UNCOUNTED.contains(&kind));
        let may_be_held = matches!(kind, Some("Fetch" | "XHR"));
        let url = crate::text::cut(url, 200);
        // A redirect starts the same request again.
        if let Some(open) = self.open.get_mut(id) {
            open.url = url;
        } else if counted && self.open.len() < TRACKED {
            self.started += 1;
            let (serial, name) = (self.started, format!("{method} {url}"));
            let key = polls::key(method, &url);
            let began = Instant::now();
            let poll = self.polls.asked(&key, began);
            let open = Open { serial, name, url, heard: None, began, may_be_held, poll, key };
            self.open.insert(id.to_owned(), open);
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
            let now = Instant::now();
            open.heard = Some(now);
            self.polls.answered(&open.key, now, now.duration_since(open.began) >= HELD);
        }
    }

    /// It ended without an answer.
    pub(crate) fn fail(&mut self, id: &str, error: &str, cancelled: bool, memory: &Memory) {
        if !cancelled {
            let url = self.open.get(id).map_or("", |open| open.url.as_str());
            let error = match memory.translate(error, url, None) {
                Some((_, Reason::Failed(name))) => name.to_owned(),
                Some((_, Reason::Refused(refusal))) => format!("denied ({refusal})"),
                None => error.to_owned(),
            };
            self.note(id, &error);
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
        let Some(open) = self.open.remove(id) else { return };
        let now = Instant::now();
        self.polls.answered(&open.key, now, now.duration_since(open.began) >= HELD);
        if !open.poll {
            let rested = open.rests().map_or(now, |rest| rest.min(now));
            self.quiet_since = self.quiet_since.max(rested);
        }
    }

    /// Forgets everything: the main frame has a new document.
    pub(crate) fn reset(&mut self) {
        self.open.clear();
        self.polls = Polls::default();
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
        self.open.values().filter_map(Open::rests).filter(|end| *end > now).min()
    }

    /// Since when nothing has been under way, polls apart.
    pub(crate) fn quiet_since(&self) -> Option<Instant> {
        let now = Instant::now();
        self.open.values().filter(|open| !open.poll).try_fold(self.quiet_since, |quiet, open| {
            open.rests().filter(|end| *end <= now).map(|end| quiet.max(end))
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
    fn polls_hold_up_whoever_caused_them_and_nobody_else() {
        let mut requests = Requests::new();
        requests.polls = Polls::of("GET https://a.test/news");
        requests.start("1", Some("Fetch"), "GET", "https://a.test/news?since=5");
        assert!(requests.quiet_since().is_some());
        assert!(requests.busy_since(0));
        requests.start("2", Some("Fetch"), "GET", "https://a.test/olds");
        assert_eq!(requests.quiet_since(), None);
    }

    #[test]
    fn a_request_that_is_kept_waiting_for_news_holds_nobody_up_for_long() {
        let mut requests = Requests::new();
        for (id, kind) in [("news", "Fetch"), ("picture", "Image")] {
            requests.start(id, Some(kind), "GET", "https://a.test/");
            let began = requests.open[id].began;
            assert_eq!(requests.quiet_since(), None);
            assert_eq!(requests.look_again().is_some(), kind == "Fetch");
            requests.open.get_mut(id).expect("it is open").began = began - HELD;
            assert_eq!(requests.quiet_since().is_some(), kind == "Fetch", "a picture is no poll");
        }
        requests.end("picture");
        // There is news, and it asks for more: it is known by now.
        requests.answered("news", 200, "text/plain");
        requests.end("news");
        requests.start("more", Some("Fetch"), "GET", "https://a.test/");
        assert!(requests.quiet_since().is_some());
    }

    /// One that ended while another's answer lay unread is where the rest begins.
    #[test]
    fn rest_begins_with_the_last_that_ended() {
        let mut requests = Requests::new();
        requests.start("unread", Some("Fetch"), "GET", "https://a.test/a");
        requests.answered("unread", 200, "text/plain");
        let heard = Instant::now() - 2 * UNREAD;
        requests.open.get_mut("unread").expect("it is open").heard = Some(heard);
        requests.start("read", Some("Fetch"), "GET", "https://a.test/b");
        requests.end("read");
        assert!(requests.quiet_since().is_some_and(|since| since > heard + UNREAD));
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
