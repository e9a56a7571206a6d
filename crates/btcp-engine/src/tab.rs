//! A tab in somebody's turn: what actions work with.
//!
//! Each tab is a task with a mailbox, so work on one page happens in order and a hung page
//! delays nobody else. `TabHandle` is the way in; `Tab` is what work gets while it has its turn.

use std::future::Future;
use std::pin::{Pin, pin};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Weak};
use std::time::Duration;

use btcp_cdp::{Call, Command, SessionId};
use tokio::sync::{mpsc, oneshot};
use tokio::time::Instant;

use crate::call::{CallContext, Done};
use crate::effect::Acted;
use crate::error::{Error, Result};
use crate::frames::Entered;
use crate::page::Place;
use crate::session::Session;
use crate::snapshot::Views;
use crate::tab_state::{Facts, TabState};

/// A future in a box.
pub type Boxed<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;
type Job = Box<dyn for<'t> FnOnce(&'t mut Tab) -> Boxed<'t, ()> + Send>;

/// How many calls may wait for one tab.
const MAILBOX: usize = 256;

/// How long after its deadline work is cut off: its own waits end first and say what for.
const GRACE: Duration = Duration::from_secs(3);

/// How long after the deadline Chrome may still answer. Shorter, and on a machine with more pages
/// than cores one that only waits for its turn would be called hung.
const MARGIN: Duration = Duration::from_secs(1);

/// The way to a tab.
#[derive(Clone)]
pub struct TabHandle {
    pub(crate) state: Arc<TabState>,
    mailbox: mpsc::Sender<Job>,
}

/// A tab, for the time of one call.
pub struct Tab {
    pub(crate) state: Arc<TabState>,
    pub(crate) session: Arc<Session>,
    pub(crate) context: CallContext,
    pub(crate) memory: Memory,
}

/// What a tab keeps from call to call.
#[derive(Default)]
pub(crate) struct Memory {
    /// Where the mouse is.
    pub(crate) mouse: (f64, f64),
    /// The mouse buttons held down, as Chrome counts them.
    pub(crate) buttons: u8,
    /// The modifier keys held down.
    pub(crate) held: crate::Modifiers,
    /// All keys held down.
    pub(crate) keys: Vec<String>,
    /// What the last picture that was sent shows.
    pub(crate) shown: Option<crate::input::Shown>,
    /// The element this call acts on, and what the tab was like before.
    pub(crate) acted: Option<Acted>,
    pub(crate) tokens: u32,
    /// The frame the agent entered.
    pub(crate) frame: Option<Entered>,
    /// The session whose page has a mark drawn over it.
    pub(crate) marked: Option<SessionId>,
    /// What was printed of its page.
    pub(crate) views: Views,
    /// Elements that were given a secret, and which.
    pub(crate) entrusted: Vec<(Place, String)>,
    /// The password field that was acted on last, and what was typed into it.
    pub(crate) password: Option<(Place, String)>,
}

/// Starts the task that serves a tab.
pub(crate) fn serve(session: &Arc<Session>, state: Arc<TabState>) -> TabHandle {
    let (mailbox, mut jobs) = mpsc::channel::<Job>(MAILBOX);
    let (owner, served) = (Arc::downgrade(session), state.clone());
    tokio::spawn(async move {
        let mut memory = Memory::default();
        while let Some(job) = jobs.recv().await {
            let Some(session) = Weak::upgrade(&owner) else { break };
            let context = CallContext::new(Duration::ZERO, crate::Progress::default());
            let mut tab = Tab { state: served.clone(), session, context, memory };
            job(&mut tab).await;
            memory = tab.memory;
        }
    });
    TabHandle { state, mailbox }
}

impl TabHandle {
    /// Its number in the session, never used again.
    pub fn id(&self) -> u32 {
        self.state.id
    }

    pub(crate) fn target(&self) -> &str {
        &self.state.target
    }

    /// Whether it is gone.
    pub fn is_closed(&self) -> bool {
        self.state.facts().closed
    }

    /// Does work in this tab's turn. Dropping the future ends the work.
    pub async fn run<T, E, F>(&self, context: CallContext, work: F) -> Result<T, E>
    where
        F: for<'t> FnOnce(&'t mut Tab) -> Boxed<'t, Result<T, E>> + Send + 'static,
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        self.run_from((), context, work).await
    }

    /// The same for somebody who has kept others from getting in line before: `place` is dropped
    /// once the work is in line.
    pub async fn run_from<P, T, E, F>(
        &self,
        place: P,
        context: CallContext,
        work: F,
    ) -> Result<T, E>
    where
        P: Send,
        F: for<'t> FnOnce(&'t mut Tab) -> Boxed<'t, Result<T, E>> + Send + 'static,
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        let (reply, answer) = oneshot::channel();
        let timeout = context.timeout;
        let deadline = context.deadline;
        let (unblocks, progress) = (context.unblocks, context.progress.clone());
        let job: Job = Box::new(move |tab| {
            Box::pin(async move {
                let _working = tab.session.working();
                tab.context = context;
                tab.state.shared.answers.store(tab.context.answers, Ordering::SeqCst);
                tab.memory.acted = None;
                let mut reply = reply;
                let turn = async {
                    tab.begun().await?;
                    tab.to_front();
                    tab.session.ended_for_memory(tab.state.id)?;
                    tab.was_not_left();
                    if !tab.context.leaves {
                        tab.recover().await?;
                    }
                    work(tab).await
                };
                let result = tokio::select! {
                    biased;
                    () = reply.closed() => return,
                    result = turn => result,
                    () = tokio::time::sleep_until(deadline + GRACE) => Err(late(timeout).into()),
                };
                // The caller may have left between the two.
                let _ = reply.send(result);
                if tab.context.progress.done() != Done::No {
                    tab.session.touched(tab.state.id);
                }
            })
        });
        let late = |waiting_for: &str| {
            Err(Error::Timeout { after: timeout, waiting_for: waiting_for.into() }.into())
        };
        let its_turn = async {
            let mut queueing = pin!(tokio::time::timeout_at(deadline, self.mailbox.send(job)));
            let queued = tokio::select! {
                biased;
                queued = &mut queueing => {
                    drop(place);
                    queued
                }
                // There is no room, and it waits for some: others may wait behind it.
                () = std::future::ready(()) => {
                    drop(place);
                    queueing.await
                }
            };
            if !matches!(queued, Ok(Ok(()))) {
                return late("the tab's turn");
            }
            match tokio::time::timeout_at(deadline + GRACE + MARGIN, answer).await {
                Ok(Ok(result)) => result,
                Ok(Err(_)) => Err(Error::internal("the tab's task ended").into()),
                Err(_) => late("earlier calls to this tab"),
            }
        };
        tokio::select! {
            biased;
            () = self.asks_nothing(deadline, &progress), if unblocks => Err(Error::NoDialog.into()),
            result = its_turn => result,
        }
    }

    /// Comes back when its page does not answer and has no dialog open: whoever would answer one
    /// need not wait behind a call that waits for the page, however much time that has.
    async fn asks_nothing(&self, deadline: Instant, progress: &crate::Progress) {
        let asks = |facts: &Facts| facts.dialogs.open().is_some() || progress.done() != Done::No;
        let silent = |facts: &Facts| ((facts.hung || facts.deaf) && !asks(facts)).then_some(());
        let life = async {
            if asks(&self.state.facts()) {
                std::future::pending::<()>().await;
            }
            self.state.listen_for_life().await;
        };
        let silence = async {
            if self.state.until(deadline, silent).await.is_none() {
                std::future::pending::<()>().await;
            }
        };
        tokio::select! { () = silence => {}, () = life => {} }
    }
}

/// What a command waits for, in an agent's words.
fn awaited(method: &str) -> &'static str {
    match method {
        "Input.dispatchMouseEvent" => "the mouse event to be handled",
        "Input.dispatchKeyEvent" | "Input.insertText" => "the key to be handled",
        "Page.captureScreenshot" => "the picture",
        _ => "its answer",
    }
}

fn late(after: Duration) -> Error {
    Error::Timeout { after, waiting_for: "the page".into() }
}

impl Tab {
    /// Its number in the session.
    pub fn id(&self) -> u32 {
        self.state.id
    }

    /// The address of the page in it.
    pub fn url(&self) -> String {
        self.state.url()
    }

    /// The page's title, from the document.
    pub async fn title(&mut self) -> Result<String> {
        Ok(self.head().await?.title)
    }

    /// The whole time this call has.
    pub fn timeout(&self) -> Duration {
        self.context.timeout
    }

    /// How far this call has come.
    pub fn progress(&self) -> crate::Progress {
        self.context.progress.clone()
    }

    /// When this call must end.
    pub(crate) fn deadline(&self) -> Instant {
        self.context.deadline
    }

    /// A command to the main frame's process; sent now, answered when awaited.
    pub(crate) fn send<C: Command>(&self, command: &C) -> Call<C::Reply> {
        self.send_to(&self.state.session, command)
    }

    pub(crate) fn send_to<C: Command>(&self, session: &SessionId, command: &C) -> Call<C::Reply> {
        // Chrome's own answer to a page's silence is none at all, so ours must come in time.
        self.state.call(session, command, self.deadline() + MARGIN)
    }

    /// A command to the main frame's process and its answer.
    pub(crate) async fn call<C: Command>(&self, command: &C) -> Result<C::Reply> {
        let call = self.send(command);
        call.await.map_err(|error| self.explain(error))
    }

    /// What a failed command means for the agent.
    pub(crate) fn explain(&self, error: btcp_cdp::Error) -> Error {
        if let Some(reason) = self.session.browser.hub.gone() {
            return self.session.browser.gone(reason);
        }
        if self.state.facts().crashed {
            return self.page_crashed();
        }
        if let Some(blocked) = self.state.blocked() {
            return blocked;
        }
        match error {
            btcp_cdp::Error::Closed { reason } => self.session.browser.gone(reason.to_string()),
            btcp_cdp::Error::Deadline { method, .. } => {
                self.state.suspect();
                Error::PageHung { waiting_for: awaited(method), after: self.context.timeout }
            }
            btcp_cdp::Error::SessionGone { .. } if self.state.facts().closed => {
                Error::NoSuchTab { id: self.state.id }
            }
            btcp_cdp::Error::SessionGone { ref reason, .. } if reason.contains("frame crashed") => {
                self.frame_crashed()
            }
            other => Error::internal(other.to_string()),
        }
    }

    /// Why its page is no longer there: with the browser, by a crash, or closed.
    pub(crate) fn gone(&self) -> Error {
        self.explain(btcp_cdp::Error::session_gone("its page is gone"))
    }

    /// Waits until Chrome has let a new tab go.
    async fn begun(&self) -> Result<()> {
        let begun = |facts: &Facts| (facts.begun || facts.closed || facts.crashed).then_some(());
        match self.state.until(self.deadline(), begun).await {
            Some(()) => Ok(()),
            None => Err(self.too_late("the new tab")),
        }
    }

    /// A tab that a page opened lies in front of its opener, which then draws no frames.
    pub(crate) fn to_front(&self) {
        if self.session.bring_to_front(self.state.id) {
            let session = Some(&self.state.session);
            self.state.connection.post(session, &btcp_cdp::page::BringToFront);
        }
    }

    /// That its page crashed, with what was in it; told once, so that the next call goes on.
    pub(crate) fn page_crashed(&self) -> Error {
        let mut facts = self.state.facts();
        facts.crash_told = true;
        Error::PageCrashed { url: facts.url() }
    }

    /// A page was to be left whose process had to end for it, and nothing took its place. If that is
    /// gone it is a crashed page still, as its caller was told in other words. If it is not, as where
    /// all of Chrome stood still, it may be any moment, and that is a crash to whoever works in it then.
    fn was_not_left(&self) {
        if let Some(gone) = self.state.facts().ended.take().filter(|gone| *gone) {
            self.state.update(|facts| (facts.crashed, facts.crash_told) = (gone, gone));
        }
    }

    /// That frames of its page crashed; the next call loads them again.
    fn frame_crashed(&self) -> Error {
        let mut facts = self.state.facts();
        let mut url = String::new();
        for id in facts.frames.below(&facts.frames.main) {
            let frame = facts.frames.get_mut(&id).filter(|frame| frame.crashed.is_some());
            if let Some(frame) = frame {
                frame.crashed = Some(true);
                url.clone_from(&frame.url);
            }
        }
        Error::PageCrashed { url }
    }

    /// Loads crashed frames again, once that they crashed was told.
    async fn recover_frames(&self) {
        let crashed = self.state.facts().frames.take_crashed();
        for (id, url) in crashed {
            let _going = self.session.guard().memory.expect(&url);
            let again =
                btcp_cdp::page::Navigate { url: &url, frame_id: Some(&id), ..Default::default() };
            self.state.connection.post(Some(&self.state.session), &again);
            let back = |facts: &Facts| {
                let frame = facts.frames.get(&id);
                frame.is_none_or(|frame| frame.crashed.is_none()).then_some(())
            };
            let soon = self.deadline().min(Instant::now() + crate::hang::PASSING);
            self.state.until(soon, back).await;
        }
    }

    /// A crashed page is loaded again before a call works on it, once that it crashed was told; by
    /// its address, because reloading would send a form a second time.
    async fn recover(&self) -> Result<()> {
        let (crashed, told) = {
            let facts = self.state.facts();
            (facts.crashed, facts.crash_told)
        };
        if !crashed {
            self.recover_frames().await;
            return Ok(());
        }
        if !told {
            return Err(self.page_crashed());
        }
        let url = self.url();
        let _going = self.session.guard().again(&url);
        self.state.connection.post(
            Some(&self.state.session),
            &btcp_cdp::page::Navigate { url: &url, ..Default::default() },
        );
        let back = |facts: &Facts| (!facts.crashed || facts.closed).then_some(());
        if self.state.until(self.deadline(), back).await.is_none() {
            return Err(self.page_crashed());
        }
        self.loaded(crate::WaitUntil::Load).await
    }

    /// A number for a wait in the page.
    pub(crate) fn token(&mut self) -> u32 {
        self.memory.tokens = self.memory.tokens.wrapping_add(1);
        self.memory.tokens
    }
}
