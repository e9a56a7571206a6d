//! What `Page` reports: frames, documents, dialogs, downloads.

use serde::Deserialize;

use super::Frame;

/// A frame was put into a document.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FrameAttached {
    /// The frame.
    pub frame_id: String,
    /// The frame around it.
    pub parent_frame_id: String,
}

event!(FrameAttached, "Page.frameAttached");

/// A frame is gone, or lives in another process now.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FrameDetached {
    /// The frame.
    pub frame_id: String,
    /// `remove`, or `swap` if another session has it now.
    #[serde(default)]
    pub reason: String,
}

event!(FrameDetached, "Page.frameDetached");

/// A frame has a new document.
#[derive(Debug, Clone, Deserialize)]
pub struct FrameNavigated {
    /// The frame with it.
    pub frame: Frame,
    /// `Navigation` or `BackForwardCacheRestore`.
    #[serde(rename = "type")]
    pub kind: Option<String>,
}

event!(FrameNavigated, "Page.frameNavigated");

/// The address changed, the document did not.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct NavigatedWithinDocument {
    /// The frame.
    pub frame_id: String,
    /// The new address.
    pub url: String,
    /// `fragment`, `historyApi` or `other`.
    pub navigation_type: Option<String>,
}

event!(NavigatedWithinDocument, "Page.navigatedWithinDocument");

/// A frame's spinner went on.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FrameStartedLoading {
    /// The frame.
    pub frame_id: String,
}

event!(FrameStartedLoading, "Page.frameStartedLoading");

/// A frame's spinner went off.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FrameStoppedLoading {
    /// The frame.
    pub frame_id: String,
}

event!(FrameStoppedLoading, "Page.frameStoppedLoading");

/// A navigation began (experimental).
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FrameStartedNavigating {
    /// The frame.
    pub frame_id: String,
    /// Where to.
    pub url: String,
    /// The document that is coming.
    pub loader_id: String,
    /// `reload`, `sameDocument`, `differentDocument` and more.
    pub navigation_type: Option<String>,
}

event!(FrameStartedNavigating, "Page.frameStartedNavigating");

/// The page itself asked to go elsewhere.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FrameRequestedNavigation {
    /// The frame.
    pub frame_id: String,
    /// `anchorClick`, `formSubmissionPost`, `scriptInitiated` and more.
    #[serde(default)]
    pub reason: String,
    /// Where to.
    pub url: String,
    /// `currentTab`, `newTab`, `newWindow` or `download`.
    #[serde(default)]
    pub disposition: String,
}

event!(FrameRequestedNavigation, "Page.frameRequestedNavigation");

/// A document got further.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LifecycleEvent {
    /// The frame.
    pub frame_id: String,
    /// The document.
    pub loader_id: String,
    /// `init`, `commit`, `DOMContentLoaded`, `load`, `networkIdle` and more.
    pub name: String,
    /// Seconds on Chrome's monotonic clock.
    pub timestamp: f64,
}

event!(LifecycleEvent, "Page.lifecycleEvent");

/// The page's `load` event.
#[derive(Debug, Clone, Deserialize)]
pub struct LoadEventFired {
    /// Seconds on Chrome's monotonic clock.
    pub timestamp: f64,
}

event!(LoadEventFired, "Page.loadEventFired");

/// The page's `DOMContentLoaded` event.
#[derive(Debug, Clone, Deserialize)]
pub struct DomContentEventFired {
    /// Seconds on Chrome's monotonic clock.
    pub timestamp: f64,
}

event!(DomContentEventFired, "Page.domContentEventFired");

/// A dialog is open; the page stands still until it is answered.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct JavascriptDialogOpening {
    /// Address of the frame that opened it.
    pub url: String,
    /// The frame that opened it.
    pub frame_id: Option<String>,
    /// What it says.
    pub message: String,
    /// `alert`, `confirm`, `prompt` or `beforeunload`.
    #[serde(rename = "type")]
    pub kind: String,
    /// Chrome shows it to a person.
    #[serde(default)]
    pub has_browser_handler: bool,
    /// What a prompt suggests.
    pub default_prompt: Option<String>,
}

event!(JavascriptDialogOpening, "Page.javascriptDialogOpening");

/// A dialog was answered or dropped.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct JavascriptDialogClosed {
    /// The frame that had opened it.
    pub frame_id: Option<String>,
    /// Whether it was accepted.
    pub result: bool,
    /// What was entered into a prompt.
    #[serde(default)]
    pub user_input: String,
}

event!(JavascriptDialogClosed, "Page.javascriptDialogClosed");

/// The page opens a window.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct WindowOpen {
    /// Where to.
    pub url: String,
    /// The name given to it.
    #[serde(default)]
    pub window_name: String,
    /// The features asked for.
    #[serde(default)]
    pub window_features: Vec<String>,
    /// Whether a person's action was behind it.
    #[serde(default)]
    pub user_gesture: bool,
}

event!(WindowOpen, "Page.windowOpen");

/// A file chooser would have opened.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FileChooserOpened {
    /// The frame.
    pub frame_id: String,
    /// `selectSingle` or `selectMultiple`.
    pub mode: String,
    /// The file input, if there is one.
    pub backend_node_id: Option<i64>,
}

event!(FileChooserOpened, "Page.fileChooserOpened");

/// A download begins; deprecated in favour of `Browser`'s.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DownloadWillBegin {
    /// The frame that caused it.
    pub frame_id: String,
    /// Names the download.
    pub guid: String,
    /// Where the file is.
    pub url: String,
    /// What the server or the page called it.
    pub suggested_filename: String,
}

event!(DownloadWillBegin, "Page.downloadWillBegin");

/// A frame of the page, as it is shown.
#[derive(Debug, Clone, Deserialize)]
pub struct ScreencastFrame {
    /// The picture in base64.
    pub data: String,
}

event!(ScreencastFrame, "Page.screencastFrame");
