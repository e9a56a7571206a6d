//! Where the client and the daemon of one user meet.
//!
//! On Unix a socket in a private folder. Whoever starts the daemon holds the start lock, makes
//! the socket and hands it over, so the first call can be made before the daemon is awake and no
//! two daemons ever listen. The daemon holds a lock on its pid file for as long as it lives: that is
//! how a pid that means somebody else by now is told from one that does not.

use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A connection to the daemon. Reading waits no longer than it was told to.
pub trait Connection: Read + Write + Send {
    /// How long a read may take.
    fn patience(&self, limit: Duration) -> io::Result<()>;
}

/// How client and daemon meet on a system.
pub trait Place {
    /// A connection to the daemon, if one listens.
    fn reach(&self) -> io::Result<Option<Box<dyn Connection>>>;

    /// Keeps others from starting or replacing a daemon until what comes back is dropped.
    fn lock(&self, patience: Duration) -> io::Result<Box<dyn Send>>;

    /// Starts a daemon: `program` with `arguments`. Only for who holds the lock.
    fn start(&self, program: &Path, arguments: &[String]) -> io::Result<()>;

    /// The process of the daemon, if it lives.
    fn pid(&self) -> Option<u32>;

    /// Ends that process, whatever it does.
    fn kill(&self) -> io::Result<()>;

    /// Where it is, for a person.
    fn name(&self) -> String;

    /// Where the daemon writes what it has to say.
    fn log(&self) -> PathBuf;
}

/// The place of this system and user.
///
/// # Errors
///
/// There can be none: no folder that only this user can look into.
pub fn place() -> io::Result<Box<dyn Place>> {
    Ok(Box::new(unix::Socket::new()?))
}

pub(super) mod unix;
