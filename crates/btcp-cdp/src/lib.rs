//! One connection to Chrome, spoken in the Chrome DevTools Protocol.
//!
//! [`Connection`] carries commands and events of many flat sessions over one
//! [`Transport`]; [`domains`] has a typed struct for each method and event we
//! use, re-exported so that one writes `cdp::page::Navigate`. Starting Chrome,
//! pages and what to do with them belong to `btcp-engine`.

mod command;
mod connection;
pub mod domains;
mod error;
mod event;
mod message;
mod pending;
mod transport;

pub use command::{Command, Empty, SessionId};
pub use connection::{Call, Connection};
pub use domains::{
    accessibility, browser, dom, dom_debugger, emulation, fetch, input, inspector, io, log,
    network, overlay, page, runtime, storage, target, web_mcp,
};
pub use error::Error;
pub use event::{Event, EventHandler, EventKind};
pub use transport::PipeTransport;
pub use transport::{ConnectError, MessageSink, MessageSource, Transport, WebSocketTransport};
