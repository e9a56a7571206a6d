//! The keyboard: keys, chords and text.

use std::time::Duration;

use btcp_cdp::Call;
use btcp_cdp::input::{DispatchKeyEvent, InsertText, KeyEventType};

use crate::error::{Error, Result};
use crate::input::keys::{self, Chord, Key};
use crate::tab::Tab;

impl Tab {
    /// Presses a key or chord: `Enter`, `Control+a`, `Shift+Tab`.
    pub async fn press(&mut self, written: &str) -> Result<()> {
        let chord =
            Chord::parse(written).map_err(|message| Error::BadParam { field: "key", message })?;
        self.context.progress.sent();
        let mut sent = Vec::new();
        let mut held = 0;
        for modifier in &chord.modifiers {
            held |= modifier.modifier_bit();
            sent.push(self.key(KeyEventType::RawKeyDown, modifier, held));
        }
        sent.push(self.key_down(&chord.key, held));
        sent.push(self.key(KeyEventType::KeyUp, &chord.key, held));
        for modifier in chord.modifiers.iter().rev() {
            held &= !modifier.modifier_bit();
            sent.push(self.key(KeyEventType::KeyUp, modifier, held));
        }
        self.arrived(sent).await
    }

    /// Types text, a key for each character; what no key makes is inserted as text.
    pub async fn type_text(&mut self, text: &str, delay: Duration) -> Result<()> {
        self.context.progress.sent();
        let mut sent = Vec::new();
        for c in text.chars() {
            match keys::for_char(c) {
                Some(key) => {
                    let shift = if key.shifted { crate::Modifiers::SHIFT } else { 0 };
                    sent.push(self.key_down(&key, shift));
                    sent.push(self.key(KeyEventType::KeyUp, &key, shift));
                }
                None => {
                    let mut buffer = [0; 4];
                    sent.push(self.send(&InsertText { text: c.encode_utf8(&mut buffer) }));
                }
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
        self.context.progress.sent();
        let sent = vec![self.send(&InsertText { text })];
        self.arrived(sent).await
    }

    fn key_down(&self, key: &Key, modifiers: u8) -> Call<btcp_cdp::Empty> {
        // With Control, Alt or Meta held a key is a command, not text.
        let plain = modifiers & !crate::Modifiers::SHIFT == 0;
        let text = key.text.as_deref().filter(|_| plain);
        let kind = if text.is_some() { KeyEventType::KeyDown } else { KeyEventType::RawKeyDown };
        let commands = editing_command(key, modifiers);
        self.send(&DispatchKeyEvent {
            text,
            unmodified_text: text,
            commands: commands.as_ref().map(std::slice::from_ref),
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
        ("KeyV", false) => "paste",
        ("KeyZ", false) => "undo",
        ("KeyZ", true) | ("KeyY", false) => "redo",
        _ => return None,
    })
}
