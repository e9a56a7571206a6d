//! Session handles: names that a caller gets for sessions beyond its own.
//!
//! For protocols without a connection to tell conversations apart. A handle is 128 random bits and
//! belongs to whoever had it made; to anybody else there is no such session.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// How many handles one caller may have.
pub(crate) const MOST: usize = 64;

/// Handles, and the session of the caller each belongs to.
#[derive(Default)]
pub(crate) struct Handles(Mutex<BTreeMap<String, String>>);

impl Handles {
    /// A new handle; `None` when its owner has too many, or the system has no random numbers.
    pub(crate) fn make(&self, owner: &str) -> Option<String> {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes).ok()?;
        let handle: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        let mut owners = self.owners();
        let has = owners.values().filter(|of| *of == owner).count();
        if has >= MOST {
            return None;
        }
        owners.insert(handle.clone(), owner.to_owned());
        Some(handle)
    }

    /// Whether it is one of this owner's.
    pub(crate) fn belongs(&self, handle: &str, owner: &str) -> bool {
        self.owners().get(handle).is_some_and(|of| of == owner)
    }

    /// All of an owner's.
    pub(crate) fn of(&self, owner: &str) -> Vec<String> {
        let owners = self.owners();
        owners.iter().filter(|(_, of)| *of == owner).map(|(handle, _)| handle.clone()).collect()
    }

    /// It stands for nothing from now on.
    pub(crate) fn remove(&self, handle: &str) {
        self.owners().remove(handle);
    }

    fn owners(&self) -> MutexGuard<'_, BTreeMap<String, String>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_handle_is_its_makers_alone() {
        let handles = Handles::default();
        let mine = handles.make("ada").unwrap();
        let another = handles.make("ada").unwrap();
        assert_eq!(mine.len(), 32);
        assert_ne!(mine, another);
        assert!(handles.belongs(&mine, "ada") && !handles.belongs(&mine, "eve"));
        assert!(!handles.belongs("ada", "ada"));
        assert_eq!(handles.of("ada").len(), 2);

        handles.remove(&mine);

        assert_eq!(handles.of("ada"), [another]);
        assert!(handles.of("eve").is_empty());
    }

    #[test]
    fn nobody_has_more_than_enough() {
        let handles = Handles::default();
        for _ in 0..MOST {
            handles.make("ada").unwrap();
        }
        assert!(handles.make("ada").is_none());
        assert!(handles.make("eve").is_some());
    }
}
