//! Wire tests: bytes in, bytes out, no Chrome.

// A test that cannot go on says where by panicking.
#![allow(clippy::unwrap_used)]

mod actions;
mod both_eras;
mod calls;
mod client;
mod end;
mod messages;
mod revisions;
mod stateless;
mod structured;
mod tools;
