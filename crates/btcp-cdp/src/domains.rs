//! The CDP methods and events we use, a file per domain.
//!
//! A command is its parameters; optional ones are left out when `None`. Answers
//! and events hold the fields we read and ignore all others, so a newer Chrome
//! does not break us. A method we do not call is not here: add it when needed.

/// Ties a struct of parameters to its method and the answer to it.
macro_rules! command {
    ($params:ty, $method:literal) => {
        command!($params, $method => $crate::Empty);
    };
    ($params:ty, $method:literal => $reply:ty) => {
        impl $crate::Command for $params {
            const METHOD: &'static str = $method;
            type Reply = $reply;
        }
    };
}

/// Ties a struct to the event it is the parameters of.
macro_rules! event {
    ($params:ty, $method:literal) => {
        impl $crate::EventKind for $params {
            const METHOD: &'static str = $method;
        }
    };
}

pub mod accessibility;
pub mod browser;
pub mod dom;
pub mod dom_debugger;
pub mod emulation;
pub mod fetch;
pub mod input;
pub mod inspector;
pub mod io;
pub mod log;
pub mod network;
pub mod overlay;
pub mod page;
pub mod runtime;
pub mod storage;
pub mod target;
pub mod web_mcp;
