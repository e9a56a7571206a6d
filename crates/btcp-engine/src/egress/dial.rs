//! From a name to a connection: who is asked for addresses, and how they are tried.

use std::fmt;
use std::future::Future;
use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use tokio::net::TcpStream;
use tokio::time::{sleep, timeout};

use super::host::Host;

/// How long a name may take to be looked up.
const LOOKED_UP: Duration = Duration::from_secs(15);

/// How long all addresses of a host may take; Chrome itself waits longer than any call does.
const DIALLED: Duration = Duration::from_secs(60);

/// How long the first address has before the next is tried beside it.
const HEAD_START: Duration = Duration::from_millis(250);

/// The most addresses of a name that are tried.
const MOST: usize = 16;

/// Addresses of a name, in the order in which they are tried.
pub type Found<'a> = Pin<Box<dyn Future<Output = io::Result<Vec<IpAddr>>> + Send + 'a>>;

/// Somebody who knows the addresses of names.
pub trait LookUp: Send + Sync {
    /// The addresses of a name.
    fn look_up<'a>(&'a self, name: &'a str) -> Found<'a>;

    /// Where a connection to this address is really made. An address is judged as what it is; tests
    /// send those of a public server of theirs to this machine.
    fn route(&self, address: SocketAddr) -> SocketAddr {
        address
    }
}

/// Who is asked for the addresses of names.
#[derive(Clone)]
pub struct Names(pub Arc<dyn LookUp>);

impl fmt::Debug for Names {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Names")
    }
}

impl PartialEq for Names {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Names {}

/// What the system knows.
struct System;

impl LookUp for System {
    fn look_up<'a>(&'a self, name: &'a str) -> Found<'a> {
        Box::pin(async move {
            let found = tokio::net::lookup_host((name, 0)).await?;
            Ok(found.map(|address| address.ip()).collect())
        })
    }
}

/// The addresses of a host. Those of `localhost` nobody is asked for.
pub(crate) async fn look_up(names: Option<&Names>, host: &Host) -> io::Result<Vec<IpAddr>> {
    let name = match host {
        Host::Ip(ip) => return Ok(vec![*ip]),
        // As Chrome does it.
        Host::Name(_) if host.is_localhost() => {
            return Ok(vec![Ipv6Addr::LOCALHOST.into(), Ipv4Addr::LOCALHOST.into()]);
        }
        Host::Name(name) => name,
    };
    let found = match names {
        Some(names) => timeout(LOOKED_UP, names.0.look_up(name)).await,
        None => timeout(LOOKED_UP, System.look_up(name)).await,
    };
    let mut found = found.map_err(|_| io::Error::from(io::ErrorKind::TimedOut))??;
    found.truncate(MOST);
    if found.is_empty() {
        return Err(io::ErrorKind::NotFound.into());
    }
    Ok(found)
}

/// A connection to the first of these addresses that answers. Each has a head start over the next.
pub(crate) async fn dial(
    names: Option<&Names>,
    addresses: &[IpAddr],
    port: u16,
) -> io::Result<TcpStream> {
    dial_one(names, addresses, port).await.map(|(stream, _)| stream)
}

/// The same, and which of them it was.
pub(crate) async fn dial_one(
    names: Option<&Names>,
    addresses: &[IpAddr],
    port: u16,
) -> io::Result<(TcpStream, IpAddr)> {
    let mut waiting = addresses.iter();
    let mut trying = FuturesUnordered::new();
    let mut last = io::Error::from(io::ErrorKind::AddrNotAvailable);
    let dialling = async {
        loop {
            let next = waiting.next();
            if let Some(ip) = next {
                let address = SocketAddr::new(*ip, port);
                let address = names.map_or(address, |names| names.0.route(address));
                trying.push(async move { Ok((TcpStream::connect(address).await?, *ip)) });
            } else if trying.is_empty() {
                return Err(last);
            }
            tokio::select! {
                Some(tried) = trying.next(), if !trying.is_empty() => match tried {
                    Ok(dialled) => return Ok(dialled),
                    // Of several reasons that of an address that is there tells most.
                    Err(error) if last.kind() != io::ErrorKind::ConnectionRefused => last = error,
                    Err(_) => {}
                },
                () = sleep(HEAD_START), if waiting.len() > 0 => {}
            }
        }
    };
    let dialled: (TcpStream, IpAddr) =
        timeout(DIALLED, dialling).await.unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into()))?;
    // Small pieces go out at once, as Chrome's own would.
    let _ = dialled.0.set_nodelay(true);
    Ok(dialled)
}

/// Chrome's name for why a dial failed.
pub(crate) fn net_error(error: &io::Error) -> &'static str {
    match error.kind() {
        io::ErrorKind::ConnectionRefused => "net::ERR_CONNECTION_REFUSED",
        io::ErrorKind::ConnectionReset => "net::ERR_CONNECTION_RESET",
        io::ErrorKind::ConnectionAborted => "net::ERR_CONNECTION_ABORTED",
        io::ErrorKind::TimedOut => "net::ERR_CONNECTION_TIMED_OUT",
        io::ErrorKind::HostUnreachable
        | io::ErrorKind::NetworkUnreachable
        | io::ErrorKind::AddrNotAvailable => "net::ERR_ADDRESS_UNREACHABLE",
        io::ErrorKind::PermissionDenied => "net::ERR_NETWORK_ACCESS_DENIED",
        _ => "net::ERR_CONNECTION_FAILED",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn localhost_is_this_machine_whatever_a_name_server_says() {
        struct Liar;
        impl LookUp for Liar {
            fn look_up<'a>(&'a self, _: &'a str) -> Found<'a> {
                Box::pin(async { Ok(vec!["8.8.8.8".parse().unwrap()]) })
            }
        }
        let names = Names(Arc::new(Liar));
        for name in ["localhost", "a.localhost", "LOCALHOST."] {
            let found = look_up(Some(&names), &Host::read(name).unwrap()).await.unwrap();
            assert!(found.iter().all(IpAddr::is_loopback), "{name}: {found:?}");
        }
    }

    #[tokio::test]
    async fn the_address_that_answers_is_taken() {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let both = [Ipv6Addr::LOCALHOST.into(), Ipv4Addr::LOCALHOST.into()];

        let stream = dial(None, &both, port).await.unwrap();
        assert_eq!(stream.peer_addr().unwrap().ip(), Ipv4Addr::LOCALHOST);

        drop(listener);
        let error = dial(None, &both, port).await.unwrap_err();
        assert_eq!(net_error(&error), "net::ERR_CONNECTION_REFUSED");
    }
}
