//! The messages between the engine and `page.js`, one pair of types per op.
//!
//! These are the only engine types that are serialized: they travel to our own
//! JavaScript in the isolated world and back. `web/page/src/ops` holds the other
//! side; the TypeScript types there must say the same. How a call reaches the page
//! is `page.rs`.

use serde::{Deserialize, Serialize};

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
    /// Giving it the keyboard focus: visible, enabled.
    Focus,
    /// Scrolling to it or taking its picture: exists and has a box.
    See,
}

/// Where in its box an element is to be pressed.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
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
    /// Milliseconds after which waiting ends with the reason it did not come true.
    pub timeout: u64,
    /// Names this wait, so that `cancel` can end it.
    pub token: u32,
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
    /// With `Fill`: what is left to do.
    #[serde(default)]
    pub fill: Option<FillPlan>,
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
    /// The wait was cancelled.
    Cancelled,
}

/// Asks for a property of an element.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ReadRequest<'a> {
    /// Which element.
    pub query: &'a [Step],
    /// Which property.
    pub what: Property,
    /// The attribute's name, with `Property::Attribute`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attribute: Option<&'a str>,
    /// Milliseconds to wait for the element to exist.
    pub timeout: u64,
    /// Names this wait.
    pub token: u32,
}

/// What can be read from an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Property {
    /// `textContent`.
    Text,
    /// `innerText`.
    InnerText,
    /// `innerHTML`.
    InnerHtml,
    /// `outerHTML`.
    OuterHtml,
    /// A field's value.
    Value,
    /// An attribute.
    Attribute,
    /// Whether a person can see it.
    Visible,
    /// Whether it is enabled.
    Enabled,
    /// Whether it is checked.
    Checked,
    /// Its box in the viewport `{x,y,width,height}`.
    Box,
}

/// What `read` answers.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase", tag = "is")]
pub enum ReadReply {
    /// The value.
    Value {
        /// The element it was read from.
        element: Named,
        /// Text, boolean, box or null.
        value: serde_json::Value,
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

/// Asks how many elements match, at once.
#[derive(Debug, Clone, Serialize)]
pub struct FindRequest<'a> {
    /// Which elements.
    pub query: &'a [Step],
    /// How many to name in `matches`.
    pub limit: usize,
}

/// What `find` answers.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase", tag = "is")]
pub enum FindReply {
    /// The matches.
    Found {
        /// How many.
        count: usize,
        /// How many of them a person can see.
        visible: usize,
        /// The first `limit`, in document order.
        matches: Vec<Named>,
    },
    /// See `ReadyReply::Frame`.
    Frame {
        /// The frame's element.
        id: u32,
        /// Steps used up.
        used: usize,
    },
    /// Why not (a selector that does not parse, a stale ref).
    Failed(Failed),
}

/// Asks the page to wait for a state.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct WaitRequest<'a> {
    /// What must come true.
    pub until: Until<'a>,
    /// Milliseconds.
    pub timeout: u64,
    /// Names this wait.
    pub token: u32,
}

/// A condition a page can watch for itself.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase", tag = "is")]
pub enum Until<'a> {
    /// An element is in the document.
    Attached {
        /// Which.
        query: &'a [Step],
    },
    /// No such element is in the document.
    Detached {
        /// Which.
        query: &'a [Step],
    },
    /// A person can see it.
    Visible {
        /// Which.
        query: &'a [Step],
    },
    /// No person can see it (absent counts).
    Hidden {
        /// Which.
        query: &'a [Step],
    },
    /// The text is visible on the page.
    Text {
        /// The text, white space folded, case ignored.
        text: &'a str,
    },
    /// The text is not visible on the page.
    Gone {
        /// The text.
        text: &'a str,
    },
}

/// What `wait` answers.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase", tag = "is")]
pub enum WaitReply {
    /// It came true.
    Met {
        /// The element, where there is one.
        #[serde(default)]
        element: Option<Named>,
    },
    /// It did not within the time; what the page saw last.
    Unmet {
        /// A state in words: `it is in the document but not visible`.
        state: String,
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
    /// Stop after about this many characters; the engine cuts exactly.
    pub max_chars: usize,
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
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase", tag = "is")]
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
        /// How many lines were left out at `max_chars`.
        more: usize,
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

/// One line of an outline: `[depth, head, id, tail]`, printed as indent, head, ` eN`, tail.
///
/// `id` is 0 for a line without a ref. A frame's line has its element's number negated: its
/// document follows one level deeper, and a frame line shows no ref.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Line(pub u32, pub String, pub i64, pub String);

/// Asks for a point of a child frame in this frame's coordinates.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FramePointRequest {
    /// The frame's element.
    pub id: u32,
    /// The point in the child's viewport.
    pub x: f64,
    /// See `x`.
    pub y: f64,
    /// Fail with `covered` if something lies over the frame there.
    pub hit: bool,
}

/// What `framePoint` answers.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase", tag = "is")]
pub enum FramePointReply {
    /// The point in this frame's viewport.
    Point {
        /// CSS pixels.
        x: f64,
        /// CSS pixels.
        y: f64,
    },
    /// Why not.
    Failed(Failed),
}

/// Names one element by number (`fieldValue`, `describe`, `element`).
#[derive(Debug, Clone, Copy, Serialize)]
pub struct ElementRequest {
    /// The page code's number.
    pub id: u32,
}

/// What `fieldValue` answers: what stands in a field now.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FieldValue {
    /// The value; for check boxes `true` or `false`; for passwords empty.
    pub value: String,
    /// How many characters the value has.
    pub length: usize,
    /// A password or secret field: only the length may be shown.
    pub secret: bool,
}

/// What `head` answers: the document by itself.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Head {
    /// Its title as the document has it.
    pub title: String,
    /// Its address.
    pub url: String,
    /// HTTP status of its main response, 0 when there was none.
    pub status: u16,
}

/// What `measure` answers, in CSS pixels.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Measure {
    /// Viewport.
    pub width: f64,
    /// Viewport.
    pub height: f64,
    /// Whole page.
    pub page_width: f64,
    /// Whole page.
    pub page_height: f64,
    /// How far it is scrolled.
    pub scroll_x: f64,
    /// How far it is scrolled.
    pub scroll_y: f64,
}

/// Asks what came of an event (`settle`); `ready` has armed the watching.
#[derive(Debug, Clone, Serialize)]
pub struct SettleRequest {
    /// The element the event was meant for.
    pub id: u32,
    /// Milliseconds to watch if nothing happens at all.
    pub watch: u64,
    /// Milliseconds to wait at the most for a quiet frame.
    pub limit: u64,
    /// Names this wait.
    pub token: u32,
}

/// What `settle` answers.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Settled {
    /// Whether the document changed since `ready`.
    pub changed: bool,
    /// Who received the event, when that was not the element or something inside it.
    #[serde(default)]
    pub received_by: Option<String>,
    /// Whether any element received it.
    pub received: bool,
    /// Whether it was still changing at the limit.
    pub busy: bool,
}
