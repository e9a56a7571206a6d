//! Copies of the files to upload, in the session's folder, where only Chrome and we can reach them.

use std::fs::{DirBuilder, File, OpenOptions};
use std::io;
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use crate::call::CallContext;
use crate::error::{Error, Result};
use crate::files::OpenFile;
use crate::page::ops::HeldFile;
use crate::session::Session;

/// How many files one call may upload.
const MOST: usize = 100;

/// The most bytes one file may have.
const LARGEST: u64 = 1 << 30;

/// The most bytes all copies of a session may have.
const MOST_BYTES: u64 = 4 << 30;

/// Where copies are, in a session's folder.
const FOLDER: &str = "uploads";

/// Files that are ready for Chrome.
#[derive(Debug)]
pub(super) struct Staged(Vec<Copied>);

#[derive(Debug)]
struct Copied {
    path: String,
    name: String,
    bytes: u64,
}

impl Staged {
    /// Copies what the agent may read; if one of them cannot be had, none is.
    pub(super) async fn copy(
        session: &Session,
        call: &CallContext,
        paths: &[String],
    ) -> Result<Self> {
        if paths.len() > MOST {
            let message = format!("{} files are more than {MOST}", paths.len());
            return Err(Error::BadParam { field: "files", message });
        }
        if paths.is_empty() {
            return Ok(Self(Vec::new()));
        }
        let opened: Vec<(OpenFile, String)> = paths
            .iter()
            .map(|path| Ok((session.open_read(call, path)?, name_of(path))))
            .collect::<Result<_>>()?;
        let bytes: u64 = opened.iter().map(|(file, _)| file.len()).sum();
        let before = session.uploaded(bytes);
        if before.saturating_add(bytes) > MOST_BYTES {
            return Err(Error::TooLarge {
                message: format!(
                    "{bytes} bytes are too many: a session may upload {MOST_BYTES}, and has {before}"
                ),
            });
        }
        let random = getrandom::u64().map_err(|error| Error::internal(error.to_string()))?;
        let folder = session.folder().join(FOLDER).join(format!("{random:016x}"));
        let copied = tokio::task::spawn_blocking(move || copy_all(&folder, opened)).await;
        copied.unwrap_or_else(|_| Err(Error::internal("copying the files broke off"))).map(Self)
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn paths(&self) -> Vec<&str> {
        self.0.iter().map(|file| file.path.as_str()).collect()
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|file| file.name.as_str())
    }

    /// As a field would tell them.
    pub(super) fn held(&self) -> Vec<HeldFile> {
        let held = |file: &Copied| HeldFile { name: file.name.clone(), size: file.bytes };
        self.0.iter().map(held).collect()
    }
}

/// Removes all copies of a session.
pub(crate) fn clear(session_folder: &Path) {
    // Mostly there are none.
    let _ = std::fs::remove_dir_all(session_folder.join(FOLDER));
}

/// The name under which the agent knows it, which may be a link's.
fn name_of(path: &str) -> String {
    let name = Path::new(path).file_name().map(|name| name.to_string_lossy().into_owned());
    name.unwrap_or_else(|| "file".to_owned())
}

fn copy_all(folder: &Path, opened: Vec<(OpenFile, String)>) -> Result<Vec<Copied>> {
    opened
        .into_iter()
        .enumerate()
        .map(|(number, (file, name))| {
            // Two may have the same name.
            let path = folder.join(number.to_string()).join(&name);
            let failed = |error: io::Error| Error::WriteFailed {
                path: path.display().to_string(),
                reason: error.to_string(),
            };
            let changed = file.modified();
            let mut to = create(&path).map_err(failed)?;
            let bytes = file.copy_to(&mut to, LARGEST)?;
            if let Some(changed) = changed {
                // Pages are told when a file was changed last; it does no harm if that is now.
                let _ = to.set_modified(changed);
            }
            let shown = path.to_str().map(str::to_owned);
            let path = shown.ok_or_else(|| Error::internal("the session's folder has no name"))?;
            Ok(Copied { path, name, bytes })
        })
        .collect()
}

fn create(path: &PathBuf) -> io::Result<File> {
    if let Some(folder) = path.parent() {
        DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    }
    OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)
}
