//! `evaluate`: JavaScript in the page's own world.

use crate::prelude::*;

/// Run JavaScript in the page: an expression, or statements with return.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Evaluate {
    /// The script.
    #[serde(alias = "expression")]
    script: String,
    /// Wait for a promise, default true.
    #[serde(rename = "await", default = "yes")]
    wait: bool,
}

fn yes() -> bool {
    true
}

/// What it came to.
pub(crate) struct Evaluated(Option<Value>);

impl Action for Evaluate {
    const NAME: &'static str = "evaluate";
    const ALIASES: &'static [&'static str] = &["eval"];
    const GROUP: Group = Group::Script;
    const TOOLSET: Toolset = Toolset::Full;
    const ACCESS: Access = Access::Changes;
    const LONG: bool = true;
    const TIPS: &'static [&'static str] = &[
        "It runs in the page's own world, in the frame that was entered; nodes come as short descriptions, cycles are cut.",
    ];
    type Output = Evaluated;

    fn examples() -> Vec<Example> {
        vec![
            Example::gives(
                "An expression",
                json!({ "script": "answer + 1" }),
                json!({ "result": 43 }),
            ),
            Example::gives(
                "Statements",
                json!({ "script": "const a = answer; return a * 2" }),
                json!({ "result": 84 }),
            ),
            Example::gives(
                "A promise",
                json!({ "script": "later()" }),
                json!({ "result": "later" }),
            ),
            Example::fails("An error", json!({ "script": "foo" }), "javascript_error"),
        ]
    }

    async fn run(self, tab: &mut Tab) -> Result<Evaluated> {
        Ok(Evaluated(tab.evaluate(&self.script, self.wait).await?.value))
    }
}

impl Output for Evaluated {
    fn data(&self) -> Value {
        match &self.0 {
            Some(value) => json!({ "result": value }),
            None => json!({}),
        }
    }

    fn schema() -> Option<Schema> {
        Some(json_schema!({
            "type": "object",
            "properties": { "result": { "description": "Absent where it is undefined." } },
        }))
    }

    fn text(&self) -> Text {
        Text::ours(match &self.0 {
            Some(value) => json_text(value),
            None => "undefined".to_owned(),
        })
    }
}
