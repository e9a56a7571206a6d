//! A program with a browser in it: two conversations, each with a session of its own.
//!
//! `cargo run --example embed`. It serves a small page to itself, so it needs no network. What a
//! model would ask for is written down here; everything else is what a real program does.

use std::error::Error;
use std::time::Duration;

use btcp::{Browser, Session, Settings, ToolFormat};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

#[tokio::main]
async fn main() -> Result<()> {
    #[expect(clippy::print_stdout, reason = "it shows what it does")]
    run(&mut |line| println!("{line}")).await
}

/// The whole program; `say` hears what it does.
pub(crate) async fn run(say: &mut dyn FnMut(&str)) -> Result<()> {
    let url = serve().await?;
    let browser = Browser::start(Settings::default()).await.map_err(|failure| failure.text())?;

    // What a model is told: the tools, in the words of its API.
    let ada = browser.session("ada").with_toolset("standard")?;
    let tools = ada.tools_json(ToolFormat::OpenAi);
    say(&format!("a model gets {} tools", tools.as_array().map_or(0, Vec::len)));

    // Two conversations at once. Each signs in; neither sees the other's cookies.
    let bob = browser.session("bob").with_toolset("standard")?;
    let (first, second) = tokio::join!(sign_in(&ada, &url, "Ada"), sign_in(&bob, &url, "Bob"));
    say(&first?);
    say(&second?);

    // The person behind `ada` presses stop: dropping the call ends it in the browser too.
    let wait = ada.call("browser_wait", json!({ "text": "never", "timeout": "5m" }));
    if tokio::time::timeout(Duration::from_millis(200), wait).await.is_err() {
        say("ada: the wait was cancelled");
    }
    say(&format!("ada: {}", ask(&ada, "browser_title", json!({})).await?));

    // One conversation ends; the other goes on.
    browser.end("ada").await;
    say(&format!("open: {}", browser.conversations().join(", ")));
    say(&format!("bob: {}", greeting(&bob, &url).await?));
    say(&format!("ada, again: {}", greeting(&ada, &url).await?));

    browser.close().await;
    Ok(())
}

/// Fills in the form and sends it, as a model would after a snapshot.
async fn sign_in(session: &Session, url: &str, name: &str) -> Result<String> {
    ask(session, "browser_navigate", json!({ "url": url })).await?;
    ask(session, "browser_fill", json!({ "selector": "label=Name", "value": name })).await?;
    let clicked = ask(session, "browser_click", json!({ "selector": "text=Sign in" })).await?;
    Ok(format!("{}: {clicked}", session.id()))
}

async fn greeting(session: &Session, url: &str) -> Result<String> {
    ask(session, "browser_navigate", json!({ "url": url })).await?;
    ask(session, "browser_get_text", json!({ "selector": "#who" })).await
}

/// One call, as the text a model reads.
async fn ask(session: &Session, tool: &str, args: Value) -> Result<String> {
    match session.call(tool, args).await {
        Ok(outcome) => Ok(outcome.text.for_model()),
        Err(failure) => Err(format!("{}: {tool}: {}", session.id(), failure.text()).into()),
    }
}

/// A page that greets whoever signed in, at an address of this machine.
async fn serve() -> Result<String> {
    const PAGE: &str = include_str!("embed.html");
    let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
    let url = format!("http://{}/", listener.local_addr()?);
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            tokio::spawn(async move {
                let mut request = [0; 4096];
                // Whatever is asked for, the answer is the page; who leaves early misses it.
                let _ = stream.read(&mut request).await;
                let head = "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nConnection: close";
                let answer = format!("{head}\r\nContent-Length: {}\r\n\r\n{PAGE}", PAGE.len());
                let _ = stream.write_all(answer.as_bytes()).await;
            });
        }
    });
    Ok(url)
}
