//! Doors for other programs.
//!
//! `mcp` speaks the Model Context Protocol over a pair of byte streams, `daemon` is what the
//! command line talks to. A door knows the catalog and a wire format; it never knows an action by
//! name.

pub mod daemon;
mod jsonrpc;
pub mod mcp;
