//! Processes: ours, and what they leave behind.

use std::io::{BufRead, BufReader, Read as _, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use btcp_testkit::{Process, below};
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
        Self::of(Command::new(BTCP).arg("mcp"))
    }

    /// Started some other way.
    pub(crate) fn of(command: &mut Command) -> Self {
        let mut process = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
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
        self.read()
    }

    /// The next line.
    pub(crate) fn read(&mut self) -> Value {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line:?}"))
    }

    /// Everything from here to its end.
    pub(crate) fn rest(&mut self) -> String {
        let mut text = String::new();
        self.output.read_to_string(&mut text).unwrap();
        text
    }

    /// Sends a request and does not wait.
    pub(crate) fn send(&mut self, method: &str, params: Value) {
        self.send_as(1, method, params);
    }

    /// Sends a request of this number and does not wait.
    pub(crate) fn send_as(&mut self, id: u64, method: &str, params: Value) {
        let request = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
        writeln!(self.input.as_mut().unwrap(), "{request}").unwrap();
    }

    /// Gives up a request, as a client does whose user pressed escape.
    pub(crate) fn cancel(&mut self, id: u64) {
        let (method, params) = ("notifications/cancelled", json!({ "requestId": id }));
        let notification = json!({ "jsonrpc": "2.0", "method": method, "params": params });
        writeln!(self.input.as_mut().unwrap(), "{notification}").unwrap();
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

    /// Whether it has waited for something for a while.
    pub(crate) fn is_asleep(&self) -> bool {
        is_asleep(self.process.id())
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

/// Whether a process has waited for something for a while: none of its threads used the processor.
pub(crate) fn is_asleep(id: u32) -> bool {
    let used = || -> Vec<String> {
        let threads = std::fs::read_dir(format!("/proc/{id}/task")).into_iter().flatten().flatten();
        let told = |thread: std::fs::DirEntry| {
            std::fs::read_to_string(thread.path().join("schedstat")).unwrap_or_default()
        };
        threads.map(told).collect()
    };
    let before = used();
    std::thread::park_timeout(Duration::from_millis(300));
    before == used()
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
