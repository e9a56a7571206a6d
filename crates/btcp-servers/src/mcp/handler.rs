//! What the server answers: the catalog, in the words of the protocol.
//!
//! Results are `content` only, because clients show a model either that or the
//! structured part, never both; where the structured part is asked for it holds the very
//! same text, so that nobody reads more or less. All that differs between revisions is what rmcp does
//! by itself, and who we are in `_meta` of every stateless result.

use std::sync::Arc;
use std::time::Instant;

use btcp_actions::{Caller, Catalog, Failure, GUIDE, Outcome};
use rmcp::ErrorData;
use rmcp::RoleServer;
use rmcp::ServerHandler;
use rmcp::model::{
    CacheScope, CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock,
    DiscoverResult, Implementation, InitializeRequestParams, InitializeResult, ListToolsResult,
    MetaObject, PaginatedRequestParams, ProgressNotificationParam, ProtocolVersion,
    ServerCapabilities, ServerConfig, Tool, ToolAnnotations,
};
use rmcp::service::RequestContext;
use serde_json::{Map, Value, json};
use tokio::sync::{broadcast, watch};
use tokio::task::JoinSet;

use super::revision::Revision;

/// The list and the instructions stay as they are while this process lives.
const FRESH_FOR_MS: u64 = 60 * 60 * 1000;

const SERVER_INFO_KEY: &str = "io.modelcontextprotocol/serverInfo";

/// Which session a call went to, for a client that named none.
const SESSION_KEY: &str = "btcp/session";

/// The server behind one connection.
pub(crate) struct Handler {
    catalog: Catalog,
    caller: Arc<Caller>,
    tools: Vec<Tool>,
    /// The same where each request stands alone, and sessions are named.
    stateless: (Arc<Caller>, Vec<Tool>),
    /// See `McpOptions::structured`.
    structured: bool,
    /// What happens while a browser is obtained.
    progress: broadcast::Sender<String>,
    ended: watch::Receiver<bool>,
}

impl Handler {
    pub(crate) fn new(
        catalog: Catalog,
        caller: Caller,
        structured: bool,
        progress: broadcast::Sender<String>,
        ended: watch::Receiver<bool>,
    ) -> Self {
        let tools = catalog.tools(&caller.grant).into_iter().map(tool).collect();
        let named = catalog.stateless_tools(&caller.grant).into_iter().map(tool).collect();
        let mut naming = caller.clone();
        naming.grant = catalog.stateless(&caller.grant);
        let stateless = (Arc::new(naming), named);
        Self { catalog, caller: Arc::new(caller), tools, stateless, structured, progress, ended }
    }

    /// Runs the call in a task of its own, so that a bug in an action is an answer, not silence.
    /// Dropping the future stops the task and the work in the browser.
    async fn run(
        &self,
        caller: Arc<Caller>,
        name: String,
        args: Map<String, Value>,
    ) -> Result<CallToolResult, ErrorData> {
        let catalog = self.catalog.clone();
        let started = Instant::now();
        let mut task = JoinSet::new();
        let tool = name.clone();
        task.spawn(async move { catalog.call(&caller, &tool, args).await });
        let result = task.join_next().await;
        tracing::debug!(name, elapsed = ?started.elapsed(), "called");
        match result {
            Some(Ok(Ok(outcome))) => Ok(content(outcome)),
            Some(Ok(Err(failure))) if failure.code == "unknown_tool" => Err(unknown_tool(&failure)),
            Some(Ok(Err(failure))) => Ok(refusal(&failure)),
            Some(Err(error)) => {
                tracing::error!(%error, name, "an action broke down");
                let message = format!("'{name}' broke down; this is a bug in btcp");
                Err(ErrorData::internal_error(message, None))
            }
            None => Err(stopped()),
        }
    }

    /// Tells the client what happens, if it asked to be told. Never ends by itself.
    async fn tell(&self, context: &RequestContext<RoleServer>) {
        if let Some(token) = context.meta.get_progress_token() {
            let mut lines = self.progress.subscribe();
            let mut step = 0.0;
            loop {
                let line = match lines.recv().await {
                    Ok(line) => line,
                    Err(broadcast::error::RecvError::Lagged(_)) => continue,
                    Err(broadcast::error::RecvError::Closed) => break,
                };
                step += 1.0;
                let progress = ProgressNotificationParam::new(token.clone(), step);
                if context.peer.notify_progress(progress.with_message(line)).await.is_err() {
                    break;
                }
            }
        }
        std::future::pending().await
    }
}

impl ServerHandler for Handler {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder().enable_tools().build();
        ServerConfig::new(capabilities).with_server_info(identity()).with_instructions(GUIDE)
    }

    async fn initialize(
        &self,
        request: InitializeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<InitializeResult, ErrorData> {
        let revision = Revision::negotiate(request.protocol_version.as_str());
        // A connection that begins like this has one session for its whole life.
        self.catalog.sessions().expect_one();
        let mut settled = request;
        settled.protocol_version = version(revision);
        // rmcp shapes later results by this, so it must be what was settled on.
        context.peer.set_peer_info(settled);
        Ok(self.get_info().with_protocol_version(version(revision)))
    }

    async fn discover(&self, _: RequestContext<RoleServer>) -> Result<DiscoverResult, ErrorData> {
        let versions = Revision::ALL.map(version).to_vec();
        let mut result = DiscoverResult::from_server_info(versions, self.get_info());
        result.ttl_ms = FRESH_FOR_MS;
        result.cache_scope = CacheScope::Public;
        result.meta = self_description();
        Ok(result)
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let stateless = is_stateless(&context);
        let tools = if stateless { &self.stateless.1 } else { &self.tools };
        let mut result = ListToolsResult::with_all_items(tools.clone());
        if stateless {
            result.ttl_ms = Some(FRESH_FOR_MS);
            result.cache_scope = Some(CacheScope::Public);
            result.meta = self_description();
        }
        Ok(result)
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let mut ended = self.ended.clone();
        let args = request.arguments.unwrap_or_default();
        let stateless = is_stateless(&context);
        let caller = if stateless { &self.stateless.0 } else { &self.caller }.clone();
        let session = match args.get("session").and_then(Value::as_str) {
            Some(named) => named.to_owned(),
            None => caller.session.clone(),
        };
        let mut result = tokio::select! {
            biased;
            () = context.ct.cancelled() => return Err(stopped()),
            _ = ended.wait_for(|ended| *ended) => return Err(stopped()),
            result = self.run(caller, request.name.into_owned(), args) => result?,
            () = self.tell(&context) => return Err(stopped()),
        };
        if !(self.structured && revision(&context).has_structured_results()) {
            result.structured_content = None;
        }
        if stateless {
            result.meta = self_description().map(|mut meta| {
                meta.insert(SESSION_KEY.to_owned(), json!(session));
                meta
            });
        }
        Ok(result.into())
    }
}

/// A tool in as few tokens as it takes: hints that say the default are left out.
fn tool(tool: btcp_actions::Tool) -> Tool {
    let read_only = tool.read_only;
    let tool = Tool::new(tool.name, tool.description, Arc::new(tool.input_schema));
    match read_only {
        true => tool.with_annotations(ToolAnnotations::new().read_only(true)),
        false => tool,
    }
}

fn content(outcome: Outcome) -> CallToolResult {
    // Once: the fence around page text has another nonce each time.
    let text = outcome.text.for_model();
    let structured = json!({ "text": text });
    let mut blocks = vec![ContentBlock::text(text)];
    let images = outcome.images.into_iter();
    blocks.extend(images.map(|image| ContentBlock::image(image.base64, image.mime)));
    let mut result = CallToolResult::success(blocks);
    result.is_error = None; // `false` is the default, and every word is paid for.
    result.structured_content = Some(structured);
    result
}

/// What an action says against it. The structured part has what programs decide by, apart.
fn refusal(failure: &Failure) -> CallToolResult {
    let mut structured = json!({ "text": failure.text(), "code": failure.code });
    if let Some(hint) = &failure.hint {
        structured["hint"] = json!(hint);
    }
    if let Some(done) = failure.done {
        structured["done"] = json!(done.name());
    }
    let mut result = CallToolResult::error(vec![ContentBlock::text(failure.text())]);
    result.structured_content = Some(structured);
    result
}

/// The one thing about a tool that is an error of the protocol.
fn unknown_tool(failure: &Failure) -> ErrorData {
    let message = match &failure.hint {
        Some(hint) => format!("{}. {hint}", failure.message),
        None => failure.message.clone(),
    };
    ErrorData::invalid_params(message, None)
}

/// Nobody reads it: a cancelled request gets no answer, a client that left neither.
fn stopped() -> ErrorData {
    ErrorData::internal_error("The call was stopped", None)
}

/// The gate has let it through, so naming a version means naming a stateless one.
fn is_stateless(context: &RequestContext<RoleServer>) -> bool {
    context.meta.protocol_version().is_some()
}

/// The revision a request is in: its own, or what `initialize` settled on.
fn revision(context: &RequestContext<RoleServer>) -> Revision {
    if is_stateless(context) {
        return Revision::V2026_07_28;
    }
    let settled = context.peer.peer_info();
    Revision::negotiate(settled.as_ref().map_or("", |info| info.protocol_version.as_str()))
}

fn identity() -> Implementation {
    Implementation::new("btcp", env!("CARGO_PKG_VERSION"))
}

fn self_description() -> Option<MetaObject> {
    let mut meta = MetaObject::new();
    meta.insert(SERVER_INFO_KEY.to_owned(), serde_json::to_value(identity()).ok()?);
    Some(meta)
}

fn version(revision: Revision) -> ProtocolVersion {
    match revision {
        Revision::V2024_11_05 => ProtocolVersion::V_2024_11_05,
        Revision::V2025_03_26 => ProtocolVersion::V_2025_03_26,
        Revision::V2025_06_18 => ProtocolVersion::V_2025_06_18,
        Revision::V2025_11_25 => ProtocolVersion::V_2025_11_25,
        Revision::V2026_07_28 => ProtocolVersion::V_2026_07_28,
    }
}
