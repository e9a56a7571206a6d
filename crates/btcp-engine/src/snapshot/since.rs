//! What a caller knows of a tab's page, and what is new to it.

use std::time::Duration;

use super::SnapshotOptions;
use super::diff::{Baseline, Change, Diff};
use super::gather::Seen;
use super::line::{self, Home, Line, Noun};
use super::print::{Printer, clip};
use crate::error::Result;
use crate::page::Place;
use crate::page::ops::Mode;
use crate::sessions::lock;
use crate::tab::Tab;
use crate::target::Target;

/// Room for the line that says how much was left out.
const MORE_ROOM: usize = 48;
/// A line is not made shorter than this to find room.
const SHORTEST: usize = 48;
/// How much of a page an effect tells.
const CHANGES: usize = 2_000;
/// A page that takes longer to read is not compared.
const PATIENCE: Duration = Duration::from_secs(3);
/// Nothing is walked further, however much seems gone.
const WIDEST: usize = 2_000_000;
/// How many different views of a tab can be compared with later.
const VIEWS: usize = 4;

/// A page compared with what is known of it; no difference of another document.
pub(super) struct Compared {
    pub(super) seen: Seen,
    pub(super) diff: Option<Diff>,
    pub(super) walked: usize,
}

/// What a caller knows of a tab: one for each way of looking at it.
#[derive(Debug, Default)]
pub(crate) struct Views(Vec<View>);

#[derive(Debug)]
pub(super) struct View {
    subject: Subject,
    document: u64,
    baseline: Baseline,
    /// Whether any of it was printed, or only looked at to compare with.
    pub(super) printed: bool,
    /// How much was walked: less could not tell what is gone from what was left out.
    walked: usize,
}

/// What a snapshot shows; only like is compared with like.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Subject {
    root: Option<String>,
    mode: Mode,
    max_depth: u32,
    include_hidden: bool,
}

impl Subject {
    pub(super) fn of(options: &SnapshotOptions) -> Self {
        Self {
            root: options.root.as_ref().map(Target::to_string),
            mode: options.mode,
            max_depth: options.max_depth,
            include_hidden: options.include_hidden,
        }
    }
}

impl Views {
    pub(super) fn get(&self, subject: &Subject, document: u64) -> Option<&View> {
        self.0.iter().find(|view| view.document == document && view.subject == *subject)
    }

    fn put(&mut self, view: View) {
        self.0.retain(|old| old.document == view.document && old.subject != view.subject);
        self.0.truncate(VIEWS - 1);
        self.0.insert(0, view);
    }

    /// The view of the whole page that was last put; plain text would not show what changes.
    fn page(&self, document: u64) -> Option<&View> {
        self.0.iter().find(|view| {
            view.document == document
                && view.subject.root.is_none()
                && view.subject.mode != Mode::Text
        })
    }
}

/// What has changed in a page, in both notations.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Changes {
    /// Refs as `e5`.
    pub text: String,
    /// Refs as `@ref:5`.
    pub json_text: String,
}

impl Tab {
    pub(super) fn remember(
        &mut self,
        subject: Subject,
        document: u64,
        baseline: Baseline,
        printed: bool,
        walked: usize,
    ) {
        self.memory.views.put(View { subject, document, baseline, printed, walked });
    }

    /// Looks again and compares with what is known, as far as it is of the same document.
    pub(super) async fn compare(
        &mut self,
        options: &SnapshotOptions,
        subject: &Subject,
        focus: bool,
    ) -> Result<Compared> {
        let known = self.memory.views.get(subject, self.main_document());
        let mut walked = known.map_or(options.max_chars, |view| view.walked.max(options.max_chars));
        loop {
            let wide = SnapshotOptions { max_chars: walked, ..options.clone() };
            let seen = self.look_at(&wide).await?;
            let view = self.memory.views.get(subject, seen.document);
            let diff = view
                .map(|view| view.baseline.diff(&seen.lines, focus).without_unread(&seen.unread));
            // What seems gone may have been pushed to where lines are only counted.
            let unsure =
                diff.as_ref().is_some_and(|diff| diff.is_unsure(&seen.lines)) && walked < WIDEST;
            if !unsure {
                return Ok(Compared { seen, diff, walked });
            }
            walked = walked.saturating_mul(8);
        }
    }

    /// Prints differences while there is room; how many it printed.
    pub(super) fn print_diff(
        &self,
        printer: &mut Printer,
        lines: &[Line],
        changes: &[Change],
        room: usize,
    ) -> usize {
        let mut table = lock(&self.session.refs);
        let mut left = room;
        for (read, change) in changes.iter().enumerate() {
            let width = 2 + match change {
                Change::Added(at) | Change::Changed(at) => lines[*at].width(),
                Change::Removed(text, _) => text.chars().count() + line::REF_WIDTH + 1,
            };
            let more = if read + 1 == changes.len() { 0 } else { MORE_ROOM };
            // One that is wider than all the room there is would come at no time.
            if width + more > left && read == 0 {
                let short = left.saturating_sub(more).max(SHORTEST);
                left = left.saturating_sub(short);
                match change {
                    Change::Added(at) => printer.cut(&mut table, lines, *at, "+ ", short),
                    Change::Changed(at) => printer.cut(&mut table, lines, *at, "~ ", short),
                    Change::Removed(text, number) => {
                        let room = short.saturating_sub(line::REF_WIDTH + 3);
                        printer.removed(&clip(text, room), *number);
                        printer.folded = true;
                    }
                }
                continue;
            }
            if width + more > left {
                let noun = Noun::Lines.of((changes.len() - read) as u64);
                printer.raw(&format!("… {noun}, since:last for more"));
                printer.folded = true;
                return read;
            }
            left -= width;
            match change {
                Change::Added(at) => printer.line(&mut table, lines, *at, "+ "),
                Change::Changed(at) => printer.line(&mut table, lines, *at, "~ "),
                Change::Removed(text, number) => printer.removed(text, *number),
            }
        }
        changes.len()
    }

    /// Looks at the page as it is before an action, if nothing was printed of it yet, so that
    /// what the action changes can be told.
    pub(crate) async fn look_before(&mut self) {
        if !self.context.compares || self.memory.views.page(self.main_document()).is_some() {
            return;
        }
        let options = SnapshotOptions { in_passing: true, ..SnapshotOptions::default() };
        if let Ok(Ok(seen)) = tokio::time::timeout(PATIENCE, self.look_at(&options)).await {
            let baseline = Baseline::new(&seen.lines, |_| Some(None));
            let subject = Subject::of(&options);
            self.remember(subject, seen.document, baseline, false, options.max_chars);
        }
    }

    /// What an action has changed; after a navigation the head of the new page.
    /// `field` is one whose value was read back.
    pub(crate) async fn changes(&mut self, field: Option<&Place>) -> Option<Changes> {
        let view = self.memory.views.page(self.main_document());
        let options = match view {
            Some(view) => SnapshotOptions {
                mode: view.subject.mode,
                max_depth: view.subject.max_depth,
                include_hidden: view.subject.include_hidden,
                in_passing: true,
                ..SnapshotOptions::default()
            },
            None => SnapshotOptions { in_passing: true, ..SnapshotOptions::default() },
        };
        let subject = Subject::of(&options);
        let comparing = self.compare(&options, &subject, false);
        let compared = tokio::time::timeout(PATIENCE, comparing).await.ok()?.ok()?;
        let Compared { seen, diff, walked } = compared;
        let mut printer = Printer::default();
        let known = self.memory.views.get(&subject, seen.document);
        let printed = known.is_none_or(|view| view.printed);
        let (diff, read) = match diff {
            Some(mut diff) => {
                if let Some(field) = field {
                    let home = Home::new(0, field.frame.clone(), field.document, None);
                    diff.without_value_of(&seen.lines, home.key(field.id));
                }
                let read = self.print_diff(&mut printer, &seen.lines, &diff.changes, CHANGES);
                (diff, read)
            }
            None => {
                let read = self.print_head(&mut printer, &seen.lines);
                (Baseline::default().diff(&seen.lines, true), read)
            }
        };
        let baseline = diff.baseline(&seen.lines, read, &printer.numbers);
        self.remember(subject, seen.document, baseline, printed, walked);
        let Printer { text, json_text, .. } = printer;
        (!text.is_empty()).then_some(Changes { text, json_text })
    }

    /// Prints the first lines of a page; how many.
    fn print_head(&self, printer: &mut Printer, lines: &[Line]) -> usize {
        let mut table = lock(&self.session.refs);
        let mut left = CHANGES;
        for (at, line) in lines.iter().enumerate() {
            let more = if at + 1 == lines.len() { 0 } else { MORE_ROOM };
            if line.width() + more > left && at == 0 {
                let short = left.saturating_sub(more);
                left = left.saturating_sub(short);
                printer.cut(&mut table, lines, at, line::indent(line.depth), short);
                continue;
            }
            if line.width() + more > left {
                let noun = Noun::Lines.of((lines.len() - at) as u64);
                printer.raw(&format!("… {noun}, since:last for more"));
                return at;
            }
            left -= line.width();
            printer.line(&mut table, lines, at, line::indent(line.depth));
        }
        lines.len()
    }

    pub(crate) fn main_document(&self) -> u64 {
        self.state.facts().frames.main().map_or(0, |frame| frame.document)
    }
}
