//! Answers no well-behaved server gives: late, never, cut off, in drops; and a few that look at the request.

use std::io;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::server::{HTML, Request, Server, respond};

const SCRIPT: &str = "Content-Type: text/javascript; charset=utf-8\r\n";
const TEXT: &str = "Content-Type: text/plain; charset=utf-8\r\n";

/// Answers if the path is one of these; `None` leaves it to the files.
///
/// * `/slow?ms=500`: a page, late.
/// * `/never`: a head that promises a body, then nothing. `/hang`: not even a head.
/// * `/reset`: the connection is reset; `/cut`: in the middle of a page. `/drip`: a page, one byte a second.
/// * `/redirect?to=…`, `/status/404`, `/download` (an attachment), `/set-cookie?name=value`.
/// * `/file?name=…&bytes=…&size=no&ms=…`: an attachment, without its size if that is not wanted, the
///   second half late. `/auth`: a page for `ada` with the password `secret`.
/// * `/frameworks/react.js`: a bundle of `web/frameworks`.
/// * `/events`: a stream of events, one every 100 ms. `/cached`: a text that may be kept for an hour.
/// * `/count/<key>`: POST counts one more, GET tells. `/echo`: the request as text.
pub(crate) async fn answer(
    stream: &mut TcpStream,
    request: &Request,
    server: &Server,
) -> Option<io::Result<()>> {
    let path = request.path.as_str();
    Some(match path {
        "/slow" => slow(stream, request).await,
        "/never" => never(stream).await,
        "/hang" => until_they_leave(stream).await,
        "/reset" => reset(stream),
        "/cut" => cut(stream).await,
        "/drip" => drip(stream).await,
        "/redirect" => redirect(stream, request).await,
        "/download" => download(stream).await,
        "/file" => file(stream, request).await,
        "/auth" => auth(stream, request).await,
        "/set-cookie" => set_cookie(stream, request).await,
        "/echo" => echo(stream, request).await,
        "/events" => events(stream).await,
        "/cached" => cached(stream).await,
        _ if path.starts_with("/frameworks/") && path.ends_with(".js") => {
            let code = crate::frameworks::bundle(path.trim_start_matches("/frameworks/")).await?;
            respond(stream, "200 OK", SCRIPT, code.as_bytes()).await
        }
        _ => match (path.strip_prefix("/status/"), path.strip_prefix("/count/")) {
            (Some(status), _) => self::status(stream, status).await,
            (_, Some(key)) => count(stream, request, server, key).await,
            _ => return None,
        },
    })
}

async fn slow(stream: &mut TcpStream, request: &Request) -> io::Result<()> {
    let millis = request.param("ms").and_then(|ms| ms.parse().ok()).unwrap_or(1000);
    tokio::time::sleep(Duration::from_millis(millis)).await;
    respond(stream, "200 OK", HTML, b"<!doctype html><title>slow</title><h1>Slow</h1>").await
}

async fn never(stream: &mut TcpStream) -> io::Result<()> {
    let head = format!("HTTP/1.1 200 OK\r\n{HTML}Content-Length: 1000000\r\n\r\n");
    stream.write_all(head.as_bytes()).await?;
    until_they_leave(stream).await
}

/// Holds the connection for as long as the peer does.
async fn until_they_leave(stream: &mut TcpStream) -> io::Result<()> {
    let mut ignored = [0; 1024];
    while stream.read(&mut ignored).await? != 0 {}
    Ok(())
}

/// To close with unread or unsent data and no linger is a reset.
fn reset(stream: &TcpStream) -> io::Result<()> {
    stream.set_zero_linger()
}

async fn cut(stream: &mut TcpStream) -> io::Result<()> {
    let page = "<!doctype html><title>cut</title><h1>Half a page</h1>";
    let head = format!("HTTP/1.1 200 OK\r\n{HTML}Content-Length: 1000000\r\n\r\n{page}");
    stream.write_all(head.as_bytes()).await?;
    stream.flush().await?;
    // What was sent must arrive before the reset overtakes it.
    tokio::time::sleep(Duration::from_millis(200)).await;
    reset(stream)
}

async fn drip(stream: &mut TcpStream) -> io::Result<()> {
    let page = "<!doctype html><title>drip</title><h1>Drip</h1>";
    let head = format!("HTTP/1.1 200 OK\r\n{HTML}Content-Length: 1000000\r\n\r\n{page}");
    stream.write_all(head.as_bytes()).await?;
    loop {
        tokio::time::sleep(Duration::from_secs(1)).await;
        stream.write_all(b".").await?;
    }
}

async fn events(stream: &mut TcpStream) -> io::Result<()> {
    stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n").await?;
    loop {
        stream.write_all(b"data: news\n\n").await?;
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

async fn cached(stream: &mut TcpStream) -> io::Result<()> {
    let head = "Cache-Control: max-age=3600\r\nContent-Length: 4\r\nConnection: close";
    stream.write_all(format!("HTTP/1.1 200 OK\r\n{TEXT}{head}\r\n\r\nkept").as_bytes()).await?;
    stream.shutdown().await
}

async fn redirect(stream: &mut TcpStream, request: &Request) -> io::Result<()> {
    let to = request.param("to").unwrap_or_else(|| "/".into());
    respond(stream, "302 Found", &format!("Location: {to}\r\n"), b"").await
}

async fn status(stream: &mut TcpStream, status: &str) -> io::Result<()> {
    let page = format!("<!doctype html><title>Status {status}</title><h1>Status {status}</h1>");
    respond(stream, &format!("{status} Status"), HTML, page.as_bytes()).await
}

async fn download(stream: &mut TcpStream) -> io::Result<()> {
    let headers = "Content-Type: application/octet-stream\r\nContent-Disposition: attachment; filename=\"report.bin\"\r\n";
    respond(stream, "200 OK", headers, &[7; 1000]).await
}

async fn file(stream: &mut TcpStream, request: &Request) -> io::Result<()> {
    let number = |name: &str| request.param(name).and_then(|text| text.parse::<u64>().ok());
    let name = request.param("name").unwrap_or_else(|| "file.bin".into());
    let bytes = usize::try_from(number("bytes").unwrap_or(1000)).unwrap_or(usize::MAX);
    let length = match request.param("size").as_deref() {
        Some("no") => String::new(),
        _ => format!("Content-Length: {bytes}\r\n"),
    };
    let head = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\n{length}\
         Content-Disposition: attachment; filename*=UTF-8''{name}\r\nConnection: close\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).await?;
    let chunk = vec![7_u8; 64 * 1024];
    let (mut left, half) = (bytes, bytes / 2);
    while left > 0 {
        let wanted = if left > half { left - half } else { left };
        let part = wanted.min(chunk.len());
        stream.write_all(&chunk[..part]).await?;
        left -= part;
        if left == half {
            tokio::time::sleep(Duration::from_millis(number("ms").unwrap_or(0))).await;
        }
    }
    stream.shutdown().await
}

async fn auth(stream: &mut TcpStream, request: &Request) -> io::Result<()> {
    // `ada:secret`, as browsers send it.
    let knows = request.head.lines().any(|line| line.contains("Basic YWRhOnNlY3JldA=="));
    if knows {
        return respond(stream, "200 OK", HTML, b"<!doctype html><title>Inside</title>").await;
    }
    let headers = format!("{HTML}WWW-Authenticate: Basic realm=\"Vault\"\r\n");
    respond(stream, "401 Unauthorized", &headers, b"<!doctype html><title>Outside</title>").await
}

async fn set_cookie(stream: &mut TcpStream, request: &Request) -> io::Result<()> {
    let cookie = if request.query.is_empty() { "taste=sweet" } else { &request.query };
    let headers = format!("{HTML}Set-Cookie: {cookie}; Path=/\r\n");
    respond(stream, "200 OK", &headers, b"<!doctype html><title>cookie</title>").await
}

async fn echo(stream: &mut TcpStream, request: &Request) -> io::Result<()> {
    let mut body = request.head.clone().into_bytes();
    body.extend_from_slice(b"\r\n\r\n");
    body.extend_from_slice(&request.body);
    respond(stream, "200 OK", TEXT, &body).await
}

async fn count(
    stream: &mut TcpStream,
    request: &Request,
    server: &Server,
    key: &str,
) -> io::Result<()> {
    if request.method == "POST" {
        let mut counts = server.counts.lock().expect("no test panics with it");
        *counts.entry(key.to_owned()).or_default() += 1;
        server.counting.notify_waiters();
    }
    let headers = format!("{TEXT}Access-Control-Allow-Origin: *\r\n");
    respond(stream, "200 OK", &headers, server.count(key).to_string().as_bytes()).await
}
