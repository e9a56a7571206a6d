//! Events: what Chrome says unasked, and who listens.

use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use crate::Connection;

/// Parameters of one kind of event.
pub trait EventKind: DeserializeOwned {
    /// Name on the wire, such as `Page.frameNavigated`.
    const METHOD: &'static str;
}

/// One event, its parameters not yet parsed.
#[derive(Debug, Clone, Copy)]
pub struct Event<'a> {
    /// The session it belongs to; none for the browser itself.
    pub session: Option<&'a str>,
    /// Name on the wire.
    pub method: &'a str,
    /// The parameters as Chrome wrote them.
    pub params: &'a RawValue,
}

impl Event<'_> {
    /// The parameters, if the event is an `E`. One that cannot be read is traced and gives none.
    pub fn read<E: EventKind>(&self) -> Option<E> {
        if self.method != E::METHOD {
            return None;
        }
        let params = if self.params.get() == "null" { "{}" } else { self.params.get() };
        serde_json::from_str(params)
            .inspect_err(|error| tracing::debug!(method = self.method, %error, "unreadable event"))
            .ok()
    }
}

/// Hears every event of a connection.
pub trait EventHandler: Send + Sync + 'static {
    /// Called on the reading task, in order with replies: a call that was answered before this
    /// event has its answer already. It must not block; follow-up commands go out by
    /// [`Connection::post`] and [`Connection::call`].
    fn event(&self, connection: &Connection, event: Event<'_>);

    /// Called once, after the last event.
    fn closed(&self, reason: &str);
}
