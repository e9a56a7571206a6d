//! The audit: a line for each call that was denied, for the person who runs us.
//!
//! A line is an object of JSON, so that nothing an agent or a page wrote can pass for another line.

use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use btcp_engine::text::cut;
use serde_json::json;

use crate::caller::Caller;
use crate::catalog::Catalog;
use crate::outcome::Denial;

/// Longer names and sentences are cut.
const LONGEST: usize = 400;

type Say = dyn Fn(&str) + Send + Sync;

/// Where lines go.
#[derive(Clone, Default)]
pub(crate) struct Audit(Option<Arc<Say>>);

impl Audit {
    pub(crate) fn to(say: impl Fn(&str) + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(say)))
    }

    /// A call was denied.
    pub(crate) fn denied(&self, session: &str, call: &str, why: &str) {
        let time = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
        let line = json!({
            "time": time,
            "denied": cut(call, LONGEST),
            "session": cut(session, LONGEST),
            "why": cut(why, LONGEST),
        });
        match &self.0 {
            Some(say) => say(&line.to_string()),
            None => tracing::warn!(target: "btcp::audit", "{line}"),
        }
    }
}

impl Catalog {
    /// Writes down each of several things that were refused in a call.
    pub(crate) fn all_denied(&self, caller: &Caller, name: &str, denials: &[Denial]) {
        for (own, why) in denials {
            self.denied(caller, own.as_deref().unwrap_or(name), why.clone());
        }
    }

    /// Writes down that a call, or a step of one, was refused.
    pub(crate) fn denied(&self, caller: &Caller, name: &str, mut why: String) {
        self.hidden(caller, None).mask(&mut why);
        self.audit.denied(&caller.session, name, &why);
    }
}
