//! The profile folder: private, temporary, swept up even after a crash.
//!
//! Beside each folder lies a lock file that its owner holds. The system lets go
//! of the lock when the owner dies, so whoever gets the lock may remove the folder,
//! after having killed what still uses it (`ledger.rs`).

use std::{
    env,
    fs::{self, DirBuilder, File},
    io,
    os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt},
    path::{Path, PathBuf},
    thread,
    time::Duration,
};

use super::{
    LaunchError,
    ledger::{self, Died},
};

/// What differs from the settings of a new Chrome.
///
/// Preloading off: a page may name others to be fetched or run ahead, and the agent has asked for
/// none of them. No feature switch does that: with `Prerender2` off Chrome 156 still preloads.
/// Passwords off: no bubble that offers to save them.
pub(super) const PREFERENCES: &str =
    r#"{"net":{"network_prediction_options":2},"credentials_enable_service":false}"#;

/// For browsers that have no passwords to give: a server that asks for one is answered as by a
/// browser that knows no such thing, so its page of refusal is shown. Otherwise Chrome opens a
/// window that nobody can close, over whatever page comes next.
pub(super) const NO_PASSWORDS: &str = r#"{"auth":{"schemes":"none"}}"#;

/// A profile folder; removed when dropped.
#[derive(Debug)]
pub(super) struct Profile {
    path: PathBuf,
    lock_path: PathBuf,
    lock: File,
}

impl Profile {
    /// A new, empty one, for a browser that has passwords to give or not; `announce` hears the name of its lock file before there is anything to be
    /// removed.
    pub(super) fn create(
        passwords: bool,
        announce: impl FnOnce(&Path),
    ) -> Result<Self, LaunchError> {
        let base = base();
        Self::create_in(&base, passwords, announce)
            .map_err(|error| LaunchError::Profile { path: base, reason: error.to_string() })
    }

    fn create_in(base: &Path, passwords: bool, announce: impl FnOnce(&Path)) -> io::Result<Self> {
        private_folder(base)?;
        let random = getrandom::u64().map_err(|error| io::Error::other(error.to_string()))?;
        let path = base.join(format!("profile-{random:016x}"));
        let lock_path = path.with_extension("lock");
        announce(&lock_path);
        // Locked before it has its name, or a sweep could come between.
        let unnamed = path.with_extension("new");
        let lock = File::create_new(&unnamed)?;
        lock.lock()?;
        fs::rename(&unnamed, &lock_path)?;
        let profile = Self { path, lock_path, lock };
        let default = profile.path.join("Default");
        DirBuilder::new().mode(0o700).recursive(true).create(&default)?;
        fs::write(default.join("Preferences"), PREFERENCES)?;
        if !passwords {
            fs::write(profile.path.join("Local State"), NO_PASSWORDS)?;
        }
        Ok(profile)
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Writes down which process has it.
    pub(super) fn used_by(&self, pid: u32) {
        ledger::record(&self.lock, pid);
    }

    /// Removes it; nothing if it is gone. Processes that are just being killed may still write,
    /// so it is tried for a while; what stays then, a later sweep finds by its lock.
    pub(super) fn remove(&self) {
        if remove_folder(&self.path) {
            let _ = fs::remove_file(&self.lock_path);
        } else {
            tracing::debug!(path = %self.path.display(), "the profile is still in use");
        }
    }
}

/// Removes a folder that nobody may use any more; whether it is gone for good. Whoever was started
/// for it is ended first: a process that is just being killed would make it again.
fn remove_folder(path: &Path) -> bool {
    let deserted = ledger::clear(path);
    for _ in 0..20 {
        let removed = fs::remove_dir_all(path);
        if removed.is_ok() || !path.exists() {
            return deserted;
        }
        thread::sleep(Duration::from_millis(5));
    }
    false
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
        let path = entry.path();
        let extension = path.extension().and_then(|extension| extension.to_str());
        match extension {
            Some("lock") => {
                let lock = File::open(&path).ok().filter(|lock| lock.try_lock().is_ok());
                if let Some(lock) = lock {
                    take_over(path, lock, Died::Once);
                }
            }
            // The lock is made before the folder and removed after it: this one is nobody's.
            None if is_profile(&path) && !path.with_extension("lock").exists() => {
                remove_folder(&path);
            }
            // Its owner died before it had its name; a young one is about to get it.
            Some("new") if is_old(&entry) => drop(fs::remove_file(path)),
            _ => {}
        }
    }
}

/// Removes one profile as soon as its owner, who is about to die, is dead.
pub(super) fn clear_up(lock_path: &Path) {
    let path = lock_path.with_extension("");
    match File::open(lock_path) {
        Ok(lock) if lock.lock().is_ok() => {
            take_over(lock_path.to_owned(), lock, Died::JustNow);
            stay_removed(&path);
        }
        // Its owner removed it, or had not come to make it.
        _ if path.exists() => drop(remove_folder(&path)),
        _ => {}
    }
    let _ = fs::remove_file(lock_path.with_extension("new"));
}

/// Looks for a moment whether somebody who was missed makes a folder again.
fn stay_removed(path: &Path) {
    for _ in 0..10 {
        thread::sleep(Duration::from_millis(10));
        if path.exists() {
            remove_folder(path);
        }
    }
}

/// Ends what a dead owner left and removes its profile.
fn take_over(lock_path: PathBuf, lock: File, died: Died) {
    let path = lock_path.with_extension("");
    ledger::reap(&lock, &path, died);
    drop(Profile { path, lock_path, lock });
}

fn is_profile(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str());
    path.is_dir() && name.is_some_and(|name| name.starts_with("profile-"))
}

fn is_old(entry: &fs::DirEntry) -> bool {
    let modified = entry.metadata().and_then(|metadata| metadata.modified());
    modified.is_ok_and(|at| at.elapsed().is_ok_and(|age| age > Duration::from_secs(60)))
}

/// Where profiles go.
pub(super) fn base() -> PathBuf {
    match env::var_os("XDG_RUNTIME_DIR").map(PathBuf::from) {
        Some(runtime) if runtime.is_dir() => runtime.join("btcp"),
        _ => env::temp_dir().join(format!("btcp-{}", rustix::process::geteuid().as_raw())),
    }
}

/// Makes a folder that only we can look into. In a shared temp folder somebody else may have made
/// one of that name first, to read along.
pub(super) fn private_folder(path: &Path) -> io::Result<()> {
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

        let profile = Profile::create_in(&base, false, |_| ()).unwrap();
        assert_eq!((mode(&base), mode(profile.path())), (0o700, 0o700));
        fs::write(profile.path().join("Default/Cookies"), "secret").unwrap();
        drop(profile);

        assert_eq!(fs::read_dir(&base).unwrap().count(), 0);
        fs::remove_dir(&base).unwrap();
    }

    #[test]
    fn who_clears_up_removes_a_folder_that_came_back() {
        let base = temporary("back");
        let profile = Profile::create_in(&base, false, |_| ()).unwrap();
        let (path, lock_path) = (profile.path.clone(), profile.lock_path.clone());
        drop(profile);
        // A process that was just being killed.
        fs::create_dir_all(path.join("Default")).unwrap();

        clear_up(&lock_path);

        assert_eq!(fs::read_dir(&base).unwrap().count(), 0);
        fs::remove_dir(&base).unwrap();
    }

    #[test]
    fn a_folder_that_is_not_ours_is_refused() {
        let base = temporary("foreign");
        std::os::unix::fs::symlink(env::temp_dir(), &base).unwrap();

        let error = Profile::create_in(&base, false, |_| ()).unwrap_err();

        assert_eq!(error.to_string(), "it is not a folder");
        fs::remove_file(&base).unwrap();
    }

    #[test]
    fn sweeping_removes_what_a_dead_owner_left_and_nothing_else() {
        let base = temporary("sweep");
        let alive = Profile::create_in(&base, false, |_| ()).unwrap();
        let dead = base.join("profile-0");
        fs::create_dir(&dead).unwrap();
        fs::write(base.join("profile-0.lock"), "").unwrap();
        let nobodys = base.join("profile-3");
        fs::create_dir(&nobodys).unwrap();
        let young = base.join("profile-1.new");
        let old = File::create(base.join("profile-2.new")).unwrap();
        File::create(&young).unwrap();
        old.set_modified(std::time::SystemTime::UNIX_EPOCH).unwrap();

        sweep_in(&base);

        assert!(alive.path().exists());
        assert!(young.exists() && !base.join("profile-2.new").exists());
        fs::remove_file(young).unwrap();
        assert!(!nobodys.exists(), "a folder without a lock was left");
        assert!(!dead.exists() && !base.join("profile-0.lock").exists());
        drop(alive);
        fs::remove_dir(&base).unwrap();
    }
}
