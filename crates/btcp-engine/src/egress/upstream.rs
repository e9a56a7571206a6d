//! A proxy of the person's, between us and the public internet.
//!
//! It is given the address that was judged, not the name: what it would make of a name nobody here
//! can know. This machine and private networks are reached without it.

use std::fmt;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::str::FromStr;
use std::time::Duration;

use base64::Engine as _;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

use super::dial::{Names, dial, look_up};
use super::host::Host;
use super::socks;

/// How long it may take to connect us.
const CONNECTED: Duration = Duration::from_secs(30);

/// The longest answer to a `CONNECT`.
const LONGEST: usize = 16 * 1024;

/// A proxy: `http://user:password@host:port` or `socks5://…`.
#[derive(Clone, PartialEq, Eq)]
pub struct Proxy {
    kind: Kind,
    host: Host,
    port: u16,
    login: Option<(String, String)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Http,
    Socks5,
}

impl FromStr for Proxy {
    type Err = String;

    fn from_str(written: &str) -> Result<Self, String> {
        let wanted = || "http://HOST:PORT or socks5://USER:PASSWORD@HOST:PORT is wanted".to_owned();
        let (kind, rest) = match written.split_once("://") {
            Some(("http", rest)) => (Kind::Http, rest),
            Some(("socks5" | "socks5h", rest)) => (Kind::Socks5, rest),
            _ => return Err(wanted()),
        };
        let rest = rest.strip_suffix('/').unwrap_or(rest);
        let (login, place) = match rest.rsplit_once('@') {
            Some((login, place)) => (Some(login), place),
            None => (None, rest),
        };
        let login = match login {
            Some(login) => {
                let (user, password) = login.split_once(':').ok_or_else(wanted)?;
                Some((user.to_owned(), password.to_owned()))
            }
            None => None,
        };
        let (host, port) = place.rsplit_once(':').ok_or_else(wanted)?;
        let host = Host::read(host).ok_or_else(wanted)?;
        Ok(Self { kind, host, port: port.parse().map_err(|_| wanted())?, login })
    }
}

/// Without the password: settings are logged.
impl fmt::Debug for Proxy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let user = self.login.as_ref().map(|(user, _)| user);
        write!(f, "Proxy({:?} {}:{}, user {user:?})", self.kind, self.host, self.port)
    }
}

impl Proxy {
    /// The same for requests of our own, which no page has made.
    pub(crate) fn for_requests(&self) -> Result<ureq::Proxy, String> {
        let kind = match self.kind {
            Kind::Http => ureq::ProxyProtocol::Http,
            Kind::Socks5 => ureq::ProxyProtocol::Socks5,
        };
        let proxy = ureq::Proxy::builder(kind).host(&self.host.to_string()).port(self.port);
        // Behind a proxy there may be nobody else who knows a name.
        let proxy = proxy.resolve_target(false);
        let proxy = match &self.login {
            Some((user, password)) => proxy.username(user).password(password),
            None => proxy,
        };
        proxy.build().map_err(|error| format!("the proxy cannot be used: {error}"))
    }

    /// A connection to the first of these addresses by way of it.
    pub(crate) async fn dial(
        &self,
        names: Option<&Names>,
        addresses: &[IpAddr],
        port: u16,
    ) -> io::Result<TcpStream> {
        let to = addresses.first().ok_or(io::ErrorKind::AddrNotAvailable)?;
        let connecting = async {
            let proxies = look_up(names, &self.host).await?;
            let mut stream = dial(names, &proxies, self.port).await?;
            let login =
                self.login.as_ref().map(|(user, password)| (user.as_str(), password.as_str()));
            match self.kind {
                Kind::Socks5 => socks::connect(&mut stream, login, *to, port).await?,
                Kind::Http => tunnel(&mut stream, login, SocketAddr::new(*to, port)).await?,
            }
            Ok(stream)
        };
        timeout(CONNECTED, connecting).await.unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into()))
    }
}

/// Asks an HTTP proxy for a tunnel.
async fn tunnel(
    stream: &mut TcpStream,
    login: Option<(&str, &str)>,
    to: SocketAddr,
) -> io::Result<()> {
    let login = login.map(|(user, password)| {
        let both = base64::prelude::BASE64_STANDARD.encode(format!("{user}:{password}"));
        format!("Proxy-Authorization: Basic {both}\r\n")
    });
    let login = login.unwrap_or_default();
    let head = format!("CONNECT {to} HTTP/1.1\r\nHost: {to}\r\n{login}\r\n");
    stream.write_all(head.as_bytes()).await?;
    let mut answer = Vec::new();
    // Byte by byte: what comes after the head belongs to the tunnel.
    while !answer.ends_with(b"\r\n\r\n") {
        if answer.len() >= LONGEST {
            return Err(io::ErrorKind::InvalidData.into());
        }
        answer.push(stream.read_u8().await?);
    }
    let answer = String::from_utf8_lossy(&answer);
    match answer.split(' ').nth(1) {
        Some("200") => Ok(()),
        Some("502" | "503") => Err(io::ErrorKind::ConnectionRefused.into()),
        Some("504") => Err(io::ErrorKind::TimedOut.into()),
        _ => Err(io::ErrorKind::PermissionDenied.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_proxy_is_read_as_written_on_a_command_line() {
        let proxy: Proxy = "socks5://ada:se:cr@et@proxy.test:1080".parse().unwrap();
        assert_eq!(proxy.login, Some(("ada".into(), "se:cr@et".into())));
        assert!(!format!("{proxy:?}").contains("cr@et"));
        assert!("http://127.0.0.1:3128/".parse::<Proxy>().is_ok());
        for wrong in ["proxy.test:80", "https://a.test:1", "http://a.test", "http://ada@a.test:1"] {
            assert!(wrong.parse::<Proxy>().is_err(), "{wrong}");
        }
    }
}
