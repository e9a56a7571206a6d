//! `Page`: navigation, frames, capture and dialogs of one page.
//!
//! What Chrome reports on its own is in `events.rs`.

mod events;

use serde::{Deserialize, Serialize};

pub use events::*;

/// Reports the events of this domain. Must be on before a dialog opens.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Enable;

command!(Enable, "Page.enable");

/// Reports [`LifecycleEvent`]s.
#[derive(Debug, Clone, Copy, Default, Serialize)]
pub struct SetLifecycleEventsEnabled {
    /// Whether to report.
    pub enabled: bool,
}

command!(SetLifecycleEventsEnabled, "Page.setLifecycleEventsEnabled");

/// Loads an address.
#[derive(Debug, Clone, Copy, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Navigate<'a> {
    /// The address.
    pub url: &'a str,
    /// The frame; the page's own if left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub frame_id: Option<&'a str>,
    /// What to send as referrer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub referrer: Option<&'a str>,
    /// How it counts in the history: `typed`, `link` and the like.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub transition_type: Option<&'a str>,
}

command!(Navigate<'_>, "Page.navigate" => Navigated);

/// Answer to [`Navigate`].
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Navigated {
    /// The frame that loads.
    pub frame_id: String,
    /// The document that is coming; none if only the fragment changed.
    pub loader_id: Option<String>,
    /// Why it failed, such as `net::ERR_NAME_NOT_RESOLVED`.
    pub error_text: Option<String>,
    /// The address gave a file, not a document.
    #[serde(default)]
    pub is_download: bool,
}

/// Loads the page again.
#[derive(Debug, Clone, Copy, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Reload {
    /// Asks the server for everything.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ignore_cache: Option<bool>,
}

command!(Reload, "Page.reload");

/// Stops navigation and loading.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct StopLoading;

command!(StopLoading, "Page.stopLoading");

/// Gives a frame's document another content.
#[derive(Debug, Clone, Copy, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SetDocumentContent<'a> {
    /// The frame.
    pub frame_id: &'a str,
    /// The content.
    pub html: &'a str,
}

command!(SetDocumentContent<'_>, "Page.setDocumentContent");

/// Forgets the tab's history but for the page it is at.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct ResetNavigationHistory;

command!(ResetNavigationHistory, "Page.resetNavigationHistory");

/// Lists the tab's history.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct GetNavigationHistory;

command!(GetNavigationHistory, "Page.getNavigationHistory" => NavigationHistory);

/// Answer to [`GetNavigationHistory`].
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct NavigationHistory {
    /// Where the tab is in it.
    pub current_index: usize,
    /// From the oldest on.
    pub entries: Vec<HistoryEntry>,
}

/// One entry of a tab's history.
#[derive(Debug, Clone, Deserialize)]
pub struct HistoryEntry {
    /// For [`NavigateToHistoryEntry`].
    pub id: i64,
    /// The address.
    pub url: String,
    /// The title.
    #[serde(default)]
    pub title: String,
}

/// Goes to an entry of the tab's history.
#[derive(Debug, Clone, Copy, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct NavigateToHistoryEntry {
    /// Which one.
    pub entry_id: i64,
}

command!(NavigateToHistoryEntry, "Page.navigateToHistoryEntry");

/// Lists the frames this session sees.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct GetFrameTree;

command!(GetFrameTree, "Page.getFrameTree" => GotFrameTree);

/// Answer to [`GetFrameTree`].
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct GotFrameTree {
    /// The page's own frame and all below it.
    pub frame_tree: FrameTree,
}

/// A frame and those in it.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FrameTree {
    /// The frame.
    pub frame: Frame,
    /// The frames in it.
    #[serde(default)]
    pub child_frames: Vec<FrameTree>,
}

/// A frame and the document in it.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Frame {
    /// Stays over navigations.
    pub id: String,
    /// The frame around it.
    pub parent_id: Option<String>,
    /// The document; another one after each navigation.
    pub loader_id: String,
    /// The frame's `name`.
    pub name: Option<String>,
    /// Address without fragment.
    pub url: String,
    /// The fragment, with its `#`.
    pub url_fragment: Option<String>,
    /// The address that failed, if this is an error page.
    pub unreachable_url: Option<String>,
    /// The document's origin.
    #[serde(default)]
    pub security_origin: String,
    /// The document's type.
    #[serde(default)]
    pub mime_type: String,
}

/// Makes a world in a frame's document: same DOM, own globals.
#[derive(Debug, Clone, Copy, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CreateIsolatedWorld<'a> {
    /// The frame.
    pub frame_id: &'a str,
    /// Name of the world; the same name gives the same world again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub world_name: Option<&'a str>,
    /// Lets it read other origins. The spelling on the wire is Chrome's.
    #[serde(rename = "grantUniveralAccess", skip_serializing_if = "Option::is_none")]
    pub grant_universal_access: Option<bool>,
}

command!(CreateIsolatedWorld<'_>, "Page.createIsolatedWorld" => IsolatedWorldCreated);

/// Answer to [`CreateIsolatedWorld`].
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct IsolatedWorldCreated {
    /// The world, for `Runtime` calls.
    pub execution_context_id: i64,
}

/// Runs a script in every new document before its own.
#[derive(Debug, Clone, Copy, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AddScriptToEvaluateOnNewDocument<'a> {
    /// The script.
    pub source: &'a str,
    /// In this isolated world; in the page's own if left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub world_name: Option<&'a str>,
    /// In the documents that are there as well.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run_immediately: Option<bool>,
}

command!(AddScriptToEvaluateOnNewDocument<'_>, "Page.addScriptToEvaluateOnNewDocument" => ScriptAdded);

/// Answer to [`AddScriptToEvaluateOnNewDocument`].
#[derive(Debug, Clone, Deserialize)]
pub struct ScriptAdded {
    /// For taking it out again.
    pub identifier: String,
}

/// Takes a picture. Hangs in a tab that is not in front of its window.
#[derive(Debug, Clone, Copy, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CaptureScreenshot {
    /// PNG if left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub format: Option<ImageFormat>,
    /// 0 to 100, for JPEG and WebP.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quality: Option<u8>,
    /// Only this part of the page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clip: Option<Viewport>,
    /// From the compositor; Chrome's default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from_surface: Option<bool>,
    /// Also what must be scrolled to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub capture_beyond_viewport: Option<bool>,
    /// Larger files sooner.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub optimize_for_speed: Option<bool>,
}

command!(CaptureScreenshot, "Page.captureScreenshot" => Captured);

/// How a picture is encoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ImageFormat {
    /// Lossless.
    Png,
    /// Small and quick.
    Jpeg,
    /// Smaller and slower.
    Webp,
}

/// A part of the page, in CSS pixels from the document's corner.
#[derive(Debug, Clone, Copy, Default, Serialize)]
pub struct Viewport {
    /// From the left.
    pub x: f64,
    /// From the top.
    pub y: f64,
    /// Width.
    pub width: f64,
    /// Height.
    pub height: f64,
    /// 1 for as is. Zero, the default, is refused by Chrome.
    pub scale: f64,
}

/// Answer to [`CaptureScreenshot`] and [`PrintToPdf`].
#[derive(Debug, Clone, Deserialize)]
pub struct Captured {
    /// The picture in base64.
    pub data: String,
}

/// Prints the page.
#[derive(Debug, Clone, Copy, Default, Serialize)]
pub struct PrintToPdf {
    /// Colours and pictures behind the text too.
    #[serde(rename = "printBackground")]
    pub print_background: bool,
    /// The paper the page asks for.
    #[serde(rename = "preferCSSPageSize")]
    pub prefer_css_page_size: bool,
}

command!(PrintToPdf, "Page.printToPDF" => Captured);

/// Shows the page frame by frame, by [`ScreencastFrame`]s.
#[derive(Debug, Clone, Copy, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct StartScreencast {
    /// JPEG or PNG.
    pub format: ImageFormat,
    /// 0 to 100, for JPEG.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quality: Option<u8>,
    /// Made smaller to fit.
    pub max_width: u32,
    /// Made smaller to fit.
    pub max_height: u32,
    /// 1 for each.
    pub every_nth_frame: u32,
}

command!(StartScreencast, "Page.startScreencast");

/// Shows it no longer.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct StopScreencast;

command!(StopScreencast, "Page.stopScreencast");

/// Answers the open dialog.
#[derive(Debug, Clone, Copy, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct HandleJavaScriptDialog<'a> {
    /// OK or Cancel.
    pub accept: bool,
    /// What to enter into a prompt.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prompt_text: Option<&'a str>,
}

command!(HandleJavaScriptDialog<'_>, "Page.handleJavaScriptDialog");

/// Makes it the visible tab of its window.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct BringToFront;

command!(BringToFront, "Page.bringToFront");

/// Measures viewport and document.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct GetLayoutMetrics;

command!(GetLayoutMetrics, "Page.getLayoutMetrics" => LayoutMetrics);

/// Answer to [`GetLayoutMetrics`], in CSS pixels.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LayoutMetrics {
    /// What layout is made for.
    pub css_layout_viewport: LayoutViewport,
    /// What is seen of it.
    pub css_visual_viewport: VisualViewport,
    /// The whole document.
    pub css_content_size: Rect,
}

/// The viewport that layout is made for.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LayoutViewport {
    /// Scrolled from the left.
    pub page_x: f64,
    /// Scrolled from the top.
    pub page_y: f64,
    /// Width without scrollbar.
    pub client_width: f64,
    /// Height without scrollbar.
    pub client_height: f64,
}

/// The part of the layout viewport that is seen.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct VisualViewport {
    /// From the document's left.
    pub page_x: f64,
    /// From the document's top.
    pub page_y: f64,
    /// Width without scrollbar.
    pub client_width: f64,
    /// Height without scrollbar.
    pub client_height: f64,
    /// Pinch zoom.
    pub scale: f64,
}

/// A rectangle.
#[derive(Debug, Clone, Deserialize)]
pub struct Rect {
    /// Left.
    pub x: f64,
    /// Top.
    pub y: f64,
    /// Width.
    pub width: f64,
    /// Height.
    pub height: f64,
}

/// Reports [`FileChooserOpened`] instead of showing a dialog.
#[derive(Debug, Clone, Copy, Default, Serialize)]
pub struct SetInterceptFileChooserDialog {
    /// Whether to intercept.
    pub enabled: bool,
    /// Close it at once, as a person who chooses nothing: the page hears that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cancel: Option<bool>,
}

command!(SetInterceptFileChooserDialog, "Page.setInterceptFileChooserDialog");

/// Crashes the renderer. No answer comes.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Crash;

command!(Crash, "Page.crash");

/// Closes the page after asking `beforeunload`.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Close;

command!(Close, "Page.close");
