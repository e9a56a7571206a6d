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
/// More at once is acknowledged without being asked.
const SMALL: usize = 4 * 1024;

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
        if count < SMALL {
            acknowledge(from.as_ref());
        }
        to.write_all(&buffer[..count]).await?;
    }
}

/// Says at once that something came. A server that writes the head and the body of its answer one after the
/// other, as many do for development, waits for that between them, and the kernel takes 40 ms for it.
fn acknowledge(server: &TcpStream) {
    // It only hurries: where it is refused everything comes all the same.
    let _ = rustix::net::sockopt::set_tcp_quickack(server, true);
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use tokio::net::TcpListener;

    use super::*;

    async fn pair() -> (TcpStream, TcpStream) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let near = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
        (near, listener.accept().await.unwrap().0)
    }

    #[tokio::test]
    async fn an_answer_in_two_parts_does_not_wait_for_the_kernel() {
        let (mut asker, mut client) = pair().await;
        client.set_nodelay(true).unwrap();
        let (mut server, mut far) = pair().await;
        asker.set_nodelay(true).unwrap();
        server.set_nodelay(true).unwrap();
        let relaying =
            tokio::spawn(async move { relay(&mut client, &mut server, b"", None).await });
        let answering = tokio::spawn(async move {
            while far.read_exact(&mut [0; 4]).await.is_ok() {
                far.write_all(b"head").await.unwrap();
                far.write_all(b"body").await.unwrap();
            }
        });

        let begin = Instant::now();
        for _ in 0..100 {
            asker.write_all(b"ask?").await.unwrap();
            asker.read_exact(&mut [0; 8]).await.unwrap();
        }
        // Four seconds where each answer waits.
        assert!(begin.elapsed() < Duration::from_secs(2), "{:?}", begin.elapsed());
        drop(asker);
        relaying.await.unwrap().unwrap();
        answering.await.unwrap();
    }
}
