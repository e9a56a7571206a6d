//! Doors for other programs.
//!
//! `mcp` speaks the Model Context Protocol over a pair of byte streams. A door knows
//! the catalog and a wire format; it never knows an action by name.

mod jsonrpc;
pub mod mcp;
