//! States: what a session's pages have stored, in a file that other sessions can begin with.
//!
//! The copy is the one made for crashes (`state.rs`), brought up to date; it is put in place the way a
//! crashed session gets it back (`recovery.rs`), but takes the place of what is there. Files are
//! their owner's only, and encrypted where a key is set: whoever has the cookies of a person is
//! that person.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use base64::Engine as _;
use btcp_cdp::storage;
use chacha20poly1305::aead::{Aead, KeyInit};
use chacha20poly1305::{XChaCha20Poly1305, XNonce};
use serde_json::{Value, json};

use crate::call::CallContext;
use crate::error::{Error, Result};
use crate::recovery::Areas;
use crate::secrets::Secrets;
use crate::session::Session;
use crate::state::{Area, Copy, Databases};

/// How an encrypted file begins; a nonce follows.
const MAGIC: &[u8] = b"btcp state 1 xchacha20poly1305\n";
const NONCE: usize = 24;

/// A state is not larger than this, in bytes.
const LARGEST: u64 = 64 << 20;

/// Characters of databases in it, of one origin and of all.
const DATABASES: usize = 16 << 20;
const ALL_DATABASES: usize = 40 << 20;

/// Where the key comes from.
const VARIABLE: &str = "BTCP_STATE_KEY";

/// A key for states, as it was written: 64 hex digits, or 32 bytes in base64.
#[derive(Clone, PartialEq, Eq)]
pub struct StateKey(String);

impl StateKey {
    /// A key as it was written.
    pub fn new(written: impl Into<String>) -> Self {
        Self(written.into())
    }

    fn cipher(&self) -> Result<XChaCha20Poly1305> {
        let written = self.0.trim();
        let hex = || {
            let digits: Option<Vec<u8>> =
                written.chars().map(|c| c.to_digit(16).map(|digit| digit as u8)).collect();
            Some(digits?.chunks_exact(2).map(|pair| pair[0] << 4 | pair[1]).collect::<Vec<u8>>())
        };
        let key = match written.len() {
            64 => hex(),
            _ => base64::engine::general_purpose::STANDARD.decode(written).ok(),
        };
        let cipher = key.and_then(|key| XChaCha20Poly1305::new_from_slice(&key).ok());
        cipher.ok_or_else(|| {
            wrong(format!("{VARIABLE} must be 64 hex digits, or 32 bytes in base64"))
        })
    }
}

/// Settings are logged.
impl fmt::Debug for StateKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("StateKey")
    }
}

/// What a state holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SavedState {
    /// Where it is.
    pub path: PathBuf,
    /// How many cookies.
    pub cookies: usize,
    /// The origins of which it has storage.
    pub origins: usize,
    /// Whether it is encrypted.
    pub encrypted: bool,
    /// Whether some storage was too large.
    pub left_out: bool,
    /// Whether secrets were replaced by their names.
    pub masked: bool,
}

/// What was stored under one page by one origin.
#[derive(Default)]
struct Stored {
    local: Option<String>,
    session: Option<String>,
    databases: Option<String>,
}

impl Session {
    /// Writes what its pages have stored into a file.
    pub async fn save_state(
        self: &Arc<Self>,
        path: &str,
        call: &CallContext,
    ) -> Result<SavedState> {
        let file = self.open_write(call, path)?;
        let all: BTreeSet<u32> = self.open_tabs().iter().map(|tab| tab.id).collect();
        let mut databases = self.copy_state(&all, Some(DATABASES)).await;
        self.left_are_copied().await;
        databases.fit(ALL_DATABASES);
        let mut copy = self.keeper.copy();
        copy.cookies.retain(|cookie| call.has_cookies_of(&cookie.domain));
        let masked = without_secrets(&self.hidden(call.reveals()), &mut copy, &mut databases);
        let current = self.current().map(|tab| tab.id);
        let mut areas: BTreeMap<&Area, Stored> = BTreeMap::new();
        for (area, items) in &copy.local {
            areas.entry(area).or_default().local = Some(items.clone());
        }
        for ((_, area), items) in copy.session.iter().filter(|((tab, _), _)| Some(*tab) == current)
        {
            areas.entry(area).or_default().session = Some(items.clone());
        }
        for (area, items) in &databases.found {
            areas.entry(area).or_default().databases = Some(items.clone());
        }
        areas.retain(|area, _| has(call, &area.top, &area.frame));
        let origins: BTreeSet<&str> = areas.keys().map(|area| area.frame.as_str()).collect();
        let stored: Vec<Value> = areas
            .iter()
            .map(|(area, stored)| {
                json!({
                    "page": area.top,
                    "origin": area.frame,
                    "localStorage": stored.local,
                    "sessionStorage": stored.session,
                    "indexedDB": stored.databases,
                })
            })
            .collect();
        let state =
            json!({ "btcp": "state", "version": 1, "cookies": copy.cookies, "storage": stored });
        let key = self.browser.settings.state_key.as_ref();
        let bytes = match key {
            Some(key) => encrypted(key, state.to_string().as_bytes())?,
            None => state.to_string().into_bytes(),
        };
        call.progress.sent();
        let (cookies, origins) = (copy.cookies.len(), origins.len());
        let path = file.save(&bytes)?;
        call.progress.happened();
        let (encrypted, left_out) = (key.is_some(), copy.left_out || databases.left_out);
        Ok(SavedState { path, cookies, origins, encrypted, left_out, masked })
    }

    /// Gives its pages what a file has; the current tab is loaded again with it.
    pub async fn load_state(
        self: &Arc<Self>,
        path: &str,
        call: &CallContext,
    ) -> Result<SavedState> {
        let file = self.open_read(call, path)?;
        let found = file.path().to_owned();
        let bytes = file.read(LARGEST)?;
        let key = self.browser.settings.state_key.as_ref();
        let is_encrypted = bytes.starts_with(MAGIC);
        let plain = match (is_encrypted, key) {
            (false, _) => bytes,
            (true, Some(key)) => decrypted(key, &bytes)?,
            (true, None) => {
                return Err(wrong(format!("The state is encrypted, and {VARIABLE} is not set")));
            }
        };
        let (mut cookies, areas, origins) = parsed(&plain, call)?;
        cookies.retain(|cookie| call.has_cookies_of(&cookie.domain));
        let tab = self.tab_for(None, None).await?;
        call.progress.sent();
        self.put_cookies(&cookies).await?;
        let context = CallContext::new(call.left(), call.progress.clone());
        let loading = tab.run(context, move |tab| {
            Box::pin(async move {
                let url = tab.url();
                tab.reopen(&url, &areas).await
            })
        });
        let loaded: Result<()> = loading.await;
        call.progress.happened();
        loaded?;
        self.touched(tab.id());
        let (path, cookies) = (found, cookies.len());
        let encrypted = is_encrypted;
        Ok(SavedState { path, cookies, origins, encrypted, left_out: false, masked: false })
    }
}

/// Whether a caller may have what an origin has stored under a page.
fn has(call: &CallContext, page: &str, origin: &str) -> bool {
    call.has_belongings_of(page) && call.has_belongings_of(origin)
}

/// The cookies and storage of a state, and of how many origins. The file may be anybody's.
fn parsed(bytes: &[u8], call: &CallContext) -> Result<(Vec<storage::Cookie>, Areas, usize)> {
    let no_state = |why: &str| wrong(format!("The file is no saved state: {why}"));
    let state: Value = serde_json::from_slice(bytes).map_err(|_| no_state("it is not JSON"))?;
    if state["btcp"] != "state" {
        return Err(no_state("it does not say so"));
    }
    if state["version"] != 1 {
        return Err(no_state("it is of another version"));
    }
    let cookies = serde_json::from_value(state["cookies"].clone())
        .map_err(|error| no_state(&format!("its cookies: {error}")))?;
    let mut areas = Areas::default();
    let mut origins = BTreeSet::new();
    for stored in state["storage"].as_array().into_iter().flatten() {
        let origin = |key: &str| stored[key].as_str().filter(|text| is_origin(text));
        let (Some(top), Some(frame)) = (origin("page"), origin("origin")) else {
            return Err(no_state("an origin in it is none"));
        };
        if !has(call, top, frame) {
            continue;
        }
        let items = |key: &str| stored[key].as_str().map(str::to_owned);
        let area = Area { top: top.to_owned(), frame: frame.to_owned() };
        let kept = ["localStorage", "sessionStorage", "indexedDB"].map(items);
        areas.replace(&area, kept);
        origins.insert(frame.to_owned());
    }
    Ok((cookies, areas, origins.len()))
}

fn is_origin(text: &str) -> bool {
    let host = text.strip_prefix("http://").or_else(|| text.strip_prefix("https://"));
    host.is_some_and(|host| {
        let plain =
            |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-' | b':' | b'[' | b']');
        !host.is_empty() && host.bytes().all(plain)
    })
}

fn encrypted(key: &StateKey, plain: &[u8]) -> Result<Vec<u8>> {
    let cipher = key.cipher()?;
    let mut nonce = [0_u8; NONCE];
    getrandom::fill(&mut nonce)
        .map_err(|error| Error::internal(format!("there is no randomness: {error}")))?;
    let sealed = cipher
        .encrypt(XNonce::from_slice(&nonce), plain)
        .map_err(|_| Error::internal("the state could not be encrypted"))?;
    Ok([MAGIC, &nonce, &sealed].concat())
}

fn decrypted(key: &StateKey, bytes: &[u8]) -> Result<Vec<u8>> {
    let rest = bytes.get(MAGIC.len()..).unwrap_or_default();
    let (Some(nonce), Some(sealed)) = (rest.get(..NONCE), rest.get(NONCE..)) else {
        return Err(wrong("The encrypted state is cut off".into()));
    };
    let opened = key.cipher()?.decrypt(XNonce::from_slice(nonce), sealed);
    opened.map_err(|_| {
        wrong(format!("The state was encrypted with another key than {VARIABLE}, or changed since"))
    })
}

fn wrong(message: String) -> Error {
    Error::BadParam { field: "path", message }
}

/// Puts names in place of the secrets that pages have stored, lengths in place of passwords; whether there were any. What is
/// masked stays so when it is loaded: a file may be given to others.
fn without_secrets(secrets: &Secrets, copy: &mut Copy, databases: &mut Databases) -> bool {
    if secrets.is_empty() {
        return false;
    }
    let before = (copy.clone(), databases.found.clone());
    secrets.mask_all(copy.cookies.iter_mut().map(|cookie| &mut cookie.value));
    for cookie in &mut copy.cookies {
        secrets.mask(&mut cookie.name);
        secrets.mask(&mut cookie.path);
    }
    let stored = copy.local.values_mut().chain(copy.session.values_mut());
    for items in stored.chain(databases.found.values_mut()) {
        match serde_json::from_str::<Value>(items) {
            Ok(read) => {
                let mut masked = read.clone();
                secrets.mask_value(&mut masked, &|_| false);
                if masked != read {
                    *items = masked.to_string();
                }
            }
            // Halves of characters, which no string of ours can hold.
            Err(_) => secrets.mask(items),
        }
    }
    before.0 != *copy || before.1 != databases.found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_encrypted_is_read_only_with_its_key_and_unchanged() {
        let key = StateKey::new("00112233445566778899aabbccddeeff00112233445566778899AABBCCDDEEFF");
        let mut sealed = encrypted(&key, b"secret").unwrap();
        assert!(sealed.starts_with(MAGIC) && !sealed.windows(6).any(|part| part == b"secret"));
        assert_eq!(decrypted(&key, &sealed).unwrap(), b"secret");
        let other = StateKey::new("MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=");
        assert!(decrypted(&other, &sealed).unwrap_err().to_string().contains("another key"));
        *sealed.last_mut().unwrap() ^= 1;
        assert!(decrypted(&key, &sealed).is_err());
        assert!(decrypted(&key, &sealed[..MAGIC.len() + 3]).is_err());
        assert!(encrypted(&StateKey::new("password"), b"x").is_err());
        assert_eq!(format!("{key:?}"), "StateKey");
    }

    #[test]
    fn a_file_that_is_no_state_is_refused() {
        let anybody = CallContext::new(std::time::Duration::ZERO, crate::Progress::default());
        let storage = |origin: &str| json!({ "btcp": "state", "version": 1, "cookies": [], "storage": [{ "page": origin, "origin": origin }] });
        for (state, said) in [
            ("{".to_owned(), "not JSON"),
            (json!({ "cookies": [] }).to_string(), "does not say so"),
            (json!({ "btcp": "state", "version": 9 }).to_string(), "another version"),
            (json!({ "btcp": "state", "version": 1, "cookies": [{}] }).to_string(), "its cookies"),
            (storage("https://a.test/\"><script>").to_string(), "an origin"),
            (storage("file://a").to_string(), "an origin"),
        ] {
            let message = parsed(state.as_bytes(), &anybody).err().unwrap().to_string();
            assert!(message.contains(said), "{state}: {message}");
        }
        let state = storage("https://a.test:8443").to_string();
        assert_eq!(parsed(state.as_bytes(), &anybody).map(|(_, _, origins)| origins).ok(), Some(1));
    }
}
