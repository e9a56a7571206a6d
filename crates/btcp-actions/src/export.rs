//! Exports: the registry in the forms that other programs read.
//!
//! Everything here is derived from the entries; nothing names an action. `schema.rs` makes the
//! tools, `openai.rs` and `anthropic.rs` put them in the words of an API, `typescript.rs` and
//! `manifest.rs` are for programs, `docs.rs` and `shape.rs` for people, `cli.rs` for the command line.

mod anthropic;
mod cli;
mod docs;
mod manifest;
mod openai;
mod schema;
mod shape;
#[cfg(test)]
mod tests;
mod typescript;

pub use self::anthropic::anthropic;
pub use self::cli::{
    CommandLine, Kind as ParameterKind, Parameter, Stands, command_line, command_name, parameters,
};
pub use self::docs::{actions_page, readme_table};
pub use self::manifest::manifest;
pub use self::openai::{openai, openai_strict};
pub(crate) use self::schema::all_parameters;
pub use self::schema::{Tool, tool, tool_in_session};
pub(crate) use self::shape::{returns, shown};
pub use self::typescript::{index as typescript_index, shared as typescript_shared, types};

use crate::action::Entry;
use crate::error::CallError;
use crate::toolsets;

/// The tools of a toolset as written on a command line, in the order in which they are listed.
pub fn tools(entries: &[Entry], toolset: &str) -> Result<Vec<Tool>, CallError> {
    let names = toolsets::parse(toolset, entries)?;
    let of = |name: &&str| entries.iter().find(|entry| entry.name == *name).map(tool);
    Ok(names.iter().filter_map(of).collect())
}
