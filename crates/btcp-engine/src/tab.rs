//! A tab in somebody's turn: what actions work with.
//!
//! Each tab is a task with a mailbox, so work on one page happens in order and a hung page
//! delays nobody else. `TabHandle` is the way in; `Tab` is what work gets while it has its turn.

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Weak};
use std::time::Duration;

use btcp_cdp::{Call, Command, SessionId};
use tokio::sync::{mpsc, oneshot};
use tokio::time::Instant;

use crate::call::CallContext;
use crate::effect::Mark;
use crate::error::{Error, Result};
use crate::page::Place;
use crate::sessions::Session;
use crate::tab_state::{Facts, TabState};

/// A future in a box.
pub type Boxed<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;
type Job = Box<dyn for<'t> FnOnce(&'t mut Tab) -> Boxed<'t, ()> + Send>;

/// How many calls may wait for one tab.
const MAILBOX: usize = 256;

/// How long after its deadline work is cut off: its own waits end first and say what for.
const GRACE: Duration = Duration::from_millis(1500);

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
    /// The element this call acts on, and what the tab was like before.
    pub(crate) acted: Option<(Option<Place>, Mark)>,
    pub(crate) tokens: u32,
    /// The frame the agent entered.
    pub(crate) frame: Option<String>,
    /// The session whose page has a mark drawn over it.
    pub(crate) marked: Option<SessionId>,
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
        let (reply, answer) = oneshot::channel();
        let timeout = context.timeout;
        let deadline = context.deadline;
        let job: Job = Box::new(move |tab| {
            Box::pin(async move {
                tab.context = context;
                tab.memory.acted = None;
                let mut reply = reply;
                let turn = async {
                    tab.begun().await?;
                    tab.recover().await?;
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
            })
        });
        let queued = tokio::time::timeout_at(deadline, self.mailbox.send(job)).await;
        if !matches!(queued, Ok(Ok(()))) {
            return Err(
                Error::Timeout { after: timeout, waiting_for: "the tab's turn".into() }.into()
            );
        }
        match tokio::time::timeout_at(deadline + 2 * GRACE, answer).await {
            Ok(Ok(result)) => result,
            Ok(Err(_)) => Err(Error::internal("the tab's task ended").into()),
            Err(_) => Err(Error::Timeout {
                after: timeout,
                waiting_for: "earlier calls to this tab".into(),
            }
            .into()),
        }
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
        self.state.facts().frames.main().map(|frame| frame.url.clone()).unwrap_or_default()
    }

    /// The page's title, from the document.
    pub async fn title(&mut self) -> Result<String> {
        Ok(self.head().await?.title)
    }

    /// The whole time this call has.
    pub fn timeout(&self) -> Duration {
        self.context.timeout
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
        self.state.connection.call(Some(session), command, self.deadline() + GRACE / 3)
    }

    /// A command to the main frame's process and its answer.
    pub(crate) async fn call<C: Command>(&self, command: &C) -> Result<C::Reply> {
        let call = self.send(command);
        call.await.map_err(|error| self.explain(error))
    }

    /// What a failed command means for the agent.
    pub(crate) fn explain(&self, error: btcp_cdp::Error) -> Error {
        if let Some(reason) = self.session.browser.hub.gone() {
            return Error::BrowserGone { reason };
        }
        if self.state.facts().crashed {
            return Error::PageCrashed { url: self.url() };
        }
        match error {
            btcp_cdp::Error::Closed { reason } => Error::BrowserGone { reason: reason.to_string() },
            btcp_cdp::Error::Deadline { .. } => Error::PageHung { after: self.context.timeout },
            btcp_cdp::Error::SessionGone { .. } if self.state.facts().closed => {
                Error::NoSuchTab { id: self.state.id }
            }
            other => Error::internal(other.to_string()),
        }
    }

    /// Waits until Chrome has let a new tab go.
    async fn begun(&self) -> Result<()> {
        let begun = |facts: &Facts| (facts.begun || facts.closed || facts.crashed).then_some(());
        match self.state.until(self.deadline(), begun).await {
            Some(()) => Ok(()),
            None => Err(self.too_late("the new tab")),
        }
    }

    /// A crashed page is loaded again before the next call works on it; by its address, because
    /// reloading would send a form a second time.
    async fn recover(&self) -> Result<()> {
        if !self.state.facts().crashed {
            return Ok(());
        }
        let url = self.url();
        self.state.connection.post(
            Some(&self.state.session),
            &btcp_cdp::page::Navigate { url: &url, ..Default::default() },
        );
        let back = |facts: &Facts| (!facts.crashed || facts.closed).then_some(());
        if self.state.until(self.deadline(), back).await.is_none() {
            return Err(Error::PageCrashed { url });
        }
        self.loaded(crate::WaitUntil::Load).await
    }

    /// A number for a wait in the page.
    pub(crate) fn token(&mut self) -> u32 {
        self.memory.tokens = self.memory.tokens.wrapping_add(1);
        self.memory.tokens
    }
}
