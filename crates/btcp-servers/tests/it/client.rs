//! A client that writes raw lines and reads raw lines.

use std::io;
use std::time::Duration;

use btcp_actions::Catalog;
use btcp_servers::mcp::{McpOptions, serve};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, Lines};
use tokio::sync::broadcast;
use tokio::task::JoinHandle;

use crate::actions::{EVENTS, catalog};

/// A test that waits this long waits for something that will not come.
const PATIENCE: Duration = Duration::from_secs(20);

/// The revisions, and whether they begin with `initialize`.
pub(crate) const REVISIONS: [&str; 5] =
    ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", STATELESS];

pub(crate) const STATELESS: &str = "2026-07-28";

pub(crate) struct Client {
    revision: &'static str,
    input: DuplexStream,
    output: Lines<BufReader<DuplexStream>>,
    server: JoinHandle<io::Result<()>>,
    events: broadcast::Receiver<String>,
}

impl Client {
    /// A client that has said nothing yet.
    pub(crate) fn silent(revision: &'static str) -> Self {
        Self::of(catalog(), revision, 64 * 1024)
    }

    /// A client ready to ask: greeted where the revision has a greeting.
    pub(crate) async fn ready(revision: &'static str) -> Self {
        let mut client = Self::silent(revision);
        client.greet().await;
        client
    }

    /// One of a catalog of its own, with pipes that hold this many bytes.
    pub(crate) fn of(catalog: Catalog, revision: &'static str, room: usize) -> Self {
        let options = McpOptions::new(catalog.grant("all").unwrap());
        Self::with_options(catalog, revision, room, options)
    }

    pub(crate) fn with_options(
        catalog: Catalog,
        revision: &'static str,
        room: usize,
        options: McpOptions,
    ) -> Self {
        let (input, server_input) = tokio::io::duplex(room);
        let (server_output, output) = tokio::io::duplex(room);
        let server = tokio::spawn(serve(server_input, server_output, catalog, options));
        let output = BufReader::new(output).lines();
        Self { revision, input, output, server, events: EVENTS.subscribe() }
    }

    pub(crate) async fn greet(&mut self) {
        if self.revision == STATELESS {
            return;
        }
        let answer = self.ask(0, "initialize", initialize(self.revision)).await;
        assert_eq!(answer["result"]["protocolVersion"], self.revision);
        self.write(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" })).await;
    }

    /// A request as this revision has it.
    pub(crate) fn request(&self, id: impl Into<Value>, method: &str, mut params: Value) -> Value {
        if self.revision == STATELESS {
            params["_meta"]["io.modelcontextprotocol/protocolVersion"] = json!(STATELESS);
            params["_meta"]["io.modelcontextprotocol/clientCapabilities"] = json!({});
        }
        json!({ "jsonrpc": "2.0", "id": id.into(), "method": method, "params": params })
    }

    /// Sends a request and reads its answer, which must be the next line.
    pub(crate) async fn ask(&mut self, id: impl Into<Value>, method: &str, params: Value) -> Value {
        let id = id.into();
        self.write(&self.request(id.clone(), method, params)).await;
        let answer = self.read().await;
        assert_eq!(answer["id"], id, "{answer}");
        answer
    }

    /// Calls a tool and reads the answer.
    pub(crate) async fn call(&mut self, tool: &str, args: Value) -> Value {
        self.ask("call", "tools/call", json!({ "name": tool, "arguments": args })).await
    }

    /// Starts a call that never answers, and waits until it runs.
    pub(crate) async fn stall(&mut self, id: impl Into<Value>, name: &str) {
        let params = json!({ "name": "browser_stall", "arguments": { "name": name } });
        self.write(&self.request(id, "tools/call", params)).await;
        self.hears(&format!("began {name}")).await;
    }

    /// Waits until an action says so.
    pub(crate) async fn hears(&mut self, event: &str) {
        let heard = async { while self.events.recv().await.is_ok_and(|heard| heard != event) {} };
        tokio::time::timeout(PATIENCE, heard).await.unwrap_or_else(|_| panic!("no '{event}'"));
    }

    pub(crate) async fn write(&mut self, message: &Value) {
        self.write_line(&message.to_string()).await;
    }

    pub(crate) async fn write_line(&mut self, line: &str) {
        self.write_bytes(format!("{line}\n").as_bytes()).await;
    }

    pub(crate) async fn write_bytes(&mut self, bytes: &[u8]) {
        self.input.write_all(bytes).await.unwrap();
    }

    /// The next line.
    pub(crate) async fn read(&mut self) -> Value {
        let line = tokio::time::timeout(PATIENCE, self.output.next_line()).await;
        let line = line.expect("an answer in time").unwrap().expect("a line before the end");
        serde_json::from_str(&line).unwrap()
    }

    /// Asserts that nothing was sent that is not read yet: the next answer is this one's.
    pub(crate) async fn is_up_to_date(&mut self) {
        let answer = self.ask("up to date?", "tools/list", json!({})).await;
        assert!(answer["result"]["tools"].is_array(), "{answer}");
    }

    /// Closes the input, and gives what came until the server closed its output and returned.
    pub(crate) async fn leave(self) -> Vec<Value> {
        let Self { input, mut output, server, .. } = self;
        drop(input);
        let mut rest = Vec::new();
        let ending = async {
            while let Some(line) = output.next_line().await.unwrap() {
                rest.push(serde_json::from_str(&line).unwrap());
            }
            server.await.unwrap().unwrap();
        };
        tokio::time::timeout(PATIENCE, ending).await.expect("the server to end");
        rest
    }

    /// Closes the output but not the input; the server must find out at its next answer.
    pub(crate) async fn stops_listening_and_asks(self, method: &str) {
        let request = format!("{}\n", self.request("nobody", method, json!({})));
        let Self { mut input, output, server, .. } = self;
        drop(output);
        input.write_all(request.as_bytes()).await.unwrap();
        let ended = tokio::time::timeout(PATIENCE, server).await.expect("the server to end");
        ended.unwrap().unwrap();
    }

    /// The two ends of its pipes, for tests that use them badly.
    pub(crate) fn pipes(self) -> (DuplexStream, Lines<BufReader<DuplexStream>>) {
        (self.input, self.output)
    }
}

pub(crate) fn initialize(version: &str) -> Value {
    json!({
        "protocolVersion": version,
        "capabilities": {},
        "clientInfo": { "name": "test", "version": "1" },
    })
}

/// The error's number and its sentence.
pub(crate) fn error(answer: &Value) -> (i64, &str) {
    let error = &answer["error"];
    assert!(answer.get("result").is_none(), "{answer}");
    (error["code"].as_i64().unwrap(), error["message"].as_str().unwrap())
}

/// The one text block of a result.
pub(crate) fn text(answer: &Value) -> &str {
    let [block] = answer["result"]["content"].as_array().unwrap().as_slice() else {
        panic!("not one block: {answer}")
    };
    assert_eq!(block["type"], "text");
    block["text"].as_str().unwrap()
}
