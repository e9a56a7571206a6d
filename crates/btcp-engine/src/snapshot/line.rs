//! One line of a page, with all that is needed to print, fold and compare it.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use crate::refs::Place;

/// The document lines come from.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Home {
    pub(crate) tab: u32,
    pub(crate) frame: String,
    pub(crate) document: u64,
    /// Its address, where that is not the page's own.
    pub(crate) url: Option<String>,
    key: u64,
}

impl Home {
    pub(crate) fn new(tab: u32, frame: String, document: u64, url: Option<String>) -> Self {
        let key = Self::key_of(&frame, document);
        Self { tab, frame, document, url, key }
    }

    /// A document, among all documents.
    pub(crate) fn key_of(frame: &str, document: u64) -> u64 {
        let mut hasher = DefaultHasher::new();
        (frame, document).hash(&mut hasher);
        hasher.finish()
    }

    pub(crate) fn place(&self, id: u32) -> Place {
        Place { tab: self.tab, frame: self.frame.clone(), document: self.document, id }
    }

    /// An element of this document, among those of all documents.
    pub(crate) fn key(&self, node: u32) -> Key {
        (self.key, node)
    }
}

/// An element, for comparing.
pub(crate) type Key = (u64, u32);

/// A line of the outline.
#[derive(Debug, Clone)]
pub(crate) struct Line {
    pub(crate) home: Arc<Home>,
    pub(crate) depth: u32,
    /// Role and name, or quoted text.
    pub(crate) head: String,
    /// Value, states, address, cells: what stands after the ref.
    pub(crate) tail: String,
    /// The page code's number of the element, if the line shows a ref.
    pub(crate) ref_id: Option<u32>,
    /// The page code's number of the element the line is about; 0 if none.
    pub(crate) node: u32,
    /// In view, as far as that was asked.
    pub(crate) seen: bool,
    /// Containers of many of a kind around it, inner ones first, and its place there.
    pub(crate) groups: Vec<(Key, u32)>,
    /// What was counted, not walked.
    pub(crate) rest: Option<Rest>,
}

/// Part of a document that was left out: all of `within` from the line's node on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Rest {
    pub(crate) count: u64,
    pub(crate) noun: Noun,
    /// The page code's number of the element; 0 for the document.
    pub(crate) within: u32,
}

/// What is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Noun {
    Rows,
    Items,
    Lines,
    Characters,
}

impl Noun {
    pub(crate) fn read(word: &str) -> Self {
        match word {
            "rows" => Self::Rows,
            "characters" => Self::Characters,
            _ => Self::Items,
        }
    }

    pub(crate) fn of(self, count: u64) -> String {
        let word = match self {
            Self::Rows => "row",
            Self::Items => "item",
            Self::Lines => "line",
            Self::Characters => "character",
        };
        format!("{count} more {word}{}", if count == 1 { "" } else { "s" })
    }
}

impl Line {
    /// As it is compared: without its ref.
    pub(crate) fn text(&self) -> String {
        match &self.rest {
            Some(rest) => format!("… {}", rest.noun.of(rest.count)),
            None => format!("{}{}", self.head, self.tail),
        }
    }

    /// Text of the page, not an element.
    pub(crate) fn is_text(&self) -> bool {
        self.head.starts_with('"')
    }

    pub(crate) fn role(&self) -> &str {
        self.head.split([' ', ':']).next().unwrap_or_default()
    }

    /// How many characters it takes, line break and the longest form of a ref included.
    pub(crate) fn width(&self) -> usize {
        if self.rest.is_some() {
            return fold_width(self.depth);
        }
        let mark = if self.ref_id.is_some() { REF_WIDTH } else { 0 };
        1 + indent(self.depth).len() + self.head.chars().count() + self.tail.chars().count() + mark
    }
}

/// ` @ref:12345`.
pub(crate) const REF_WIDTH: usize = 11;

/// `… 12345 more characters, @ref:12345 to expand`.
pub(crate) fn fold_width(depth: u32) -> usize {
    1 + indent(depth).len() + 48
}

pub(crate) const DEEPEST: u32 = 24;

pub(crate) fn indent(depth: u32) -> &'static str {
    const SPACES: &str = "                                                ";
    &SPACES[..2 * depth.min(DEEPEST) as usize]
}
