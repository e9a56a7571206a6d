//! A Chrome of our own: found or installed, started by pipe, gone when we are.
//!
//! [`find`] or [`obtain`] one, then [`start`] it. The [`Chrome`] owns its process
//! group and its profile folder; dropping it leaves neither. What to do with the
//! connection is for the rest of the engine.

mod args;
mod chrome;
mod error;
mod find;
mod gate;
mod obtain;
mod profile;
mod sandbox;
mod spawn;
mod stderr;

pub use chrome::{Chrome, start};
pub use error::LaunchError;
pub use find::{Installed, Kind, find};
pub use obtain::obtain;
pub use sandbox::SandboxState;
