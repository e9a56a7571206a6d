//! What has changed since a page was last printed.
//!
//! The baseline is what was printed, so that a caller who applies each answer to what it had
//! knows the page: lines a budget cut are not in it and come next time. Elements are told apart
//! by who they are, text by what it says; a move, or the same thing made anew, is no change.

use std::collections::{HashMap, HashSet};

use super::line::{Key, Line, Noun};
use crate::text::unquoted;

/// What a caller knows of a page.
#[derive(Debug, Clone, Default)]
pub(crate) struct Baseline {
    entries: Vec<Entry>,
}

/// A line the caller knows, or that was folded away before its eyes.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Entry {
    /// Its element, where it has a ref or is a fold.
    key: Option<Key>,
    /// Its document.
    home: u64,
    text: String,
    /// The ref it was printed with.
    number: Option<u32>,
    shown: bool,
    /// The containers of many of a kind around it.
    groups: Vec<Key>,
}

/// One difference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Change {
    /// A line that was not there.
    Added(usize),
    /// A line of an element that was there and said something else.
    Changed(usize),
    /// A line that is not there any more, as it was.
    Removed(String, Option<u32>),
}

/// All differences, and what the caller knows once it has read the first so many of them.
#[derive(Debug)]
pub(crate) struct Diff {
    pub(crate) changes: Vec<Change>,
    /// Lines that changed in a way that is not told now.
    quiet: HashSet<usize>,
    /// For each line now: the entry it had before.
    before: Vec<Option<Entry>>,
    /// Entries without a line now.
    gone: Vec<Entry>,
    /// Entries that may have a line: their documents were not read.
    unread: Vec<Entry>,
}

fn key_of(line: &Line) -> Option<Key> {
    match (&line.rest, line.ref_id) {
        (Some(rest), _) => Some(line.home.key(u32::MAX - rest.within)),
        (None, Some(id)) => Some(line.home.key(id)),
        (None, None) => None,
    }
}

fn groups_of(line: &Line) -> Vec<Key> {
    line.groups.iter().map(|(key, _)| *key).collect()
}

/// The container in which lines were counted instead of walked.
fn unwalked(line: &Line) -> Option<Key> {
    let rest = line.rest.as_ref().filter(|rest| rest.noun != Noun::Characters)?;
    Some(line.home.key(rest.within))
}

impl Baseline {
    /// All lines, of which some were shown, with the refs they got.
    pub(crate) fn new(lines: &[Line], shown: impl Fn(usize) -> Option<Option<u32>>) -> Self {
        let entry = |(at, line): (usize, &Line)| {
            let printed = shown(at);
            Entry {
                key: key_of(line),
                home: line.home.key(0).0,
                text: line.text(),
                number: printed.flatten(),
                shown: printed.is_some(),
                groups: groups_of(line),
            }
        };
        Self { entries: lines.iter().enumerate().map(entry).collect() }
    }

    /// What is different in these lines. Where the focus is can be left out: an action moves it
    /// as a matter of course.
    pub(crate) fn diff(&self, lines: &[Line], focus: bool) -> Diff {
        let mut matched: Vec<Option<usize>> = vec![None; lines.len()];
        let mut taken = vec![false; self.entries.len()];
        let by_key: HashMap<Key, usize> = self
            .entries
            .iter()
            .enumerate()
            .filter_map(|(at, entry)| Some((entry.key?, at)))
            .collect();
        for (line, slot) in lines.iter().zip(&mut matched) {
            let known = key_of(line).and_then(|key| by_key.get(&key).copied());
            if let Some(at) = known.filter(|at| !taken[*at]) {
                taken[at] = true;
                *slot = Some(at);
            }
        }
        // Made anew, it says the same: to the caller it is the same.
        let mut by_text: HashMap<&str, Vec<usize>> = HashMap::new();
        for (at, entry) in self.entries.iter().enumerate().rev().filter(|(at, _)| !taken[*at]) {
            by_text.entry(&entry.text).or_default().push(at);
        }
        let texts: Vec<String> = lines.iter().map(Line::text).collect();
        for (text, slot) in texts.iter().zip(&mut matched).filter(|(_, slot)| slot.is_none()) {
            let same = by_text.get_mut(text.as_str()).and_then(Vec::pop);
            if let Some(at) = same {
                taken[at] = true;
                *slot = Some(at);
            }
        }
        let (mut changes, mut quiet) = (Vec::new(), HashSet::new());
        for (at, (text, slot)) in texts.iter().zip(&matched).enumerate() {
            match slot.map(|known| &self.entries[known]) {
                None => changes.push(Change::Added(at)),
                Some(known) if known.shown && known.text != *text => {
                    match !focus && without_focus(&known.text) == without_focus(text) {
                        true => drop(quiet.insert(at)),
                        false => changes.push(Change::Changed(at)),
                    }
                }
                Some(_) => {}
            }
        }
        let left = |(at, entry): (usize, &Entry)| (!taken[at]).then(|| entry.clone());
        let gone: Vec<Entry> = self.entries.iter().enumerate().filter_map(left).collect();
        let told = gone.iter().filter(|entry| entry.shown);
        changes.extend(told.map(|entry| Change::Removed(entry.text.clone(), entry.number)));
        let before =
            matched.into_iter().map(|known| known.map(|at| self.entries[at].clone())).collect();
        Diff { changes, quiet, before, gone, unread: Vec::new() }
    }
}

/// A line but for the state that says where the focus is.
fn without_focus(text: &str) -> String {
    text.replace(" [focused]", "").replace(", focused", "").replace("[focused, ", "[")
}

impl Diff {
    /// Leaves out lines of documents that could not be read: nobody knows whether they are gone.
    #[must_use]
    pub(crate) fn without_unread(mut self, documents: &HashSet<u64>) -> Self {
        let is_unread = |entry: &Entry| documents.contains(&entry.home);
        let (unread, gone): (Vec<Entry>, Vec<Entry>) = self.gone.into_iter().partition(is_unread);
        self.changes.retain(|change| !matches!(change, Change::Removed(..)));
        let told = gone.iter().filter(|entry| entry.shown);
        self.changes.extend(told.map(|entry| Change::Removed(entry.text.clone(), entry.number)));
        Self { gone, unread, ..self }
    }

    /// Leaves out that a field has the value the caller is told anyway.
    pub(crate) fn without_value_of(&mut self, lines: &[Line], field: Key) {
        let plain = |text: &str| without_value(&without_focus(text));
        self.changes.retain(|change| {
            let Change::Changed(at) = change else { return true };
            let before = self.before[*at].as_ref().map(|entry| plain(&entry.text));
            key_of(&lines[*at]) != Some(field) || before != Some(plain(&lines[*at].text()))
        });
    }

    /// Whether anything the caller knows seems gone, but may be among what was not walked.
    pub(crate) fn is_unsure(&self, lines: &[Line]) -> bool {
        let unwalked: Vec<Key> = lines.iter().filter_map(unwalked).collect();
        let perhaps = |entry: &Entry| entry.groups.iter().any(|group| unwalked.contains(group));
        self.gone.iter().any(|entry| entry.shown && perhaps(entry))
    }

    /// What the caller knows after the first `read` changes, of which `numbers` tells the refs.
    pub(crate) fn baseline(
        &self,
        lines: &[Line],
        read: usize,
        numbers: &HashMap<usize, u32>,
    ) -> Baseline {
        let (read, unread) = self.changes.split_at(read.min(self.changes.len()));
        let mut unread_lines = vec![false; lines.len()];
        for change in unread {
            if let Change::Added(at) | Change::Changed(at) = change {
                unread_lines[*at] = true;
            }
        }
        for at in &self.quiet {
            unread_lines[*at] = true;
        }
        let mut entries = Vec::with_capacity(lines.len());
        for (at, line) in lines.iter().enumerate() {
            let before = self.before[at].as_ref();
            if unread_lines[at] {
                entries.extend(before.cloned());
                continue;
            }
            entries.push(Entry {
                key: key_of(line),
                home: line.home.key(0).0,
                text: line.text(),
                number: numbers.get(&at).copied().or(before.and_then(|entry| entry.number)),
                shown: before.is_none_or(|entry| entry.shown),
                groups: groups_of(line),
            });
        }
        let told = read.iter().filter(|change| matches!(change, Change::Removed(..))).count();
        entries.extend(self.gone.iter().filter(|entry| entry.shown).skip(told).cloned());
        entries.extend(self.unread.iter().cloned());
        Baseline { entries }
    }
}

/// A line but for its value.
fn without_value(text: &str) -> String {
    let Some(at) = text.find(" = \"") else { return text.to_owned() };
    let rest = unquoted(&text[at + 3..]).map_or("", |(_, rest)| rest);
    format!("{}{rest}", &text[..at])
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::snapshot::line::Home;

    fn line(ref_id: u32, head: &str, tail: &str) -> Line {
        Line {
            home: Arc::new(Home::new(1, "main".into(), 1, None)),
            depth: 0,
            head: head.to_owned(),
            tail: tail.to_owned(),
            ref_id: (ref_id > 0).then_some(ref_id),
            node: ref_id,
            seen: false,
            groups: Vec::new(),
            rest: None,
        }
    }

    fn known(lines: &[Line]) -> Baseline {
        Baseline::new(lines, |at| Some(lines[at].ref_id))
    }

    #[test]
    fn an_element_is_known_by_who_it_is_and_text_by_what_it_says() {
        let before =
            [line(1, "button \"A\"", ""), line(0, "\"one\"", ""), line(2, "button \"B\"", "")];
        let after = [
            line(2, "button \"B\"", " [disabled]"),
            line(0, "\"two\"", ""),
            line(1, "button \"A\"", ""),
        ];
        let diff = known(&before).diff(&after, true);
        assert_eq!(
            diff.changes,
            [Change::Changed(0), Change::Added(1), Change::Removed("\"one\"".into(), None)]
        );
    }

    #[test]
    fn the_same_made_anew_is_no_change() {
        let before = [line(1, "button \"A\"", ""), line(2, "button \"A\"", "")];
        let after = [line(8, "button \"A\"", ""), line(9, "button \"A\"", "")];
        assert_eq!(known(&before).diff(&after, true).changes, []);
    }

    #[test]
    fn what_was_not_read_is_told_again() {
        let before = [line(1, "button \"A\"", ""), line(0, "\"gone\"", "")];
        let after = [line(1, "button \"A\"", " [disabled]"), line(0, "\"new\"", "")];
        let diff = known(&before).diff(&after, true);
        assert_eq!(diff.changes.len(), 3);
        let later = diff.baseline(&after, 1, &HashMap::new()).diff(&after, true);
        assert_eq!(later.changes, [Change::Added(1), Change::Removed("\"gone\"".into(), None)]);
        let done = diff.baseline(&after, 3, &HashMap::new()).diff(&after, true);
        assert_eq!(done.changes, []);
    }

    #[test]
    fn where_the_focus_went_can_be_left_for_later() {
        let before =
            [line(1, "textbox \"A\"", " [required, focused]"), line(2, "button \"B\"", "")];
        let after =
            [line(1, "textbox \"A\"", " [required]"), line(2, "button \"B\"", " [focused]")];
        let diff = known(&before).diff(&after, false);
        assert_eq!(diff.changes, []);
        let later = diff.baseline(&after, 0, &HashMap::new()).diff(&after, true);
        assert_eq!(later.changes, [Change::Changed(0), Change::Changed(1)]);
    }

    #[test]
    fn the_value_of_a_field_that_was_read_back_is_not_told_twice() {
        let before = [line(1, "textbox \"A\"", " [required]"), line(2, "textbox \"B\"", "")];
        let after = [
            line(1, "textbox \"A\"", " = \"x \\\" y\" [required, focused]"),
            line(2, "textbox \"B\"", ""),
        ];
        let mut diff = known(&before).diff(&after, false);
        diff.without_value_of(&after, after[0].home.key(1));
        assert_eq!(diff.changes, []);
        assert_eq!(diff.baseline(&after, 0, &HashMap::new()).diff(&after, true).changes, []);
        let wrong = [line(1, "textbox \"A\"", " = \"x\" [required, invalid: \"no\"]")];
        let mut diff = known(&before[..1]).diff(&wrong, false);
        diff.without_value_of(&wrong, wrong[0].home.key(1));
        assert_eq!(diff.changes, [Change::Changed(0)]);
    }

    #[test]
    fn what_could_not_be_read_is_not_gone() {
        let home = Arc::new(Home::new(1, "frame".into(), 7, None));
        let inside = Line { home: home.clone(), ..line(1, "button \"In\"", "") };
        let before = [line(1, "button \"A\"", ""), inside, line(0, "\"gone\"", "")];
        let unread = HashSet::from([Home::key_of("frame", 7)]);
        let diff = known(&before).diff(&before[..1], true).without_unread(&unread);
        assert_eq!(diff.changes, [Change::Removed("\"gone\"".into(), None)]);
        let later = diff.baseline(&before[..1], 1, &HashMap::new());
        assert_eq!(later.diff(&before[..2], true).changes, []);
        let gone = later.diff(&before[..1], true).changes;
        assert_eq!(gone, [Change::Removed("button \"In\"".into(), Some(1))]);
    }

    #[test]
    fn what_was_folded_away_is_not_told_when_it_goes() {
        let before = [line(1, "button \"A\"", ""), line(2, "button \"B\"", "")];
        let folded = Baseline::new(&before, |at| (at == 0).then_some(Some(1)));
        assert_eq!(folded.diff(&before[..1], true).changes, []);
        assert_eq!(folded.diff(&before[1..], true).changes.len(), 1);
    }
}
