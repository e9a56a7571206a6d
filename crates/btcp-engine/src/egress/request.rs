//! Plain HTTP requests on their way to this machine or a private network: who sent them.
//!
//! Chrome says in headers no page can write (`Sec-Fetch-*`, `Origin`, `Referer`) where a request
//! comes from. One connection carries many requests, so each is looked at: the stream is cut into
//! heads and bodies, and nothing of a request is passed on before it was judged.

use super::host::{Host, Origin};

/// The longest head; Chrome's own limit is the same.
const LONGEST_HEAD: usize = 256 * 1024;

/// A request's head.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Head {
    pub(crate) method: String,
    pub(crate) target: String,
    pub(crate) origin: Option<String>,
    referrer: Option<String>,
    site: Option<String>,
    destination: Option<String>,
    mode: Option<String>,
    /// A page that may never be seen: prefetched or prerendered.
    speculative: bool,
    /// Chrome sends it with documents only.
    navigates: bool,
    upgrade: bool,
    length: u64,
    chunked: bool,
}

/// What the headers say about who asks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Sender {
    /// A page of the very host it asks.
    Same,
    /// A page of this origin.
    Page(Origin),
    /// A page elsewhere leads the whole tab there.
    TopLevel,
    /// Nobody can tell, or a page elsewhere.
    Unknown,
}

impl Head {
    /// Reads a head, its empty line included; `None` if it is none.
    pub(crate) fn read(bytes: &[u8]) -> Option<Self> {
        // Header values a page sets may hold any byte.
        let text = String::from_utf8_lossy(bytes);
        let mut lines = text.split("\r\n");
        let mut first = lines.next()?.split(' ');
        let (method, target, version) = (first.next()?, first.next()?, first.next()?);
        let is_method = !method.is_empty() && method.bytes().all(|b| b.is_ascii_uppercase());
        if !is_method || !version.starts_with("HTTP/1.") || first.next().is_some() {
            return None;
        }
        let mut head =
            Self { method: method.to_owned(), target: target.to_owned(), ..Self::default() };
        for line in lines.take_while(|line| !line.is_empty()) {
            let (name, value) = line.split_once(':')?;
            head.take(&name.to_ascii_lowercase(), value.trim())?;
        }
        Some(head)
    }

    fn take(&mut self, name: &str, value: &str) -> Option<()> {
        let owned = || Some(value.to_owned());
        match name {
            "origin" => self.origin = owned(),
            "referer" => self.referrer = owned(),
            "sec-fetch-site" => self.site = owned(),
            "sec-fetch-dest" => self.destination = owned(),
            "sec-fetch-mode" => self.mode = owned(),
            "sec-purpose" | "purpose" => self.speculative = true,
            "upgrade-insecure-requests" => self.navigates = true,
            "upgrade" => self.upgrade = true,
            "content-length" => self.length = value.parse().ok()?,
            "transfer-encoding" => self.chunked = true,
            _ => {}
        }
        Some(())
    }

    /// Who sent it, as far as headers tell.
    pub(crate) fn sender(&self) -> Sender {
        // Only hosts that are trustworthy to Chrome are told this; no page can write it.
        if matches!(self.site.as_deref(), Some("same-origin" | "same-site")) {
            return Sender::Same;
        }
        if let Some(origin) = &self.origin {
            return Origin::of(origin).map_or(Sender::Unknown, Sender::Page);
        }
        let top = self.method == "GET"
            && self.destination.as_deref() == Some("document")
            && self.mode.as_deref() == Some("navigate")
            && !self.speculative;
        match (&self.site, &self.referrer) {
            (Some(_), _) if top => Sender::TopLevel,
            // A redirect elsewhere keeps the first page's referrer, and is cross-site then.
            (Some(_), _) => Sender::Unknown,
            (None, Some(referrer)) => Origin::of(referrer).map_or(Sender::Unknown, Sender::Page),
            (None, None) => Sender::Unknown,
        }
    }

    /// Whether it may be a navigation of the agent's own, or a redirect of one: no page names itself.
    pub(crate) fn is_nobodys(&self) -> bool {
        let nowhere = self.site.as_deref().is_none_or(|site| site == "none");
        let nobody = self.origin.is_none() && self.referrer.is_none();
        self.method == "GET" && self.navigates && nowhere && nobody && !self.speculative
    }
}

/// Whether a connection's first bytes are TLS.
pub(crate) fn is_tls(first: u8) -> bool {
    first == 0x16
}

/// Cuts what a client sends into requests.
#[derive(Debug, Default)]
pub(crate) struct Framer {
    head: Vec<u8>,
    state: State,
}

#[derive(Debug, Default)]
enum State {
    #[default]
    Head,
    /// So many bytes of a body are to come.
    Body(u64),
    /// It is another protocol from now on.
    Opaque,
}

/// What a piece of the stream is.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Piece<'a> {
    /// The head of a request, and its bytes, to be judged.
    Head(Box<Head>, Vec<u8>),
    /// Bytes that belong to what was judged before.
    Rest(&'a [u8]),
    /// More is needed.
    Nothing,
    /// No HTTP that we understand.
    Broken,
}

impl Framer {
    /// The next piece of what came; what is left of it stays in `bytes`.
    pub(crate) fn next<'a>(&mut self, bytes: &mut &'a [u8]) -> Piece<'a> {
        if bytes.is_empty() {
            return Piece::Nothing;
        }
        match &mut self.state {
            State::Opaque => Piece::Rest(std::mem::take(bytes)),
            State::Body(left) => {
                let most = usize::try_from(*left).unwrap_or(usize::MAX).min(bytes.len());
                let (body, rest) = bytes.split_at(most);
                *bytes = rest;
                *left -= most as u64;
                if *left == 0 {
                    self.state = State::Head;
                }
                Piece::Rest(body)
            }
            State::Head => self.head(bytes),
        }
    }

    fn head<'a>(&mut self, bytes: &mut &'a [u8]) -> Piece<'a> {
        let before = self.head.len();
        let room = LONGEST_HEAD.saturating_sub(before);
        let taken = &bytes[..bytes.len().min(room)];
        self.head.extend_from_slice(taken);
        // The end may lie across two pieces.
        let from = before.saturating_sub(3);
        let end = self.head[from..].windows(4).position(|window| window == b"\r\n\r\n");
        let Some(end) = end.map(|at| from + at + 4) else {
            *bytes = &bytes[taken.len()..];
            return if self.head.len() >= LONGEST_HEAD { Piece::Broken } else { Piece::Nothing };
        };
        *bytes = &bytes[end - before..];
        let mut raw = std::mem::take(&mut self.head);
        raw.truncate(end);
        let Some(head) = Head::read(&raw) else { return Piece::Broken };
        self.state = match (head.upgrade, head.chunked, head.length) {
            (true, ..) => State::Opaque,
            // Chrome sends none over HTTP/1.
            (false, true, _) => return Piece::Broken,
            (false, false, 0) => State::Head,
            (false, false, length) => State::Body(length),
        };
        Piece::Head(Box::new(head), raw)
    }
}

/// The origin a plain request to this host is for.
pub(crate) fn plain(host: &Host, port: u16) -> Origin {
    Origin { secure: false, host: host.clone(), port }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn head(lines: &[&str]) -> Head {
        Head::read(format!("{}\r\n\r\n", lines.join("\r\n")).as_bytes()).unwrap()
    }

    #[test]
    fn headers_tell_who_asks() {
        let page = |url: &str| Sender::Page(Origin::of(url).unwrap());
        let get = "GET /x HTTP/1.1";
        for (lines, sender) in [
            // What began with the agent may have been redirected by anybody.
            (
                vec![
                    get,
                    "Sec-Fetch-Site: none",
                    "Sec-Fetch-Dest: document",
                    "Sec-Fetch-Mode: navigate",
                ],
                Sender::TopLevel,
            ),
            (vec![get, "Sec-Fetch-Site: same-origin"], Sender::Same),
            (vec!["POST /x HTTP/1.1", "sec-fetch-site: same-site", "Origin: null"], Sender::Same),
            (
                vec![get, "Sec-Fetch-Site: cross-site", "Origin: http://localhost:3000"],
                page("http://localhost:3000"),
            ),
            (vec![get, "Sec-Fetch-Site: cross-site", "Origin: null"], Sender::Unknown),
            (
                vec![get, "Sec-Fetch-Site: cross-site", "Referer: http://localhost:3000/"],
                Sender::Unknown,
            ),
            (
                vec![
                    get,
                    "Sec-Fetch-Site: cross-site",
                    "Sec-Fetch-Dest: document",
                    "Sec-Fetch-Mode: navigate",
                ],
                Sender::TopLevel,
            ),
            (
                vec![
                    "POST /x HTTP/1.1",
                    "Sec-Fetch-Site: cross-site",
                    "Sec-Fetch-Dest: document",
                    "Sec-Fetch-Mode: navigate",
                    "Origin: https://evil.test",
                ],
                page("https://evil.test"),
            ),
            (
                vec![
                    get,
                    "Sec-Fetch-Site: cross-site",
                    "Sec-Fetch-Dest: iframe",
                    "Sec-Fetch-Mode: navigate",
                ],
                Sender::Unknown,
            ),
            (
                vec![
                    get,
                    "Sec-Fetch-Site: cross-site",
                    "Sec-Fetch-Dest: document",
                    "Sec-Fetch-Mode: navigate",
                    "Sec-Purpose: prefetch;prerender",
                ],
                Sender::Unknown,
            ),
            (
                vec![get, "Upgrade: websocket", "Origin: https://evil.test"],
                page("https://evil.test"),
            ),
            (vec![get, "Referer: http://10.0.0.1/"], page("http://10.0.0.1")),
            (vec![get], Sender::Unknown),
        ] {
            assert_eq!(head(&lines).sender(), sender, "{lines:?}");
        }
    }

    fn pieces(stream: &[u8], step: usize) -> (Vec<String>, Vec<u8>) {
        let (mut framer, mut targets, mut rest) = (Framer::default(), Vec::new(), Vec::new());
        for chunk in stream.chunks(step) {
            let mut bytes = chunk;
            loop {
                match framer.next(&mut bytes) {
                    Piece::Head(head, raw) => {
                        targets.push(head.target.clone());
                        assert!(raw.ends_with(b"\r\n\r\n"));
                    }
                    Piece::Rest(body) => rest.extend_from_slice(body),
                    Piece::Nothing => break,
                    Piece::Broken => {
                        targets.push("broken".into());
                        return (targets, rest);
                    }
                }
            }
        }
        (targets, rest)
    }

    #[test]
    fn every_request_of_a_connection_is_found_however_it_is_cut() {
        let stream =
            b"GET /1 HTTP/1.1\r\nHost: a\r\n\r\nPOST /2 HTTP/1.1\r\nContent-Length: 32\r\n\r\n\
                       GET /not HTTP/1.1\r\nHost: a\r\n\r\n..GET /3 HTTP/1.1\r\n\r\n";
        for step in [1, 2, 3, 7, 50, 1000] {
            let (targets, rest) = pieces(stream, step);
            assert_eq!(targets, ["/1", "/2", "/3"], "in steps of {step}");
            assert_eq!(rest.len(), 32);
        }
    }

    #[test]
    fn after_an_upgrade_nothing_is_looked_at() {
        let stream =
            b"GET /ws HTTP/1.1\r\nUpgrade: websocket\r\n\r\n\x81\x05GET / HTTP/1.1\r\n\r\n";
        assert_eq!(pieces(stream, 9).0, ["/ws"]);
    }

    #[test]
    fn what_is_no_request_is_broken() {
        for stream in [
            &b"hello\r\n\r\n"[..],
            b"GET / HTTP/2\r\n\r\n",
            b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n",
            b"POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
            b"\xff\xfe\r\n\r\n",
        ] {
            assert_eq!(pieces(stream, 1000).0, ["broken"], "{stream:?}");
        }
        assert_eq!(pieces(&vec![b'A'; LONGEST_HEAD + 1], 1000).0, ["broken"]);
    }
}
