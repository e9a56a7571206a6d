//! What a person has ruled: where navigations may lead, what pages may load, what counts as public.

use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;

use super::address::{Place, Range};
use super::dial::Names;
use super::host::Host;
use super::upstream::Proxy;

/// What a person can set about where pages and agents may go.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Egress {
    /// Navigations lead nowhere else, if there are any; what they name of the private network may
    /// be reached from local pages too.
    pub allow: Vec<Rule>,
    /// Nothing leads there.
    pub deny: Vec<Rule>,
    /// Pages load nothing from elsewhere, `allow` apart, if there are any.
    pub allow_resources: Vec<Rule>,
    /// Ranges that count as public.
    pub public: Vec<Range>,
    /// The agent is not this machine's: loopback and private networks only by `allow`.
    pub by_grant: bool,
    /// What stands between us and the public internet.
    pub proxy: Option<Proxy>,
    /// Chrome connects by itself, and nothing of this holds. For measuring only: no flag sets it.
    pub unguarded: bool,
    /// Who is asked for the addresses of names; the system if left out. For tests and embedders.
    pub names: Option<Names>,
}

impl Egress {
    /// Where an address lies, for this host.
    pub(crate) fn place(&self, host: &Host, ip: IpAddr) -> Place {
        if self.public.iter().any(|range| range.holds(ip)) {
            return Place::Public;
        }
        let place = Place::of(ip);
        if host.is_dot_local() { place.max(Place::Private) } else { place }
    }

    /// Whether each navigation has to be looked at: it is ruled, or what is loaded is, of which only a
    /// look at navigations can tell them.
    pub(crate) fn holds_navigations(&self) -> bool {
        self.rules_navigations() || !self.allow_resources.is_empty()
    }

    /// Whether navigations are ruled.
    pub(crate) fn rules_navigations(&self) -> bool {
        !self.allow.is_empty() || !self.deny.is_empty()
    }
}

/// A place by origin, host or range: `https://a.test`, `*.a.test`, `localhost:3000`, `10.0.0.0/8`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Rule {
    /// Every host whose address lies in it.
    Range(Range),
    /// A host by name or address.
    Host {
        /// `https` only, `http` only, or both.
        secure: Option<bool>,
        /// The host, or what its name ends with, dot included.
        name: String,
        /// Any if left out.
        port: Option<u16>,
    },
}

impl Rule {
    /// Whether it speaks of this host.
    pub(crate) fn names(&self, secure: Option<bool>, host: &Host, port: u16) -> bool {
        let Self::Host { secure: only, name, port: wanted } = self else { return false };
        // Over an unknown scheme only what holds for both is certain.
        let scheme = only.is_none() || secure.is_none() || *only == secure;
        let host = host.to_string();
        let same = match name.strip_prefix('*') {
            Some(end) => host.ends_with(end) && host.len() > end.len(),
            None => host == *name,
        };
        scheme && same && wanted.is_none_or(|wanted| wanted == port)
    }

    /// Whether it speaks of this address.
    pub(crate) fn holds(&self, ip: IpAddr) -> bool {
        match self {
            Self::Range(range) => range.holds(ip),
            Self::Host { name, port: None, .. } => Host::Ip(ip).to_string() == *name,
            Self::Host { .. } => false,
        }
    }
}

impl FromStr for Rule {
    type Err = String;

    fn from_str(written: &str) -> Result<Self, String> {
        let wanted = || {
            format!(
                "an origin, host or range is wanted, like https://a.test, *.a.test or 10.0.0.0/8, not '{written}'"
            )
        };
        if let Ok(range) = written.parse() {
            return Ok(Self::Range(range));
        }
        let (secure, rest) = match written.split_once("://") {
            Some(("https", rest)) => (Some(true), rest),
            Some(("http", rest)) => (Some(false), rest),
            Some(_) => return Err(wanted()),
            None => (None, written),
        };
        let rest = rest.strip_suffix('/').unwrap_or(rest);
        let (host, port) = match rest.rfind(':') {
            Some(at) if !rest[at..].contains(']') => {
                (&rest[..at], Some(rest[at + 1..].parse().map_err(|_| wanted())?))
            }
            _ => (rest, None),
        };
        let port = port.or(secure.map(|secure| if secure { 443 } else { 80 }));
        let (star, host) = match host.strip_prefix("*.") {
            Some(host) => ("*.", host),
            None => ("", host),
        };
        let host = Host::read(host).ok_or_else(wanted)?;
        if !star.is_empty() && matches!(host, Host::Ip(_)) {
            return Err(wanted());
        }
        Ok(Self::Host { secure, name: format!("{star}{host}"), port })
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Range(range) => range.fmt(f),
            Self::Host { secure, name, port } => {
                match secure {
                    Some(true) => f.write_str("https://")?,
                    Some(false) => f.write_str("http://")?,
                    None => {}
                }
                f.write_str(name)?;
                port.map_or(Ok(()), |port| write!(f, ":{port}"))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_speak_of_what_they_say() {
        let names = |rule: &str, secure, host: &str, port| {
            rule.parse::<Rule>().unwrap().names(Some(secure), &Host::read(host).unwrap(), port)
        };
        assert!(names("https://a.test", true, "A.test.", 443));
        assert!(!names("https://a.test", false, "a.test", 443));
        assert!(!names("https://a.test", true, "a.test", 8443));
        assert!(names("a.test", false, "a.test", 8000) && !names("a.test", true, "b.a.test", 443));
        assert!(
            names("*.a.test", true, "b.a.test", 443) && !names("*.a.test", true, "a.test", 443)
        );
        assert!(!names("*.a.test", true, "evila.test", 443));
        assert!(names("localhost:3000", false, "localhost", 3000));
        assert!(names("http://127.1:80", false, "127.0.0.1", 80));
        assert!("10.0.0.0/8".parse::<Rule>().unwrap().holds("10.1.1.1".parse().unwrap()));
        for wrong in
            ["ftp://a.test", "https://", "a b", "*.127.0.0.1", "a.test:99999", "https://a.test/x"]
        {
            assert!(wrong.parse::<Rule>().is_err(), "{wrong}");
        }
    }
}
