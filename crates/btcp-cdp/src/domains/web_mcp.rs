//! `WebMCP`: tools that pages declare for agents.
//!
//! Without `--enable-features=WebMCP` the commands are answered, and no page has any.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::runtime::RemoteObject;

/// Lets tools be invoked; Chrome then tells of those there are, and of what becomes of them.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Enable;

command!(Enable, "WebMCP.enable");

/// Ends that.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Disable;

command!(Disable, "WebMCP.disable");

/// Calls a tool. Its answer comes as [`ToolResponded`].
#[derive(Debug, Clone, Copy, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct InvokeTool<'a> {
    /// The frame whose document declares it.
    pub frame_id: &'a str,
    /// Its name.
    pub tool_name: &'a str,
    /// Its arguments, which Chrome does not hold against the tool's schema.
    pub input: &'a Map<String, Value>,
}

command!(InvokeTool<'_>, "WebMCP.invokeTool" => Invoked);

/// A call that is under way.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Invoked {
    /// Names the call.
    pub invocation_id: String,
}

/// Ends a call that nobody waits for any more.
#[derive(Debug, Clone, Copy, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CancelInvocation<'a> {
    /// Which.
    pub invocation_id: &'a str,
}

command!(CancelInvocation<'_>, "WebMCP.cancelInvocation");

/// A call is over.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ToolResponded {
    /// Which.
    pub invocation_id: String,
    /// `Completed`, `Canceled` or `Error`.
    pub status: String,
    /// What the tool returned; `"undefined"` where that was nothing.
    pub output: Option<Value>,
    /// What went wrong, where Chrome says it itself.
    #[serde(default)]
    pub error_text: String,
    /// What the tool threw.
    pub exception: Option<RemoteObject>,
}

event!(ToolResponded, "WebMCP.toolResponded");
