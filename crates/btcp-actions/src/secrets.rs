//! Secrets put into a call's parameters in place of their names.
//!
//! Only what is typed or filled in may hold one: in an address or a script it could be sent
//! anywhere, and in a selector it could be guessed letter by letter. To which page it may go, the
//! engine checks when it knows the frame.

use std::borrow::Cow;

use btcp_engine::{Bound, Secrets};
use serde_json::{Map, Value};

use crate::action::{Entry, Group};
use crate::caller::Caller;
use crate::catalog::Catalog;
use crate::error::{CallError, Fault};

/// Parameters whose text ends up in a field; of locators only what a subaction fills in: their `text`
/// is looked for, on whatever page that is.
fn typed_by(group: Group) -> &'static [&'static str] {
    match group {
        Group::Interaction => &["text", "value", "values"],
        Group::Locators => &["value"],
        _ => &[],
    }
}

/// Puts secrets in; what was put in.
pub(crate) fn put_in(
    entry: &Entry,
    args: &mut Map<String, Value>,
    secrets: &Secrets,
) -> Result<Vec<Bound>, Fault> {
    // The steps of a batch are asked about one by one, each as the action it is.
    if entry.group == Group::Interaction && !entry.on_page {
        return Ok(Vec::new());
    }
    let typed = typed_by(entry.group);
    let mut carried = Vec::new();
    for (key, value) in args {
        walk(value, typed, typed.contains(&key.as_str()), secrets, &mut carried)?;
    }
    Ok(carried)
}

fn walk(
    value: &mut Value,
    typed: &[&str],
    is_typed: bool,
    secrets: &Secrets,
    carried: &mut Vec<Bound>,
) -> Result<(), Fault> {
    match value {
        Value::String(text) if Secrets::is_asked_for(text) => {
            if !is_typed {
                let message = "Secrets may stand only in text that is typed or filled in".into();
                return Err(CallError::NotGranted { message }.into());
            }
            *text = secrets.fill_in(text, carried)?;
        }
        Value::Array(items) => {
            for item in items {
                walk(item, typed, is_typed, secrets, carried)?;
            }
        }
        Value::Object(fields) => {
            for (key, field) in fields {
                walk(field, typed, typed.contains(&key.as_str()), secrets, carried)?;
            }
        }
        _ => {}
    }
    Ok(())
}

/// The session that a call names; not always one of the caller's.
pub(crate) fn named_session(args: &Map<String, Value>) -> Option<String> {
    args.get("session").and_then(Value::as_str).map(str::to_owned)
}

impl Catalog {
    /// What a caller is not to be told: secrets, and, without `secrets:read`, the passwords that were
    /// typed in its session, or in the one it has named.
    pub(crate) fn hidden(&self, caller: &Caller, named: Option<&str>) -> Cow<'_, Secrets> {
        let is_own = |name: &&str| self.handles.belongs(name, &caller.session);
        let own = named.filter(is_own).unwrap_or(&caller.session);
        match self.sessions().peek(own) {
            Some(session) => Cow::Owned(session.hidden(caller.grant.reveals()).into_owned()),
            None => Cow::Borrowed(&self.sessions().settings().secrets),
        }
    }
}
