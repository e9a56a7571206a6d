//! `Target`: tabs, frames and workers, their sessions, and browser contexts.

use serde::{Deserialize, Serialize};

use crate::SessionId;

/// Attaches to every target related to this one, now and later.
#[derive(Debug, Clone, Copy, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SetAutoAttach<'a> {
    /// Whether to attach.
    pub auto_attach: bool,
    /// Holds new targets until `Runtime.runIfWaitingForDebugger`.
    pub wait_for_debugger_on_start: bool,
    /// Sessions share the connection; always true with us.
    pub flatten: bool,
    /// Which targets; Chrome's default leaves out browser and tab targets.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub filter: Option<&'a [FilterEntry<'a>]>,
}

command!(SetAutoAttach<'_>, "Target.setAutoAttach");

/// Reports targets as they come, change and go.
#[derive(Debug, Clone, Copy, Default, Serialize)]
pub struct SetDiscoverTargets<'a> {
    /// Whether to report.
    pub discover: bool,
    /// Which targets.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub filter: Option<&'a [FilterEntry<'a>]>,
}

command!(SetDiscoverTargets<'_>, "Target.setDiscoverTargets");

/// One line of a filter; the first that matches decides.
#[derive(Debug, Clone, Copy, Default, Serialize)]
pub struct FilterEntry<'a> {
    /// Type of target; any if left out.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub kind: Option<&'a str>,
    /// Leaves matching targets out instead of in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exclude: Option<bool>,
}

/// Makes a context: cookies, cache and storage of its own.
#[derive(Debug, Clone, Copy, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CreateBrowserContext<'a> {
    /// Ends with the session that made it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dispose_on_detach: Option<bool>,
    /// Proxy for everything in it, as in `--proxy-server`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proxy_server: Option<&'a str>,
    /// What goes past the proxy, as in `--proxy-bypass-list`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proxy_bypass_list: Option<&'a str>,
}

command!(CreateBrowserContext<'_>, "Target.createBrowserContext" => BrowserContextCreated);

/// Answer to [`CreateBrowserContext`].
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct BrowserContextCreated {
    /// The new context.
    pub browser_context_id: String,
}

/// Closes a context and all its pages, without asking `beforeunload`.
#[derive(Debug, Clone, Copy, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DisposeBrowserContext<'a> {
    /// The context.
    pub browser_context_id: &'a str,
}

command!(DisposeBrowserContext<'_>, "Target.disposeBrowserContext");

/// Opens a page.
#[derive(Debug, Clone, Copy, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CreateTarget<'a> {
    /// Where it starts; empty means `about:blank`.
    pub url: &'a str,
    /// In which context.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub browser_context_id: Option<&'a str>,
    /// In a window of its own: only the visible tab of a window can be captured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new_window: Option<bool>,
    /// Width of the new window, in CSS pixels.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub width: Option<u32>,
    /// Height of the new window, in CSS pixels.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub height: Option<u32>,
    /// Leaves the current tab in front.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub background: Option<bool>,
}

command!(CreateTarget<'_>, "Target.createTarget" => TargetMade);

/// Answer to [`CreateTarget`].
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TargetMade {
    /// The new page.
    pub target_id: String,
}

/// Closes a page, without asking `beforeunload`.
#[derive(Debug, Clone, Copy, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CloseTarget<'a> {
    /// The page.
    pub target_id: &'a str,
}

command!(CloseTarget<'_>, "Target.closeTarget");

/// Brings a page to the front of its window.
#[derive(Debug, Clone, Copy, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ActivateTarget<'a> {
    /// The page.
    pub target_id: &'a str,
}

command!(ActivateTarget<'_>, "Target.activateTarget");

/// Opens a session to a target.
#[derive(Debug, Clone, Copy, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AttachToTarget<'a> {
    /// The target.
    pub target_id: &'a str,
    /// The session shares the connection; always true with us.
    pub flatten: bool,
}

command!(AttachToTarget<'_>, "Target.attachToTarget" => Attached);

/// Answer to [`AttachToTarget`].
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Attached {
    /// The new session.
    pub session_id: SessionId,
}

/// Ends a session; the target lives on.
#[derive(Debug, Clone, Copy, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DetachFromTarget<'a> {
    /// The session.
    pub session_id: &'a str,
}

command!(DetachFromTarget<'_>, "Target.detachFromTarget");

/// Lists targets.
#[derive(Debug, Clone, Copy, Default, Serialize)]
pub struct GetTargets<'a> {
    /// Which ones.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub filter: Option<&'a [FilterEntry<'a>]>,
}

command!(GetTargets<'_>, "Target.getTargets" => Targets);

/// Answer to [`GetTargets`].
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Targets {
    /// The targets.
    pub target_infos: Vec<TargetInfo>,
}

/// What Chrome tells about a target.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TargetInfo {
    /// Its id; for a frame of another process it is the frame id.
    pub target_id: String,
    /// `page`, `iframe`, `worker`, `service_worker`, `tab`, and more.
    #[serde(rename = "type")]
    pub kind: String,
    /// Title of its document.
    #[serde(default)]
    pub title: String,
    /// Address of its document.
    #[serde(default)]
    pub url: String,
    /// Whether somebody has a session to it.
    #[serde(default)]
    pub attached: bool,
    /// The target whose `window.open` or link made it.
    pub opener_id: Option<String>,
    /// The frame whose `window.open` or link made it.
    pub opener_frame_id: Option<String>,
    /// The frame it is embedded in, for an `iframe`.
    pub parent_frame_id: Option<String>,
    /// The context it lives in.
    pub browser_context_id: Option<String>,
    /// `prerender`, `portal` and the like.
    pub subtype: Option<String>,
}

/// A session began, asked for or by auto-attach.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AttachedToTarget {
    /// The new session.
    pub session_id: SessionId,
    /// Its target.
    pub target_info: TargetInfo,
    /// It runs nothing until `Runtime.runIfWaitingForDebugger`.
    #[serde(default)]
    pub waiting_for_debugger: bool,
}

event!(AttachedToTarget, "Target.attachedToTarget");

/// A session ended.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DetachedFromTarget {
    /// The session.
    pub session_id: SessionId,
    /// Its target.
    pub target_id: Option<String>,
}

event!(DetachedFromTarget, "Target.detachedFromTarget");

/// A target appeared.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TargetCreated {
    /// The target.
    pub target_info: TargetInfo,
}

event!(TargetCreated, "Target.targetCreated");

/// A target is gone.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TargetDestroyed {
    /// The target.
    pub target_id: String,
}

event!(TargetDestroyed, "Target.targetDestroyed");

/// A target has another title or address.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TargetInfoChanged {
    /// The target as it is now.
    pub target_info: TargetInfo,
}

event!(TargetInfoChanged, "Target.targetInfoChanged");

/// The process of a target crashed or was killed.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TargetCrashed {
    /// The target.
    pub target_id: String,
    /// `crashed`, `killed`, `oom` and the like.
    #[serde(default)]
    pub status: String,
    /// The exit code.
    #[serde(default)]
    pub error_code: i64,
}

event!(TargetCrashed, "Target.targetCrashed");
