//! The real binary, as its users start it.

// A test that cannot go on says where by panicking.
#![allow(clippy::unwrap_used)]

mod command_line;
mod demo;
mod embed;
mod examples;
mod lifetime;
mod processes;
mod python;
