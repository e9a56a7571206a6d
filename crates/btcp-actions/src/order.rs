//! The order of calls: those to one session get in line as they come.
//!
//! A tab's mailbox keeps what is in it in order. But before a call is there a browser may have to
//! start and a page to open, and who came later must not overtake it then. Nobody holds a place
//! while a page works: it is given up as soon as the call is in the mailbox.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use tokio::sync::OwnedMutexGuard;

/// The lines of all sessions.
#[derive(Clone, Default)]
pub(crate) struct Order(Arc<Mutex<HashMap<String, Weak<Line>>>>);

/// Whoever waits for it gets it in the order of asking.
type Line = tokio::sync::Mutex<()>;

/// At the head of a session's line.
pub(crate) type Place = OwnedMutexGuard<()>;

impl Order {
    /// Waits until everybody who came before is in a mailbox.
    pub(crate) async fn place(&self, session: &str) -> Place {
        let line = self.line(session);
        line.lock_owned().await
    }

    fn line(&self, session: &str) -> Arc<Line> {
        let mut lines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(line) = lines.get(session).and_then(Weak::upgrade) {
            return line;
        }
        // Nobody stands in these any more.
        lines.retain(|_, line| line.strong_count() > 0);
        let line = Arc::new(Line::default());
        lines.insert(session.to_owned(), Arc::downgrade(&line));
        line
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn who_comes_first_is_first_and_sessions_do_not_wait_for_each_other() {
        let order = Order::default();
        let first = order.place("a").await;
        let said = Mutex::new(Vec::new());
        let wait = async |who: u32| {
            let _place = order.place("a").await;
            said.lock().unwrap().push(who);
        };
        let other = async {
            drop(order.place("b").await);
            said.lock().unwrap().push(0);
            drop(first);
        };

        tokio::join!(biased; wait(1), wait(2), other);

        assert_eq!(*said.lock().unwrap(), [0, 1, 2]);
        drop(order.place("c").await);
        assert_eq!(order.0.lock().unwrap().len(), 1, "those that are over are forgotten");
    }
}
