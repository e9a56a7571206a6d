//! Waiting for something on the page, in the page: by observers, not by asking again. What only a
//! script can tell is waited for in `wait/function.rs`.

mod function;

use std::time::Duration;

use futures_util::future::{join_all, select_all};
use tokio::time::Instant;

use crate::element::millis;
use crate::error::{Error, Result};
use crate::page::Answer;
use crate::page::ops::{Step, Until, WaitReply, WaitRequest};
use crate::tab::Tab;
use crate::tab_state::Facts;
use crate::target::Target;

/// What a wait for an element waits for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ElementState {
    /// It is in the document.
    Attached,
    /// It is not.
    Detached,
    /// A person can see it.
    #[default]
    Visible,
    /// No person can see it.
    Hidden,
}

impl Tab {
    /// Waits for an element to be in a state.
    pub async fn wait_for(&mut self, target: &Target, state: ElementState) -> Result<()> {
        if target.searches_frames() {
            let (_, steps) = self.start_of(target).await?;
            return self.wait_in_frames(&Sought::Element { target, steps: &steps, state }).await;
        }
        let gone = state.is_absence();
        loop {
            let (mut frame, steps) = match self.start_of(target).await {
                // For what shall go, being nowhere is being gone.
                Err(Error::StaleRef { .. }) if gone => return Ok(()),
                located => located?,
            };
            let mut steps = steps.as_slice();
            loop {
                let token = self.token();
                let until = state.of(steps);
                let request = WaitRequest { until, timeout: millis(self.context.left()), token };
                match self.op_once(&frame, "wait", &request, Some(token)).await? {
                    Answer::Is(WaitReply::Met { .. }, _) => return Ok(()),
                    Answer::Is(WaitReply::Unmet { state: seen, .. }, _) => {
                        return Err(
                            self.unmet(&format!("'{target}' to be {}", state.name()), &seen)
                        );
                    }
                    Answer::Is(WaitReply::Frame { id, used }, document) => {
                        let Some(child) = self.child_frame(&frame, document, id).await? else {
                            break;
                        };
                        (frame, steps) = (child, &steps[used.min(steps.len())..]);
                    }
                    Answer::Is(WaitReply::Failed(failed), document) => {
                        return match self.failed(target, &frame, document, failed, None) {
                            Error::StaleRef { .. } if gone => Ok(()),
                            error => Err(error),
                        };
                    }
                    Answer::Navigated => break,
                }
            }
            match self.new_document(&frame).await {
                Err(Error::Internal { .. }) if gone => return Ok(()),
                Err(Error::Internal { .. }) if Instant::now() < self.deadline() => {}
                other => other?,
            }
        }
    }

    /// Waits for text to appear in any frame, or to be in none; also in frames that come meanwhile.
    pub async fn wait_for_text(&mut self, text: &str, gone: bool) -> Result<()> {
        self.wait_in_frames(&Sought::Text { text, gone }).await
    }

    /// Waits for what may be in any frame, and begins again when there are others.
    async fn wait_in_frames(&mut self, sought: &Sought<'_>) -> Result<()> {
        loop {
            let top = match sought {
                Sought::Text { .. } => self.main_frame(),
                Sought::Element { .. } => self.home_frame(),
            };
            let known = self.state.facts().frames.documents(&top);
            let frames: Vec<Asked> =
                known.iter().map(|(frame, _)| (frame.clone(), self.token())).collect();
            let others = |facts: &Facts| (facts.frames.documents(&top) != known).then_some(());
            let watch = async {
                match sought.is_absence() {
                    true => self.gone_from(&frames, sought).await,
                    false => self.come_to(&frames, sought).await,
                }
            };
            let watched = tokio::select! {
                biased;
                watched = watch => watched?,
                // Frames came, went or have other documents.
                Some(()) = self.state.until(self.deadline(), others) => Watched::Other,
            };
            match watched {
                Watched::Met => return Ok(()),
                Watched::Unmet(seen) => return Err(self.unmet(&sought.in_words(), &seen)),
                Watched::Other if self.context.left().is_zero() => {
                    return Err(self.unmet(&sought.in_words(), "the page does not rest"));
                }
                Watched::Other => {}
            }
        }
    }

    /// Waits in all of these frames at once; the first that has it ends it.
    async fn come_to(&self, frames: &[Asked], sought: &Sought<'_>) -> Result<Watched> {
        let mut waits: Vec<_> =
            frames.iter().map(|asked| Box::pin(self.wait_in(asked, sought, true))).collect();
        let (mut seen, mut nearer) = (String::new(), false);
        while !waits.is_empty() {
            let (answer, _, rest) = select_all(waits).await;
            waits = rest;
            match answer {
                Ok(Answer::Is(WaitReply::Unmet { state, near }, _)) => {
                    if seen.is_empty() || (near && !nearer) {
                        (seen, nearer) = (state, near);
                    }
                }
                Ok(answer) => return self.watched(&frames[0], sought, answer).await,
                // A frame that cannot answer has not got it; the main frame must.
                Err(error) if frames.len() == 1 => return Err(error),
                Err(_) => {}
            }
        }
        Ok(Watched::Unmet(seen))
    }

    /// Waits until none of these frames has it, which it must be in all of them at the same time.
    async fn gone_from(&self, frames: &[Asked], sought: &Sought<'_>) -> Result<Watched> {
        let patience = self.patience(false);
        loop {
            let looks = frames.iter().map(async |asked| {
                self.ask_frame(&asked.0, patience, self.wait_in(asked, sought, false)).await
            });
            let mut still = None;
            for (asked, answer) in frames.iter().zip(join_all(looks).await) {
                match answer {
                    Some(Ok(Answer::Is(WaitReply::Met { .. }, _))) => {}
                    Some(Ok(Answer::Is(WaitReply::Unmet { .. }, _))) => {
                        still.get_or_insert(asked);
                    }
                    Some(Ok(answer)) => return self.watched(asked, sought, answer).await,
                    Some(Err(error)) if frames.len() == 1 => return Err(error),
                    // As above.
                    Some(Err(_)) | None => {}
                }
            }
            let Some(still) = still else { return Ok(Watched::Met) };
            match self.wait_in(still, sought, true).await? {
                // From this one; another may have it by now.
                Answer::Is(WaitReply::Met { .. }, _) => {}
                answer => return self.watched(still, sought, answer).await,
            }
        }
    }

    /// What one frame's answer means for all.
    async fn watched(
        &self,
        (frame, _): &Asked,
        sought: &Sought<'_>,
        answer: Answer<WaitReply>,
    ) -> Result<Watched> {
        match (answer, sought) {
            (Answer::Is(WaitReply::Met { .. }, _), _) => Ok(Watched::Met),
            (Answer::Is(WaitReply::Unmet { state, .. }, _), _) => Ok(Watched::Unmet(state)),
            (Answer::Is(WaitReply::Failed(failed), document), Sought::Element { target, .. }) => {
                Err(self.failed(target, frame, document, failed, None))
            }
            _ => {
                // The event that tells which document took its place may be a moment behind.
                let soon = self.deadline().min(Instant::now() + A_MOMENT);
                self.state.until(soon, |_| None::<()>).await;
                Ok(Watched::Other)
            }
        }
    }

    /// Waits in one frame, or only looks; follows the target into further ones.
    async fn wait_in(
        &self,
        (frame, token): &Asked,
        sought: &Sought<'_>,
        patient: bool,
    ) -> Result<Answer<WaitReply>> {
        let (mut frame, mut used, token) = (frame.clone(), 0, *token);
        loop {
            let timeout = if patient { millis(self.context.left()) } else { 0 };
            let request = WaitRequest { until: sought.until(used), timeout, token };
            match self.op_once(&frame, "wait", &request, Some(token)).await? {
                Answer::Is(WaitReply::Frame { id, used: more }, document) => {
                    let Some(child) = self.child_frame(&frame, document, id).await? else {
                        return Ok(Answer::Navigated);
                    };
                    (frame, used) = (child, used + more);
                }
                answer => return Ok(answer),
            }
        }
    }

    /// Waits until the page has loaded so far.
    pub async fn wait_for_load(&mut self, until: crate::WaitUntil) -> Result<()> {
        self.loaded(until).await
    }

    /// Waits until the page's address contains this, or matches it as a glob; gives the address.
    pub async fn wait_for_url(&mut self, wanted: &str) -> Result<String> {
        let there = |facts: &Facts| {
            let url = &facts.frames.main()?.url;
            url_matches(url, wanted).then(|| url.clone())
        };
        match self.state.until(self.deadline(), there).await {
            Some(url) => Ok(url),
            None => {
                let at = crate::text::cut(&self.url(), 200);
                Err(self.unmet(&format!("the URL '{wanted}'"), &format!("it is {at}")))
            }
        }
    }

    /// Does nothing for a while.
    pub async fn pause(&mut self, time: Duration) {
        tokio::time::sleep(time).await;
    }

    fn unmet(&self, waiting_for: &str, seen: &str) -> Error {
        let seen = if seen.is_empty() { String::new() } else { format!(" ({seen})") };
        self.too_late(&format!("{waiting_for}{seen}"))
    }
}

/// A frame, and the number of the wait in it.
type Asked = (String, u32);

/// What may be in any frame.
enum Sought<'a> {
    /// Text on the page, to come or to go.
    Text { text: &'a str, gone: bool },
    /// An element by its meaning.
    Element { target: &'a Target, steps: &'a [Step], state: ElementState },
}

impl Sought<'_> {
    /// Whether it is to be nowhere, not somewhere.
    fn is_absence(&self) -> bool {
        match self {
            Self::Text { gone, .. } => *gone,
            Self::Element { state, .. } => state.is_absence(),
        }
    }

    /// For a frame's page code, which has to look for what is left after `used` steps.
    fn until(&self, used: usize) -> Until<'_> {
        match self {
            Self::Text { text, gone: false } => Until::Text { text },
            Self::Text { text, gone: true } => Until::Gone { text },
            Self::Element { steps, state, .. } => state.of(&steps[used.min(steps.len())..]),
        }
    }

    fn in_words(&self) -> String {
        match self {
            Self::Text { text, gone: false } => format!("the text '{text}'"),
            Self::Text { text, gone: true } => format!("the text '{text}' to go away"),
            Self::Element { target, state, .. } => format!("'{target}' to be {}", state.name()),
        }
    }
}

/// What waiting in some frames came to.
enum Watched {
    Met,
    /// The last that was seen, in words.
    Unmet(String),
    /// There are other frames or documents now.
    Other,
}

/// How long an event may be behind what it tells.
const A_MOMENT: Duration = Duration::from_millis(20);

/// A glob must match the whole address, anything else a part of it.
fn url_matches(url: &str, wanted: &str) -> bool {
    if !wanted.contains('*') {
        return url.contains(wanted);
    }
    let parts: Vec<&str> = wanted.split('*').filter(|part| !part.is_empty()).collect();
    let mut at = 0;
    for (n, part) in parts.iter().enumerate() {
        let found = match n == 0 && !wanted.starts_with('*') {
            true => url.starts_with(part).then_some(0),
            false => url[at..].find(part).map(|found| at + found),
        };
        let Some(found) = found else { return false };
        at = found + part.len();
    }
    wanted.ends_with('*') || parts.last().is_none_or(|last| url.ends_with(last))
}

impl ElementState {
    fn is_absence(self) -> bool {
        matches!(self, Self::Detached | Self::Hidden)
    }

    fn of(self, query: &[Step]) -> Until<'_> {
        match self {
            Self::Attached => Until::Attached { query },
            Self::Detached => Until::Detached { query },
            Self::Visible => Until::Visible { query },
            Self::Hidden => Until::Hidden { query },
        }
    }

    /// Its name as agents write it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Attached => "attached",
            Self::Detached => "detached",
            Self::Visible => "visible",
            Self::Hidden => "hidden",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_match_by_part_or_by_glob() {
        let url = "https://a.test/shop/cart?x=1";
        for wanted in ["/cart", "https://*/cart*", "*cart?x=1", "https://a.test/*", "**/cart*"] {
            assert!(url_matches(url, wanted), "{wanted}");
        }
        for wanted in ["/basket", "http://*/cart*", "https://*/cart", "*x=2"] {
            assert!(!url_matches(url, wanted), "{wanted}");
        }
    }
}
