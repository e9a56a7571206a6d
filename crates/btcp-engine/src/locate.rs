//! Where a target begins: which frame has it, and what to look for there.
//!
//! A ref leads to its own document; CSS and XPath belong to the frame the agent works in; what
//! has a meaning (text, role, label) may be in any frame below, also in one that comes later.

use futures_util::future::{join_all, select_all};
use tokio::time::Instant;

use crate::element::{LOOK_AGAIN, millis, role_and_name};
use crate::error::{Error, Result};
use crate::page::Answer;
use crate::page::ops::{FindReply, FindRequest, Step, Until, WaitReply, WaitRequest};
use crate::sessions::lock;
use crate::tab::Tab;
use crate::tab_state::Facts;
use crate::target::{Part, Target};

impl Tab {
    /// Where to look: the frame, and the steps inside it. Waits for targets that may be in any
    /// frame to turn up in one.
    pub(crate) async fn locate(&mut self, target: &Target) -> Result<(String, Vec<Step>)> {
        let (frame, steps) = self.start_of(target).await?;
        let home = self.home_frame();
        if !target.searches_frames() || self.state.facts().frames.below(&home).len() == 1 {
            return Ok((frame, steps));
        }
        if let Some(found) = self.frame_with(&steps).await? {
            return Ok((found, steps));
        }
        // In none: the home frame's own answer says so best.
        Ok((self.frame_to_come(&steps).await.unwrap_or(home), steps))
    }

    /// Waits in all frames at once, also in those that come meanwhile; the first in which the
    /// target turns up has it.
    async fn frame_to_come(&mut self, steps: &[Step]) -> Option<String> {
        let home = self.home_frame();
        while Instant::now() < self.deadline() {
            let known = self.state.facts().frames.documents(&home);
            let token = self.token();
            let timeout = millis(self.context.left());
            let request = WaitRequest { until: Until::Attached { query: steps }, timeout, token };
            let others = |facts: &Facts| (facts.frames.documents(&home) != known).then_some(());
            tokio::select! {
                biased;
                found = self.first_to_have(&known, &request, token) => return found,
                // Frames came, went or have other documents: begin again with those there are.
                Some(()) = self.state.until(self.deadline(), others) => {}
            }
        }
        None
    }

    async fn first_to_have(
        &self,
        frames: &[(String, u64)],
        request: &WaitRequest<'_>,
        token: u32,
    ) -> Option<String> {
        let waits = frames.iter().map(|(frame, _)| {
            Box::pin(
                async move { (frame, self.op_once(frame, "wait", request, Some(token)).await) },
            )
        });
        let mut waits: Vec<_> = waits.collect();
        while !waits.is_empty() {
            let ((frame, answer), _, rest) = select_all(waits).await;
            waits = rest;
            if let Ok(Answer::Is(reply, _)) = answer
                && !matches!(reply, WaitReply::Unmet { .. })
            {
                return Some(frame.clone());
            }
        }
        // All have given up, or are about to be replaced.
        let soon = self.deadline().min(Instant::now() + LOOK_AGAIN);
        self.state.until(soon, |_| None::<()>).await;
        None
    }

    /// The first frame that has the target now, a visible one before a hidden one.
    async fn frame_with(&self, steps: &[Step]) -> Result<Option<String>> {
        let home = self.home_frame();
        let frames = self.state.facts().frames.below(&home);
        let request = FindRequest { query: steps, limit: 0 };
        let looks = frames.iter().map(|frame| self.op_once(frame, "find", &request, None));
        let mut hidden = None;
        for (frame, answer) in frames.iter().zip(join_all(looks).await) {
            match answer {
                Ok(Answer::Is(FindReply::Found { visible: 1.., .. }, _)) => {
                    return Ok(Some(frame.clone()));
                }
                Ok(Answer::Is(
                    FindReply::Found { count: 1.., .. } | FindReply::Frame { .. },
                    _,
                )) => {
                    hidden.get_or_insert_with(|| frame.clone());
                }
                Ok(Answer::Is(FindReply::Failed(_), _)) => return Ok(Some(frame.clone())),
                Err(error) if *frame == home => return Err(error),
                _ => {}
            }
        }
        Ok(hidden)
    }

    /// Where a target begins: a ref in its own document, anything else in the main frame.
    pub(crate) async fn start_of(&mut self, target: &Target) -> Result<(String, Vec<Step>)> {
        let mut steps = Vec::with_capacity(target.parts().len());
        let mut frame = self.home_frame();
        for part in target.parts() {
            match part {
                Part::Step(step) => steps.push(step.clone()),
                Part::RefOrCss(number, css) if lock(&self.session.refs).get(*number).is_none() => {
                    let css = [Step::Css { value: css.clone() }];
                    // No element is called so; whoever writes it means a ref, and waits in vain.
                    if self.matches_none(&frame, &css).await {
                        let similar = Vec::new();
                        return Err(Error::NotFound { target: target.to_string(), similar });
                    }
                    steps.extend(css);
                }
                Part::Ref(number) | Part::RefOrCss(number, _) => {
                    let (home, id) = self.home_of(target, *number).await?;
                    frame = home;
                    steps.push(Step::Ref { id });
                }
            }
        }
        Ok((frame, steps))
    }

    async fn matches_none(&self, frame: &str, query: &[Step]) -> bool {
        let request = FindRequest { query, limit: 0 };
        let found = self.op_once(frame, "find", &request, None).await;
        matches!(found, Ok(Answer::Is(FindReply::Found { count: 0, .. }, _)))
    }

    /// The frame and number of a ref, if its document is still there.
    async fn home_of(&mut self, target: &Target, number: u32) -> Result<(String, u32)> {
        let issued = lock(&self.session.refs).get(number).cloned();
        let Some(issued) = issued else {
            return Err(Error::NotFound { target: target.to_string(), similar: Vec::new() });
        };
        let alive = issued.place.tab == self.state.id
            && self
                .state
                .facts()
                .frames
                .get(&issued.place.frame)
                .is_some_and(|frame| frame.document == issued.place.document);
        if alive {
            return Ok((issued.place.frame, issued.place.id));
        }
        let similar = self.looks_like(&issued.what).await;
        Err(Error::StaleRef { target: target.to_string(), was: issued.what, similar })
    }

    /// What the page has now that has the same role and name.
    async fn looks_like(&mut self, what: &str) -> Vec<String> {
        let (role, name) = role_and_name(what);
        let query = [Step::Role { role, name, exact: true }];
        let request = FindRequest { query: &query, limit: 3 };
        let main = self.main_frame();
        match self.op_once(&main, "find", &request, None).await {
            Ok(Answer::Is(FindReply::Found { matches, .. }, document)) => {
                self.names(&main, document, &matches)
            }
            _ => Vec::new(),
        }
    }
}
