//! Long answers: told in parts, nothing runs again for the next one.
//!
//! An action whose answer may be long (`LONG`) answers 16 KB of text; all of it is in a file of the
//! session's folder, and the same call with `offset` reads on in what the session keeps of it.

use std::sync::Arc;

use btcp_engine::Session;
use serde_json::{Map, Value};

use crate::action::Entry;
use crate::error::{CallError, Fault};
use crate::outcome::{Outcome, Text};

/// Characters of an answer that are told at once.
const INLINE: usize = 16 * 1024;

/// Which part of a long answer a call asks for.
pub(crate) struct Part {
    action: &'static str,
    args: Value,
    offset: Option<usize>,
    max: usize,
}

/// The last long answer of a session, and the call it was an answer to.
struct Kept {
    action: &'static str,
    args: Value,
    text: Text,
    data: Value,
    path: Option<String>,
}

impl Part {
    /// Takes `offset` and `maxChars` off, where the action's answers may be long.
    pub(crate) fn take(
        entry: &Entry,
        args: &mut Map<String, Value>,
    ) -> Result<Option<Self>, CallError> {
        if !entry.long {
            return Ok(None);
        }
        let offset = number(args, "offset")?;
        let max = number(args, "maxChars")?.unwrap_or(INLINE).clamp(1, 1_000_000);
        Ok(Some(Self { action: entry.name, args: Value::Object(args.clone()), offset, max }))
    }

    /// What is left of the answer before; `None` if the call is to be made.
    pub(crate) fn read_on(&self, session: &Session) -> Result<Option<Outcome>, Fault> {
        let Some(offset) = self.offset.filter(|offset| *offset > 0) else { return Ok(None) };
        let kept = session.kept::<Kept>();
        let kept = kept.filter(|kept| kept.action == self.action && kept.args == self.args);
        let Some(kept) = kept else {
            return Err(CallError::InvalidParams {
                field: Some("offset".into()),
                reason: format!(
                    "offset {offset} reads on in the last long answer, and that was to another call"
                ),
                hint: Some("Make the call without offset first.".into()),
            }
            .into());
        };
        let mut outcome = Outcome { data: kept.data.clone(), ..Outcome::default() };
        outcome.text = self.cut(&kept.text, offset, kept.path.as_deref());
        Ok(Some(outcome))
    }

    /// The first part of an answer; the session keeps all of one that is longer.
    pub(crate) fn first(&self, session: &Session, mut outcome: Outcome) -> Outcome {
        if outcome.text.length() <= self.max {
            return outcome;
        }
        // A full disk is no reason to lose the answer.
        let path = session.save_text(&outcome.text.plain()).ok().map(|p| p.display().to_string());
        let first = self.cut(&outcome.text, 0, path.as_deref());
        session.keep_beside(Arc::new(Kept {
            action: self.action,
            args: self.args.clone(),
            text: std::mem::take(&mut outcome.text),
            data: outcome.data.clone(),
            path,
        }));
        outcome.text = first;
        outcome
    }

    fn cut(&self, text: &Text, from: usize, path: Option<&str>) -> Text {
        let part = text.part(from, self.max);
        let next = from + part.length();
        let left = text.length().saturating_sub(next);
        if left == 0 {
            return part;
        }
        let all = path.map(|path| format!("; all of it is in {path}")).unwrap_or_default();
        part.then(Text::ours(format!("\n… {left} more characters, offset: {next} for more{all}")))
    }
}

fn number(args: &mut Map<String, Value>, name: &str) -> Result<Option<usize>, CallError> {
    match args.shift_remove(name) {
        None | Some(Value::Null) => Ok(None),
        Some(value) => {
            let number = value.as_u64().and_then(|number| usize::try_from(number).ok());
            number.map(Some).ok_or_else(|| CallError::InvalidParams {
                field: Some(name.to_owned()),
                reason: format!("{name} must be a whole number, not {value}"),
                hint: None,
            })
        }
    }
}
