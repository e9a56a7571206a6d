//! The floor: bare CDP over a pipe, one blocking client, nothing that is not asked for.
//!
//! It shares no code with the engine, so that what our connection costs is measured too. Chrome
//! is started with the command line that the engine's own Chrome has, read from `/proc`.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context as _, Result, bail};
use serde_json::{Value, json};

use crate::driver::{Driver, Op};

/// The only way without unsafe code to hand a child descriptors 3 and 4.
const AS_3_AND_4: &str = r#"exec "$0" "$@" 3<&0 4>&1 </dev/null >/dev/null 2>&1"#;

const WALK: &str = include_str!("walk.js");

/// A Chrome of its own, with one page.
pub(crate) struct Floor {
    chrome: Child,
    profile: PathBuf,
    page: Bare,
}

/// A page, by a client that does nothing that is not asked for.
pub(crate) struct Bare {
    to: Arc<Mutex<ChildStdin>>,
    from: Source,
    session: Option<String>,
    last: u32,
    /// Messages that were read while waiting for another.
    events: Vec<Vec<u8>>,
}

/// Where a client's messages come from: the pipe, or whoever reads it for several of them.
enum Source {
    Pipe(BufReader<ChildStdout>),
    Reader(Receiver<Vec<u8>>),
}

impl Floor {
    /// Starts Chrome with a command line, in a new profile, and opens a page.
    pub(crate) fn start(command_line: &[String]) -> Result<Self> {
        let profile = std::env::temp_dir().join(format!("btcp-bench-{}", rand_name()));
        std::fs::create_dir(&profile)?;
        let ours = |word: &&String| !word.starts_with("--user-data-dir=");
        let mut chrome = Command::new("sh")
            .args(["-c", AS_3_AND_4])
            .args(command_line.iter().filter(ours))
            .arg(format!("--user-data-dir={}", profile.display()))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .context("Chrome did not start")?;
        let to = Arc::new(Mutex::new(chrome.stdin.take().context("stdin is a pipe")?));
        let from = BufReader::new(chrome.stdout.take().context("stdout is a pipe")?);
        let mut page = Bare::of(to, Source::Pipe(from), None);
        let blank =
            json!({ "url": "about:blank", "newWindow": true, "width": 1280, "height": 720 });
        page.session = Some(page.open(&blank)?);
        Ok(Self { chrome, profile, page })
    }

    /// A context of its own with a page that answers; what a session costs at least.
    pub(crate) fn context(&mut self) -> Result<()> {
        self.page.context().map(drop)
    }

    /// What Chrome says it is.
    pub(crate) fn version(&mut self) -> Result<String> {
        let page = self.page.session.take();
        let version = self.page.call("Browser.getVersion", &json!({}))?;
        self.page.session = page;
        Ok(version["product"].as_str().unwrap_or("unknown").to_owned())
    }

    /// Pages in contexts of their own, so many, each for a thread of its own; another one reads the
    /// pipe for all of them. Chrome ends when the last client has gone.
    pub(crate) fn side_by_side(mut self, count: usize) -> Result<Vec<Bare>> {
        let sessions = (0..count).map(|_| self.page.context()).collect::<Result<Vec<_>>>()?;
        let nobody = Source::Reader(channel().1);
        let Source::Pipe(pipe) = std::mem::replace(&mut self.page.from, nobody) else {
            bail!("somebody else reads the pipe");
        };
        let mut clients = Vec::new();
        let mut readers = Vec::new();
        for session in sessions {
            let (sender, receiver) = channel();
            readers.push((end_of(&session), sender));
            clients.push(Bare::of(self.page.to.clone(), Source::Reader(receiver), Some(session)));
        }
        std::thread::spawn(move || {
            deal_out(pipe, readers);
            let _ = self.chrome.wait();
            let _ = std::fs::remove_dir_all(&self.profile);
        });
        Ok(clients)
    }
}

/// Hands each message to whoever has its session, until Chrome or the last of them is gone.
fn deal_out(mut pipe: BufReader<ChildStdout>, mut readers: Vec<(String, Sender<Vec<u8>>)>) {
    while let Ok(message) = next_message(&mut pipe) {
        readers.retain(|(end, reader)| {
            !message.ends_with(end.as_bytes()) || reader.send(message.clone()).is_ok()
        });
        if readers.is_empty() {
            return;
        }
    }
}

fn next_message(pipe: &mut BufReader<ChildStdout>) -> Result<Vec<u8>> {
    let mut message = Vec::new();
    pipe.read_until(0, &mut message)?;
    if message.pop() != Some(0) {
        bail!("Chrome closed the pipe");
    }
    Ok(message)
}

/// How a message of a session ends.
fn end_of(session: &str) -> String {
    format!("\"sessionId\":\"{session}\"}}")
}

impl Bare {
    fn of(to: Arc<Mutex<ChildStdin>>, from: Source, session: Option<String>) -> Self {
        Self { to, from, session, last: 0, events: Vec::new() }
    }

    /// Opens a page and a session to it.
    fn open(&mut self, page: &Value) -> Result<String> {
        let before = self.session.take();
        let target = self.call("Target.createTarget", page)?["targetId"].clone();
        let attach = json!({ "targetId": target, "flatten": true });
        let session = self.call("Target.attachToTarget", &attach)?["sessionId"].clone();
        let session = session.as_str().context("a session has an id")?.to_owned();
        self.session = Some(session.clone());
        self.send("Page.enable", &json!({}))?;
        let size = json!({ "width": 1280, "height": 720, "deviceScaleFactor": 1, "mobile": false });
        self.call("Emulation.setDeviceMetricsOverride", &size)?;
        self.session = before;
        Ok(session)
    }

    /// A context of its own with a page that answers; gives the session to it.
    fn context(&mut self) -> Result<String> {
        let page = self.session.take();
        let made = self.call("Target.createBrowserContext", &json!({}))?;
        let context = made["browserContextId"].clone();
        let target = json!({ "url": "about:blank", "browserContextId": context,
            "newWindow": true, "width": 1280, "height": 720 });
        let session = self.open(&target)?;
        self.session = Some(session.clone());
        self.evaluate("1")?;
        self.session = page;
        Ok(session)
    }

    fn send(&mut self, method: &str, params: &Value) -> Result<u32> {
        self.last += 1;
        let mut message = json!({ "id": self.last, "method": method, "params": params });
        if let Some(session) = &self.session {
            message["sessionId"] = json!(session);
        }
        let mut bytes = serde_json::to_vec(&message)?;
        bytes.push(0);
        self.to.lock().unwrap_or_else(PoisonError::into_inner).write_all(&bytes)?;
        Ok(self.last)
    }

    fn read(&mut self) -> Result<Vec<u8>> {
        match &mut self.from {
            Source::Pipe(pipe) => next_message(pipe),
            Source::Reader(messages) => messages.recv().context("Chrome closed the pipe"),
        }
    }

    /// The answer to a command, as bytes.
    fn answer(&mut self, id: u32) -> Result<Vec<u8>> {
        let start = format!("{{\"id\":{id},");
        loop {
            let message = self.read()?;
            if message.starts_with(start.as_bytes()) {
                return Ok(message);
            }
            self.events.push(message);
        }
    }

    fn call(&mut self, method: &str, params: &Value) -> Result<Value> {
        let id = self.send(method, params)?;
        let mut answer: Value = serde_json::from_slice(&self.answer(id)?)?;
        match answer.get("error") {
            Some(error) => bail!("{method}: {error}"),
            None => Ok(answer["result"].take()),
        }
    }

    fn event(&mut self, method: &str) -> Result<()> {
        let start = format!("{{\"method\":\"{method}\"");
        let end = end_of(self.session.as_deref().unwrap_or_default());
        let is_it = |event: &Vec<u8>| {
            event.starts_with(start.as_bytes()) && event.ends_with(end.as_bytes())
        };
        loop {
            let found = self.events.iter().position(is_it);
            if let Some(at) = found {
                self.events.drain(..=at);
                return Ok(());
            }
            let message = self.read()?;
            self.events.push(message);
        }
    }

    fn evaluate(&mut self, script: &str) -> Result<Value> {
        let params = json!({ "expression": script, "returnByValue": true });
        let mut evaluated = self.call("Runtime.evaluate", &params)?;
        if evaluated.get("exceptionDetails").is_some() {
            bail!("{script}: {evaluated}");
        }
        Ok(evaluated["result"]["value"].take())
    }

    /// Where to click an element, which is scrolled to.
    fn point(&mut self, selector: &str) -> Result<(Value, Value)> {
        let mut point = self.evaluate(&format!(
            "(() => {{ const e = document.querySelector('{selector}'); e.scrollIntoViewIfNeeded();\
             const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2] }})()"
        ))?;
        Ok((point[0].take(), point[1].take()))
    }

    /// A click: its three events in one go, or each after the answer to the one before.
    fn click(&mut self, selector: &str, one_by_one: bool) -> Result<()> {
        let (x, y) = self.point(selector)?;
        let mut last = 0;
        for (kind, button, buttons, count) in [
            ("mouseMoved", "none", 0, 0),
            ("mousePressed", "left", 1, 1),
            ("mouseReleased", "left", 0, 1),
        ] {
            let event = json!({ "type": kind, "x": x, "y": y, "button": button,
                "buttons": buttons, "clickCount": count });
            last = self.send("Input.dispatchMouseEvent", &event)?;
            if one_by_one {
                self.answer(last)?;
            }
        }
        if !one_by_one {
            self.answer(last)?;
        }
        Ok(())
    }

    fn load(&mut self, act: impl FnOnce(&mut Self) -> Result<()>) -> Result<()> {
        self.events.clear();
        act(self)?;
        self.event("Page.loadEventFired")
    }

    /// Does it, and gives the text that comes back.
    pub(crate) fn run(&mut self, op: &Op<'_>) -> Result<String> {
        match op {
            Op::Navigate(url) => {
                self.load(|page| page.call("Page.navigate", &json!({ "url": url })).map(drop))?;
            }
            Op::Snapshot => {
                let text = self.evaluate(WALK)?;
                return Ok(text.as_str().unwrap_or_default().to_owned());
            }
            Op::AccessibilityTree => {
                let id = self.send("Accessibility.getFullAXTree", &json!({}))?;
                self.answer(id)?;
            }
            Op::Whole(_) => {}
            Op::Evaluate(script) => return Ok(self.evaluate(script)?.to_string()),
            Op::Click { selector, .. } => self.click(selector, false)?,
            Op::ClickOneByOne(selector) => self.click(selector, true)?,
            Op::Follow(selector) => self.load(|page| page.click(selector, false))?,
            Op::Fill { selector, value, .. } => {
                self.evaluate(&format!(
                    "(() => {{ const e = document.querySelector('{selector}'); e.focus(); e.select() }})()"
                ))?;
                self.call("Input.insertText", &json!({ "text": value }))?;
            }
            Op::Screenshot => {
                let params = json!({ "format": "png", "optimizeForSpeed": true });
                let id = self.send("Page.captureScreenshot", &params)?;
                self.answer(id)?;
            }
        }
        Ok(String::new())
    }
}

impl Driver for Floor {
    fn name(&self) -> &'static str {
        "floor"
    }

    fn root(&self) -> u32 {
        self.chrome.id()
    }

    fn run(&mut self, op: &Op<'_>) -> Result<String> {
        self.page.run(op)
    }

    fn stop(mut self: Box<Self>) {
        self.page.session = None;
        // Chrome may be gone before it answers, and ends with its pipe at the latest.
        let _ = self.page.call("Browser.close", &json!({}));
        let _ = self.chrome.wait();
        let _ = std::fs::remove_dir_all(&self.profile);
    }
}

fn rand_name() -> String {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    format!("{}-{}", std::process::id(), since.map_or(0, |since| since.as_nanos()))
}
