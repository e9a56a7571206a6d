//! A Chrome of our own: found or installed, started by pipe, gone when we are.
//!
//! [`find`] or [`obtain`] one, then [`start`] it. The [`Chrome`] owns its process
//! group and its profile folder; dropping it leaves neither, but for a profile that a person keeps (`kept`). If we are killed, the system
//! kills it (`tie`), a second process of ours removes the profile (`sweeper`), and the next start
//! looks for what both have missed (`ledger`). What to do with the connection is for the rest
//! of the engine.

mod args;
mod cache;
mod chrome;
mod error;
mod find;
mod gate;
mod kept;
mod ledger;
mod obtain;
mod profile;
mod sandbox;
mod spawn;
mod stderr;
mod sweeper;
mod tie;
mod version;

pub use chrome::{Chrome, start};
pub use error::LaunchError;
pub use find::{Installed, Kind, find};
pub(crate) use obtain::Lines;
pub use obtain::{News, Unit, Wanted, obtain};
pub use sandbox::SandboxState;
pub use sweeper::sweep_when_orphaned;
pub use version::version;

/// Where profiles and sockets are.
pub(crate) fn runtime_folder() -> std::path::PathBuf {
    profile::base()
}

/// The same, made if it is not there; nobody else can look into it.
///
/// # Errors
///
/// It cannot be made, or there is something of that name which is not ours.
pub fn private_runtime_folder() -> std::io::Result<std::path::PathBuf> {
    let folder = profile::base();
    profile::private_folder(&folder)?;
    Ok(folder)
}
