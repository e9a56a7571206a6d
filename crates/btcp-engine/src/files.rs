//! The file door: every path an agent names goes through here, and nothing else opens one.
//!
//! A path is walked from the root of the disk, folder by folder, each opened without following
//! links (`walk.rs`). So what is judged is where a file really is, whatever its name, and what was
//! judged is what is opened: there is no moment between the two. Where a caller may read and
//! write is its [`Folders`]; the session's own folder is always among them.

mod new_file;
mod walk;

use std::ffi::OsStr;
use std::fs::File;
use std::io::Read as _;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use rustix::fs::{CWD, FileType, Mode, OFlags, fstat, openat};

pub use self::new_file::NewFile;
use self::walk::{Id, Walk};
use crate::call::CallContext;
use crate::error::{Error, Result};
use crate::session::Session;
use crate::tab::Tab;

/// The longest path that is looked at.
const LONGEST_PATH: usize = 4096;

/// Where a caller may read and write, besides the session's folder.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Folders {
    /// Where relative paths begin; the session's folder if there is none.
    base: Option<PathBuf>,
    read: Vec<PathBuf>,
    write: Vec<PathBuf>,
}

impl Folders {
    /// For somebody who sits at this machine: the working directory, and to read also the
    /// temporary folder.
    pub fn here() -> Self {
        Self::at(std::env::current_dir().ok())
    }

    /// The same for somebody whose working directory is another than ours.
    pub fn at(folder: Option<PathBuf>) -> Self {
        // Some programs start us at the root of the disk: that is nobody's working directory.
        let is_some = |path: &PathBuf| path.parent().is_some();
        let base = folder.filter(is_some);
        let temporary = Some(std::env::temp_dir()).filter(is_some);
        let read = base.iter().cloned().chain(temporary).collect();
        Self { read, write: base.iter().cloned().collect(), base }
    }

    /// These folders too.
    #[must_use]
    pub fn allowing(mut self, folders: &[PathBuf]) -> Self {
        let real = |path: &PathBuf| std::path::absolute(path).unwrap_or_else(|_| path.clone());
        for folder in folders.iter().map(real) {
            self.read.push(folder.clone());
            self.write.push(folder);
        }
        self
    }
}

/// What a file is wanted for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Want {
    Read,
    Write,
}

impl Want {
    fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "written to",
        }
    }
}

/// What of the disk one call may use.
#[derive(Debug)]
pub(crate) struct Door<'a> {
    folders: &'a Folders,
    /// The session's own folder.
    own: &'a Path,
    /// Folders that belong to us and not to this session: other sessions' files, Chrome's profiles.
    closed: Vec<PathBuf>,
}

/// A file that may be read, open.
#[derive(Debug)]
pub struct OpenFile {
    file: File,
    path: PathBuf,
    len: u64,
}

impl OpenFile {
    /// Where it really is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// How many bytes it had when it was opened.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Whether it is empty.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// When it was changed last.
    pub(crate) fn modified(&self) -> Option<std::time::SystemTime> {
        self.file.metadata().and_then(|metadata| metadata.modified()).ok()
    }

    /// All of it, unless it has more bytes than this; it may have grown since it was opened.
    pub fn read(mut self, at_most: u64) -> Result<Vec<u8>> {
        self.fits(self.len, at_most)?;
        let mut bytes = Vec::new();
        let taken = (&mut self.file).take(at_most.saturating_add(1)).read_to_end(&mut bytes);
        taken.map_err(|error| unreadable(&self.path, &error.to_string()))?;
        self.fits(bytes.len() as u64, at_most)?;
        Ok(bytes)
    }

    /// Copies it to a file of ours, unless it has more bytes than this.
    pub(crate) fn copy_to(mut self, to: &mut File, at_most: u64) -> Result<u64> {
        self.fits(self.len, at_most)?;
        let copied = std::io::copy(&mut (&mut self.file).take(at_most.saturating_add(1)), to);
        let copied = copied.map_err(|error| unreadable(&self.path, &error.to_string()))?;
        self.fits(copied, at_most)?;
        Ok(copied)
    }

    fn fits(&self, bytes: u64, at_most: u64) -> Result<()> {
        if bytes <= at_most {
            return Ok(());
        }
        Err(Error::TooLarge {
            message: format!(
                "File {} has {bytes} bytes or more, at most {at_most} are read",
                shown(&self.path.to_string_lossy())
            ),
        })
    }
}

impl Tab {
    /// Opens a file the agent named, for reading.
    pub fn open_read(&self, path: &str) -> Result<OpenFile> {
        self.session.open_read(&self.context, path)
    }

    /// Begins a file the agent named; it takes its place when it is finished.
    pub fn open_write(&self, path: &str) -> Result<NewFile> {
        self.session.open_write(&self.context, path)
    }
}

impl Session {
    /// Opens a file the agent named, for reading.
    pub fn open_read(&self, call: &CallContext, path: &str) -> Result<OpenFile> {
        self.door(call).open_read(path)
    }

    /// Begins a file the agent named; it takes its place when it is finished.
    pub fn open_write(&self, call: &CallContext, path: &str) -> Result<NewFile> {
        self.door(call).open_write(path)
    }

    fn door<'a>(&'a self, call: &'a CallContext) -> Door<'a> {
        let others = self.folder().parent().map(Path::to_path_buf);
        let kept = self.browser.settings.profile.clone();
        let ours = [crate::launch::runtime_folder()].into_iter().chain(kept);
        let closed = others.into_iter().chain(ours).collect();
        Door { folders: &call.folders, own: self.folder(), closed }
    }
}

impl Door<'_> {
    fn open_read(&self, path: &str) -> Result<OpenFile> {
        let rules = self.rules(Want::Read);
        let at = rules.walk(self.start(path)?, path)?;
        let (Some(folder), Some(name)) = (at.folder(), at.name()) else {
            return Err(unreadable(Path::new(path), "it is a folder"));
        };
        let Some(found) = at.found() else {
            return Err(Error::FileNotFound { path: shown(path) });
        };
        rules.is_plain(path, found)?;
        // Not blocking: what a pipe put in its place would do. What it is now is asked again below.
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY;
        let opened = openat(folder, name, flags | OFlags::CLOEXEC, Mode::empty());
        let opened = opened.map_err(|error| unreadable(Path::new(path), &error.to_string()))?;
        let stat = fstat(&opened).map_err(|e| unreadable(Path::new(path), &e.to_string()))?;
        rules.is_plain(path, FileType::from_raw_mode(stat.st_mode))?;
        if walk::is_made_up(&opened) {
            return Err(rules.denied(path, "it is no file on a disk"));
        }
        let len = u64::try_from(stat.st_size).unwrap_or(0);
        Ok(OpenFile { file: File::from(opened), path: at.path(), len })
    }

    fn open_write(&self, path: &str) -> Result<NewFile> {
        let rules = self.rules(Want::Write);
        if path.ends_with('/') {
            return Err(unwritable(path, "it is the name of a folder"));
        }
        let at = rules.walk(self.start(path)?, path)?;
        let (Some(folder), Some(name)) = (at.folder(), at.name()) else {
            return Err(unwritable(path, "it is a folder"));
        };
        if let Some(found) = at.found() {
            rules.is_plain(path, found)?;
        }
        if walk::is_made_up(folder) {
            return Err(rules.denied(path, "it is no file on a disk"));
        }
        NewFile::begin(folder, name, at.path())
    }

    /// The path as one from the root of the disk.
    fn start(&self, path: &str) -> Result<PathBuf> {
        let wrong = |message: &str| {
            let message = format!("Path '{}' {message}", shown(path));
            Err(Error::BadParam { field: "path", message })
        };
        if path.trim().is_empty() {
            return wrong("is empty");
        }
        if path.contains('\0') || path.len() > LONGEST_PATH {
            return wrong("is not one a file can have");
        }
        Ok(self.folders.base.as_deref().unwrap_or(self.own).join(path))
    }

    fn rules(&self, want: Want) -> Rules {
        let more = match want {
            Want::Read => &self.folders.read,
            Want::Write => &self.folders.write,
        };
        let allowed: Vec<&Path> = more.iter().map(PathBuf::as_path).collect();
        let id = |path: &Path| openat(CWD, path, walk::FOLDER, Mode::empty()).ok().and_then(Id::of);
        Rules {
            want,
            open: allowed.iter().chain([&self.own]).filter_map(|path| id(path)).collect(),
            closed: self.closed.iter().filter_map(|path| id(path)).collect(),
            allowed: allowed.iter().chain([&self.own]).map(|p| p.display().to_string()).collect(),
        }
    }
}

/// What a walk is judged by: folders by what they are, not by their names, so that neither case
/// nor links nor mounts make another folder of them.
struct Rules {
    want: Want,
    open: Vec<Id>,
    closed: Vec<Id>,
    allowed: Vec<String>,
}

impl Rules {
    /// Follows a path to its end, where nothing outside the folders has been asked for.
    fn walk(&self, from: PathBuf, written: &str) -> Result<Walk> {
        let makes = self.want == Want::Write;
        let mut walk = Walk::begin().map_err(|e| self.denied(written, &e.to_string()))?;
        let mut steps = walk::steps(&from);
        let mut links = 0;
        while let Some(step) = steps.pop() {
            let is_last = steps.is_empty();
            match walk.step(&step, is_last) {
                Ok(walk::Step::Went) => {}
                Ok(walk::Step::Link(to)) => {
                    links += 1;
                    if links > walk::MOST_LINKS {
                        return Err(self.denied(written, "its links have no end"));
                    }
                    if to.is_absolute() {
                        walk.restart();
                    }
                    steps.extend(walk::steps(&to));
                }
                // Whether something is there or not is told only where it may be looked.
                Ok(walk::Step::Missing) => {
                    self.judge(&walk, Some(&step), written)?;
                    if !makes {
                        return Err(Error::FileNotFound { path: shown(written) });
                    }
                    walk.make(&step).map_err(|error| unwritable(written, &error.to_string()))?;
                }
                Err(error) => {
                    self.judge(&walk, Some(&step), written)?;
                    return Err(match self.want {
                        Want::Read => unreadable(Path::new(written), &error.to_string()),
                        Want::Write => unwritable(written, &error.to_string()),
                    });
                }
            }
        }
        self.judge(&walk, None, written)?;
        Ok(walk)
    }

    /// Whether where a walk has come to is inside an open folder: from there upwards the first
    /// folder with a rule decides.
    fn judge(&self, walk: &Walk, next: Option<&OsStr>, written: &str) -> Result<()> {
        let is_hidden = |name: &OsStr| name.as_bytes().first() == Some(&b'.');
        let mut hidden = next.or(walk.name()).is_some_and(is_hidden);
        for (name, id) in walk.upwards() {
            if self.open.contains(id) {
                let refused = || self.denied(written, "hidden files are kept from agents");
                return if hidden { Err(refused()) } else { Ok(()) };
            }
            if self.closed.contains(id) {
                return Err(self.denied(written, "it is not this session's"));
            }
            hidden |= is_hidden(name);
        }
        Err(self.denied(written, "it is outside the allowed folders"))
    }

    fn is_plain(&self, written: &str, kind: FileType) -> Result<()> {
        match kind {
            FileType::RegularFile => Ok(()),
            FileType::Directory => Err(unreadable(Path::new(written), "it is a folder")),
            _ => Err(self.denied(written, "it is no plain file")),
        }
    }

    fn denied(&self, written: &str, why: &str) -> Error {
        Error::FolderDenied {
            message: format!("'{}' may not be {}: {why}", shown(written), self.want.name()),
            allowed: self.allowed.clone(),
        }
    }
}

/// A path as errors print it: agents write them, and some learnt them from a page.
fn shown(path: &str) -> String {
    let quoted = crate::text::quoted(&crate::text::cut(path, 200));
    quoted.trim_matches('"').to_owned()
}

fn unreadable(path: &Path, reason: &str) -> Error {
    Error::FileUnreadable { path: shown(&path.to_string_lossy()), reason: reason.to_owned() }
}

fn unwritable(path: &str, reason: &str) -> Error {
    Error::WriteFailed { path: shown(path), reason: reason.to_owned() }
}

#[cfg(test)]
mod tests;
