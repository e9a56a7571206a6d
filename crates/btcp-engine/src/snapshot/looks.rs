//! Looks at the documents of frames, all under way at once.
//!
//! Which frames a page shows is known once it was walked. But nearly all of them are shown, and a
//! frame in a process of its own is walked there: so all are begun together with the page, and the
//! place of each is looked up meanwhile. One without a line was walked for nothing, and is not
//! begun so early the next time.

use std::collections::{HashMap, HashSet};
use std::pin::pin;

use futures_util::StreamExt as _;
use futures_util::stream::FuturesUnordered;

use super::SnapshotOptions;
use super::gather::request;
use crate::error::Result;
use crate::page::Answer;
use crate::page::ops::SnapshotReply;
use crate::tab::Tab;

/// More frames are begun once it is known that they are shown.
const EARLY: usize = 16;

/// `None` of a frame that hangs.
type Look = Option<Result<Answer<SnapshotReply>>>;

/// Looks that were begun, by frame.
#[derive(Default)]
pub(super) struct Looks<'l> {
    begun: HashSet<String>,
    running: FuturesUnordered<crate::Boxed<'l, (String, Look)>>,
    done: HashMap<String, Look>,
    /// Those somebody asked for.
    shown: HashSet<String>,
    /// Those that are shown, and hang.
    pub(super) hung: Vec<String>,
}

impl<'l> Looks<'l> {
    /// Begins with the frames of a tab that are likely to be shown.
    pub(super) fn begin_all(&mut self, tab: &'l Tab, options: &'l SnapshotOptions) {
        let frames: Vec<(String, String, u64)> = {
            let facts = tab.state.facts();
            let below = facts.frames.below(&facts.frames.main);
            let early = below.iter().filter_map(|id| {
                let frame = facts.frames.get(id).filter(|frame| !frame.unseen)?;
                let parent = facts.frames.get(frame.parent.as_deref()?)?;
                Some((frame.id.clone(), parent.id.clone(), parent.document))
            });
            early.take(EARLY).collect()
        };
        for (frame, parent, document) in frames {
            self.begun.insert(frame.clone());
            self.running.push(Box::pin(async move {
                let request = request(options, None);
                let owner = async {
                    let known = tab.state.facts().frames.get(&frame).and_then(|f| f.owner);
                    if known.is_none_or(|(of, _)| of != document) {
                        // Found again by the line if this does not tell.
                        let _ = tab.find_owner(&frame, &parent, document).await;
                    }
                };
                let patience = tab.patience(options.in_passing);
                let look = tab.ask_frame(&frame, patience, tab.outline(&frame, &request));
                let ((), look) = tokio::join!(owner, look);
                (frame, look)
            }));
        }
    }

    /// Begins with one frame, unless it was.
    pub(super) fn begin(&mut self, tab: &'l Tab, options: &'l SnapshotOptions, frame: String) {
        if self.begun.insert(frame.clone()) {
            self.running.push(Box::pin(async move {
                let request = request(options, None);
                let patience = tab.patience(options.in_passing);
                let look = tab.ask_frame(&frame, patience, tab.outline(&frame, &request)).await;
                (frame, look)
            }));
        }
    }

    /// Does other work while the looks go on.
    pub(super) async fn beside<T>(&mut self, work: impl Future<Output = T>) -> T {
        let mut work = pin!(work);
        loop {
            tokio::select! {
                biased;
                done = &mut work => return done,
                Some((frame, look)) = self.running.next() => {
                    self.done.insert(frame, look);
                }
            }
        }
    }

    /// What a look that was begun has found.
    pub(super) async fn take(&mut self, frame: &str) -> Option<Look> {
        self.shown.insert(frame.to_owned());
        loop {
            if let Some(look) = self.done.remove(frame) {
                return Some(look);
            }
            let (other, look) = self.running.next().await?;
            self.done.insert(other, look);
        }
    }

    /// Remembers which frames were shown, and which would have been walked for nothing.
    pub(super) fn remember(&self, tab: &Tab) {
        let mut facts = tab.state.facts();
        for id in &self.begun {
            if let Some(frame) = facts.frames.get_mut(id) {
                frame.unseen = !self.shown.contains(id);
            }
        }
    }
}
