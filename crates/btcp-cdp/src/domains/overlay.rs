//! `Overlay`: marks drawn over a page that the page cannot see.

use serde::Serialize;

use super::dom::NodeName;

/// Lets marks be drawn. Needs `DOM.enable` first.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Enable;

command!(Enable, "Overlay.enable");

/// Marks a node.
#[derive(Debug, Clone, Copy, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct HighlightNode<'a> {
    /// How to mark it.
    pub highlight_config: HighlightConfig,
    /// The node.
    #[serde(flatten)]
    pub node: NodeName<'a>,
}

command!(HighlightNode<'_>, "Overlay.highlightNode");

/// How to mark a node.
#[derive(Debug, Clone, Copy, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct HighlightConfig {
    /// Also its name and size.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub show_info: Option<bool>,
    /// Fills its content.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content_color: Option<Rgba>,
    /// Fills its border.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub border_color: Option<Rgba>,
}

/// A colour.
#[derive(Debug, Clone, Copy, Default, Serialize)]
pub struct Rgba {
    /// Red.
    pub r: u8,
    /// Green.
    pub g: u8,
    /// Blue.
    pub b: u8,
    /// 0 is clear, 1 is opaque.
    pub a: f64,
}

/// Takes the mark away.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct HideHighlight;

command!(HideHighlight, "Overlay.hideHighlight");
