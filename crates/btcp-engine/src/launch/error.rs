//! Why there is no Chrome to talk to.

use std::{path::PathBuf, time::Duration};

/// Why there is no Chrome to talk to.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LaunchError {
    /// No browser in any of the usual places.
    #[error("no Chrome or Chromium is installed; {how_to_get}")]
    NotInstalled {
        /// The command that installs one here, or where to point to one.
        how_to_get: String,
    },
    /// The browser that was asked for is not there.
    #[error("{from} names '{}', which {problem}", path.display())]
    Unusable {
        /// Who named it: the `browser` setting or `CHROME`.
        from: &'static str,
        /// What was named.
        path: PathBuf,
        /// What is wrong with it.
        problem: &'static str,
    },
    /// Installing a browser was tried and did not work.
    #[error("no browser could be installed: {reason}")]
    InstallFailed {
        /// What failed, with its last words.
        reason: String,
        /// The next step.
        how: String,
    },
    /// No safe place for the profile.
    #[error("no folder for Chrome's profile at '{}': {reason}", path.display())]
    Profile {
        /// The folder.
        path: PathBuf,
        /// Why it cannot be used.
        reason: String,
    },
    /// The profile that a person named cannot be had.
    #[error("the profile '{}' cannot be used: {reason}", path.display())]
    Kept {
        /// The folder.
        path: PathBuf,
        /// Why not.
        reason: String,
    },
    /// It did not open the port that was asked for.
    #[error("Chrome did not open the debugging port {port}{}", last_words(stderr))]
    Port {
        /// The port.
        port: u16,
        /// The end of what it wrote to stderr.
        stderr: String,
    },
    /// The system would not start it.
    #[error("'{}' did not start: {reason}", path.display())]
    Spawn {
        /// The browser.
        path: PathBuf,
        /// What the system said.
        reason: String,
    },
    /// It ended before it answered.
    #[error("'{}' ended at its start ({status}){}", path.display(), last_words(stderr))]
    Died {
        /// The browser.
        path: PathBuf,
        /// Exit code or signal.
        status: String,
        /// The end of what it wrote to stderr.
        stderr: String,
    },
    /// It runs, but does not answer.
    #[error("'{}' did not answer within {} s{}", path.display(), after.as_secs(), last_words(stderr))]
    Silent {
        /// The browser.
        path: PathBuf,
        /// How long we waited.
        after: Duration,
        /// The end of what it wrote to stderr.
        stderr: String,
    },
}

/// What it wrote, on lines of its own, if anything.
fn last_words(stderr: &str) -> String {
    if stderr.is_empty() { String::new() } else { format!(":\n{stderr}") }
}
