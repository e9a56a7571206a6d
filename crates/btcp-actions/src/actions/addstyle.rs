//! `addstyle`: another style sheet for the page, also where its policy forbids strangers' ones.

use crate::error::CallError;
use crate::prelude::*;

/// Add CSS to the page, given as text or by its address.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Addstyle {
    /// The rules.
    content: Option<String>,
    /// Or their address.
    #[serde(alias = "url")]
    href: Option<String>,
}

impl Action for Addstyle {
    const NAME: &'static str = "addstyle";
    const GROUP: Group = Group::Script;
    const TOOLSET: Toolset = Toolset::All;
    const ACCESS: Access = Access::Changes;
    const TIPS: &'static [&'static str] =
        &["Rules given as text make no element; the page can hardly tell."];
    type Output = Did;

    fn examples() -> Vec<Example> {
        vec![
            Example::does(
                "Rules",
                json!({ "content": "#here { width: 77px }" }),
                "document.querySelector('#here').offsetWidth === 77",
            ),
            Example::does(
                "From an address",
                json!({ "href": "script/added.css" }),
                "document.querySelector('#here').offsetWidth === 88",
            ),
            Example::fails(
                "From one that is not there",
                json!({ "href": "/status/404" }),
                "navigation_failed",
            ),
            Example::fails("None", json!({}), "invalid_params"),
        ]
    }

    async fn run(self, tab: &mut Tab) -> Result<Did> {
        match (self.content, self.href) {
            (Some(content), None) => {
                tab.add_style(&content).await?;
                Ok(Did::plain("added the style"))
            }
            (None, Some(href)) => {
                tab.add_style_from(&href).await?;
                Ok(Did::plain(format!("added the style at {}", quoted(&cut(&href, 200)))))
            }
            _ => Err(CallError::InvalidParams {
                field: Some("content".to_owned()),
                reason: "content or href is required, and not both".to_owned(),
                hint: None,
            }
            .into()),
        }
    }
}
