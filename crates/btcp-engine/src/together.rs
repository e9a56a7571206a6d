//! Several actions as one call: each has its share of the time and comes to rest before the next
//! begins; what came of all of them is told once, at the end.

use std::time::Duration;

use tokio::time::Instant;

use crate::effect::{Acted, Effect, Mark};
use crate::error::Result;
use crate::page::Answer;
use crate::page::Place;
use crate::page::ops::{FindReply, FindRequest};
use crate::tab::Tab;
use crate::target::Target;

/// What the tab was like before the first of several actions.
#[derive(Debug)]
pub struct Together {
    mark: Mark,
    compares: bool,
    place: Option<Place>,
    /// How often the tab had gone elsewhere when the last of them had come to rest.
    commits: u64,
}

/// What came of one of several actions.
#[derive(Debug)]
pub struct Came {
    /// Of it alone.
    pub effect: Effect,
    /// Whether the tab is elsewhere now.
    pub navigated: bool,
}

/// The time a whole call had, while a part of it has less.
#[derive(Debug, Clone, Copy)]
#[must_use]
pub struct Share {
    deadline: Instant,
    timeout: Duration,
}

impl Tab {
    /// Several actions follow whose effects are told together.
    pub async fn begin_together(&mut self) -> Together {
        self.look_before().await;
        let mark = Mark::of(&self.state.facts());
        // Compared once, at the end: each comparison would forget what was there before.
        let compares = std::mem::replace(&mut self.context.compares, false);
        Together { mark, compares, place: None, commits: mark.commits }
    }

    /// One of them is done: waits until the page has come to rest and says what came of it alone.
    pub async fn settle_part(&mut self, together: &mut Together, field: bool) -> Result<Came> {
        if let Some(acted) = &self.memory.acted {
            together.place.clone_from(&acted.place);
        }
        let effect = self.settle(true, field).await?;
        together.mark.changed(effect.changed);
        let commits = self.state.facts().commits;
        let elsewhere = std::mem::replace(&mut together.commits, commits) != commits;
        // Also one that is on its way: what is to be seen is about to go.
        let navigated = elsewhere || effect.navigated_to().is_some();
        Ok(Came { effect, navigated })
    }

    /// All are done: `settle` tells what came of them.
    pub fn end_together(&mut self, together: Together) {
        let Together { mut mark, compares, place, .. } = together;
        self.context.compares = compares;
        mark.unwatched();
        self.memory.acted = Some(Acted::on(place, mark));
    }

    /// Gives what follows at most so much of the time that is left.
    pub fn hurry(&mut self, limit: Duration) -> Share {
        let whole = Share { deadline: self.context.deadline, timeout: self.context.timeout };
        let limit = limit.min(self.context.left());
        self.context.deadline = Instant::now() + limit;
        self.context.timeout = limit;
        whole
    }

    /// Takes all the time the call has again.
    pub fn take_time(&mut self, whole: Share) {
        self.context.deadline = whole.deadline;
        self.context.timeout = whole.timeout;
    }

    /// How many characters a snapshot has at most for which nobody said it.
    pub fn longest_snapshot(&self) -> usize {
        self.context.longest_snapshot
    }

    /// What is left of this call's time.
    pub fn time_left(&self) -> Duration {
        self.context.left()
    }

    /// Whether the element of a target's ref is still there; other targets pass.
    pub async fn check_ref(&mut self, target: &Target) -> Result<()> {
        if target.ref_number().is_none() {
            return Ok(());
        }
        loop {
            let (frame, steps) = self.start_of(target).await?;
            let request =
                FindRequest { query: &steps[..steps.len().min(1)], limit: 0, seen: false };
            match self.op_once(&frame, "find", &request, None).await? {
                Answer::Is(FindReply::Failed(failed), document) => {
                    return Err(self.failed(target, &frame, document, failed, None));
                }
                Answer::Is(..) => return Ok(()),
                Answer::Navigated => self.new_document(&frame).await?,
            }
        }
    }
}
