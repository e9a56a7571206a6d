//! The WebSocket itself: sizes, a peer that goes away, one that is none, one that says nothing.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use btcp_cdp::{ConnectError, Connection, Error, WebSocketTransport, page};
use futures_util::{SinkExt, StreamExt};
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::Instant;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::{WebSocketStream, accept_async_with_config};

use crate::fake_chrome::{Recorder, later, soon};

async fn listener() -> (TcpListener, SocketAddr) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    (listener, address)
}

/// Our end and the peer's.
async fn pair(handler: Arc<Recorder>) -> (Connection, WebSocketStream<TcpStream>) {
    let (listener, address) = listener().await;
    let host = address.to_string();
    let ours = WebSocketTransport::connect(address, &host, "/devtools/browser/1", later());
    let theirs = async {
        let (tcp, _) = listener.accept().await.unwrap();
        let any = WebSocketConfig::default().max_message_size(None).max_frame_size(None);
        accept_async_with_config(tcp, Some(any)).await.unwrap()
    };
    let (ours, theirs) = soon(async { tokio::join!(ours, theirs) }).await;
    (Connection::open(ours.unwrap(), handler), theirs)
}

async fn command(peer: &mut WebSocketStream<TcpStream>) -> Value {
    let message = soon(peer.next()).await.unwrap().unwrap();
    serde_json::from_slice(&message.into_data()).unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn fifty_megabytes_arrive_between_small_messages_and_leave_too() {
    let (connection, mut peer) = pair(Arc::default()).await;
    let data = "iVBORw0KGgo".repeat(50_000_000 / 11);
    let (capture, url) = (page::CaptureScreenshot::default(), data.clone());
    let before = connection.call(None, &page::BringToFront, later());
    let large = connection.call(None, &capture, later());
    let navigate = page::Navigate { url: &url, ..Default::default() };
    let after = connection.call(None, &navigate, later());

    let far_end = async {
        for _ in 0..2 {
            command(&mut peer).await;
        }
        let sent = command(&mut peer).await;
        assert!(sent["params"]["url"] == url, "the command was damaged on its way");
        let picture = format!(r#"{{"id":2,"result":{{"data":"{data}"}}}}"#);
        let last = r#"{"id":3,"result":{"frameId":"F"}}"#.to_owned();
        for answer in [r#"{"id":1,"result":{}}"#.to_owned(), picture, last] {
            // A ping in between is nobody's message.
            peer.feed(Message::Ping(vec![1].into())).await.unwrap();
            peer.feed(Message::text(answer)).await.unwrap();
        }
        peer.flush().await.unwrap();
    };
    let (_, captured, went, ()) = soon(async { tokio::join!(before, large, after, far_end) }).await;

    assert!(captured.unwrap().data == data, "the picture was damaged on its way");
    assert_eq!(went.unwrap().frame_id, "F");
}

/// With a close frame, and without one.
#[tokio::test]
async fn a_peer_that_goes_away_ends_every_call() {
    for polite in [true, false] {
        let recorder = Arc::new(Recorder::default());
        let (connection, mut peer) = pair(recorder.clone()).await;
        let call = connection.call(None, &page::BringToFront, later());
        command(&mut peer).await;

        if polite {
            peer.close(None).await.unwrap();
        }
        drop(peer);

        assert!(matches!(soon(call).await, Err(Error::Closed { .. })), "polite: {polite}");
        soon(connection.closed()).await;
        assert_eq!(recorder.until_heard(1).await, ["closed: Chrome closed the connection"]);
    }
}

#[tokio::test]
async fn rubbish_after_the_handshake_ends_the_connection_and_says_so() {
    let recorder = Arc::new(Recorder::default());
    let (connection, peer) = pair(recorder.clone()).await;
    let call = connection.call(None, &page::BringToFront, later());

    let mut tcp = peer.into_inner();
    tcp.write_all(b"these are no frames of any kind").await.unwrap();

    assert!(matches!(soon(call).await, Err(Error::Closed { .. })));
    let heard = recorder.until_heard(1).await;
    assert!(heard[0].starts_with("closed: reading failed: "), "{heard:?}");
}

/// What is no JSON is skipped, as on the pipe.
#[tokio::test]
async fn messages_that_make_no_sense_are_skipped() {
    let (connection, mut peer) = pair(Arc::default()).await;
    let call = connection.call(None, &page::BringToFront, later());
    command(&mut peer).await;

    peer.send(Message::text("{")).await.unwrap();
    peer.send(Message::binary(vec![0xff, 0])).await.unwrap();
    peer.send(Message::text(r#"{"id":1,"result":{}}"#)).await.unwrap();

    soon(call).await.unwrap();
}

#[tokio::test]
async fn a_message_without_end_is_refused() {
    let recorder = Arc::new(Recorder::default());
    let (_connection, peer) = pair(recorder.clone()).await;

    // A text message of 2^40 bytes is announced.
    let mut tcp = peer.into_inner();
    tcp.write_all(&[0x81, 127, 0, 0, 1, 0, 0, 0, 0, 0]).await.unwrap();

    let heard = recorder.until_heard(1).await;
    assert!(heard[0].contains("reading failed") && heard[0].contains("too long"), "{heard:?}");
}

#[tokio::test]
async fn a_peer_that_never_shakes_hands_meets_the_deadline() {
    let (listener, address) = listener().await;
    let deadline = Instant::now() + Duration::from_secs(2);
    let connecting = WebSocketTransport::connect(address, "localhost", "/", deadline);
    let silent = async {
        let (mut tcp, _) = listener.accept().await.unwrap();
        let mut asked = [0; 64];
        tcp.read_exact(&mut asked).await.unwrap();
        tcp
    };

    let (refused, _tcp) = soon(async { tokio::join!(connecting, silent) }).await;

    let error = refused.unwrap_err();
    assert!(matches!(error, ConnectError::TooLate { .. }), "{error:?}");
}

#[tokio::test]
async fn a_peer_that_is_no_web_socket_is_told_apart() {
    for (answer, expected) in [
        (&b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"[..], Some(404)),
        (b"HTTP/1.1 200 OK\r\n\r\n<html>", Some(200)),
        (b"SSH-2.0-OpenSSH_9.2\r\n\r\n", None),
        (&[0xff; 100_000], None),
        (b"", None),
    ] {
        let (listener, address) = listener().await;
        let connecting = WebSocketTransport::connect(address, "localhost", "/", later());
        let other = async {
            let (mut tcp, _) = listener.accept().await.unwrap();
            let mut asked = Vec::new();
            while !asked.ends_with(b"\r\n\r\n") {
                tcp.read_buf(&mut asked).await.unwrap();
            }
            // It may hang up before all was said.
            let _ = tcp.write_all(answer).await;
        };

        let (refused, ()) = soon(async { tokio::join!(connecting, other) }).await;

        match refused.unwrap_err() {
            ConnectError::NoWebSocket { status, .. } => assert_eq!(status, expected),
            other => panic!("{other:?}"),
        }
    }
    let (gone, address) = listener().await;
    drop(gone);
    let refused = WebSocketTransport::connect(address, "localhost", "/", later()).await;
    assert!(matches!(refused, Err(ConnectError::Unreachable { .. })), "{refused:?}");
}
