//! `count`: how many elements match, at once.

use crate::prelude::*;

/// Count the elements that match.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Count {
    /// Elements: ref or selector.
    selector: Target,
}

/// The number.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Counted {
    count: usize,
}

impl Action for Count {
    const NAME: &'static str = "count";
    const GROUP: Group = Group::Reading;
    const TOOLSET: Toolset = Toolset::Minimal;
    const ACCESS: Access = Access::Reads;
    const TIPS: &'static [&'static str] = &[
        "It answers at once, 0 if nothing matches; text=, role=, label= and the like are counted in all frames.",
    ];
    type Output = Counted;

    fn examples() -> Vec<Example> {
        vec![
            Example::gives("Items", json!({ "selector": ".item" }), json!({ "count": 3 })),
            Example::gives("Nothing", json!({ "selector": ".none" }), json!({ "count": 0 })),
            Example::gives(
                "In a shadow root",
                json!({ "selector": ".shadow-item" }),
                json!({ "count": 2 }),
            ),
            Example::fails("Nonsense", json!({ "selector": "a[" }), "invalid_params"),
        ]
    }

    fn target(&self) -> Option<&Target> {
        Some(&self.selector)
    }

    async fn run(self, tab: &mut Tab) -> Result<Counted> {
        Ok(Counted { count: tab.count(&self.selector).await? })
    }
}

impl Output for Counted {
    fn data(&self) -> Value {
        json!(self)
    }

    fn schema() -> Option<Schema> {
        schema_of_output::<Self>()
    }

    fn text(&self) -> Text {
        Text::ours(self.count.to_string())
    }
}
