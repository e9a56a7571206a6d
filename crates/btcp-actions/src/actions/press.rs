//! `press`: one key or chord.

use btcp_engine::For;

use crate::prelude::*;

/// Press a key or chord, on what has the focus or on an element.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Press {
    /// Enter, Escape, ArrowDown, a, Control+a, Shift+Tab.
    key: String,
    /// Element to focus first: ref or selector.
    selector: Option<Target>,
}

impl Action for Press {
    const NAME: &'static str = "press";
    const GROUP: Group = Group::Interaction;
    const TOOLSET: Toolset = Toolset::Standard;
    const ACCESS: Access = Access::Changes;
    const TIPS: &'static [&'static str] =
        &["Keys are named as in KeyboardEvent.key, chords with +: Enter, Control+a, Shift+Tab."];
    type Output = Did;

    fn examples() -> Vec<Example> {
        vec![
            Example::does(
                "Enter in a form",
                json!({ "key": "Enter", "selector": "#user" }),
                "log.includes('submit')",
            ),
            Example::does("A shortcut", json!({ "key": "Control+k" }), "log.includes('shortcut')"),
            Example::fails("A key that is not there", json!({ "key": "Entr" }), "invalid_params"),
        ]
    }

    fn target(&self) -> Option<&Target> {
        self.selector.as_ref()
    }

    async fn run(self, tab: &mut Tab) -> Result<Did> {
        let did = match &self.selector {
            Some(target) => {
                let hit = tab.ready(target, For::Focus).await?;
                Did::to(&hit.element, format!("pressed {} on", self.key)).note(hit.note())
            }
            None => {
                tab.watch().await?;
                Did::plain(format!("pressed {}", self.key))
            }
        };
        tab.press(&self.key).await?;
        Ok(did)
    }
}
