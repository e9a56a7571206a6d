//! `addscript`: a script for the page's own world, also where its policy forbids strangers' ones.

use crate::error::CallError;
use crate::prelude::*;

/// Run a script in the page, given as text or by its address.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Addscript {
    /// The script.
    content: Option<String>,
    /// Or its address.
    #[serde(alias = "url")]
    src: Option<String>,
}

impl Action for Addscript {
    const NAME: &'static str = "addscript";
    const GROUP: Group = Group::Script;
    const TOOLSET: Toolset = Toolset::All;
    const ACCESS: Access = Access::Changes;
    const TIPS: &'static [&'static str] = &[
        "It runs although the page's policy (CSP) forbids it; what it declares at the top is the page's own. A relative address counts from the page.",
    ];
    type Output = Did;

    fn examples() -> Vec<Example> {
        vec![
            Example::does(
                "A script",
                json!({ "content": "document.title = 'new'" }),
                "document.title === 'new'",
            ),
            Example::does(
                "One from an address",
                json!({ "src": "script/added.js" }),
                "addedBy === 'added.js'",
            ),
            Example::fails("One that throws", json!({ "content": "nobody()" }), "javascript_error"),
            Example::fails(
                "One that is not there",
                json!({ "src": "/status/404" }),
                "navigation_failed",
            ),
            Example::fails("None", json!({}), "invalid_params"),
        ]
    }

    async fn run(self, tab: &mut Tab) -> Result<Did> {
        match (self.content, self.src) {
            (Some(content), None) => {
                tab.add_script(&content).await?;
                Ok(Did::plain("ran the script"))
            }
            (None, Some(src)) => {
                tab.add_script_from(&src).await?;
                Ok(Did::plain(format!("ran the script at {}", quoted(&cut(&src, 200)))))
            }
            _ => Err(CallError::InvalidParams {
                field: Some("content".to_owned()),
                reason: "content or src is required, and not both".to_owned(),
                hint: None,
            }
            .into()),
        }
    }
}
