//! For tests only: serves `testpages/`, shares one Chrome, runs examples.
//!
//! [`open`] gives a test a page in a session of its own; all tests of a binary share one
//! Chrome on one runtime that is never dropped, because a connection made on the runtime of
//! a `#[tokio::test]` dies with that test. [`examples`] runs what an action's file promises,
//! over any [`Surface`]. Used from `tests/it/` only.

pub mod examples;
mod mcp;
mod page;
mod routes;
mod runtime;
mod schema;
mod server;
mod surface;

pub use self::mcp::Mcp;
pub use self::page::{TestPage, empty, open, open_when};
pub use self::runtime::on_runtime;
pub use self::server::{Server, server};
pub use self::surface::{Direct, Refusal, Reply, Surface};
