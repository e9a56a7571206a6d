//! `type`: real key events for each character.

use std::time::Duration;

use btcp_engine::{For, How};

use crate::prelude::*;

/// Type text into a field, key by key.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Type {
    /// Field: ref or selector.
    selector: Target,
    /// Text; a line break presses Enter.
    text: String,
    /// Milliseconds between keys.
    #[serde(default)]
    delay: u32,
    /// Replace what is there.
    #[serde(default)]
    clear: bool,
}

/// No call takes longer.
const LONGEST: Duration = Duration::from_secs(600);

impl Type {
    /// How long the pauses between its keys are together.
    fn lasts(&self) -> Duration {
        let keys = u32::try_from(self.text.chars().count()).unwrap_or(u32::MAX);
        Duration::from_millis(u64::from(self.delay)).saturating_mul(keys)
    }
}

impl Action for Type {
    const NAME: &'static str = "type";
    const GROUP: Group = Group::Interaction;
    const TOOLSET: Toolset = Toolset::Standard;
    const ACCESS: Access = Access::Changes;
    const TIPS: &'static [&'static str] = &[
        "Every character is a key press, for pages that react to each key; setting a whole value at once is faster.",
    ];
    type Output = Did;

    fn examples() -> Vec<Example> {
        vec![
            Example::does(
                "After what is there",
                json!({ "selector": "#pre", "text": "er" }),
                "document.querySelector('#pre').value === 'older'",
            ),
            Example::does(
                "In place of what is there",
                json!({ "selector": "#pre", "text": "New", "clear": true }),
                "document.querySelector('#pre').value === 'New'",
            ),
            Example::does(
                "Keys are real",
                json!({ "selector": "#keys", "text": "a" }),
                "log.includes('keydown a KeyA') && log.includes('keyup a')",
            ),
            Example::fails(
                "A read-only field",
                json!({ "selector": "#ro", "text": "x", "timeout": 1000 }),
                "not_editable",
            ),
        ]
    }

    fn target(&self) -> Option<&Target> {
        Some(&self.selector)
    }

    fn delay(&self) -> Duration {
        self.lasts().min(LONGEST)
    }

    async fn run(self, tab: &mut Tab) -> Result<Did> {
        if self.lasts() > LONGEST {
            let message = "delay makes the typing last longer than 10 minutes".to_owned();
            return Err(btcp_engine::Error::BadParam { field: "delay", message }.into());
        }
        let how = How { replace: self.clear, ..How::default() };
        let hit = tab.ready_how(&self.selector, For::Type, how).await?;
        tab.type_text(&self.text, Duration::from_millis(u64::from(self.delay))).await?;
        Ok(Did::to(&hit.element, "typed into").note(hit.note()).read_back())
    }
}
