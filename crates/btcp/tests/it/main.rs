//! The real binary, as its users start it.

// A test that cannot go on says where by panicking.
#![allow(clippy::unwrap_used)]

mod cancelled;
mod command_line;
mod commands;
mod concurrency;
mod connect;
mod daemon;
mod demo;
mod doctor;
mod embed;
mod environment;
mod examples;
mod frozen;
mod granted;
mod grants;
mod headed;
mod home;
mod install;
mod lifetime;
mod log;
mod memory;
mod mirror;
mod processes;
mod profile;
mod python;
mod quiet_waits;
mod rebinding;
mod recovery;
mod recovery_guard;
mod sessions;
mod slow_client;
mod soak;
mod terminal;
