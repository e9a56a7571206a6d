//! The outline of a document, and what of it no script of ours can see and Chrome is asked.

use serde::{Deserialize, Serialize};

use super::{Failed, Step};

/// Asks for the outline of one document.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SnapshotRequest<'a> {
    /// Only the part below this element.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub root: Option<&'a [Step]>,
    /// What to print.
    pub mode: Mode,
    /// How many levels.
    pub max_depth: u32,
    /// Also what a person cannot see.
    pub include_hidden: bool,
    /// What is far beyond this many characters is counted only; the engine folds exactly.
    pub max_chars: usize,
    /// The element with which to begin, inside the root: opens a fold.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<u32>,
    /// Of the elements that the last look noticed only by what they hold none hides anything.
    #[serde(skip_serializing_if = "is_false")]
    pub met: bool,
    /// For us: nobody asked to see the page, so nothing dear is asked of Chrome.
    #[serde(skip)]
    pub in_passing: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
fn is_false(value: &bool) -> bool {
    !*value
}

/// Which lines a snapshot has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// Everything.
    All,
    /// What can be acted on, and where it stands.
    Interactive,
    /// Headings, lists, tables and text.
    Text,
}

/// What `snapshot` answers.
#[derive(Debug, Clone, Deserialize)]
#[serde(try_from = "SnapshotWire")]
pub enum SnapshotReply {
    /// The outline.
    Outline {
        /// The document's title, cleaned.
        title: String,
        /// The document's address.
        url: String,
        /// Whether it is still loading.
        loading: bool,
        /// The lines, top to bottom.
        lines: Vec<Line>,
        /// How many elements may hide a closed shadow root, or what they are.
        suspects: usize,
        /// How many more could, with nothing that hints at it.
        others: usize,
        /// How many slots there are that the page code knows of.
        slots: usize,
        /// How many elements have a handler for clicks in their markup.
        handlers: usize,
    },
    /// See `ReadyReply::Frame`.
    Frame {
        /// The frame's element.
        id: u32,
        /// Steps used up.
        used: usize,
    },
    /// Why not.
    Failed(Failed),
}

/// The answer as it comes. An enum told apart by one of its fields would be read twice, the first time
/// into a tree of values: a third of all that reading a page costs us.
#[derive(Deserialize)]
struct SnapshotWire {
    is: SnapshotKind,
    #[serde(default)]
    title: String,
    #[serde(default)]
    url: String,
    #[serde(default)]
    loading: bool,
    #[serde(default)]
    lines: Vec<Line>,
    #[serde(default)]
    suspects: usize,
    #[serde(default)]
    others: usize,
    #[serde(default)]
    slots: usize,
    #[serde(default)]
    handlers: usize,
    #[serde(default)]
    id: u32,
    #[serde(default)]
    used: usize,
    #[serde(flatten)]
    failed: Option<Failed>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
enum SnapshotKind {
    Outline,
    Frame,
    Failed,
}

impl TryFrom<SnapshotWire> for SnapshotReply {
    type Error = &'static str;

    fn try_from(wire: SnapshotWire) -> Result<Self, Self::Error> {
        let SnapshotWire { is, title, url, loading, lines, suspects, others, slots, .. } = wire;
        let SnapshotWire { handlers, id, used, failed, .. } = wire;
        match is {
            SnapshotKind::Outline => {
                Ok(Self::Outline { title, url, loading, lines, suspects, others, slots, handlers })
            }
            SnapshotKind::Frame => Ok(Self::Frame { id, used }),
            SnapshotKind::Failed => failed.map(Self::Failed).ok_or("why is missing"),
        }
    }
}

/// One line of an outline: `[depth, head, id, tail, node, seen, groups]`, printed as indent,
/// head, ` eN`, tail.
///
/// `id` is 0 for a line without a ref. A frame's line has its element's number negated: its
/// document follows one level deeper, and a frame line shows no ref. With the head `…` it is a
/// fold: `id` counts, `tail` names what is left out, from the element `node` on, inside `seen`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Line(
    pub u32,
    pub String,
    pub i64,
    pub String,
    pub u32,
    pub u64,
    #[serde(default)] pub Vec<u32>,
);

/// Asks for the elements to ask Chrome about.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct SuspectsRequest {
    /// Nobody has looked at the document: look for custom elements now.
    pub search: bool,
    /// Also those that nothing hints at, if there are no more of them than this.
    pub others: usize,
}

/// Tells what Chrome says of custom elements; those that are new go along by handle.
#[derive(Debug, Clone, Serialize)]
pub struct InternalsRequest<'a> {
    /// Chrome's ids.
    pub ids: &'a [i64],
    /// For each, attributes that would say the same.
    pub told: &'a [Vec<(&'static str, String)>],
}

/// What `internals` answers.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct InternalsReply {
    /// Whether the outline may be another now.
    pub news: bool,
    /// Ids of those that have something to tell.
    pub again: Vec<i64>,
}

/// Tells who listens for clicks; the elements of `fresh` go along by handle.
#[derive(Debug, Clone, Serialize)]
pub struct ListenersRequest<'a> {
    /// Chrome's ids of all that do.
    pub ids: &'a [i64],
    /// Chrome's ids of those the page code is handed.
    pub fresh: &'a [i64],
}
