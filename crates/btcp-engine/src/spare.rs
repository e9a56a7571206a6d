//! A session in readiness: Chrome takes a tenth of a second and more to make a context and a page,
//! the next session takes them over in a few milliseconds.
//!
//! It is made once a session has worked and been at rest for a while, never while Chrome starts or
//! an agent works, and has no name until somebody wants it.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;

use crate::browser::{Berth, Browser};
use crate::call::{CallContext, Progress};
use crate::error::Result;
use crate::session::Session;
use crate::sessions::lock;

/// How long a session must have been at rest.
const REST: Duration = Duration::from_secs(1);

/// How long the page may take to answer for the first time.
const WARMING: Duration = Duration::from_secs(10);

/// What is in readiness.
#[derive(Default)]
pub(crate) enum Readiness {
    /// Nothing.
    #[default]
    None,
    /// It is being made.
    Making,
    /// A session without a name.
    Ready(Arc<Session>),
}

impl Berth {
    /// Makes a spare session if there is none.
    pub(crate) async fn prepare_spare(&self) {
        let Some(browser) = self.peek().filter(|browser| !browser.is_gone()) else { return };
        {
            let mut spare = lock(&self.spare);
            if !matches!(*spare, Readiness::None) {
                return;
            }
            *spare = Readiness::Making;
        }
        let made = make(browser).await;
        if let Err(error) = &made {
            tracing::debug!(%error, "no spare session");
        }
        let mut spare = lock(&self.spare);
        // Chrome may have been left meanwhile.
        *spare = match (made, std::mem::take(&mut *spare)) {
            (Ok(session), Readiness::Making) => Readiness::Ready(session),
            _ => Readiness::None,
        };
    }

    /// The spare session of this Chrome, if it is ready; it is the caller's from now on.
    pub(crate) fn take_spare(&self, browser: &Arc<Browser>) -> Option<Arc<Session>> {
        let mut spare = lock(&self.spare);
        if !matches!(*spare, Readiness::Ready(_)) {
            return None;
        }
        match std::mem::take(&mut *spare) {
            Readiness::Ready(session) => {
                (Arc::ptr_eq(&session.browser, browser) && !session.is_gone()).then_some(session)
            }
            Readiness::None | Readiness::Making => None,
        }
    }

    pub(crate) fn has_spare(&self) -> bool {
        matches!(*lock(&self.spare), Readiness::Ready(_))
    }
}

/// A session whose page has answered once: our code is in it then.
async fn make(browser: Arc<Browser>) -> Result<Arc<Session>> {
    let session = Session::begin(None, browser, None).await?;
    let tab = session.tab_for(None, None).await?;
    let context = CallContext::new(WARMING, Progress::default());
    tab.run(context, |tab| Box::pin(async move { tab.title().await })).await?;
    Ok(session)
}

/// Waits until a session has worked and then been at rest; false if it ended before.
pub(crate) async fn at_rest(mut rests: watch::Receiver<bool>) -> bool {
    loop {
        let worked = rests.wait_for(|rests| !*rests).await.is_ok();
        if !worked || rests.wait_for(|rests| *rests).await.is_err() {
            return false;
        }
        match tokio::time::timeout(REST, rests.wait_for(|rests| !*rests)).await {
            Err(_) => return true,
            Ok(Ok(_)) => {}
            Ok(Err(_)) => return false,
        }
    }
}
