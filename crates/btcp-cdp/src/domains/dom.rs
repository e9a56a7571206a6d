//! `DOM`: nodes by the names Chrome has for them.
//!
//! A node has a backend id, which lives as long as the node, and while
//! JavaScript holds it an object id.

use serde::{Deserialize, Serialize};

use super::runtime::RemoteObject;

/// Which node: exactly one of the two names.
#[derive(Debug, Clone, Copy, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct NodeName<'a> {
    /// Backend id.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub backend_node_id: Option<i64>,
    /// JavaScript handle.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub object_id: Option<&'a str>,
}

impl<'a> NodeName<'a> {
    /// By its backend id.
    pub fn backend(id: i64) -> Self {
        Self { backend_node_id: Some(id), object_id: None }
    }

    /// By a JavaScript handle.
    pub fn object(id: &'a str) -> Self {
        Self { backend_node_id: None, object_id: Some(id) }
    }
}

/// Tells about a node.
#[derive(Debug, Clone, Copy, Default, Serialize)]
pub struct DescribeNode<'a> {
    /// The node.
    #[serde(flatten)]
    pub node: NodeName<'a>,
    /// How deep; -1 for all below it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<i32>,
    /// Also into shadow roots, closed ones too, and frames.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pierce: Option<bool>,
}

command!(DescribeNode<'_>, "DOM.describeNode" => NodeDescribed);

/// Answer to [`DescribeNode`].
#[derive(Debug, Clone, Deserialize)]
pub struct NodeDescribed {
    /// The node.
    pub node: Node,
}

/// Makes the domain work; `Overlay` and [`PerformSearch`] need it.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Enable;

command!(Enable, "DOM.enable");

/// Ends what [`Enable`] began, and forgets what was found.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Disable;

command!(Disable, "DOM.disable");

/// Looks through the documents of a session, shadow roots of every kind included.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct PerformSearch<'a> {
    /// Words, a tag as `<b>`, a selector or an XPath: what any of them finds counts.
    pub query: &'a str,
}

command!(PerformSearch<'_>, "DOM.performSearch" => SearchPerformed);

/// Answer to [`PerformSearch`].
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SearchPerformed {
    /// How many nodes were found.
    pub result_count: usize,
}

/// A node as Chrome tells it.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Node {
    /// Its id.
    pub backend_node_id: i64,
    /// `Node.nodeType`.
    #[serde(default)]
    pub node_type: i64,
    /// `Node.nodeName`.
    #[serde(default)]
    pub node_name: String,
    /// `Element.localName`.
    #[serde(default)]
    pub local_name: String,
    /// Names and values in turn.
    #[serde(default)]
    pub attributes: Vec<String>,
    /// The frame in it, for `iframe` and the like.
    pub frame_id: Option<String>,
    /// `open`, `closed` or `user-agent`, for a shadow root.
    pub shadow_root_type: Option<String>,
    /// The document in it, if of the same process.
    pub content_document: Option<Box<Node>>,
    /// Its shadow roots.
    #[serde(default)]
    pub shadow_roots: Vec<Node>,
    /// Its children, as deep as asked for.
    #[serde(default)]
    pub children: Vec<Node>,
}

/// Makes a JavaScript handle to a node.
#[derive(Debug, Clone, Copy, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ResolveNode<'a> {
    /// The node.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub backend_node_id: Option<i64>,
    /// In this world; the page's own if left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub execution_context_id: Option<i64>,
    /// Name under which handles are given back together.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub object_group: Option<&'a str>,
}

command!(ResolveNode<'_>, "DOM.resolveNode" => NodeResolved);

/// Answer to [`ResolveNode`].
#[derive(Debug, Clone, Deserialize)]
pub struct NodeResolved {
    /// The handle.
    pub object: RemoteObject,
}

/// Finds the element a frame sits in. Ask the session of the document around it.
#[derive(Debug, Clone, Copy, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct GetFrameOwner<'a> {
    /// The frame.
    pub frame_id: &'a str,
}

command!(GetFrameOwner<'_>, "DOM.getFrameOwner" => FrameOwner);

/// Answer to [`GetFrameOwner`].
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FrameOwner {
    /// The `iframe` element.
    pub backend_node_id: i64,
}

/// Chooses files in a file input.
#[derive(Debug, Clone, Copy, Default, Serialize)]
pub struct SetFileInputFiles<'a> {
    /// The input.
    #[serde(flatten)]
    pub node: NodeName<'a>,
    /// Absolute paths.
    pub files: &'a [&'a str],
}

command!(SetFileInputFiles<'_>, "DOM.setFileInputFiles");

/// Scrolls a node into view, in all frames around it.
#[derive(Debug, Clone, Copy, Default, Serialize)]
pub struct ScrollIntoViewIfNeeded<'a> {
    /// The node.
    #[serde(flatten)]
    pub node: NodeName<'a>,
}

command!(ScrollIntoViewIfNeeded<'_>, "DOM.scrollIntoViewIfNeeded");

/// Measures where a node is seen.
#[derive(Debug, Clone, Copy, Default, Serialize)]
pub struct GetContentQuads<'a> {
    /// The node.
    #[serde(flatten)]
    pub node: NodeName<'a>,
}

command!(GetContentQuads<'_>, "DOM.getContentQuads" => ContentQuads);

/// Answer to [`GetContentQuads`].
#[derive(Debug, Clone, Deserialize)]
pub struct ContentQuads {
    /// Four corners each, clockwise, x and y in turn, in the viewport.
    pub quads: Vec<[f64; 8]>,
}

/// Tells about the document.
#[derive(Debug, Clone, Copy, Default, Serialize)]
pub struct GetDocument {
    /// How deep; -1 for all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<i32>,
    /// Also into shadow roots and frames.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pierce: Option<bool>,
}

command!(GetDocument, "DOM.getDocument" => Document);

/// Answer to [`GetDocument`].
#[derive(Debug, Clone, Deserialize)]
pub struct Document {
    /// The document.
    pub root: Node,
}
