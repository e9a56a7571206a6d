//! The pipe itself: framing, sizes, a peer that goes away.

use std::sync::Arc;

use btcp_cdp::{Connection, Error, MessageSource, PipeTransport, Transport, page};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::unix::pipe::{self, Receiver, Sender},
};

use crate::fake_chrome::{Recorder, later, soon};

/// Our transport, and Chrome's ends of its pipes.
fn pipes() -> (PipeTransport, Sender, Receiver) {
    let (chrome_writes, we_read) = pipe::pipe().unwrap();
    let (we_write, chrome_reads) = pipe::pipe().unwrap();
    let ours = (we_read.into_blocking_fd().unwrap(), we_write.into_blocking_fd().unwrap());
    (PipeTransport::new(ours.0, ours.1).unwrap(), chrome_writes, chrome_reads)
}

#[tokio::test]
async fn messages_come_out_whole_wherever_the_stream_is_cut() {
    let stream = b"{\"id\":1}\0\0{\"method\":\"A.b\"}\0last\0";
    for cut in 0..=stream.len() {
        let (transport, mut chrome, _chrome_reads) = pipes();
        let (mut source, _sink) = transport.split();
        let (head, tail) = stream.split_at(cut);

        let read = async {
            let mut messages = Vec::new();
            while let Some(message) = source.next().await.unwrap() {
                messages.push(String::from_utf8(message).unwrap());
            }
            messages
        };
        let write = async {
            chrome.write_all(head).await.unwrap();
            tokio::task::yield_now().await;
            chrome.write_all(tail).await.unwrap();
            drop(chrome);
        };
        let (messages, ()) = soon(async { tokio::join!(read, write) }).await;

        assert_eq!(messages, [r#"{"id":1}"#, "", r#"{"method":"A.b"}"#, "last"], "cut at {cut}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_screenshot_of_fifty_megabytes_arrives_between_small_messages() {
    let recorder = Arc::new(Recorder::default());
    let (transport, mut chrome, mut commands) = pipes();
    let connection = Connection::open(transport, recorder.clone());
    let data = "iVBORw0KGgo".repeat(50_000_000 / 11);
    let command = page::CaptureScreenshot::default();
    let before = connection.call(None, &page::BringToFront, later());
    let large = connection.call(None, &command, later());
    let after = connection.call(None, &page::BringToFront, later());

    let mut sent = Vec::new();
    while sent.iter().filter(|byte| **byte == 0).count() < 3 {
        soon(commands.read_buf(&mut sent)).await.unwrap();
    }
    let answers = format!(
        "{{\"id\":1,\"result\":{{}}}}\0{{\"id\":2,\"result\":{{\"data\":\"{data}\"}}}}\0{{\"id\":3,\"result\":{{}}}}\0"
    );
    let write = async { chrome.write_all(answers.as_bytes()).await.unwrap() };
    let (_, captured, _, ()) = soon(async { tokio::join!(before, large, after, write) }).await;

    assert!(captured.unwrap().data == data, "the picture was damaged on its way");
}

#[tokio::test]
async fn a_peer_that_hangs_up_closes_the_connection() {
    let recorder = Arc::new(Recorder::default());
    let (transport, chrome_writes, chrome_reads) = pipes();
    let connection = Connection::open(transport, recorder.clone());
    let call = connection.call(None, &page::BringToFront, later());

    drop((chrome_writes, chrome_reads));

    assert!(matches!(soon(call).await, Err(Error::Closed { .. })));
    soon(connection.closed()).await;
    assert_eq!(recorder.until_heard(1).await.len(), 1);
}
