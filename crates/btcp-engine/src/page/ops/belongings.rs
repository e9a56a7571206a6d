//! Ops about all of a document: its content, its storage, what is added to it and drawn over it.

use serde::{Deserialize, Serialize};

use super::{Failed, Named, Step};

/// Asks for all of a document.
#[derive(Debug, Clone, Serialize)]
pub struct ContentRequest {
    /// In which form.
    pub what: ContentKind,
}

/// A form of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ContentKind {
    /// Its markup, passwords apart.
    Html,
    /// What a person reads.
    Text,
    /// Its links.
    Links,
}

/// What `content` answers.
#[derive(Debug, Clone, Deserialize)]
pub struct ContentReply {
    /// Text, or a list of links.
    pub content: serde_json::Value,
}

/// One of the two storages of an origin.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum StorageArea {
    /// What all its documents share.
    Local,
    /// What those in its tab share.
    Session,
}

impl StorageArea {
    /// What scripts call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Local => "localStorage",
            Self::Session => "sessionStorage",
        }
    }
}

/// Reads, sets or clears web storage.
#[derive(Debug, Clone, Serialize)]
#[serde(tag = "do", rename_all = "lowercase")]
pub enum StorageRequest<'a> {
    /// One item, or all.
    Get {
        /// Which storage.
        area: StorageArea,
        /// Which item.
        #[serde(skip_serializing_if = "Option::is_none")]
        key: Option<&'a str>,
    },
    /// Sets an item.
    Set {
        /// Which storage.
        area: StorageArea,
        /// Which item.
        key: &'a str,
        /// Its value.
        value: &'a str,
    },
    /// Removes all items.
    Clear {
        /// Which storage.
        area: StorageArea,
    },
}

/// What `storage` answers.
#[derive(Debug, Clone, Deserialize)]
#[serde(tag = "is", rename_all = "lowercase")]
pub enum StorageReply {
    /// An item, all of them, or null.
    Value {
        /// The value.
        value: serde_json::Value,
    },
    /// It is done.
    Done {
        /// With so many items.
        items: usize,
    },
    /// The document has no storage, or it is full.
    Refused {
        /// Which of the two.
        full: bool,
    },
}

/// Sends an event made by a script.
#[derive(Debug, Clone, Serialize)]
pub struct DispatchRequest<'a> {
    /// To which element.
    pub query: &'a [Step],
    /// The event's name.
    pub event: &'a str,
    /// Its properties.
    pub init: &'a serde_json::Map<String, serde_json::Value>,
    /// Milliseconds to wait for the element to exist.
    pub timeout: u64,
    /// Names this wait.
    pub token: u32,
}

/// What `dispatch` answers.
#[derive(Debug, Clone, Deserialize)]
#[serde(tag = "is", rename_all = "lowercase")]
pub enum DispatchReply {
    /// It was sent.
    Sent {
        /// To this element.
        element: Named,
        /// Whether a handler prevented what would have come of it.
        prevented: bool,
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

/// Gives a document another style sheet.
#[derive(Debug, Clone, Default, Serialize)]
pub struct AddStyleRequest<'a> {
    /// Its rules.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content: Option<&'a str>,
    /// Or where it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub href: Option<&'a str>,
    /// Where the rules came from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base: Option<&'a str>,
    /// Milliseconds it may take to load.
    pub timeout: u64,
}

/// Loads a script into the page's own world.
#[derive(Debug, Clone, Serialize)]
pub struct AddScriptRequest<'a> {
    /// Where it is.
    pub src: &'a str,
    /// Milliseconds it may take to load.
    pub timeout: u64,
}

/// What `addScript` and `addStyle` answer.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct AddReply {
    /// What came of it.
    pub is: Added,
    /// The whole address.
    pub url: String,
}

/// What came of something that was added.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Added {
    /// It is there.
    Added,
    /// The page's policy forbids it.
    Blocked,
    /// It did not load.
    Failed,
}

/// Asks where elements are.
#[derive(Debug, Clone, Serialize)]
pub struct BoxesRequest<'a> {
    /// The page code's numbers.
    pub ids: &'a [u32],
}

/// A number, and left, top, width and height in the frame's viewport.
pub type BoxOf = (u32, f64, f64, f64, f64);

/// Puts marks on a picture, and paints over what it must not show.
#[derive(Debug, Clone, Serialize)]
pub struct DrawRequest<'a> {
    /// The picture, base64.
    pub picture: &'a str,
    /// Its type afterwards.
    pub mime: &'a str,
    /// 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quality: Option<f64>,
    /// The marks, in pixels of the picture.
    pub marks: &'a [DrawnMark],
    /// What is painted over: left, top, right, bottom.
    pub blanks: &'a [(f64, f64, f64, f64)],
}

/// A mark on a picture.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DrawnMark {
    /// What it says.
    pub label: String,
    /// Left.
    pub x: f64,
    /// Top.
    pub y: f64,
    /// Width.
    pub width: f64,
    /// Height.
    pub height: f64,
}

/// What `draw` answers.
#[derive(Debug, Clone, Deserialize)]
pub struct DrawReply {
    /// The picture with the marks, base64; empty if that failed.
    pub picture: String,
}

/// What stands in the fields of a document, and where.
#[derive(Debug, Clone, Serialize)]
pub struct FieldsShownRequest<'a> {
    /// Elements that were given a secret, fields or not.
    pub ids: &'a [u32],
    /// Whether all the document says is wanted, wherever it is.
    pub whole: bool,
}

/// What stands in a field, its number if it was asked for by that, and left, top, right and bottom
/// in the frame's viewport.
pub type FieldShown = (String, u32, f64, f64, f64, f64);

/// What `fieldsShown` answers.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FieldsShown {
    /// The fields that show something.
    pub fields: Vec<FieldShown>,
    /// The title and the markup, if the whole was asked for.
    pub rest: String,
    /// Whether there is more than can be looked at.
    pub too_much: bool,
}
