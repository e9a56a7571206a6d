//! The MCP surface: a built `btcp mcp`, spoken to in JSON-RPC lines over its pipes.

use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use btcp_actions::ENTRIES;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::sync::Mutex;

use crate::surface::{Refusal, Reply, Surface};

/// Far beyond any call's own deadline: only a server that is stuck takes longer.
const STUCK: Duration = Duration::from_secs(240);

/// A running `btcp mcp`; ends with this.
pub struct Mcp {
    wire: Mutex<Wire>,
    _process: Child,
}

struct Wire {
    to: ChildStdin,
    from: Lines<BufReader<ChildStdout>>,
    last_id: u64,
}

impl Mcp {
    /// Starts the binary with all tools and shakes hands.
    pub async fn start(binary: &Path) -> Self {
        Self::start_with(binary, &["--toolset", "all"]).await
    }

    /// Starts the binary with other flags.
    pub async fn start_with(binary: &Path, flags: &[&str]) -> Self {
        // What it writes into its working directory does not belong among the sources.
        let folder = crate::page::out();
        std::fs::create_dir_all(&folder).expect("the build folder can be written to");
        let mut process = Command::new(binary)
            .arg("mcp")
            .arg("--allow-folder")
            .arg(crate::page::files())
            .args(flags)
            .current_dir(&folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .unwrap_or_else(|error| panic!("{} did not start: {error}", binary.display()));
        let to = process.stdin.take().expect("its stdin is a pipe");
        let from = BufReader::new(process.stdout.take().expect("its stdout is a pipe")).lines();
        let mcp = Self { wire: Mutex::new(Wire { to, from, last_id: 0 }), _process: process };
        let client = json!({ "name": "testkit", "version": "1" });
        let hello =
            json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client });
        let answer = mcp.request("initialize", hello).await;
        assert!(answer.get("result").is_some(), "initialize was answered with {answer}");
        mcp.wire
            .lock()
            .await
            .send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }))
            .await;
        mcp
    }

    /// Sends a request and waits for its answer, the whole message.
    pub async fn request(&self, method: &str, params: Value) -> Value {
        let mut wire = self.wire.lock().await;
        wire.last_id += 1;
        let id = wire.last_id;
        wire.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })).await;
        let answer = async {
            loop {
                let message = wire.receive().await;
                if message.get("id") == Some(&json!(id)) {
                    return message;
                }
            }
        };
        tokio::time::timeout(STUCK, answer)
            .await
            .unwrap_or_else(|_| panic!("{method} was not answered within {STUCK:?}"))
    }
}

impl Wire {
    async fn send(&mut self, message: &Value) {
        self.to.write_all(format!("{message}\n").as_bytes()).await.expect("the server reads");
        self.to.flush().await.expect("the server reads");
    }

    async fn receive(&mut self) -> Value {
        let line = self.from.next_line().await.expect("the server's stdout can be read");
        let line = line.expect("the server goes on until its client leaves");
        serde_json::from_str(&line).unwrap_or_else(|error| {
            panic!("stdout has a line that is no message ({error}): {line}")
        })
    }
}

impl Surface for Mcp {
    async fn call(&self, name: &str, args: Value) -> Result<Reply, Refusal> {
        let tool = ENTRIES
            .iter()
            .find(|entry| entry.name == name)
            .map_or_else(|| format!("browser_{name}"), |entry| entry.tool_name());
        let answer = self.request("tools/call", json!({ "name": tool, "arguments": args })).await;
        let Some(result) = answer.get("result") else {
            let error = &answer["error"];
            return Err(Refusal { code: error["code"].to_string(), text: error.to_string() });
        };
        let parts = result["content"].as_array().map(Vec::as_slice).unwrap_or_default();
        let of = |kind: &'static str| parts.iter().filter(move |part| part["type"] == kind);
        let text =
            of("text").filter_map(|part| part["text"].as_str()).collect::<Vec<_>>().join("\n");
        if result["isError"] == true {
            return Err(Refusal { code: code_in(&text).to_owned(), text });
        }
        let data = result.get("structuredContent").cloned();
        Ok(Reply { text, data, images: of("image").count() })
    }
}

/// The code stands in the last parenthesis: `… (covered, done: no)`.
fn code_in(text: &str) -> &str {
    let inside = text.rsplit_once('(').map_or("", |(_, rest)| rest);
    inside.trim_end().trim_end_matches(')').split(',').next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_code_is_in_the_last_parenthesis() {
        assert_eq!(code_in("Selector '(x)' not found\nLook. (not_found)"), "not_found");
        assert_eq!(code_in("Covered (twice)\nHint (covered, done: no)"), "covered");
        assert_eq!(code_in("no code"), "");
    }
}
