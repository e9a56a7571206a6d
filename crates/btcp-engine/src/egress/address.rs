//! Where an address lies: the public internet, this machine, a private network, or where nobody
//! has business.
//!
//! IPv6 has many ways to write an IPv4 address (mapped, 6to4, NAT64, Teredo); each counts as
//! what it holds, because some system on the way may deliver it there.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::str::FromStr;

/// Where an address lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Place {
    /// Anywhere on the internet.
    Public,
    /// This machine.
    Loopback,
    /// A network that is not open to all.
    Private,
    /// Link-local, cloud metadata, multicast, reserved: for no page and no agent.
    Forbidden,
}

impl Place {
    /// As a refusal names it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Public => "public",
            Self::Loopback => "loopback",
            Self::Private => "private network",
            Self::Forbidden => "link-local, cloud metadata or reserved",
        }
    }

    /// Where an address lies, none being declared public.
    pub(crate) fn of(ip: IpAddr) -> Self {
        match ip {
            IpAddr::V4(ip) => of_v4(ip),
            IpAddr::V6(ip) => of_v6(ip),
        }
    }
}

/// Addresses at which clouds tell a machine its secrets, beyond the link-local ones.
const METADATA: [Ipv4Addr; 3] = [
    Ipv4Addr::new(168, 63, 129, 16),
    Ipv4Addr::new(100, 100, 100, 200),
    Ipv4Addr::new(192, 0, 0, 192),
];

fn of_v4(ip: Ipv4Addr) -> Place {
    let [a, b, ..] = ip.octets();
    match (a, b) {
        _ if METADATA.contains(&ip) => Place::Forbidden,
        // Linux takes a connection to `0.0.0.0` for one to itself; servers print it as their address.
        _ if ip.is_unspecified() => Place::Loopback,
        (0 | 224.., _) | (169, 254) => Place::Forbidden,
        (127, _) => Place::Loopback,
        (10, _) | (100, 64..=127) | (172, 16..=31) | (192, 168) | (198, 18 | 19) => Place::Private,
        _ => Place::Public,
    }
}

fn of_v6(ip: Ipv6Addr) -> Place {
    let parts = ip.segments();
    let v4 = |high: u16, low: u16| {
        let ([a, b], [c, d]) = (high.to_be_bytes(), low.to_be_bytes());
        of_v4(Ipv4Addr::new(a, b, c, d))
    };
    match parts {
        [0, 0, 0, 0, 0, 0, 0, 0 | 1] => Place::Loopback,
        // Mapped, and the older form without `ffff`.
        [0, 0, 0, 0, 0, 0 | 0xffff, high, low] | [0, 0, 0, 0, 0xffff, 0, high, low] => {
            v4(high, low)
        }
        // NAT64, and the part of it that networks use as they like.
        [0x64, 0xff9b, 0, 0, 0, 0, high, low] => v4(high, low),
        [0x64, 0xff9b, 1, ..] => Place::Private,
        // 6to4, and Teredo, which hides the client's address by turning its bits.
        [0x2002, high, low, ..] => v4(high, low),
        [0x2001, 0, _, _, _, _, high, low] => v4(!high, !low),
        [0xfd00, 0x0ec2, 0, 0, 0, 0, 0, 0x254] => Place::Forbidden,
        [0xfe80..=0xfebf, ..] | [0xff00..=0xffff, ..] => Place::Forbidden,
        [0xfc00..=0xfdff, ..] | [0xfec0..=0xfeff, ..] => Place::Private,
        _ => Place::Public,
    }
}

/// A range of addresses: `10.0.0.0/8`, `fd00::/8`, or a single one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Range {
    base: IpAddr,
    bits: u8,
}

impl Range {
    /// Whether an address lies in it; a mapped one as what it holds.
    pub(crate) fn holds(self, ip: IpAddr) -> bool {
        match (self.base, ip.to_canonical()) {
            (IpAddr::V4(base), IpAddr::V4(ip)) => {
                let mask = u32::MAX.checked_shl(32 - u32::from(self.bits)).unwrap_or(0);
                u32::from(base) & mask == u32::from(ip) & mask
            }
            (IpAddr::V6(base), IpAddr::V6(ip)) => {
                let mask = u128::MAX.checked_shl(128 - u32::from(self.bits)).unwrap_or(0);
                u128::from(base) & mask == u128::from(ip) & mask
            }
            _ => false,
        }
    }
}

impl FromStr for Range {
    type Err = String;

    fn from_str(written: &str) -> Result<Self, String> {
        let wanted = || format!("a range like 10.0.0.0/8 is wanted, not '{written}'");
        let (base, bits) = match written.split_once('/') {
            Some((base, bits)) => (base, Some(bits)),
            None => (written, None),
        };
        let base: IpAddr =
            base.trim_matches(['[', ']']).parse::<IpAddr>().map_err(|_| wanted())?.to_canonical();
        let most = if base.is_ipv4() { 32 } else { 128 };
        let bits = match bits {
            None => most,
            Some(bits) => bits.parse().ok().filter(|bits| *bits <= most).ok_or_else(wanted)?,
        };
        Ok(Self { base, bits })
    }
}

impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.base, self.bits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_range_of_the_contract_is_where_it_belongs() {
        use Place::{Forbidden, Loopback, Private, Public};
        for (ip, place) in [
            ("8.8.8.8", Public),
            ("203.0.113.7", Public),
            ("172.15.255.255", Public),
            ("172.32.0.0", Public),
            ("100.63.255.255", Public),
            ("100.128.0.0", Public),
            ("198.17.255.255", Public),
            ("223.255.255.255", Public),
            ("2606:4700::1111", Public),
            ("0.0.0.0", Loopback),
            ("127.0.0.1", Loopback),
            ("127.255.255.254", Loopback),
            ("::", Loopback),
            ("::1", Loopback),
            ("10.0.0.1", Private),
            ("100.64.0.1", Private),
            ("172.16.0.1", Private),
            ("172.31.255.255", Private),
            ("192.168.1.1", Private),
            ("198.18.0.1", Private),
            ("198.19.255.255", Private),
            ("fc00::1", Private),
            ("fd12:3456::1", Private),
            ("fec0::1", Private),
            ("0.0.0.1", Forbidden),
            ("169.254.169.254", Forbidden),
            ("169.254.0.1", Forbidden),
            ("168.63.129.16", Forbidden),
            ("100.100.100.200", Forbidden),
            ("192.0.0.192", Forbidden),
            ("224.0.0.1", Forbidden),
            ("239.255.255.250", Forbidden),
            ("240.0.0.1", Forbidden),
            ("255.255.255.255", Forbidden),
            ("fe80::1", Forbidden),
            ("febf::1", Forbidden),
            ("ff02::1", Forbidden),
            ("fd00:ec2::254", Forbidden),
            // IPv4 inside IPv6.
            ("::ffff:127.0.0.1", Loopback),
            ("::ffff:0.0.0.0", Loopback),
            ("::ffff:10.1.2.3", Private),
            ("::ffff:169.254.169.254", Forbidden),
            ("::ffff:8.8.8.8", Public),
            ("::127.0.0.1", Loopback),
            ("::ffff:0:127.0.0.1", Loopback),
            ("64:ff9b::7f00:1", Loopback),
            ("64:ff9b::a9fe:a9fe", Forbidden),
            ("64:ff9b::808:808", Public),
            ("64:ff9b:1::1", Private),
            ("2002:7f00:1::", Loopback),
            ("2002:c0a8:101::1", Private),
            ("2002:a9fe:a9fe::", Forbidden),
            ("2002:808:808::1", Public),
            ("2001:0:53aa:64c:0:0:80ff:fffe", Loopback),
        ] {
            assert_eq!(Place::of(ip.parse().unwrap()), place, "{ip}");
        }
    }

    #[test]
    fn ranges_hold_what_they_say() {
        let holds =
            |range: &str, ip: &str| range.parse::<Range>().unwrap().holds(ip.parse().unwrap());
        assert!(holds("10.0.0.0/8", "10.255.0.1") && !holds("10.0.0.0/8", "11.0.0.1"));
        assert!(holds("0.0.0.0/0", "8.8.8.8") && !holds("0.0.0.0/0", "::1"));
        assert!(holds("10.0.0.0/8", "::ffff:10.0.0.1"));
        assert!(holds("127.0.0.1", "127.0.0.1") && !holds("127.0.0.1", "127.0.0.2"));
        assert!(holds("fd00::/8", "fdff::1") && !holds("fd00::/8", "fe00::1"));
        for wrong in ["10.0.0.0/33", "10.0.0/8", "x", "", "::/129", "10.0.0.0/-1"] {
            assert!(wrong.parse::<Range>().is_err(), "{wrong}");
        }
    }
}
