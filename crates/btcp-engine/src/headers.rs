//! Headers of a person's own, sent along to the origins they are for.
//!
//! Chrome can add headers to all requests of a page only, which would tell a token to every server a page
//! loads from. So requests to these origins are held, and let go with what is theirs; a redirect
//! is a request of its own. Others are not held and cost nothing.

use std::fmt;
use std::str::FromStr;

use btcp_cdp::{SessionId, fetch};

use crate::egress::Origin;
use crate::tab_state::TabState;

/// Those that say where a request goes, how it is sent and who asks. Chrome would refuse some, and the request
/// would hang; with others a page's origin could be forged.
const NOT_OURS: &[&str] = &[
    "accept-charset",
    "accept-encoding",
    "connection",
    "content-length",
    "cookie",
    "cookie2",
    "date",
    "dnt",
    "expect",
    "host",
    "keep-alive",
    "origin",
    "range",
    "referer",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
    "via",
];

/// The longest value.
const LONGEST: usize = 8 * 1024;

/// A header for the servers of one origin.
#[derive(Clone, PartialEq, Eq)]
pub struct Header {
    origin: Origin,
    name: String,
    value: String,
}

impl FromStr for Header {
    type Err = String;

    /// Reads `https://host:port=Name: value`.
    fn from_str(written: &str) -> Result<Self, String> {
        let wanted = || {
            "ORIGIN=NAME: VALUE is wanted, like https://a.test=X-Team: blue; a header is sent to that \
             origin only"
                .to_owned()
        };
        if !written.starts_with("http://") && !written.starts_with("https://") {
            return Err(wanted());
        }
        let (place, header) = written.split_once('=').ok_or_else(wanted)?;
        let host = place.split_once("://").map_or("", |(_, host)| host).trim_end_matches('/');
        if host.contains(['/', '\\', '?', '#', '*', '@']) {
            return Err(wanted());
        }
        let origin = Origin::of(place).ok_or_else(wanted)?;
        let (name, value) = header.split_once(':').ok_or_else(wanted)?;
        let (name, value) = (name.trim().to_owned(), value.trim().to_owned());
        let is_token =
            |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
        if name.is_empty() || !name.bytes().all(is_token) {
            return Err(wanted());
        }
        let lower = name.to_ascii_lowercase();
        if NOT_OURS.contains(&lower.as_str())
            || lower.starts_with("sec-")
            || lower.starts_with("proxy-")
        {
            return Err(format!("'{name}' is the browser's own"));
        }
        if value.len() > LONGEST || !value.bytes().all(|byte| (b' '..=b'~').contains(&byte)) {
            return Err(format!(
                "the value of '{name}' is too long or has more than plain letters"
            ));
        }
        Ok(Self { origin, name, value })
    }
}

/// Without the value: settings are logged.
impl fmt::Debug for Header {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Header({} {})", self.origin, self.name)
    }
}

/// The addresses of requests that are to be held: one for each origin.
pub(crate) fn addresses(headers: &[Header]) -> Vec<String> {
    let mut all: Vec<String> =
        headers.iter().map(|header| format!("{}/*", header.origin)).collect();
    all.sort();
    all.dedup();
    all
}

/// What a request has and what is added to it; `None` if nothing is.
fn with<'a>(
    headers: &'a [Header],
    request: &'a fetch::HeldRequest,
) -> Option<Vec<fetch::Header<'a>>> {
    let origin = Origin::of(&request.url)?;
    let ours = headers.iter().filter(|header| header.origin == origin);
    let ours: Vec<fetch::Header<'_>> =
        ours.map(|header| fetch::Header { name: &header.name, value: &header.value }).collect();
    if ours.is_empty() {
        return None;
    }
    let replaced = |name: &str| ours.iter().any(|ours| ours.name.eq_ignore_ascii_case(name));
    let has = request.headers.iter().filter(|(name, _)| !replaced(name));
    let has = has.map(|(name, value)| fetch::Header { name, value });
    Some(has.chain(ours.iter().copied()).collect())
}

impl TabState {
    /// Lets a held request go, with the headers that are for its origin.
    pub(crate) fn let_go(&self, session: &SessionId, held: &fetch::RequestPaused) {
        let request = held.request.as_ref();
        let headers = request.and_then(|request| with(&self.shared.headers, request));
        let go_on =
            fetch::ContinueRequest { request_id: &held.request_id, headers: headers.as_deref() };
        self.connection.post(Some(session), &go_on);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header(written: &str) -> Header {
        written.parse().unwrap()
    }

    #[test]
    fn headers_are_read_as_written_on_a_command_line() {
        let read = header("https://A.test:443/=Authorization: Bearer a=b:c");
        assert_eq!(read, header("https://a.test=Authorization:Bearer a=b:c"));
        assert_eq!((read.name.as_str(), read.value.as_str()), ("Authorization", "Bearer a=b:c"));
        assert!(!format!("{read:?}").contains("Bearer"));
        for wrong in [
            "X-Team: blue",
            "https://a.test=X-Team",
            "https://a.test/path=X-Team: blue",
            "https://*.test=X-Team: blue",
            "https://ada@a.test=X-Team: blue",
            "ftp://a.test=X-Team: blue",
            "https://a.test=: blue",
            "https://a.test=X Team: blue",
            "https://a.test=X-Team: bl\nue",
            "https://a.test=Host: b.test",
            "https://a.test=Cookie: a=b",
            "https://a.test=Sec-Fetch-Site: same-origin",
        ] {
            assert!(wrong.parse::<Header>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn only_requests_to_its_origin_have_it() {
        let all =
            ["https://a.test=x-team: blue", "https://a.test=X-B: 2", "http://a.test:81=X-C: 3"];
        let all = all.map(header);
        assert_eq!(addresses(&all), ["http://a.test:81/*", "https://a.test/*"]);
        let names = |url: &str| {
            let headers = [("X-Team".to_owned(), "red".to_owned()), ("Accept".into(), "*".into())];
            let headers = headers.into_iter().collect();
            let request = fetch::HeldRequest { url: url.to_owned(), method: "GET".into(), headers };
            let with = with(&all, &request)?;
            Some(with.iter().map(|one| format!("{}={}", one.name, one.value)).collect::<Vec<_>>())
        };
        let expected = ["Accept=*", "x-team=blue", "X-B=2"].map(str::to_owned).to_vec();
        assert_eq!(names("https://a.test/x"), Some(expected));
        for other in ["http://a.test/", "https://b.test/", "https://a.test.evil.test/", "data:,x"] {
            assert_eq!(names(other), None, "{other}");
        }
    }
}
