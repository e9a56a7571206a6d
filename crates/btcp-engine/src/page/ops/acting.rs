//! Ops that act or prepare acting beyond `ready`: points, drags, lists a page made itself.

use serde::{Deserialize, Serialize};

use super::{Named, Offset};

/// What `pressed` answers: whether a press was kept from the page because it would have hit
/// something else.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub struct Pressed {
    /// Whether it was.
    pub blocked: bool,
}

/// A point of a frame's viewport (`elementAt`).
#[derive(Debug, Clone, Copy, Serialize)]
pub struct PointRequest {
    /// CSS pixels.
    pub x: f64,
    /// CSS pixels.
    pub y: f64,
}

/// What `elementAt` answers.
#[derive(Debug, Clone, Deserialize)]
pub struct ElementAtReply {
    /// What would receive the mouse there.
    #[serde(default)]
    pub element: Option<Named>,
    /// It is a frame: the point in that frame's viewport.
    #[serde(default)]
    pub inner: Option<Offset>,
    /// What would run the script in its address if it were pressed there.
    #[serde(default)]
    pub script: Option<Named>,
}

/// Asks what a key would set off (`keyed`).
#[derive(Debug, Clone, Copy, Serialize)]
pub struct KeyedRequest {
    /// `Enter` or `Space`.
    pub key: &'static str,
}

/// What `keyed` answers.
#[derive(Debug, Clone, Deserialize)]
pub struct KeyedReply {
    /// What would run the script in its address by that key.
    #[serde(default)]
    pub script: Option<Named>,
    /// The frame that has the focus.
    #[serde(default)]
    pub frame: Option<u32>,
}

/// What `dragged` answers: what drag and drop came of a press.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub struct DragReply {
    /// Whether drag and drop began; otherwise the page had pointer moves only.
    pub began: bool,
    /// Whether what was dropped was taken, once it has ended.
    #[serde(default)]
    pub taken: Option<bool>,
}

/// Asks for the options of a list the page made itself.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct ChoicesRequest<'a> {
    /// The list, or what opens it.
    pub id: u32,
    /// The options wanted, by value, label or index.
    pub choices: &'a [String],
    /// Whether it was opened already, so that it is worth waiting for.
    pub opened: bool,
    /// Milliseconds to wait for options to be there.
    pub timeout: u64,
    /// Names this wait.
    pub token: u32,
}

/// What `choices` answers.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase", tag = "is")]
pub enum ChoicesReply {
    /// The list is closed: click to open it.
    Closed,
    /// These are to be clicked, in this order; none if all is chosen already.
    Options {
        /// The options.
        click: Vec<Named>,
    },
    /// There is no such option.
    Missing {
        /// The one that was wanted.
        choice: String,
        /// Those there are.
        options: Vec<String>,
        /// Words can be typed to find it.
        #[serde(default)]
        typable: bool,
    },
    /// It takes one option only.
    Single,
}

/// Puts text into a field of one document (`insert`).
#[derive(Debug, Clone, Serialize)]
pub struct InsertRequest<'a> {
    /// The field.
    pub id: u32,
    /// Characters, each with the code of the key that makes it, if one does.
    pub pieces: &'a [(&'a str, &'a str)],
}

/// What `insert` answers.
#[derive(Debug, Clone, Copy, Deserialize)]
pub struct InsertReply {
    /// How many of them are in.
    pub inserted: usize,
}
