//! A file being written: under a name of its own until it is whole, then in its place.
//!
//! So nobody reads half of it, what was there before stays if writing fails, and neither a link
//! nor a second name of an old file leads what is written elsewhere. Only its owner may read it.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, Mode, OFlags, openat, renameat, unlinkat};

use crate::error::{Error, Result};

/// The most bytes a file may get.
pub(crate) const LARGEST: u64 = 1 << 30;

/// A file being written; gone if it is dropped before it is finished.
#[derive(Debug)]
pub struct NewFile {
    file: File,
    folder: OwnedFd,
    /// Its name until it is whole.
    part: OsString,
    name: OsString,
    path: PathBuf,
    written: u64,
    finished: bool,
}

impl NewFile {
    pub(super) fn begin(folder: impl AsFd, name: &OsStr, path: PathBuf) -> Result<Self> {
        let failed = |error: io::Error| unwritten(&path, &error);
        let folder = folder.as_fd().try_clone_to_owned().map_err(failed)?;
        let random = getrandom::u64().map_err(|error| failed(io::Error::other(error)))?;
        let part = OsString::from(format!(".btcp-{random:016x}.part"));
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW;
        let mode = Mode::RUSR | Mode::WUSR;
        let opened = openat(&folder, &part, flags | OFlags::CLOEXEC, mode);
        let file = File::from(opened.map_err(|error| failed(error.into()))?);
        let name = name.to_owned();
        Ok(Self { file, folder, part, name, path, written: 0, finished: false })
    }

    /// Where it will be.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Puts it in its place; what was there before is gone.
    pub fn finish(mut self) -> Result<PathBuf> {
        // A full disk may be noticed only now.
        self.file.sync_data().map_err(|error| unwritten(&self.path, &error))?;
        renameat(&self.folder, &self.part, &self.folder, &self.name)
            .map_err(|error| unwritten(&self.path, &error.into()))?;
        self.finished = true;
        Ok(self.path.clone())
    }

    /// All of it at once.
    pub fn save(mut self, bytes: &[u8]) -> Result<PathBuf> {
        self.write_all(bytes).map_err(|error| unwritten(&self.path, &error))?;
        self.finish()
    }
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.written.saturating_add(bytes.len() as u64) > LARGEST {
            return Err(io::Error::other(format!("it would have more than {LARGEST} bytes")));
        }
        let count = self.file.write(bytes)?;
        self.written += count as u64;
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for NewFile {
    fn drop(&mut self) {
        if !self.finished {
            // What cannot be removed has a name that says what it is.
            let _ = unlinkat(&self.folder, &self.part, AtFlags::empty());
        }
    }
}

fn unwritten(path: &Path, error: &io::Error) -> Error {
    Error::WriteFailed { path: path.display().to_string(), reason: error.to_string() }
}
