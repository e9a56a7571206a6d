//! What a page asks for again and again, so that it says nothing about whether it has loaded.
//!
//! A poll is recognised by its rhythm: the same address after a pause, at about equal intervals. A
//! list that is fetched in pieces has no pauses. Pauses that are long enough to count as rest need no
//! recognising, so what an agent asks for step by step is never taken for a poll.

use std::collections::HashMap;

use tokio::time::{Duration, Instant};

/// Shorter pauses are those of a chain, in which each answer asks for the next.
const PAUSE: Duration = Duration::from_millis(40);

/// In a pause as long as this the network is idle.
const REST: Duration = Duration::from_millis(500);

/// How many addresses are remembered.
const REMEMBERED: usize = 1000;

/// What was asked for, by its key.
#[derive(Debug, Default)]
pub(super) struct Polls {
    asked: HashMap<String, Asked>,
}

#[derive(Debug)]
struct Asked {
    began: Instant,
    answered: Option<Instant>,
    /// How long after the one before it, if there was a pause.
    after: Option<Duration>,
    /// How often in a row it came after the same time.
    regular: u32,
    known: bool,
}

/// The method and the address; a poll often says in its query what it has already.
pub(super) fn key(method: &str, url: &str) -> String {
    let path = url.split(['?', '#']).next().unwrap_or(url);
    format!("{method} {path}")
}

impl Polls {
    /// It is asked for: whether that is a poll.
    pub(super) fn asked(&mut self, key: &str, now: Instant) -> bool {
        let Some(asked) = self.asked.get_mut(key) else {
            if self.asked.len() < REMEMBERED {
                let first =
                    Asked { began: now, answered: None, after: None, regular: 0, known: false };
                self.asked.insert(key.to_owned(), first);
            }
            return false;
        };
        let pause = asked.answered.map(|answered| now.duration_since(answered));
        let paused = pause.is_some_and(|pause| (PAUSE..REST).contains(&pause));
        let after = now.duration_since(asked.began);
        let alike = |before: Duration| after <= before * 2 && before <= after * 2;
        let regular = paused && asked.after.is_some_and(alike);
        asked.regular = if regular { asked.regular + 1 } else { 0 };
        asked.after = paused.then_some(after);
        (asked.began, asked.answered) = (now, None);
        asked.known |= asked.regular >= needed(key);
        asked.known
    }

    /// Its answer, a piece of it or its end came; `held` if its server kept it waiting as long as only
    /// one that waits for news does.
    pub(super) fn answered(&mut self, key: &str, now: Instant, held: bool) {
        if let Some(asked) = self.asked.get_mut(key) {
            asked.answered = Some(now);
            asked.known |= held;
        }
    }
}

/// One address may answer quite different questions, but then they are posted to it.
fn needed(key: &str) -> u32 {
    if key.starts_with("GET ") { 1 } else { 4 }
}

#[cfg(test)]
impl Polls {
    /// This one is known.
    pub(super) fn of(key: &str) -> Self {
        let mut polls = Self::default();
        polls.asked(key, Instant::now());
        polls.answered(key, Instant::now(), true);
        polls
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Asks for it so often, each time this long after the last answer; which are polls.
    fn asked(method: &str, url: &str, pauses: &[u64]) -> Vec<bool> {
        let (mut polls, key) = (Polls::default(), key(method, url));
        let mut now = Instant::now();
        let mut told = vec![polls.asked(&key, now)];
        for pause in pauses {
            polls.answered(&key, now + Duration::from_millis(10), false);
            now += Duration::from_millis(10 + pause);
            told.push(polls.asked(&key, now));
        }
        told
    }

    #[test]
    fn a_rhythm_is_a_poll_from_the_third_time_on() {
        let url = "https://a.test/news?since=1";
        assert_eq!(asked("GET", url, &[300, 300, 450]), [false, false, true, true]);
        assert_eq!(asked("GET", url, &[100, 400, 400]), [false, false, false, true]);
        assert_eq!(asked("POST", url, &[300; 5]), [false, false, false, false, false, true]);
    }

    #[test]
    fn a_list_in_pieces_and_an_agents_steps_are_no_polls() {
        for pause in [0, 5, 600, 3000] {
            assert_eq!(asked("GET", "https://a.test/list", &[pause; 6]), [false; 7], "{pause}");
        }
    }

    #[test]
    fn the_query_does_not_matter() {
        assert_eq!(key("GET", "https://a.test/a?b#c"), "GET https://a.test/a");
        assert_eq!(key("GET", "https://a.test/a#c"), "GET https://a.test/a");
    }
}
