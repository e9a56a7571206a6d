//! `Log`: what Chrome itself has to say about a page.

use serde::{Deserialize, Serialize};

/// Reports entries, starting with those Chrome has kept.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Enable;

command!(Enable, "Log.enable");

/// Chrome wrote something.
#[derive(Debug, Clone, Deserialize)]
pub struct EntryAdded {
    /// What it wrote.
    pub entry: Entry,
}

event!(EntryAdded, "Log.entryAdded");

/// One entry.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Entry {
    /// `network`, `security`, `violation` and more.
    pub source: String,
    /// `verbose`, `info`, `warning` or `error`.
    pub level: String,
    /// What it says.
    pub text: String,
    /// Milliseconds since 1970.
    pub timestamp: f64,
    /// What it is about.
    pub url: Option<String>,
    /// Line in it, from zero.
    pub line_number: Option<i64>,
    /// The request it is about.
    pub network_request_id: Option<String>,
}
