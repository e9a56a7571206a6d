//! `navigate`: load a page.

use btcp_engine::WaitUntil;

use crate::prelude::*;

/// Go to a URL and wait for the page to load.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Navigate {
    /// http or https address; without scheme https (http for local hosts).
    url: String,
    /// How far to wait.
    #[serde(default)]
    wait_until: Until,
}

/// How far a page must have come.
#[derive(Deserialize, JsonSchema, Default, Clone, Copy)]
#[serde(rename_all = "lowercase")]
enum Until {
    #[default]
    Load,
    DomContentLoaded,
    NetworkIdle,
    Commit,
}

impl From<Until> for WaitUntil {
    fn from(until: Until) -> Self {
        match until {
            Until::Load => Self::Load,
            Until::DomContentLoaded => Self::DomContentLoaded,
            Until::NetworkIdle => Self::NetworkIdle,
            Until::Commit => Self::Commit,
        }
    }
}

/// Where it led.
#[derive(Serialize)]
pub(crate) struct Navigated {
    success: bool,
    url: String,
    title: String,
    status: Option<u16>,
}

impl Action for Navigate {
    const NAME: &'static str = "navigate";
    const ALIASES: &'static [&'static str] = &["open", "goto"];
    const GROUP: Group = Group::Navigation;
    const TOOLSET: Toolset = Toolset::Standard;
    const ACCESS: Access = Access::Changes;
    const LISTED: &'static [&'static str] = &["timeout"];
    const TIPS: &'static [&'static str] = &[
        "waitUntil networkidle waits for half a second without requests; use it only for pages that load data late.",
    ];
    type Output = Navigated;

    fn examples() -> Vec<Example> {
        vec![
            Example::gives(
                "A page",
                json!({ "url": "{origin}/navigate.html" }),
                json!({ "success": true, "title": "navigate", "status": 200 }),
            ),
            Example::gives(
                "As soon as the document is there",
                json!({ "url": "{origin}/navigate.html?now", "waitUntil": "domcontentloaded" }),
                json!({ "success": true, "title": "navigate" }),
            ),
            Example::fails("A file", json!({ "url": "file:///etc/passwd" }), "denied"),
            Example::fails(
                "A server that is not there",
                json!({ "url": "http://127.0.0.1:1/" }),
                "navigation_failed",
            ),
        ]
    }

    async fn run(self, tab: &mut Tab) -> Result<Navigated> {
        let arrived = tab.navigate(&self.url, self.wait_until.into()).await?;
        Ok(Navigated {
            success: true,
            url: arrived.url,
            title: arrived.title,
            status: arrived.status,
        })
    }
}

impl Output for Navigated {
    fn data(&self) -> Value {
        json!(self)
    }

    fn text(&self) -> Text {
        let status = self.status.map(|status| format!(" [{status}]")).unwrap_or_default();
        Text::ours(format!(
            "page {} {}{status}",
            quoted(&cut(&self.title, 120)),
            cut(&self.url, 200)
        ))
    }
}
