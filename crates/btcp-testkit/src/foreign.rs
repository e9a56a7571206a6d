//! A Chrome that is somebody else's: started with a debugging port, with tabs of a person in it.

use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use btcp_cdp::{
    Connection, Event, EventHandler, SessionId, WebSocketTransport, page, runtime, target,
};
use btcp_engine::{Settings, launch};

/// A tab a person has open.
pub type TheirTab = SessionId;

/// How long anything may take on a machine with much else to do.
const LONG: Duration = Duration::from_secs(60);

/// A Chrome with a debugging port and a profile of its own; it ends with this.
pub struct ForeignChrome {
    child: Child,
    home: PathBuf,
    port: u16,
    path: String,
}

impl ForeignChrome {
    /// Starts one and waits until it listens.
    #[expect(clippy::new_without_default, reason = "it starts a process")]
    pub fn new() -> Self {
        Self::with(&[])
    }

    /// The same with more switches.
    pub fn with(switches: &[&str]) -> Self {
        crate::page::needs_chrome();
        static NEXT: AtomicU32 = AtomicU32::new(1);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("btcp-foreign-{}-{number}", std::process::id());
        let home = std::env::temp_dir().join(name);
        let _ = std::fs::remove_dir_all(&home);
        std::fs::create_dir_all(&home).expect("the temporary folder can be written to");
        let installed = launch::find(&Settings::default()).expect("Chrome is installed");
        let mut command = Command::new(&installed.path);
        command
            .args(["--headless=new", "--no-sandbox", "--no-first-run", "--disable-gpu"])
            .args(["--remote-debugging-port=0", "--password-store=basic"])
            .arg(format!("--user-data-dir={}", home.join("profile").display()))
            .args(switches)
            .arg("about:blank")
            .env("HOME", &home)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .process_group(0);
        let child = command.spawn().expect("Chrome starts");
        let mut chrome = Self { child, home, port: 0, path: String::new() };
        let file = chrome.profile().join("DevToolsActivePort");
        let begin = Instant::now();
        while chrome.path.is_empty() {
            assert!(begin.elapsed() < LONG, "Chrome does not listen");
            std::thread::sleep(Duration::from_millis(20));
            let text = std::fs::read_to_string(&file).unwrap_or_default();
            if let Some((port, path)) = text.split_once('\n').filter(|(_, path)| path.len() > 30) {
                chrome.port = port.parse().expect("a port is a number");
                chrome.path = path.trim().to_owned();
            }
        }
        chrome
    }

    /// The port it listens on.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Its folder, as `--user-data-dir` has it.
    pub fn profile(&self) -> PathBuf {
        self.home.join("profile")
    }

    /// Where its downloads go by themselves.
    pub fn downloads(&self) -> PathBuf {
        self.home.join("Downloads")
    }

    /// A folder that goes with it.
    pub fn home(&self) -> &Path {
        &self.home
    }

    /// The path of its WebSocket.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The address of its WebSocket.
    pub fn web_socket(&self) -> String {
        format!("ws://127.0.0.1:{}{}", self.port, self.path)
    }

    /// A connection of its own to it.
    pub async fn connect(&self, handler: Arc<dyn EventHandler>) -> Connection {
        let address = ([127, 0, 0, 1], self.port).into();
        let host = format!("127.0.0.1:{}", self.port);
        let opened = WebSocketTransport::connect(address, &host, &self.path, later()).await;
        Connection::open(opened.expect("Chrome takes connections"), handler)
    }

    /// The person whose Chrome it is.
    pub async fn person(&self) -> Person {
        let dialogs = Arc::new(Dialogs::default());
        Person { connection: self.connect(dialogs.clone()).await, dialogs }
    }

    /// Whether it runs.
    pub fn is_alive(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }

    /// Ends it as nothing else does.
    pub fn kill(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for ForeignChrome {
    fn drop(&mut self) {
        let group = format!("-{}", self.child.id());
        let _ = Command::new("kill").args(["-KILL", "--", &group]).status();
        let _ = self.child.wait();
        // Its last processes may still write for a moment.
        for _ in 0..20 {
            if std::fs::remove_dir_all(&self.home).is_ok() {
                return;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

fn later() -> tokio::time::Instant {
    tokio::time::Instant::now() + LONG
}

/// Counts the dialogs of a person's tabs.
#[derive(Default)]
struct Dialogs(Mutex<(u32, u32)>);

impl EventHandler for Dialogs {
    fn event(&self, _: &Connection, event: Event<'_>) {
        let mut counts = self.0.lock().expect("nobody panics with it");
        match event.method {
            "Page.javascriptDialogOpening" => counts.0 += 1,
            "Page.javascriptDialogClosed" => counts.1 += 1,
            _ => {}
        }
    }

    fn closed(&self, _: &str) {}
}

/// A person who uses a Chrome, with eyes and hands of their own.
pub struct Person {
    connection: Connection,
    dialogs: Arc<Dialogs>,
}

impl Person {
    /// Opens a tab and looks at it from then on.
    pub async fn open(&self, url: &str) -> (String, TheirTab) {
        let make = target::CreateTarget { url, new_window: Some(true), ..Default::default() };
        let made = self.connection.call(None, &make, later()).await.expect("a tab opens");
        let attach = target::AttachToTarget { target_id: &made.target_id, flatten: true };
        let attached = self.connection.call(None, &attach, later()).await.expect("it is there");
        let session = attached.session_id;
        self.connection.call(Some(&session), &page::Enable, later()).await.expect("it answers");
        (made.target_id, session)
    }

    /// Closes a tab.
    pub async fn close(&self, target_id: &str) {
        let close = target::CloseTarget { target_id };
        self.connection.call(None, &close, later()).await.expect("a tab closes");
    }

    /// Runs a script in a tab of theirs; nothing if the page does not answer by the deadline.
    pub async fn run(&self, tab: &TheirTab, script: &str, limit: Duration) -> Option<String> {
        let script =
            runtime::Evaluate { return_by_value: Some(true), ..runtime::Evaluate::of(script) };
        let deadline = tokio::time::Instant::now() + limit;
        let answer = self.connection.call(Some(tab), &script, deadline).await.ok()?;
        Some(answer.result.value.map(|value| value.get().to_owned()).unwrap_or_default())
    }

    /// Sends a script into a tab of theirs that will not answer.
    pub fn set_off(&self, tab: &TheirTab, script: &str) {
        self.connection.post(Some(tab), &runtime::Evaluate::of(script));
    }

    /// How many dialogs are open in the tabs they look at.
    pub fn open_dialogs(&self) -> u32 {
        let counts = self.dialogs.0.lock().expect("nobody panics with it");
        counts.0 - counts.1
    }

    /// Every tab there is: its id, address and title, in the order of their ids, once all have a title.
    pub async fn tabs(&self) -> Vec<(String, String, String)> {
        let begin = Instant::now();
        loop {
            let tabs = self.tabs_now().await;
            let titled = tabs.iter().all(|(_, _, title)| !title.is_empty());
            if titled || begin.elapsed() >= Duration::from_secs(5) {
                return tabs;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    async fn tabs_now(&self) -> Vec<(String, String, String)> {
        let pages = [target::FilterEntry { kind: Some("page"), exclude: None }];
        let list = target::GetTargets { filter: Some(&pages) };
        let list = self.connection.call(None, &list, later()).await.expect("Chrome answers");
        let told = list.target_infos.into_iter();
        let mut tabs: Vec<_> = told.map(|info| (info.target_id, info.url, info.title)).collect();
        tabs.sort();
        tabs
    }
}
