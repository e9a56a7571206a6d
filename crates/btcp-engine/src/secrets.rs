//! Secrets: values an agent uses by name, `{{secret:NAME}}`, and never sees.
//!
//! Each is bound to origins. It is put in when a call is dispatched, refused where the frame that
//! would get it is of another origin, and taken out of everything that goes to the agent
//! (`mask.rs`), in every form in which a page may give it back (`forms.rs`).

mod forms;
mod given;
mod keyring;
mod mask;
mod passwords;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::atomic::Ordering;

use serde::Deserialize;

pub use self::keyring::{Keyring, SystemKeyring};
pub(crate) use self::passwords::Passwords;
use crate::error::{Error, Result};
use crate::page::Place;
use crate::tab::Tab;

/// Shorter ones would be found everywhere by chance.
const SHORTEST: usize = 4;

/// So many elements that were given one are remembered.
const ENTRUSTED: usize = 200;

/// Environment variables that hold one begin so.
const VARIABLE: &str = "BTCP_SECRET_";
const ORIGINS: &str = "_ORIGINS";
const KEYRING: &str = "_KEYRING";

/// Where one stands in a text.
const OPEN: &str = "{{secret:";
const CLOSE: &str = "}}";

/// All there are.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Secrets(Vec<Secret>);

#[derive(Clone, PartialEq, Eq)]
struct Secret {
    name: String,
    value: String,
    origins: Vec<String>,
    /// As it may stand in what a page gives back, the longest first.
    forms: Vec<String>,
    /// Its letters and digits alone, as `mask::bare` has them; empty if they are too few.
    bare: String,
    /// What stands in its place.
    shown: String,
    /// Whether it is found as a whole word only.
    word: bool,
}

/// A secret that a call carries, and where it may go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bound {
    name: String,
    origins: Vec<String>,
}

/// One entry of a file of secrets.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    value: Option<String>,
    /// The description of a key, in place of the value.
    keyring: Option<String>,
    origins: Vec<String>,
}

impl Written {
    fn value(&self, name: &str, keyring: &dyn Keyring) -> Result<String, String> {
        match (&self.value, &self.keyring) {
            (Some(value), None) => Ok(value.clone()),
            (None, Some(key)) => from_keyring(name, key, keyring),
            _ => Err(format!("Secret '{name}' needs either a value or a keyring")),
        }
    }
}

fn from_keyring(name: &str, key: &str, keyring: &dyn Keyring) -> Result<String, String> {
    keyring.value(key).map_err(|why| format!("Secret '{name}' cannot be had: {why}"))
}

impl Secrets {
    /// Reads `BTCP_SECRET_NAME`, or the description of a key in `BTCP_SECRET_NAME_KEYRING`, and
    /// `BTCP_SECRET_NAME_ORIGINS`, a list with commas.
    pub fn from_variables(
        variables: impl IntoIterator<Item = (String, String)>,
        keyring: &dyn Keyring,
    ) -> Result<Self, String> {
        let (mut values, mut keys, mut origins) =
            (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        for (variable, value) in variables {
            let Some(name) = variable.strip_prefix(VARIABLE) else { continue };
            let (name, into) = match (name.strip_suffix(ORIGINS), name.strip_suffix(KEYRING)) {
                (Some(name), _) => (name, &mut origins),
                (_, Some(name)) => (name, &mut keys),
                _ => (name, &mut values),
            };
            into.insert(name.to_owned(), value);
        }
        for (name, key) in keys {
            let value = from_keyring(&name, &key, keyring)?;
            if values.insert(name.clone(), value).is_some() {
                return Err(format!("{VARIABLE}{name} and {VARIABLE}{name}{KEYRING} are both set"));
            }
        }
        let mut secrets = Self::default();
        for (name, value) in values {
            let Some(list) = origins.remove(&name) else {
                return Err(format!("{VARIABLE}{name} has no {VARIABLE}{name}{ORIGINS}"));
            };
            let list = list.split(',').map(str::trim).filter(|one| !one.is_empty());
            secrets.add(name, value, list)?;
        }
        match origins.into_keys().next() {
            Some(name) => Err(format!("{VARIABLE}{name}{ORIGINS} has no {VARIABLE}{name}")),
            None => Ok(secrets),
        }
    }

    /// Adds those of a file: `{"NAME": {"value": "…", "origins": ["https://a.test"]}}`, or with the
    /// description of a key, `"keyring": "btcp:NAME"`, in place of the value.
    pub fn read_file(&mut self, text: &str, keyring: &dyn Keyring) -> Result<(), String> {
        let written: BTreeMap<String, Written> =
            // The error of the parser may repeat what it read: only where it is goes out.
            serde_json::from_str(text).map_err(|error| {
                format!("it is not as it should be at line {}, column {}", error.line(), error.column())
            })?;
        for (name, one) in written {
            let value = one.value(&name, keyring)?;
            self.add(name, value, one.origins.iter().map(String::as_str))?;
        }
        Ok(())
    }

    fn add<'a>(
        &mut self,
        name: String,
        value: String,
        origins: impl Iterator<Item = &'a str>,
    ) -> Result<(), String> {
        let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
        if name.is_empty() || !name.chars().all(fits) {
            return Err(format!(
                "'{name}' is no name for a secret: letters, digits, _, - and . are"
            ));
        }
        if value.chars().count() < SHORTEST {
            return Err(format!("Secret '{name}' is shorter than {SHORTEST} characters"));
        }
        let origins: Vec<String> = origins
            .map(|one| normal(one).ok_or_else(|| format!("Secret '{name}': '{one}' is no origin")))
            .collect::<Result<_, _>>()?;
        if origins.is_empty() {
            return Err(format!("Secret '{name}' is bound to no origin"));
        }
        if self.0.iter().any(|one| one.name == name) {
            return Err(format!("Secret '{name}' is there twice"));
        }
        let (forms, bare) = (forms::of(&value), mask::bare_of(&value));
        let shown = format!("{OPEN}{name}{CLOSE}");
        self.0.push(Secret { name, value, origins, forms, bare, shown, word: false });
        Ok(())
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Those that stand in a text, in whatever form.
    pub(crate) fn held_in(&self, text: &str) -> Vec<Bound> {
        let stands = |secret: &&Secret| {
            text.contains(&secret.value)
                || secret.forms.iter().any(|form| text.contains(form))
                || secret.stands_bare_in(text)
        };
        let bound = |one: &Secret| Bound { name: one.name.clone(), origins: one.origins.clone() };
        self.0.iter().filter(stands).map(bound).collect()
    }

    /// The name of one of them.
    pub(crate) fn any_name(&self) -> String {
        self.0.first().map(|one| one.name.clone()).unwrap_or_default()
    }

    /// Whether a text asks for one.
    pub fn is_asked_for(text: &str) -> bool {
        text.contains(OPEN)
    }

    /// Puts values in place of names; what was put in is added to `carried`.
    pub fn fill_in(&self, text: &str, carried: &mut Vec<Bound>) -> Result<String> {
        let (mut filled, mut rest) = (String::with_capacity(text.len()), text);
        while let Some(at) = rest.find(OPEN) {
            let after = &rest[at + OPEN.len()..];
            let Some(end) = after.find(CLOSE) else { break };
            let name = after[..end].trim();
            let Some(secret) = self.0.iter().find(|one| one.name == name) else {
                let known =
                    self.0.iter().map(|one| one.name.as_str()).collect::<Vec<_>>().join(", ");
                let message = match known.is_empty() {
                    true => format!("Secret '{}' is not known; there are none", short(name)),
                    false => format!("Secret '{}' is not known; there are {known}", short(name)),
                };
                return Err(Error::BadParam { field: "secret", message });
            };
            filled.push_str(&rest[..at]);
            filled.push_str(&secret.value);
            let bound = Bound { name: secret.name.clone(), origins: secret.origins.clone() };
            if !carried.contains(&bound) {
                carried.push(bound);
            }
            rest = &after[end + CLOSE.len()..];
        }
        filled.push_str(rest);
        Ok(filled)
    }
}

fn short(name: &str) -> String {
    crate::text::cut(name, 64)
}

impl Tab {
    /// All there are, to be kept out of what is told.
    pub fn secrets(&self) -> &Secrets {
        &self.session.browser.settings.secrets
    }

    /// What the next step of a call holds.
    pub fn entrust(&mut self, secrets: Vec<Bound>) {
        self.context.carries = secrets;
    }

    /// Refuses to give a frame a secret that is not meant for its origin.
    pub(crate) fn may_carry_to(&self, frame: &str) -> Result<()> {
        self.may_have(frame, &self.context.carries)
    }

    /// Whether a frame is of an origin of each of these.
    pub(crate) fn is_meant_for(&self, frame: &str, carried: &[Bound]) -> bool {
        let origin = self.origin_of(frame);
        carried.iter().all(|one| one.origins.contains(&origin))
    }

    fn origin_of(&self, frame: &str) -> String {
        let url = self.state.facts().frames.get(frame).map(|frame| frame.url.clone());
        crate::text::origin(url.as_deref().unwrap_or_default()).to_owned()
    }

    fn may_have(&self, frame: &str, carried: &[Bound]) -> Result<()> {
        if carried.is_empty() {
            return Ok(());
        }
        let origin = self.origin_of(frame);
        let strange = carried.iter().find(|one| !one.origins.contains(&origin));
        match strange {
            None => {
                self.session.uses_secrets.store(true, Ordering::Relaxed);
                Ok(())
            }
            Some(one) => Err(Error::SecretDenied {
                name: one.name.clone(),
                origin: crate::text::quoted(&crate::text::cut(&origin, 120)),
                origins: one.origins.clone(),
            }),
        }
    }

    /// The same for keys that go to whatever has the focus: every frame of the tab could.
    pub(crate) fn may_carry_to_focus(&self) -> Result<()> {
        self.focus_may_have(&self.context.carries)
    }

    /// The same for secrets that come by another way than the call.
    pub(crate) fn focus_may_have(&self, carried: &[Bound]) -> Result<()> {
        if carried.is_empty() {
            return Ok(());
        }
        if let Some(place) = self.acted_on() {
            return self.may_have(&place.frame, carried);
        }
        let main = self.main_frame();
        let frames = self.state.facts().frames.below(&main);
        frames.iter().try_for_each(|frame| self.may_have(frame, carried))
    }
}

impl Tab {
    /// Remembers which element is given a secret with a text; one that is filled with something
    /// else has none any more.
    pub(crate) fn remember_given(&mut self, place: &Place, text: &str, replaces: bool) {
        if self.secrets().is_empty() {
            return;
        }
        if replaces {
            self.memory.entrusted.retain(|(known, _)| known != place);
        }
        if self.context.carries.is_empty() {
            return;
        }
        if let Some(name) = self.secrets().found_in(&[text]).pop().flatten() {
            let entrusted = &mut self.memory.entrusted;
            if entrusted.len() >= ENTRUSTED {
                entrusted.remove(0);
            }
            entrusted.push((place.clone(), name));
        }
    }

    /// The same for keys that go to the element of this call.
    pub(crate) fn remember_typed(&mut self, text: &str) {
        self.remember_password(text);
        if let Some(place) = self.acted_on().cloned() {
            self.remember_given(&place, text, false);
        }
    }
}

/// An origin as Chrome writes it; `None` if it is none.
fn normal(written: &str) -> Option<String> {
    let written = written.trim().trim_end_matches('/').to_lowercase();
    let (scheme, host) = written.split_once("://")?;
    let port = match scheme {
        "http" => ":80",
        "https" => ":443",
        _ => return None,
    };
    let host = host.strip_suffix(port).unwrap_or(host);
    let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | ':' | '[' | ']');
    (!host.is_empty() && host.chars().all(fits)).then(|| format!("{scheme}://{host}"))
}

/// Names only: settings are logged.
impl fmt::Debug for Secrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.0.iter().map(|one| &one.name)).finish()
    }
}

#[cfg(test)]
mod tests;
