//! The egress guard: everything a browser context sends goes through here, and only what the
//! contract allows goes on.
//!
//! `judge.rs` decides (a pure function), `listener.rs` is the SOCKS5 proxy Chrome is told to use,
//! `local.rs` looks at requests to this machine and private networks, `held.rs` and `askers.rs` at those
//! that TLS hides from it, `memory.rs` is what a session has named and why connections failed. `docs/security.md` says what is promised.

mod address;
mod askers;
mod dial;
mod held;
mod hello;
mod host;
mod judge;
mod listener;
mod local;
mod memory;
mod navigations;
mod ours;
mod peer;
mod relay;
mod request;
mod rules;
mod socks;
mod upstream;

pub use self::address::Range;
pub(crate) use self::askers::{host_of, name_of};
pub use self::dial::{Found, LookUp, Names};
pub(crate) use self::held::Witness;
pub(crate) use self::host::{Host, Origin};
pub(crate) use self::judge::Who;
pub(crate) use self::listener::{Guard, denied};
pub(crate) use self::memory::{Expecting, Memory, Reason};
pub use self::ours::Ours;
pub use self::rules::{Egress, Rule};
pub use self::upstream::Proxy;

#[cfg(test)]
mod guard_tests;
