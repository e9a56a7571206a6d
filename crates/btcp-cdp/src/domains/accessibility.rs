//! `Accessibility`: what assistive technology is told about a node.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::dom::NodeName;

/// Asks for role, name and states of a node. Works without enabling the domain.
#[derive(Debug, Clone, Copy, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct GetPartialAXTree<'a> {
    /// The node.
    #[serde(flatten)]
    pub node: NodeName<'a>,
    /// Also its relatives; Chrome's default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fetch_relatives: Option<bool>,
}

command!(GetPartialAXTree<'_>, "Accessibility.getPartialAXTree" => PartialAXTree);

/// Answer to [`GetPartialAXTree`].
#[derive(Debug, Clone, Deserialize)]
pub struct PartialAXTree {
    /// The nodes as Chrome wrote them.
    pub nodes: Vec<Box<RawValue>>,
}
