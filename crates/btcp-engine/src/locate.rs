//! Where a target begins: which frame has it, and what to look for there.
//!
//! A ref leads to its own document; CSS and XPath belong to the frame the agent works in; what
//! has a meaning (text, role, label) may be in any frame below, also in one that comes later. The
//! frames are one page to whoever looks at it: a whole match in one is better than a partial one in
//! another, and equal ones in two are as ambiguous as in one.

use futures_util::future::{join_all, select_all};
use tokio::time::Instant;

use crate::element::{LOOK_AGAIN, millis, role_and_name};
use crate::error::{Error, Result};
use crate::page::ops::{FindReply, FindRequest, Step, Until, WaitReply, WaitRequest};
use crate::page::{Answer, Place};
use crate::sessions::lock;
use crate::tab::Tab;
use crate::tab_state::Facts;
use crate::target::{Part, Target};

/// How many equal matches are listed.
const LISTED: usize = 5;

impl Tab {
    /// Where to look: the frame, and the steps inside it. Waits for targets that may be in any
    /// frame to turn up in one.
    pub(crate) async fn locate(&mut self, target: &Target) -> Result<(String, Vec<Step>)> {
        self.locate_for(target, false).await
    }

    /// The same for changing something: several frames with equal matches are ambiguous.
    pub(crate) async fn locate_to_change(
        &mut self,
        target: &Target,
    ) -> Result<(String, Vec<Step>)> {
        self.locate_for(target, true).await
    }

    async fn locate_for(&mut self, target: &Target, change: bool) -> Result<(String, Vec<Step>)> {
        let (frame, steps) = self.start_of(target).await?;
        let home = self.home_frame();
        if !target.searches_frames() || self.state.facts().frames.below(&home).len() == 1 {
            return Ok((frame, steps));
        }
        if let Some(found) = self.frame_with(target, &steps, change).await? {
            return Ok((found, steps));
        }
        // In none: the home frame's own answer says so best.
        let Some(first) = self.frame_to_come(&steps).await else { return Ok((home, steps)) };
        // What came brought more along, perhaps.
        let best = self.frame_with(target, &steps, change).await?;
        Ok((best.unwrap_or(first), steps))
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

    /// The first frame that has the target now, a visible one before a hidden one, and the whole
    /// of it before a part.
    async fn frame_with(
        &self,
        target: &Target,
        steps: &[Step],
        change: bool,
    ) -> Result<Option<String>> {
        let home = self.home_frame();
        let frames = self.state.facts().frames.below(&home);
        let request = FindRequest { query: steps, limit: 0, seen: false };
        let patience = self.patience(false);
        let looks = frames.iter().map(async |frame| {
            let found = self.op_once(frame, "find", &request, None);
            // Whoever works in a frame waits for it, and hears that it hangs.
            if *frame == home {
                return Some(found.await);
            }
            self.ask_frame(frame, patience, found).await
        });
        let (mut shown, mut hidden) = (Vec::new(), None);
        for (frame, answer) in frames.iter().zip(join_all(looks).await) {
            match answer {
                Some(Ok(Answer::Is(FindReply::Found { visible: 1.., whole, .. }, _))) => {
                    shown.push((frame.as_str(), whole));
                }
                Some(Ok(Answer::Is(FindReply::Found { count: 1.., whole: true, .. }, _)))
                    if !matches!(hidden, Some((_, true))) =>
                {
                    hidden = Some((frame.clone(), true));
                }
                Some(Ok(Answer::Is(
                    FindReply::Found { count: 1.., .. } | FindReply::Frame { .. },
                    _,
                ))) => {
                    hidden.get_or_insert_with(|| (frame.clone(), false));
                }
                Some(Ok(Answer::Is(FindReply::Failed(_), _))) => return Ok(Some(frame.clone())),
                Some(Err(error)) if *frame == home => return Err(error),
                _ => {}
            }
        }
        let hidden = hidden.map(|(frame, _)| frame);
        if shown.len() < 2 {
            return Ok(shown.first().map(|(frame, _)| (*frame).to_owned()).or(hidden));
        }
        let best = self.best_of(&home, shown).await;
        if change && best.len() > 1 && steps.last().is_some_and(Step::has_meaning) {
            self.ambiguous_over(target, &best, steps).await?;
        }
        Ok(best.first().map(|frame| (*frame).to_owned()))
    }

    /// Of frames with visible matches those a person can look into, and of these the ones that have
    /// whole matches, if any has.
    async fn best_of<'f>(&self, home: &str, shown: Vec<(&'f str, bool)>) -> Vec<&'f str> {
        let looks = shown.iter().map(async |(frame, _)| self.is_in_sight(frame, home).await);
        let looks = join_all(looks).await;
        let mut seen: Vec<_> =
            shown.iter().zip(looks).filter(|(_, sight)| *sight).map(|(one, _)| *one).collect();
        if seen.is_empty() {
            seen = shown;
        }
        let whole = seen.iter().any(|(_, whole)| *whole);
        seen.into_iter().filter(|(_, own)| *own || !whole).map(|(frame, _)| frame).collect()
    }

    /// Whether a person can see a frame that is below another: what shows in a document shows
    /// nowhere if its `<iframe>` does not.
    async fn is_in_sight(&self, frame: &str, home: &str) -> bool {
        let mut inner = frame.to_owned();
        while inner != home {
            let Ok(Some((parent, document, id))) = self.owner_of(&inner).await else {
                return false;
            };
            let query = [Step::Ref { id }];
            let request = FindRequest { query: &query, limit: 0, seen: false };
            let at = Place { frame: parent.clone(), document, id };
            match self.op_at(&at, "find", &request).await {
                Ok(Answer::Is(FindReply::Found { visible: 1.., .. }, _)) => inner = parent,
                _ => return false,
            }
        }
        true
    }

    /// Fails if several of these frames show the target still.
    async fn ambiguous_over(&self, target: &Target, frames: &[&str], steps: &[Step]) -> Result<()> {
        let request = FindRequest { query: steps, limit: LISTED, seen: true };
        let (mut count, mut matches) = (0, Vec::new());
        for frame in frames {
            let found = self.op_once(frame, "find", &request, None).await;
            if let Ok(Answer::Is(FindReply::Found { count: here, matches: named, .. }, document)) =
                found
            {
                count += here;
                let left = LISTED - matches.len();
                matches.extend(self.names(frame, document, &named[..named.len().min(left)]));
            }
        }
        match count {
            0 | 1 => Ok(()),
            _ => Err(Error::Ambiguous { target: target.to_string(), count, matches }),
        }
    }

    /// Where a target begins: a ref in its own document, anything else in the main frame.
    pub(crate) async fn start_of(&mut self, target: &Target) -> Result<(String, Vec<Step>)> {
        if target.ref_number().is_none() {
            self.check_home()?;
        }
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
        self.meet_strangers(&steps).await;
        Ok((frame, steps))
    }

    async fn matches_none(&self, frame: &str, query: &[Step]) -> bool {
        let request = FindRequest { query, limit: 0, seen: false };
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
        let request = FindRequest { query: &query, limit: 3, seen: false };
        let main = self.main_frame();
        match self.op_once(&main, "find", &request, None).await {
            Ok(Answer::Is(FindReply::Found { matches, .. }, document)) => {
                self.names(&main, document, &matches)
            }
            _ => Vec::new(),
        }
    }
}
