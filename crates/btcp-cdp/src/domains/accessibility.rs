//! `Accessibility`: what assistive technology is told about a node.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::dom::NodeName;

/// Keeps Chrome's accessibility tree up to date until [`Disable`].
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Enable;

command!(Enable, "Accessibility.enable");

/// Gives the tree up, also one that only questions have made; does nothing unless enabled.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Disable;

command!(Disable, "Accessibility.disable");

/// Asks for role, name and states of a node. Works without enabling the domain: Chrome 156 makes
/// its tree for the first question, and keeps it.
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
    /// The node, then its relatives if asked for.
    pub nodes: Vec<AXNode>,
}

/// A node of the tree.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct AXNode {
    /// It is not part of the tree.
    pub ignored: bool,
    /// Why, such as `notRendered`.
    pub ignored_reasons: Vec<AXProperty>,
    /// Chrome's word for the role.
    pub role: AXValue,
    /// The name.
    pub name: AXValue,
    /// The value of a slider, a field.
    pub value: AXValue,
    /// States, such as `checked`.
    pub properties: Vec<AXProperty>,
}

/// Something told of a node, by name.
#[derive(Debug, Clone, Default, Deserialize)]
pub struct AXProperty {
    /// What is told.
    pub name: String,
    /// As which it is told.
    #[serde(default)]
    pub value: AXValue,
}

/// A value of a node.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct AXValue {
    /// A string, number or truth value; null if none is told.
    pub value: Value,
    /// Where a name may come from, the first that has a value being the one.
    pub sources: Vec<AXValueSource>,
}

/// Where a name may come from.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct AXValueSource {
    /// The attribute, if it is one.
    pub attribute: Option<String>,
    /// What it gives.
    pub value: Option<SourceValue>,
    /// Another source goes first.
    pub superseded: bool,
}

/// What a source gives.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct SourceValue {
    /// The text.
    pub value: Value,
}

impl AXValue {
    /// As text: what an attribute would hold. Empty if there is none.
    #[must_use]
    pub fn text(&self) -> String {
        text_of(&self.value)
    }
}

impl AXNode {
    /// The attributes that would say the same of an element, `role` first; false states, which
    /// mean nothing without a role that has them, apart from `aria-expanded`.
    #[must_use]
    pub fn attributes(&self) -> Vec<(&'static str, String)> {
        if self.ignored {
            return Vec::new();
        }
        let mut said = vec![("role", self.role.text().to_lowercase())];
        let mut sources = self.name.sources.iter().filter(|source| !source.superseded);
        let label = sources.find_map(|source| {
            let by = source.attribute.as_deref()?;
            let value = text_of(&source.value.as_ref()?.value);
            (matches!(by, "aria-label" | "aria-labelledby") && !value.is_empty()).then_some(value)
        });
        said.extend(label.map(|label| ("aria-label", label)));
        for AXProperty { name, value } in &self.properties {
            let Some((_, attribute)) = STATES.iter().find(|(theirs, _)| theirs == name) else {
                continue;
            };
            let value = value.text();
            if !value.is_empty() && (value != "false" || *attribute == "aria-expanded") {
                said.push((attribute, value));
            }
        }
        let now = self.value.text();
        if !now.is_empty() && now.parse::<f64>().is_ok() {
            said.push(("aria-valuenow", now));
        }
        said
    }
}

/// States by the words of the tree, and the attributes that set them.
const STATES: [(&str, &str); 14] = [
    ("checked", "aria-checked"),
    ("disabled", "aria-disabled"),
    ("expanded", "aria-expanded"),
    ("hasPopup", "aria-haspopup"),
    ("invalid", "aria-invalid"),
    ("level", "aria-level"),
    ("multiselectable", "aria-multiselectable"),
    ("pressed", "aria-pressed"),
    ("readonly", "aria-readonly"),
    ("required", "aria-required"),
    ("selected", "aria-selected"),
    ("valuemax", "aria-valuemax"),
    ("valuemin", "aria-valuemin"),
    ("valuetext", "aria-valuetext"),
];

fn text_of(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn node(told: Value) -> AXNode {
        serde_json::from_value(told).expect("a node is as the protocol says")
    }

    #[test]
    fn a_node_is_told_by_the_attributes_that_would_say_the_same() {
        let node = node(json!({
            "ignored": false,
            "role": { "value": "slider" },
            "name": { "value": "Lab", "sources": [
                { "type": "relatedElement", "attribute": "aria-labelledby" },
                { "type": "attribute", "attribute": "aria-label", "value": { "value": "Lab" } },
                { "type": "contents", "value": { "value": "text" }, "superseded": true },
            ] },
            "value": { "value": 7 },
            "properties": [
                { "name": "focusable", "value": { "value": true } },
                { "name": "checked", "value": { "value": "mixed" } },
                { "name": "selected", "value": { "value": false } },
                { "name": "expanded", "value": { "value": false } },
                { "name": "valuemax", "value": { "value": 10 } },
            ],
        }));
        let said = node.attributes();
        let said: Vec<_> = said.iter().map(|(name, value)| (*name, value.as_str())).collect();
        assert_eq!(
            said,
            [
                ("role", "slider"),
                ("aria-label", "Lab"),
                ("aria-checked", "mixed"),
                ("aria-expanded", "false"),
                ("aria-valuemax", "10"),
                ("aria-valuenow", "7"),
            ]
        );
    }

    #[test]
    fn a_name_from_content_is_no_label() {
        let node = node(json!({
            "role": { "value": "button" },
            "name": { "value": "text", "sources": [
                { "type": "attribute", "attribute": "aria-label" },
                { "type": "contents", "value": { "value": "text" } },
            ] },
        }));
        assert_eq!(node.attributes(), [("role", "button".to_owned())]);
    }

    #[test]
    fn what_is_not_in_the_tree_says_nothing() {
        let node = node(json!({ "ignored": true, "role": { "value": "none" } }));
        assert!(node.attributes().is_empty());
    }
}
