//! btcp: a browser an AI agent can hold.
//!
//! A [`Browser`] is one Chrome that many conversations share; each has a [`Session`] of its own,
//! with its own tabs, cookies and refs. A session's [tools](Session::tools_json) go to a model,
//! and what the model asks for goes to [`Session::call`]:
//!
//! ```no_run
//! use btcp::{Browser, Settings, ToolFormat};
//! use serde_json::json;
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let browser = Browser::new(Settings::default());
//! let session = browser.session("conversation-7");
//!
//! let request = json!({ "tools": session.tools_json(ToolFormat::Anthropic) });
//! # let _ = request;
//! // The model answers with a call:
//! match session.call("browser_navigate", json!({ "url": "https://example.com" })).await {
//!     Ok(outcome) => println!("{}", outcome.text.for_model()),
//!     Err(failure) => println!("{}", failure.text()),
//! }
//!
//! browser.end("conversation-7").await; // its tabs and cookies are gone, other sessions stay
//! browser.close().await; // and now Chrome
//! # Ok(())
//! # }
//! ```
//!
//! To cancel a call, drop its future; what it started in the browser stops with it:
//!
//! ```no_run
//! # async fn example(session: btcp::Session, stop: impl Future<Output = ()>) {
//! let args = serde_json::json!({ "text": "Your order is on its way", "timeout": "5m" });
//! tokio::select! {
//!     outcome = session.call("wait", args) => println!("{}", outcome.is_ok()),
//!     () = stop => println!("the person pressed stop"),
//! }
//! # }
//! ```
//!
//! Below them are [`Sessions`], which holds the browsers, and [`Catalog`], every action there is,
//! with [`Catalog::call`] as the one door to them; surfaces such as [`mcp`] are made of these.
//! `docs/embedding.md` tells more, `examples/embed.rs` is a whole program.

mod browser;

/// The registry in the forms other programs read.
pub use btcp_actions::export;
pub use btcp_actions::{
    Access, CallError, Caller, Capabilities, Capability, Catalog, DEFAULT_TOOLSET, Entry, Failure,
    GUIDE, Grant, Group, Image, Origins, Outcome, Text, Tool, Toolset,
};
pub use btcp_engine::egress::{Egress, Found, LookUp, Names, Proxy, Range, Rule};
pub use btcp_engine::{
    Credential, Done, Endpoint, Folders, Header, Isolation, Keyring, Secrets, Sessions, Settings,
    StateKey, SystemKeyring,
};
/// The daemon of the command line, and its clients.
pub use btcp_servers::daemon;
/// MCP over a pair of byte streams.
pub use btcp_servers::mcp;

pub use self::browser::{Browser, Session, ToolFormat};
