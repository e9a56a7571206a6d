//! `tabs`: listing, opening, selecting and closing tabs in one tool.

use crate::error::CallError;
use crate::prelude::*;
use crate::tabs::{TabDid, TabList};

/// List, open, select or close tabs.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Tabs {
    /// Default list.
    #[serde(rename = "do", alias = "action", default)]
    what: What,
    /// To select or close, default the current.
    tab_id: Option<u32>,
    /// Of the new one.
    url: Option<String>,
}

#[derive(Deserialize, JsonSchema, Default, Clone, Copy)]
#[serde(rename_all = "lowercase")]
enum What {
    #[default]
    List,
    New,
    Select,
    Close,
}

/// What came of it.
pub(crate) enum TabsDid {
    Listed(TabList),
    Did(TabDid),
}

impl SessionAction for Tabs {
    const NAME: &'static str = "tabs";
    const GROUP: Group = Group::Tabs;
    const TOOLSET: Toolset = Toolset::All;
    const ACCESS: Access = Access::Changes;
    const OWN: &'static [&'static str] = &["tabId"];
    const TIPS: &'static [&'static str] = &[
        "Answers also while a page hangs; such a tab is marked [hung] and can be closed.",
        "A tab that a page opened does not become the current one: select it.",
        "Every call takes tabId to work in another tab than the current one; refs carry their tab.",
    ];
    type Output = TabsDid;

    fn examples() -> Vec<Example> {
        vec![
            Example::gives(
                "All tabs",
                json!({ "do": "list" }),
                json!({ "success": true, "tabs": [{ "id": 1, "active": true }] }),
            ),
            Example::gives(
                "A new one",
                json!({ "do": "new", "url": "{origin}/tabs.html?new" }),
                json!({ "success": true, "tabId": 2, "url": "{origin}/tabs.html?new" }),
            ),
            Example::gives(
                "An empty one",
                json!({ "do": "new" }),
                json!({ "success": true, "tabId": 2, "url": "about:blank" }),
            ),
            Example::gives(
                "Close the current one",
                json!({ "do": "close" }),
                json!({ "success": true, "tabId": 1 }),
            ),
            Example::fails(
                "One that is not there",
                json!({ "do": "select", "tabId": 99 }),
                "no_such_tab",
            ),
            Example::fails("Select none", json!({ "do": "select" }), "invalid_params"),
        ]
    }

    async fn run(self, session: &Arc<Session>, call: &CallContext) -> Result<TabsDid> {
        Ok(TabsDid::Did(match self.what {
            What::List => return Ok(TabsDid::Listed(TabList(session.list_tabs().await))),
            What::New => {
                let url = self.url.as_deref().unwrap_or("about:blank");
                let id = session.open_tab_at(url, true, call).await?;
                TabDid::opened(session, id).await
            }
            What::Select => {
                let id = self.tab_id.ok_or_else(|| CallError::InvalidParams {
                    field: Some("tabId".into()),
                    reason: "tabId is required to select a tab".into(),
                    hint: None,
                })?;
                session.select_tab(id)?;
                TabDid::selected(session, id).await
            }
            What::Close => {
                let id = session.close_tab(self.tab_id, call).await?;
                TabDid::closed(session, id).await
            }
        }))
    }
}

impl Output for TabsDid {
    fn data(&self) -> Value {
        match self {
            Self::Listed(list) => list.data(),
            Self::Did(did) => did.data(),
        }
    }

    fn schema() -> Option<Schema> {
        let of = |schema: Option<Schema>| schema.map_or(json!({}), Into::into);
        Some(json_schema!({ "anyOf": [of(TabList::schema()), of(TabDid::schema())] }))
    }

    fn only_of(&mut self, told: &dyn Fn(&str) -> bool) {
        match self {
            Self::Listed(list) => list.only_of(told),
            Self::Did(did) => did.only_of(told),
        }
    }

    fn text(&self) -> Text {
        match self {
            Self::Listed(list) => list.text(),
            Self::Did(did) => did.text(),
        }
    }
}
