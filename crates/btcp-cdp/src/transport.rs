//! How messages travel: whole, in order, in both directions.
//!
//! A trait, so that a WebSocket can stand where the pipe stands: the pipe is for a Chrome of ours, the
//! WebSocket for one that runs already. Framing is the transport's business, what is in a message is not.

mod pipe;
mod web_socket;

use std::io;

pub use pipe::PipeTransport;
pub use web_socket::{ConnectError, WebSocketTransport};

/// A way to Chrome and back.
pub trait Transport: Send + 'static {
    /// The half that reads.
    type Source: MessageSource;
    /// The half that writes.
    type Sink: MessageSink;

    /// Gives each half to its own task.
    fn split(self) -> (Self::Source, Self::Sink);
}

/// Where messages come from.
pub trait MessageSource: Send + 'static {
    /// The next message, whole; none at the end. May be dropped half-way only to end the connection.
    fn next(&mut self) -> impl Future<Output = io::Result<Option<Vec<u8>>>> + Send;
}

/// Where messages go.
pub trait MessageSink: Send + 'static {
    /// Sends all messages, in one write where the medium can.
    fn send(&mut self, batch: &[Vec<u8>]) -> impl Future<Output = io::Result<()>> + Send;
}
