//! btcp: a browser an AI agent can hold.
//!
//! This is what the `btcp` binary is made of. [`Sessions`] holds browsers, one per
//! conversation, and starts Chrome when the first is used; [`Catalog`] is every action an
//! agent can ask for; [`Catalog::call`] is the one door to them.
//!
//! ```no_run
//! use btcp::{Caller, Catalog, Sessions, Settings};
//! use serde_json::json;
//!
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! let catalog = Catalog::new(Sessions::new(Settings::default()));
//! let caller = Caller { session: "default".into(), grant: catalog.grant("all")? };
//!
//! let serde_json::Value::Object(args) = json!({ "url": "https://example.com" }) else {
//!     unreachable!("an object literal is an object")
//! };
//! match catalog.call(&caller, "navigate", args).await {
//!     Ok(outcome) => println!("{}", outcome.text.plain()),
//!     Err(failure) => eprintln!("{}", failure.text()),
//! }
//! catalog.sessions().close_all().await;
//! # Ok(())
//! # }
//! ```

/// The registry in the forms other programs read.
pub use btcp_actions::export;
pub use btcp_actions::{
    Access, CallError, Caller, Catalog, DEFAULT_TOOLSET, Entry, Failure, GUIDE, Grant, Group,
    Image, Outcome, Text, Tool, Toolset,
};
pub use btcp_engine::{Sessions, Settings};
/// MCP over a pair of byte streams.
pub use btcp_servers::mcp;
