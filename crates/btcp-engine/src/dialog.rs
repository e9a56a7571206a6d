//! JavaScript dialogs: a state of the tab, not a stall.
//!
//! An open dialog blocks its page. Where the caller can answer, it stays open: whatever waits for
//! the page is told at once, and nothing is sent to it until somebody answers. Where nobody can,
//! the engine answers: alerts and `beforeunload` are accepted, confirm and prompt dismissed. A
//! page that opens one after the other without end is stopped, and left if that does not help.

use std::collections::VecDeque;
use std::sync::atomic::Ordering;
use std::time::Duration;

use btcp_cdp::{Call, Command, SessionId, page, runtime};
use tokio::time::Instant;

use crate::effect::{Acted, Mark};
use crate::error::{Error, Result};
use crate::tab::{Boxed, Tab};
use crate::tab_state::{Facts, TabState};

/// Something a page asked of whoever sits in front of it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Dialog {
    /// `alert`, `confirm`, `prompt`, `beforeunload`; `filechooser`, `auth`, `print` and
    /// `permission` never wait.
    pub kind: String,
    /// What it said.
    pub message: String,
    /// What a prompt suggests to enter.
    pub suggests: Option<String>,
    /// How it was answered, such as `accepted` or `dismissed`; none while it is open.
    pub answered: Option<&'static str>,
    /// How many more there were.
    pub more: u64,
    /// There was no end to them: the page was left.
    pub left: bool,
}

/// Commands that Chrome answers without the page.
const BY_THE_BROWSER: [&str; 5] = [
    "Page.getNavigationHistory",
    "Page.navigate",
    "Page.navigateToHistoryEntry",
    "Page.reload",
    "Page.stopLoading",
];

/// How many are kept for the report.
const KEPT: usize = 50;
/// Longer messages are cut.
const LONGEST: usize = 2_000;
/// One that opens so soon after the last was answered belongs to the same row.
const ROW: Duration = Duration::from_secs(1);
/// Of a longer row the rest is answered by the engine.
const HELD_IN_A_ROW: u32 = 20;
/// In a longer row the script that opens them is stopped.
const STOP: u32 = 50;
/// Between two dialogs of a bare loop there is no time to stop it: then only leaving helps.
const LEAVE: u32 = 150;
/// How long work that waits for something else than the page may go on under a dialog.
const PATIENCE: Duration = Duration::from_millis(500);

/// The dialogs of a tab: the one that is open, the last few, and how many there were.
#[derive(Debug, Default)]
pub(crate) struct Dialogs {
    recent: VecDeque<Dialog>,
    count: u64,
    open: bool,
    /// How many came in a row, and when the last of them was last heard of.
    row: u32,
    last: Option<Instant>,
    /// How many there had been when the page was left for good.
    left: u64,
}

/// What becomes of a dialog that has just opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fate {
    /// The caller will answer it.
    Held,
    /// The engine answers it.
    Answered,
    /// And stops the script that opened it.
    Stopped,
    /// And leaves the page.
    Left,
}

impl Dialogs {
    /// Remembers one that was answered already.
    pub(crate) fn add(&mut self, dialog: Dialog) {
        if self.recent.len() == KEPT {
            self.recent.pop_front();
        }
        let message = crate::text::cut(&dialog.message, LONGEST);
        let suggests = dialog.suggests.map(|text| crate::text::cut(&text, LONGEST));
        self.recent.push_back(Dialog { message, suggests, ..dialog });
        self.count += 1;
    }

    /// One opened; `held` if there is somebody to answer it.
    fn opened(&mut self, dialog: Dialog, held: bool, now: Instant) -> Fate {
        let again = self.last.is_some_and(|last| now.duration_since(last) < ROW);
        self.row = if again { self.row.saturating_add(1) } else { 1 };
        self.last = Some(now);
        let fate = match self.row {
            row if row >= LEAVE && row.is_multiple_of(LEAVE) => Fate::Left,
            row if row >= STOP => Fate::Stopped,
            row if row > HELD_IN_A_ROW || !held => Fate::Answered,
            _ => Fate::Held,
        };
        self.open = fate == Fate::Held;
        let answered = (!self.open).then(|| answer(accepts(&dialog.kind)));
        self.add(Dialog { answered, ..dialog });
        if fate == Fate::Left {
            self.left = self.count;
        }
        fate
    }

    /// The one that was open is not any more.
    fn closed(&mut self, accepted: bool, now: Instant) {
        self.last = Some(now);
        if std::mem::take(&mut self.open)
            && let Some(dialog) = self.recent.back_mut()
        {
            dialog.answered = Some(answer(accepted));
        }
    }

    /// Its page is gone, and with it the dialog.
    pub(crate) fn dropped(&mut self) {
        self.closed(false, Instant::now());
    }

    /// The one that waits for an answer.
    pub(crate) fn open(&self) -> Option<&Dialog> {
        self.recent.back().filter(|_| self.open)
    }

    /// How many there have been.
    pub(crate) fn count(&self) -> u64 {
        self.count
    }

    /// What to tell of those since there were `count`: the one that is open, else the first
    /// that is still known, and how many more there were.
    pub(crate) fn since(&self, count: u64) -> Option<Dialog> {
        let new = self.count.saturating_sub(count);
        let from = self.recent.len().saturating_sub(usize::try_from(new).unwrap_or(usize::MAX));
        let told = self.open().or_else(|| self.recent.get(from)).filter(|_| new > 0)?;
        Some(Dialog { more: new - 1, left: self.left > count, ..told.clone() })
    }
}

/// Whether the engine accepts a dialog of this kind.
fn accepts(kind: &str) -> bool {
    matches!(kind, "alert" | "beforeunload")
}

fn answer(accepted: bool) -> &'static str {
    if accepted { "accepted" } else { "dismissed" }
}

impl TabState {
    /// A dialog opened: its page is blocked until somebody answers.
    pub(crate) fn dialog_opened(&self, event: page::JavascriptDialogOpening) {
        let held = self.shared.answers.load(Ordering::SeqCst);
        let mut fate = Fate::Held;
        let (mut blocked, mut of_frame) = (Vec::new(), self.session.clone());
        let accept = accepts(&event.kind);
        self.update(|facts| {
            // A page that can ask something has begun, whatever else it has not answered yet.
            facts.begun = true;
            let frame = event.frame_id.as_ref().and_then(|id| facts.frames.get(id));
            of_frame = frame.map_or(of_frame.clone(), |frame| frame.session.clone());
            let suggests = event.default_prompt.filter(|text| !text.is_empty());
            let dialog =
                Dialog { kind: event.kind, message: event.message, suggests, ..Dialog::default() };
            fate = facts.dialogs.opened(dialog, held, Instant::now());
            blocked = facts.frames.sessions();
        });
        if fate == Fate::Held {
            // Chrome answers nothing of what is under way before the dialog is.
            for session in blocked {
                self.connection.fail_session(&session, blocked_by_dialog());
            }
            return;
        }
        if fate == Fate::Stopped {
            self.connection.post(Some(&of_frame), &runtime::TerminateExecution);
        }
        if fate == Fate::Left {
            let blank = page::Navigate { url: "about:blank", ..Default::default() };
            self.connection.post(Some(&self.session), &blank);
        }
        self.answer_dialog(accept);
    }

    /// It is closed, by whomever.
    pub(crate) fn dialog_closed(&self, event: &page::JavascriptDialogClosed) {
        self.update(|facts| facts.dialogs.closed(event.result, Instant::now()));
    }

    fn answer_dialog(&self, accept: bool) {
        let answer = page::HandleJavaScriptDialog { accept, prompt_text: None };
        self.connection.post(Some(&self.session), &answer);
    }

    /// A command to a process of this tab; refused while a dialog blocks it, because Chrome would
    /// keep it, and do it when nobody expects it any more, and where the page crashed, which would
    /// never answer.
    pub(crate) fn call<C: Command>(
        &self,
        session: &SessionId,
        command: &C,
        deadline: Instant,
    ) -> Call<C::Reply> {
        if self.facts().dialogs.open().is_some() {
            return Call::refused(blocked_by_dialog());
        }
        let call = self.connection.call(Some(session), command, deadline);
        // Looked at only now: a crash that is noticed later fails what is under way.
        let (page, frame) = {
            let facts = self.facts();
            (*session == self.session && facts.crashed, facts.frames.has_crashed(session))
        };
        if page && !BY_THE_BROWSER.contains(&C::METHOD) {
            return Call::refused(btcp_cdp::Error::session_gone("the page crashed"));
        }
        if frame {
            return Call::refused(btcp_cdp::Error::session_gone("the frame crashed"));
        }
        call
    }

    /// The dialog that is open, as an error.
    pub(crate) fn blocked(&self) -> Option<Error> {
        self.facts().dialogs.open().map(|dialog| Error::DialogOpen {
            kind: dialog.kind.clone(),
            message: dialog.message.clone(),
        })
    }

    /// Comes back when a dialog has been open for a while.
    async fn long_blocked(&self) -> Error {
        let far = || Instant::now() + Duration::from_secs(3600);
        loop {
            let opened = |facts: &Facts| facts.dialogs.open().map(|_| facts.dialogs.count());
            let Some(count) = self.until(far(), opened).await else { continue };
            let over = |facts: &Facts| (opened(facts) != Some(count)).then_some(());
            if self.until(Instant::now() + PATIENCE, over).await.is_none()
                && let Some(error) = self.blocked()
            {
                return error;
            }
        }
    }
}

fn blocked_by_dialog() -> btcp_cdp::Error {
    btcp_cdp::Error::session_gone("a dialog blocks the page")
}

impl Tab {
    /// Does work on the page. A dialog that is in its way is an error for callers who can answer
    /// it, and answered by the engine for others; one that opens meanwhile ends the work.
    pub async fn undisturbed<T, E, F>(&mut self, work: F) -> Result<T, E>
    where
        F: for<'t> FnOnce(&'t mut Tab) -> Boxed<'t, Result<T, E>>,
        E: From<Error>,
    {
        self.free_of_dialogs().await?;
        let (state, mark) = (self.state.clone(), Mark::of(&self.state.facts()));
        let result = tokio::select! {
            biased;
            result = work(self) => result,
            blocked = state.long_blocked() => Err(blocked.into()),
        };
        // Whoever tells of the dialog must know since when.
        if result.is_err() && self.state.blocked().is_some() {
            self.memory.acted.get_or_insert(Acted::on(None, mark));
        }
        result
    }

    async fn free_of_dialogs(&self) -> Result<()> {
        let Some(error) = self.state.blocked() else { return Ok(()) };
        if self.context.answers {
            return Err(error);
        }
        let open = |facts: &Facts| facts.dialogs.open().map(|dialog| accepts(&dialog.kind));
        let accept = open(&self.state.facts());
        self.state.answer_dialog(accept.unwrap_or_default());
        let free = |facts: &Facts| open(facts).is_none().then_some(());
        match self.state.until(self.deadline(), free).await {
            Some(()) => Ok(()),
            None => Err(self.too_late("a dialog to close")),
        }
    }

    /// Answers the dialog that is open; gives what it was.
    pub async fn answer_dialog(&mut self, accept: bool, text: Option<&str>) -> Result<Dialog> {
        let (dialog, mut mark) = {
            let facts = self.state.facts();
            let Some(dialog) = facts.dialogs.open().cloned() else { return Err(Error::NoDialog) };
            (dialog, Mark::of(&facts))
        };
        let count = self.state.facts().dialogs.count();
        self.context.progress.sent();
        let prompt_text = text.or(dialog.suggests.as_deref()).filter(|_| accept);
        let answer = page::HandleJavaScriptDialog { accept, prompt_text };
        let answered =
            self.state.connection.call(Some(&self.state.session), &answer, self.deadline());
        match answered.await {
            Ok(_) => {}
            Err(btcp_cdp::Error::Remote { .. }) => {
                // Its page went away, or a person closed it.
                self.context.progress.undone();
                self.state.update(|facts| facts.dialogs.dropped());
                return Err(Error::NoDialog);
            }
            // The next one opened before Chrome had said that this one is closed.
            Err(_) if self.state.facts().dialogs.count() > count => {}
            Err(error) => return Err(self.explain(error)),
        }
        let over = |facts: &Facts| {
            let next = facts.dialogs.open().is_none() || facts.dialogs.count() > count;
            (next || facts.closed).then_some(())
        };
        if self.state.until(self.deadline(), over).await.is_none() {
            return Err(self.too_late("the dialog to close"));
        }
        self.context.progress.happened();
        if dialog.kind == "beforeunload" && accept {
            // What leaves the page had begun before it asked.
            mark.leaving();
        }
        mark.unwatched();
        self.memory.acted = Some(Acted::on(None, mark));
        // The page goes on with what it was doing; a watch that was armed before sees it all.
        let keep = serde_json::json!({ "keep": true });
        let main = self.main_frame();
        if let Err(error) = self.op_once::<_, serde_json::Value>(&main, "arm", &keep, None).await {
            tracing::debug!(%error, "nothing is watched after the dialog");
        }
        Ok(Dialog { answered: Some(self::answer(accept)), ..dialog })
    }
}

impl Facts {
    /// Whether nothing more can come: the page is gone, or waits for an answer.
    pub(crate) fn stuck(&self) -> bool {
        self.crashed || self.closed || self.dialogs.open().is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dialog(message: &str) -> Dialog {
        Dialog { kind: "alert".into(), message: message.into(), ..Dialog::default() }
    }

    #[test]
    fn the_first_dialog_since_a_mark_is_found() {
        let mut dialogs = Dialogs::default();
        dialogs.add(dialog("old"));
        let mark = dialogs.count();
        assert!(dialogs.since(mark).is_none());
        dialogs.add(dialog("one"));
        dialogs.add(dialog("two"));
        let told = dialogs.since(mark).unwrap();
        assert_eq!((told.message.as_str(), told.more), ("one", 1));
    }

    #[test]
    fn a_dialog_is_open_until_it_is_closed() {
        let (mut dialogs, now) = (Dialogs::default(), Instant::now());
        assert_eq!(dialogs.opened(dialog("Sure?"), true, now), Fate::Held);
        assert_eq!(dialogs.open().unwrap().answered, None);
        dialogs.closed(true, now);
        assert!(dialogs.open().is_none());
        assert_eq!(dialogs.since(0).unwrap().answered, Some("accepted"));
    }

    #[test]
    fn a_storm_is_answered_then_stopped_then_left() {
        for held in [false, true] {
            let (mut dialogs, now) = (Dialogs::default(), Instant::now());
            let mut fates = Vec::new();
            for n in 0..10_000 {
                fates.push(dialogs.opened(dialog(&n.to_string()), held, now));
                dialogs.closed(true, now);
            }
            assert_eq!(fates[0], if held { Fate::Held } else { Fate::Answered });
            assert_eq!(fates[HELD_IN_A_ROW as usize], Fate::Answered);
            assert_eq!(fates[STOP as usize - 1], Fate::Stopped);
            assert_eq!(fates[LEAVE as usize - 1], Fate::Left);
            assert_eq!((dialogs.count(), dialogs.recent.len()), (10_000, KEPT));
            let told = dialogs.since(0).unwrap();
            assert!(told.left && told.more == 9_999, "{told:?}");
        }
    }

    #[test]
    fn a_row_ends_when_the_page_rests() {
        let (mut dialogs, mut now) = (Dialogs::default(), Instant::now());
        for _ in 0..1000 {
            assert_eq!(dialogs.opened(dialog("x"), true, now), Fate::Held);
            dialogs.closed(true, now);
            now += 2 * ROW;
        }
    }

    #[test]
    fn a_page_cannot_make_us_keep_a_long_message() {
        let mut dialogs = Dialogs::default();
        dialogs.add(dialog(&"x".repeat(1_000_000)));
        assert!(dialogs.since(0).unwrap().message.chars().count() <= LONGEST);
    }
}
