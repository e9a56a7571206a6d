//! The key table of a US keyboard, and chords as agents write them.

use crate::names::nearest;

/// One key as Chrome wants it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Key {
    /// `KeyboardEvent.key`.
    pub(crate) key: String,
    /// `KeyboardEvent.code`.
    pub(crate) code: &'static str,
    /// The old key code.
    pub(crate) number: u32,
    /// The text it makes, if any.
    pub(crate) text: Option<String>,
    /// Whether Shift is needed for it.
    pub(crate) shifted: bool,
    /// 1 left, 2 right, 3 keypad.
    pub(crate) location: u8,
}

impl Key {
    pub(crate) fn modifier_bit(&self) -> u8 {
        crate::Modifiers::default().with(&self.key).map_or(0, |modifiers| modifiers.0)
    }
}

/// A key with modifiers: `Control+Shift+K`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Chord {
    pub(crate) modifiers: Vec<Key>,
    pub(crate) key: Key,
}

/// Keys with a name: name, code, number, text.
const NAMED: &[(&str, &str, u32, &str)] = &[
    ("Enter", "Enter", 13, "\r"),
    ("Tab", "Tab", 9, ""),
    ("Escape", "Escape", 27, ""),
    ("Backspace", "Backspace", 8, ""),
    ("Delete", "Delete", 46, ""),
    ("Insert", "Insert", 45, ""),
    ("Home", "Home", 36, ""),
    ("End", "End", 35, ""),
    ("PageUp", "PageUp", 33, ""),
    ("PageDown", "PageDown", 34, ""),
    ("ArrowLeft", "ArrowLeft", 37, ""),
    ("ArrowUp", "ArrowUp", 38, ""),
    ("ArrowRight", "ArrowRight", 39, ""),
    ("ArrowDown", "ArrowDown", 40, ""),
    ("Shift", "ShiftLeft", 16, ""),
    ("Control", "ControlLeft", 17, ""),
    ("Alt", "AltLeft", 18, ""),
    ("Meta", "MetaLeft", 91, ""),
    ("CapsLock", "CapsLock", 20, ""),
    ("ContextMenu", "ContextMenu", 93, ""),
    ("F1", "F1", 112, ""),
    ("F2", "F2", 113, ""),
    ("F3", "F3", 114, ""),
    ("F4", "F4", 115, ""),
    ("F5", "F5", 116, ""),
    ("F6", "F6", 117, ""),
    ("F7", "F7", 118, ""),
    ("F8", "F8", 119, ""),
    ("F9", "F9", 120, ""),
    ("F10", "F10", 121, ""),
    ("F11", "F11", 122, ""),
    ("F12", "F12", 123, ""),
];

/// Other names people use.
const ALIASES: &[(&str, &str)] = &[
    ("esc", "Escape"),
    ("return", "Enter"),
    ("del", "Delete"),
    ("ins", "Insert"),
    ("left", "ArrowLeft"),
    ("right", "ArrowRight"),
    ("up", "ArrowUp"),
    ("down", "ArrowDown"),
    ("pgup", "PageUp"),
    ("pgdn", "PageDown"),
    ("ctrl", "Control"),
    ("cmd", "Meta"),
    ("command", "Meta"),
    ("super", "Meta"),
    ("option", "Alt"),
    ("controlormeta", "Control"),
    ("spacebar", " "),
    ("space", " "),
    ("plus", "+"),
];

/// Keys that make a character: plain, shifted, code, number.
const PRINTED: &[(char, char, &str, u32)] = &[
    (' ', ' ', "Space", 32),
    ('0', ')', "Digit0", 48),
    ('1', '!', "Digit1", 49),
    ('2', '@', "Digit2", 50),
    ('3', '#', "Digit3", 51),
    ('4', '$', "Digit4", 52),
    ('5', '%', "Digit5", 53),
    ('6', '^', "Digit6", 54),
    ('7', '&', "Digit7", 55),
    ('8', '*', "Digit8", 56),
    ('9', '(', "Digit9", 57),
    ('-', '_', "Minus", 189),
    ('=', '+', "Equal", 187),
    ('[', '{', "BracketLeft", 219),
    (']', '}', "BracketRight", 221),
    ('\\', '|', "Backslash", 220),
    (';', ':', "Semicolon", 186),
    ('\'', '"', "Quote", 222),
    (',', '<', "Comma", 188),
    ('.', '>', "Period", 190),
    ('/', '?', "Slash", 191),
    ('`', '~', "Backquote", 192),
];

/// The codes of the letter keys.
const LETTERS: &[&str] = &[
    "KeyA", "KeyB", "KeyC", "KeyD", "KeyE", "KeyF", "KeyG", "KeyH", "KeyI", "KeyJ", "KeyK", "KeyL",
    "KeyM", "KeyN", "KeyO", "KeyP", "KeyQ", "KeyR", "KeyS", "KeyT", "KeyU", "KeyV", "KeyW", "KeyX",
    "KeyY", "KeyZ",
];

/// The key that types a character; `None` for what a US keyboard does not have.
pub(crate) fn for_char(c: char) -> Option<Key> {
    if c == '\n' || c == '\r' {
        return named("Enter");
    }
    if c == '\t' {
        return named("Tab");
    }
    if c.is_ascii_alphabetic() {
        let upper = c.to_ascii_uppercase();
        let code = LETTERS[usize::from(upper as u8 - b'A')];
        return Some(printed(c, code, u32::from(upper), c.is_ascii_uppercase()));
    }
    PRINTED.iter().find_map(|(plain, shifted, code, number)| {
        let with_shift = c == *shifted && c != *plain;
        (c == *plain || with_shift).then(|| printed(c, code, *number, with_shift))
    })
}

fn printed(c: char, code: &'static str, number: u32, shifted: bool) -> Key {
    Key { key: c.to_string(), code, number, text: Some(c.to_string()), shifted, location: 0 }
}

fn named(name: &str) -> Option<Key> {
    let (key, code, number, text) =
        NAMED.iter().find(|(known, ..)| known.eq_ignore_ascii_case(name))?;
    let location = u8::from(matches!(*key, "Shift" | "Control" | "Alt" | "Meta"));
    let text = (!text.is_empty()).then(|| (*text).to_owned());
    Some(Key { key: (*key).to_owned(), code, number: *number, text, shifted: false, location })
}

/// A key by name, alias, code (`KeyA`) or the character it makes.
fn by_name(name: &str) -> Option<Key> {
    let name = ALIASES
        .iter()
        .find(|(alias, _)| alias.eq_ignore_ascii_case(name))
        .map_or(name, |(_, meant)| meant);
    if let Some(key) = named(name) {
        return Some(key);
    }
    let mut chars = name.chars();
    if let (Some(c), None) = (chars.next(), chars.next()) {
        // A single character no key makes is still a key to press: it inserts itself.
        let other = || Key {
            key: c.to_string(),
            code: "",
            number: 0,
            text: Some(c.to_string()),
            shifted: false,
            location: 0,
        };
        return Some(for_char(c).unwrap_or_else(other));
    }
    let letter = name.strip_prefix("Key").and_then(|rest| rest.chars().next());
    if let Some(letter) = letter.filter(|_| name.len() == 4) {
        return for_char(letter.to_ascii_lowercase());
    }
    PRINTED.iter().find(|(.., code, _)| *code == name).and_then(|(plain, ..)| for_char(*plain))
}

impl Chord {
    /// Reads `Control+a`; `+` itself is a key.
    pub(crate) fn parse(written: &str) -> Result<Self, String> {
        let written = if written == " " { " " } else { written.trim() };
        if written.is_empty() {
            return Err("key must not be empty".into());
        }
        let (held, last) = match written.char_indices().rev().nth(1) {
            // `+` alone, or `Control++`.
            _ if written == "+" => (None, "+"),
            _ if written.ends_with("++") => (Some(&written[..written.len() - 2]), "+"),
            _ => match written.rsplit_once('+') {
                Some((held, last)) => (Some(held), last),
                None => (None, written),
            },
        };
        let unknown = |name: &str| {
            let known = NAMED.iter().map(|(known, ..)| *known);
            match nearest(name, known, 1).first() {
                Some(near) => format!("Key '{name}' is not known; did you mean '{near}'?"),
                None => format!(
                    "Key '{name}' is not known; keys are Enter, Tab, Escape, ArrowDown, a, F5, Control+a …"
                ),
            }
        };
        let modifiers = held
            .into_iter()
            .flat_map(|held| held.split('+'))
            .map(|name| {
                by_name(name).filter(|key| key.modifier_bit() != 0).ok_or_else(|| unknown(name))
            })
            .collect::<Result<Vec<_>, _>>()?;
        let mut key = by_name(last).ok_or_else(|| unknown(last))?;
        let shift = modifiers.iter().any(|key| key.key == "Shift");
        if shift && key.text.is_some() && key.key.len() == 1 {
            key = shifted(key);
        }
        Ok(Self { modifiers, key })
    }
}

/// The same key with Shift held: `a` makes `A`, `1` makes `!`.
fn shifted(key: Key) -> Key {
    let c = key.key.chars().next().unwrap_or(' ');
    let upper = PRINTED
        .iter()
        .find(|(plain, ..)| *plain == c)
        .map_or(c.to_ascii_uppercase(), |(_, shifted, ..)| *shifted);
    Key { key: upper.to_string(), text: Some(upper.to_string()), shifted: true, ..key }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chords_are_read_with_their_modifiers() {
        let chord = Chord::parse("Control+Shift+k").unwrap();
        assert_eq!(chord.modifiers.len(), 2);
        assert_eq!((chord.key.key.as_str(), chord.key.code), ("K", "KeyK"));
        assert_eq!(Chord::parse("Control++").unwrap().key.key, "+");
        assert_eq!(Chord::parse("+").unwrap().key.key, "+");
        assert_eq!(Chord::parse(" ").unwrap().key.code, "Space");
        assert_eq!(Chord::parse("shift+1").unwrap().key.key, "!");
    }

    #[test]
    fn names_are_forgiving() {
        for (written, key) in [
            ("enter", "Enter"),
            ("Esc", "Escape"),
            ("down", "ArrowDown"),
            ("KeyA", "a"),
            ("space", " "),
        ] {
            assert_eq!(Chord::parse(written).unwrap().key.key, key, "{written}");
        }
    }

    #[test]
    fn an_unknown_key_names_the_nearest() {
        let error = Chord::parse("Entr").unwrap_err();
        assert_eq!(error, "Key 'Entr' is not known; did you mean 'Enter'?");
        assert!(Chord::parse("Foo+a").is_err());
        assert!(Chord::parse("").is_err());
    }

    #[test]
    fn every_printable_ascii_character_has_a_key() {
        for byte in 32..127_u8 {
            let key = for_char(char::from(byte)).unwrap();
            assert_eq!(key.text.as_deref(), Some(char::from(byte).to_string().as_str()));
        }
        assert!(for_char('é').is_none());
        assert!(for_char('日').is_none());
    }
}
