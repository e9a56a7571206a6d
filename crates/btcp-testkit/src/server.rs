//! A tiny HTTP/1.1 server for `testpages/`, on both loopback addresses and one port.
//!
//! Reachable as `127.0.0.1`, `localhost` and `*.localhost`, which Chrome takes for different
//! sites, so pages can have real cross-site frames. `{{port}}` in a page becomes the port.
//! Answers that misbehave on purpose are in `routes.rs`.

use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock};
use std::{collections::HashMap, net::Ipv4Addr, net::Ipv6Addr};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;

use crate::routes;
use crate::runtime::runtime;

/// Pages are read from the source tree this was compiled in, so an edit needs no rebuild.
const PAGES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testpages");

/// Bigger requests than this are no test of ours.
const LARGEST_REQUEST: usize = 16 * 1024 * 1024;

/// The running server.
#[derive(Debug)]
pub struct Server {
    port: u16,
    pub(crate) counts: Mutex<HashMap<String, u64>>,
    /// Told of each that is counted.
    pub(crate) counting: Notify,
}

/// The server all tests of this binary share; started on first use.
pub fn server() -> &'static Server {
    static SERVER: OnceLock<Arc<Server>> = OnceLock::new();
    SERVER.get_or_init(|| {
        // Binding never waits, so a plain thread can do it even inside another runtime.
        let (listeners, port) = bind().expect("a loopback port can be bound");
        let server = Arc::new(Server { port, counts: Mutex::default(), counting: Notify::new() });
        for listener in listeners {
            let _inside = runtime().enter();
            let listener = TcpListener::from_std(listener).expect("the listener is non-blocking");
            runtime().spawn(accept(listener, server.clone()));
        }
        server
    })
}

impl Server {
    /// `127.0.0.1:4321`.
    pub fn host(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    /// `http://127.0.0.1:4321`.
    pub fn origin(&self) -> String {
        format!("http://{}", self.host())
    }

    /// The same server as another site: `http://localhost:4321`.
    pub fn other_origin(&self) -> String {
        format!("http://localhost:{}", self.port)
    }

    /// Its port on every loopback address.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// The address of a page: `click.html`, `/slow?ms=500`.
    pub fn url(&self, path: &str) -> String {
        format!("{}/{}", self.origin(), path.trim_start_matches('/'))
    }

    /// How often a page posted to `/count/<key>`.
    pub fn count(&self, key: &str) -> u64 {
        self.counts.lock().expect("no test panics with it").get(key).copied().unwrap_or(0)
    }

    /// Waits until a page has posted to `/count/<key>`.
    pub async fn counted(&self, key: &str) {
        loop {
            let mut next = std::pin::pin!(self.counting.notified());
            next.as_mut().enable();
            if self.count(key) > 0 {
                return;
            }
            next.await;
        }
    }

    /// Puts this server's address into a text of an example.
    pub fn fill_in(&self, text: &str) -> String {
        text.replace("{origin}", &self.origin())
            .replace("{other}", &self.other_origin())
            .replace("{host}", &self.host())
            .replace("{port}", &self.port.to_string())
            .replace("{files}", &crate::page::files().to_string_lossy())
    }
}

/// Chrome tries `::1` first for `localhost`; where IPv6 is off, `127.0.0.1` must do.
fn bind() -> io::Result<(Vec<std::net::TcpListener>, u16)> {
    let mut last = io::Error::other("no port tried");
    for _ in 0..20 {
        let v4 = std::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let port = v4.local_addr()?.port();
        let mut listeners = vec![v4];
        match std::net::TcpListener::bind((Ipv6Addr::LOCALHOST, port)) {
            Ok(v6) => listeners.push(v6),
            // Somebody has that port on `::1`: localhost would reach them. Try another.
            Err(error) if error.kind() == io::ErrorKind::AddrInUse => {
                last = error;
                continue;
            }
            Err(_) => {}
        }
        for listener in &listeners {
            listener.set_nonblocking(true)?;
        }
        return Ok((listeners, port));
    }
    Err(last)
}

async fn accept(listener: TcpListener, server: Arc<Server>) {
    loop {
        // An accept fails when the process has too many files open; the next may not.
        let Ok((stream, _)) = listener.accept().await else { continue };
        let server = server.clone();
        tokio::spawn(async move {
            // The peer may leave at any time; that is its business.
            let _ = answer(stream, &server).await;
        });
    }
}

/// A request, as far as any test looks at one.
pub(crate) struct Request {
    pub(crate) method: String,
    pub(crate) path: String,
    pub(crate) query: String,
    pub(crate) head: String,
    pub(crate) body: Vec<u8>,
}

impl Request {
    /// A query parameter, percent-decoded.
    pub(crate) fn param(&self, name: &str) -> Option<String> {
        self.query.split('&').find_map(|pair| {
            let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
            (key == name).then(|| decoded(value))
        })
    }
}

async fn answer(mut stream: TcpStream, server: &Server) -> io::Result<()> {
    let Some(request) = read_request(&mut stream).await? else { return Ok(()) };
    if let Some(answered) = routes::answer(&mut stream, &request, server).await {
        return answered;
    }
    match file(&request.path, server.port()) {
        Some((kind, body)) => {
            respond(&mut stream, "200 OK", &format!("Content-Type: {kind}\r\n"), &body).await
        }
        None => respond(&mut stream, "404 Not Found", HTML, b"<title>Not found</title>").await,
    }
}

async fn read_request(stream: &mut TcpStream) -> io::Result<Option<Request>> {
    let mut bytes = Vec::new();
    let end = loop {
        if let Some(at) = bytes.windows(4).position(|window| window == b"\r\n\r\n") {
            break at;
        }
        if bytes.len() > LARGEST_REQUEST || stream.read_buf(&mut bytes).await? == 0 {
            return Ok(None);
        }
        // A TLS client does not speak HTTP: it is told so in plain text, as by any plain server.
        if bytes.first() == Some(&0x16) {
            respond(stream, "400 Bad Request", "", b"").await?;
            return Ok(None);
        }
    };
    let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
    let mut body = bytes.split_off(end + 4);
    let length = header(&head, "content-length").and_then(|value| value.parse().ok()).unwrap_or(0);
    while body.len() < usize::min(length, LARGEST_REQUEST) {
        if stream.read_buf(&mut body).await? == 0 {
            break;
        }
    }
    let mut first = head.lines().next().unwrap_or_default().split(' ');
    let method = first.next().unwrap_or_default().to_owned();
    let target = first.next().unwrap_or("/");
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let (path, query) = (decoded(path), query.to_owned());
    Ok(Some(Request { method, path, query, head, body }))
}

fn header<'a>(head: &'a str, name: &str) -> Option<&'a str> {
    head.lines().find_map(|line| {
        let (key, value) = line.split_once(':')?;
        key.eq_ignore_ascii_case(name).then_some(value.trim())
    })
}

/// Content type of pages.
pub(crate) const HTML: &str = "Content-Type: text/html; charset=utf-8\r\n";

/// One answer to a connection, which then ends; nothing is cached.
pub(crate) async fn respond(
    stream: &mut TcpStream,
    status: &str,
    headers: &str,
    body: &[u8],
) -> io::Result<()> {
    let head = format!(
        "HTTP/1.1 {status}\r\n{headers}Content-Length: {}\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes()).await?;
    stream.write_all(body).await?;
    stream.shutdown().await
}

/// A file of `testpages/`, never one outside.
fn file(path: &str, port: u16) -> Option<(&'static str, Vec<u8>)> {
    let relative = Path::new(path.trim_start_matches('/'));
    if relative.components().any(|part| !matches!(part, Component::Normal(_))) {
        return None;
    }
    let path: PathBuf = [Path::new(PAGES), relative].iter().collect();
    let bytes = std::fs::read(&path).ok()?;
    Some(match path.extension()?.to_str()? {
        "html" => {
            let text = String::from_utf8(bytes).ok()?.replace("{{port}}", &port.to_string());
            ("text/html; charset=utf-8", text.into_bytes())
        }
        "js" => ("text/javascript; charset=utf-8", bytes),
        "css" => ("text/css; charset=utf-8", bytes),
        "png" => ("image/png", bytes),
        _ => ("application/octet-stream", bytes),
    })
}

fn decoded(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let escaped = (bytes[at] == b'%')
            .then(|| text.get(at + 1..at + 3))
            .flatten()
            .and_then(|hex| u8::from_str_radix(hex, 16).ok());
        match escaped {
            Some(byte) => {
                out.push(byte);
                at += 3;
            }
            None => {
                out.push(if bytes[at] == b'+' { b' ' } else { bytes[at] });
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_outside_testpages_is_served() {
        assert!(file("/click.html", 1).is_some());
        for path in ["/../Cargo.toml", "/hard/../../Cargo.toml", "//etc/passwd", "/"] {
            assert!(file(path, 1).is_none(), "{path} was served");
        }
    }

    #[test]
    fn pages_learn_the_port() {
        let (_, body) = file("/hard/frames.html", 4321).unwrap();
        let body = String::from_utf8(body).unwrap();
        assert!(body.contains("http://localhost:4321/"), "{body}");
    }

    #[test]
    fn escapes_are_decoded() {
        assert_eq!(decoded("a%20b+c%2Fd%"), "a b c/d%");
    }
}
