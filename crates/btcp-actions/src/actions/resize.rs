//! `resize`: another viewport, for every tab of the session.

use btcp_engine::Emulation;

use crate::error::CallError;
use crate::prelude::*;

/// Set the size of the page's viewport, in CSS pixels.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Resize {
    /// Width.
    width: i64,
    /// Height.
    height: i64,
}

/// The viewport.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Resized {
    success: bool,
    width: u32,
    height: u32,
}

impl Action for Resize {
    const NAME: &'static str = "resize";
    const GROUP: Group = Group::State;
    const TOOLSET: Toolset = Toolset::All;
    const ACCESS: Access = Access::Changes;
    const TIPS: &'static [&'static str] =
        &["It holds for every tab of the session, also those that come, and over navigations."];
    type Output = Resized;

    fn examples() -> Vec<Example> {
        vec![
            Example::does(
                "A small one",
                json!({ "width": 800, "height": 600 }),
                "innerWidth === 800 && innerHeight === 600",
            ),
            Example::fails("None at all", json!({ "width": 0, "height": 600 }), "invalid_params"),
        ]
    }

    async fn run(self, tab: &mut Tab) -> Result<Resized> {
        let side = |side: i64| u32::try_from(side).ok().filter(|side| *side > 0);
        let (Some(width), Some(height)) = (side(self.width), side(self.height)) else {
            let field = if side(self.width).is_none() { "width" } else { "height" };
            return Err(CallError::InvalidParams {
                field: Some(field.to_owned()),
                reason: "Invalid dimensions: width and height must be positive".to_owned(),
                hint: None,
            }
            .into());
        };
        let Emulation { viewport: (width, height), .. } = tab.resize(width, height).await?;
        Ok(Resized { success: true, width, height })
    }
}

impl Output for Resized {
    fn data(&self) -> Value {
        json!(self)
    }

    fn schema() -> Option<Schema> {
        schema_of_output::<Self>()
    }

    fn text(&self) -> Text {
        Text::ours(format!("the viewport is {}x{}", self.width, self.height))
    }
}
