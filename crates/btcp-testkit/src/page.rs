//! A page for a test: a fresh session on the Chrome that all tests of the binary share.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use btcp_actions::{Caller, Capabilities, Catalog, Failure, Grant, Origins, Outcome};
use btcp_engine::{Sessions, Settings};
use serde_json::{Value, json};

use crate::runtime::{on_runtime, runtime};
use crate::server::server;

/// The only way to run without a browser.
const WITHOUT_CHROME: &str = "BTCP_TEST_WITHOUT_CHROME";

/// Pictures and downloads of tests do not belong among a person's.
pub(crate) fn out() -> PathBuf {
    root().join("target/test-out")
}

/// Files to upload; every caller of a test may read them.
pub fn files() -> PathBuf {
    root().join("testpages/files")
}

fn root() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    root.canonicalize().expect("the source tree is there")
}

/// A page in a session of its own, which ends with it.
pub struct TestPage {
    catalog: Catalog,
    session: String,
    url: String,
}

/// Opens a page of `testpages/`, or a special route of the server, and waits until it has loaded.
pub async fn open(path: &str) -> TestPage {
    open_when(path, "load").await
}

/// Opens a page and waits for less than its load; some pages never finish.
pub async fn open_when(path: &str, wait_until: &str) -> TestPage {
    let mut page = empty().await;
    page.url = server().url(path);
    let args = json!({ "url": page.url, "waitUntil": wait_until, "timeout": "60s" });
    if let Err(failure) = page.call("navigate", args).await {
        panic!("{path} did not open: {}", told(&failure));
    }
    page
}

/// A session that has opened nothing yet.
pub async fn empty() -> TestPage {
    needs_chrome();
    static NEXT: AtomicU32 = AtomicU32::new(1);
    let session = format!("test-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
    TestPage { catalog: catalog().clone(), session, url: "about:blank".into() }
}

/// The same with other settings, and so with a Chrome of its own.
pub async fn empty_with(settings: Settings) -> TestPage {
    let page = empty().await;
    let _inside = runtime().enter();
    let out = settings.out.clone().or_else(|| Some(out()));
    let mut settings = Settings { install: false, out, ..settings };
    settings.allow_folders.push(files());
    let catalog = Catalog::new(Sessions::new(settings));
    TestPage { catalog, session: page.session.clone(), url: "about:blank".into() }
}

/// Ends the binary if it is to run without a browser.
pub(crate) fn needs_chrome() {
    if std::env::var(WITHOUT_CHROME).is_ok_and(|value| value == "1") {
        skip_this_binary();
    }
}

fn catalog() -> &'static Catalog {
    static CATALOG: OnceLock<Catalog> = OnceLock::new();
    CATALOG.get_or_init(|| {
        let _inside = runtime().enter();
        // Getting a browser is for `xtask test` to do, once; a test says that there is none.
        let sessions = Sessions::new(Settings {
            install: false,
            out: Some(out()),
            max_sessions: 1000,
            allow_folders: vec![files()],
            ..Settings::default()
        });
        // Chrome ends with its last session, and not between two tests.
        let keeping = sessions.clone();
        runtime().spawn(async move { keeping.open("keeper").await.map(drop) });
        Catalog::new(sessions)
    })
}

impl TestPage {
    /// The address it was opened with.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// The name of its session.
    pub fn session(&self) -> &str {
        &self.session
    }

    /// Calls an action with every tool allowed. Dropping the future cancels the call.
    pub async fn call(&self, name: &str, args: Value) -> Result<Outcome, Failure> {
        self.call_as("all", name, args).await
    }

    /// Calls an action as a model with this toolset.
    pub async fn call_as(
        &self,
        toolset: &str,
        name: &str,
        args: Value,
    ) -> Result<Outcome, Failure> {
        let grant = self.catalog.grant(toolset).expect("the test names a toolset there is");
        self.call_by(grant.with_capabilities(Capabilities::for_models()), name, args).await
    }

    /// Calls an action as a model that may work with pages of these origins only.
    pub async fn call_within(
        &self,
        origins: &str,
        name: &str,
        args: Value,
    ) -> Result<Outcome, Failure> {
        let grant = self.catalog.grant("all").expect("there is such a toolset");
        let origins = Origins::parse(origins).expect("the test names origins");
        let grant = grant.with_capabilities(Capabilities::for_models()).with_origins(origins);
        self.call_by(grant, name, args).await
    }

    /// Calls an action as somebody who may read secrets.
    pub async fn call_revealing(&self, name: &str, args: Value) -> Result<Outcome, Failure> {
        let grant = self.catalog.grant("all").expect("there is such a toolset");
        self.call_by(grant, name, args).await
    }

    async fn call_by(&self, grant: Grant, name: &str, args: Value) -> Result<Outcome, Failure> {
        let Value::Object(args) = args else { panic!("arguments are an object, not {args}") };
        let caller = Caller::new(self.session.clone(), grant);
        let (catalog, name) = (self.catalog.clone(), name.to_owned());
        on_runtime(async move { catalog.call(&caller, &name, args).await }).await
    }

    /// What a script gives in the page's main world; panics if it throws.
    pub async fn eval(&self, script: &str) -> Value {
        match self.call("evaluate", json!({ "script": script })).await {
            Ok(outcome) => outcome.data.get("result").cloned().unwrap_or_default(),
            Err(failure) => panic!("{script}: {}", told(&failure)),
        }
    }

    /// What the page noticed: its `log`.
    pub async fn log(&self) -> Vec<String> {
        let log = self.eval("log").await;
        let lines = log.as_array().unwrap_or_else(|| panic!("`log` is {log}, not a list"));
        lines.iter().map(|line| line.as_str().unwrap_or_default().to_owned()).collect()
    }

    /// Waits until an expression is true in the page. For what no action can wait for.
    pub async fn until(&self, condition: &str) {
        let script = format!(
            "new Promise((resolve) => {{ const look = () => ({condition}) ? resolve(true) : setTimeout(look, 10); look() }})"
        );
        let args = json!({ "script": script, "timeout": "30s" });
        if let Err(failure) = self.call("evaluate", args).await {
            panic!("{condition} did not come true: {}", told(&failure));
        }
    }
}

impl Drop for TestPage {
    fn drop(&mut self) {
        let (sessions, name) = (self.catalog.sessions().clone(), self.session.clone());
        runtime().spawn(async move { sessions.close(&name).await });
    }
}

/// A failure as a person reads it; without a browser, also the way to run without one.
fn told(failure: &Failure) -> String {
    let text = failure.text();
    if failure.code != "no_browser" {
        return text;
    }
    format!("{text}\nTo skip the tests that need one, set {WITHOUT_CHROME}=1.")
}

/// Every test of a `tests/it` binary needs Chrome, and a test cannot end itself as
/// passed, so the first one ends them all and says which they were.
fn skip_this_binary() -> ! {
    static ONCE: OnceLock<()> = OnceLock::new();
    ONCE.get_or_init(|| {
        let listed = std::env::current_exe()
            .and_then(|binary| Command::new(binary).arg("--list").output())
            .map(|output| String::from_utf8_lossy(&output.stdout).into_owned())
            .unwrap_or_default();
        let mut out = std::io::stderr();
        // Not `eprintln`: the harness would keep it for itself.
        let _ = writeln!(out, "\n{WITHOUT_CHROME}=1: skipped these tests, which need Chrome:");
        for test in listed.lines().filter_map(|line| line.strip_suffix(": test")) {
            let _ = writeln!(out, "  skipped {test}");
        }
        std::process::exit(0)
    });
    unreachable!("the process has ended")
}
