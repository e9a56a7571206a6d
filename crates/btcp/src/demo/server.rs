//! Serves the demo's page on a loopback port, for as long as the demo runs.
//!
//! The path holds a secret, so that no other page of the person's browser finds it.

use std::fmt::Write;
use std::io;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

const PAGE: &str = include_str!("page.html");

/// Longer requests, and clients slower than this, are none of Chrome's.
const LONGEST_REQUEST: u64 = 16 * 1024;
const PATIENCE: Duration = Duration::from_secs(10);

/// A page at an address; gone when dropped.
pub(crate) struct Server {
    url: String,
    serving: JoinHandle<()>,
}

impl Server {
    pub(crate) async fn start() -> io::Result<Self> {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
        let path = format!("/{}/", secret()?);
        let url = format!("http://{}{path}", listener.local_addr()?);
        let serving = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let path = path.clone();
                tokio::spawn(async move {
                    let answered = tokio::time::timeout(PATIENCE, answer(stream, &path)).await;
                    tracing::debug!(?answered, "the demo page was asked for");
                });
            }
        });
        Ok(Self { url, serving })
    }

    pub(crate) fn url(&self) -> &str {
        &self.url
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

fn secret() -> io::Result<String> {
    let mut bytes = [0_u8; 8];
    getrandom::fill(&mut bytes).map_err(io::Error::other)?;
    Ok(bytes.iter().fold(String::new(), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    }))
}

async fn answer(mut stream: TcpStream, path: &str) -> io::Result<()> {
    let mut request = Vec::new();
    let (reading, mut writing) = stream.split();
    let mut reading = reading.take(LONGEST_REQUEST);
    while !request.windows(4).any(|end| end == b"\r\n\r\n") {
        if reading.read_buf(&mut request).await? == 0 {
            return Ok(());
        }
    }
    let wanted = format!("GET {path} HTTP/1.");
    let (status, body) = match request.starts_with(wanted.as_bytes()) {
        true => ("200 OK", PAGE),
        false => ("404 Not Found", ""),
    };
    let response = format!(
        "HTTP/1.1 {status}\r\n\
         Content-Type: text/html; charset=utf-8\r\n\
         Content-Length: {}\r\n\
         Content-Security-Policy: default-src 'none'; style-src 'unsafe-inline'; \
         script-src 'unsafe-inline'; img-src data:; form-action 'none'\r\n\
         Cache-Control: no-store\r\n\
         Connection: close\r\n\r\n{body}",
        body.len()
    );
    writing.write_all(response.as_bytes()).await
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn status(server: &Server, path: &str) -> String {
        let address = server.url().trim_start_matches("http://").split('/').next().unwrap();
        let mut stream = TcpStream::connect(address).await.unwrap();
        stream.write_all(format!("GET {path} HTTP/1.1\r\n\r\n").as_bytes()).await.unwrap();
        let mut response = String::new();
        stream.read_to_string(&mut response).await.unwrap();
        response.lines().next().unwrap().to_owned()
    }

    #[tokio::test]
    async fn only_who_knows_the_path_gets_the_page() {
        let server = Server::start().await.unwrap();
        let path = format!("/{}", server.url().splitn(4, '/').nth(3).unwrap());
        assert_eq!(status(&server, &path).await, "HTTP/1.1 200 OK");
        for wrong in ["/", "/0123456789abcdef/", &format!("{path}x")] {
            assert_eq!(status(&server, wrong).await, "HTTP/1.1 404 Not Found", "{wrong}");
        }
    }
}
