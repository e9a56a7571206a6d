//! A running Chrome with our connection to it, shared by all sessions of a process.

use std::sync::Arc;
use std::time::Duration;

use btcp_cdp::{Command, Connection, target};
use tokio::time::Instant;

use crate::error::{Error, Result};
use crate::hub::Hub;
use crate::launch::{self, Chrome};
use crate::settings::Settings;

/// How long Chrome may take for what it always does at once.
pub(crate) const PROMPTLY: Duration = Duration::from_secs(20);

/// A running Chrome.
pub(crate) struct Browser {
    pub(crate) hub: Arc<Hub>,
    pub(crate) connection: Connection,
    pub(crate) settings: Arc<Settings>,
    chrome: Chrome,
}

impl Browser {
    /// Finds Chrome, or gets one, and starts it.
    pub(crate) async fn start(
        settings: Arc<Settings>,
        say: &(dyn Fn(&str) + Send + Sync),
    ) -> Result<Self> {
        let installed = match launch::find(&settings) {
            Ok(installed) => installed,
            Err(launch::LaunchError::NotInstalled { .. }) if settings.install => {
                launch::obtain(&mut |line| say(line)).await?
            }
            Err(error) => return Err(error.into()),
        };
        let hub = Hub::new();
        let chrome = launch::start(&installed, &settings, hub.clone()).await?;
        if chrome.sandbox != launch::SandboxState::On {
            say(&chrome.sandbox.to_string());
        }
        let connection = chrome.connection.clone();
        connection.post(
            None,
            &target::SetAutoAttach {
                auto_attach: true,
                wait_for_debugger_on_start: true,
                flatten: true,
                filter: Some(&[target::FilterEntry { kind: Some("page"), exclude: None }]),
            },
        );
        // Service workers, and the crashes of pages.
        connection.post(
            None,
            &target::SetDiscoverTargets {
                discover: true,
                filter: Some(&[
                    target::FilterEntry { kind: Some("service_worker"), exclude: None },
                    target::FilterEntry { kind: Some("page"), exclude: None },
                ]),
            },
        );
        Ok(Self { hub, connection, settings, chrome })
    }

    /// A command to the browser itself.
    pub(crate) async fn call<C: Command>(&self, command: &C) -> Result<C::Reply> {
        let call = self.connection.call(None, command, Instant::now() + PROMPTLY);
        call.await.map_err(|error| self.explain(error))
    }

    /// What a failed command means.
    pub(crate) fn explain(&self, error: btcp_cdp::Error) -> Error {
        if let Some(reason) = self.hub.gone() {
            return Error::BrowserGone { reason };
        }
        match error {
            btcp_cdp::Error::Closed { reason } => Error::BrowserGone { reason: reason.to_string() },
            btcp_cdp::Error::Deadline { after, .. } => Error::PageHung { after },
            other => Error::internal(other.to_string()),
        }
    }

    pub(crate) fn is_gone(&self) -> bool {
        self.hub.gone().is_some() || self.connection.is_closed()
    }

    /// Ends Chrome.
    pub(crate) async fn close(&self) {
        self.chrome.close(Instant::now() + Duration::from_secs(2)).await;
    }
}

impl From<launch::LaunchError> for Error {
    fn from(error: launch::LaunchError) -> Self {
        let how = match &error {
            launch::LaunchError::NotInstalled { how_to_get } => how_to_get.clone(),
            _ => "Install Chrome or Chromium, or name one with --browser or CHROME.".to_owned(),
        };
        Self::NoBrowser { message: error.to_string(), how }
    }
}
