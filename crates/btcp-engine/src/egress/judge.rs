//! The judge: who may reach which address. A pure function over the contract's table; everything
//! that asks (the listener, an agent's navigation, a fetch without a browser) asks here.

use std::fmt;
use std::net::IpAddr;

use super::address::Place;
use super::host::Host;
use super::rules::{Egress, Rule};

/// What somebody wants to reach.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ask<'a> {
    /// Whether by TLS, where that is known.
    pub(crate) secure: Option<bool>,
    pub(crate) host: &'a Host,
    pub(crate) port: u16,
    /// What the host's name stands for now.
    pub(crate) addresses: &'a [IpAddr],
    pub(crate) who: Who<'a>,
    pub(crate) purpose: Purpose,
}

/// Who asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Who<'a> {
    /// The agent named the address itself.
    Agent,
    /// A page of this machine or of a private network that the agent named; its host where known.
    Local(Option<&'a Host>),
    /// A page of the public internet, or one of which we cannot tell.
    Public {
        /// It leads the whole tab there, and the agent opened that origin by name before: how
        /// a log-in elsewhere comes back to a local app.
        comes_back: bool,
    },
}

/// What for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// The page of a tab.
    Navigation,
    /// Something a page loads, or one cannot tell.
    Resource,
}

/// Why something may not be reached.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Refusal {
    pub(crate) what: String,
    pub(crate) why: Why,
}

/// The rule that forbids it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Why {
    /// Where its address lies.
    Place(Place),
    /// A name that stood for a public address stands for a local one now.
    Rebound,
    /// It is a listener of ours.
    Ours,
    /// `--deny`.
    Denied(Rule),
    /// It is not among `--allow`.
    NotAllowed,
    /// It is not among `--allow-resources`.
    NotAResource,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is denied: ", self.what)?;
        match &self.why {
            Why::Place(Place::Forbidden) => {
                f.write_str("its address is link-local, cloud metadata or reserved")
            }
            Why::Place(place) => write!(f, "a page may not lead to {} addresses", place.name()),
            Why::Rebound => f.write_str("its name stood for a public address before"),
            Why::Ours => {
                f.write_str("it is a listener of btcp itself, or the debugging port of its Chrome")
            }
            Why::Denied(rule) => write!(f, "--deny has {rule}"),
            Why::NotAllowed => f.write_str("it is not among --allow"),
            Why::NotAResource => f.write_str("it is not among --allow-resources"),
        }
    }
}

/// The addresses that may be dialled, in their order, or why none may.
pub(crate) fn judge(rules: &Egress, ask: &Ask<'_>) -> Result<Vec<IpAddr>, Refusal> {
    let refuse = |why| Err(Refusal { what: format!("{}:{}", ask.host, ask.port), why });
    if ask.host.is_metadata() {
        return refuse(Why::Place(Place::Forbidden));
    }
    // A name is as bad as the worst of what it stands for.
    let denies = |rule: &&Rule| {
        rule.names(ask.secure, ask.host, ask.port) || ask.addresses.iter().any(|ip| rule.holds(*ip))
    };
    if let Some(rule) = rules.deny.iter().find(denies) {
        return refuse(Why::Denied(rule.clone()));
    }
    let among = |list: &[Rule]| {
        list.iter().any(|rule| {
            rule.names(ask.secure, ask.host, ask.port)
                || !ask.addresses.is_empty() && ask.addresses.iter().all(|ip| rule.holds(*ip))
        })
    };
    match ask.purpose {
        Purpose::Navigation if !rules.allow.is_empty() && !among(&rules.allow) => {
            return refuse(Why::NotAllowed);
        }
        Purpose::Resource
            if !rules.allow_resources.is_empty()
                && !among(&rules.allow)
                && !among(&rules.allow_resources) =>
        {
            return refuse(Why::NotAResource);
        }
        _ => {}
    }
    let open: Vec<IpAddr> =
        ask.addresses.iter().copied().filter(|ip| may_reach(rules, ask, *ip)).collect();
    if open.is_empty() {
        let places = ask.addresses.iter().map(|ip| rules.place(ask.host, *ip));
        let place = places.max().unwrap_or(Place::Forbidden);
        let by_grant = ask.who == Who::Agent && place != Place::Forbidden;
        return refuse(if by_grant { Why::NotAllowed } else { Why::Place(place) });
    }
    Ok(open)
}

/// The table: whether somebody may reach one address, whatever a person has ruled besides.
pub(crate) fn may_reach(rules: &Egress, ask: &Ask<'_>, ip: IpAddr) -> bool {
    let speaks_of = |rule: &Rule| rule.names(ask.secure, ask.host, ask.port) || rule.holds(ip);
    let granted = rules.allow.iter().any(speaks_of);
    match (rules.place(ask.host, ip), ask.who) {
        (Place::Public, _) => true,
        (Place::Forbidden, _) => false,
        (_, Who::Agent) => granted || !rules.by_grant,
        (Place::Loopback, Who::Local(_)) => granted || !rules.by_grant,
        (Place::Private, Who::Local(host)) => granted || host == Some(ask.host),
        (Place::Loopback, Who::Public { comes_back }) => comes_back,
        (Place::Private, Who::Public { .. }) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const AGENT: Who<'static> = Who::Agent;
    const PUBLIC: Who<'static> = Who::Public { comes_back: false };
    const BACK: Who<'static> = Who::Public { comes_back: true };
    const LOCAL: Who<'static> = Who::Local(None);

    fn ask(rules: &Egress, host: &str, to: &[&str], who: Who<'_>) -> Result<Vec<IpAddr>, Refusal> {
        let addresses: Vec<IpAddr> = to.iter().map(|ip| ip.parse().unwrap()).collect();
        let host = Host::read(host).unwrap();
        let (secure, purpose) = (Some(false), Purpose::Resource);
        judge(rules, &Ask { secure, host: &host, port: 80, addresses: &addresses, who, purpose })
    }

    #[test]
    fn the_table_of_the_contract_holds() {
        let rules = Egress::default();
        let may = |to: &str, who| ask(&rules, "a.test", &[to], who).is_ok();
        for (to, agent, public, back, local) in [
            ("8.8.8.8", true, true, true, true),
            ("2606:4700::1111", true, true, true, true),
            ("127.0.0.1", true, false, true, true),
            ("0.0.0.0", true, false, true, true),
            ("::1", true, false, true, true),
            ("::ffff:127.0.0.1", true, false, true, true),
            ("64:ff9b::7f00:1", true, false, true, true),
            ("10.0.0.1", true, false, false, false),
            ("192.168.1.1", true, false, false, false),
            ("100.64.0.1", true, false, false, false),
            ("198.18.0.1", true, false, false, false),
            ("fd12::1", true, false, false, false),
            ("2002:c0a8:101::", true, false, false, false),
            ("169.254.169.254", false, false, false, false),
            ("168.63.129.16", false, false, false, false),
            ("100.100.100.200", false, false, false, false),
            ("fd00:ec2::254", false, false, false, false),
            ("fe80::1", false, false, false, false),
            ("::ffff:169.254.169.254", false, false, false, false),
            ("224.0.0.1", false, false, false, false),
            ("255.255.255.255", false, false, false, false),
        ] {
            assert_eq!(may(to, AGENT), agent, "the agent to {to}");
            assert_eq!(may(to, PUBLIC), public, "a public page to {to}");
            assert_eq!(may(to, BACK), back, "back to {to}");
            assert_eq!(may(to, LOCAL), local, "a local page to {to}");
        }
        assert!(ask(&rules, "metadata.google.internal.", &["8.8.8.8"], AGENT).is_err());
        assert!(ask(&rules, "printer.local", &["8.8.8.8"], PUBLIC).is_err());
    }

    #[test]
    fn a_private_page_reaches_its_own_host_and_what_was_granted() {
        let (own, rules) = (Host::read("10.0.0.1").unwrap(), Egress::default());
        let who = Who::Local(Some(&own));
        assert!(ask(&rules, "10.0.0.1", &["10.0.0.1"], who).is_ok());
        assert!(ask(&rules, "10.0.0.2", &["10.0.0.2"], who).is_err());
        let granted = Egress { allow: vec!["10.0.0.0/8".parse().unwrap()], ..Egress::default() };
        assert!(ask(&granted, "10.0.0.2", &["10.0.0.2"], who).is_ok());
        assert!(ask(&granted, "10.0.0.2", &["10.0.0.2"], PUBLIC).is_err());
    }

    #[test]
    fn of_several_addresses_only_those_that_may_be_are_dialled() {
        let rules = Egress::default();
        let mixed = ["127.0.0.1", "8.8.8.8", "169.254.169.254", "10.0.0.1"];
        let open = |who| ask(&rules, "a.test", &mixed, who).unwrap().len();
        assert_eq!((open(PUBLIC), open(LOCAL), open(AGENT)), (1, 2, 3));
        let why = ask(&rules, "a.test", &["127.0.0.1", "10.0.0.1"], PUBLIC).unwrap_err();
        assert_eq!(
            why.to_string(),
            "a.test:80 is denied: a page may not lead to private network addresses"
        );
    }

    #[test]
    fn rules_of_the_person_come_first() {
        let list = |rule: &str| vec![rule.parse().unwrap()];
        let deny = Egress { deny: list("10.0.0.0/8"), ..Egress::default() };
        assert!(ask(&deny, "a.test", &["10.0.0.1", "8.8.8.8"], AGENT).is_err());
        assert!(ask(&deny, "a.test", &["8.8.8.8"], AGENT).is_ok());

        let public = Egress { public: vec!["127.0.0.0/8".parse().unwrap()], ..Egress::default() };
        assert!(ask(&public, "a.test", &["127.0.0.1"], PUBLIC).is_ok());
        assert!(ask(&public, "a.test", &["10.0.0.1"], PUBLIC).is_err());

        let by_grant = Egress { by_grant: true, ..Egress::default() };
        assert!(ask(&by_grant, "localhost", &["127.0.0.1"], AGENT).is_err());
        let granted = Egress { allow: list("localhost:80"), ..by_grant };
        assert!(ask(&granted, "localhost", &["127.0.0.1"], AGENT).is_ok());

        let resources = Egress { allow_resources: list("*.cdn.test"), ..Egress::default() };
        assert!(ask(&resources, "x.cdn.test", &["8.8.8.8"], PUBLIC).is_ok());
        assert!(ask(&resources, "evil.test", &["8.8.8.8"], PUBLIC).is_err());
    }

    #[test]
    fn navigations_lead_only_to_what_is_allowed() {
        let rules = Egress { allow: vec!["https://a.test".parse().unwrap()], ..Egress::default() };
        let host = Host::read("a.test").unwrap();
        let addresses = ["8.8.8.8".parse().unwrap()];
        let ask = |secure, port, purpose| {
            let ask = Ask { secure, host: &host, port, addresses: &addresses, who: AGENT, purpose };
            judge(&rules, &ask).is_ok()
        };
        assert!(ask(Some(true), 443, Purpose::Navigation));
        assert!(!ask(Some(false), 80, Purpose::Navigation));
        assert!(ask(Some(false), 80, Purpose::Resource));
    }
}
