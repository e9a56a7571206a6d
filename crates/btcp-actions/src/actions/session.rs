//! `session`: handles for sessions beyond the caller's own.

use crate::handles::MOST;
use crate::prelude::*;

/// Make, list or close sessions; pass a session's handle as `session` to other tools.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Session {
    /// Default list.
    #[serde(rename = "do", alias = "action", default)]
    what: What,
}

#[derive(Deserialize, JsonSchema, Default, Clone, Copy)]
#[serde(rename_all = "lowercase")]
enum What {
    New,
    #[default]
    List,
    Close,
}

/// What came of it.
pub(crate) enum SessionDid {
    Made(String),
    Listed(Vec<(String, bool)>),
    Closed(String),
}

impl CatalogAction for Session {
    const NAME: &'static str = "session";
    const GROUP: Group = Group::Tabs;
    const TOOLSET: Toolset = Toolset::All;
    const ACCESS: Access = Access::Changes;
    const STATELESS: bool = true;
    const TIPS: &'static [&'static str] = &[
        "A session has its own tabs, cookies and storage; a new one starts with its first call.",
        "Without a handle calls go to your default session; close ends the one named by `session`.",
    ];
    type Output = SessionDid;

    fn examples() -> Vec<Example> {
        vec![
            Example::gives("A new one", json!({ "do": "new" }), json!({ "success": true })),
            Example::gives("All of mine", json!({ "do": "list" }), json!({ "success": true })),
            Example::gives("End this one", json!({ "do": "close" }), json!({ "success": true })),
            Example::fails(
                "One that is not mine",
                json!({ "do": "close", "session": "00000000000000000000000000000000" }),
                "session_gone",
            ),
        ]
    }

    async fn run(self, call: &Call<'_>) -> Result<SessionDid> {
        match self.what {
            What::New => match call.catalog.make_handle(&call.caller.session) {
                Some(handle) => Ok(SessionDid::Made(handle)),
                None => Err(btcp_engine::Error::SessionLimit {
                    of: btcp_engine::Limited::Sessions,
                    message: format!("You have {MOST} sessions, and may have no more"),
                }
                .into()),
            },
            What::List => Ok(SessionDid::Listed(call.catalog.sessions_of(&call.caller.session))),
            What::Close => {
                call.catalog.end(call.session).await;
                Ok(SessionDid::Closed(call.session.to_owned()))
            }
        }
    }
}

impl Output for SessionDid {
    fn data(&self) -> Value {
        match self {
            Self::Made(handle) | Self::Closed(handle) => {
                json!({ "success": true, "session": handle })
            }
            Self::Listed(sessions) => {
                let one = |(name, open): &(String, bool)| json!({ "session": name, "open": open });
                json!({ "success": true, "sessions": sessions.iter().map(one).collect::<Vec<_>>() })
            }
        }
    }

    fn schema() -> Option<Schema> {
        Some(json_schema!({
            "type": "object",
            "properties": {
                "success": { "const": true },
                "session": { "type": "string", "description": "The handle." },
                "sessions": {
                    "type": "array",
                    "items": {
                        "type": "object",
                        "properties": {
                            "session": { "type": "string" },
                            "open": { "type": "boolean", "description": "Whether its browser runs." },
                        },
                        "required": ["session", "open"],
                    },
                },
            },
            "required": ["success"],
        }))
    }

    fn text(&self) -> Text {
        Text::ours(match self {
            Self::Made(handle) => format!("session {handle}"),
            Self::Closed(handle) => format!("ended session {handle}"),
            Self::Listed(sessions) => {
                let line = |(name, open): &(String, bool)| {
                    format!("session {name}{}", if *open { "" } else { " [not started]" })
                };
                sessions.iter().map(line).collect::<Vec<_>>().join("\n")
            }
        })
    }
}
