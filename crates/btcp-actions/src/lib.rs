//! What an agent can ask for: a file per action, the registry, and the one door to them.
//!
//! Reading order: `action.rs` (what an action is), one file in `actions/`, then
//! `catalog.rs` (how a call flows). Surfaces use `Catalog` and never name an action.

mod action;
mod actions;
#[cfg(test)]
mod aicore_tests;
mod audit;
mod call;
mod call_params;
mod caller;
mod capabilities;
mod catalog;
mod did;
mod error;
/// The registry in the forms other programs read.
pub mod export;
mod grant;
mod handles;
mod hints;
mod locator;
mod long;
mod order;
mod origins;
mod outcome;
mod page_words;
mod params;
mod prelude;
#[cfg(test)]
mod registry_tests;
mod secrets;
mod sequence;
mod states;
mod tabs;
mod tool_input;
#[cfg(test)]
mod toolset_tests;
mod toolsets;
mod values;

pub use btcp_engine as engine;

pub use self::action::{
    Access, Action, CatalogAction, Entry, Example, Expect, Group, Result, SessionAction, Toolset,
};
pub use self::actions::ENTRIES;
pub use self::call::Call;
pub use self::call_params::{CallParams, DEFAULT_TIMEOUT, read_duration};
pub use self::caller::Caller;
pub use self::capabilities::{Capabilities, Capability};
pub use self::catalog::Catalog;
pub use self::did::Did;
pub use self::error::{CallError, Failure, Fault};
pub use self::export::Tool;
pub use self::grant::Grant;
pub use self::origins::Origins;
pub use self::outcome::{Image, Outcome, Output, Text};
pub use self::toolsets::{DEFAULT as DEFAULT_TOOLSET, preset};

/// What every model is told about refs and workflow.
pub const GUIDE: &str = include_str!("guide.md");
