//! The session's clipboard.
//!
//! Chrome has one for all its sessions, so it is not the one: what a page copies is noted by the page
//! code and kept here, and Chrome's is filled for the moment of a paste, in which nobody else pastes.

use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use btcp_cdp::input::InsertText;
use btcp_cdp::runtime;
use futures_util::future::join_all;
use tokio::sync::{Mutex as Turns, OwnedMutexGuard};
use tokio::time::Instant;

use crate::error::Result;
use crate::hang::PASSING;
use crate::page::ops::{Copied, PutClipboardRequest};
use crate::page::{Answer, Place, World, build_call};
use crate::sessions::lock;
use crate::tab::Tab;

/// How long Chrome's clipboard may take to be emptied.
const EMPTYING: Duration = Duration::from_secs(2);

/// What a session has copied.
#[derive(Debug, Default)]
pub(crate) struct Clipboard(Mutex<Option<Copied>>);

impl Clipboard {
    /// Keeps what was copied last.
    pub(crate) fn note(&self, copied: Copied) {
        let mut kept = lock(&self.0);
        if kept.as_ref().is_none_or(|kept| kept.at <= copied.at) {
            *kept = Some(copied);
        }
    }

    fn get(&self) -> Copied {
        lock(&self.0).clone().unwrap_or_default()
    }
}

/// Whose turn it is with Chrome's own clipboard.
pub(crate) type Turn = Arc<Turns<()>>;

/// How a session's text is pasted.
pub(crate) enum Pasting {
    /// Chrome's clipboard holds it, for as long as this lives.
    Filled { world: World, _turn: OwnedMutexGuard<()> },
    /// With windows, and in a person's Chrome, its clipboard is the desktop's, in which a person's things
    /// are: the text is inserted.
    Inserted(String),
    /// A secret is in it, and frames of other sites are on the page: it is put into this document.
    Within(Place, String),
}

impl Tab {
    /// The text that was copied last in the session.
    pub async fn read_clipboard(&self) -> String {
        self.hear_copies().await;
        self.session.clipboard.get().text
    }

    /// Puts a text into the session's clipboard.
    pub fn write_clipboard(&self, text: &str) {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let at = now.as_secs_f64() * 1000.0;
        self.session.clipboard.note(Copied { text: text.to_owned(), html: None, at });
    }

    /// Asks every frame what was copied there since it was last asked.
    async fn hear_copies(&self) {
        let frames = {
            let facts = self.state.facts();
            facts.frames.below(&facts.frames.main)
        };
        let asked = frames.iter().map(async |id| {
            let copied = self.op_once::<_, Option<Copied>>(id, "copied", &(), None);
            self.ask_frame(id, PASSING, copied).await
        });
        for answer in join_all(asked).await {
            // A frame that is gone has copied nothing, and one that hangs keeps nobody from pasting.
            if let Some(Ok(Answer::Is(Some(copied), _))) = answer {
                self.session.clipboard.note(copied);
            }
        }
    }

    /// Fills Chrome's clipboard with the session's, until `pasted`.
    pub(crate) async fn pasting(&self) -> Result<Option<Pasting>> {
        self.hear_copies().await;
        if self.session.browser.shares_clipboard() {
            let copied = self.session.clipboard.get();
            let held = self.secrets().held_in(&copied.text);
            self.focus_may_have(&held)?;
            return Ok(Some(match self.must_stay_in(&held) {
                Some(place) => Pasting::Within(place, copied.text),
                None => Pasting::Inserted(copied.text),
            }));
        }
        let Some(world) = self.world(&self.main_frame()).await? else { return Ok(None) };
        let turn = self.session.browser.clipboard.clone().lock_owned();
        let Ok(turn) = tokio::time::timeout_at(self.deadline(), turn).await else {
            return Err(self.too_late("another session's paste"));
        };
        let copied = self.session.clipboard.get();
        // A secret that was copied goes no further than one that is typed.
        let mut held = self.secrets().held_in(&copied.text);
        held.extend(self.secrets().held_in(copied.html.as_deref().unwrap_or_default()));
        self.focus_may_have(&held)?;
        if let Some(place) = self.must_stay_in(&held) {
            return Ok(Some(Pasting::Within(place, copied.text)));
        }
        let request = PutClipboardRequest { text: &copied.text, html: copied.html.as_deref() };
        self.fill_chromes(&world, &request, self.deadline()).await?;
        Ok(Some(Pasting::Filled { world, _turn: turn }))
    }

    /// Empties it again. Where a page cannot be asked any more it stays until the next paste, of
    /// whatever session, fills it.
    pub(crate) async fn pasted(&self, pasting: Option<Pasting>) -> Result<()> {
        match pasting {
            Some(Pasting::Within(place, text)) if !text.is_empty() => {
                return self.insert_within(&place, &[(&text, "")]).await;
            }
            Some(Pasting::Inserted(text)) if !text.is_empty() => {
                let inserted = self.send(&InsertText { text: &text }).await;
                return inserted.map(drop).map_err(|error| self.explain(error));
            }
            Some(Pasting::Filled { world, _turn }) if !self.state.facts().stuck() => {
                let empty = PutClipboardRequest { text: "", html: None };
                let soon = Instant::now() + EMPTYING;
                if let Err(error) = self.fill_chromes(&world, &empty, soon).await {
                    tracing::debug!(%error, "Chrome's clipboard was not emptied");
                }
            }
            _ => {}
        }
        Ok(())
    }

    async fn fill_chromes(
        &self,
        world: &World,
        request: &PutClipboardRequest<'_>,
        deadline: Instant,
    ) -> Result<()> {
        // Chrome lets scripts copy only as a person's action.
        let call = runtime::CallFunctionOn { user_gesture: Some(true), ..Default::default() };
        let put = build_call(world.context, "putClipboard", request, &[], call, |call| {
            self.state.call(&world.session, call, deadline)
        });
        match put.await {
            Err(error) if !crate::page::is_navigation(&error) => Err(self.explain(error)),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_copied_last_is_kept_in_whatever_order_it_is_heard() {
        let clipboard = Clipboard::default();
        assert_eq!(clipboard.get().text, "");
        let copied = |text: &str, at| Copied { text: text.to_owned(), html: None, at };

        clipboard.note(copied("second", 2.0));
        clipboard.note(copied("first", 1.0));

        assert_eq!(clipboard.get().text, "second");
    }
}
