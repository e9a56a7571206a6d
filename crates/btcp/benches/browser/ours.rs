//! Ours: the library in this process, and the binary over MCP on its standard streams.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail, ensure};
use btcp::{Caller, Catalog, Sessions, Settings};
use serde_json::{Map, Value, json};
use tokio::runtime::Runtime;

use crate::driver::{Driver, Op};
use crate::process;

/// The call an operation becomes.
fn call(op: &Op<'_>) -> (&'static str, Value) {
    match op {
        Op::Navigate(url) => ("browser_navigate", json!({ "url": url })),
        Op::Snapshot | Op::AccessibilityTree => ("browser_snapshot", json!({})),
        Op::Whole(mode) => ("browser_snapshot", json!({ "mode": mode, "maxChars": 9_000_000 })),
        Op::Evaluate(script) => ("browser_evaluate", json!({ "script": script })),
        Op::Click { selector, changes } => {
            ("browser_click", json!({ "selector": selector, "changes": changes }))
        }
        Op::ClickOneByOne(selector) => {
            ("browser_click", json!({ "selector": selector, "changes": false }))
        }
        Op::Follow(selector) => ("browser_click", json!({ "selector": selector })),
        Op::Fill { selector, value, changes } => {
            ("browser_fill", json!({ "selector": selector, "value": value, "changes": changes }))
        }
        Op::Screenshot => ("browser_screenshot", json!({})),
    }
}

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(object) => object,
        _ => Map::new(),
    }
}

/// The library, called as an embedding program calls it.
pub(crate) struct Library {
    runtime: Arc<Runtime>,
    catalog: Catalog,
    caller: Caller,
    chrome: u32,
}

impl Library {
    /// Nothing runs until the first call.
    pub(crate) fn new(runtime: Arc<Runtime>) -> Result<Self> {
        Self::with(runtime, Settings::default())
    }

    /// The same with other settings.
    pub(crate) fn with(runtime: Arc<Runtime>, settings: Settings) -> Result<Self> {
        let catalog = Catalog::new(Sessions::new(settings));
        let grant = catalog.grant("all")?;
        let caller = Caller::new("bench", grant);
        Ok(Self { runtime, catalog, caller, chrome: std::process::id() })
    }

    /// Opens a page and finds out which of our child processes the new Chrome is.
    pub(crate) fn start(runtime: Arc<Runtime>, url: &str) -> Result<Self> {
        let before = process::children(std::process::id());
        let mut library = Self::new(runtime)?;
        library.run(&Op::Navigate(url))?;
        let new = |pid: &u32| !before.contains(pid);
        let found = process::children(std::process::id()).into_iter().find(new);
        library.chrome = found.context("Chrome is a child of ours")?;
        Ok(library)
    }

    /// A session of its own with a page that answers.
    pub(crate) fn session(&self, name: &str) -> Result<()> {
        self.run_as(name, &Op::Evaluate("1")).map(drop)
    }

    /// Waits until there is a spare session.
    pub(crate) fn spare_is_ready(&self) -> Result<()> {
        let end = Instant::now() + Duration::from_secs(10);
        while !self.catalog.sessions().has_spare() {
            ensure!(Instant::now() < end, "no spare session came");
            std::thread::sleep(Duration::from_millis(20));
        }
        Ok(())
    }

    /// An operation in a session of its own.
    pub(crate) fn run_as(&self, name: &str, op: &Op<'_>) -> Result<String> {
        self.ask(&Caller::new(name, self.caller.grant.clone()), op)
    }

    /// Ends all sessions, and Chrome with them.
    pub(crate) fn end(&self) {
        self.runtime.block_on(self.catalog.sessions().close_all());
    }

    fn ask(&self, caller: &Caller, op: &Op<'_>) -> Result<String> {
        let (name, args) = call(op);
        match self.runtime.block_on(self.catalog.call(caller, name, object(args))) {
            Ok(outcome) => Ok(outcome.text.plain()),
            Err(failure) => bail!("{name}: {}", failure.text()),
        }
    }
}

impl Driver for Library {
    fn name(&self) -> &'static str {
        "library"
    }

    fn root(&self) -> u32 {
        self.chrome
    }

    fn run(&mut self, op: &Op<'_>) -> Result<String> {
        self.ask(&self.caller, op)
    }

    fn stop(self: Box<Self>) {
        self.end();
    }
}

/// The binary, called as an MCP client calls it.
pub(crate) struct Mcp {
    server: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    last: u32,
}

impl Mcp {
    /// Starts the server and greets it.
    pub(crate) fn start() -> Result<Self> {
        Self::with(&[])
    }

    /// The same with flags.
    pub(crate) fn with(flags: &[&str]) -> Result<Self> {
        let mut server = Command::new(env!("CARGO_BIN_EXE_btcp"))
            .arg("mcp")
            .args(flags)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .context("btcp mcp did not start")?;
        let to = server.stdin.take().context("stdin is a pipe")?;
        let from = BufReader::new(server.stdout.take().context("stdout is a pipe")?);
        let mut mcp = Self { server, to, from, last: 0 };
        let client = json!({ "name": "bench", "version": "1" });
        let hello =
            json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client });
        mcp.ask("initialize", &hello)?;
        mcp.write(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }))?;
        Ok(mcp)
    }

    /// Calls a tool and waits for its answer.
    pub(crate) fn tool(&mut self, name: &str, args: &Value) -> Result<String> {
        match self.answer(name, args)? {
            (text, true) => bail!("{name}: {text}"),
            (text, false) => Ok(text),
        }
    }

    /// What a tool answers, and whether that is an error.
    pub(crate) fn answer(&mut self, name: &str, args: &Value) -> Result<(String, bool)> {
        let result = self.ask("tools/call", &json!({ "name": name, "arguments": args }))?;
        let text = result["content"][0]["text"].as_str().unwrap_or_default().to_owned();
        Ok((text, result["isError"].as_bool() == Some(true)))
    }

    /// Calls a tool and does not wait.
    pub(crate) fn send(&mut self, name: &str, args: &Value) -> Result<()> {
        self.last += 1;
        let params = json!({ "name": name, "arguments": args });
        let id = self.last;
        self.write(&json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params }))
    }

    /// Leaves, and waits for the server to go.
    pub(crate) fn end(mut self) {
        drop(self.to);
        // Ended by the end of its input; a zombie is all that could be left.
        let _ = self.server.wait();
    }

    fn write(&mut self, message: &Value) -> Result<()> {
        let mut line = serde_json::to_vec(message)?;
        line.push(b'\n');
        Ok(self.to.write_all(&line)?)
    }

    fn ask(&mut self, method: &str, params: &Value) -> Result<Value> {
        self.last += 1;
        let id = self.last;
        self.write(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }))?;
        let mut line = String::new();
        loop {
            line.clear();
            if self.from.read_line(&mut line)? == 0 {
                bail!("btcp mcp ended");
            }
            let mut answer: Value = serde_json::from_str(&line)?;
            if answer["id"] == id {
                return Ok(answer["result"].take());
            }
        }
    }
}

impl Driver for Mcp {
    fn name(&self) -> &'static str {
        "mcp"
    }

    fn root(&self) -> u32 {
        self.server.id()
    }

    fn run(&mut self, op: &Op<'_>) -> Result<String> {
        let (name, args) = call(op);
        self.tool(name, &args)
    }

    fn stop(self: Box<Self>) {
        self.end();
    }
}
