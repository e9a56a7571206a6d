//! The daemon: one process of a user's that keeps the browsers of the command line.
//!
//! A command is a client (`client.rs`, blocking, without a runtime: a command is over in
//! milliseconds) that meets the daemon at a place of its user's (`place.rs`), starting it if
//! there is none. The daemon (`server.rs`) answers in JSON-RPC lines (`wire.rs`) and keeps a
//! catalog for each way in which browsers were asked to be (`engines.rs`).

mod client;
mod connection;
mod engines;
mod place;
mod server;
mod wire;

pub use self::client::{Answer, Client, Heard, Trouble};
pub use self::engines::Host;
pub use self::place::{Connection, Place, place};
pub use self::server::{End, serve};
pub use self::wire::{Call, Given, Told, build, build_of};
