//! A Chrome that runs already: finding its WebSocket and connecting to it.
//!
//! [`Endpoint`] is what a person writes: an address, a port, a profile. What we may do in such a Chrome
//! is `tenure.rs`. It is not ours: nothing here starts, ends or remembers a process.

mod endpoint;
mod version;

use std::sync::Arc;

use btcp_cdp::{ConnectError, Connection, EventHandler, WebSocketTransport, browser};
use tokio::time::Instant;

pub use self::endpoint::Endpoint;
use crate::egress::Ours;
use crate::error::{Error, Result};
use crate::settings::Settings;

/// How a Chrome is made ready to be connected to.
const HOW: &str = "Start Chrome with --remote-debugging-port=9222 --user-data-dir=FOLDER (it opens no port on its \
                   usual profile), or allow remote debugging at chrome://inspect/#remote-debugging and give the \
                   profile's folder.";

/// A Chrome of somebody else's, and our connection to it.
pub(crate) struct Attached {
    pub(crate) connection: Connection,
    pub(crate) version: browser::Version,
    /// Whoever reaches its port can do everything, so agents may not name it.
    _port: Ours,
}

/// Connects to the Chrome that the settings name.
pub(crate) async fn attach(
    endpoint: &Endpoint,
    settings: &Settings,
    handler: Arc<dyn EventHandler>,
) -> Result<Attached> {
    refuse_what_cannot_hold(settings)?;
    let deadline = Instant::now() + settings.start_timeout;
    let mut refused = none(format!("'{endpoint}' stands for no address"), HOW);
    for address in endpoint.addresses(settings.connect_remote, deadline).await? {
        let path = match endpoint.path(address, deadline).await {
            Ok(path) => path,
            Err(error) => {
                refused = error;
                continue;
            }
        };
        match WebSocketTransport::connect(address, &address.to_string(), &path, deadline).await {
            Ok(transport) => {
                let connection = Connection::open(transport, handler);
                let asked = connection.call(None, &browser::GetVersion, deadline).await;
                let version = asked.map_err(|error| {
                    connection.close("it is no Chrome");
                    none(format!("What listens at {address} is no Chrome: {error}"), HOW)
                })?;
                return Ok(Attached { connection, version, _port: Ours::add(address.port()) });
            }
            Err(error) => refused = unanswered(endpoint, &error),
        }
    }
    Err(refused)
}

/// What a person asked for and only a Chrome of our own can hold: better none than one that does not.
fn refuse_what_cannot_hold(settings: &Settings) -> Result<()> {
    let egress = &settings.egress;
    let cannot = match () {
        () if settings.profile.is_some() => "'profile' cannot be set",
        () if settings.debugging_port.is_some() => "'debugging-port' cannot be set",
        () if egress.proxy.is_some() => "'proxy' cannot be set",
        () if !egress.allow_resources.is_empty() => "'allow-resources' cannot be held",
        () => return Ok(()),
    };
    let message = format!("{cannot} in a Chrome that btcp did not start");
    Err(none(message, "Leave it out, or leave out 'connect'."))
}

fn unanswered(endpoint: &Endpoint, error: &ConnectError) -> Error {
    let message = format!("No Chrome can be connected to at '{endpoint}': {error}");
    match error {
        ConnectError::TooLate { .. } => none(
            message,
            "If Chrome asks whether it may be debugged, allow it, and call again; --start-timeout gives you longer.",
        ),
        ConnectError::NoWebSocket { status: Some(404), .. } => none(
            message,
            "Chrome was started again since: give its port or its profile's folder instead of the address.",
        ),
        ConnectError::NoWebSocket { .. } | ConnectError::Unreachable { .. } => none(message, HOW),
    }
}

/// There is no Chrome, and what can be done about it.
fn none(message: String, how: &str) -> Error {
    Error::NoBrowser { message, how: how.to_owned() }
}
