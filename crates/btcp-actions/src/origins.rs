//! Which pages a caller may work with, by their origins.

use crate::error::CallError;
use btcp_engine::Reach;
use btcp_engine::text::{cut, origin, quoted};

/// Origins, or all of them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Origins(Vec<Pattern>);

#[derive(Debug, Clone, PartialEq, Eq)]
struct Pattern {
    /// `https`, or any of the two.
    scheme: Option<String>,
    /// Without the `*.`.
    host: String,
    /// Hosts below it, not itself.
    below: bool,
    port: Option<u16>,
}

impl Origins {
    /// Reads a list: `https://a.test`, `*.b.test`, `localhost:8080`. What is no origin is an error.
    pub fn parse(written: &str) -> Result<Self, CallError> {
        let words = written.split(',').map(str::trim).filter(|word| !word.is_empty());
        words.map(Pattern::parse).collect::<Result<_, _>>().map(Self)
    }

    pub(crate) fn is_any(&self) -> bool {
        self.0.is_empty()
    }

    /// Refuses an address that is not among them. An empty page is nobody's.
    pub(crate) fn check(&self, url: &str) -> Result<(), CallError> {
        if self.is_any() || url == "about:blank" || url.is_empty() {
            return Ok(());
        }
        let parts = Parts::of(url);
        if parts.as_ref().is_some_and(|parts| self.0.iter().any(|one| one.fits(parts))) {
            return Ok(());
        }
        let shown = quoted(&cut(origin(url), 120));
        Err(CallError::NotGranted {
            message: format!("Pages of {shown} are outside this caller's origins"),
        })
    }
}

impl Reach for Origins {
    fn origin(&self, origin: &str) -> bool {
        self.check(origin).is_ok()
    }

    /// Cookies know neither scheme nor port. One of a host above is sent to the hosts below it.
    fn cookies_of(&self, domain: &str) -> bool {
        let above = domain.starts_with('.');
        let domain = domain.trim_start_matches('.').trim_end_matches('.').to_ascii_lowercase();
        let is_below = |host: &str, above: &str| {
            host.strip_suffix(above).is_some_and(|rest| rest.ends_with('.'))
        };
        self.is_any()
            || self.0.iter().any(|one| {
                let own = if one.below { is_below(&domain, &one.host) } else { domain == one.host };
                let wider =
                    above && (is_below(&one.host, &domain) || one.below && one.host == domain);
                own || wider
            })
    }
}

/// An address taken apart as far as its origin goes.
struct Parts {
    scheme: String,
    host: String,
    port: u16,
}

impl Parts {
    fn of(url: &str) -> Option<Self> {
        // An agent may leave the scheme out; the engine then chooses one of the two.
        let (scheme, rest) = url.split_once("://").unwrap_or(("https", url));
        let scheme = scheme.to_ascii_lowercase();
        let usual = match scheme.as_str() {
            "http" => 80,
            "https" => 443,
            _ => return None,
        };
        let authority = rest.split(['/', '?', '#', '\\']).next()?;
        let authority = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
        let (host, port) = host_and_port(authority)?;
        Some(Self { scheme, host, port: port.unwrap_or(usual) })
    }
}

fn host_and_port(authority: &str) -> Option<(String, Option<u16>)> {
    let (host, port) = match authority.rsplit_once(':') {
        Some((host, port)) if !port.contains(']') => (host, Some(port.parse().ok()?)),
        _ => (authority, None),
    };
    let host = host.trim_end_matches('.').to_ascii_lowercase();
    let fits = |c: char| c.is_alphanumeric() || matches!(c, '.' | '-' | '_' | '[' | ']' | ':');
    (!host.is_empty() && host.chars().all(fits)).then_some((host, port))
}

impl Pattern {
    fn parse(word: &str) -> Result<Self, CallError> {
        let wrong = || CallError::InvalidParams {
            field: Some("origins".into()),
            reason: format!("Origin '{word}' is not one"),
            hint: Some("Write https://example.com, *.example.com or localhost:8080.".into()),
        };
        let (scheme, rest) = match word.split_once("://") {
            Some((scheme @ ("http" | "https"), rest)) => (Some(scheme.to_owned()), rest),
            Some(_) => return Err(wrong()),
            None => (None, word),
        };
        let (below, rest) = match rest.strip_prefix("*.") {
            Some(rest) => (true, rest),
            None => (false, rest),
        };
        let (host, port) = host_and_port(rest.trim_end_matches('/')).ok_or_else(wrong)?;
        Ok(Self { scheme, host, below, port })
    }

    fn fits(&self, parts: &Parts) -> bool {
        let host = match self.below {
            true => parts.host.strip_suffix(&self.host).is_some_and(|rest| rest.ends_with('.')),
            false => parts.host == self.host,
        };
        let usual = matches!((parts.scheme.as_str(), parts.port), ("http", 80) | ("https", 443));
        let port = self.port.map_or(usual, |port| port == parts.port);
        host && port && self.scheme.as_ref().is_none_or(|scheme| *scheme == parts.scheme)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_held_against_origins() {
        let some = Origins::parse("https://a.test, *.b.test, localhost:8080").unwrap();
        for url in [
            "https://a.test/x?y#z",
            "https://A.TEST",
            "https://a.test:443/",
            "https://a.test./",
            "a.test",
            "http://x.b.test/",
            "https://x.y.b.test/",
            "http://localhost:8080/",
            "about:blank",
        ] {
            assert!(some.check(url).is_ok(), "{url}");
        }
        for url in [
            "http://a.test/",
            "https://a.test:444/",
            "https://a.test.evil.test/",
            "https://evil.test/https://a.test",
            "https://a.test@evil.test/",
            "https://evil.test\\@a.test/",
            "https://xa.test/",
            "https://b.test/",
            "https://xb.test/",
            "http://localhost/",
            "data:text/html,https://a.test",
            "about:srcdoc",
            "javascript:1",
            "file:///a.test",
        ] {
            assert!(some.check(url).is_err(), "{url}");
        }
        assert!(Origins::default().check("https://any.test").is_ok());
    }

    #[test]
    fn cookies_are_held_against_origins() {
        let some = Origins::parse("https://x.a.test, *.b.test, localhost:8080").unwrap();
        for (domain, theirs) in [
            ("x.a.test", true),
            (".x.a.test", true),
            // Sent to x.a.test too; without the dot to its own host only.
            (".a.test", true),
            ("a.test", false),
            ("y.a.test", false),
            ("y.x.a.test", false),
            ("c.b.test", true),
            (".b.test", true),
            ("b.test", false),
            ("LOCALHOST", true),
            ("evil-x.a.test", false),
        ] {
            assert_eq!(some.cookies_of(domain), theirs, "{domain}");
        }
        assert!(Origins::default().cookies_of("any.test"));
    }

    #[test]
    fn what_is_no_origin_is_an_error() {
        for wrong in ["ftp://a.test", "https://", "a test", "https://a.test/path", "*", "a.test:x"]
        {
            assert!(Origins::parse(wrong).is_err(), "{wrong}");
        }
    }
}
