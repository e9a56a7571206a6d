//! Bytes both ways between Chrome and a server, with buffers that never grow.
//!
//! Who reads slowly slows down the other: nothing is read before what came earlier was passed on.
//! Each direction ends for itself, as TCP has it; a reset on one side becomes one on the other.

use std::io;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::net::tcp::{ReadHalf, WriteHalf};
use tokio::time::timeout;

/// Bytes held on the way to a server, and on the way back.
pub(crate) const UP: usize = 8 * 1024;
const DOWN: usize = 32 * 1024;

/// How long one direction lives on after the other has ended. Browsers leave a connection as
/// a whole; who only stops to send gets its answer within this time.
const LINGER: Duration = Duration::from_secs(60);

/// What is done with what the client sends.
pub(crate) trait Passage {
    /// What of these bytes goes on to the server now; an error ends the connection.
    fn pass(&mut self, bytes: &[u8]) -> io::Result<Vec<u8>>;
}

/// Passes everything on until both sides have ended. `first` was read from the client before.
pub(crate) async fn relay(
    client: &mut TcpStream,
    server: &mut TcpStream,
    first: &[u8],
    passage: Option<&mut (dyn Passage + Send)>,
) -> io::Result<()> {
    let outcome = {
        let (from_client, to_client) = client.split();
        let (from_server, to_server) = server.split();
        both(up(from_client, to_server, first, passage), down(from_server, to_client)).await
    };
    if outcome.is_err() {
        // Without this the other side would take what came so far for all there is.
        let _ = client.set_zero_linger();
        let _ = server.set_zero_linger();
    }
    outcome
}

async fn both(
    up: impl Future<Output = io::Result<()>>,
    down: impl Future<Output = io::Result<()>>,
) -> io::Result<()> {
    tokio::pin!(up, down);
    tokio::select! {
        ended = &mut up => {
            ended?;
            timeout(LINGER, down).await.unwrap_or(Ok(()))
        }
        ended = &mut down => {
            ended?;
            timeout(LINGER, up).await.unwrap_or(Ok(()))
        }
    }
}

async fn up(
    mut from: ReadHalf<'_>,
    mut to: WriteHalf<'_>,
    first: &[u8],
    mut passage: Option<&mut (dyn Passage + Send)>,
) -> io::Result<()> {
    let mut buffer = vec![0; UP];
    let mut came = first;
    loop {
        match &mut passage {
            Some(passage) => to.write_all(&passage.pass(came)?).await?,
            None => to.write_all(came).await?,
        }
        let count = from.read(&mut buffer).await?;
        if count == 0 {
            return to.shutdown().await;
        }
        came = &buffer[..count];
    }
}

async fn down(mut from: ReadHalf<'_>, mut to: WriteHalf<'_>) -> io::Result<()> {
    let mut buffer = vec![0; DOWN];
    loop {
        let count = from.read(&mut buffer).await?;
        if count == 0 {
            return to.shutdown().await;
        }
        to.write_all(&buffer[..count]).await?;
    }
}
