//! What the guard of a session remembers: the origins its agent named, what names stood for, where
//! the agent is going right now, and why connections came to nothing.
//!
//! It outlives a crash of Chrome with its session. Everything in it is bounded: pages can make
//! names without end.

use std::collections::{HashMap, VecDeque};
use std::hash::{BuildHasher, RandomState};
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::Instant;

use super::address::Place;
use super::held::Held;
use super::host::{Host, Origin, percent_decoded};
use super::judge::Refusal;
use crate::sessions::lock;

/// How many origins an agent may name before the oldest is forgotten.
const NAMED: usize = 1000;

/// How many names are remembered with what they stood for.
const PINNED: usize = 20_000;

/// How many addresses are remembered as those of documents that came, or that the agent named.
const BEEN: usize = 2000;

/// How many failures are remembered.
const FAILURES: usize = 500;

/// What a session's guard remembers.
#[derive(Debug)]
pub(crate) struct Memory {
    facts: Mutex<Facts>,
    /// Whether anything public was ever reached: before that, no page can be anybody else's than the
    /// agent's own.
    public: watch::Sender<bool>,
    /// Who may connect to private hosts by TLS.
    pub(crate) held: Arc<Held>,
}

#[derive(Debug, Default)]
struct Facts {
    named: VecDeque<Origin>,
    /// Where tabs were led, the agent's own navigations included.
    led: VecDeque<(Host, u16)>,
    /// Whether a name stands for a public address, by the first time it was reached.
    pinned: HashMap<String, bool>,
    /// Navigations of the agent's that are under way, by number: hosts and addresses.
    expected: Vec<(u64, Host, Option<String>)>,
    /// What a name stood for a moment ago, for the connection it was looked up for.
    looked_up: Vec<(Host, Vec<IpAddr>, Instant)>,
    /// Addresses that may be gone to again, as numbers: a page makes them as long as it likes.
    been: VecDeque<u64>,
    numbers: RandomState,
    failures: VecDeque<Failure>,
    serial: u64,
}

/// A connection that came to nothing.
#[derive(Debug)]
struct Failure {
    serial: u64,
    host: Host,
    port: u16,
    at: Instant,
    reason: Reason,
}

/// Why a connection came to nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Reason {
    /// It may not be.
    Refused(Refusal),
    /// Chrome's name for it, such as `net::ERR_CONNECTION_REFUSED`.
    Failed(&'static str),
}

impl Default for Memory {
    fn default() -> Self {
        Self { facts: Mutex::default(), public: watch::channel(false).0, held: Arc::default() }
    }
}

impl Memory {
    fn facts(&self) -> MutexGuard<'_, Facts> {
        lock(&self.facts)
    }

    /// The agent named this origin itself.
    pub(crate) fn name(&self, origin: &Origin) {
        let mut facts = self.facts();
        facts.named.retain(|known| known != origin);
        if facts.named.len() == NAMED {
            facts.named.pop_front();
        }
        facts.named.push_back(origin.clone());
    }

    /// A tab goes to this origin, and may.
    pub(crate) fn led(&self, origin: &Origin) {
        let mut facts = self.facts();
        let place = (origin.host.clone(), origin.port);
        facts.led.retain(|known| *known != place);
        if facts.led.len() == NAMED {
            facts.led.pop_front();
        }
        facts.led.push_back(place);
    }

    /// Whether a tab was led to this host at this port.
    pub(crate) fn is_led(&self, host: &Host, port: u16) -> bool {
        self.facts().led.iter().any(|(known, at)| known == host && *at == port)
    }

    pub(crate) fn is_named(&self, origin: &Origin) -> bool {
        self.facts().named.contains(origin)
    }

    /// Whether the agent named any origin of this host.
    pub(crate) fn is_named_host(&self, host: &Host) -> bool {
        self.facts().named.iter().any(|origin| origin.host == *host)
    }

    /// A name is about to be reached as public or not; false if it was of the other kind before.
    /// One that was local may become public, never the other way round.
    pub(crate) fn pin(&self, host: &Host, public: bool) -> bool {
        let Host::Name(name) = host else { return true };
        let mut facts = self.facts();
        match facts.pinned.get(name) {
            Some(true) => public,
            Some(false) if !public => true,
            // With a full memory we cannot know that it was never public.
            None if facts.pinned.len() >= PINNED => public,
            _ => {
                facts.pinned.insert(name.clone(), public);
                true
            }
        }
    }

    /// Whether pages of this host are of this machine or a private network.
    pub(crate) fn is_local(&self, host: &Host, place: impl Fn(&Host, IpAddr) -> Place) -> bool {
        match host {
            Host::Ip(ip) => place(host, *ip) != Place::Public,
            Host::Name(_) if host.is_localhost() => true,
            Host::Name(name) => self.facts().pinned.get(name) == Some(&false),
        }
    }

    /// Something public is reached from now on.
    pub(crate) fn went_public(&self) {
        self.public.send_if_modified(|public| !std::mem::replace(public, true));
    }

    /// Whether anything public was reached, now and later.
    pub(crate) fn public(&self) -> watch::Receiver<bool> {
        self.public.subscribe()
    }

    /// The agent goes there, until the answer is dropped.
    pub(crate) fn expect(self: &Arc<Self>, url: &str) -> Option<Expecting> {
        let Origin { host, .. } = Origin::of(url)?;
        let mut facts = self.facts();
        facts.serial += 1;
        let id = facts.serial;
        facts.expected.push((id, host, as_gone_to(url)));
        drop(facts);
        Some(Expecting { memory: self.clone(), id })
    }

    /// Whether the agent is on its way to this host.
    pub(crate) fn is_expected(&self, host: &Host) -> bool {
        self.facts().expected.iter().any(|(_, expected, _)| expected == host)
    }

    /// Whether the agent is on its way to this very address.
    pub(crate) fn is_expected_at(&self, url: &str) -> bool {
        let Some(url) = as_gone_to(url) else { return false };
        self.facts().expected.iter().any(|(_, _, expected)| expected.as_ref() == Some(&url))
    }

    /// A name was looked up before the connection it is for, which need not do so again.
    pub(crate) fn looked_up(&self, host: &Host, addresses: Vec<IpAddr>) {
        let mut facts = self.facts();
        facts.looked_up.retain(|(_, _, at)| at.elapsed() < LOOKED_UP);
        facts.looked_up.push((host.clone(), addresses, Instant::now()));
    }

    /// What was looked up for this connection; once.
    pub(crate) fn take_looked_up(&self, host: &Host) -> Option<Vec<IpAddr>> {
        let mut facts = self.facts();
        facts.looked_up.retain(|(_, _, at)| at.elapsed() < LOOKED_UP);
        let at = facts.looked_up.iter().position(|(known, ..)| known == host)?;
        Some(facts.looked_up.swap_remove(at).1)
    }

    /// Whether this name has stood for a public address.
    pub(crate) fn is_public_name(&self, host: &Host) -> bool {
        matches!(host, Host::Name(name) if self.facts().pinned.get(name) == Some(&true))
    }

    /// How long ago a connection to this host was refused, if it was of late.
    pub(crate) fn refused_ago(&self, host: &Host) -> Option<Duration> {
        let facts = self.facts();
        let refused = |failure: &&Failure| {
            failure.host == *host && matches!(failure.reason, Reason::Refused(_))
        };
        facts.failures.iter().rev().find(refused).map(|failure| failure.at.elapsed())
    }

    /// A document of this address came, or the agent named it.
    pub(crate) fn been(&self, url: &str) {
        let Some(written) = as_gone_to(url) else { return };
        let mut facts = self.facts();
        let number = facts.numbers.hash_one(written);
        if facts.been.contains(&number) {
            return;
        }
        if facts.been.len() == BEEN {
            facts.been.pop_front();
        }
        facts.been.push_back(number);
    }

    /// Whether going to this address again is the agent's own doing. What a page led to in vain has
    /// become the address of a tab all the same.
    pub(crate) fn has_been(&self, url: &str) -> bool {
        let facts = self.facts();
        as_gone_to(url).is_some_and(|url| facts.been.contains(&facts.numbers.hash_one(url)))
    }

    /// A connection came to nothing.
    pub(crate) fn failed(&self, host: &Host, port: u16, reason: Reason) {
        tracing::debug!(%host, port, ?reason, "not connected");
        let mut facts = self.facts();
        facts.serial += 1;
        let at = Instant::now();
        let failure = Failure { serial: facts.serial, host: host.clone(), port, at, reason };
        if facts.failures.len() == FAILURES {
            facts.failures.pop_front();
        }
        facts.failures.push_back(failure);
    }

    /// A point in time, for `why`.
    pub(crate) fn mark(&self) -> u64 {
        self.facts().serial
    }

    /// Why a connection for this address came to nothing since the mark, and whose it was. A redirect
    /// leads to other hosts than the one an agent knows; then the last failure is meant.
    fn why(&self, url: &str, since: Option<u64>) -> Option<(String, Reason)> {
        let origin = Origin::of(url);
        let facts = self.facts();
        let recent = || {
            let recent = facts.failures.iter().rev();
            let since = since.unwrap_or(0);
            recent
                .take_while(move |failure| failure.serial > since && failure.at.elapsed() < RECENT)
        };
        let of_it = |failure: &&Failure| {
            let of_it =
                |origin: &Origin| failure.host == origin.host && failure.port == origin.port;
            origin.as_ref().is_some_and(of_it)
        };
        let found = recent().find(of_it).or_else(|| recent().next().filter(|_| since.is_some()))?;
        Some((format!("{}:{}", found.host, found.port), found.reason.clone()))
    }

    /// What Chrome's word for a failed request really means: behind a proxy it cannot know.
    pub(crate) fn translate(
        &self,
        error: &str,
        url: &str,
        since: Option<u64>,
    ) -> Option<(String, Reason)> {
        let (place, reason) = self.why(url, since).filter(|_| FROM_US.contains(&error))?;
        // A server may close a connection by itself as well.
        let certain = !CLOSED.contains(&error) || matches!(reason, Reason::Refused(_));
        certain.then_some((place, reason))
    }
}

/// An address without its fragment, as it is compared: Chrome writes one a little differently than
/// an agent does.
fn as_gone_to(url: &str) -> Option<String> {
    let origin = Origin::of(url)?;
    let url = url.trim().split('#').next().unwrap_or_default();
    let (_, rest) = url.split_once(':')?;
    let rest = rest.trim_start_matches(['/', '\\']);
    let path = rest.find(['/', '\\', '?']).map_or("", |at| &rest[at..]);
    let path = path.strip_prefix(['/', '\\']).unwrap_or(path);
    let path = percent_decoded(path).unwrap_or_else(|| path.to_owned());
    let path = path.replace('\\', "/");
    let (path, query) = match path.find('?') {
        Some(at) => path.split_at(at),
        None => (path.as_str(), ""),
    };
    Some(format!("{origin}/{}{query}", without_dots(path)))
}

/// A path with `.` and `..` taken for what they mean, as Chrome does.
fn without_dots(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    let mut all = path.split('/').peekable();
    while let Some(part) = all.next() {
        match part {
            "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
        // A folder stays one.
        if all.peek().is_none() && matches!(part, "." | "..") {
            parts.push("");
        }
    }
    parts.join("/")
}

/// How long what was looked up in advance is good for.
const LOOKED_UP: Duration = Duration::from_secs(5);

/// How long a failure explains what Chrome says.
const RECENT: Duration = Duration::from_secs(10);

/// What Chrome says of connections that we close before anything came over them.
const CLOSED: &[&str] =
    &["net::ERR_CONNECTION_RESET", "net::ERR_CONNECTION_CLOSED", "net::ERR_EMPTY_RESPONSE"];

/// Everything it says of what we do not connect.
const FROM_US: &[&str] = &[
    "net::ERR_ADDRESS_UNREACHABLE",
    "net::ERR_SOCKS_CONNECTION_FAILED",
    "net::ERR_SOCKS_CONNECTION_HOST_UNREACHABLE",
    "net::ERR_PROXY_CONNECTION_FAILED",
    "net::ERR_CONNECTION_RESET",
    "net::ERR_CONNECTION_CLOSED",
    "net::ERR_EMPTY_RESPONSE",
];

/// While it lives, a navigation of the agent's is under way.
#[derive(Debug)]
pub(crate) struct Expecting {
    memory: Arc<Memory>,
    id: u64,
}

impl Drop for Expecting {
    fn drop(&mut self) {
        self.memory.facts().expected.retain(|(id, ..)| *id != self.id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn origin(url: &str) -> Origin {
        Origin::of(url).unwrap()
    }

    #[test]
    fn a_name_that_was_public_never_becomes_local() {
        let memory = Memory::default();
        let (evil, intranet) =
            (Host::read("evil.test").unwrap(), Host::read("intra.test").unwrap());
        assert!(memory.pin(&evil, true) && !memory.pin(&evil, false) && memory.pin(&evil, true));
        assert!(memory.pin(&intranet, false) && memory.pin(&intranet, false));
        assert!(memory.pin(&intranet, true) && !memory.pin(&intranet, false));
        for number in 0..PINNED {
            memory.pin(&Host::Name(format!("n{number}.evil.test")), true);
        }
        assert!(!memory.pin(&Host::read("late.evil.test").unwrap(), false), "nobody knows");
        assert!(!memory.pin(&evil, false));
    }

    #[test]
    fn the_agents_own_navigation_is_known_while_it_lasts() {
        let memory = Arc::new(Memory::default());
        let host = Host::read("10.0.0.1").unwrap();
        let expecting = memory.expect("http://10.0.0.1:8000/a?b=1#c");
        assert!(memory.is_expected(&host) && !memory.is_expected(&Host::read("10.0.0.2").unwrap()));
        drop(expecting);
        assert!(!memory.is_expected(&host));
    }

    #[test]
    fn an_address_is_gone_to_again_only_if_it_was_there_or_named() {
        let memory = Memory::default();
        memory.been("HTTP://10.0.0.1:80");
        memory.been("http://10.0.0.1/a b\\c?q=ü#part");
        for (url, been) in [
            ("http://10.0.0.1/", true),
            ("http://10.0.0.1/#x", true),
            ("http://10.0.0.1/a%20b/c?q=%C3%BC", true),
            ("http://10.0.0.1/x/../a%20b/./c?q=%C3%BC", true),
            ("http://10.0.0.1/a/..", true),
            ("http://10.0.0.1/a%20b/c", false),
            ("http://10.0.0.1/?q", false),
            ("http://10.0.0.1:8080/", false),
            ("https://10.0.0.1/", false),
            ("about:blank", false),
        ] {
            assert_eq!(memory.has_been(url), been, "{url}");
        }
        for number in 0..BEEN {
            memory.been(&format!("http://localhost/{number}"));
        }
        assert!(!memory.has_been("http://10.0.0.1/") && memory.has_been("http://localhost/0"));
    }

    #[test]
    fn failures_are_told_of_their_host_and_time() {
        let memory = Memory::default();
        let host = Host::read("a.test").unwrap();
        let refused = Reason::Failed("net::ERR_CONNECTION_REFUSED");
        memory.failed(&host, 80, refused.clone());
        let mark = memory.mark();
        let told = |error: &str, url: &str, since| memory.translate(error, url, since);
        let unreachable = "net::ERR_ADDRESS_UNREACHABLE";
        assert_eq!(told(unreachable, "http://a.test/x", None), Some(("a.test:80".into(), refused)));
        assert_eq!(told(unreachable, "http://a.test/x", Some(mark)), None);
        assert_eq!(told(unreachable, "https://a.test/x", None), None);
        let (place, _) = told(unreachable, "http://first.test/", Some(0)).unwrap();
        assert_eq!(place, "a.test:80", "where a redirect led");
        assert_eq!(told("net::ERR_CONNECTION_RESET", "http://a.test/x", None), None);
        assert_eq!(told("net::ERR_CERT_DATE_INVALID", "http://a.test/x", None), None);
    }

    #[test]
    fn only_so_many_origins_are_remembered() {
        let memory = Memory::default();
        for port in 1..=1001 {
            memory.name(&origin(&format!("http://a.test:{port}")));
        }
        assert!(!memory.is_named(&origin("http://a.test:1")));
        assert!(memory.is_named(&origin("http://a.test:1001")));
        assert!(memory.is_named_host(&Host::read("a.test").unwrap()));
    }
}
