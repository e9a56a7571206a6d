//! For tests only: serves `testpages/`, shares one Chrome, runs examples.
//!
//! [`open`] gives a test a page in a session of its own; all tests of a binary share one
//! Chrome on one runtime that is never dropped, because a connection made on the runtime of
//! a `#[tokio::test]` dies with that test. [`examples`] runs what an action's file promises,
//! over any [`Surface`]. Used from `tests/it/` only.

mod chrome;
mod cli;
mod dice;
pub mod examples;
mod foreign;
mod frameworks;
mod mcp;
mod names;
mod page;
mod processes;
mod routes;
mod runtime;
mod schema;
mod server;
mod surface;
mod world;

pub use self::chrome::OwnChrome;
pub use self::cli::Cli;
pub use self::dice::Dice;
pub use self::foreign::{ForeignChrome, Person, TheirTab};
pub use self::mcp::Mcp;
pub use self::names::{ByChrome, Named, names_on};
pub use self::page::{TestPage, empty, empty_with, files, open, open_when};
pub use self::processes::{Process, below, everyone};
pub use self::runtime::on_runtime;
pub use self::server::{Server, server};
pub use self::surface::{Direct, Refusal, Reply, Surface};
pub use self::world::World;
