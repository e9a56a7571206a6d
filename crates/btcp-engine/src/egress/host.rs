//! Hosts and origins, read as Chrome reads them.
//!
//! A URL may write `127.0.0.1` as `2130706433`, `0x7f.1` or `0177.0.0.1`, with capitals or with a
//! dot at its end. All are the same host here, so that no spelling gets past a rule.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// A host: an address, or a name in small letters without a dot at its end.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Host {
    Ip(IpAddr),
    Name(String),
}

impl Host {
    /// Reads the host of a URL; `None` if Chrome would not take it for one.
    pub(crate) fn read(written: &str) -> Option<Self> {
        if let Some(inner) = written.strip_prefix('[') {
            let inner = inner.strip_suffix(']')?;
            return inner.parse::<Ipv6Addr>().ok().map(|ip| Self::Ip(ip.into()));
        }
        if let Ok(ip) = written.parse::<IpAddr>() {
            return Some(Self::Ip(ip));
        }
        let name = percent_decoded(written)?.to_lowercase();
        let name = name.strip_suffix('.').unwrap_or(&name);
        let fits = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | '。');
        if name.is_empty() || name.len() > 255 || !name.chars().all(fits) {
            return None;
        }
        let name = name.replace('。', ".");
        let last = name.rsplit('.').next().unwrap_or_default();
        // A name whose last part is a number is an address or nothing.
        if !last.is_empty() && number(last).is_some() || last.bytes().all(|b| b.is_ascii_digit()) {
            return numbers(&name).map(|ip| Self::Ip(ip.into()));
        }
        Some(Self::Name(name))
    }

    /// Whether it is written in characters that everybody reads alike.
    pub(crate) fn is_ascii(&self) -> bool {
        matches!(self, Self::Ip(_)) || matches!(self, Self::Name(name) if name.is_ascii())
    }

    /// `localhost` and names below it are this machine's, whatever a name server says.
    pub(crate) fn is_localhost(&self) -> bool {
        matches!(self, Self::Name(name) if name == "localhost" || name.ends_with(".localhost"))
    }

    /// Whether it is this machine for those too who look up names below `localhost` elsewhere.
    pub(crate) fn is_this_machine(&self) -> bool {
        match self {
            Self::Ip(ip) => ip.is_loopback(),
            Self::Name(name) => name == "localhost",
        }
    }

    /// Whether it is the name of a cloud's metadata service.
    pub(crate) fn is_metadata(&self) -> bool {
        matches!(self, Self::Name(name) if matches!(
            name.as_str(),
            "metadata.google.internal" | "metadata" | "instance-data" | "instance-data.ec2.internal"
        ))
    }

    /// Names of the local network's own name service.
    pub(crate) fn is_dot_local(&self) -> bool {
        matches!(self, Self::Name(name) if name == "local" || name.ends_with(".local"))
    }
}

impl fmt::Display for Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ip(IpAddr::V6(ip)) => write!(f, "[{ip}]"),
            Self::Ip(ip) => ip.fmt(f),
            Self::Name(name) => name.fmt(f),
        }
    }
}

/// The origin of a URL that goes over the network.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Origin {
    pub(crate) secure: bool,
    pub(crate) host: Host,
    pub(crate) port: u16,
}

impl Origin {
    /// Of `http`, `https`, `ws` and `wss`; others have none.
    pub(crate) fn of(url: &str) -> Option<Self> {
        // Chrome leaves these out wherever they stand.
        let url: String = url.trim().chars().filter(|c| !matches!(c, '\t' | '\r' | '\n')).collect();
        let (scheme, rest) = url.split_once(':')?;
        let secure = match scheme.to_ascii_lowercase().as_str() {
            "https" | "wss" => true,
            "http" | "ws" => false,
            _ => return None,
        };
        // Chrome takes any number of slashes, backslashes too.
        let rest = rest.trim_start_matches(['/', '\\']);
        let end = rest.find(['/', '\\', '?', '#']).unwrap_or(rest.len());
        let authority = &rest[..end];
        let place = authority.rsplit_once('@').map_or(authority, |(_, place)| place);
        let (host, port) = match place.rfind(':') {
            Some(at) if !place[at..].contains(']') => (&place[..at], &place[at + 1..]),
            _ => (place, ""),
        };
        let port = match port {
            "" if secure => 443,
            "" => 80,
            port => port.parse().ok()?,
        };
        Some(Self { secure, host: Host::read(host)?, port })
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scheme = if self.secure { "https" } else { "http" };
        let usual = if self.secure { 443 } else { 80 };
        write!(f, "{scheme}://{}", self.host)?;
        if self.port == usual { Ok(()) } else { write!(f, ":{}", self.port) }
    }
}

/// An IPv4 address of up to four numbers, the last of which fills what is left.
fn numbers(name: &str) -> Option<Ipv4Addr> {
    let parts: Vec<u64> = name.split('.').map(number).collect::<Option<_>>()?;
    let (last, first) = parts.split_last()?;
    if first.len() > 3 || first.iter().any(|part| *part > 255) {
        return None;
    }
    let left = 4 - u32::try_from(first.len()).ok()?;
    if *last >= 256_u64.pow(left) {
        return None;
    }
    let high = first.iter().zip([24, 16, 8]).map(|(part, shift)| part << shift).sum::<u64>();
    u32::try_from(high + last).ok().map(Ipv4Addr::from)
}

/// Decimal, or hexadecimal after `0x`, or octal after `0`.
fn number(part: &str) -> Option<u64> {
    let (digits, radix) = match part.strip_prefix("0x").or_else(|| part.strip_prefix("0X")) {
        Some("") => return Some(0),
        Some(hex) => (hex, 16),
        None if part.len() > 1 && part.starts_with('0') => (&part[1..], 8),
        None => (part, 10),
    };
    let fits = !digits.is_empty() && digits.chars().all(|c| c.is_digit(radix));
    fits.then(|| u64::from_str_radix(digits, radix).unwrap_or(u64::MAX))
}

pub(super) fn percent_decoded(text: &str) -> Option<String> {
    if !text.contains('%') {
        return Some(text.to_owned());
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        if *first != b'%' {
            bytes.push(*first);
            rest = after;
            continue;
        }
        let hex = std::str::from_utf8(after.get(..2)?).ok()?;
        bytes.push(u8::from_str_radix(hex, 16).ok()?);
        rest = &after[2..];
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_spelling_of_an_address_is_that_address() {
        for written in [
            "127.0.0.1",
            "127.0.0.1.",
            "127.1",
            "127.0.1",
            "2130706433",
            "0x7f000001",
            "0x7f.1",
            "0177.0.0.1",
            "0177.0.0.01",
            "017700000001",
            "0X7F.0.0.1",
            "127%2e0.0.1",
            "127。0。0。1",
        ] {
            let host = Host::read(written);
            assert_eq!(host, Some(Host::Ip(Ipv4Addr::LOCALHOST.into())), "{written}");
        }
        assert_eq!(Host::read("0"), Some(Host::Ip(Ipv4Addr::UNSPECIFIED.into())));
        assert_eq!(Host::read("[::1]"), Some(Host::Ip(Ipv6Addr::LOCALHOST.into())));
        for wrong in
            ["256.0.0.1.1", "1.2.3.4.5", "127.0.0.256", "09.1", "[::1", "a b", "", "4294967296"]
        {
            assert_eq!(Host::read(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn names_are_told_apart() {
        let host = |written: &str| Host::read(written).unwrap();
        assert_eq!(host("Example.COM."), Host::Name("example.com".into()));
        assert!(host("LOCALHOST").is_localhost() && host("a.localhost.").is_localhost());
        assert!(
            !host("localhost.evil.test").is_localhost() && !host("notlocalhost").is_localhost()
        );
        assert!(host("printer.local").is_dot_local() && !host("local.test").is_dot_local());
        assert!(host("Metadata.Google.Internal.").is_metadata());
    }

    #[test]
    fn origins_are_read_as_chrome_reads_them() {
        for (url, origin) in [
            ("http://a.test/x", "http://a.test"),
            ("HTTPS://A.test:443", "https://a.test"),
            ("http://u:p@127.1:8000/?x#y", "http://127.0.0.1:8000"),
            ("http:\\\\a.test\\x", "http://a.test"),
            ("http:/a.test", "http://a.test"),
            ("ws://[::1]:9/", "http://[::1]:9"),
            ("http://a.test#@b.test", "http://a.test"),
            ("ht\ttp://127.0\n.0.1\t:80\r00/", "http://127.0.0.1:8000"),
        ] {
            assert_eq!(Origin::of(url).map(|o| o.to_string()).as_deref(), Some(origin), "{url}");
        }
        for other in ["about:blank", "file:///x", "a.test", "http://", "http://a.test:99999/"] {
            assert_eq!(Origin::of(other), None, "{other}");
        }
    }
}
