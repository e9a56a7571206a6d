//! The calls that wait for an answer.
//!
//! Being closed is part of the same state, so that no call can slip in after
//! the last one was failed.

use std::{collections::HashMap, sync::Arc};

use tokio::sync::oneshot;

use crate::{Error, SessionId, message::Body};

/// How many calls may wait at a time; more is a caller in a loop, not work.
pub(crate) const MOST_IN_FLIGHT: usize = 10_000;

/// Chrome reads ids as signed 32-bit numbers.
const LAST_ID: u32 = i32::MAX as u32;

/// What a waiting call is told.
pub(crate) type Answer = Result<Body, Error>;

/// One call that waits.
pub(crate) struct Waiting {
    pub(crate) method: &'static str,
    session: Option<SessionId>,
    sender: oneshot::Sender<Answer>,
}

impl Waiting {
    /// Hands over the answer; a caller that stopped waiting does not mind.
    pub(crate) fn answer(self, answer: Answer) {
        let _ = self.sender.send(answer);
    }
}

/// The calls that wait, by id.
#[derive(Default)]
pub(crate) struct Pending {
    calls: HashMap<u32, Waiting>,
    last_id: u32,
    closed: Option<Arc<str>>,
}

impl Pending {
    /// Enters a call; its id and where its answer will come.
    pub(crate) fn enter(
        &mut self,
        method: &'static str,
        session: Option<&SessionId>,
    ) -> Result<(u32, oneshot::Receiver<Answer>), Error> {
        if let Some(reason) = &self.closed {
            return Err(Error::Closed { reason: reason.clone() });
        }
        if self.calls.len() >= MOST_IN_FLIGHT {
            return Err(Error::Overloaded { in_flight: self.calls.len() });
        }
        let id = self.next_id();
        let (sender, receiver) = oneshot::channel();
        self.calls.insert(id, Waiting { method, session: session.cloned(), sender });
        Ok((id, receiver))
    }

    /// An id no waiting call has. They wrap: at a thousand a second after 25 days.
    pub(crate) fn next_id(&mut self) -> u32 {
        loop {
            self.last_id = if self.last_id == LAST_ID { 1 } else { self.last_id + 1 };
            if !self.calls.contains_key(&self.last_id) {
                return self.last_id;
            }
        }
    }

    /// Takes a call out, because it was answered or given up.
    pub(crate) fn take(&mut self, id: u32) -> Option<Waiting> {
        self.calls.remove(&id)
    }

    /// Takes out all calls of one session.
    pub(crate) fn take_session(&mut self, session: &SessionId) -> Vec<Waiting> {
        let of_session = |_: &u32, call: &mut Waiting| call.session.as_ref() == Some(session);
        self.calls.extract_if(of_session).map(|(_, call)| call).collect()
    }

    /// Lets nobody in any more and takes out everybody; nothing if closed already.
    pub(crate) fn close(&mut self, reason: &Arc<str>) -> Option<Vec<Waiting>> {
        if self.closed.is_some() {
            return None;
        }
        self.closed = Some(reason.clone());
        Some(self.calls.drain().map(|(_, call)| call).collect())
    }

    /// Why it was closed, if it was.
    pub(crate) fn closed(&self) -> Option<&Arc<str>> {
        self.closed.as_ref()
    }

    pub(crate) fn len(&self) -> usize {
        self.calls.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_wrap_before_chrome_would_refuse_them_and_skip_those_in_use() {
        let mut pending = Pending { last_id: LAST_ID - 1, ..Default::default() };
        let (first, _first) = pending.enter("A.a", None).unwrap();
        let (second, _second) = pending.enter("A.a", None).unwrap();
        pending.last_id = LAST_ID - 1;
        let (third, _third) = pending.enter("A.a", None).unwrap();

        assert_eq!((first, second, third), (LAST_ID, 1, 2));
    }

    #[test]
    fn the_call_over_the_limit_is_refused() {
        let mut pending = Pending::default();
        let mut receivers = Vec::new();
        for _ in 0..MOST_IN_FLIGHT {
            receivers.push(pending.enter("A.a", None).unwrap());
        }

        let error = pending.enter("A.a", None).unwrap_err();

        assert_eq!(error, Error::Overloaded { in_flight: MOST_IN_FLIGHT });
    }
}
