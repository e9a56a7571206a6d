//! The keyboard: keys, chords and text.

use std::time::Duration;

use btcp_cdp::Call;
use btcp_cdp::input::{DispatchKeyEvent, InsertText, KeyEventType};

use crate::clipboard::Pasting;
use crate::error::{Error, Result};
use crate::input::characters::characters;
use crate::input::keys::{self, Chord, Key};
use crate::tab::Tab;

impl Tab {
    /// Presses a key or chord: `Enter`, `Control+a`, `Shift+Tab`.
    pub async fn press(&mut self, written: &str) -> Result<()> {
        let chord =
            Chord::parse(written).map_err(|message| Error::BadParam { field: "key", message })?;
        // Keys that are held down stay so.
        let before = self.memory.held.0;
        self.refuse_script_by(&chord.key).await?;
        let pasting = self.pasting_by(&chord).await?;
        self.context.progress.sent();
        let mut sent = Vec::new();
        let mut held = before;
        for modifier in &chord.modifiers {
            held |= modifier.modifier_bit();
            sent.push(self.key(KeyEventType::RawKeyDown, modifier, held));
        }
        let pasted = match pasting {
            Some(pasting) => {
                let before = std::mem::take(&mut sent);
                self.press_to_paste(&pasting, before, &chord.key, held, Press::Whole).await
            }
            None => {
                sent.push(self.key_down(&chord.key, held));
                sent.push(self.key(KeyEventType::KeyUp, &chord.key, held));
                Ok(())
            }
        };
        for modifier in chord.modifiers.iter().rev() {
            held &= !(modifier.modifier_bit() & !before);
            sent.push(self.key(KeyEventType::KeyUp, modifier, held));
        }
        let arrived = self.arrived(sent).await;
        pasted.and(arrived)
    }

    /// Presses a key or chord and keeps it down until `key_up`; a key that is down already repeats.
    pub async fn hold_key(&mut self, written: &str) -> Result<()> {
        let chord =
            Chord::parse(written).map_err(|message| Error::BadParam { field: "key", message })?;
        self.refuse_script_by(&chord.key).await?;
        let pasting = self.pasting_by(&chord).await?;
        self.context.progress.sent();
        let mut sent = Vec::new();
        for key in chord.modifiers.iter().chain([&chord.key]) {
            self.memory.held.0 |= key.modifier_bit();
            let again = self.memory.keys.contains(&key.key);
            if !again {
                self.memory.keys.push(key.key.clone());
            }
            if pasting.is_none() || key.modifier_bit() != 0 {
                sent.push(self.key_down_again(key, self.memory.held.0, again));
            }
        }
        match pasting {
            Some(pasting) => {
                let held = self.memory.held.0;
                self.press_to_paste(&pasting, sent, &chord.key, held, Press::Down).await
            }
            None => self.arrived(sent).await,
        }
    }

    /// Presses the key that pastes, which does nothing by itself, after what was sent before it, and pastes. It
    /// has not happened before the text is there.
    async fn press_to_paste(
        &self,
        pasting: &Pasting,
        mut before: Vec<Call<btcp_cdp::Empty>>,
        key: &Key,
        held: u8,
        press: Press,
    ) -> Result<()> {
        let sends = self.sends_paste_key(pasting);
        self.context.progress.sent();
        if sends {
            before.push(self.key_down(key, held));
        }
        self.delivered(before).await?;
        let pasted = self.paste(pasting).await;
        if sends && press == Press::Whole {
            let up = self.arrived(vec![self.key(KeyEventType::KeyUp, key, held)]).await;
            return pasted.and(up);
        }
        pasted
    }

    /// Lets go of a key or chord.
    pub async fn release_key(&mut self, written: &str) -> Result<()> {
        let chord =
            Chord::parse(written).map_err(|message| Error::BadParam { field: "key", message })?;
        self.context.progress.sent();
        let mut sent = Vec::new();
        for key in [&chord.key].into_iter().chain(chord.modifiers.iter().rev()) {
            self.memory.held.0 &= !key.modifier_bit();
            self.memory.keys.retain(|held| *held != key.key);
            sent.push(self.key(KeyEventType::KeyUp, key, self.memory.held.0));
        }
        self.arrived(sent).await
    }

    /// Types text, a key for each character; what no key makes is inserted as text: one character
    /// as a person sees it at a time, however many code points it has.
    pub async fn type_text(&mut self, text: &str, delay: Duration) -> Result<()> {
        self.may_carry_to_focus()?;
        let line_end = text.chars().find(|one| matches!(one, '\n' | '\r'));
        if let Some(enter) = line_end.and_then(keys::for_char) {
            self.refuse_script_by(&enter).await?;
        }
        self.remember_typed(text);
        if let Some(place) = self.must_stay_in(&self.context.carries) {
            return self.type_within(&place, text, delay).await;
        }
        self.context.progress.sent();
        let mut sent = Vec::new();
        for typed in characters(text) {
            let mut chars = typed.chars();
            let single = chars.next().filter(|_| chars.next().is_none());
            match single.and_then(keys::for_char) {
                Some(key) => {
                    let shift = if key.shifted { crate::Modifiers::SHIFT } else { 0 };
                    let held = self.memory.held.0 | shift;
                    if pastes(&key, held) {
                        self.delivered(std::mem::take(&mut sent)).await?;
                        let pasting = self.pasting(shift != 0).await?;
                        self.press_to_paste(&pasting, Vec::new(), &key, held, Press::Whole).await?;
                        continue;
                    }
                    sent.push(self.key_down(&key, held));
                    sent.push(self.key(KeyEventType::KeyUp, &key, held));
                }
                None => sent.push(self.send(&InsertText { text: typed })),
            }
            if !delay.is_zero() {
                for call in sent.drain(..) {
                    call.await.map_err(|error| self.explain(error))?;
                }
                tokio::time::sleep(delay).await;
            }
        }
        self.arrived(sent).await
    }

    /// Inserts text at the caret in one go, as an input method would.
    pub async fn insert_text(&mut self, text: &str) -> Result<()> {
        self.may_carry_to_focus()?;
        self.remember_typed(text);
        if let Some(place) = self.must_stay_in(&self.context.carries) {
            return self.insert_within(&place, &[(text, "")]).await;
        }
        self.context.progress.sent();
        let sent = vec![self.send(&InsertText { text })];
        self.arrived(sent).await
    }

    /// What a chord pastes, if it does.
    async fn pasting_by(&self, chord: &Chord) -> Result<Option<Pasting>> {
        let bits = chord.modifiers.iter().map(Key::modifier_bit);
        let held = bits.fold(self.memory.held.0, |held, bit| held | bit);
        if !pastes(&chord.key, held) {
            return Ok(None);
        }
        self.pasting(held & crate::Modifiers::SHIFT != 0).await.map(Some)
    }

    fn key_down(&self, key: &Key, modifiers: u8) -> Call<btcp_cdp::Empty> {
        self.key_down_again(key, modifiers, false)
    }

    fn key_down_again(&self, key: &Key, modifiers: u8, again: bool) -> Call<btcp_cdp::Empty> {
        // With Control, Alt or Meta held a key is a command, not text.
        let plain = modifiers & !crate::Modifiers::SHIFT == 0;
        let text = key.text.as_deref().filter(|_| plain);
        let kind = if text.is_some() { KeyEventType::KeyDown } else { KeyEventType::RawKeyDown };
        // What is pasted is not for Chrome to say.
        let commands = editing_command(key, modifiers).filter(|command| *command != PASTE);
        self.send(&DispatchKeyEvent {
            text,
            unmodified_text: text,
            commands: commands.as_ref().map(std::slice::from_ref),
            auto_repeat: again.then_some(true),
            ..event(kind, key, modifiers)
        })
    }

    fn key(&self, kind: KeyEventType, key: &Key, modifiers: u8) -> Call<btcp_cdp::Empty> {
        self.send(&event(kind, key, modifiers))
    }
}

fn event(kind: KeyEventType, key: &Key, modifiers: u8) -> DispatchKeyEvent<'_> {
    DispatchKeyEvent {
        kind,
        modifiers: Some(modifiers),
        key: Some(&key.key),
        code: Some(key.code),
        windows_virtual_key_code: Some(key.number),
        native_virtual_key_code: Some(key.number),
        location: (key.location > 0).then_some(key.location),
        is_keypad: (key.location == 3).then_some(true),
        ..Default::default()
    }
}

const PASTE: &str = "paste";

/// How much of the press of a key.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Press {
    Whole,
    Down,
}

fn pastes(key: &Key, modifiers: u8) -> bool {
    editing_command(key, modifiers) == Some(PASTE)
}

/// Chrome maps editing shortcuts to commands in its window system, which headless has not.
fn editing_command(key: &Key, modifiers: u8) -> Option<&'static str> {
    let command = crate::Modifiers::CONTROL | crate::Modifiers::META;
    if modifiers & command == 0 || modifiers & crate::Modifiers::ALT != 0 {
        return None;
    }
    let shift = modifiers & crate::Modifiers::SHIFT != 0;
    Some(match (key.code, shift) {
        ("KeyA", false) => "selectAll",
        ("KeyC", false) => "copy",
        ("KeyX", false) => "cut",
        ("KeyV", _) => PASTE,
        ("KeyZ", false) => "undo",
        ("KeyZ", true) | ("KeyY", false) => "redo",
        _ => return None,
    })
}
