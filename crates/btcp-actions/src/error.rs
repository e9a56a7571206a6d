//! Why a call did not give a result, as every surface tells it.
//!
//! `CallError` is a call that never started; `engine::Error` a page that did not do it.
//! Both become a `Failure`: a sentence, a stable code, a hint, and for actions that
//! change something whether it happened. Hints are written in `hints.rs`.

use btcp_engine::{Done, Secrets};
use serde_json::{Map, Value, json};

/// Why a call never started.
#[derive(Debug, Clone, thiserror::Error)]
pub enum CallError {
    /// No action has that name.
    #[error("Tool not found: '{name}'")]
    UnknownTool {
        /// What was asked for.
        name: String,
        /// The nearest names in the caller's toolset.
        suggestions: Vec<String>,
    },
    /// A parameter is missing, unknown or of the wrong kind.
    #[error("{reason}")]
    InvalidParams {
        /// Which one, where that is known.
        field: Option<String>,
        /// The sentence.
        reason: String,
        /// What to write instead.
        hint: Option<String>,
    },
    /// The caller's toolset has it, the rest of its grant has not.
    #[error("{message}")]
    NotGranted {
        /// Which rule.
        message: String,
    },
    /// The caller's toolset does not have it.
    #[error("{message}")]
    Denied {
        /// Which rule.
        message: String,
    },
}

/// What an action may fail with.
#[derive(Debug, Clone, thiserror::Error)]
pub enum Fault {
    /// The call never started.
    #[error(transparent)]
    Call(#[from] CallError),
    /// The page did not do it.
    #[error(transparent)]
    Page(#[from] btcp_engine::Error),
    /// Of several things asked for in one call none was done.
    #[error("{told}")]
    Several {
        /// What went wrong with the first.
        first: Box<Fault>,
        /// What went wrong with each.
        told: String,
        /// The same, for programs.
        results: Value,
    },
}

impl Fault {
    /// Stable name for programs.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Call(CallError::UnknownTool { .. }) => "unknown_tool",
            Self::Call(CallError::InvalidParams { .. }) => "invalid_params",
            Self::Call(CallError::Denied { .. } | CallError::NotGranted { .. }) => "denied",
            Self::Page(error) => error.code(),
            Self::Several { first, .. } => first.code(),
        }
    }
}

/// A call that gave no result, ready to be told.
#[derive(Debug, Clone)]
pub struct Failure {
    /// Stable name.
    pub code: &'static str,
    /// The fact, with the value in it.
    pub message: String,
    /// The next step.
    pub hint: Option<String>,
    /// Whether it happened, for actions that change something.
    pub done: Option<Done>,
    /// More for programs: `field`, `suggestions` …
    pub data: Map<String, Value>,
}

impl Failure {
    pub(crate) fn new(fault: &Fault, hint: Option<String>, done: Option<Done>) -> Self {
        let mut data = Map::new();
        match fault {
            Fault::Call(CallError::UnknownTool { suggestions, .. }) => {
                data.insert("suggestions".into(), json!(suggestions));
            }
            Fault::Call(CallError::InvalidParams { field, reason, .. }) => {
                data.insert("field".into(), json!(field));
                data.insert("reason".into(), json!(reason));
            }
            Fault::Page(btcp_engine::Error::BadParam { field, message }) => {
                data.insert("field".into(), json!(field));
                data.insert("reason".into(), json!(message));
            }
            Fault::Page(btcp_engine::Error::BadSelector { reason, .. }) => {
                data.insert("reason".into(), json!(reason));
            }
            Fault::Several { results, .. } => {
                data.insert("results".into(), results.clone());
            }
            _ => {}
        }
        Self { code: fault.code(), message: fault.to_string(), hint, done, data }
    }

    /// The same with names in place of secrets.
    pub(crate) fn masked(mut self, secrets: &Secrets) -> Self {
        secrets.mask(&mut self.message);
        if let Some(hint) = &mut self.hint {
            secrets.mask(hint);
        }
        let mut data = Value::Object(std::mem::take(&mut self.data));
        secrets.mask_value(&mut data, &|_| false);
        if let Value::Object(data) = data {
            self.data = data;
        }
        self
    }

    /// The same, after what happened to the session meanwhile.
    pub(crate) fn noting(mut self, note: Option<String>) -> Self {
        if let Some(note) = note {
            self.message = format!("{note}\n{}", self.message);
            self.data.insert("note".into(), json!(note));
        }
        self
    }

    /// The sentence, the hint, the code and whether it happened, as a model reads it.
    pub fn text(&self) -> String {
        let mut text = self.message.clone();
        if let Some(hint) = &self.hint {
            text.push('\n');
            text.push_str(hint);
        }
        match self.done {
            None => text.push_str(&format!(" ({})", self.code)),
            Some(done) => {
                if done == Done::Unknown {
                    text.push_str(if self.hint.is_some() { " " } else { "\n" });
                    text.push_str("It may have happened: look before repeating.");
                }
                text.push_str(&format!(" ({}, done: {})", self.code, done.name()));
            }
        }
        text
    }

    /// The object programs get.
    pub fn to_json(&self) -> Value {
        let mut object = Map::new();
        object.insert("code".into(), json!(self.code));
        object.insert("message".into(), json!(self.message));
        if let Some(hint) = &self.hint {
            object.insert("hint".into(), json!(hint));
        }
        if let Some(done) = self.done {
            object.insert("done".into(), json!(done.name()));
        }
        object.extend(self.data.clone());
        Value::Object(object)
    }

    /// The number BTCP and the daemon send.
    pub fn json_rpc_code(&self) -> i64 {
        match self.code {
            "invalid_params" => -32602,
            "internal" => -32603,
            "unknown_tool" => -32000,
            "denied" | "unauthorized" => -32002,
            "timeout" | "cancelled" => -32003,
            _ => -32001,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failure(done: Option<Done>) -> Failure {
        let fault = Fault::Page(btcp_engine::Error::NotVisible { target: "#a".into() });
        Failure::new(&fault, Some("Scroll to it.".into()), done)
    }

    #[test]
    fn the_text_ends_with_code_and_done() {
        assert_eq!(
            failure(None).text(),
            "Element '#a' is not visible\nScroll to it. (not_visible)"
        );
        assert_eq!(
            failure(Some(Done::No)).text(),
            "Element '#a' is not visible\nScroll to it. (not_visible, done: no)"
        );
    }

    #[test]
    fn unknown_says_to_look_first() {
        let text = failure(Some(Done::Unknown)).text();
        assert!(text.ends_with("look before repeating. (not_visible, done: unknown)"), "{text}");
    }
}
