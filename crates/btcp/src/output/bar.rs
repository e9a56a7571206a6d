//! A bar on a terminal: how far something is that takes long. It leaves no trace.

use std::io::{self, Write};

use super::is_colourful;

/// How many characters it is long.
const CELLS: u64 = 24;

/// What is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Counts {
    Bytes,
    Seconds,
    /// Only how much of the whole.
    Parts,
}

/// A bar, drawn where a person is who wants one.
pub(crate) struct Bar {
    shown: bool,
    /// What it is about; stands before it.
    what: String,
    drawn: Option<String>,
}

impl Bar {
    pub(crate) fn new(what: &str, quiet: bool) -> Self {
        let what = if what.is_empty() { String::new() } else { format!("{what} ") };
        Self { shown: !quiet && is_colourful(), what, drawn: None }
    }

    /// Draws how far it is, if that looks different from before.
    pub(crate) fn draw(&mut self, done: u64, total: u64, counts: Counts) {
        let line = format!("{}{}", self.what, line(done, total, counts));
        if self.shown && self.drawn.as_ref() != Some(&line) {
            let _ = write!(io::stderr(), "\r{line} \x1b[K");
            self.drawn = Some(line);
        }
    }

    pub(crate) fn clear(&mut self) {
        if self.drawn.take().is_some() {
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.clear();
    }
}

/// `[######                  ]  25 %  40 of 160 MB`.
fn line(done: u64, total: u64, counts: Counts) -> String {
    let total = total.max(1);
    let done = done.min(total);
    let of = |whole: u64| u128::from(done) * u128::from(whole) / u128::from(total);
    let filled = usize::try_from(of(CELLS)).unwrap_or_default();
    let bar = format!("[{:<1$}]", "#".repeat(filled), CELLS as usize);
    let bar = format!("{bar} {:>3} %", of(100));
    match counts {
        Counts::Parts => bar,
        Counts::Seconds => format!("{bar}  {done} of {total} s"),
        Counts::Bytes if total < 10 << 20 => format!("{bar}  {} of {} KB", done >> 10, total >> 10),
        Counts::Bytes => format!("{bar}  {} of {} MB", done >> 20, total >> 20),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_says_how_far_it_is() {
        let line_of = |done, total| line(done, total, Counts::Bytes);
        assert_eq!(line_of(40 << 20, 160 << 20), "[######                  ]  25 %  40 of 160 MB");
        assert_eq!(line_of(3 << 10, 3 << 10), "[########################] 100 %  3 of 3 KB");
        assert_eq!(line(7, 0, Counts::Parts), "[########################] 100 %");
        assert_eq!(line(0, 15, Counts::Seconds), "[                        ]   0 %  0 of 15 s");
        assert!(line(u64::MAX, u64::MAX, Counts::Bytes).contains("100 %"));
    }
}
