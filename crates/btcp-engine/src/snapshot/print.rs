//! Lines to text: the model's with refs as `e5`, the programs' with `@ref:5`.

use std::collections::HashMap;
use std::fmt::Write as _;

use super::fit::{Fold, Shown, inline_text};
use super::line::{Line, REF_WIDTH, indent};
use super::{RefInfo, Snapshot};
use crate::element::role_and_name;
use crate::refs::Refs;
use crate::text::{cut, unquoted};

/// Both texts, growing together.
#[derive(Debug, Default)]
pub(crate) struct Printer {
    pub(crate) text: String,
    pub(crate) json_text: String,
    pub(crate) refs: Vec<RefInfo>,
    /// The ref each printed line got.
    pub(crate) numbers: HashMap<usize, u32>,
    pub(crate) folded: bool,
}

impl Printer {
    /// Ours alone, in both.
    pub(crate) fn raw(&mut self, line: &str) {
        for text in [&mut self.text, &mut self.json_text] {
            if !text.is_empty() {
                text.push('\n');
            }
            text.push_str(line);
        }
    }

    /// `before` stands in front: an indent, or the sign of a difference.
    pub(crate) fn line(&mut self, table: &mut Refs, lines: &[Line], at: usize, before: &str) {
        let line = &lines[at];
        if line.rest.is_some() {
            self.fold(table, &fold_of(line), before);
            return;
        }
        self.parts(table, lines, at, before, &line.head, &line.tail);
    }

    /// The same, taking at most so many characters, line break included.
    pub(crate) fn cut(
        &mut self,
        table: &mut Refs,
        lines: &[Line],
        at: usize,
        before: &str,
        room: usize,
    ) {
        let line = &lines[at];
        if line.rest.is_some() {
            return self.line(table, lines, at, before);
        }
        let mark = if line.ref_id.is_some() { REF_WIDTH } else { 0 };
        // The line break, and a sign that what stands after the ref was cut.
        let room = room.saturating_sub(2 + before.len() + mark);
        let head = clip(&line.head, room);
        let tail = clip(&line.tail, room.saturating_sub(head.chars().count()));
        self.folded = true;
        self.parts(table, lines, at, before, &head, &tail);
    }

    fn parts(
        &mut self,
        table: &mut Refs,
        lines: &[Line],
        at: usize,
        before: &str,
        head: &str,
        tail: &str,
    ) {
        let line = &lines[at];
        let number = line.ref_id.map(|id| table.issue(line.home.place(id), &line.head));
        if let Some(number) = number {
            let (role, name) = role_and_name(&line.head);
            let (name, frame) = (name.unwrap_or_default(), line.home.url.clone());
            self.refs.push(RefInfo { number, role, name, frame });
            self.numbers.insert(at, number);
        }
        self.put(&[before, head], number, tail);
    }

    /// One thing in both texts, with a ref as each writes it between what stands before and after it.
    fn put(&mut self, before: &[&str], number: Option<u32>, after: &str) {
        for (text, mark) in [(&mut self.text, " e"), (&mut self.json_text, " @ref:")] {
            if !text.is_empty() {
                text.push('\n');
            }
            text.extend(before.iter().copied());
            if let Some(number) = number {
                // Writing into a string cannot fail.
                let _ = write!(text, "{mark}{number}");
            }
            text.push_str(after);
        }
    }

    pub(crate) fn removed(&mut self, text: &str, number: Option<u32>) {
        // The ref stands after role and name.
        let (head, tail) = split_head(text);
        self.put(&["- ", head], number, tail);
    }

    pub(crate) fn fold(&mut self, table: &mut Refs, fold: &Fold, before: &str) {
        self.folded = true;
        let said = fold.noun.of(fold.count);
        let number = (fold.start != 0).then(|| {
            table.issue_fold(fold.home.place(fold.start), fold.within, &format!("… {said}"))
        });
        match number {
            Some(_) => self.put(&[before, "… ", &said, ","], number, " to expand"),
            None => self.put(&[before, "… ", &said], None, ""),
        }
    }

    pub(crate) fn shown(&mut self, table: &mut Refs, lines: &[Line], shown: &Shown) {
        match shown {
            Shown::Line(at) => self.line(table, lines, *at, indent(lines[*at].depth)),
            Shown::Cut(at, length) => {
                let line = &lines[*at];
                let before = indent(line.depth);
                let room = length.saturating_sub(2 * line.depth as usize + 1);
                match line.is_text() {
                    true => {
                        let head = cut_quoted(&line.head, room);
                        self.parts(table, lines, *at, before, &head, &line.tail);
                    }
                    false => {
                        let inline = inline_text(&line.tail).unwrap_or_default();
                        let kept = line.tail.len() - inline.len();
                        let used = line.head.chars().count() + line.tail[..kept].chars().count();
                        let text = cut_quoted(inline, room.saturating_sub(used));
                        let tail = format!("{}{text}", &line.tail[..kept]);
                        self.parts(table, lines, *at, before, &line.head, &tail);
                    }
                }
            }
            Shown::Fold(fold) => self.fold(table, fold, indent(fold.depth)),
        }
    }

    pub(crate) fn done(self, url: String, title: String) -> Snapshot {
        Snapshot {
            url,
            title,
            text: self.text,
            json_text: self.json_text,
            refs: self.refs,
            truncated: self.folded,
        }
    }
}

/// A line that is a fold by itself.
pub(crate) fn fold_of(line: &Line) -> Fold {
    let rest = line.rest.as_ref();
    Fold {
        depth: line.depth,
        count: rest.map_or(0, |rest| rest.count),
        noun: rest.map_or(super::line::Noun::Lines, |rest| rest.noun),
        home: line.home.clone(),
        start: line.node,
        within: rest.map_or(0, |rest| rest.within),
    }
}

/// Part of a line made shorter: what stands in quotes stays in quotes.
pub(crate) fn clip(text: &str, room: usize) -> String {
    if text.chars().count() <= room {
        return text.to_owned();
    }
    let (mut kept, mut quoted, mut escaped) = (String::new(), false, false);
    for char in text.chars().take(room.saturating_sub(2)) {
        kept.push(char);
        match char {
            _ if escaped => escaped = false,
            '\\' => escaped = quoted,
            '"' => quoted = !quoted,
            _ => {}
        }
    }
    if escaped {
        kept.pop();
    }
    kept.push('…');
    if quoted {
        kept.push('"');
    }
    kept
}

/// A quoted text made shorter, still a quoted text.
fn cut_quoted(quoted: &str, length: usize) -> String {
    let inner = quoted.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(quoted);
    let mut short = cut(inner, length.max(12) - 2);
    if short.len() < inner.len() {
        // An escape is not cut in two.
        let kept = short.trim_end_matches('…');
        let slashes = kept.len() - kept.trim_end_matches('\\').len();
        if slashes % 2 == 1 {
            short = format!("{}…", &kept[..kept.len() - 1]);
        }
    }
    format!("\"{short}\"")
}

/// Role and name, and what comes after them.
fn split_head(text: &str) -> (&str, &str) {
    if text.starts_with('"') {
        return (text, "");
    }
    let role = text.find([' ', ':']).unwrap_or(text.len());
    let named = text[role..].strip_prefix(' ').and_then(unquoted);
    text.split_at(named.map_or(role, |(_, rest)| text.len() - rest.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_of_a_line_keeps_its_quotes() {
        let row = r#": "Ada" | "a \"b\" c" | *"#;
        assert_eq!(clip(row, 100), row);
        for room in 0..row.chars().count() {
            let short = clip(row, room);
            assert!(short.chars().count() <= room.max(1), "{room}: {short}");
            let bare = short.replace("\\\"", "");
            assert_eq!(bare.matches('"').count() % 2, 0, "{room}: {short}");
            assert!(!bare.contains('\\'), "{room}: {short}");
        }
    }
}
