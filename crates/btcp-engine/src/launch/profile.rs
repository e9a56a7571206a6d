//! The profile folder: private, temporary, swept up even after a crash.
//!
//! Beside each folder lies a lock file that its owner holds. The system lets go
//! of the lock when the owner dies, so whoever gets the lock may remove the folder.

use std::{
    env,
    fs::{self, DirBuilder, File},
    io,
    os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt},
    path::{Path, PathBuf},
    thread,
    time::Duration,
};

use super::LaunchError;

/// What differs from the settings of a new Chrome.
///
/// Preloading off: a page may name others to be fetched or run ahead, and the agent has asked for
/// none of them. No feature switch does that: with `Prerender2` off Chrome 156 still preloads.
/// Passwords off: no bubble that offers to save them.
const PREFERENCES: &str =
    r#"{"net":{"network_prediction_options":2},"credentials_enable_service":false}"#;

/// A profile folder; removed when dropped.
#[derive(Debug)]
pub(super) struct Profile {
    path: PathBuf,
    lock_path: PathBuf,
    _lock: File,
}

impl Profile {
    /// A new, empty one.
    pub(super) fn create() -> Result<Self, LaunchError> {
        let base = base();
        Self::create_in(&base)
            .map_err(|error| LaunchError::Profile { path: base, reason: error.to_string() })
    }

    fn create_in(base: &Path) -> io::Result<Self> {
        private_folder(base)?;
        let random = getrandom::u64().map_err(|error| io::Error::other(error.to_string()))?;
        let path = base.join(format!("profile-{random:016x}"));
        let lock_path = path.with_extension("lock");
        // Locked before it has its name, or a sweep could come between.
        let unnamed = path.with_extension("new");
        let lock = File::create_new(&unnamed)?;
        lock.lock()?;
        fs::rename(&unnamed, &lock_path)?;
        let profile = Self { path, lock_path, _lock: lock };
        let default = profile.path.join("Default");
        DirBuilder::new().mode(0o700).recursive(true).create(&default)?;
        fs::write(default.join("Preferences"), PREFERENCES)?;
        Ok(profile)
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Removes it; nothing if it is gone. Processes that are just being killed may still write,
    /// so it is tried for a tenth of a second; what stays then, a later sweep finds by its lock.
    pub(super) fn remove(&self) {
        for _ in 0..20 {
            let removed = fs::remove_dir_all(&self.path);
            if removed.is_ok() || !self.path.exists() {
                let _ = fs::remove_file(&self.lock_path);
                return;
            }
            thread::sleep(Duration::from_millis(5));
        }
        tracing::debug!(path = %self.path.display(), "the profile is still in use");
    }
}

impl Drop for Profile {
    fn drop(&mut self) {
        self.remove();
    }
}

/// Removes what others left behind that were killed.
pub(super) fn sweep() {
    sweep_in(&base());
}

fn sweep_in(base: &Path) {
    for entry in fs::read_dir(base).into_iter().flatten().flatten() {
        let lock_path = entry.path();
        if lock_path.extension().is_none_or(|extension| extension != "lock") {
            continue;
        }
        let Ok(lock) = File::open(&lock_path) else { continue };
        if lock.try_lock().is_ok() {
            let path = lock_path.with_extension("");
            drop(Profile { path, lock_path, _lock: lock });
        }
    }
}

/// Where profiles go.
fn base() -> PathBuf {
    match env::var_os("XDG_RUNTIME_DIR").map(PathBuf::from) {
        Some(runtime) if runtime.is_dir() => runtime.join("btcp"),
        _ => env::temp_dir().join(format!("btcp-{}", rustix::process::geteuid().as_raw())),
    }
}

/// Makes a folder that only we can look into. In a shared temp folder somebody else may have made
/// one of that name first, to read along.
fn private_folder(path: &Path) -> io::Result<()> {
    match DirBuilder::new().mode(0o700).create(path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
        made => return made,
    }
    let metadata = fs::symlink_metadata(path)?;
    if !metadata.is_dir() {
        return Err(io::Error::other("it is not a folder"));
    }
    if metadata.uid() != rustix::process::geteuid().as_raw() {
        return Err(io::Error::other(format!("it belongs to user {}", metadata.uid())));
    }
    if metadata.permissions().mode() & 0o077 != 0 {
        fs::set_permissions(path, fs::Permissions::from_mode(0o700))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn temporary(test: &str) -> PathBuf {
        env::temp_dir().join(format!("btcp-profile-{}-{test}", std::process::id()))
    }

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn a_profile_is_private_and_removed_with_all_in_it() {
        let base = temporary("private");
        fs::create_dir(&base).unwrap();
        fs::set_permissions(&base, fs::Permissions::from_mode(0o755)).unwrap();

        let profile = Profile::create_in(&base).unwrap();
        assert_eq!((mode(&base), mode(profile.path())), (0o700, 0o700));
        fs::write(profile.path().join("Default/Cookies"), "secret").unwrap();
        drop(profile);

        assert_eq!(fs::read_dir(&base).unwrap().count(), 0);
        fs::remove_dir(&base).unwrap();
    }

    #[test]
    fn a_folder_that_is_not_ours_is_refused() {
        let base = temporary("foreign");
        std::os::unix::fs::symlink(env::temp_dir(), &base).unwrap();

        let error = Profile::create_in(&base).unwrap_err();

        assert_eq!(error.to_string(), "it is not a folder");
        fs::remove_file(&base).unwrap();
    }

    #[test]
    fn sweeping_removes_what_a_dead_owner_left_and_nothing_else() {
        let base = temporary("sweep");
        let alive = Profile::create_in(&base).unwrap();
        let dead = base.join("profile-0");
        fs::create_dir(&dead).unwrap();
        fs::write(base.join("profile-0.lock"), "").unwrap();

        sweep_in(&base);

        assert!(alive.path().exists());
        assert!(!dead.exists() && !base.join("profile-0.lock").exists());
        drop(alive);
        fs::remove_dir(&base).unwrap();
    }
}
