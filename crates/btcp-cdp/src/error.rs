//! Why a command got no usable answer.

use std::{sync::Arc, time::Duration};

/// Why a command got no usable answer. Cheap to clone: one cause can fail many calls.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The connection ended before the answer came, or before the command was made.
    #[error("the connection to Chrome is closed: {reason}")]
    Closed {
        /// What ended it.
        reason: Arc<str>,
    },
    /// No answer in the time the caller gave.
    #[error("Chrome did not answer {method} within {} ms", after.as_millis())]
    Deadline {
        /// The unanswered method.
        method: &'static str,
        /// From the call to its deadline.
        after: Duration,
    },
    /// Chrome answered with an error.
    #[error("{method}: {message}")]
    Remote {
        /// The refused method.
        method: &'static str,
        /// JSON-RPC code; Chrome uses -32000 for nearly everything.
        code: i64,
        /// Chrome's words, with its details if it gave any.
        message: String,
    },
    /// The page, frame or worker behind the session is gone, so no answer can come.
    #[error("{method} got no answer: {reason}")]
    SessionGone {
        /// The unanswered method.
        method: &'static str,
        /// What became of the session.
        reason: Arc<str>,
    },
    /// Too many calls wait for an answer already.
    #[error("{in_flight} commands wait for Chrome already")]
    Overloaded {
        /// How many wait.
        in_flight: usize,
    },
    /// The answer does not have the shape we read.
    #[error("the answer to {method} cannot be read: {reason}")]
    BadReply {
        /// The answered method.
        method: &'static str,
        /// What the parser found.
        reason: Arc<str>,
    },
    /// The parameters cannot be written as JSON; nothing was sent.
    #[error("{method} cannot be sent: {reason}")]
    BadCommand {
        /// The method that was not called.
        method: &'static str,
        /// What the serializer found.
        reason: Arc<str>,
    },
}

impl Error {
    /// The session's end as a cause for [`Connection::fail_session`](crate::Connection::fail_session),
    /// which fills in the method of each call that it fails.
    pub fn session_gone(reason: &str) -> Self {
        Self::SessionGone { method: "the command", reason: reason.into() }
    }

    /// The same cause, told about another call.
    pub(crate) fn about(&self, call: &'static str) -> Self {
        let mut error = self.clone();
        match &mut error {
            Self::Closed { .. } | Self::Overloaded { .. } => {}
            Self::Deadline { method, .. }
            | Self::Remote { method, .. }
            | Self::SessionGone { method, .. }
            | Self::BadReply { method, .. }
            | Self::BadCommand { method, .. } => *method = call,
        }
        error
    }
}
