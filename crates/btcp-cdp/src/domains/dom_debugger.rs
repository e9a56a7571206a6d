//! `DOMDebugger`: what a page listens for.

use serde::{Deserialize, Serialize};

/// Lists the listeners of a node. Works without enabling the domain.
#[derive(Debug, Clone, Copy, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct GetEventListeners<'a> {
    /// A handle of the node.
    pub object_id: &'a str,
    /// How deep; -1 for all below it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<i32>,
    /// Also into shadow roots, closed ones too, and frames of the same process.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pierce: Option<bool>,
}

command!(GetEventListeners<'_>, "DOMDebugger.getEventListeners" => EventListeners);

/// Answer to [`GetEventListeners`].
#[derive(Debug, Clone, Deserialize)]
pub struct EventListeners {
    /// One for each type and function, in document order.
    pub listeners: Vec<EventListener>,
}

/// One listener.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct EventListener {
    /// `click` and the like.
    #[serde(rename = "type")]
    pub kind: String,
    /// The node it is on; none for the window.
    pub backend_node_id: Option<i64>,
}
