//! Exports: the registry in the forms that other programs read.
//!
//! Everything here is derived from the entries; nothing names an action.

mod docs;
mod schema;

pub use self::docs::{actions_page, readme_table};
pub use self::schema::{Tool, tool};
