//! `wait_for_function`: until an expression is true.

use crate::prelude::*;

/// Wait until a JavaScript expression is true.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct WaitForFunction {
    /// Expression or function.
    expression: String,
}

impl Action for WaitForFunction {
    const NAME: &'static str = "wait_for_function";
    const GROUP: Group = Group::Waiting;
    const TOOLSET: Toolset = Toolset::All;
    const ACCESS: Access = Access::Reads;
    const LISTED: &'static [&'static str] = &["timeout"];
    const TIPS: &'static [&'static str] = &[
        "The page itself looks again whenever it changes. What throws is not true yet; only what cannot be parsed ends the wait.",
        "Of several statements the last one counts, or what they return.",
    ];
    type Output = Done;

    fn examples() -> Vec<Example> {
        vec![
            Example::does(
                "A variable",
                json!({ "expression": "window.ready === 3" }),
                "window.ready === 3",
            ),
            Example::does(
                "A function of something that is not there yet",
                json!({ "expression": "() => app.user.name" }),
                "app.user.name === 'Ada'",
            ),
            Example::fails(
                "What never comes",
                json!({ "expression": "window.never", "timeout": 1000 }),
                "timeout",
            ),
            Example::fails("What is no script", json!({ "expression": "a b" }), "javascript_error"),
        ]
    }

    async fn run(self, tab: &mut Tab) -> Result<Done> {
        tab.wait_for_function(&self.expression).await?;
        Ok(Done::saying(format!("'{}' is true", cut(&self.expression, 200))))
    }
}
