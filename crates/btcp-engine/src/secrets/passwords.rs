//! Passwords: what was put into the password fields of a session, told as a length wherever a page
//! gives it back.
//!
//! Kept in memory, with the session. Which field is one, the page code says; what stands in the field
//! itself it never tells at all.

use std::borrow::Cow;
use std::sync::Mutex;

use super::{SHORTEST, Secret, Secrets, forms, mask};
use crate::element::How;
use crate::page::Place;
use crate::session::Session;
use crate::sessions::lock;
use crate::tab::Tab;

/// So many are remembered, the last ones.
const MOST: usize = 32;

/// Longer ones are no passwords, and their forms would take room.
const LONGEST: usize = 1024;

/// Of letters alone, or of digits alone, a shorter one is a word or a number that stands anywhere by
/// chance: `admin`, `1234`.
const WORD: usize = 8;

/// Those of a session.
#[derive(Default)]
pub(crate) struct Passwords(Mutex<Secrets>);

impl Passwords {
    fn add(&self, value: &str) {
        let Some(secret) = remembered(value) else { return };
        let mut known = lock(&self.0);
        known.0.retain(|one| one.value != secret.value);
        if known.0.len() >= MOST {
            known.0.remove(0);
        }
        known.0.push(secret);
    }
}

/// A password as it is looked for; `None` if it would be found by chance, or in the words that are to
/// stand in its place.
fn remembered(value: &str) -> Option<Secret> {
    let count = value.chars().count();
    let letters = value.chars().all(char::is_alphabetic);
    let word = letters || value.chars().all(char::is_numeric);
    if !(SHORTEST..=LONGEST).contains(&count) || (word && count < WORD) {
        return None;
    }
    let shown = format!("[password, {count} characters]");
    if shown.contains(value) {
        return None;
    }
    let bare = if word { String::new() } else { mask::bare_of(value) };
    let (name, forms) = ("password".to_owned(), forms::of(value));
    Some(Secret { name, value: value.to_owned(), origins: Vec::new(), forms, bare, shown, word })
}

impl Session {
    /// What is to be kept out of what a caller is told: secrets, and, of one who may not read them,
    /// the passwords that were typed here.
    pub fn hidden(&self, reveals: bool) -> Cow<'_, Secrets> {
        let secrets = &self.browser.settings.secrets;
        let passwords = lock(&self.passwords.0);
        if reveals || passwords.is_empty() {
            return Cow::Borrowed(secrets);
        }
        // The longest first: one may be the beginning of another.
        let mut typed = passwords.0.clone();
        typed.sort_by_key(|one| std::cmp::Reverse(one.value.len()));
        Cow::Owned(Secrets(secrets.0.iter().cloned().chain(typed).collect()))
    }
}

impl Tab {
    /// What is to be kept out of what this call tells.
    pub fn hidden(&self) -> Cow<'_, Secrets> {
        self.session.hidden(self.context.reveals())
    }

    /// An element is about to be acted on: if it is a password field, what is typed next is one.
    pub(crate) fn meet_field(&mut self, place: &Place, secret: bool, how: How<'_>) {
        let same = self.memory.password.as_ref().is_some_and(|(known, _)| known == place);
        if !secret {
            self.memory.password = None;
            return;
        }
        if !same || how.replace || how.value.is_some() {
            self.memory.password = Some((place.clone(), String::new()));
        }
        // Some fields are given it by the page code.
        if let Some(value) = how.value {
            self.session.passwords.add(value);
        }
    }

    /// Text goes to the field that was last acted on: what it adds up to, and the part by itself.
    pub(crate) fn remember_password(&mut self, text: &str) {
        let Some((_, so_far)) = &mut self.memory.password else { return };
        // A line break sends the form.
        let text = text.trim_end_matches(['\n', '\r']);
        if so_far.len() < LONGEST {
            so_far.push_str(text);
        }
        self.session.passwords.add(text);
        self.session.passwords.add(so_far);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(password: &str, text: &str) -> String {
        let mut text = text.to_owned();
        Secrets(remembered(password).into_iter().collect()).mask(&mut text);
        text
    }

    #[test]
    fn a_password_is_told_as_a_length_however_it_is_written() {
        for (text, masked) in [
            ("it is hunter-42.", "it is [password, 9 characters]."),
            ("?p=hunter%2D42&x", "?p=[password, 9 characters]&x"),
            ("HUNTER-42", "[password, 9 characters]"),
            ("aHVudGVyLTQy", "[password, 9 characters]"),
            ("hunter is not all of it", "hunter is not all of it"),
        ] {
            assert_eq!(told("hunter-42", text), masked);
        }
        let once = told("hunter-42", "hunter-42");
        assert_eq!(told("hunter-42", &once), once);
    }

    #[test]
    fn one_that_is_a_word_is_masked_as_a_whole_word_only() {
        let masked = "say [password, 10 characters], not opensesames or Opensesame";
        assert_eq!(told("opensesame", "say opensesame, not opensesames or Opensesame"), masked);
    }

    #[test]
    fn what_stands_anywhere_by_chance_is_left_alone() {
        for password in ["abc", "a-1", "admin", "1234567", "password", "characters", " characters]"]
        {
            assert!(remembered(password).is_none(), "{password}");
        }
        assert!(remembered(&"x-".repeat(LONGEST)).is_none());
        for password in ["12345678", "ab-1", "pass1", "correct horse"] {
            assert!(remembered(password).is_some(), "{password}");
        }
    }

    #[test]
    fn only_so_many_are_remembered_the_last_ones() {
        let known = Passwords::default();
        for n in 0..MOST + 3 {
            known.add(&format!("secret-{n}"));
        }
        known.add("secret-5");
        let known = lock(&known.0);
        assert_eq!(known.0.len(), MOST);
        assert!(!known.0.iter().any(|one| one.value == "secret-2"));
        assert_eq!(known.0.last().map(|one| one.value.as_str()), Some("secret-5"));
    }
}
