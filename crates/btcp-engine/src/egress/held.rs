//! Private hosts that are reached by TLS, where nobody can see who asks: requests to them are held in
//! Chrome and judged there (`askers.rs`), and each that may go on gives leave for one connection.
//!
//! Without a leave nothing is dialled, so what Chrome sends by itself or for pages that are not held
//! reaches nothing either. WebSockets are not held by Chrome, but their connections can be told from
//! others by what they offer (`hello.rs`), and Chrome tells who made one.

use std::collections::{HashMap, VecDeque};
use std::fmt;
use std::future::Future;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, Weak};
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::{Instant, timeout};

use super::host::{Host, Origin};
use crate::sessions::lock;

/// How many private hosts a session may have named; the oldest is reached no more after that.
const HOSTS: usize = 50;

/// How many requests are remembered that went on.
const PASSED: usize = 2000;

/// How many WebSockets may be about to connect.
const SOCKETS: usize = 1000;

/// How long a leave is good for: Chrome may have to wait for a connection to become free.
const LEAVE: Duration = Duration::from_secs(30);

/// How long it may take until Chrome has told who made a WebSocket that connects.
const TOLD: Duration = Duration::from_secs(2);

/// Somebody who can make sure that Chrome has told of everything up to now.
pub(crate) trait Witness: Send + Sync {
    /// Whether every page and worker but those of this host has told everything.
    fn heard(&self, host: &Host) -> Pin<Box<dyn Future<Output = bool> + Send>>;
}

/// Who may connect to private hosts by TLS.
pub(crate) struct Held {
    facts: Mutex<Facts>,
    any: AtomicBool,
    changed: watch::Sender<()>,
}

#[derive(Default)]
struct Facts {
    /// With the addresses they had when they were named.
    hosts: VecDeque<(Host, Vec<IpAddr>)>,
    /// Requests that may connect, by their names in the `Network` domain.
    leaves: HashMap<String, Leave>,
    /// Requests that went on, by what Chrome calls them when it holds them.
    passed: VecDeque<(String, Passed)>,
    /// WebSockets that are not connected yet, by session and name.
    sockets: HashMap<(String, String), Socket>,
    witness: Option<Weak<dyn Witness>>,
}

struct Leave {
    host: Host,
    port: u16,
    until: Instant,
    place: Place,
}

/// A request that went on.
#[derive(Debug, Clone)]
pub(crate) struct Passed {
    pub(crate) origin: Origin,
    pub(crate) network_id: String,
    pub(crate) place: Place,
}

/// Where a request comes from. What is under way when its document is left has no answer that anybody is
/// told of, so its leave ends with the document.
#[derive(Debug, Clone, Default)]
pub(crate) struct Place {
    pub(crate) session: String,
    pub(crate) tab: String,
    /// None for a worker.
    pub(crate) frame: Option<String>,
}

impl Place {
    /// Whether it is in this frame of this tab, or in one below it as far as that is known.
    fn is_below(&self, tab: &str, frame: &str) -> bool {
        self.tab == tab && self.frame.as_deref().is_some_and(|own| own == frame || frame == tab)
    }
}

struct Socket {
    host: Host,
    port: u16,
    /// Whether who made it may reach that host.
    may: bool,
    used: bool,
}

impl Default for Held {
    fn default() -> Self {
        Self { facts: Mutex::default(), any: AtomicBool::new(false), changed: watch::channel(()).0 }
    }
}

impl fmt::Debug for Held {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.hosts()).finish()
    }
}

impl Held {
    fn facts(&self) -> MutexGuard<'_, Facts> {
        lock(&self.facts)
    }

    /// A Chrome begins, of which nothing is known yet.
    pub(crate) fn begin(&self, witness: Weak<dyn Witness>) {
        let mut facts = self.facts();
        let hosts = std::mem::take(&mut facts.hosts);
        *facts = Facts { hosts, witness: Some(witness), ..Facts::default() };
    }

    /// Requests to this host are held from now on.
    pub(crate) fn hold(&self, host: &Host, addresses: Vec<IpAddr>) {
        let mut facts = self.facts();
        facts.hosts.retain(|(known, _)| known != host);
        if facts.hosts.len() == HOSTS {
            facts.hosts.pop_front();
        }
        facts.hosts.push_back((host.clone(), addresses));
        self.any.store(true, Ordering::Relaxed);
    }

    /// Whether any host is held: those who have none are spared the rest.
    pub(crate) fn any(&self) -> bool {
        self.any.load(Ordering::Relaxed)
    }

    pub(crate) fn hosts(&self) -> Vec<Host> {
        self.facts().hosts.iter().map(|(host, _)| host.clone()).collect()
    }

    /// What this host stood for when it was named; none if it is not held.
    pub(crate) fn addresses(&self, host: &Host) -> Option<Vec<IpAddr>> {
        let facts = self.facts();
        let found = facts.hosts.iter().find(|(known, _)| known == host);
        found.map(|(_, addresses)| addresses.clone())
    }

    /// The host an address leads to by TLS, if it is held.
    pub(crate) fn origin_of(&self, url: &str) -> Option<Origin> {
        let origin = Some(url).filter(|_| self.any()).and_then(Origin::of)?;
        (origin.secure && self.addresses(&origin.host).is_some()).then_some(origin)
    }

    /// A held request goes on and may connect once; `id` is what Chrome calls it while it is held.
    pub(crate) fn pass(&self, id: String, passed: Passed) {
        let mut facts = self.facts();
        facts.leave(&passed);
        if facts.passed.len() == PASSED {
            facts.passed.pop_front();
        }
        facts.passed.push_back((id, passed));
    }

    /// The request that went on by this name.
    pub(crate) fn passed(&self, id: &str) -> Option<Passed> {
        let facts = self.facts();
        let found = facts.passed.iter().rev().find(|(known, _)| known == id);
        found.map(|(_, passed)| passed.clone())
    }

    /// A request that went on is sent again, with a password this time.
    pub(crate) fn pass_again(&self, id: &str) {
        if let Some(passed) = self.passed(id) {
            self.facts().leave(&passed);
        }
    }

    /// A request has its answer, or will have none.
    pub(crate) fn answered(&self, network_id: &str) {
        if self.any() {
            self.facts().leaves.remove(network_id);
        }
    }

    /// The answer is there that becomes the next document of a frame, by this request; the one before asks
    /// for nothing more.
    pub(crate) fn document_comes(&self, tab: &str, frame: &str, network_id: &str) {
        if self.any() {
            let keep =
                |id: &str, leave: &Leave| id == network_id || !leave.place.is_below(tab, frame);
            self.facts().leaves.retain(|id, leave| keep(id, leave));
        }
    }

    /// In this frame there is nobody any more, or somebody who may not reach hosts that are not `open`.
    pub(crate) fn left(&self, tab: &str, frame: &str, open: impl Fn(&Origin) -> bool) {
        if self.any() {
            let shut = |leave: &Leave| {
                let (secure, host, port) = (true, leave.host.clone(), leave.port);
                leave.place.is_below(tab, frame) && !open(&Origin { secure, host, port })
            };
            self.facts().leaves.retain(|_, leave| !shut(leave));
        }
    }

    /// A WebSocket was made.
    pub(crate) fn socket(&self, session: &str, id: String, origin: &Origin, may: bool) {
        let mut facts = self.facts();
        if facts.sockets.len() >= SOCKETS {
            facts.sockets.retain(|_, socket| !socket.may || !socket.used);
        }
        let socket = Socket { host: origin.host.clone(), port: origin.port, may, used: false };
        // With too many of them those that may not connect must be known.
        if !may || facts.sockets.len() < SOCKETS {
            facts.sockets.insert((session.to_owned(), id), socket);
        }
        drop(facts);
        self.changed.send_replace(());
    }

    /// A WebSocket is connected, or closed.
    pub(crate) fn socket_over(&self, session: &str, id: String) {
        if self.any() {
            self.facts().sockets.remove(&(session.to_owned(), id));
        }
    }

    /// Whoever asked for something there is gone.
    pub(crate) fn session_ended(&self, session: &str) {
        if self.any() {
            let mut facts = self.facts();
            facts.sockets.retain(|(of, _), _| of != session);
            facts.leaves.retain(|_, leave| leave.place.session != session);
        }
    }

    /// Whether a connection for a request may be made now; a leave is for one.
    pub(crate) fn connects(&self, host: &Host, port: u16) -> bool {
        let mut facts = self.facts();
        let now = Instant::now();
        facts.leaves.retain(|_, leave| leave.until > now);
        let mut its = facts.leaves.iter().filter(|(_, leave)| leave.is_for(host, port));
        let oldest = its
            .next()
            .map(|first| its.fold(first, |a, b| if b.1.until < a.1.until { b } else { a }));
        match oldest.map(|(id, _)| id.clone()) {
            Some(id) => facts.leaves.remove(&id).is_some(),
            None => false,
        }
    }

    /// The same for one that may be of a WebSocket. As long as somebody who may not has made one to
    /// this host nobody gets any: they cannot be told apart.
    pub(crate) async fn socket_connects(self: &Arc<Self>, host: &Host, port: u16) -> bool {
        let mut changes = self.changed.subscribe();
        let told = async {
            while !self.facts().may_be_leave(host, port) && changes.changed().await.is_ok() {}
        };
        let witness = self.facts().witness.clone().and_then(|witness| witness.upgrade());
        let Some(witness) = witness else { return false };
        if timeout(TOLD, told).await.is_err() || !witness.heard(host).await {
            return false;
        }
        let mut facts = self.facts();
        let its = |socket: &&mut Socket| socket.host == *host && socket.port == port;
        if facts.sockets.values_mut().filter(its).any(|socket| !socket.may) {
            return false;
        }
        match facts.sockets.values_mut().filter(its).find(|socket| !socket.used) {
            Some(socket) => {
                socket.used = true;
                true
            }
            None => {
                drop(facts);
                self.connects(host, port)
            }
        }
    }
}

impl Facts {
    fn leave(&mut self, passed: &Passed) {
        let Origin { host, port, .. } = passed.origin.clone();
        let (until, place) = (Instant::now() + LEAVE, passed.place.clone());
        let leave = Leave { host, port, until, place };
        self.leaves.insert(passed.network_id.clone(), leave);
    }

    fn may_be_leave(&self, host: &Host, port: u16) -> bool {
        let is_it = |socket: &Socket| socket.host == *host && socket.port == port && !socket.used;
        self.sockets.values().any(is_it)
            || self.leaves.values().any(|leave| leave.is_for(host, port))
    }
}

impl Leave {
    fn is_for(&self, host: &Host, port: u16) -> bool {
        self.host == *host && self.port == port
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Hears(bool);

    impl Witness for Hears {
        fn heard(&self, _: &Host) -> Pin<Box<dyn Future<Output = bool> + Send>> {
            Box::pin(std::future::ready(self.0))
        }
    }

    fn held(hears: bool) -> (Arc<Held>, Origin, Arc<dyn Witness>) {
        let held = Arc::new(Held::default());
        let origin = Origin::of("https://10.0.0.1:8443/").expect("it is an address");
        held.hold(&origin.host, vec!["10.0.0.1".parse().expect("it is one")]);
        let witness: Arc<dyn Witness> = Arc::new(Hears(hears));
        held.begin(Arc::downgrade(&witness));
        (held, origin, witness)
    }

    fn passed(origin: &Origin, network_id: &str) -> Passed {
        let place = Place::default();
        Passed { origin: origin.clone(), network_id: network_id.to_owned(), place }
    }

    #[test]
    fn a_leave_is_for_one_connection_before_the_answer() {
        let (held, origin, _) = held(true);
        assert!(!held.connects(&origin.host, 8443));
        held.pass("job-1.0".into(), passed(&origin, "n1"));
        held.pass("job-2.0".into(), passed(&origin, "n2"));
        assert!(!held.connects(&origin.host, 443), "another port");
        assert!(held.connects(&origin.host, 8443));
        held.answered("n1");
        held.answered("n2");
        assert!(!held.connects(&origin.host, 8443));
        held.pass_again("job-2.0");
        assert!(held.connects(&origin.host, 8443) && !held.connects(&origin.host, 8443));
    }

    #[test]
    fn a_leave_ends_with_the_document_it_was_given_to() {
        let (held, origin, _) = held(true);
        let ask = |id: &str, session: &str, frame: Option<&str>| {
            let (session, frame) = (session.to_owned(), frame.map(str::to_owned));
            let place = Place { session, tab: "tab".into(), frame };
            held.pass(id.to_owned(), Passed { place, ..passed(&origin, id) });
        };
        let mut left = 0;
        let mut connects = |wanted: usize| {
            left = (0..10).take_while(|_| held.connects(&origin.host, 8443)).count();
            assert_eq!(left, wanted);
        };
        ask("of the page", "s", Some("tab"));
        ask("of a frame", "s", Some("frame"));
        ask("of a worker", "w", None);
        ask("next", "s", Some("tab"));
        held.document_comes("other", "other", "x");
        held.document_comes("tab", "tab", "next");
        connects(2);

        ask("of the page", "s", Some("tab"));
        ask("of a frame", "s", Some("frame"));
        held.left("tab", "frame", |_| false);
        held.left("tab", "tab", |_| true);
        connects(1);

        ask("of the page", "s", Some("tab"));
        ask("of a worker", "w", None);
        held.left("tab", "tab", |_| false);
        connects(1);
        ask("of a worker", "w", None);
        held.session_ended("w");
        connects(0);
    }

    #[test]
    fn only_tls_to_the_hosts_is_held() {
        let (held, origin, _) = held(true);
        assert_eq!(held.origin_of("wss://10.0.0.1:8443/x"), Some(origin));
        assert!(held.origin_of("https://10.0.0.1/").is_some(), "at every port");
        assert!(held.origin_of("http://10.0.0.1:8443/").is_none());
        assert!(held.origin_of("https://10.0.0.2:8443/").is_none());
    }

    #[tokio::test]
    async fn a_socket_connects_unless_somebody_else_made_one() {
        let (held, origin, _witness) = held(true);
        held.socket("own", "1".into(), &origin, true);
        held.socket("evil", "1".into(), &origin, false);
        assert!(!held.socket_connects(&origin.host, 8443).await);
        held.socket_over("evil", "1".into());
        assert!(held.socket_connects(&origin.host, 8443).await);
        held.socket("own", "2".into(), &origin, true);
        held.socket("evil", "2".into(), &origin, false);
        held.session_ended("evil");
        assert!(held.socket_connects(&origin.host, 8443).await);
    }

    #[tokio::test]
    async fn nobody_connects_of_whom_nothing_is_known() {
        let (held, origin, _witness) = self::held(true);
        assert!(!held.socket_connects(&origin.host, 8443).await, "nobody made one");
        let (held, origin, _witness) = self::held(false);
        held.socket("own", "1".into(), &origin, true);
        assert!(!held.socket_connects(&origin.host, 8443).await, "a page did not answer");
    }
}
