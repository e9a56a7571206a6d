//! Getting a browser where none is.
//!
//! On Debian and its children, as root, from the system's packages (`obtain/apt.rs`); elsewhere
//! Chrome for Testing, downloaded into the user's cache folder (`obtain/testing.rs`). Either outlives a
//! caller that stops waiting, so that the next one finds it done.

mod apt;
mod checksum;
mod download;
mod source;
mod testing;
mod unpack;

use tokio::sync::{Mutex, mpsc};

use super::{Installed, Kind, LaunchError, find};
use crate::settings::Settings;

pub(super) use self::apt::how_to_get;

/// Two installations of one process would stand in each other's way; those of others are told by a
/// lock file, or by apt-get's own.
static ONE_AT_A_TIME: Mutex<()> = Mutex::const_new(());

/// What a person hears meanwhile.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum News {
    /// What happens now.
    Line(String),
    /// How far that is.
    Amount {
        /// What is counted.
        unit: Unit,
        /// So much is done.
        done: u64,
        /// Of so much.
        total: u64,
    },
}

/// What an amount counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Bytes.
    Bytes,
    /// Parts of the whole.
    Parts,
}

/// What is to be got.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    /// A browser, if there is none.
    Any,
    /// The newest Chrome for Testing, whatever else there is.
    Newest,
}

/// Who hears news. Nobody may listen any more.
type Hear = mpsc::UnboundedSender<News>;

/// Gets a browser, telling `hear` how far it is. A second caller waits for the first and gets the
/// same.
pub async fn obtain(
    wanted: Wanted,
    settings: &Settings,
    hear: &mut (dyn FnMut(News) + Send),
) -> Result<Installed, LaunchError> {
    let (news, mut received) = mpsc::unbounded_channel();
    let installation = tokio::spawn(install(wanted, settings.clone(), news));
    while let Some(one) = received.recv().await {
        hear(one);
    }
    installation.await.unwrap_or_else(|error| Err(failed(error.to_string(), how_to_get())))
}

async fn install(wanted: Wanted, settings: Settings, hear: Hear) -> Result<Installed, LaunchError> {
    let _turn = ONE_AT_A_TIME.lock().await;
    if wanted == Wanted::Any {
        let plain = Settings { browser: settings.browser.clone(), ..Settings::default() };
        match find(&plain) {
            Err(LaunchError::NotInstalled { .. }) => {}
            Ok(Installed { kind: Kind::HeadlessShell, .. }) if settings.browser.is_none() => {}
            found => return found,
        }
        if apt::Apt::here().gives_chromium(&hear).await {
            return find(&plain);
        }
    }
    let proxy = settings.egress.proxy;
    let got = tokio::task::spawn_blocking(move || testing::install(wanted, proxy.as_ref(), &hear));
    let path = got.await.unwrap_or_else(|error| Err(failed(error.to_string(), how_to_get())))?;
    Ok(Installed { path, kind: Kind::Full })
}

fn say(hear: &Hear, line: &str) {
    let _ = hear.send(News::Line(line.to_owned()));
}

fn failed(reason: String, how: String) -> LaunchError {
    LaunchError::InstallFailed { reason, how }
}

/// News for those who hear lines only: what happens, and every quarter of how far it is.
#[derive(Debug, Default)]
pub(crate) struct Lines {
    quarter: u64,
}

impl Lines {
    /// The line to say, if it is time for one.
    pub(crate) fn of(&mut self, news: News) -> Option<String> {
        match news {
            News::Line(line) => {
                self.quarter = 0;
                Some(line)
            }
            News::Amount { done, total, .. } => {
                let quarter = done.saturating_mul(4) / total.max(1);
                if quarter <= self.quarter || quarter > 3 {
                    return None;
                }
                self.quarter = quarter;
                Some(format!("{} % done", quarter * 25))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn those_who_hear_lines_hear_of_quarters() {
        let mut lines = Lines::default();
        let amount = |done| News::Amount { unit: Unit::Bytes, done, total: 100 };
        let all = [0, 10, 26, 30, 80, 81, 100].map(amount).into_iter();
        let heard: Vec<String> = [News::Line("a".into())]
            .into_iter()
            .chain(all)
            .chain([News::Line("b".into()), amount(50)])
            .filter_map(|news| lines.of(news))
            .collect();
        assert_eq!(heard, ["a", "25 % done", "75 % done", "b", "50 % done"]);
    }
}
