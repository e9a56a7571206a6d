//! `downloads`: the files pages have handed over.
//!
//! On the control lane: it asks no page, and waits by what Chrome says of each file.

use btcp_engine::{Download, DownloadState};

use crate::did::download_text;
use crate::error::CallError;
use crate::prelude::*;

/// List downloaded files: state, size and path.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Downloads {
    /// Wait until none is running.
    #[serde(default)]
    wait: bool,
    /// Only this one.
    id: Option<u32>,
}

/// The files.
pub(crate) struct Files(Vec<Download>);

impl SessionAction for Downloads {
    const NAME: &'static str = "downloads";
    const GROUP: Group = Group::State;
    const TOOLSET: Toolset = Toolset::All;
    const ACCESS: Access = Access::Reads;
    const TIPS: &'static [&'static str] = &[
        "A file has a path once it is complete; with wait the answer comes when no file is running any more.",
    ];
    type Output = Files;

    fn examples() -> Vec<Example> {
        vec![
            Example::gives(
                "All there are, once none is running; here none yet",
                json!({ "wait": true }),
                json!({ "downloads": [] }),
            ),
            Example::fails("One there is not", json!({ "id": 7 }), "invalid_params"),
        ]
    }

    async fn run(self, session: &Arc<Session>, call: &CallContext) -> Result<Files> {
        if self.wait {
            session.downloads_ended(self.id).await;
        }
        let mut files = session.downloads();
        files.retain(|file| call.has_belongings_of(&file.origin));
        if let Some(id) = self.id {
            files.retain(|file| file.id == id);
            if files.is_empty() {
                let reason = format!("There is no download {id}");
                let hint = Some("Without an id all are listed.".to_owned());
                return Err(
                    CallError::InvalidParams { field: Some("id".into()), reason, hint }.into()
                );
            }
        }
        Ok(Files(files))
    }
}

impl Output for Files {
    fn data(&self) -> Value {
        let files: Vec<Value> = self.0.iter().map(file).collect();
        json!({ "downloads": files })
    }

    fn schema() -> Option<Schema> {
        Some(json_schema!({
            "type": "object",
            "properties": {
                "downloads": {
                    "type": "array",
                    "description": "Oldest first.",
                    "items": {
                        "type": "object",
                        "properties": {
                            "id": { "type": "integer" },
                            "filename": { "type": "string" },
                            "state": { "enum": ["running", "complete", "failed"] },
                            "bytes": { "type": "integer" },
                            "total": { "type": ["integer", "null"] },
                            "path": { "type": ["string", "null"], "description": "Once it is complete." },
                            "reason": { "type": "string", "description": "Why it failed, where that is known." },
                        },
                        "required": ["id", "filename", "state", "bytes", "total", "path"],
                    },
                },
            },
            "required": ["downloads"],
        }))
    }

    fn text(&self) -> Text {
        if self.0.is_empty() {
            return Text::ours("no downloads");
        }
        let lines: Vec<String> =
            self.0.iter().map(|file| format!("{} {}", file.id, download_text(file))).collect();
        Text::ours(lines.join("\n"))
    }
}

fn file(file: &Download) -> Value {
    let complete = file.state == DownloadState::Complete;
    let mut data = json!({
        "id": file.id,
        "filename": file.filename,
        "state": file.state.name(),
        "bytes": file.bytes,
        "total": file.total,
        "path": complete.then_some(&file.path),
    });
    if let Some(reason) = &file.reason {
        data["reason"] = json!(reason);
    }
    data
}
