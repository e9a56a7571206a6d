//! The listener: a SOCKS5 proxy on loopback through which all traffic of one browser context goes.
//!
//! It resolves a name, judges the addresses and dials one of those it judged, so a name that
//! means something else a moment later changes nothing. What goes to the public internet is passed
//! on unseen; what goes to this machine or a private network is judged by who sent it (`local.rs`).

use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::task::{AbortHandle, JoinSet};
use tokio::time::timeout;

use super::address::Place;
use super::askers::Asker;
use super::dial::{dial, look_up, net_error};
use super::host::{Host, Origin};
use super::judge::{Ask, Purpose, Refusal, Who, Why, judge, may_reach};
use super::memory::{Expecting, Memory, Reason};
use super::ours::{self, Ours};
use super::peer::Peers;
use super::relay::relay;
use super::rules::Egress;
use super::socks;
use crate::error::{Error, Result};

/// How many connections a context may have; more wait until others end.
const CONNECTIONS: usize = 1024;

/// How many open files we ask for.
const DESCRIPTORS: u64 = 16_384;

/// How long a client may take to say where it wants to go.
const HANDSHAKE: Duration = Duration::from_secs(10);

/// The guard of one browser context.
#[derive(Debug)]
pub(crate) struct Guard {
    pub(crate) memory: Arc<Memory>,
    rules: Arc<Egress>,
    /// None before a Chrome that is not ours.
    door: Option<Door>,
}

/// Where a Chrome of ours comes to.
#[derive(Debug)]
struct Door {
    port: u16,
    accepting: AbortHandle,
    _ours: Ours,
}

/// What every connection of a context needs.
#[derive(Debug)]
pub(super) struct Desk {
    pub(super) memory: Arc<Memory>,
    pub(super) rules: Arc<Egress>,
    peers: Arc<Peers>,
}

impl Guard {
    /// Listens for the Chrome of this process group.
    pub(crate) async fn open(
        rules: Arc<Egress>,
        memory: Arc<Memory>,
        chrome: Option<u32>,
    ) -> Result<Self> {
        Self::open_to(rules, memory, Peers::of(chrome)).await
    }

    /// Listens for a Chrome that is to be told of it when it starts.
    pub(crate) async fn before(
        rules: Arc<Egress>,
        memory: Arc<Memory>,
        chrome: Arc<OnceLock<u32>>,
    ) -> Result<Self> {
        Self::open_to(rules, memory, Peers::coming(chrome)).await
    }

    async fn open_to(rules: Arc<Egress>, memory: Arc<Memory>, peers: Peers) -> Result<Self> {
        room_for_connections();
        let bound = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await;
        let bound = bound.and_then(|listener| Ok((listener.local_addr()?.port(), listener)));
        let (port, listener) = bound.map_err(|error| {
            Error::internal(format!("The egress guard cannot listen on loopback: {error}"))
        })?;
        let ours = Ours::add(port);
        let peers = Arc::new(peers);
        let desk = Arc::new(Desk { memory: memory.clone(), rules: rules.clone(), peers });
        let accepting = tokio::spawn(accept(listener, desk)).abort_handle();
        let door = Some(Door { port, accepting, _ours: ours });
        Ok(Self { memory, rules, door })
    }

    /// Judges what agents name and nothing else: for a Chrome whose traffic does not come to us.
    pub(crate) fn without_door(rules: Arc<Egress>, memory: Arc<Memory>) -> Self {
        Self { memory, rules, door: None }
    }

    /// Where Chrome finds it, as `--proxy-server` has it.
    pub(crate) fn proxy(&self) -> Option<String> {
        self.door.as_ref().map(|door| format!("socks5://127.0.0.1:{}", door.port))
    }

    /// The agent names an address itself and goes there, until the answer is dropped. What can be
    /// known without asking for its name is judged here, so that Chrome is not even sent.
    pub(crate) async fn name(&self, url: &str) -> Result<Option<Expecting>> {
        let origin = Origin::of(url);
        // Chrome reads hosts in more ways than we do (full-width letters, invisible ones). Behind our
        // door it is judged by what it made of them; elsewhere nobody would judge it at all.
        let legible = origin.as_ref().is_some_and(|origin| origin.host.is_ascii());
        if self.door.is_none() && !legible && url != "about:blank" {
            let what = crate::text::quoted(&crate::text::cut(url, 200));
            return Err(Error::Denied {
                message: format!("{what} is denied: its host must be written in plain letters"),
            });
        }
        let Some(origin) = origin else { return Ok(None) };
        self.may_navigate(&origin, Who::Agent).await.map_err(denied)?;
        self.memory.name(&origin);
        self.memory.led(&origin);
        self.memory.been(url);
        Ok(self.memory.expect(url))
    }

    /// The private host that an address leads to by TLS, and what it stands for, if requests to it
    /// must be held before anybody goes there.
    pub(crate) async fn to_hold(&self, url: &str) -> Option<(Host, Vec<IpAddr>)> {
        let guards = self.door.is_some() && !self.rules.unguarded;
        let origin = Origin::of(url).filter(|origin| origin.secure && guards)?;
        let host = origin.host;
        // What was public once is never followed elsewhere.
        if self.memory.held.addresses(&host).is_some() || self.memory.is_public_name(&host) {
            return None;
        }
        // A name without an address is told by Chrome, in its words.
        let addresses = look_up(self.rules.names.as_ref(), &host).await.ok()?;
        if matches!(host, Host::Name(_)) && !host.is_localhost() {
            // It is looked up once, here instead of at its connection.
            self.memory.looked_up(&host, addresses.clone());
        }
        let private = |ip: &IpAddr| self.rules.place(&host, *ip) == Place::Private;
        addresses.iter().any(private).then_some((host, addresses))
    }

    /// Whether somebody may ask a host that is held, as far as the place of its addresses tells.
    pub(crate) fn may_ask(&self, origin: &Origin, asker: &Asker) -> Result<(), Refusal> {
        let Origin { host, port, .. } = origin;
        let place = |host: &Host, ip| self.rules.place(host, ip);
        let who = match asker {
            Asker::Agent => Who::Agent,
            Asker::Page(host) if self.memory.is_local(host, place) => Who::Local(Some(host)),
            Asker::Page(_) | Asker::Anybody => Who::Public { comes_back: false },
        };
        let addresses = self.memory.held.addresses(host).unwrap_or_default();
        let (secure, purpose) = (Some(true), Purpose::Resource);
        let ask = Ask { secure, host, port: *port, addresses: &addresses, who, purpose };
        match addresses.iter().any(|ip| may_reach(&self.rules, &ask, *ip)) {
            true => Ok(()),
            false => {
                Err(Refusal { what: format!("{host}:{port}"), why: Why::Place(Place::Private) })
            }
        }
    }

    /// The agent goes to an address again that it has been to, or named, until the answer is
    /// dropped; elsewhere it is whoever led there that asks.
    pub(crate) fn again(&self, url: &str) -> Option<Expecting> {
        self.memory.has_been(url).then(|| self.memory.expect(url)).flatten()
    }

    /// A document of this address came into a tab. Only those of this machine and private networks
    /// matter: whoever asks reaches all others.
    pub(crate) fn arrived(&self, url: &str) {
        let place = |host: &Host, ip| self.rules.place(host, ip);
        if Origin::of(url).is_some_and(|origin| self.memory.is_local(&origin.host, place)) {
            self.memory.been(url);
        }
    }

    /// A document has got another address without being loaded again.
    pub(crate) fn renamed(&self, from: &str, to: &str) {
        if self.memory.has_been(from) {
            self.arrived(to);
        }
    }

    /// Whether a tab may be led there, as far as a person's rules and the address itself tell.
    pub(crate) async fn may_navigate(&self, origin: &Origin, who: Who<'_>) -> Result<(), Refusal> {
        let Origin { secure, host, port } = origin;
        let addresses = match host {
            Host::Ip(ip) => vec![*ip],
            // Nobody judges the address later where there is no door.
            Host::Name(_)
                if self.door.is_none() || self.rules.rules_navigations() || host.is_localhost() =>
            {
                // A name without an address is told by Chrome, in its words.
                look_up(self.rules.names.as_ref(), host).await.unwrap_or_default()
            }
            Host::Name(_) => Vec::new(),
        };
        if ours::is_ours(&addresses, *port) {
            return Err(Refusal { what: format!("{host}:{port}"), why: Why::Ours });
        }
        let secure = Some(*secure);
        let purpose = Purpose::Navigation;
        let ask = Ask { secure, host, port: *port, addresses: &addresses, who, purpose };
        match judge(&self.rules, &ask) {
            Err(refusal) if !addresses.is_empty() || !matches!(refusal.why, Why::Place(_)) => {
                Err(refusal)
            }
            _ if host.is_metadata() => {
                let why = Why::Place(Place::Forbidden);
                Err(Refusal { what: format!("{host}:{port}"), why })
            }
            _ => Ok(()),
        }
    }

    /// The rules it follows.
    pub(crate) fn rules(&self) -> &Arc<Egress> {
        &self.rules
    }
}

/// Each connection takes two descriptors, and systems give a program about a thousand unless it asks.
fn room_for_connections() {
    use rustix::process::{Resource, getrlimit, setrlimit};
    let mut limit = getrlimit(Resource::Nofile);
    let wanted = limit.maximum.unwrap_or(u64::MAX).min(DESCRIPTORS);
    if limit.current.is_some_and(|current| current < wanted) {
        limit.current = Some(wanted);
        if let Err(error) = setrlimit(Resource::Nofile, limit) {
            tracing::debug!(%error, "the limit of open files stays as it is");
        }
    }
}

/// A refusal as an agent reads it.
pub(crate) fn denied(refusal: Refusal) -> Error {
    Error::Denied { message: refusal.to_string() }
}

impl Drop for Guard {
    fn drop(&mut self) {
        if let Some(door) = &self.door {
            door.accepting.abort();
        }
    }
}

/// Takes connections in; dropping it ends them all.
async fn accept(listener: TcpListener, desk: Arc<Desk>) {
    let seats = Arc::new(Semaphore::new(CONNECTIONS));
    let mut served = JoinSet::new();
    loop {
        let Ok(seat) = seats.clone().acquire_owned().await else { return };
        let accepted = loop {
            tokio::select! {
                accepted = listener.accept() => break accepted,
                Some(_) = served.join_next(), if !served.is_empty() => {}
            }
        };
        let Ok((stream, peer)) = accepted else {
            // Too many files are open; others will be closed.
            tokio::time::sleep(Duration::from_millis(50)).await;
            continue;
        };
        let desk = desk.clone();
        served.spawn(async move {
            if let Err(error) = desk.serve(stream, peer).await {
                tracing::trace!(%error, "a connection ended");
            }
            drop(seat);
        });
    }
}

/// Where a connection may go.
enum Route {
    /// To these addresses, whoever asks.
    Public(Vec<IpAddr>),
    /// Somewhere local: it depends on who asks.
    Local,
}

impl Desk {
    async fn serve(&self, mut client: TcpStream, peer: SocketAddr) -> io::Result<()> {
        let (peers, here) = (self.peers.clone(), client.local_addr()?);
        // Takes half a millisecond, in which a client can say what it wants.
        let ours = tokio::task::spawn_blocking(move || peers.is_ours(peer, here));
        let _ = client.set_nodelay(true);
        let asked = timeout(HANDSHAKE, socks::accept(&mut client)).await;
        let (host, port) = asked.map_err(|_| io::Error::from(io::ErrorKind::TimedOut))??;
        tracing::trace!(%host, port, "asked to connect");
        if !ours.await.unwrap_or(false) {
            tracing::warn!(%peer, "a stranger knocked at the egress guard");
            return Ok(());
        }
        if host.is_metadata() {
            // Whether such a name exists here is nobody's business.
            let why = Why::Place(Place::Forbidden);
            let refusal = Refusal { what: format!("{host}:{port}"), why };
            return self.fail(&mut client, &host, port, Reason::Refused(refusal)).await;
        }
        let found = match self.memory.take_looked_up(&host) {
            Some(addresses) => Ok(addresses),
            None => look_up(self.rules.names.as_ref(), &host).await,
        };
        let Ok(addresses) = found else {
            let reason = Reason::Failed("net::ERR_NAME_NOT_RESOLVED");
            return self.fail(&mut client, &host, port, reason).await;
        };
        match self.route(&host, port, &addresses) {
            Ok(Route::Public(addresses)) => self.public(client, &host, port, &addresses).await,
            Ok(Route::Local) => self.local(client, &host, port, &addresses).await,
            Err(refusal) => self.fail(&mut client, &host, port, Reason::Refused(refusal)).await,
        }
    }

    fn route(&self, host: &Host, port: u16, addresses: &[IpAddr]) -> Result<Route, Refusal> {
        let refuse = |why| Err(Refusal { what: format!("{host}:{port}"), why });
        if ours::is_ours(addresses, port) {
            return refuse(Why::Ours);
        }
        match self.judge(host, port, addresses, None, Who::Public { comes_back: false }) {
            Ok(public) => {
                self.memory.pin(host, true);
                // Before the first byte: from here on pages may be anybody's.
                self.memory.went_public();
                Ok(Route::Public(public))
            }
            Err(refusal) if !matches!(refusal.why, Why::Place(_)) => Err(refusal),
            Err(_) => {
                self.judge(host, port, addresses, None, Who::Agent)?;
                if self.memory.pin(host, false) { Ok(Route::Local) } else { refuse(Why::Rebound) }
            }
        }
    }

    /// What of these addresses may be dialled for somebody.
    pub(super) fn judge(
        &self,
        host: &Host,
        port: u16,
        addresses: &[IpAddr],
        secure: Option<bool>,
        who: Who<'_>,
    ) -> Result<Vec<IpAddr>, Refusal> {
        // By TLS nobody can tell a page from what it loads: where a tab was led, both come from.
        let led = !self.rules.allow_resources.is_empty() && self.memory.is_led(host, port);
        let purpose = if led { Purpose::Navigation } else { Purpose::Resource };
        judge(&self.rules, &Ask { secure, host, port, addresses, who, purpose })
    }

    async fn public(
        &self,
        mut client: TcpStream,
        host: &Host,
        port: u16,
        addresses: &[IpAddr],
    ) -> io::Result<()> {
        let names = self.rules.names.as_ref();
        let dialled = match &self.rules.proxy {
            Some(proxy) => proxy.dial(names, addresses, port).await,
            None => dial(names, addresses, port).await,
        };
        let mut server = match dialled {
            Ok(server) => server,
            Err(error) => {
                let reason = Reason::Failed(net_error(&error));
                return self.fail(&mut client, host, port, reason).await;
            }
        };
        if is_self(&server) && ours::is_port(port) {
            let refusal = Refusal { what: format!("{host}:{port}"), why: Why::Ours };
            return self.fail(&mut client, host, port, Reason::Refused(refusal)).await;
        }
        socks::answer(&mut client, socks::CONNECTED).await?;
        relay(&mut client, &mut server, &[], None).await
    }

    /// Tells Chrome that it will not be connected, and remembers why.
    pub(super) async fn fail(
        &self,
        client: &mut TcpStream,
        host: &Host,
        port: u16,
        reason: Reason,
    ) -> io::Result<()> {
        self.memory.failed(host, port, reason);
        socks::answer(client, socks::UNREACHABLE).await
    }
}

/// Whether a connection leads back to this machine, by an address of its own.
pub(super) fn is_self(stream: &TcpStream) -> bool {
    match (stream.local_addr(), stream.peer_addr()) {
        (Ok(here), Ok(there)) => here.ip() == there.ip(),
        _ => false,
    }
}
