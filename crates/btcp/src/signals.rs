//! Signals that ask us to end, so that the browser can be ended first.

use std::process::ExitCode;

/// Waits until someone asks us to end; gives the exit code that says so.
pub(crate) async fn asked_to_end() -> ExitCode {
    use tokio::signal::unix::{SignalKind, signal};

    let wait = async |kind: SignalKind| match signal(kind) {
        Ok(mut signals) => {
            signals.recv().await;
        }
        // Then the signal ends us as it ends any process, and Chrome with us.
        Err(_) => std::future::pending().await,
    };
    let number = tokio::select! {
        () = wait(SignalKind::hangup()) => 1,
        () = wait(SignalKind::interrupt()) => 2,
        () = wait(SignalKind::terminate()) => 15,
    };
    ExitCode::from(128 + number)
}
