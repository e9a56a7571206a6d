//! `drag`: one element onto another.

use crate::prelude::*;

/// Drag an element onto another.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Drag {
    /// Element.
    source: Target,
    /// Element.
    target: Target,
}

impl Action for Drag {
    const NAME: &'static str = "drag";
    const GROUP: Group = Group::Interaction;
    const TOOLSET: Toolset = Toolset::All;
    const ACCESS: Access = Access::Changes;
    const TIPS: &'static [&'static str] = &[
        "One gesture serves draggable elements, sliders and lists to sort. Nothing is picked up before the target is there.",
    ];
    type Output = Did;

    fn examples() -> Vec<Example> {
        vec![
            Example::does(
                "A card into a box",
                json!({ "source": "#card", "target": "#box" }),
                "document.querySelector('#box #card') !== null && log.includes('drop card')",
            ),
            Example::does(
                "A slider's handle",
                json!({ "source": "#handle", "target": "#mark" }),
                "Math.abs(slider.value - 80) <= 1",
            ),
            Example::fails(
                "To nowhere",
                json!({ "source": "#card", "target": "#missing", "timeout": 1000 }),
                "not_found",
            ),
        ]
    }

    fn targets(&self) -> Vec<&Target> {
        vec![&self.source, &self.target]
    }

    async fn run(self, tab: &mut Tab) -> Result<Did> {
        let dragged = tab.drag(&self.source, &self.target).await?;
        let note = dragged.note.map(str::to_owned).or(dragged.source.note());
        Ok(Did::to(&dragged.source.element, "dragged").onto(&dragged.target.element).note(note))
    }
}
