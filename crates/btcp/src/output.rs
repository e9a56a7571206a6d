//! Everything the binary prints. Results go to stdout, all else to stderr.
//!
//! A reader that went away is no error of ours, so writing never fails.

mod bar;

use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};

use btcp::Secrets;
use clap::error::{ContextKind, ContextValue};
use serde_json::{Value, json};
use tracing::level_filters::LevelFilter;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::{Layer, SubscriberExt};
use tracing_subscriber::util::SubscriberInitExt;

pub(crate) use self::bar::{Bar, Counts};

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

/// An error as a person reads it, its first line in red on a terminal.
pub(crate) fn error(text: &str) {
    let mut stderr = io::stderr().lock();
    let _ = match text.split_once('\n') {
        _ if !is_colourful() => writeln!(stderr, "{text}"),
        Some((first, rest)) => writeln!(stderr, "\x1b[31m{first}\x1b[0m\n{rest}"),
        None => writeln!(stderr, "\x1b[31m{text}\x1b[0m"),
    };
}

/// A command line that makes no sense, or one that asks for help.
pub(crate) fn usage(error: &clap::Error, json: bool) -> ExitCode {
    if json && error.use_stderr() {
        line(&json!({ "error": refusal(error) }).to_string());
    } else {
        let _ = error.print();
    }
    u8::try_from(error.exit_code()).map_or(ExitCode::FAILURE, ExitCode::from)
}

/// What a program gets of a wrong command line: the sentence, and what to do as its hint.
fn refusal(error: &clap::Error) -> Value {
    let told = error.to_string();
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut paragraphs = told.split("\n\n").map(words).filter(|text| !text.is_empty());
    let first = paragraphs.next().unwrap_or_default();
    let message = first.trim_start_matches("error: ").to_owned();
    let rest: Vec<String> = paragraphs.filter(|text| !text.starts_with("For more ")).collect();
    let tip = rest.iter().find_map(|text| text.strip_prefix("tip: ").map(str::to_owned));
    let hint = tip.or_else(|| rest.last().cloned());
    let hint = hint.unwrap_or_else(|| "`btcp help` lists all commands.".to_owned());
    match error.get(ContextKind::SuggestedSubcommand) {
        Some(ContextValue::Strings(near)) => {
            json!({ "code": "unknown_tool", "message": message, "hint": hint, "suggestions": near })
        }
        _ => {
            let mut refusal = json!({ "code": "invalid_params", "message": message, "hint": hint });
            if let Some(ContextValue::String(field)) = error.get(ContextKind::InvalidArg) {
                refusal["field"] = json!(field);
            }
            refusal["reason"] = json!(message);
            refusal
        }
    }
}

/// Whether stderr is a terminal whose person wants colours.
fn is_colourful() -> bool {
    let says_no = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let is_dumb = std::env::var_os("TERM").is_some_and(|value| value == "dumb");
    !says_no && !is_dumb && io::stderr().is_terminal()
}

/// A sign of life on a terminal, while one waits.
pub(crate) struct Spinner {
    shown: bool,
    what: String,
    turns: usize,
}

/// The first turns are not shown: most calls are over by then.
const QUICK: usize = 4;
const SHAPES: [&str; 4] = ["|", "/", "-", "\\"];

impl Spinner {
    pub(crate) fn new(what: &str, quiet: bool) -> Self {
        let shown = !quiet && is_colourful();
        Self { shown, what: what.to_owned(), turns: 0 }
    }

    pub(crate) fn is_shown(&self) -> bool {
        self.shown
    }

    pub(crate) fn turn(&mut self) {
        self.turns += 1;
        if self.shown && self.turns > QUICK {
            let shape = SHAPES[self.turns % SHAPES.len()];
            let _ = write!(io::stderr(), "\r{shape} {} \x1b[K", self.what);
        }
    }

    /// A line about what takes long.
    pub(crate) fn say(&mut self, text: &str, quiet: bool) {
        self.clear();
        if !quiet {
            note(text);
        }
    }

    /// Leaves no trace.
    pub(crate) fn clear(&mut self) {
        if self.shown && self.turns > QUICK {
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
        self.turns = 0;
    }
}

/// What must not be printed; the daemon hears of more with each kind of browser.
static KEPT: Mutex<Vec<Secrets>> = Mutex::new(Vec::new());

/// Keeps these out of the log from now on.
pub(crate) fn keep_secret(secrets: &Secrets) {
    let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    if !secrets.is_empty() && !kept.contains(secrets) {
        kept.push(secrets.clone());
    }
}

/// Stderr, with names in place of secrets. The log writes a line at a time.
struct Masked;

impl Masked {
    fn text(bytes: &[u8]) -> Option<String> {
        let kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.is_empty() {
            return None;
        }
        let mut text = String::from_utf8_lossy(bytes).into_owned();
        kept.iter().for_each(|secrets| secrets.mask(&mut text));
        Some(text)
    }
}

impl Write for Masked {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match Self::text(bytes) {
            None => io::stderr().write(bytes),
            Some(text) => io::stderr().write_all(text.as_bytes()).map(|()| bytes.len()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stderr().flush()
    }
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
        .with_writer(|| Masked)
        .with_ansi(is_colourful())
        .with_filter(filter);
    tracing_subscriber::registry().with(layer).init();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_secret_we_hear_of_is_kept_out_of_the_log() {
        let secret = |name: &str, value: &str| {
            let text =
                format!(r#"{{"{name}": {{"value": "{value}", "origins": ["https://a.test"]}}}}"#);
            let mut secrets = Secrets::default();
            secrets.read_file(&text, &btcp::SystemKeyring).unwrap();
            secrets
        };
        keep_secret(&Secrets::default());
        keep_secret(&secret("ONE", "correct-horse"));
        keep_secret(&secret("TWO", "battery-staple"));
        let line = Masked::text(b"correct-horse and battery-staple").unwrap();
        assert_eq!(line, "{{secret:ONE}} and {{secret:TWO}}");
    }
}
