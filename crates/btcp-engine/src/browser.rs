//! A running Chrome with our connection to it, and the place it has: one for all sessions of a
//! process, or one for each.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use btcp_cdp::{Command, Connection};
use tokio::sync::OnceCell;
use tokio::time::Instant;

use crate::egress::Memory;
use crate::emulation::OwnAgent;
use crate::error::{Error, Limited, Result, seconds};
use crate::hub::Hub;
use crate::launch;
use crate::sessions::lock;
use crate::settings::Settings;
use crate::spare::Readiness;
use crate::tenure::Tenure;

/// How long Chrome may take for what it always does at once.
pub(crate) const PROMPTLY: Duration = Duration::from_secs(20);

/// As many crashes within this time are one too many.
const CRASHES: usize = 3;
const WITHIN: Duration = Duration::from_secs(60);

/// A place for a Chrome: started on first use, and again after a crash. One of somebody else's is
/// connected to in the same way.
#[derive(Default)]
pub(crate) struct Berth {
    slot: Mutex<Arc<OnceCell<Arc<Browser>>>>,
    /// There was one that we cannot start again, and this is how it ended.
    lost: Mutex<Option<String>>,
    crashes: Mutex<VecDeque<Instant>>,
    pub(crate) spare: Mutex<Readiness>,
    /// What the session in a profile has named, also for the next Chrome after a crash.
    named: Mutex<Arc<Memory>>,
}

impl Berth {
    /// The Chrome that is there, or a new one; not after one crash upon another.
    pub(crate) async fn browser(
        &self,
        settings: &Arc<Settings>,
        say: &(dyn Fn(&str) + Send + Sync),
    ) -> Result<Arc<Browser>> {
        let slot = {
            let mut slot = lock(&self.slot);
            if let Some(gone) = slot.get().filter(|browser| browser.is_gone()) {
                match gone.is_guest() {
                    true => *lock(&self.lost) = Some(gone.hub.gone().unwrap_or_default()),
                    false => lock(&self.crashes).push_back(Instant::now()),
                }
                *slot = Arc::default();
            }
            slot.clone()
        };
        if slot.get().is_none() {
            self.may_start(Instant::now())?;
        }
        let named = lock(&self.named).clone();
        let start = || async { Browser::start(settings.clone(), named, say).await.map(Arc::new) };
        match slot.get_or_try_init(start).await {
            Ok(browser) => {
                lock(&self.lost).take();
                Ok(browser.clone())
            }
            Err(error) => Err(self.lost_and(error)),
        }
    }

    /// Why there is still no Chrome after the one that was connected to ended.
    fn lost_and(&self, error: Error) -> Error {
        match (error, lock(&self.lost).as_ref()) {
            (Error::NoBrowser { message, how }, Some(reason)) => Error::NoBrowser {
                message: format!(
                    "The Chrome that btcp was connected to ended ({reason}), and there is none to go on in. {message}"
                ),
                how,
            },
            (error, _) => error,
        }
    }

    /// The Chrome that is there.
    pub(crate) fn peek(&self) -> Option<Arc<Browser>> {
        lock(&self.slot).get().cloned()
    }

    /// Gives up the Chrome that is there.
    pub(crate) fn leave(&self) -> Option<Arc<Browser>> {
        drop(std::mem::take(&mut *lock(&self.spare)));
        *lock(&self.named) = Arc::default();
        std::mem::take(&mut *lock(&self.slot)).get().cloned()
    }

    fn may_start(&self, now: Instant) -> Result<()> {
        let mut crashes = lock(&self.crashes);
        while crashes.front().is_some_and(|crash| *crash + WITHIN <= now) {
            crashes.pop_front();
        }
        match crashes.front() {
            Some(first) if crashes.len() >= CRASHES => {
                let wait = (*first + WITHIN).saturating_duration_since(now);
                let wait = Duration::from_secs(wait.as_secs() + 1);
                Err(Error::SessionLimit {
                    of: Limited::Crashes,
                    message: format!(
                        "The browser crashed {} times within a minute; it is started again in {} at the earliest",
                        crashes.len(),
                        seconds(&wait),
                    ),
                })
            }
            _ => Ok(()),
        }
    }
}

/// A running Chrome.
pub(crate) struct Browser {
    pub(crate) hub: Arc<Hub>,
    pub(crate) connection: Connection,
    pub(crate) settings: Arc<Settings>,
    pub(crate) tenure: Tenure,
}

impl Browser {
    /// Workers that belong to no page are held from now on, until we have said what they hold.
    pub(crate) fn hold_workers(&self) {
        self.hub.hold_workers(&self.connection);
    }

    /// Finds Chrome, or gets one, and starts it; or connects to the one that was named.
    pub(crate) async fn start(
        settings: Arc<Settings>,
        named: Arc<Memory>,
        say: &(dyn Fn(&str) + Send + Sync),
    ) -> Result<Self> {
        let hub = Hub::new();
        let tenure = Tenure::begin(&settings, &hub, named, say).await?;
        tenure.watch();
        let connection = tenure.connection().clone();
        Ok(Self { hub, connection, settings, tenure })
    }

    /// A command to the browser itself.
    pub(crate) async fn call<C: Command>(&self, command: &C) -> Result<C::Reply> {
        let call = self.connection.call(None, command, Instant::now() + PROMPTLY);
        call.await.map_err(|error| self.explain(error))
    }

    /// What a failed command means.
    pub(crate) fn explain(&self, error: btcp_cdp::Error) -> Error {
        if let Some(reason) = self.hub.gone() {
            return self.gone(reason);
        }
        match error {
            btcp_cdp::Error::Closed { reason } => self.gone(reason.to_string()),
            btcp_cdp::Error::Deadline { after, .. } => {
                Error::Timeout { after, waiting_for: "Chrome".into() }
            }
            other => Error::internal(other.to_string()),
        }
    }

    /// What Chrome calls itself.
    pub(crate) fn own_agent(&self) -> OwnAgent {
        OwnAgent::of(self.tenure.version())
    }

    pub(crate) fn is_gone(&self) -> bool {
        self.hub.gone().is_some() || self.connection.is_closed()
    }
}

impl From<launch::LaunchError> for Error {
    fn from(error: launch::LaunchError) -> Self {
        let how = match &error {
            launch::LaunchError::NotInstalled { how_to_get } => how_to_get.clone(),
            launch::LaunchError::InstallFailed { how, .. } => how.clone(),
            launch::LaunchError::Kept { .. } => {
                "Close what has it open, name another folder with 'profile', or leave it out."
                    .to_owned()
            }
            launch::LaunchError::Port { .. } => {
                "Set 'debugging-port' to one that nobody has, or to 0 for any.".to_owned()
            }
            _ => "Install Chrome or Chromium, or name one with --browser or CHROME.".to_owned(),
        };
        Self::NoBrowser { message: error.to_string(), how }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_third_crash_within_a_minute_stops_the_restarts_for_its_rest() {
        let (berth, now) = (Berth::default(), Instant::now());
        let later = |seconds| now + Duration::from_secs(seconds);
        lock(&berth.crashes).extend([now, later(10)]);
        assert!(berth.may_start(later(20)).is_ok());

        lock(&berth.crashes).push_back(later(20));

        let refused = berth.may_start(later(20)).unwrap_err();
        assert_eq!(refused.code(), "session_limit");
        assert_eq!(
            refused.to_string(),
            "The browser crashed 3 times within a minute; it is started again in 41s at the earliest"
        );
        assert!(berth.may_start(later(60)).is_ok());
    }
}
