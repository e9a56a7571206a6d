//! Everything the binary prints. Results go to stdout, all else to stderr.
//!
//! A reader that went away is no error of ours, so writing never fails.

use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

use tracing::level_filters::LevelFilter;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::{Layer, SubscriberExt};
use tracing_subscriber::util::SubscriberInitExt;

/// A line of a result.
pub(crate) fn line(text: &str) {
    let mut stdout = io::stdout().lock();
    let _ = writeln!(stdout, "{text}").and_then(|()| stdout.flush());
}

/// A whole result, with the line end it already has.
pub(crate) fn text(text: &str) {
    let mut stdout = io::stdout().lock();
    let _ = stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush());
}

/// A line for the person beside the result: progress, advice.
pub(crate) fn note(text: &str) {
    let _ = writeln!(io::stderr(), "btcp: {text}");
}

/// A command that did not work.
pub(crate) fn failed(error: &anyhow::Error) -> ExitCode {
    note(&format!("{error:#}"));
    ExitCode::FAILURE
}

/// A command line that makes no sense, or one that asks for help.
pub(crate) fn usage(error: &clap::Error) -> ExitCode {
    let _ = error.print();
    u8::try_from(error.exit_code()).map_or(ExitCode::FAILURE, ExitCode::from)
}

/// Sends our own log to stderr: warnings, and more with each `-v`.
pub(crate) fn log(verbosity: u8) {
    let level = match verbosity {
        0 => LevelFilter::WARN,
        1 => LevelFilter::INFO,
        2 => LevelFilter::DEBUG,
        _ => LevelFilter::TRACE,
    };
    let others = if verbosity > 2 { LevelFilter::DEBUG } else { LevelFilter::ERROR };
    let filter = Targets::new().with_target("btcp", level).with_default(others);
    let layer = tracing_subscriber::fmt::layer()
        .with_writer(io::stderr)
        .with_ansi(io::stderr().is_terminal())
        .with_filter(filter);
    tracing_subscriber::registry().with(layer).init();
}
