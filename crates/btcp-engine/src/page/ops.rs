//! The messages between the engine and `page.js`, one pair of types per op.
//!
//! These are the only engine types that are serialized: they travel to our own
//! JavaScript in the isolated world and back. `web/page/src/ops` holds the other
//! side; the TypeScript types there must say the same. How a call reaches the page
//! is `page.rs`.

mod acting;
mod belongings;
mod looking;
mod outline;

use serde::{Deserialize, Serialize};

pub use self::acting::*;
pub use self::belongings::*;
pub use self::looking::*;
pub use self::outline::*;

/// One part of a target. A query is a list of them: each is looked for inside the one before.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "by", rename_all = "lowercase")]
pub enum Step {
    /// An element the page code has met before, by the number it gave it (local to one document).
    Ref {
        /// The page code's number, not the session-wide ref.
        id: u32,
    },
    /// A CSS selector; open shadow roots are searched too.
    Css {
        /// The selector.
        value: String,
    },
    /// An XPath expression.
    Xpath {
        /// The expression.
        value: String,
    },
    /// The smallest elements whose text is, or else contains, this.
    Text {
        /// Text to look for, white space folded, case ignored unless exact.
        value: String,
        /// Only whole, case-sensitive matches.
        exact: bool,
    },
    /// A role and optionally an accessible name.
    Role {
        /// Role as the snapshot prints it.
        role: String,
        /// Accessible name.
        name: Option<String>,
        /// Only whole, case-sensitive matches of the name.
        exact: bool,
    },
    /// A form control by its accessible label.
    Label {
        /// Label text.
        value: String,
        /// Only whole, case-sensitive matches.
        exact: bool,
    },
    /// A control by its placeholder.
    Placeholder {
        /// Placeholder text.
        value: String,
        /// Only whole, case-sensitive matches.
        exact: bool,
    },
    /// An element by its `alt` text.
    Alt {
        /// Alternative text.
        value: String,
        /// Only whole, case-sensitive matches.
        exact: bool,
    },
    /// An element by its `title` attribute.
    Title {
        /// Title text.
        value: String,
        /// Only whole, case-sensitive matches.
        exact: bool,
    },
    /// An element by `data-testid`, exactly.
    Testid {
        /// The test id.
        value: String,
    },
    /// The n-th match of the steps before it; −1 is the last.
    Nth {
        /// Index from 0, negative from the end.
        index: i32,
    },
}

impl Step {
    /// Whether it names what something is to a person, so that several equal matches leave open
    /// which is meant.
    pub fn has_meaning(&self) -> bool {
        match self {
            Self::Text { .. } | Self::Role { .. } | Self::Label { .. } => true,
            Self::Placeholder { .. } | Self::Alt { .. } | Self::Title { .. } => true,
            Self::Ref { .. } | Self::Css { .. } | Self::Xpath { .. } => false,
            Self::Testid { .. } | Self::Nth { .. } => false,
        }
    }
}

/// What an element is going to be used for; decides which checks `ready` makes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Purpose {
    /// Pressing the mouse on it: visible, still, enabled, on top.
    Click,
    /// Moving the mouse over it: visible, still, on top.
    Hover,
    /// Typing keys into it: visible, enabled, editable; it is focused, the caret at the end.
    Type,
    /// Giving it a value: like `Type`; see `ReadyRequest::value`.
    Fill,
    /// Ticking it or not: like `Fill`, for check boxes, radio buttons and switches only.
    Check,
    /// Choosing in a select: like `Fill`; see `ReadyRequest::choices`.
    Select,
    /// Giving it the keyboard focus: visible, enabled.
    Focus,
    /// Selecting all it holds: like `Focus`.
    SelectAll,
    /// Picking it up with the mouse: like `Click`.
    Drag,
    /// Scrolling to it or taking its picture: exists and has a box.
    See,
    /// Giving it files: enabled; what is no file field is pressed or has them dropped on it.
    Upload,
}

/// Where in its box an element is to be pressed.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Offset {
    /// CSS pixels from the left edge.
    pub x: f64,
    /// CSS pixels from the top edge.
    pub y: f64,
}

/// Asks the page to wait until an element can be acted on.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ReadyRequest<'a> {
    /// Which element.
    pub query: &'a [Step],
    /// What for.
    pub purpose: Purpose,
    /// Point inside the element; its middle when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub position: Option<Offset>,
    /// With `Fill`: the value to give it, as text (`true`/`false` for check boxes).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<&'a str>,
    /// With `Type`: select what is there, so that typing replaces it.
    pub replace: bool,
    /// With `Select`: the options, by value, label or index.
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    pub choices: &'a [String],
    /// With `Click`: by the right button, which follows nothing.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub aside: bool,
    /// Only whether and where: nothing is focused, filled or watched.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub dry: bool,
    /// Milliseconds after which waiting ends with the reason it did not come true.
    pub timeout: u64,
    /// Names this wait, so that `cancel` can end it.
    pub token: u32,
}

/// The op that is `ready` and puts text in at once: what it does is a person's doing to the page.
pub(crate) const FILL: &str = "fill";

/// Asks for what the field holds that a `ready` has filled.
#[derive(Debug, Serialize)]
pub(crate) struct FilledRequest {
    /// Of that wait.
    pub(crate) token: u32,
}

/// An element as errors and results name it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Named {
    /// The page code's number for it.
    pub id: u32,
    /// How the snapshot would print its role and name: `button "Sign in"`.
    pub what: String,
}

/// What `ready` answers.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase", tag = "is")]
pub enum ReadyReply {
    /// It can be acted on now.
    Ready(ReadyElement),
    /// A step found a frame and steps remain: go on inside it.
    Frame {
        /// The frame's element.
        id: u32,
        /// How many steps of the query have been used up.
        used: usize,
    },
    /// It cannot be acted on, and why.
    Failed(Failed),
}

/// An element that can be acted on.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ReadyElement {
    /// The page code's number for it.
    pub id: u32,
    /// How the snapshot would print it.
    pub what: String,
    /// Where to press, in CSS pixels of this frame's viewport.
    pub x: f64,
    /// See `x`.
    pub y: f64,
    /// How many elements matched the query.
    pub matched: usize,
    /// The event goes to this other element on its behalf (its label).
    #[serde(default)]
    pub through: Option<String>,
    /// Nothing of its document lies over that point: nothing of those around it may either.
    #[serde(default)]
    pub tested: bool,
    /// With `Fill`: what is left to do.
    #[serde(default)]
    pub fill: Option<FillPlan>,
    /// With `Focus`: it does not take the focus.
    #[serde(default)]
    pub unfocused: bool,
    /// With `Upload`: how files get there.
    #[serde(default)]
    pub files: Option<FileNeeds>,
    /// The press goes on into the document of this frame, which nobody has asked yet.
    #[serde(default)]
    pub frame: bool,
    /// A password field.
    #[serde(default)]
    pub secret: bool,
    /// What it holds once it was filled; asked apart.
    #[serde(skip)]
    pub(crate) field: Option<FieldValue>,
}

/// What an element wants of files.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct FileNeeds {
    /// How they get there.
    pub plan: FilePlan,
    /// Whether it takes several.
    pub multiple: bool,
    /// Whether it takes a whole folder.
    pub folder: bool,
    /// What the page would like, as it wrote it.
    pub accept: String,
}

/// How files get to an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FilePlan {
    /// It is a file field.
    Set,
    /// Pressing it may open a chooser.
    Press,
    /// They may be dropped on it.
    Drop,
}

/// Asks what a file field holds; without a number it is handed over.
#[derive(Debug, Serialize)]
pub struct FilesRequest {
    /// The page code's number for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<u32>,
}

/// What `files` answers.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase", tag = "is")]
pub enum FilesReply {
    /// A file field.
    Field(FileField),
    /// None, or none any more.
    None,
}

/// A file field and what it holds.
#[derive(Debug, Deserialize)]
pub struct FileField {
    /// The page code's number for it.
    pub id: u32,
    /// How the snapshot would print it.
    pub what: String,
    /// What it wants.
    pub needs: FileNeeds,
    /// Whether it is disabled.
    pub disabled: bool,
    /// What it holds.
    pub files: Vec<HeldFile>,
}

/// A file in a field.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct HeldFile {
    /// Its name.
    pub name: String,
    /// Its bytes.
    pub size: u64,
}

/// What `dropped` answers.
#[derive(Debug, Deserialize)]
pub struct Dropped {
    /// Whether the page took what was let go over it.
    pub dropped: bool,
}

/// How a value gets into a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FillPlan {
    /// The field has the focus and its content is selected: insert the text, trusted.
    Insert,
    /// As `Insert`, but the value is empty: press Delete.
    Delete,
    /// The page code has set it already (date, color, range, select …).
    Done,
    /// A check box or radio button that must be clicked to change.
    Click,
    /// A list the page made itself: its options are to be clicked (`choices`).
    List,
    /// It already has that value.
    Same,
}

/// Why an element cannot be acted on or read.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Failed {
    /// The reason.
    pub why: Why,
    /// The element, once one was found.
    #[serde(default)]
    pub element: Option<Named>,
    /// What lies on top (`covered`), the message of a bad selector, the value that does not fit.
    #[serde(default)]
    pub detail: Option<String>,
    /// Elements like the one asked for (`not_found`, `stale`), the equal matches (`ambiguous`).
    #[serde(default)]
    pub similar: Vec<Named>,
    /// How many matched (`ambiguous`); the options of a select (`no_such_option`) are in `options`.
    #[serde(default)]
    pub matched: usize,
    /// What could have been chosen instead.
    #[serde(default)]
    pub options: Vec<String>,
}

/// The reasons, by their stable names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Why {
    /// Nothing matches.
    NotFound,
    /// The element of a ref has left its document.
    Stale,
    /// Several equal matches.
    Ambiguous,
    /// No box, hidden or transparent to events.
    NotVisible,
    /// Its box does not rest and the hit test does not confirm it.
    Moving,
    /// Disabled.
    Disabled,
    /// Something else would receive the event.
    Covered,
    /// Not a field, or read-only.
    NotEditable,
    /// The select has no such option.
    NoSuchOption,
    /// The value does not fit the field (a date field given words).
    BadValue,
    /// The point is outside the viewport and cannot be scrolled into it.
    OutsideViewport,
    /// The selector does not parse.
    BadSelector,
    /// Pressing it runs the script in its address.
    Script,
    /// The wait was cancelled.
    Cancelled,
}

/// Asks which tools a document declares for agents.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PageToolsRequest<'a> {
    /// Only those of this name.
    pub name: Option<&'a str>,
    /// So many of them.
    pub most: usize,
    /// Characters of each name and description.
    pub longest_text: usize,
    /// Characters a schema may have.
    pub longest_schema: usize,
}

/// The tools a document declares.
#[derive(Debug, Deserialize)]
pub struct PageToolsReply {
    /// Those that were asked for.
    pub tools: Vec<DeclaredTool>,
    /// How many more there are.
    pub more: usize,
}

/// A tool.
#[derive(Debug, Deserialize)]
pub struct DeclaredTool {
    /// Its name.
    pub name: String,
    /// The origin of its document.
    pub origin: String,
    /// What it does.
    pub description: String,
    /// The JSON Schema of its arguments as text; empty if that is too long.
    pub schema: String,
}

/// Asks what a document's origin has in web storage.
#[derive(Debug, Serialize)]
pub struct CopyStorageRequest {
    /// Characters of keys and values, for each of the two kinds.
    pub limit: usize,
    /// The same for databases, where they are wanted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub databases: Option<usize>,
}

/// What a document's origin has in web storage.
#[derive(Debug, Deserialize)]
pub struct StorageCopy {
    /// The origin.
    pub origin: String,
    /// What all its documents share.
    pub local: Stored,
    /// What those in its tab share.
    pub session: Stored,
    /// Its databases (IndexedDB), where they were asked for.
    #[serde(default = "nothing")]
    pub databases: Stored,
}

fn nothing() -> Stored {
    Stored::Nothing
}

/// The items of one storage.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub enum Stored {
    /// As the page code wrote them; nobody else reads them.
    Items(String),
    /// More than was asked for.
    TooMuch(bool),
    /// None.
    Nothing,
}

/// Gives a document's origin its storage back.
#[derive(Debug, Serialize)]
pub struct PutStorageRequest<'a> {
    /// As it was copied.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub local: Option<&'a str>,
    /// As it was copied.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session: Option<&'a str>,
    /// As they were copied.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub databases: Option<&'a str>,
    /// Whether it takes the place of what is there.
    pub replace: bool,
}
