//! The session's clipboard.
//!
//! Chrome has one for all its sessions, so it is not the one: what a page copies is noted by the page
//! code and kept here, and the page code pastes it; Chrome's own is never asked.

use std::sync::Mutex;
use std::time::{SystemTime, UNIX_EPOCH};

use futures_util::future::join_all;

use crate::error::{Error, Result};
use crate::hang::PASSING;
use crate::page::ops::{Copied, PasteRequest};
use crate::page::{Answer, Place};
use crate::sessions::lock;
use crate::tab::Tab;

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

/// A session's text that is about to be pasted.
pub(crate) struct Pasting {
    copied: Copied,
    /// A secret is in it, and frames of other sites are on the page: it is put into this document.
    within: Option<Place>,
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

    /// What a paste would put in now; a plain one without markup.
    pub(crate) async fn pasting(&self, plain: bool) -> Result<Pasting> {
        self.hear_copies().await;
        let mut copied = self.session.clipboard.get();
        copied.html = copied.html.filter(|_| !plain);
        // A secret that was copied goes no further than one that is typed.
        let mut held = self.secrets().held_in(&copied.text);
        held.extend(self.secrets().held_in(copied.html.as_deref().unwrap_or_default()));
        self.focus_may_have(&held)?;
        Ok(Pasting { within: self.must_stay_in(&held), copied })
    }

    /// Whether pages may hear of the key that pastes. With windows, and in a person's Chrome, it would also paste
    /// the desktop's clipboard, in which a person's things are.
    pub(crate) fn sends_paste_key(&self, pasting: &Pasting) -> bool {
        pasting.within.is_none() && !self.state.shared.desktop
    }

    /// Pastes where the keyboard is.
    pub(crate) async fn paste(&self, pasting: &Pasting) -> Result<()> {
        let Pasting { copied: Copied { text, html, .. }, within } = pasting;
        if let Some(place) = within.as_ref().filter(|_| !text.is_empty()) {
            return self.insert_within(place, &[(text, "")]).await;
        }
        let frames = {
            let facts = self.state.facts();
            facts.frames.below(&facts.frames.main)
        };
        let request = PasteRequest { text, html: html.as_deref() };
        let asked = frames.iter().map(async |id| {
            let pasted = self.op_once::<_, bool>(id, "paste", &request, None);
            self.ask_frame(id, PASSING, pasted).await
        });
        self.context.progress.sent();
        for answer in join_all(asked).await {
            match answer {
                // A dialog that a paste opens is its effect.
                Some(Err(error)) if !matches!(error, Error::DialogOpen { .. }) => {
                    tracing::debug!(%error, "a frame did not say whether it was pasted there");
                }
                Some(Ok(Answer::Is(false, _))) | None => {}
                Some(_) => self.context.progress.happened(),
            }
        }
        Ok(())
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
