//! Processes: ours, and what they leave behind.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

pub(crate) const BTCP: &str = env!("CARGO_BIN_EXE_btcp");

/// A running `btcp mcp`, greeted. Ends with this.
pub(crate) struct Mcp {
    pub(crate) process: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Mcp {
    pub(crate) fn start() -> Self {
        let mut process = Command::new(BTCP)
            .arg("mcp")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let input = process.stdin.take();
        let output = BufReader::new(process.stdout.take().unwrap());
        let mut mcp = Self { process, input, output };
        let client = json!({ "name": "test", "version": "1" });
        let hello =
            json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client });
        assert!(mcp.ask("initialize", hello)["result"].is_object());
        mcp
    }

    /// Sends a request; its answer must be the next line.
    pub(crate) fn ask(&mut self, method: &str, params: Value) -> Value {
        self.send(method, params);
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap()
    }

    /// Sends a request and does not wait.
    pub(crate) fn send(&mut self, method: &str, params: Value) {
        let request = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
        writeln!(self.input.as_mut().unwrap(), "{request}").unwrap();
    }

    /// Calls a tool that must succeed; gives what the model reads.
    pub(crate) fn call(&mut self, tool: &str, args: Value) -> String {
        let answer = self.ask("tools/call", json!({ "name": tool, "arguments": args }));
        assert!(answer["result"].get("isError").is_none(), "{answer}");
        answer["result"]["content"][0]["text"].as_str().unwrap().to_owned()
    }

    /// The end of the input, as a client that leaves makes it.
    pub(crate) fn close_input(&mut self) {
        self.input = None;
    }

    /// Every process below this one.
    pub(crate) fn family(&self) -> Vec<Process> {
        below(self.process.id())
    }
}

impl Drop for Mcp {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A process that cannot be mistaken for a later one with its number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Process {
    id: u32,
    parent: u32,
    started: u64,
}

impl Process {
    fn read(id: u32) -> Option<Self> {
        let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
        // The name stands in parentheses and may hold anything; the rest is plain.
        let fields: Vec<&str> = stat.rsplit_once(") ")?.1.split(' ').collect();
        // One that has ended and is not waited for holds nothing any more.
        if fields.first() == Some(&"Z") {
            return None;
        }
        Some(Self {
            id,
            parent: fields.get(1)?.parse().ok()?,
            started: fields.get(19)?.parse().ok()?,
        })
    }

    pub(crate) fn is_alive(&self) -> bool {
        Self::read(self.id).is_some_and(|now| now.started == self.started)
    }
}

fn below(root: u32) -> Vec<Process> {
    let entries = std::fs::read_dir("/proc").unwrap();
    let ids = entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    let all: Vec<Process> = ids.filter_map(Process::read).collect();
    let mut family: Vec<Process> = Vec::new();
    let mut parents = vec![root];
    while let Some(parent) = parents.pop() {
        for process in all.iter().filter(|process| process.parent == parent) {
            parents.push(process.id);
            family.push(process.clone());
        }
    }
    family
}

/// Waits until something is true; says how long it took, or that it did not come true in time.
pub(crate) fn until(limit: Duration, what: &str, mut is_true: impl FnMut() -> bool) -> Duration {
    let started = Instant::now();
    while !is_true() {
        assert!(started.elapsed() < limit, "after {limit:?} still not: {what}");
        std::thread::park_timeout(Duration::from_millis(2));
    }
    started.elapsed()
}
