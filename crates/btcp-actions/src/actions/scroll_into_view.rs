//! `scroll_into_view`: an element in the middle of what is seen.

use btcp_engine::ScrollBy;

use crate::prelude::*;

/// Scroll until an element is in the middle of the view.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ScrollIntoView {
    /// Element: ref or selector.
    selector: Target,
}

impl Action for ScrollIntoView {
    const NAME: &'static str = "scroll_into_view";
    const GROUP: Group = Group::Waiting;
    const TOOLSET: Toolset = Toolset::Standard;
    const ACCESS: Access = Access::Changes;
    const TIPS: &'static [&'static str] = &[
        "Every scroller around the element is scrolled, frames too. Actions that press or type do it by themselves.",
    ];
    type Output = Done;

    fn examples() -> Vec<Example> {
        vec![
            Example::does(
                "Something far down",
                json!({ "selector": "#far" }),
                "Math.abs(document.querySelector('#far').getBoundingClientRect().top + document.querySelector('#far').offsetHeight / 2 - innerHeight / 2) < 3",
            ),
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

    async fn run(self, tab: &mut Tab) -> Result<Done> {
        let scrolled = tab.scroll(Some(&self.selector), ScrollBy::IntoView).await?;
        let element = scrolled.element.map(|element| element.name()).unwrap_or_default();
        Ok(Done::saying(format!("{element} is in view")))
    }
}
