//! A small internet: names of the test's own, whose addresses are really this machine.

use std::collections::HashMap;
use std::net::{IpAddr, SocketAddr};
use std::sync::Mutex;

use btcp_engine::egress::{Found, LookUp};

/// Where `public.test` lives.
const PUBLIC: &str = "203.0.113.7";

/// Names, each with its answers in order, the last of which stays; every address but this
/// machine's own is really this machine.
pub struct World(Mutex<HashMap<&'static str, Vec<&'static str>>>);

impl World {
    /// With these names, and `public.test`.
    pub fn new(names: &[(&'static str, &[&'static str])]) -> Self {
        let mut all: HashMap<_, _> =
            names.iter().map(|(name, answers)| (*name, answers.to_vec())).collect();
        all.entry("public.test").or_insert_with(|| vec![PUBLIC]);
        Self(Mutex::new(all))
    }
}

impl LookUp for World {
    fn look_up<'a>(&'a self, name: &'a str) -> Found<'a> {
        Box::pin(async move {
            let mut names = self.0.lock().expect("no test panics with it");
            let answers = names.get_mut(name).ok_or(std::io::ErrorKind::NotFound)?;
            let answer = if answers.len() > 1 { answers.remove(0) } else { answers[0] };
            Ok(vec![answer.parse::<IpAddr>().expect("the test writes addresses")])
        })
    }

    fn route(&self, address: SocketAddr) -> SocketAddr {
        if address.ip().is_loopback() {
            return address;
        }
        SocketAddr::new([127, 0, 0, 1].into(), address.port())
    }
}
