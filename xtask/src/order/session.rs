//! An MCP client that does a bit of everything, on our test pages.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use anyhow::{Context as _, Result, bail, ensure};
use serde_json::{Value, json};

use crate::process::command;

/// What is called: a tool and its arguments, in which `SITE` stands for where the pages are.
///
/// What an agent does most, and the hard paths of it: frames, a long page, dialogs, errors.
const CALLS: &[(&str, &str)] = &[
    ("navigate", r#"{"url":"SITE/fill.html"}"#),
    ("snapshot", "{}"),
    ("fill", r##"{"selector":"input","value":"Ada"}"##),
    ("type", r##"{"selector":"input","text":"Lovelace"}"##),
    ("press", r#"{"key":"Tab"}"#),
    ("navigate", r#"{"url":"SITE/click.html"}"#),
    ("snapshot", "{}"),
    ("click", r##"{"selector":"#send"}"##),
    ("click", r##"{"selector":"#nothing"}"##),
    ("click", r##"{"selector":"#send","changes":false}"##),
    ("click", r##"{"selector":"#go"}"##),
    ("back", "{}"),
    ("click", r##"{"selector":"#missing","timeout":300}"##),
    ("find", r#"{"query":"Save"}"#),
    ("get_by_text", r#"{"text":"Peek"}"#),
    ("hover", r##"{"selector":"#box"}"##),
    ("snapshot", r#"{"since":"last"}"#),
    ("snapshot", r#"{"mode":"interactive"}"#),
    ("click", r##"{"selector":"#ask"}"##),
    ("dialog", r#"{"response":"accept"}"#),
    ("navigate", r#"{"url":"SITE/select.html"}"#),
    ("snapshot", "{}"),
    ("select", r#"{"selector":"select","value":"1"}"#),
    ("navigate", r#"{"url":"SITE/check.html"}"#),
    ("check", r#"{"selector":"input[type=checkbox]"}"#),
    ("navigate", r#"{"url":"SITE/scroll.html"}"#),
    ("scroll", r#"{"direction":"down"}"#),
    ("navigate", r#"{"url":"SITE/hard/frames.html"}"#),
    ("snapshot", "{}"),
    ("get_text", r#"{"selector":"body"}"#),
    ("navigate", r#"{"url":"SITE/names/labels.html"}"#),
    ("snapshot", r#"{"maxChars":3000}"#),
    ("find", r#"{"query":"/a/"}"#),
    ("evaluate", r#"{"script":"1 + 1"}"#),
    ("evaluate", r#"{"script":"console.log('said'), [1, { two: 2 }]"}"#),
    ("console", "{}"),
    ("screenshot", "{}"),
    ("wait", r#"{"selector":"body"}"#),
    ("wait", r#"{"time":50}"#),
    ("fill_form", r#"{"fields":[{"selector":"input","value":"Ada"}]}"#),
    ("batch", r#"{"steps":[{"action":"press","key":"Tab"},{"action":"url"}]}"#),
    ("tabs", r#"{"do":"new","url":"SITE/title.html"}"#),
    ("tabs", r#"{"do":"list"}"#),
    ("title", "{}"),
    ("describe", r#"{"action":"click"}"#),
    ("reload", "{}"),
];

/// Our test pages, served by Python, which the tests need anyway.
pub(super) struct Site {
    server: Child,
    address: String,
}

impl Site {
    pub(super) fn serve(pages: &Path) -> Result<Self> {
        let mut python = command("python3", &["-u", "-m", "http.server", "--bind", "127.0.0.1"]);
        python.arg("--directory").arg(pages).arg("0");
        let mut server = python.stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
        let mut said = String::new();
        let stdout = server.stdout.take().context("stdout was asked for as a pipe")?;
        BufReader::new(stdout).read_line(&mut said)?;
        let address = said.split_once("(http://").and_then(|(_, rest)| rest.split('/').next());
        let address = address.with_context(|| format!("Python's server said '{said}'"))?;
        Ok(Self { server, address: format!("http://{address}") })
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        // Not there any more is as good.
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

/// Starts a server, calls everything and leaves.
pub(super) fn use_as_client(server: &mut Command, site: &Site) -> Result<()> {
    let mut child = server.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    let mut input = child.stdin.take().context("stdin was asked for as a pipe")?;
    let output = child.stdout.take().context("stdout was asked for as a pipe")?;
    let mut lines = BufReader::new(output).lines();
    let client = json!({ "name": "xtask", "version": "0" });
    let hello =
        json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client });
    let mut requests = vec![("initialize", hello), ("tools/list", json!({}))];
    for (tool, arguments) in CALLS {
        let arguments: Value = serde_json::from_str(&arguments.replace("SITE", &site.address))?;
        let name = format!("browser_{tool}");
        requests.push(("tools/call", json!({ "name": name, "arguments": arguments })));
    }
    for (id, (method, params)) in requests.into_iter().enumerate() {
        let request = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
        writeln!(input, "{request}")?;
        let answer = answer_to(id, &mut lines)?;
        ensure!(answer.get("error").is_none(), "{request} was answered with {answer}");
        if id == 0 {
            writeln!(input, r#"{{"jsonrpc":"2.0","method":"notifications/initialized"}}"#)?;
        }
    }
    drop(input);
    let status = child.wait()?;
    ensure!(status.success(), "btcp mcp ended with {status}");
    Ok(())
}

fn answer_to(
    id: usize,
    lines: &mut impl Iterator<Item = std::io::Result<String>>,
) -> Result<Value> {
    for line in lines {
        let message: Value = serde_json::from_str(&line?)?;
        if message.get("id").and_then(Value::as_u64) == u64::try_from(id).ok() {
            return Ok(message);
        }
    }
    bail!("btcp mcp left before it answered request {id}")
}
