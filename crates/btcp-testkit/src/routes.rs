//! Answers no well-behaved server gives: late, never, cut off, in drops; and a few that look at the request.

use std::io;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::server::{HTML, Request, Server, respond};

const TEXT: &str = "Content-Type: text/plain; charset=utf-8\r\n";

/// Answers if the path is one of these; `None` leaves it to the files.
///
/// * `/slow?ms=500`: a page, late.
/// * `/never`: a head that promises a body, then nothing. `/hang`: not even a head.
/// * `/reset`: the connection is reset. `/drip`: a page, one byte a second.
/// * `/redirect?to=…`, `/status/404`, `/download` (an attachment), `/set-cookie?name=value`.
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
        "/drip" => drip(stream).await,
        "/redirect" => redirect(stream, request).await,
        "/download" => download(stream).await,
        "/set-cookie" => set_cookie(stream, request).await,
        "/echo" => echo(stream, request).await,
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

async fn drip(stream: &mut TcpStream) -> io::Result<()> {
    let page = "<!doctype html><title>drip</title><h1>Drip</h1>";
    let head = format!("HTTP/1.1 200 OK\r\n{HTML}Content-Length: 1000000\r\n\r\n{page}");
    stream.write_all(head.as_bytes()).await?;
    loop {
        tokio::time::sleep(Duration::from_secs(1)).await;
        stream.write_all(b".").await?;
    }
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
    }
    let headers = format!("{TEXT}Access-Control-Allow-Origin: *\r\n");
    respond(stream, "200 OK", &headers, server.count(key).to_string().as_bytes()).await
}
