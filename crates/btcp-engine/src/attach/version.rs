//! What a debugging port tells of itself: one small HTTP request, `GET /json/version`.

use std::net::SocketAddr;
use std::time::Duration;

use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::{Instant, timeout_at};

use super::endpoint::is_path;

/// Chrome's answer has half a kilobyte; whoever says more is no Chrome.
const LONGEST: usize = 64 << 10;

/// Any Chrome answers this at once.
const ANSWERS: Duration = Duration::from_secs(10);

/// The path of the browser's WebSocket; an error says what came instead.
pub(super) async fn web_socket_path(
    address: SocketAddr,
    deadline: Instant,
) -> Result<String, String> {
    let deadline = deadline.min(Instant::now() + ANSWERS);
    match timeout_at(deadline, ask(address)).await {
        Ok(answer) => read(&answer.map_err(|error| format!("{address}: {error}"))?),
        Err(_) => Err(format!("{address} does not answer")),
    }
}

async fn ask(address: SocketAddr) -> std::io::Result<Vec<u8>> {
    let mut stream = TcpStream::connect(address).await?;
    // Chrome answers nobody who calls it by a name.
    let request =
        format!("GET /json/version HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await?;
    let mut answer = Vec::new();
    while answer.len() < LONGEST && !is_whole(&answer) {
        if stream.read_buf(&mut answer).await? == 0 {
            break;
        }
    }
    Ok(answer)
}

/// Head and body of an answer.
fn parts(answer: &[u8]) -> Option<(&str, &[u8])> {
    let at = answer.windows(4).position(|four| four == b"\r\n\r\n")?;
    Some((std::str::from_utf8(&answer[..at]).ok()?, &answer[at + 4..]))
}

/// Whether all that was announced is there: Chrome may keep the connection open.
fn is_whole(answer: &[u8]) -> bool {
    let Some((head, body)) = parts(answer) else { return false };
    let length = head.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse::<usize>().ok())?
    });
    length.is_some_and(|length| body.len() >= length)
}

fn read(answer: &[u8]) -> Result<String, String> {
    let Some((head, body)) = parts(answer) else {
        return Err("what listens there does not speak HTTP".into());
    };
    let status = head.lines().next().and_then(|line| line.split(' ').nth(1)).unwrap_or_default();
    if status != "200" {
        let status = crate::text::cut(status, 20);
        return Err(format!("it answers /json/version with status {status}"));
    }
    let told: Value = serde_json::from_slice(body).unwrap_or_default();
    let url = told["webSocketDebuggerUrl"].as_str().unwrap_or_default();
    // Only the path: who says where to go on would else lead us anywhere.
    let path = url.strip_prefix("ws://").and_then(|rest| rest.find('/').map(|at| &rest[at..]));
    match path.filter(|path| is_path(path)) {
        Some(path) => Ok(path.to_owned()),
        None => Err("it tells of no WebSocket at /json/version".into()),
    }
}

#[cfg(test)]
mod tests {
    use tokio::net::TcpListener;

    use super::*;

    #[test]
    fn only_the_path_of_the_address_is_believed() {
        let answer = |body: &str| format!("HTTP/1.1 200 OK\r\n\r\n{body}").into_bytes();
        let url = r#"{"webSocketDebuggerUrl": "ws://evil.test:1/devtools/browser/A"}"#;
        assert_eq!(read(&answer(url)).unwrap(), "/devtools/browser/A");
        for (answer, said) in [
            (answer("{}"), "no WebSocket"),
            (answer(r#"{"webSocketDebuggerUrl": "ws://a/b\r\nX: y"}"#), "no WebSocket"),
            (answer("<html>"), "no WebSocket"),
            (b"HTTP/1.1 404 Not Found\r\n\r\n".to_vec(), "status 404"),
            (b"SSH-2.0\r\n".to_vec(), "does not speak HTTP"),
            (Vec::new(), "does not speak HTTP"),
        ] {
            let why = read(&answer).unwrap_err();
            assert!(why.contains(said), "{why}");
        }
    }

    #[tokio::test]
    async fn whoever_talks_without_end_or_not_at_all_is_left() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let deadline = Instant::now() + Duration::from_secs(60);
        let endless = async {
            let (mut stream, _) = listener.accept().await.unwrap();
            while stream.write_all(&[b'x'; 4096]).await.is_ok() {}
        };
        let (answer, ()) = tokio::join!(web_socket_path(address, deadline), endless);
        assert_eq!(answer.unwrap_err(), "what listens there does not speak HTTP");

        let soon = Instant::now() + Duration::from_millis(100);
        let silent = web_socket_path(address, soon).await;
        assert_eq!(silent.unwrap_err(), format!("{address} does not answer"));
    }
}
