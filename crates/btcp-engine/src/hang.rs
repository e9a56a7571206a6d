//! Pages whose script never ends: noticing one, and getting it to stop.
//!
//! A page that does not answer is taken for hung until it does. Its script is ended only when the
//! agent leaves the page or sends it another script, never because it is slow.
//!
//! Frames of other sites and workers have processes of their own. One of those that hangs holds
//! up whoever works in it, and nobody else: it is passed over until it answers.

use std::sync::Arc;
use std::time::Duration;

use btcp_cdp::{Call, SessionId, page, runtime};
use tokio::time::Instant;

use crate::tab::Tab;
use crate::tab_state::{Facts, TabState};

/// Any page answers this at once, unless its script keeps it from answering at all.
pub(crate) const PROBE: runtime::Evaluate<'static> = runtime::Evaluate::of("0");

/// How long a page that is being left may at most be silent before it is suspected.
const PATIENCE: Duration = Duration::from_secs(20);

/// How long a frame or a worker may be silent before it is passed over, if what it would say was
/// not asked for by itself.
pub(crate) const PASSING: Duration = Duration::from_secs(2);

/// The same if the page is read: nothing of it should be missing only because it is slow.
const READING: Duration = Duration::from_secs(5);

/// How long a page may be silent before whoever would answer a dialog is told that there is none.
const DEAF: Duration = Duration::from_secs(1);

/// How long a page is taken for hung that never answers.
const FOREVER: Duration = Duration::from_secs(3600);

impl TabState {
    /// It did not answer a call: from now on it is hung, until it answers.
    pub(crate) fn suspect(self: &Arc<Self>) {
        let mut known = true;
        self.update(|facts| known = std::mem::replace(&mut facts.hung, true));
        if known {
            return;
        }
        let answer = self.ask_for_life(&self.session);
        self.once_answered(answer, |facts| facts.hung = false);
    }

    /// Answered by whoever is there to answer: another page, a crash and the end of it all too.
    fn ask_for_life(&self, session: &SessionId) -> Call<runtime::Evaluated> {
        self.connection.call(Some(session), &PROBE, Instant::now() + FOREVER)
    }

    fn once_answered(
        self: &Arc<Self>,
        answer: impl Future + Send + 'static,
        then: impl FnOnce(&mut Facts) + Send + 'static,
    ) {
        let state = self.clone();
        tokio::spawn(async move {
            answer.await;
            state.update(then);
        });
    }

    /// Finds out whether the page answers at all, and notes it if it does not; never comes back.
    pub(crate) async fn listen_for_life(self: &Arc<Self>) {
        if !self.facts().deaf {
            let mut answer = Box::pin(self.ask_for_life(&self.session));
            if tokio::time::timeout(DEAF, &mut answer).await.is_err() {
                self.update(|facts| facts.deaf = true);
                self.once_answered(answer, |facts| facts.deaf = false);
            }
        }
        std::future::pending().await
    }

    /// What a process of this tab answers, unless it hangs. The page's own is waited for.
    pub(crate) async fn unless_silent<T>(
        self: &Arc<Self>,
        session: &SessionId,
        patience: Duration,
        answer: impl Future<Output = T>,
    ) -> Option<T> {
        if *session == self.session {
            return Some(answer.await);
        }
        if self.is_silent(session) {
            return None;
        }
        let answered = tokio::time::timeout(patience, answer).await;
        if answered.is_err() {
            self.pass_over(session);
        }
        answered.ok()
    }

    /// Whether nothing can be heard of it, because it hangs or has crashed.
    pub(crate) fn is_silent(&self, session: &SessionId) -> bool {
        let facts = self.facts();
        facts.silent.contains(session) || facts.frames.has_crashed(session)
    }

    /// Nothing is asked of this process in passing until it gives a sign of life.
    fn pass_over(self: &Arc<Self>, session: &SessionId) {
        if !self.facts().silent.insert(session.clone()) {
            return;
        }
        let (answer, session) = (self.ask_for_life(session), session.clone());
        self.once_answered(answer, move |facts| {
            facts.silent.remove(&session);
        });
    }

    /// Ends the script that runs in it.
    pub(crate) fn interrupt(&self) {
        self.connection.post(Some(&self.session), &runtime::TerminateExecution);
    }
}

impl Tab {
    /// What a frame answers that is asked only because all are; `None` if it hangs or is gone.
    pub(crate) async fn ask_frame<T>(
        &self,
        frame: &str,
        patience: Duration,
        answer: impl Future<Output = T>,
    ) -> Option<T> {
        let session = self.state.facts().frames.get(frame)?.session.clone();
        self.state.unless_silent(&session, patience, answer).await
    }

    /// How long a frame may take to tell what is in it.
    pub(crate) fn patience(&self, in_passing: bool) -> Duration {
        if in_passing { PASSING } else { READING.min(self.context.left() / 2).max(PASSING) }
    }

    /// Sees to it that the page can be left. A script that does not let go of it is ended now, for
    /// once the navigation is under way Chrome passes nothing on to it; if it begins again and
    /// again, its process is. Both would go with the page anyway.
    pub(crate) async fn let_go(&self) {
        let (hung, crashed, blank) = {
            let facts = self.state.facts();
            (facts.hung, facts.crashed, facts.url() == "about:blank")
        };
        if crashed {
            // Nothing keeps it, and what comes of the navigation is another page's.
            self.state.update(|facts| {
                facts.crashed = false;
                facts.ended = Some(true);
            });
            return;
        }
        if blank {
            return;
        }
        if !hung && !self.asks() {
            self.session.copy_before_leaving(&self.state);
        }
        if (!hung && self.answers().await) || self.asks() {
            return;
        }
        self.state.interrupt();
        // Asked again also so that it is this script, not one of the next page, that is ended if
        // none was running.
        if self.answers().await || self.asks() {
            return;
        }
        if !self.session.browser.owns_pages() {
            return;
        }
        self.state.update(|facts| facts.ended = Some(false));
        self.state.connection.post(Some(&self.state.session), &page::Crash);
        let ended = |facts: &Facts| (facts.ended == Some(true) || facts.closed).then_some(());
        self.state.until(self.deadline(), ended).await;
    }

    /// Whether it is silent because a dialog waits for its answer.
    fn asks(&self) -> bool {
        self.state.blocked().is_some()
    }

    /// Whether the page's script lets it answer in a good part of the time there is: where many
    /// pages share few cores, one that works may be silent for seconds.
    async fn answers(&self) -> bool {
        let soon = Instant::now() + PATIENCE.min(self.context.left() / 3);
        let probe = self.state.connection.call(Some(&self.state.session), &PROBE, soon);
        !matches!(probe.await, Err(btcp_cdp::Error::Deadline { .. }))
    }
}
