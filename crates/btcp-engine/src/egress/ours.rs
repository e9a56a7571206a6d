//! Listeners of our own, which no session may reach under any name.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Mutex, OnceLock};

use super::address::Place;
use crate::sessions::lock;

/// A listener of this process; while it lives, no session of this process reaches its port.
#[derive(Debug)]
pub struct Ours(u16);

fn ports() -> &'static Mutex<HashMap<u16, usize>> {
    static PORTS: OnceLock<Mutex<HashMap<u16, usize>>> = OnceLock::new();
    PORTS.get_or_init(Mutex::default)
}

impl Ours {
    /// We listen on this port.
    pub fn add(port: u16) -> Self {
        *lock(ports()).entry(port).or_default() += 1;
        Self(port)
    }
}

impl Drop for Ours {
    fn drop(&mut self) {
        let mut ports = lock(ports());
        if let Some(count) = ports.get_mut(&self.0) {
            *count -= 1;
            if *count == 0 {
                ports.remove(&self.0);
            }
        }
    }
}

/// Whether we listen on this port.
pub(crate) fn is_port(port: u16) -> bool {
    lock(ports()).contains_key(&port)
}

/// Whether any of these addresses is this machine's and we listen there.
pub(crate) fn is_ours(addresses: &[IpAddr], port: u16) -> bool {
    is_port(port) && addresses.iter().any(|ip| Place::of(*ip) == Place::Loopback)
}
