//! The command line as a surface: a built `btcp` started for each call, in a session of a daemon.

use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};

use btcp_actions::{ENTRIES, export};
use serde_json::Value;
use tokio::io::AsyncWriteExt;
use tokio::process::Command;

use crate::surface::{Refusal, Reply, Surface};

/// A session of the command line.
pub struct Cli {
    binary: PathBuf,
    runtime: PathBuf,
    session: String,
}

impl Cli {
    /// A session of the daemon whose socket is below `runtime`; the first one starts it.
    pub fn new(binary: &Path, runtime: &Path, session: &str) -> Self {
        let (binary, runtime) = (binary.to_owned(), runtime.to_owned());
        Self { binary, runtime, session: session.to_owned() }
    }

    /// Runs a command.
    async fn run(&self, words: &[String], input: Option<&str>) -> Output {
        // What it writes into its working directory does not belong among the sources.
        let folder = crate::page::out();
        std::fs::create_dir_all(&folder).expect("the build folder can be written to");
        let mut command = Command::new(&self.binary);
        command
            .args(["--json", "--session", &self.session, "--allow-folder"])
            .arg(crate::page::files())
            .args(words)
            .current_dir(&folder)
            .env("XDG_RUNTIME_DIR", &self.runtime)
            // Neither are the settings of whoever runs the tests meant, nor are their folders.
            .env("XDG_STATE_HOME", self.runtime.join("state"))
            .env("XDG_CONFIG_HOME", self.runtime.join("config"))
            .stdin(if input.is_some() { Stdio::piped() } else { Stdio::null() })
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = command
            .spawn()
            .unwrap_or_else(|error| panic!("{} did not start: {error}", self.binary.display()));
        if let (Some(input), Some(mut to)) = (input, child.stdin.take()) {
            to.write_all(input.as_bytes()).await.expect("the command reads");
        }
        child.wait_with_output().await.expect("the command ends")
    }
}

impl Surface for Cli {
    async fn call(&self, name: &str, args: Value) -> Result<Reply, Refusal> {
        let entry =
            ENTRIES.iter().find(|entry| entry.name == name).expect("there is such an action");
        let args = args.as_object().expect("arguments are an object");
        let line = export::command_line(entry, args);
        let output = self.run(&line.words, line.input.as_deref()).await;
        let text = String::from_utf8_lossy(&output.stdout).trim_end().to_owned();
        let told: Value = serde_json::from_str(&text).unwrap_or_else(|error| {
            panic!("{:?} printed something that is no JSON ({error}): {output:?}", line.words)
        });
        let code = output.status.code();
        let Some(error) = told.get("error").filter(|_| code != Some(0)) else {
            let failed = told.get("success") == Some(&Value::Bool(false));
            assert_eq!(code, Some(i32::from(failed)), "{:?}: {output:?}", line.words);
            // The value alone, as other surfaces print it.
            let text = told.get("result").map_or(text, Value::to_string);
            let images = usize::from(told.get("image").is_some());
            return Ok(Reply { text, data: Some(told), images });
        };
        let name = error["code"].as_str().unwrap_or_default().to_owned();
        let expected = if name == "invalid_params" { 2 } else { 1 };
        assert_eq!(code, Some(expected), "{:?}: {output:?}", line.words);
        Err(Refusal { code: name, text })
    }
}
