//! What the semantic locators share: find an element, then do something with it or tell what it is.

use btcp_engine::{Effect, Located as Found, Tab, Target};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::action::{Action, Result};
use crate::actions::{Check, Click, Fill, Hover};
use crate::did::Did;
use crate::error::CallError;
use crate::outcome::{Output, Text};
use crate::values::FieldText;

/// What to do with what was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Subaction {
    Click,
    Fill,
    Check,
    Hover,
    Text,
}

impl Subaction {
    /// The action it is judged as.
    pub(crate) fn action(self) -> &'static str {
        match self {
            Self::Click => Click::NAME,
            Self::Fill => Fill::NAME,
            Self::Check => Check::NAME,
            Self::Hover => Hover::NAME,
            Self::Text => crate::actions::GetText::NAME,
        }
    }
}

/// What came of it.
pub(crate) enum Located {
    /// What was found.
    Found(Found),
    /// What was done.
    Did(Box<Did>),
    /// What it says.
    Text { text: String, origin: String },
}

/// Finds, and does what is asked.
pub(crate) async fn locate(
    tab: &mut Tab,
    target: Target,
    subaction: Option<Subaction>,
    value: Option<FieldText>,
) -> Result<Located> {
    if value.is_some() && subaction != Some(Subaction::Fill) {
        return Err(CallError::InvalidParams {
            field: Some("value".into()),
            reason: "value is only for subaction fill".into(),
            hint: None,
        }
        .into());
    }
    Ok(match subaction {
        None => Located::Found(tab.find(&target, 10).await?),
        Some(Subaction::Click) => Located::Did(Box::new(Click::on(target).run(tab).await?)),
        Some(Subaction::Check) => Located::Did(Box::new(Check::on(target).run(tab).await?)),
        Some(Subaction::Hover) => Located::Did(Box::new(Hover::over(target).run(tab).await?)),
        Some(Subaction::Fill) => {
            let Some(value) = value else {
                return Err(CallError::InvalidParams {
                    field: Some("value".into()),
                    reason: "value is required".into(),
                    hint: None,
                }
                .into());
            };
            Located::Did(Box::new(Fill::with(target, value).run(tab).await?))
        }
        Some(Subaction::Text) => {
            let text = tab.text(&target).await?;
            Located::Text { text, origin: btcp_engine::text::origin(&tab.url()).to_owned() }
        }
    })
}

impl Output for Located {
    fn data(&self) -> Value {
        match self {
            Self::Did(did) => did.data(),
            Self::Text { text, .. } => json!({ "text": text }),
            Self::Found(found) => {
                let matches: Vec<Value> = found.matches.iter().map(one).collect();
                let mut data = json!({ "ref": null, "role": null, "name": null });
                if let Some(Value::Object(first)) = matches.first() {
                    data = Value::Object(first.clone());
                }
                data["count"] = json!(found.count);
                data["matches"] = json!(matches);
                data
            }
        }
    }

    fn schema() -> Option<schemars::Schema> {
        Some(schemars::json_schema!({
            "title": "Located",
            "description": "What was found; with a subaction what was done, or the text.",
            "anyOf": [
                {
                    "type": "object",
                    "properties": {
                        "ref": { "type": ["string", "null"] },
                        "role": { "type": ["string", "null"] },
                        "name": { "type": ["string", "null"] },
                        "count": { "type": "integer" },
                        "matches": {
                            "type": "array",
                            "items": {
                                "type": "object",
                                "properties": {
                                    "ref": { "type": ["string", "null"] },
                                    "role": { "type": "string" },
                                    "name": { "type": "string" },
                                },
                                "required": ["ref", "role", "name"],
                            },
                        },
                    },
                    "required": ["ref", "role", "name", "count", "matches"],
                },
                Did::schema(),
                { "type": "object", "properties": { "text": { "type": "string" } }, "required": ["text"] },
            ],
        }))
    }

    fn text(&self) -> Text {
        match self {
            Self::Did(did) => did.text(),
            Self::Text { text, origin } => Text::page(text, origin),
            Self::Found(found) => {
                let mut lines: Vec<String> =
                    found.matches.iter().map(|element| element.name()).collect();
                if found.count > lines.len() {
                    lines.push(format!("… {} more matches", found.count - lines.len()));
                }
                Text::ours(lines.join("\n"))
            }
        }
    }

    fn brief(&self) -> Text {
        match self {
            Self::Did(did) => did.brief(),
            Self::Found(_) | Self::Text { .. } => self.text(),
        }
    }

    fn reads_back(&self) -> bool {
        matches!(self, Self::Did(did) if did.reads_back())
    }

    fn effect(&mut self) -> Option<&mut Option<Effect>> {
        match self {
            Self::Did(did) => did.effect(),
            Self::Found(_) | Self::Text { .. } => None,
        }
    }
}

fn one(element: &btcp_engine::Element) -> Value {
    let (role, name) = element.role_and_name();
    json!({ "ref": element.json_ref(), "role": role, "name": name.unwrap_or_default() })
}
