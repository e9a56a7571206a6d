//! MCP, the Model Context Protocol, over a pair of byte streams.
//!
//! rmcp dispatches and knows the shapes; `gate` decides by revision what reaches it,
//! `transport` carries the lines, `handler` answers from the catalog. One connection is
//! one session of the browser, in the stateless revision too.

mod gate;
mod handler;
mod lines;
mod revision;
mod streams;
mod transport;

use std::io;
use std::time::Duration;

use btcp_actions::{Caller, Catalog, Grant};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::{broadcast, mpsc, watch};

use self::handler::Handler;
use self::transport::{Pipe, QUEUE};

/// The session of a client that never names one.
const SESSION: &str = "default";

/// How long the browser may take to close; see `McpOptions::grace` for who waits.
const CLOSING: Duration = Duration::from_secs(1);

/// Lines of progress a slow client may be behind before it misses some.
const PROGRESS: usize = 64;

/// How a client is served.
#[derive(Debug, Clone)]
pub struct McpOptions {
    /// What it may use.
    pub grant: Grant,
    /// A page to open with the first call.
    pub url: Option<String>,
    /// Whether results carry their text as `structuredContent` too, in revisions that have it.
    pub structured: bool,
    /// How long calls may go on after the end of the input. Clients wait two seconds
    /// before they kill a server, and the browser has to be closed in that time too.
    pub grace: Duration,
    /// Lines about what takes long; sent on to calls that asked for progress.
    /// Connect it with `Sessions::on_progress`.
    pub progress: broadcast::Sender<String>,
}

impl McpOptions {
    /// The usual, for a client that may use this.
    pub fn new(grant: Grant) -> Self {
        let (progress, _) = broadcast::channel(PROGRESS);
        Self { grant, url: None, structured: false, grace: Duration::from_millis(500), progress }
    }
}

/// Serves the client at our standard input and output until it leaves.
pub async fn serve_stdio(catalog: Catalog, options: McpOptions) -> io::Result<()> {
    serve(streams::input(), streams::output(), catalog, options).await
}

/// Serves one client until its input ends, then ends its session.
pub async fn serve<R, W>(
    reader: R,
    writer: W,
    catalog: Catalog,
    options: McpOptions,
) -> io::Result<()>
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    let (queue, lines) = mpsc::channel(QUEUE);
    let (ended, end) = watch::channel(false);
    let writing = tokio::spawn(lines::write(writer, lines));

    let caller = Caller::new(SESSION, options.grant).starting_at(options.url.as_deref());
    let handler = Handler::new(catalog.clone(), caller, options.structured, options.progress, end);
    let pipe = Pipe::new(reader, queue, ended, options.grace);
    // Directly: which lifecycle a client means is for the gate to see, request by request.
    let quit = rmcp::service::serve_directly(handler, pipe, None).waiting().await;
    tracing::debug!(?quit, "the client left");

    // A browser that does not end in time ends when it is dropped, or with this process.
    let _ = tokio::time::timeout(CLOSING, catalog.sessions().close_all()).await;
    match tokio::time::timeout(options.grace, writing).await {
        Ok(Ok(Err(error))) if error.kind() != io::ErrorKind::BrokenPipe => Err(error),
        // It went, or it no longer reads: there is nobody to tell.
        _ => Ok(()),
    }
}
