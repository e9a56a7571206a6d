//! `highlight`: a mark drawn by Chrome over an element, which the page cannot see.

use crate::prelude::*;

/// Mark an element on the screen for the person who watches; without selector the mark goes away.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Highlight {
    /// Element: ref or selector.
    selector: Option<Target>,
}

impl Action for Highlight {
    const NAME: &'static str = "highlight";
    const GROUP: Group = Group::Pictures;
    const TOOLSET: Toolset = Toolset::Standard;
    const ACCESS: Access = Access::Reads;
    const TIPS: &'static [&'static str] = &[
        "The mark is Chrome's: the page cannot notice it, pictures show it, and there is one at a time.",
    ];
    type Output = Done;

    fn examples() -> Vec<Example> {
        vec![
            Example::gives("A button", json!({ "selector": "#here" }), json!({ "success": true })),
            Example::gives("Nothing", json!({}), json!({ "success": true })),
            Example::fails(
                "Something that is not there",
                json!({ "selector": "#missing", "timeout": 1000 }),
                "not_found",
            ),
        ]
    }

    fn target(&self) -> Option<&Target> {
        self.selector.as_ref()
    }

    async fn run(self, tab: &mut Tab) -> Result<Done> {
        Ok(match tab.highlight(self.selector.as_ref()).await? {
            Some(element) => Done::saying(format!("{} is marked", element.name())),
            None => Done::saying("nothing is marked".to_owned()),
        })
    }
}
