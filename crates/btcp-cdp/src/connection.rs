//! The connection: commands out, replies and events in.
//!
//! Two tasks serve it. One writes whatever is queued in one go. The other reads,
//! hands replies to whoever waits and events to the handler, inline: no queue in
//! between, so none is lost and an event never overtakes a reply.

use std::{
    fmt,
    marker::PhantomData,
    panic::{AssertUnwindSafe, catch_unwind},
    pin::{Pin, pin},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::{Context, Poll},
};

use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use tokio::{
    sync::{mpsc, oneshot, watch},
    time::{Instant, Sleep, sleep_until},
};

use crate::{
    Command, Error, Event, EventHandler, MessageSink, MessageSource, SessionId, Transport,
    message::{Body, Incoming, encode, mend_surrogates, range_in},
    pending::{Answer, Pending},
};

/// How many queued commands go out in one write at most.
const BATCH: usize = 256;

/// What Chrome answers to a command on a session that has ended.
const SESSION_NOT_FOUND: i64 = -32001;

/// A connection to Chrome; clones share it.
///
/// It lives until [`close`](Self::close) or until the transport ends, whoever holds a clone.
#[derive(Clone)]
pub struct Connection {
    shared: Arc<Shared>,
}

struct Shared {
    pending: Mutex<Pending>,
    outgoing: mpsc::UnboundedSender<Vec<u8>>,
    closed: watch::Sender<bool>,
}

impl Connection {
    /// Starts talking; the tasks that read and write run on the current tokio runtime.
    ///
    /// # Panics
    ///
    /// Outside of a tokio runtime.
    pub fn open<T: Transport>(transport: T, handler: Arc<dyn EventHandler>) -> Self {
        let (source, sink) = transport.split();
        let (outgoing, queue) = mpsc::unbounded_channel();
        let (closed, _) = watch::channel(false);
        let shared = Shared { pending: Mutex::default(), outgoing, closed };
        let connection = Self { shared: Arc::new(shared) };
        tokio::spawn(write(connection.clone(), queue, sink));
        tokio::spawn(read(Ear { connection: connection.clone(), handler }, source));
        connection
    }

    /// Queues a command at once, so that commands go out in the order of their calls; the answer
    /// comes by awaiting. Dropping the [`Call`] forgets the answer but not the command.
    pub fn call<C: Command>(
        &self,
        session: Option<&SessionId>,
        command: &C,
        deadline: Instant,
    ) -> Call<C::Reply> {
        let call = self.enter(session, command, deadline);
        Call { state: call.map_or_else(State::Refused, State::Waiting), reply: PhantomData }
    }

    fn enter<C: Command>(
        &self,
        session: Option<&SessionId>,
        command: &C,
        deadline: Instant,
    ) -> Result<Entered, Error> {
        let method = C::METHOD;
        let (id, answer) = self.pending().enter(method, session)?;
        // From here on dropping it takes the entry out again.
        let entered = Entered {
            connection: self.clone(),
            id,
            method,
            answer,
            since: Instant::now(),
            deadline,
            alarm: None,
        };
        let message = encode(id, session, command)
            .map_err(|error| Error::BadCommand { method, reason: error.to_string().into() })?;
        tracing::trace!(id, method, session = session.map(SessionId::as_str), "call");
        // Fails only after the close that has failed this call as well.
        let _ = self.shared.outgoing.send(message);
        Ok(entered)
    }

    /// Queues a command whose answer nobody wants. Never refused while the connection lives.
    pub fn post<C: Command>(&self, session: Option<&SessionId>, command: &C) {
        let id = self.pending().next_id();
        match encode(id, session, command) {
            Ok(message) => {
                tracing::trace!(id, method = C::METHOD, "post");
                let _ = self.shared.outgoing.send(message);
            }
            Err(error) => tracing::debug!(method = C::METHOD, %error, "cannot be sent"),
        }
    }

    /// Fails all calls that wait on `session`: after a crash or a detach Chrome never answers them.
    pub fn fail_session(&self, session: &SessionId, error: Error) {
        let calls = self.pending().take_session(session);
        for call in calls {
            let error = error.about(call.method);
            call.answer(Err(error));
        }
    }

    /// Ends the connection: all calls fail, the handler hears of it, queued commands are dropped.
    pub fn close(&self, reason: &str) {
        let reason = Arc::from(reason);
        // First: who hears that a call failed may look at once whether the connection is there.
        self.shared.closed.send_replace(true);
        let Some(calls) = self.pending().close(&reason) else { return };
        tracing::debug!(%reason, calls = calls.len(), "closed");
        for call in calls {
            call.answer(Err(Error::Closed { reason: reason.clone() }));
        }
    }

    /// Whether it has ended.
    pub fn is_closed(&self) -> bool {
        *self.shared.closed.borrow()
    }

    /// Waits until it has ended.
    pub async fn closed(&self) {
        // The sender lives in `self`, so waiting cannot fail.
        let _ = self.shared.closed.subscribe().wait_for(|closed| *closed).await;
    }

    /// How many calls wait for an answer.
    pub fn in_flight(&self) -> usize {
        self.pending().len()
    }

    fn pending(&self) -> MutexGuard<'_, Pending> {
        // No code of others runs under the lock, so a poisoned table is still a sound one.
        self.shared.pending.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Hands an answer to whoever waits for it; a `post` and a dropped call have nobody.
    fn answer(&self, id: u32, answer: impl FnOnce(&'static str) -> Answer) {
        let waiting = self.pending().take(id);
        if let Some(call) = waiting {
            let answer = answer(call.method);
            call.answer(answer);
        }
    }
}

impl fmt::Debug for Connection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Connection")
            .field("closed", &self.is_closed())
            .field("in_flight", &self.in_flight())
            .finish()
    }
}

/// A command on its way: a future of its answer. Dropping it gives the answer up.
#[must_use = "the command is sent, but its answer is lost unless awaited; `post` says so"]
pub struct Call<R> {
    state: State,
    reply: PhantomData<fn() -> R>,
}

impl<R> Call<R> {
    /// A call that was never sent, because it is known that no answer could come.
    pub fn refused(error: Error) -> Self {
        Self { state: State::Refused(error), reply: PhantomData }
    }
}

enum State {
    Refused(Error),
    Waiting(Entered),
    Done,
}

/// A call in the table of pending ones; it leaves the table when dropped.
struct Entered {
    connection: Connection,
    id: u32,
    method: &'static str,
    answer: oneshot::Receiver<Answer>,
    since: Instant,
    deadline: Instant,
    alarm: Option<Pin<Box<Sleep>>>,
}

impl Entered {
    fn poll(&mut self, context: &mut Context<'_>) -> Poll<Answer> {
        if let Poll::Ready(answer) = Pin::new(&mut self.answer).poll(context) {
            return Poll::Ready(answer.unwrap_or_else(|_| {
                // Only a connection whose runtime is gone drops its calls unanswered.
                Err(Error::Closed { reason: "nobody reads it any more".into() })
            }));
        }
        let deadline = self.deadline;
        let alarm = self.alarm.get_or_insert_with(|| Box::pin(sleep_until(deadline)));
        alarm.as_mut().poll(context).map(|()| {
            let after = deadline.saturating_duration_since(self.since);
            Err(Error::Deadline { method: self.method, after })
        })
    }
}

impl Drop for Entered {
    fn drop(&mut self) {
        self.connection.pending().take(self.id);
    }
}

impl<R: DeserializeOwned> Future for Call<R> {
    type Output = Result<R, Error>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        if let State::Waiting(call) = &mut self.state {
            let Poll::Ready(answer) = call.poll(context) else { return Poll::Pending };
            let method = call.method;
            self.state = State::Done;
            return Poll::Ready(answer.and_then(|body| {
                body.read()
                    .map_err(|error| Error::BadReply { method, reason: error.to_string().into() })
            }));
        }
        match std::mem::replace(&mut self.state, State::Done) {
            State::Refused(error) => Poll::Ready(Err(error)),
            State::Waiting(_) | State::Done => panic!("a Call is polled after its answer"),
        }
    }
}

impl<R> fmt::Debug for Call<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.state {
            State::Refused(error) => f.debug_tuple("Call").field(error).finish(),
            State::Waiting(call) => f.debug_tuple("Call").field(&call.method).finish(),
            State::Done => f.write_str("Call"),
        }
    }
}

/// The writing task.
async fn write(
    connection: Connection,
    mut queue: mpsc::UnboundedReceiver<Vec<u8>>,
    mut sink: impl MessageSink,
) {
    let mut closed = pin!(connection.closed());
    let mut batch = Vec::new();
    loop {
        batch.clear();
        tokio::select! {
            biased;
            () = &mut closed => return,
            _ = queue.recv_many(&mut batch, BATCH) => {}
        }
        tokio::select! {
            biased;
            sent = sink.send(&batch) => if let Err(error) = sent {
                return connection.close(&format!("writing failed: {error}"));
            },
            () = &mut closed => return,
        }
    }
}

/// The reading task.
async fn read(ear: Ear, mut source: impl MessageSource) {
    let mut closed = pin!(ear.connection.closed());
    loop {
        let message = tokio::select! {
            biased;
            () = &mut closed => return,
            message = source.next() => message,
        };
        match message {
            Ok(Some(message)) => ear.message(message),
            Ok(None) => return ear.connection.close("Chrome closed the connection"),
            Err(error) => return ear.connection.close(&format!("reading failed: {error}")),
        }
    }
}

/// What the reading task holds. Its end, by return or with the runtime, is the connection's end.
struct Ear {
    connection: Connection,
    handler: Arc<dyn EventHandler>,
}

impl Ear {
    fn message(&self, mut message: Vec<u8>) {
        mend_surrogates(&mut message);
        let incoming: Incoming<'_> = match serde_json::from_slice(&message) {
            Ok(incoming) => incoming,
            Err(error) => {
                return tracing::debug!(%error, bytes = message.len(), "malformed message");
            }
        };
        match incoming {
            Incoming { id: Some(id), error: Some(refusal), .. } => {
                tracing::trace!(id, code = refusal.code, "refused");
                self.connection.answer(id, |method| {
                    let (code, message) = (refusal.code, refusal.message());
                    Err(if code == SESSION_NOT_FOUND {
                        Error::SessionGone { method, reason: message.into() }
                    } else {
                        Error::Remote { method, code, message }
                    })
                });
            }
            Incoming { id: Some(id), result, .. } => {
                tracing::trace!(id, bytes = message.len(), "reply");
                let result = result.map_or(0..0, |result| range_in(&message, result.get()));
                self.connection.answer(id, |_| Ok(Body::new(message, result)));
            }
            Incoming { method: Some(method), session, params, .. } => {
                let params = params.unwrap_or(RawValue::NULL);
                self.event(Event { session, method, params });
            }
            Incoming { error: Some(refusal), .. } => {
                tracing::debug!(code = refusal.code, "Chrome could not read a command");
            }
            _ => tracing::debug!(bytes = message.len(), "neither reply nor event"),
        }
    }

    fn event(&self, event: Event<'_>) {
        tracing::trace!(method = event.method, session = event.session, "event");
        let handle = || self.handler.event(&self.connection, event);
        if catch_unwind(AssertUnwindSafe(handle)).is_err() {
            tracing::error!(method = event.method, "an event handler panicked");
        }
    }
}

impl Drop for Ear {
    fn drop(&mut self) {
        self.connection.close("its tokio runtime stopped");
        let reason = self.connection.pending().closed().cloned();
        let tell = || self.handler.closed(reason.as_deref().unwrap_or_default());
        if catch_unwind(AssertUnwindSafe(tell)).is_err() {
            tracing::error!("an event handler panicked on the end of its connection");
        }
    }
}
