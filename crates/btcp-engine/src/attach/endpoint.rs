//! What a person writes to say which Chrome: `ws://…`, a port, a profile's folder.

use std::fmt;
use std::io::Read as _;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use tokio::time::{Instant, timeout_at};

use super::{HOW, none, version};
use crate::error::Result;

/// Where Chrome says on which port it listens, in the folder of its profile.
const FILE: &str = "DevToolsActivePort";

/// That file has two short lines.
const LONGEST: u64 = 4096;

/// What is wanted of whoever writes something else.
const WANTED: &str = "a ws:// address, a port, or the folder of a Chrome profile is wanted";

/// Which running Chrome is meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Endpoint {
    /// The WebSocket of the browser itself.
    Socket {
        /// Name or address.
        host: String,
        /// Its port.
        port: u16,
        /// `/devtools/browser/…`.
        path: String,
    },
    /// A debugging port, which tells the rest.
    Port {
        /// Name or address.
        host: String,
        /// The port.
        port: u16,
    },
    /// A profile's folder or its `DevToolsActivePort` file, looked at when it is connected to: Chrome
    /// has another port each time.
    Profile(PathBuf),
}

impl Endpoint {
    /// Whether a text means a file or a folder.
    pub fn is_path(text: &str) -> bool {
        matches!(text.parse(), Ok(Self::Profile(_)))
    }

    /// The addresses to try. Those of other machines only where that was asked for.
    pub(super) async fn addresses(
        &self,
        remote: bool,
        deadline: Instant,
    ) -> Result<Vec<SocketAddr>> {
        let (host, port) = match self {
            Self::Socket { host, port, .. } | Self::Port { host, port } => (host.as_str(), *port),
            Self::Profile(path) => return Ok(vec![here(active_port(path)?.0)]),
        };
        let named = host.trim_start_matches('[').trim_end_matches(']');
        if let Ok(ip) = named.parse::<IpAddr>() {
            return match ip.to_canonical().is_loopback() || remote {
                true => Ok(vec![SocketAddr::new(ip, port)]),
                false => Err(self.elsewhere()),
            };
        }
        if host.eq_ignore_ascii_case("localhost") {
            return Ok(vec![here(port), SocketAddr::new(Ipv6Addr::LOCALHOST.into(), port)]);
        }
        if !remote {
            return Err(self.elsewhere());
        }
        match timeout_at(deadline, tokio::net::lookup_host((host, port))).await {
            Ok(Ok(found)) => Ok(found.take(8).collect()),
            Ok(Err(error)) => Err(none(format!("'{host}' cannot be looked up: {error}"), HOW)),
            Err(_) => Err(none(format!("'{host}' is not looked up in time"), HOW)),
        }
    }

    /// The path of the browser's WebSocket at one of its addresses.
    pub(super) async fn path(&self, address: SocketAddr, deadline: Instant) -> Result<String> {
        match self {
            Self::Socket { path, .. } => Ok(path.clone()),
            Self::Profile(path) => Ok(active_port(path)?.1),
            Self::Port { .. } => match version::web_socket_path(address, deadline).await {
                Ok(path) => Ok(path),
                Err(why) => {
                    Err(none(format!("No Chrome can be connected to at '{self}': {why}"), HOW))
                }
            },
        }
    }

    fn elsewhere(&self) -> crate::error::Error {
        none(
            format!("'{self}' is not on this machine"),
            "Forward its port to this machine (ssh -L 9222:127.0.0.1:9222 HOST), or allow it with --connect-remote: \
             nothing on the way is encrypted, and whoever reaches that port can do everything.",
        )
    }
}

fn here(port: u16) -> SocketAddr {
    SocketAddr::new(Ipv4Addr::LOCALHOST.into(), port)
}

/// The port and path that Chrome has written down. The file outlives a Chrome that was killed.
fn active_port(path: &Path) -> Result<(u16, String)> {
    let file = match path.is_dir() {
        true => path.join(FILE),
        false => path.to_owned(),
    };
    // One of several profiles of a person; the file is beside them.
    let beside = path.parent().map(|folder| folder.join(FILE)).filter(|_| path.is_dir());
    let file = if file.is_file() { file } else { beside.filter(|f| f.is_file()).unwrap_or(file) };
    let mut text = String::new();
    let read = std::fs::File::open(&file)
        .and_then(|opened| opened.take(LONGEST).read_to_string(&mut text));
    if let Err(error) = read {
        return Err(none(
            format!(
                "'{}' cannot be read: {error}; no Chrome takes connections there",
                file.display()
            ),
            HOW,
        ));
    }
    let mut lines = text.lines();
    let port = lines.next().and_then(|line| line.trim().parse().ok()).filter(|port| *port != 0);
    let path = lines.next().map(str::trim).filter(|path| is_path(path));
    match (port, path) {
        (Some(port), Some(path)) => Ok((port, path.to_owned())),
        _ => {
            let message = format!("'{}' is not a {FILE} file of Chrome's", file.display());
            Err(none(message, HOW))
        }
    }
}

/// Whether a text is the path of a browser's WebSocket, and nothing that would end its request.
pub(super) fn is_path(text: &str) -> bool {
    text.starts_with('/') && text.len() <= 1024 && text.bytes().all(|byte| byte.is_ascii_graphic())
}

impl FromStr for Endpoint {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let local = Ipv4Addr::LOCALHOST.to_string();
        if let Some((scheme, rest)) = text.split_once("://") {
            let (authority, path) = match rest.find('/') {
                Some(at) => rest.split_at(at),
                None => (rest, ""),
            };
            let (host, port) = host_and_port(authority).ok_or(WANTED)?;
            return match (scheme, path) {
                ("ws", path) if path.starts_with("/devtools/page/") => Err(
                    "it is the address of one tab; the browser's begins with /devtools/browser/"
                        .into(),
                ),
                ("ws", "" | "/") => Ok(Self::Port { host, port }),
                ("ws", path) if is_path(path) => {
                    Ok(Self::Socket { host, port, path: path.to_owned() })
                }
                ("http", "" | "/" | "/json/version") => Ok(Self::Port { host, port }),
                ("wss" | "https", _) => {
                    Err("btcp speaks no TLS to Chrome; forward the port to this machine instead"
                        .into())
                }
                _ => Err(WANTED.into()),
            };
        }
        if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
            return match text.parse() {
                Ok(port) if port != 0 => Ok(Self::Port { host: local, port }),
                _ => Err("a port from 1 to 65535 is wanted".into()),
            };
        }
        if let Some((host, port)) = host_and_port(text).filter(|_| !text.contains('/')) {
            return Ok(Self::Port { host, port });
        }
        match text.trim().is_empty() {
            true => Err(WANTED.into()),
            false => Ok(Self::Profile(text.into())),
        }
    }
}

/// `host:port`, `[::1]:port`.
fn host_and_port(text: &str) -> Option<(String, u16)> {
    let (host, port) = text.rsplit_once(':')?;
    let named = host.strip_prefix('[').and_then(|host| host.strip_suffix(']'));
    let good = match named {
        Some(v6) => v6.parse::<Ipv6Addr>().is_ok(),
        None => {
            let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-');
            !host.is_empty() && host.bytes().all(plain)
        }
    };
    let port = port.parse().ok().filter(|port| *port != 0)?;
    good.then(|| (host.to_owned(), port))
}

impl fmt::Display for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Socket { host, port, path } => write!(f, "ws://{host}:{port}{path}"),
            Self::Port { host, port } => write!(f, "{host}:{port}"),
            Self::Profile(path) => path.display().fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chrome_is_named_in_several_ways() {
        for (written, means) in [
            ("9222", "127.0.0.1:9222"),
            ("localhost:9222", "localhost:9222"),
            ("http://127.0.0.1:9222", "127.0.0.1:9222"),
            ("http://127.0.0.1:9222/json/version", "127.0.0.1:9222"),
            ("[::1]:9222", "[::1]:9222"),
            ("ws://127.0.0.1:9222", "127.0.0.1:9222"),
            (
                "ws://127.0.0.1:9222/devtools/browser/a-b",
                "ws://127.0.0.1:9222/devtools/browser/a-b",
            ),
            ("/home/ada/.config/chromium", "/home/ada/.config/chromium"),
            ("profile", "profile"),
        ] {
            assert_eq!(written.parse::<Endpoint>().unwrap().to_string(), means, "{written}");
        }
        assert!(Endpoint::is_path("./profile") && !Endpoint::is_path("9222"));
        for (written, said) in [
            ("", "is wanted"),
            ("0", "a port from 1"),
            ("70000", "a port from 1"),
            ("wss://a.test:1/x", "no TLS"),
            ("https://127.0.0.1:9222", "no TLS"),
            ("ws://127.0.0.1:9222/devtools/page/A", "of one tab"),
            ("ws://127.0.0.1/devtools/browser/A", "is wanted"),
            ("ws://u@evil:1/x", "is wanted"),
            ("ws://127.0.0.1:1/x y", "is wanted"),
            ("http://127.0.0.1:9222/json/list", "is wanted"),
        ] {
            let why = written.parse::<Endpoint>().unwrap_err();
            assert!(why.contains(said), "{written}: {why}");
        }
    }

    #[tokio::test]
    async fn other_machines_are_reached_only_when_asked_for() {
        let soon = Instant::now() + std::time::Duration::from_secs(5);
        for (written, here) in [
            ("9222", true),
            ("localhost:9222", true),
            ("127.8.9.1:9222", true),
            ("[::1]:9222", true),
            ("[::ffff:127.0.0.1]:9222", true),
            ("10.0.0.1:9222", false),
            ("[::ffff:10.0.0.1]:9222", false),
            ("0.0.0.0:9222", false),
            ("chrome.test:9222", false),
            ("ws://192.0.2.1:9222/devtools/browser/A", false),
        ] {
            let endpoint: Endpoint = written.parse().unwrap();
            let found = endpoint.addresses(false, soon).await;
            assert_eq!(found.is_ok(), here, "{written}: {found:?}");
            if let Err(error) = found {
                assert!(error.to_string().contains("not on this machine"), "{error}");
            }
        }
        let remote: Endpoint = "10.0.0.1:9222".parse().unwrap();
        assert_eq!(remote.addresses(true, soon).await.unwrap().len(), 1);
    }

    #[test]
    fn the_file_of_a_profile_says_the_port() {
        let folder = std::env::temp_dir().join(format!("btcp-endpoint-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("Default")).unwrap();
        let file = folder.join(FILE);
        let missing = active_port(&folder).unwrap_err().to_string();
        assert!(missing.contains("no Chrome takes connections there"), "{missing}");

        std::fs::write(&file, "4711\n/devtools/browser/x-y\n").unwrap();
        let found = ("4711".parse().unwrap(), "/devtools/browser/x-y".to_owned());
        for named in [&folder, &file, &folder.join("Default")] {
            assert_eq!(active_port(named).unwrap(), found, "{}", named.display());
        }

        for other in ["", "4711", "x\n/a", "4711\nno path", "70000\n/a", "1\n/a\rb c"] {
            std::fs::write(&file, other).unwrap();
            assert!(active_port(&folder).is_err(), "{other:?}");
        }
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
