//! Waiting for something on the page, in the page: by observers, not by asking again.

use std::time::Duration;

use futures_util::future::select_all;

use crate::element::millis;
use crate::error::{Error, Result};
use crate::page::Answer;
use crate::page::ops::{Until, WaitReply, WaitRequest};
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
        let gone = matches!(state, ElementState::Detached | ElementState::Hidden);
        loop {
            // For what shall go, being nowhere is being gone; do not wait for it to come first.
            let located =
                if gone { self.start_of(target).await } else { self.locate(target).await };
            let (mut frame, steps) = match located {
                Err(Error::StaleRef { .. }) if gone => return Ok(()),
                located => located?,
            };
            let mut steps = steps.as_slice();
            loop {
                let until = match state {
                    ElementState::Attached => Until::Attached { query: steps },
                    ElementState::Detached => Until::Detached { query: steps },
                    ElementState::Visible => Until::Visible { query: steps },
                    ElementState::Hidden => Until::Hidden { query: steps },
                };
                let token = self.token();
                let request = WaitRequest { until, timeout: millis(self.context.left()), token };
                match self.op_once(&frame, "wait", &request, Some(token)).await? {
                    Answer::Is(WaitReply::Met { .. }, _) => return Ok(()),
                    Answer::Is(WaitReply::Unmet { state: seen }, _) => {
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
                other => other?,
            }
        }
    }

    /// Waits for text to appear in any frame, or to be in none.
    pub async fn wait_for_text(&mut self, text: &str, gone: bool) -> Result<()> {
        let waiting_for = match gone {
            false => format!("the text '{text}'"),
            true => format!("the text '{text}' to go away"),
        };
        loop {
            let main = self.main_frame();
            let frames = self.state.facts().frames.below(&main);
            let until = if gone { Until::Gone { text } } else { Until::Text { text } };
            let token = self.token();
            let request = WaitRequest { until, timeout: millis(self.context.left()), token };
            let mut waits: Vec<_> = frames
                .iter()
                .map(|frame| {
                    Box::pin(async { self.op_once(frame, "wait", &request, Some(token)).await })
                })
                .collect();
            let mut seen = String::new();
            let mut moved = false;
            while !waits.is_empty() {
                let (answer, _, rest) = select_all(waits).await;
                waits = rest;
                match answer {
                    Ok(Answer::Is(WaitReply::Met { .. }, _)) if !gone => return Ok(()),
                    Ok(Answer::Is(WaitReply::Unmet { state }, _)) => {
                        if gone {
                            return Err(self.unmet(&waiting_for, &state));
                        }
                        seen = state;
                    }
                    Ok(Answer::Navigated) => {
                        moved = true;
                        break;
                    }
                    Ok(_) => {}
                    // A frame that cannot answer has not got it; the main frame must.
                    Err(error) if frames.len() == 1 => return Err(error),
                    Err(_) => {}
                }
            }
            if !moved {
                return if gone { Ok(()) } else { Err(self.unmet(&waiting_for, &seen)) };
            }
            self.new_document(&main).await?;
        }
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
