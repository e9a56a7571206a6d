//! `bounding_box`: where an element is in the viewport of the tab, also one inside frames.

use crate::prelude::*;

/// Get an element's box in the viewport, in CSS pixels.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct BoundingBox {
    /// Element: ref or selector.
    selector: Target,
}

/// The box.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Area {
    x: f64,
    y: f64,
    width: f64,
    height: f64,
}

impl Action for BoundingBox {
    const NAME: &'static str = "bounding_box";
    const GROUP: Group = Group::Reading;
    const TOOLSET: Toolset = Toolset::All;
    const ACCESS: Access = Access::Reads;
    const TIPS: &'static [&'static str] = &[
        "x and y count from the top left corner of what is seen of the tab, also for an element in a frame. Nothing is scrolled, so the box may lie outside.",
    ];
    type Output = Area;

    fn examples() -> Vec<Example> {
        vec![
            Example::gives(
                "A square",
                json!({ "selector": "#square" }),
                json!({ "x": 20, "y": 30, "width": 100, "height": 50 }),
            ),
            Example::gives(
                "One in a frame",
                json!({ "selector": "iframe >> #inside" }),
                json!({ "x": 210, "y": 110, "width": 40, "height": 20 }),
            ),
            Example::fails("One that is not drawn", json!({ "selector": "#none" }), "not_visible"),
            Example::fails(
                "Something that is not there",
                json!({ "selector": "#missing", "timeout": 1000 }),
                "not_found",
            ),
        ]
    }

    fn target(&self) -> Option<&Target> {
        Some(&self.selector)
    }

    async fn run(self, tab: &mut Tab) -> Result<Area> {
        let found = tab.bounding_box(&self.selector).await?;
        let btcp_engine::BoundingBox { x, y, width, height } = found;
        Ok(Area { x, y, width, height })
    }
}

impl Output for Area {
    fn data(&self) -> Value {
        json!(self)
    }

    fn schema() -> Option<Schema> {
        schema_of_output::<Self>()
    }

    fn text(&self) -> Text {
        Text::ours(format!("x {} y {} width {} height {}", self.x, self.y, self.width, self.height))
    }
}
