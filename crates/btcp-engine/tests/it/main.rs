//! Tests of the engine that need a real Chrome or real processes.

mod bundles;
mod guest;
mod launch;
mod sessions;
mod strangers;
mod web_socket;
