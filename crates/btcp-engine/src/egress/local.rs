//! Connections to this machine and to private networks: who asks decides.
//!
//! As long as a session has reached nothing public, nobody but its agent and its local pages can
//! ask. From then on a connection is made only when its first request has shown where it comes from,
//! so a page that may not even learn whether somebody listens does not.

use std::io;
use std::net::IpAddr;
use std::time::Duration;

use tokio::io::AsyncReadExt;
use tokio::net::TcpStream;
use tokio::sync::watch;
use tokio::time::timeout;

use super::address::Place;
use super::dial::{dial_one, net_error};
use super::hello;
use super::host::{Host, Origin};
use super::judge::{Refusal, Who, Why};
use super::listener::{Desk, is_self};
use super::memory::Reason;
use super::ours;
use super::relay::{Passage, UP, relay};
use super::request::{Framer, Head, Piece, Sender, is_tls, plain};
use super::socks;

/// How long Chrome may hold a connection it has opened in advance.
const FIRST: Duration = Duration::from_secs(300);

/// A connection to somewhere local.
struct Local<'a> {
    desk: &'a Desk,
    host: &'a Host,
    port: u16,
    /// What the name stands for; of these each request may reach some.
    addresses: &'a [IpAddr],
    public: watch::Receiver<bool>,
}

impl Desk {
    /// Serves a connection to this machine or a private network.
    pub(super) async fn local(
        &self,
        mut client: TcpStream,
        host: &Host,
        port: u16,
        addresses: &[IpAddr],
    ) -> io::Result<()> {
        let public = self.memory.public();
        let local = Local { desk: self, host, port, addresses, public };
        let mut early = None;
        if !local.is_public() {
            // As without us: what cannot be reached is told at once.
            let reached = match local.among_ourselves(addresses) {
                Ok(open) => local.dial(&open).await,
                Err(refusal) => Err(Reason::Refused(refusal)),
            };
            match reached {
                Ok(server) => early = Some(server),
                Err(reason) => return self.fail(&mut client, host, port, reason).await,
            }
        }
        socks::answer(&mut client, socks::CONNECTED).await?;
        local.serve(&mut client, early).await
    }
}

impl Local<'_> {
    fn is_public(&self) -> bool {
        *self.public.borrow()
    }

    async fn serve(
        mut self,
        client: &mut TcpStream,
        early: Option<(TcpStream, IpAddr)>,
    ) -> io::Result<()> {
        // Those all of its requests may reach; the one that was dialled, once it was.
        let mut open = match &early {
            Some((_, dialled)) => vec![*dialled],
            None => self.addresses.to_vec(),
        };
        let mut buffer = vec![0; UP];
        let mut came = 0;
        let mut framer = Framer::default();
        let (mut first, secure) = loop {
            // A connection that was opened in advance and then not used ends with its client.
            let read = timeout(FIRST, client.read(&mut buffer)).await;
            let count = read.map_err(|_| io::Error::from(io::ErrorKind::TimedOut))??;
            if count == 0 {
                return Ok(());
            }
            if came == 0 && is_tls(buffer[0]) {
                break (buffer[..count].to_vec(), true);
            }
            came += count;
            let passed = self.pass(&mut framer, &mut open, &buffer[..count]);
            match passed {
                Ok(first) if first.is_empty() => {}
                Ok(first) => break (first, false),
                Err(error) => return self.reset(client, error),
            }
        };
        drop(buffer);
        if secure {
            self.whole_hello(client, &mut first).await?;
            match self.by_tls(&open, &first).await {
                Ok(allowed) => open = allowed,
                Err(refusal) => return self.reset(client, self.refused(refusal)),
            }
        }
        let mut server = match early {
            Some((server, _)) => server,
            None => match self.dial(&open).await {
                Ok((server, dialled)) => {
                    open = vec![dialled];
                    server
                }
                Err(reason) => {
                    self.desk.memory.failed(self.host, self.port, reason);
                    return self.reset(client, io::ErrorKind::NotConnected.into());
                }
            },
        };
        if secure {
            let origin = Origin { secure, host: self.host.clone(), port: self.port };
            let memory = &self.desk.memory;
            // Requests to hosts that are held are judged one by one, whatever connection they use.
            let kept = memory.is_named(&origin) || memory.held.addresses(self.host).is_some();
            return tokio::select! {
                ended = relay(client, &mut server, &first, None) => ended,
                // Pages of others could use it from now on.
                _ = self.public.wait_for(|public| *public), if !kept => Ok(()),
            };
        }
        let mut passage = Inspected { local: &self, framer, open, first: Some(first) };
        let outcome = relay(client, &mut server, &[], Some(&mut passage)).await;
        outcome.or_else(|error| self.reset(client, error))
    }

    /// What may be dialled before anything public was reached.
    fn among_ourselves(&self, open: &[IpAddr]) -> Result<Vec<IpAddr>, Refusal> {
        let named = self.desk.memory.is_named_host(self.host);
        let who = if named { Who::Agent } else { Who::Local(None) };
        self.judge(None, who, open)
    }

    /// Reads what is still missing of the first words of TLS.
    async fn whole_hello(&self, client: &mut TcpStream, first: &mut Vec<u8>) -> io::Result<()> {
        // Nobody asks what stands in them if anybody may come by TLS.
        let asked = self.is_public() && self.desk.memory.held.addresses(self.host).is_some();
        while asked && !hello::is_whole(first) && first.len() < hello::LONGEST {
            let mut buffer = [0; 2048];
            let read = timeout(FIRST, client.read(&mut buffer)).await;
            let count = read.map_err(|_| io::Error::from(io::ErrorKind::TimedOut))??;
            if count == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            first.extend_from_slice(&buffer[..count]);
        }
        Ok(())
    }

    /// TLS hides who asks: on this machine only origins the agent named, on private networks only what
    /// Chrome has held and was let go.
    async fn by_tls(&self, open: &[IpAddr], hello: &[u8]) -> Result<Vec<IpAddr>, Refusal> {
        if !self.is_public() {
            return self.among_ourselves(open);
        }
        let is_private = |ip: &IpAddr| self.desk.rules.place(self.host, *ip) == Place::Private;
        if open.iter().any(is_private) {
            let held = &self.desk.memory.held;
            let may = held.addresses(self.host).is_some()
                && match hello::offers_http2(hello) {
                    true => held.connects(self.host, self.port),
                    false => held.socket_connects(self.host, self.port).await,
                };
            let who = if may { Who::Agent } else { Who::Public { comes_back: false } };
            return self.judge(Some(true), who, open);
        }
        let origin = Origin { secure: true, host: self.host.clone(), port: self.port };
        let named = self.desk.memory.is_named(&origin);
        let who = if named { Who::Agent } else { Who::Public { comes_back: false } };
        self.judge(Some(true), who, open)
    }

    /// Who sent a request decides, also which of the addresses it may reach.
    fn by_head(&self, head: &Head, open: &[IpAddr]) -> Result<Vec<IpAddr>, Refusal> {
        if !self.is_public() {
            return self.among_ourselves(open);
        }
        let memory = &self.desk.memory;
        let here = plain(self.host, self.port);
        if head.is_nobodys() && memory.is_expected(self.host) {
            return self.judge(Some(false), Who::Agent, open);
        }
        let place = |host: &Host, ip| self.desk.rules.place(host, ip);
        let sender = head.sender();
        let who = match &sender {
            Sender::Same => Who::Local(Some(self.host)),
            Sender::Page(origin) if memory.is_local(&origin.host, place) => {
                Who::Local(Some(&origin.host))
            }
            Sender::TopLevel => Who::Public { comes_back: memory.is_named(&here) },
            Sender::Page(_) | Sender::Unknown => Who::Public { comes_back: false },
        };
        self.judge(Some(false), who, open)
    }

    fn judge(
        &self,
        secure: Option<bool>,
        who: Who<'_>,
        open: &[IpAddr],
    ) -> Result<Vec<IpAddr>, Refusal> {
        self.desk.judge(self.host, self.port, open, secure, who)
    }

    async fn dial(&self, open: &[IpAddr]) -> Result<(TcpStream, IpAddr), Reason> {
        let dialled = dial_one(self.desk.rules.names.as_ref(), open, self.port).await;
        let dialled = dialled.map_err(|error| Reason::Failed(net_error(&error)))?;
        if is_self(&dialled.0) && ours::is_port(self.port) {
            let what = format!("{}:{}", self.host, self.port);
            return Err(Reason::Refused(Refusal { what, why: Why::Ours }));
        }
        Ok(dialled)
    }

    /// What of the bytes of a client may go on; an error if a request may not. What it may not
    /// reach of the open addresses is open no more: one connection is for all its requests.
    fn pass(
        &self,
        framer: &mut Framer,
        open: &mut Vec<IpAddr>,
        bytes: &[u8],
    ) -> io::Result<Vec<u8>> {
        let mut rest = bytes;
        let mut out = Vec::new();
        loop {
            match framer.next(&mut rest) {
                Piece::Head(head, raw) => {
                    let allowed = self.by_head(&head, open);
                    *open = allowed.map_err(|refusal| self.refused(refusal))?;
                    out.extend_from_slice(&raw);
                }
                Piece::Rest(bytes) => out.extend_from_slice(bytes),
                Piece::Nothing => return Ok(out),
                Piece::Broken => return Err(io::ErrorKind::InvalidData.into()),
            }
        }
    }

    fn refused(&self, refusal: Refusal) -> io::Error {
        self.desk.memory.failed(self.host, self.port, Reason::Refused(refusal));
        io::ErrorKind::PermissionDenied.into()
    }

    /// Ends a connection so that nobody takes it for an answer.
    fn reset(&self, client: &TcpStream, error: io::Error) -> io::Result<()> {
        let _ = client.set_zero_linger();
        Err(error)
    }
}

/// Looks at each request before it goes on.
struct Inspected<'a> {
    local: &'a Local<'a>,
    framer: Framer,
    /// The address that was dialled.
    open: Vec<IpAddr>,
    /// What was judged before there was a server.
    first: Option<Vec<u8>>,
}

impl Passage for Inspected<'_> {
    fn pass(&mut self, bytes: &[u8]) -> io::Result<Vec<u8>> {
        match self.first.take() {
            Some(first) => Ok(first),
            None => self.local.pass(&mut self.framer, &mut self.open, bytes),
        }
    }
}
