//! Keeps a start that failed from those who listen to the Chrome that did start.
//!
//! A second attempt goes to the same handler, to which the end of the first
//! would look like the end of Chrome.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use btcp_cdp::{Connection, Event, EventHandler};

/// Passes everything on to a handler, but the end only of a Chrome that has started.
pub(super) struct Gate {
    handler: Arc<dyn EventHandler>,
    state: Mutex<State>,
}

enum State {
    Starting,
    Started,
    Ended(String),
}

impl Gate {
    pub(super) fn new(handler: Arc<dyn EventHandler>) -> Self {
        Self { handler, state: Mutex::new(State::Starting) }
    }

    /// Says that Chrome has started; its end, if that came meanwhile, is told now.
    pub(super) fn open(&self) {
        let state = std::mem::replace(&mut *self.state(), State::Started);
        if let State::Ended(reason) = state {
            self.handler.closed(&reason);
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl EventHandler for Gate {
    fn event(&self, connection: &Connection, event: Event<'_>) {
        self.handler.event(connection, event);
    }

    fn closed(&self, reason: &str) {
        let mut state = self.state();
        if matches!(*state, State::Starting) {
            *state = State::Ended(reason.to_owned());
            return;
        }
        drop(state);
        self.handler.closed(reason);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Default)]
    struct Heard(Mutex<Vec<String>>);

    impl EventHandler for Heard {
        fn event(&self, _: &Connection, _: Event<'_>) {}
        fn closed(&self, reason: &str) {
            self.0.lock().unwrap().push(reason.to_owned());
        }
    }

    #[test]
    fn the_end_is_told_once_and_only_of_what_started() {
        let heard = Arc::new(Heard::default());
        let (failed, quick, usual) =
            (Gate::new(heard.clone()), Gate::new(heard.clone()), Gate::new(heard.clone()));

        failed.closed("never started");
        quick.closed("ended at once");
        quick.open();
        usual.open();
        usual.closed("ended later");

        assert_eq!(*heard.0.lock().unwrap(), ["ended at once", "ended later"]);
    }
}
