//! What xtask prints; the only place that does.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "this module is the terminal")]

use std::io::{IsTerminal as _, stdout};

/// One line (or block) for the person who ran the task.
pub(crate) fn say(text: &str) {
    println!("{text}");
}

/// One line about what went wrong.
pub(crate) fn complain(text: &str) {
    eprintln!("{text}");
}

/// Whether a person is watching, so that programs we start may use colours.
pub(crate) fn is_terminal() -> bool {
    stdout().is_terminal()
}
