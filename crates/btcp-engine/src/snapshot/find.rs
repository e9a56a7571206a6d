//! Finding lines of a page, folded ones too.
//!
//! A match inside a row, an item or a card brings that container's lines along, so that what can
//! be done there is at hand.

use std::collections::HashSet;

use regex::{Regex, RegexBuilder};

use super::SnapshotOptions;
use super::line::{Line, indent};
use super::print::Printer;
use crate::error::{Error, Result};
use crate::refs::Refs;
use crate::sessions::lock;
use crate::tab::Tab;

/// What was found.
#[derive(Debug, Clone, Default)]
pub struct Finds {
    /// The first matches, one for each container.
    pub matches: Vec<Find>,
    /// How many lines match.
    pub count: usize,
    /// How many of them are in those containers.
    pub shown: usize,
}

/// One match.
#[derive(Debug, Clone)]
pub struct Find {
    /// The line as programs read it.
    pub line: String,
    /// Its element's ref, where it has one.
    pub number: Option<u32>,
    /// The lines of its row, item or card, or the line itself; refs as `e5`.
    pub text: String,
    /// The same with refs as `@ref:5`.
    pub context: String,
}

/// More than any page has: everything is walked.
const EVERYTHING: usize = 1 << 40;
/// How many lines of a container come along.
const CONTEXT: usize = 12;
/// A pattern that needs more room than this to be understood is refused.
const PATTERN_SIZE: usize = 1 << 20;

const CONTAINERS: &[&str] = &["row", "listitem", "article", "treeitem", "option"];

impl Tab {
    /// Finds text, or what a `/pattern/` matches, in the lines of the page.
    pub async fn find_lines(&mut self, query: &str, limit: usize) -> Result<Finds> {
        let pattern = pattern(query)?;
        let options = SnapshotOptions { max_chars: EVERYTHING, ..SnapshotOptions::default() };
        let lines = self.look_at(&options).await?.lines;
        let mut finds = Finds::default();
        let mut told = HashSet::new();
        let mut table = lock(&self.session.refs);
        for (at, line) in lines.iter().enumerate() {
            if line.rest.is_some() || !pattern.is_match(&readable(line)) {
                continue;
            }
            finds.count += 1;
            let container = container(&lines, at);
            if finds.matches.len() < limit && told.insert(container.0) {
                finds.matches.push(find(&mut table, &lines, at, container));
            }
            finds.shown += usize::from(told.contains(&container.0));
        }
        Ok(finds)
    }
}

/// A line as its words are: quotes of ours do not stand between them.
fn readable(line: &Line) -> String {
    format!("{}{}", line.head, line.tail).replace("\\\"", "\"").replace("\\\\", "\\")
}

fn pattern(query: &str) -> Result<Regex> {
    let written = query.strip_prefix('/').and_then(|rest| rest.rsplit_once('/'));
    let pattern = match written {
        Some((pattern, flags)) if flags.chars().all(|c| "gimsu".contains(c)) => pattern.to_owned(),
        _ => regex::escape(query.trim()),
    };
    RegexBuilder::new(&pattern).case_insensitive(true).size_limit(PATTERN_SIZE).build().map_err(
        |error| {
            let reason = error.to_string();
            let last = reason.lines().last().unwrap_or_default().trim().to_owned();
            Error::BadParam {
                field: "query",
                message: format!(
                    "'{query}' is not a pattern: {}",
                    last.trim_start_matches("error: ")
                ),
            }
        },
    )
}

/// The lines of what a line is in: from one to before another.
fn container(lines: &[Line], at: usize) -> (usize, usize) {
    let mut depth = lines[at].depth;
    if CONTAINERS.contains(&lines[at].role()) {
        return (at, end_of(lines, at));
    }
    for above in (0..at).rev() {
        if lines[above].depth >= depth {
            continue;
        }
        depth = lines[above].depth;
        if CONTAINERS.contains(&lines[above].role()) {
            return (above, end_of(lines, above));
        }
    }
    let Some(item) = lines[at].groups.first() else { return (at, at + 1) };
    let is_in = |line: &Line| line.groups.contains(item);
    let first = (0..at).rev().take_while(|above| is_in(&lines[*above])).last().unwrap_or(at);
    let end =
        (at..lines.len()).take_while(|below| is_in(&lines[*below])).last().map_or(at, |n| n + 1);
    (first, end)
}

fn end_of(lines: &[Line], at: usize) -> usize {
    let below = lines[at + 1..].iter().take_while(|line| line.depth > lines[at].depth).count();
    at + 1 + below
}

fn find(table: &mut Refs, lines: &[Line], at: usize, (first, end): (usize, usize)) -> Find {
    let mut own = Printer::default();
    own.line(table, lines, at, "");
    let mut context = Printer::default();
    let top = lines[first..end].iter().map(|line| line.depth).min().unwrap_or(0);
    let mut left = CONTEXT;
    for line in first..end {
        // The match and what can be acted on are why one looks.
        let wanted = line == at || lines[line].ref_id.is_some() || end - first <= CONTEXT;
        if left > 0 && (wanted || line == first) {
            left -= 1;
            context.line(table, lines, line, indent(lines[line].depth - top));
        }
    }
    Find {
        line: own.json_text,
        number: own.numbers.get(&at).copied(),
        text: context.text,
        context: context.json_text,
    }
}
