//! A profile that a person keeps: what pages store in it is there the next time.
//!
//! It is never removed, and one Chrome has it at a time: another btcp is kept out by a lock in it, a
//! person's own Chrome is known by the socket it listens at. What only one start needs, temporary
//! files and dumps of crashes, goes elsewhere and is removed (`profile.rs`).

use std::{
    fs::{self, DirBuilder, File, OpenOptions},
    io::{self, Write},
    os::unix::{
        fs::{DirBuilderExt, MetadataExt, OpenOptionsExt},
        net::UnixStream,
    },
    path::{Path, PathBuf},
    time::Duration,
};

use serde_json::{Value, json};
use tokio::time::{Instant, sleep};

use super::{
    LaunchError,
    profile::{NO_PASSWORDS, PREFERENCES},
};

/// Held for as long as our Chrome has the profile.
const LOCK: &str = "btcp.lock";

/// A link to the socket at which a running Chrome waits for a second one to be started.
const SOCKET: &str = "SingletonSocket";

/// Where Chrome writes its debugging port.
const PORT: &str = "DevToolsActivePort";

/// How long a Chrome that is about to end may still have it.
const ENDING: Duration = Duration::from_secs(5);

/// How long between two looks.
const PAUSE: Duration = Duration::from_millis(20);

/// A person's profile, which nobody else has meanwhile.
#[derive(Debug)]
pub(super) struct Kept {
    path: PathBuf,
    _lock: File,
}

impl Kept {
    /// Makes the folder if it is not there, waits until nobody has it, and sets what differs from a
    /// person's browser.
    pub(super) async fn take(folder: &Path, passwords: bool) -> Result<Self, LaunchError> {
        Self::take_within(ENDING, folder, passwords).await
    }

    async fn take_within(
        patience: Duration,
        folder: &Path,
        passwords: bool,
    ) -> Result<Self, LaunchError> {
        let told = |reason: String| LaunchError::Kept { path: folder.to_owned(), reason };
        let lock = open(folder).map_err(|error| told(error.to_string()))?;
        let begun = Instant::now();
        while let Some(somebody) = user(folder, &lock) {
            if begun.elapsed() >= patience {
                return Err(told(format!("{somebody} has it open")));
            }
            sleep(PAUSE).await;
        }
        prepare(folder, passwords).map_err(|error| told(error.to_string()))?;
        Ok(Self { path: folder.to_owned(), _lock: lock })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }
}

/// The port that a Chrome with this profile opened, once it has.
pub(super) fn opened_port(profile: &Path) -> Option<u16> {
    let told = fs::read_to_string(profile.join(PORT)).ok()?;
    // The path stands in the second line: the first is whole then.
    told.split_once('\n')?.0.parse().ok()
}

/// Opens the lock of a folder that is a profile or is to become one.
fn open(folder: &Path) -> io::Result<File> {
    DirBuilder::new().mode(0o700).recursive(true).create(folder)?;
    let owner = fs::metadata(folder)?.uid();
    if owner != rustix::process::geteuid().as_raw() {
        return Err(io::Error::other(format!("it belongs to user {owner}")));
    }
    if !is_profile(folder)? {
        // A slip of the pen would fill somebody's folder with a browser's files.
        return Err(io::Error::other("there is something else in it than a profile of Chrome"));
    }
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false).mode(0o600);
    options.open(folder.join(LOCK))
}

/// Whether a folder is a profile, or empty.
fn is_profile(folder: &Path) -> io::Result<bool> {
    let names: Vec<_> =
        fs::read_dir(folder)?.map(|entry| Ok(entry?.file_name())).collect::<io::Result<_>>()?;
    let of_chrome = |name: &str| names.iter().any(|one| one == name);
    Ok(of_chrome("Local State") || of_chrome("Default") || names.iter().all(|name| name == LOCK))
}

/// Who has it, if not we.
fn user(folder: &Path, lock: &File) -> Option<&'static str> {
    if lock.try_lock().is_err() {
        return Some("another btcp");
    }
    // By the link's end: the path to the link may be too long for a socket's.
    let listens = fs::read_link(folder.join(SOCKET)).and_then(UnixStream::connect);
    listens.is_ok().then_some("another Chrome")
}

fn prepare(folder: &Path, passwords: bool) -> io::Result<()> {
    DirBuilder::new().mode(0o700).recursive(true).create(folder.join("Default"))?;
    let wanted: Value = serde_json::from_str(PREFERENCES)?;
    set(&folder.join("Default/Preferences"), wanted)?;
    let schemes = match passwords {
        false => serde_json::from_str(NO_PASSWORDS)?,
        true => json!({ "auth": { "schemes": null } }),
    };
    set(&folder.join("Local State"), schemes)?;
    match fs::remove_file(folder.join(PORT)) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Sets something in a file of Chrome's settings, which is whole at every moment.
fn set(file: &Path, wanted: Value) -> io::Result<()> {
    let mut all = match fs::read(file) {
        Ok(text) => serde_json::from_slice(&text)
            .map_err(|error| io::Error::other(format!("{}: {error}", file.display())))?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => json!({}),
        Err(error) => return Err(error),
    };
    merge(&mut all, wanted);
    let new = file.with_extension("btcp-new");
    let _ = fs::remove_file(&new);
    let mut written = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&new)?;
    written.write_all(all.to_string().as_bytes())?;
    fs::rename(&new, file)
}

/// Puts the fields of one object into another; null takes one away.
fn merge(into: &mut Value, from: Value) {
    match (into, from) {
        (Value::Object(into), Value::Object(from)) => {
            for (name, value) in from {
                match value {
                    Value::Null => drop(into.remove(&name)),
                    value => merge(into.entry(name).or_insert(Value::Null), value),
                }
            }
        }
        (into, from @ Value::Object(_)) => {
            *into = json!({});
            merge(into, from);
        }
        (into, from) => *into = from,
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{PermissionsExt, symlink};
    use std::os::unix::net::UnixListener;

    use super::*;

    struct Folder(PathBuf);

    impl Folder {
        fn new(test: &str) -> Self {
            let path =
                std::env::temp_dir().join(format!("btcp-kept-{}-{test}", std::process::id()));
            let _ = fs::remove_dir_all(&path);
            Self(path)
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    async fn refused(folder: &Path) -> String {
        let patience = Duration::from_millis(50);
        Kept::take_within(patience, folder, false).await.unwrap_err().to_string()
    }

    #[tokio::test]
    async fn a_profile_is_one_chromes_at_a_time_and_stays() {
        let folder = Folder::new("one");
        let path = folder.0.join("agent");
        let kept = Kept::take(&path, false).await.unwrap();
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o700);
        assert!(refused(&path).await.ends_with("another btcp has it open"));

        drop(kept);
        let socket = folder.0.join("socket");
        let chrome = UnixListener::bind(&socket).unwrap();
        symlink(&socket, path.join(SOCKET)).unwrap();
        assert!(refused(&path).await.ends_with("another Chrome has it open"));

        // It ended without taking its socket along.
        drop(chrome);
        drop(Kept::take(&path, false).await.unwrap());
        assert!(path.join("Default/Preferences").exists(), "it was removed");
    }

    #[tokio::test]
    async fn a_folder_with_something_else_in_it_is_left_alone() {
        let folder = Folder::new("else");
        fs::create_dir(&folder.0).unwrap();
        fs::write(folder.0.join("thesis.txt"), "").unwrap();
        assert!(
            refused(&folder.0).await.ends_with("something else in it than a profile of Chrome")
        );
        assert_eq!(fs::read_dir(&folder.0).unwrap().count(), 1);
        assert!(refused(&folder.0.join("thesis.txt")).await.contains("cannot be used"));
    }

    #[tokio::test]
    async fn what_a_person_has_set_stays_set() {
        let folder = Folder::new("set");
        let preferences = folder.0.join("Default/Preferences");
        fs::create_dir_all(folder.0.join("Default")).unwrap();
        fs::write(&preferences, r#"{"net":{"x":1},"homepage":"http://a.test/"}"#).unwrap();
        fs::write(folder.0.join("Local State"), r#"{"user":{"y":2}}"#).unwrap();
        let read =
            |path: &Path| -> Value { serde_json::from_slice(&fs::read(path).unwrap()).unwrap() };

        drop(Kept::take(&folder.0, false).await.unwrap());

        let set = read(&preferences);
        assert_eq!(set["net"], json!({ "x": 1, "network_prediction_options": 2 }));
        assert_eq!(set["homepage"], "http://a.test/");
        let state = folder.0.join("Local State");
        assert_eq!(read(&state), json!({ "user": { "y": 2 }, "auth": { "schemes": "none" } }));
        drop(Kept::take(&folder.0, true).await.unwrap());
        assert_eq!(read(&state), json!({ "user": { "y": 2 }, "auth": {} }));
    }
}
