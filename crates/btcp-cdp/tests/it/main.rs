//! The connection as its users see it, with a Chrome of our own making at the other end.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod connection;
mod fake_chrome;
mod pipe;
mod web_socket;
