//! What client and daemon say to each other: JSON-RPC, a message a line.
//!
//! `call` is answered by `begun` as soon as nothing can stop it any more, so that a client whose
//! daemon dies knows whether to ask the next one; then by lines of progress, signs of life, for
//! those who watch by how far downloads are, and the answer. `status`, `stop` and `retire` stay as they are in every version.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use btcp_actions::Failure;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// What was set, by the names of the settings, as it was written.
pub type Given = BTreeMap<String, Vec<String>>;

/// The longest request.
pub(super) const LONGEST_REQUEST: usize = 32 << 20;

/// The longest answer: a picture of a long page, as text, and more.
pub(super) const LONGEST_ANSWER: usize = 512 << 20;

/// How often a client hears that its call is still under way.
pub(super) const ALIVE: std::time::Duration = std::time::Duration::from_secs(5);

/// A daemon of another version must not be asked for more than to go.
pub(super) const OTHER_BUILD: &str = "other_build";
/// It takes no more calls.
pub(super) const RETIRED: &str = "retired";

/// A call of an action.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Call {
    /// Who asks; another version is not served.
    pub build: String,
    /// In which session.
    pub session: String,
    /// The action's name; none to open the session and no more.
    pub action: Option<String>,
    /// Its parameters.
    pub arguments: Map<String, Value>,
    /// The working directory of the client.
    pub folder: Option<PathBuf>,
    /// What was set.
    pub settings: Given,
    /// Whether the object for programs is wanted, or the text.
    pub data: bool,
    /// Whether somebody watches how far it comes.
    #[serde(default)]
    pub watched: bool,
}

/// What a call came to.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Told {
    /// As a person reads it.
    #[serde(default)]
    pub text: String,
    /// Whether it says of itself that it failed: several actions in one call, some of which did.
    #[serde(default)]
    pub failed: bool,
    /// As a program reads it, where that was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data: Option<Value>,
    /// What happened to the session beside it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// Which program this is: its version, and which build of it.
pub fn build() -> String {
    match cfg!(target_os = "linux") {
        // Also when another has taken its place on disk.
        true => build_of(Path::new("/proc/self/exe")),
        false => std::env::current_exe().map_or_else(|_| String::new(), |exe| build_of(&exe)),
    }
}

/// The same of another binary of this version.
pub fn build_of(binary: &Path) -> String {
    let file = std::fs::metadata(binary);
    let (size, changed) = match &file {
        Ok(file) => (file.len(), file.modified().ok()),
        Err(_) => (0, None),
    };
    let changed = changed.and_then(|at| at.duration_since(std::time::UNIX_EPOCH).ok());
    let changed = changed.unwrap_or_default().as_nanos();
    format!("{}-{size:x}-{changed:x}", env!("CARGO_PKG_VERSION"))
}

/// A request as a line.
pub(super) fn request(method: &str, params: &impl Serialize) -> Vec<u8> {
    line(&json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params }))
}

pub(super) fn notification(method: &str, params: &Value) -> Vec<u8> {
    line(&json!({ "jsonrpc": "2.0", "method": method, "params": params }))
}

pub(super) fn result(id: &Value, result: &impl Serialize) -> Vec<u8> {
    line(&json!({ "jsonrpc": "2.0", "id": id, "result": result }))
}

/// A failure: what a program gets of it, and the text.
pub(super) fn failure(id: &Value, failure: &Failure) -> Vec<u8> {
    let mut data = failure.to_json();
    data["text"] = json!(failure.text());
    error(id, failure.json_rpc_code(), &failure.message, &data)
}

/// A refusal of the daemon itself.
pub(super) fn refusal(id: &Value, code: &str, message: &str) -> Vec<u8> {
    let data = json!({ "code": code, "message": message, "text": format!("{message} ({code})") });
    let number = if code == "invalid_params" { -32602 } else { -32001 };
    error(id, number, message, &data)
}

fn error(id: &Value, code: i64, message: &str, data: &Value) -> Vec<u8> {
    let error = json!({ "code": code, "message": message, "data": data });
    line(&json!({ "jsonrpc": "2.0", "id": id, "error": error }))
}

fn line(message: &Value) -> Vec<u8> {
    let mut line = message.to_string().into_bytes();
    line.push(b'\n');
    line
}
