//! Snapshots: the page as an agent reads it.
//!
//! The page code walks each document and prints its lines but for the refs; here the
//! documents of all frames are put together, fitted into the budget (`fit`), compared with what
//! was printed before (`diff`), and refs are given to the lines that are printed (`print`).

mod diff;
mod find;
mod fit;
mod gather;
mod line;
mod looks;
mod nested;
mod print;
mod since;

pub use self::find::{Find, Finds};
pub use self::since::Changes;
pub(crate) use self::since::Views;

use self::diff::Baseline;
use self::fit::{Shown, fit};
use self::line::DEEPEST;
use self::print::Printer;
use self::since::{Compared, Subject};
use crate::error::Result;
use crate::page::ops::Mode;
use crate::sessions::lock;
use crate::tab::Tab;
use crate::target::Target;

/// What to print.
#[derive(Debug, Clone)]
pub struct SnapshotOptions {
    /// Only the part below this element.
    pub root: Option<Target>,
    /// Which lines.
    pub mode: Mode,
    /// How many levels, at most 24.
    pub max_depth: u32,
    /// Also what a person cannot see.
    pub include_hidden: bool,
    /// Never longer than this many characters.
    pub max_chars: usize,
    /// Only what has changed since this was last printed.
    pub since_last: bool,
    /// Looked at because of an action, not because somebody asked.
    pub in_passing: bool,
}

impl Default for SnapshotOptions {
    fn default() -> Self {
        Self {
            root: None,
            mode: Mode::All,
            max_depth: DEEPEST,
            include_hidden: false,
            max_chars: 20_000,
            since_last: false,
            in_passing: false,
        }
    }
}

/// A page as an agent reads it.
#[derive(Debug, Clone)]
pub struct Snapshot {
    /// The page's address.
    pub url: String,
    /// The page's title.
    pub title: String,
    /// The lines, refs as `e5`.
    pub text: String,
    /// The lines, refs as `@ref:5`.
    pub json_text: String,
    /// What each printed ref is.
    pub refs: Vec<RefInfo>,
    /// Whether lines were left out.
    pub truncated: bool,
}

impl Snapshot {
    /// The lines as nested objects.
    pub fn nested(&self) -> serde_json::Value {
        nested::nested(&self.json_text)
    }
}

/// A ref that was printed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefInfo {
    /// Its number.
    pub number: u32,
    /// The element's role.
    pub role: String,
    /// Its accessible name.
    pub name: String,
    /// Address of the frame it is in, where that is not the page itself.
    pub frame: Option<String>,
}

impl Tab {
    /// Reads the whole page, frames included.
    pub async fn snapshot(&mut self, options: &SnapshotOptions) -> Result<Snapshot> {
        let subject = Subject::of(options);
        let mut printer = Printer::default();
        let known = self.memory.views.get(&subject, self.main_document());
        if options.since_last && known.is_some_and(|view| view.printed) {
            let compared = self.compare(options, &subject, true).await?;
            let Compared { seen, diff, walked } = compared;
            printer.raw(&seen.head());
            if let Some(diff) = diff {
                let room = options.max_chars.saturating_sub(seen.head().chars().count());
                let read = self.print_diff(&mut printer, &seen.lines, &diff.changes, room);
                let baseline = diff.baseline(&seen.lines, read, &printer.numbers);
                self.remember(subject, seen.document, baseline, true, walked);
                return Ok(printer.done(seen.url, seen.title));
            }
            printer = Printer::default();
        }
        let seen = self.look_at(options).await?;
        printer.raw(&seen.head());
        let room = options.max_chars.saturating_sub(seen.head().chars().count());
        let shown = fit(&seen.lines, room);
        let mut visible = vec![false; seen.lines.len()];
        {
            let mut table = lock(&self.session.refs);
            for one in &shown {
                if let Shown::Line(at) | Shown::Cut(at, _) = one {
                    visible[*at] = true;
                }
                printer.shown(&mut table, &seen.lines, one);
            }
        }
        let baseline =
            Baseline::new(&seen.lines, |at| visible[at].then(|| printer.numbers.get(&at).copied()));
        self.remember(subject, seen.document, baseline, true, options.max_chars);
        Ok(printer.done(seen.url, seen.title))
    }
}
