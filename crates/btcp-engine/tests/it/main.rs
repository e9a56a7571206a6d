//! Tests of the engine that need a real Chrome or real processes.

mod guest;
mod launch;
mod sessions;
mod web_socket;
