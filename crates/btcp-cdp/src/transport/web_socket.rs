//! The WebSocket of a Chrome that somebody else started: a JSON message is a text message.
//!
//! Not encrypted and not compressed: it is for Chromes of this machine. Whether an address may be
//! connected to is for the caller to say, who resolved it.

use std::{io, net::SocketAddr, time::Duration};

use futures_util::{
    SinkExt, StreamExt,
    stream::{SplitSink, SplitStream},
};
use tokio::{
    net::TcpStream,
    time::{Instant, timeout_at},
};
use tokio_tungstenite::{
    WebSocketStream, client_async_with_config,
    tungstenite::{self, Message, error::ProtocolError, protocol::WebSocketConfig},
};

use super::{MessageSink, MessageSource, Transport};

/// More than any reply we ask for; a peer must not make us hold more.
const LARGEST: usize = 256 << 20;

/// A WebSocket to Chrome.
#[derive(Debug)]
pub struct WebSocketTransport {
    stream: WebSocketStream<TcpStream>,
}

/// Why there is no WebSocket.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ConnectError {
    /// Nobody takes the connection.
    #[error("cannot connect to {address}: {reason}")]
    Unreachable {
        /// Where.
        address: SocketAddr,
        /// What the system says.
        reason: String,
    },
    /// Somebody does, but does not finish the handshake.
    #[error("{address} did not finish the WebSocket handshake within {} ms", after.as_millis())]
    TooLate {
        /// Where.
        address: SocketAddr,
        /// How long we waited.
        after: Duration,
    },
    /// The answer is no WebSocket's.
    #[error("{address} does not answer as a WebSocket: {reason}")]
    NoWebSocket {
        /// Where.
        address: SocketAddr,
        /// What is wrong with the answer.
        reason: String,
        /// The HTTP status, if there was one.
        status: Option<u16>,
    },
}

impl WebSocketTransport {
    /// Connects and shakes hands. `host` is what the address was called, with its port; `path` begins
    /// with a slash.
    ///
    /// # Errors
    ///
    /// Nobody is there, or not in time, or it is no WebSocket.
    pub async fn connect(
        address: SocketAddr,
        host: &str,
        path: &str,
        deadline: Instant,
    ) -> Result<Self, ConnectError> {
        let begun = Instant::now();
        let too_late =
            || ConnectError::TooLate { address, after: deadline.saturating_duration_since(begun) };
        let unreachable =
            |error: io::Error| ConnectError::Unreachable { address, reason: error.to_string() };
        let connected = timeout_at(deadline, TcpStream::connect(address)).await;
        let tcp = connected.map_err(|_| too_late())?.map_err(unreachable)?;
        // Commands are small and waited for.
        tcp.set_nodelay(true).map_err(unreachable)?;
        let config = WebSocketConfig::default()
            .max_message_size(Some(LARGEST))
            .max_frame_size(Some(LARGEST));
        let url = format!("ws://{host}{path}");
        let shaken = client_async_with_config(url, tcp, Some(config));
        match timeout_at(deadline, shaken).await {
            Err(_) => Err(too_late()),
            Ok(Ok((stream, _))) => Ok(Self { stream }),
            Ok(Err(error)) => Err(no_web_socket(address, &error)),
        }
    }
}

fn no_web_socket(address: SocketAddr, error: &tungstenite::Error) -> ConnectError {
    let status = match error {
        tungstenite::Error::Http(response) => Some(response.status().as_u16()),
        _ => None,
    };
    ConnectError::NoWebSocket { address, reason: error.to_string(), status }
}

impl Transport for WebSocketTransport {
    type Source = WebSocketSource;
    type Sink = WebSocketSink;

    fn split(self) -> (WebSocketSource, WebSocketSink) {
        let (sink, source) = self.stream.split();
        (WebSocketSource(source), WebSocketSink(sink))
    }
}

/// The half that reads.
#[derive(Debug)]
pub struct WebSocketSource(SplitStream<WebSocketStream<TcpStream>>);

impl MessageSource for WebSocketSource {
    async fn next(&mut self) -> io::Result<Option<Vec<u8>>> {
        loop {
            match self.0.next().await {
                // Both take the buffer along where nobody else holds it.
                Some(Ok(Message::Text(text))) => {
                    return Ok(Some(tungstenite::Bytes::from(text).into()));
                }
                Some(Ok(Message::Binary(bytes))) => return Ok(Some(bytes.into())),
                // A ping is answered by the next that is read or written.
                Some(Ok(Message::Ping(_) | Message::Pong(_) | Message::Frame(_))) => {}
                Some(Ok(Message::Close(_))) | None => return Ok(None),
                Some(Err(error)) if is_end(&error) => return Ok(None),
                Some(Err(error)) => return Err(as_io(error)),
            }
        }
    }
}

/// The half that writes.
#[derive(Debug)]
pub struct WebSocketSink(SplitSink<WebSocketStream<TcpStream>, Message>);

impl MessageSink for WebSocketSink {
    async fn send(&mut self, batch: &[Vec<u8>]) -> io::Result<()> {
        for message in batch {
            let text = std::str::from_utf8(message).map_err(io::Error::other)?;
            self.0.feed(Message::text(text)).await.map_err(as_io)?;
        }
        self.0.flush().await.map_err(as_io)
    }
}

/// A Chrome that was killed says no good-bye.
fn is_end(error: &tungstenite::Error) -> bool {
    use tungstenite::Error::{AlreadyClosed, ConnectionClosed, Io, Protocol};
    match error {
        ConnectionClosed | AlreadyClosed => true,
        Protocol(ProtocolError::ResetWithoutClosingHandshake) => true,
        Io(error) => matches!(
            error.kind(),
            io::ErrorKind::ConnectionReset
                | io::ErrorKind::ConnectionAborted
                | io::ErrorKind::BrokenPipe
                | io::ErrorKind::UnexpectedEof
        ),
        _ => false,
    }
}

fn as_io(error: tungstenite::Error) -> io::Error {
    match error {
        tungstenite::Error::Io(error) => error,
        other => io::Error::new(io::ErrorKind::InvalidData, other.to_string()),
    }
}
