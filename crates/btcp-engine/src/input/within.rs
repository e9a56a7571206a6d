//! Text that must not leave its document: a secret, on a page with frames of other sites.
//!
//! Keys go to whoever has the focus when they arrive, and any frame can take it between two of them.
//! So a secret is put in by the page code of the very document that may have it (`insert.ts`), which
//! tells handlers of each character; keys without a character, such as Enter, are real ones.

use std::time::Duration;

use crate::error::{Error, Result};
use crate::input::characters::characters;
use crate::input::keys;
use crate::page::ops::{InsertReply, InsertRequest};
use crate::page::{Answer, Place};
use crate::secrets::Bound;
use crate::tab::Tab;

impl Tab {
    /// Where secrets must stay that go to the element of this call; `None` if every frame of the
    /// page may have them.
    pub(crate) fn must_stay_in(&self, carried: &[Bound]) -> Option<Place> {
        if carried.is_empty() {
            return None;
        }
        let place = self.acted_on().cloned()?;
        let main = self.main_frame();
        let frames = self.state.facts().frames.below(&main);
        let strange = frames.iter().any(|frame| !self.is_meant_for(frame, carried));
        strange.then_some(place)
    }

    /// `type_text` within a document.
    pub(crate) async fn type_within(
        &mut self,
        place: &Place,
        text: &str,
        delay: Duration,
    ) -> Result<()> {
        let mut pieces = Vec::new();
        for typed in characters(text) {
            let mut chars = typed.chars();
            let single = chars.next().filter(|_| chars.next().is_none());
            let key = single.and_then(keys::for_char);
            match key {
                Some(key) if single.is_some_and(char::is_control) => {
                    self.insert_within(place, &std::mem::take(&mut pieces)).await?;
                    self.press(&key.key).await?;
                }
                key => pieces.push((typed, key.map_or("", |key| key.code))),
            }
            if !delay.is_zero() {
                self.insert_within(place, &std::mem::take(&mut pieces)).await?;
                tokio::time::sleep(delay).await;
            }
        }
        self.insert_within(place, &pieces).await
    }

    /// Puts characters, each with the code of its key, into the document of a place.
    pub(crate) async fn insert_within(&self, place: &Place, pieces: &[(&str, &str)]) -> Result<()> {
        if pieces.is_empty() {
            return Ok(());
        }
        self.context.progress.sent();
        let request = InsertRequest { id: place.id, pieces };
        let inserted = match self.op_at(place, "insert", &request).await? {
            Answer::Is(InsertReply { inserted }, _) => inserted,
            // It went elsewhere by what it was told.
            Answer::Navigated => pieces.len(),
        };
        if inserted > 0 {
            self.context.progress.happened();
        }
        match inserted == pieces.len() {
            true => Ok(()),
            false => {
                let message = format!(
                    "The secret was not put in: the field took {inserted} of {} characters",
                    pieces.len()
                );
                Err(Error::Denied { message })
            }
        }
    }
}
