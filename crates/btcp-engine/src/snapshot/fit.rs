//! Fitting a page into its budget.
//!
//! What loses least goes first: items after the first few of many alike, long text, what is far
//! from view. Headings and landmarks, what is in view and first rows stay. Everything left out is
//! counted in a fold that can be opened. Knows lines only, nothing of the browser.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::line::{Home, Key, Line, Noun, fold_width};
use super::print::fold_of;

/// What is printed.
#[derive(Debug, Clone)]
pub(crate) enum Shown {
    /// A line as it is.
    Line(usize),
    /// The first so many characters of a long text.
    Cut(usize, usize),
    /// What was left out.
    Fold(Fold),
}

/// Lines that were left out: all of `within` from `start` on.
#[derive(Debug, Clone)]
pub(crate) struct Fold {
    pub(crate) depth: u32,
    pub(crate) count: u64,
    pub(crate) noun: Noun,
    pub(crate) home: Arc<Home>,
    pub(crate) start: u32,
    pub(crate) within: u32,
}

/// How much is left out.
#[derive(Debug, Clone, Copy)]
struct Policy {
    /// How many of a kind are shown.
    items: u32,
    /// Whether items in view are shown besides.
    view: bool,
    /// How much of a text is shown.
    text: usize,
    /// From this line on only signposts and what is in view are shown.
    signposts: usize,
    /// From this line on nothing is.
    end: usize,
}

const WHOLE: Policy = Policy {
    items: u32::MAX,
    view: true,
    text: usize::MAX,
    signposts: usize::MAX,
    end: usize::MAX,
};

impl Policy {
    /// Nothing is left out.
    fn is_whole(&self) -> bool {
        self.end == usize::MAX
            && self.signposts == usize::MAX
            && self.items == u32::MAX
            && self.text == usize::MAX
    }
}

/// A cut text is this much shorter, or it is not worth the fold.
const WORTH: usize = 120;

/// A fold is not shorter than so few items.
const FEW: u32 = 2;

/// Lines that tell where one is.
const SIGNPOSTS: &[&str] = &[
    "heading",
    "main",
    "navigation",
    "banner",
    "contentinfo",
    "complementary",
    "search",
    "region",
    "form",
    "dialog",
    "alertdialog",
    "alert",
    "status",
    "iframe",
    "table",
    "grid",
];

/// Which lines to print so that they take at most so many characters.
pub(crate) fn fit(lines: &[Line], budget: usize) -> Vec<Shown> {
    let mut page = Page::new(lines);
    if page.widths.iter().sum::<usize>() <= budget {
        return page.show(WHOLE);
    }
    page.prepare();
    let fits = |policy: &Policy| page.fits(policy, budget);
    let most = page.most_items();
    for (text, least) in [(2000, 10), (800, 10), (400, 10), (200, 10), (200, 3), (100, 3)] {
        let policy = |items| Policy { items, text, ..WHOLE };
        if let Some(items) = largest(least, most.max(least), |items| fits(&policy(items))) {
            return page.show(policy(items));
        }
    }
    for tight in [
        Policy { items: 3, view: false, text: 100, ..WHOLE },
        Policy { items: 1, view: false, text: 100, ..WHOLE },
    ] {
        if fits(&tight) {
            return page.show(tight);
        }
    }
    let tight = Policy { items: 1, view: true, text: 100, ..WHOLE };
    let count = u32::try_from(lines.len()).unwrap_or(u32::MAX);
    let from = |signposts: u32| Policy { signposts: signposts as usize, ..tight };
    if let Some(first) = largest(0, count, |first| fits(&from(first))) {
        return page.show(from(first));
    }
    let until = |end: u32| Policy { end: end as usize, signposts: end as usize, ..tight };
    let end = largest(0, count, |end| fits(&until(end))).unwrap_or(0);
    page.show(until(end))
}

/// The largest of a range for which something holds that holds for all smaller ones.
fn largest(least: u32, most: u32, holds: impl Fn(u32) -> bool) -> Option<u32> {
    if !holds(least) {
        return None;
    }
    let (mut yes, mut no) = (least, most.saturating_add(1));
    while no - yes > 1 {
        let middle = yes + (no - yes) / 2;
        match holds(middle) {
            true => yes = middle,
            false => no = middle,
        }
    }
    Some(yes)
}

/// Lines with what is asked of them again and again.
struct Page<'a> {
    lines: &'a [Line],
    widths: Vec<usize>,
    /// The text each could do with less of; empty as long as nobody asked.
    texts: Vec<usize>,
    /// For each line, the containers around it.
    spots: Vec<Vec<Spot>>,
}

/// A container of many of a kind, as a line in it sees it.
struct Spot {
    key: Key,
    /// Which of its items the line belongs to.
    place: u32,
    /// How many items it has.
    size: u32,
    /// A line of that item is in view.
    seen: bool,
}

/// Lines being left out, one after another.
struct Run {
    first: usize,
    depth: u32,
    /// The container whose items they are, and those items.
    group: Option<Key>,
    items: HashSet<u32>,
    lines: u64,
    /// Counted by the page code.
    rest: u64,
}

/// What becomes of lines, before it is decided whether to print it.
enum Piece {
    Line(usize),
    Cut(usize, usize),
    /// The rest of a line's text.
    More(usize, usize),
    /// A fold that came as a line.
    Rest(usize),
    Run(Run),
}

impl<'a> Page<'a> {
    fn new(lines: &'a [Line]) -> Self {
        let widths = lines.iter().map(Line::width).collect();
        Self { lines, widths, texts: Vec::new(), spots: Vec::new() }
    }

    /// Finds out what folding needs to know.
    fn prepare(&mut self) {
        self.texts = self.lines.iter().map(text_length).collect();
        let mut seen = HashSet::new();
        let mut sizes: HashMap<Key, u32> = HashMap::new();
        for line in self.lines {
            for (key, place) in &line.groups {
                let size = sizes.entry(*key).or_insert(0);
                *size = (*size).max(place + 1);
                if line.seen {
                    seen.insert((*key, *place));
                }
            }
        }
        let spot = |&(key, place): &(Key, u32)| Spot {
            key,
            place,
            size: sizes[&key],
            seen: seen.contains(&(key, place)),
        };
        self.spots = self.lines.iter().map(|line| line.groups.iter().map(spot).collect()).collect();
    }

    /// One more than the largest place of an item.
    fn most_items(&self) -> u32 {
        self.spots.iter().flatten().map(|spot| spot.place + 1).max().unwrap_or(0)
    }

    /// Whether what a policy leaves takes at most so many characters.
    fn fits(&self, policy: &Policy, budget: usize) -> bool {
        let mut size = 0;
        self.each(*policy, false, |piece| {
            size += match piece {
                Piece::Line(at) => self.widths[at],
                Piece::Cut(at, length) => {
                    self.widths[at].min(length + 2 * self.lines[at].depth as usize + 16)
                }
                Piece::More(at, _) | Piece::Rest(at) => fold_width(self.lines[at].depth),
                Piece::Run(run) => fold_width(run.depth),
            };
        });
        size <= budget
    }

    fn show(&self, policy: Policy) -> Vec<Shown> {
        let mut shown = Vec::with_capacity(self.lines.len());
        self.each(policy, true, |piece| {
            shown.push(match piece {
                Piece::Line(at) => Shown::Line(at),
                Piece::Cut(at, length) => Shown::Cut(at, length),
                Piece::More(at, count) => {
                    let within = self.lines[at].node;
                    self.fold_from(at, count as u64, Noun::Characters, within)
                }
                Piece::Rest(at) => Shown::Fold(fold_of(&self.lines[at])),
                Piece::Run(run) => self.fold_run(&run),
            });
        });
        shown
    }

    fn fold_run(&self, run: &Run) -> Shown {
        let Some((_, container)) = run.group else {
            return self.fold_from(run.first, run.lines + run.rest, Noun::Lines, 0);
        };
        let noun = if self.lines[run.first].role() == "row" { Noun::Rows } else { Noun::Items };
        self.fold_from(run.first, run.items.len() as u64 + run.rest, noun, container)
    }

    fn fold_from(&self, at: usize, count: u64, noun: Noun, within: u32) -> Shown {
        let Line { depth, home, node, .. } = &self.lines[at];
        Shown::Fold(Fold { depth: *depth, count, noun, home: home.clone(), start: *node, within })
    }

    /// The container because of which a line is left out; `None` in it: for another reason.
    fn hidden_by(&self, at: usize, policy: Policy) -> Option<Option<Key>> {
        let folded = self.spots[at].iter().rev().find(|spot| {
            spot.place >= policy.items
                && spot.size > policy.items.saturating_add(FEW)
                && !(policy.view && spot.seen)
        });
        if let Some(spot) = folded {
            return Some(Some(spot.key));
        }
        if at >= policy.end {
            return Some(None);
        }
        let line = &self.lines[at];
        let beyond = at >= policy.signposts && !line.seen && line.rest.is_none();
        (beyond && !SIGNPOSTS.contains(&line.role())).then_some(None)
    }

    /// What a policy makes of the lines, in order; `counting` which items were left out.
    fn each(&self, policy: Policy, counting: bool, mut put: impl FnMut(Piece)) {
        if policy.is_whole() {
            (0..self.lines.len()).for_each(|at| put(self.whole(at)));
            return;
        }
        let mut run: Option<Run> = None;
        // Below a line that is left out everything is.
        let mut under = None;
        for (at, line) in self.lines.iter().enumerate() {
            if under.is_some_and(|depth| line.depth <= depth) {
                under = None;
            }
            let hidden = match under {
                Some(_) => Some(run.as_ref().and_then(|run| run.group)),
                None => self.hidden_by(at, policy),
            };
            if let (Some(rest), Some(open)) = (&line.rest, &mut run) {
                let same = open.group.is_some_and(|group| group == line.home.key(rest.within));
                if same || hidden.is_some() {
                    open.rest += rest.count;
                    continue;
                }
            }
            let Some(group) = hidden else {
                run.take().map(Piece::Run).into_iter().for_each(&mut put);
                self.keep(at, policy, &mut put);
                continue;
            };
            if under.is_none() {
                under = Some(line.depth);
            }
            if run.as_ref().is_some_and(|run| line.depth < run.depth || run.group != group) {
                run.take().map(Piece::Run).into_iter().for_each(&mut put);
            }
            let run = run.get_or_insert_with(|| Run::from(at, line.depth, group));
            run.lines += 1;
            if counting {
                let item = self.spots[at].iter().find(|spot| Some(spot.key) == run.group);
                run.items.extend(item.map(|spot| spot.place));
            }
        }
        run.map(Piece::Run).into_iter().for_each(put);
    }

    /// A line as it is.
    fn whole(&self, at: usize) -> Piece {
        if self.lines[at].rest.is_some() { Piece::Rest(at) } else { Piece::Line(at) }
    }

    /// A line that is not left out, though perhaps some of its text.
    fn keep(&self, at: usize, policy: Policy, put: &mut impl FnMut(Piece)) {
        let text = self.texts[at];
        if text <= policy.text.saturating_add(WORTH) || self.lines[at].node == 0 {
            return put(self.whole(at));
        }
        let left_out = text - policy.text;
        put(Piece::Cut(at, self.widths[at] - left_out));
        put(Piece::More(at, left_out));
    }
}

impl Run {
    fn from(first: usize, depth: u32, group: Option<Key>) -> Self {
        Self { first, depth, group, items: HashSet::new(), lines: 0, rest: 0 }
    }
}

/// How long the text is that a line could do with less of.
fn text_length(line: &Line) -> usize {
    match line.is_text() {
        true => line.head.chars().count(),
        false => inline_text(&line.tail).map_or(0, |text| text.chars().count()),
    }
}

/// The one run of text at the end of an element's line.
pub(crate) fn inline_text(tail: &str) -> Option<&str> {
    let at = tail.find(": \"")?;
    // Cells and states have quotes too.
    let text = &tail[at + 2..];
    (!tail[..at].contains('"') && !text.contains("\" | ") && text.ends_with('"')).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::snapshot::line::Rest;

    fn home() -> Arc<Home> {
        Arc::new(Home::new(1, "main".into(), 1, None))
    }

    fn line(depth: u32, head: &str, node: u32) -> Line {
        Line {
            home: home(),
            depth,
            head: head.to_owned(),
            tail: String::new(),
            ref_id: None,
            node,
            seen: false,
            groups: Vec::new(),
            rest: None,
        }
    }

    /// So many items of a list, element 1.
    fn items(count: u32) -> Vec<Line> {
        let item = |place| Line {
            groups: vec![(home().key(1), place)],
            ..line(1, &format!("listitem \"number {place}\""), 100 + place)
        };
        std::iter::once(line(0, "list", 1)).chain((0..count).map(item)).collect()
    }

    fn told(lines: &[Line], budget: usize) -> Vec<String> {
        let one = |shown: &Shown| match shown {
            Shown::Line(at) => lines[*at].text(),
            Shown::Cut(at, length) => format!("{} cut at {length}", lines[*at].role()),
            Shown::Fold(fold) => {
                format!("… {} from {} in {}", fold.noun.of(fold.count), fold.start, fold.within)
            }
        };
        fit(lines, budget).iter().map(one).collect()
    }

    #[test]
    fn what_fits_is_left_alone() {
        let lines = items(20);
        assert_eq!(told(&lines, 10_000).len(), 21);
    }

    #[test]
    fn the_end_of_a_list_goes_first_and_as_little_as_possible() {
        let lines = items(100);
        let told = told(&lines, 1_000);
        let shown = told.len() - 2;
        assert_eq!(told[1], "listitem \"number 0\"");
        assert_eq!(
            *told.last().unwrap(),
            format!("… {} more items from {} in 1", 100 - shown, 100 + shown)
        );
        let size: usize = lines[..=shown].iter().map(Line::width).sum();
        assert!(size + fold_width(1) <= 1_000 && size + fold_width(1) + 30 > 1_000, "{size}");
    }

    #[test]
    fn what_was_not_walked_joins_the_fold_before_it() {
        let mut lines = items(100);
        lines.push(Line {
            rest: Some(Rest { count: 900, noun: Noun::Items, within: 1 }),
            ..line(1, "…", 200)
        });
        let told = told(&lines, 1_000);
        let shown = told.len() - 2;
        assert_eq!(
            *told.last().unwrap(),
            format!("… {} more items from {} in 1", 1000 - shown, 100 + shown)
        );
    }

    #[test]
    fn a_few_more_are_not_worth_a_fold() {
        // Just too long by one text, which can be cut instead.
        let mut lines = items(11);
        lines.push(line(0, &format!("\"{}\"", "x".repeat(1900)), 7));
        let told = told(&lines, 1_500);
        assert!(told.iter().all(|line| !line.contains("more items")), "{told:?}");
        assert!(told.iter().any(|line| line.contains("more characters from 7 in 7")), "{told:?}");
    }

    #[test]
    fn items_in_view_are_shown_too() {
        let mut lines = items(200);
        lines[150].seen = true;
        let told = told(&lines, 1_000);
        assert!(told.contains(&"listitem \"number 149\"".to_owned()), "{told:?}");
        assert_eq!(told.iter().filter(|line| line.starts_with('…')).count(), 2, "{told:?}");
    }

    #[test]
    fn without_lists_the_end_goes_but_for_headings() {
        let mut lines: Vec<Line> =
            (0..200).map(|n| line(0, &format!("button \"b{n}\""), n + 1)).collect();
        lines[180].head = "heading \"Last\"".into();
        let told = told(&lines, 1_000);
        assert_eq!(told[0], "button \"b0\"");
        assert!(told.contains(&"heading \"Last\"".to_owned()), "{told:?}");
        assert!(told.iter().any(|line| line.contains("more lines from")), "{told:?}");
    }

    #[test]
    fn nothing_is_too_small_a_budget() {
        let lines = items(100);
        assert!(told(&lines, 10).len() <= 2);
        assert!(told(&[], 0).is_empty());
    }
}
