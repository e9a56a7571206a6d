//! `navigate`: load a page.

use btcp_engine::{Arrived, WaitUntil};

use crate::did::{
    dialog_data, dialog_schema, dialog_text, download_data, download_schema, download_text,
};
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
pub(crate) struct Navigated(Arrived);

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
        Ok(Navigated(arrived))
    }
}

impl Output for Navigated {
    fn data(&self) -> Value {
        let Arrived { url, title, status, download, dialog } = &self.0;
        if let Some(download) = download {
            return json!({ "success": true, "download": download_data(download) });
        }
        let mut data = json!({ "success": true, "url": url, "title": title, "status": status });
        if let Some(dialog) = dialog {
            data["dialog"] = dialog_data(dialog);
        }
        data
    }

    fn schema() -> Option<Schema> {
        Some(json_schema!({
            "type": "object",
            "properties": {
                "success": { "const": true },
                "url": { "type": "string" },
                "title": { "type": "string" },
                "status": { "type": ["integer", "null"], "description": "Null for `about:` and same-document steps." },
                "download": download_schema(),
                "dialog": dialog_schema(),
            },
            "required": ["success"],
        }))
    }

    fn without_page(&mut self) {
        self.0.title.clear();
        self.0.dialog = None;
    }

    fn text(&self) -> Text {
        let Arrived { url, title, status, download, dialog } = &self.0;
        if let Some(download) = download {
            return Text::ours(download_text(download));
        }
        let status = status.map(|status| format!(" [{status}]")).unwrap_or_default();
        let page = format!("page {} {}{status}", quoted(&cut(title, 120)), cut(url, 200));
        let asked = dialog.as_ref().map(|dialog| format!("\n{}", dialog_text(dialog)));
        Text::ours(page + &asked.unwrap_or_default())
    }
}
