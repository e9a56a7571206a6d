//! Ops that look: reading, finding, waiting, frames and what came of an event.

use serde::{Deserialize, Serialize};

use super::{Failed, Named, Step};

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
    /// Whether passwords may be told.
    pub reveal: bool,
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
    /// The links in it.
    Links,
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
    /// Only what a person can see, and of matches inside each other the outermost.
    pub seen: bool,
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
        /// Whether the words asked for are all that was looked at in them, not only a part of it.
        whole: bool,
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
        /// Whether something was found, though not as it should be.
        near: bool,
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
    /// Only look: scroll nothing into view.
    pub still: bool,
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
    /// It is no longer on the page: what it held is shown to nobody.
    #[serde(default)]
    pub gone: bool,
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
    /// Also tell what the field holds then.
    pub field: bool,
    /// Names this wait.
    pub token: u32,
}

/// What a page has copied.
#[derive(Debug, Clone, Default, Deserialize)]
pub struct Copied {
    /// As plain text.
    pub text: String,
    /// As markup, if there is some.
    #[serde(default)]
    pub html: Option<String>,
    /// When, in milliseconds since 1970.
    pub at: f64,
}

/// For `paste`.
#[derive(Debug, Clone, Serialize)]
pub struct PasteRequest<'a> {
    /// As plain text.
    pub text: &'a str,
    /// As markup.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub html: Option<&'a str>,
}

/// What `settle` answers.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Settled {
    /// What the field holds, where that was asked.
    #[serde(default)]
    pub field: Option<FieldValue>,
    /// Whether the document changed since `ready`.
    pub changed: bool,
    /// Who received the event, when that was not the element or something inside it.
    #[serde(default)]
    pub received_by: Option<String>,
    /// Over whom the button was let go, where the press was the element's and this was not.
    pub released_over: Option<String>,
    /// `print`, or the names of permissions that were asked for and denied.
    #[serde(default)]
    pub asked: Vec<String>,
    /// What was copied.
    #[serde(default)]
    pub copied: Option<Copied>,
    /// Whether any element received it, or could have out of our sight.
    pub received: bool,
    /// Whether it was still changing at the limit.
    pub busy: bool,
}

/// Asks to scroll the element of a place, or the page.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ScrollRequest {
    /// The element; absent for the page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<u32>,
    /// How.
    pub by: ScrollBy,
}

/// How to scroll.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum ScrollBy {
    /// So many pixels to the right and down.
    Pixels(f64, f64),
    /// To the very top.
    Top,
    /// To the very end.
    Bottom,
    /// Until the element is in the middle of the view.
    IntoView,
}

/// What `scroll` answers: how far it is scrolled now.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct ScrollReply {
    /// CSS pixels.
    pub x: f64,
    /// CSS pixels.
    pub y: f64,
    /// Whether it moved.
    pub moved: bool,
    /// Whether there is more below.
    pub more: bool,
}

/// What `moved` answers: whether the mouse has reached the document since it was armed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub struct Moved {
    /// Whether it has.
    pub moved: bool,
}
