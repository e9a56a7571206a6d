//! A walk to a file: each folder on the way opened in the one before, no link followed unseen.
//!
//! What is kept is the way as it really is, so `..` goes back along it, and a link's target is
//! walked like any other path. Who may come how far is judged in `files.rs`.

use std::ffi::{OsStr, OsString};
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::OsStringExt as _;
use std::path::{Component, Path, PathBuf};

use rustix::fs::{
    AtFlags, CWD, FileType, Mode, OFlags, fstat, mkdirat, openat, readlinkat, statat,
};
use rustix::io::Errno;

/// As many links as Linux follows.
pub(super) const MOST_LINKS: usize = 40;

/// The deepest way that is walked.
const DEEPEST: usize = 256;

/// How a folder is opened: to look up names in, no more.
pub(super) const FOLDER: OFlags = OFlags::PATH.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);

/// Which folder it is, under whatever name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Id {
    device: u64,
    number: u64,
}

impl Id {
    #[allow(clippy::unnecessary_cast, reason = "their size differs between systems")]
    pub(super) fn of(folder: OwnedFd) -> Option<Self> {
        let stat = fstat(&folder).ok()?;
        Some(Self { device: stat.st_dev as u64, number: stat.st_ino as u64 })
    }
}

/// The way so far.
#[derive(Debug)]
pub(super) struct Walk {
    folders: Vec<Folder>,
    /// What the last step led to, if it is no folder.
    end: Option<(OsString, Option<FileType>)>,
}

#[derive(Debug)]
struct Folder {
    name: OsString,
    id: Id,
    fd: OwnedFd,
}

/// What a step came to.
#[derive(Debug)]
pub(super) enum Step {
    /// Further on the way.
    Went,
    /// A link; its target is to be walked in its place.
    Link(PathBuf),
    /// A folder on the way that is not there.
    Missing,
}

impl Walk {
    /// At the root of the disk.
    pub(super) fn begin() -> io::Result<Self> {
        let root = Folder::open(CWD, OsStr::new("/"))?;
        Ok(Self { folders: vec![root], end: None })
    }

    /// Back to the root, for a link that begins there.
    pub(super) fn restart(&mut self) {
        self.folders.truncate(1);
    }

    /// One step. The last one may lead to a file, or to a name that is free.
    pub(super) fn step(&mut self, name: &OsStr, is_last: bool) -> io::Result<Step> {
        if name == ".." {
            // Of the root itself the parent is the root.
            if self.folders.len() > 1 {
                self.folders.pop();
            }
            return Ok(Step::Went);
        }
        if self.folders.len() > DEEPEST {
            return Err(io::Error::from(Errno::NAMETOOLONG));
        }
        let here = self.here()?;
        let kind = match statat(&here.fd, name, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(stat) => FileType::from_raw_mode(stat.st_mode),
            Err(Errno::NOENT) if is_last => {
                self.end = Some((name.to_owned(), None));
                return Ok(Step::Went);
            }
            Err(Errno::NOENT) => return Ok(Step::Missing),
            Err(error) => return Err(error.into()),
        };
        match kind {
            FileType::Symlink => {
                let to = readlinkat(&here.fd, name, Vec::new())?;
                Ok(Step::Link(PathBuf::from(OsString::from_vec(to.into_bytes()))))
            }
            FileType::Directory => {
                let next = Folder::open(&here.fd, name)?;
                self.folders.push(next);
                Ok(Step::Went)
            }
            kind if is_last => {
                self.end = Some((name.to_owned(), Some(kind)));
                Ok(Step::Went)
            }
            _ => Err(Errno::NOTDIR.into()),
        }
    }

    /// Makes a folder that is missing and goes there. Somebody may make it first.
    pub(super) fn make(&mut self, name: &OsStr) -> io::Result<()> {
        let here = self.here()?;
        match mkdirat(&here.fd, name, Mode::RWXU) {
            Ok(()) | Err(Errno::EXIST) => {}
            Err(error) => return Err(error.into()),
        }
        let next = Folder::open(&here.fd, name)?;
        self.folders.push(next);
        Ok(())
    }

    fn here(&self) -> io::Result<&Folder> {
        self.folders.last().ok_or_else(|| Errno::NOENT.into())
    }

    /// The folder the file is in.
    pub(super) fn folder(&self) -> Option<&OwnedFd> {
        self.folders.last().map(|folder| &folder.fd)
    }

    /// The file's name, if the way does not end at a folder.
    pub(super) fn name(&self) -> Option<&OsStr> {
        self.end.as_ref().map(|(name, _)| name.as_os_str())
    }

    /// What is under that name.
    pub(super) fn found(&self) -> Option<FileType> {
        self.end.as_ref().and_then(|(_, kind)| *kind)
    }

    /// The folders on the way, the last first.
    pub(super) fn upwards(&self) -> impl Iterator<Item = (&OsStr, &Id)> {
        self.folders.iter().rev().map(|folder| (folder.name.as_os_str(), &folder.id))
    }

    /// The way as a path without links.
    pub(super) fn path(&self) -> PathBuf {
        let names = self.folders.iter().map(|folder| folder.name.as_os_str());
        names.chain(self.name()).collect()
    }
}

impl Folder {
    fn open(within: impl AsFd, name: &OsStr) -> io::Result<Self> {
        let fd = openat(within, name, FOLDER | OFlags::NOFOLLOW, Mode::empty())?;
        let id = Id::of(fd.try_clone()?).ok_or_else(|| io::Error::from(Errno::NOENT))?;
        Ok(Self { name: name.to_owned(), id, fd })
    }
}

/// The names on the way to a path, the first one last.
pub(super) fn steps(path: &Path) -> Vec<OsString> {
    let named = path.components().filter_map(|part| match part {
        Component::Normal(name) => Some(name.to_owned()),
        Component::ParentDir => Some(OsString::from("..")),
        _ => None,
    });
    let mut names: Vec<OsString> = named.collect();
    names.reverse();
    names
}

/// Whether it is on a file system that the kernel makes up: its files look plain, and tell what no
/// disk holds (`/proc/self/environ`).
#[allow(clippy::unnecessary_cast, reason = "its size differs between systems")]
pub(super) fn is_made_up(file: impl AsFd) -> bool {
    /// proc, sysfs, debugfs, tracefs, securityfs, cgroup and cgroup2, configfs, bpf, efivarfs,
    /// selinux, devpts, mqueue, pstore, binfmt_misc.
    const MADE_UP: [i64; 15] = [
        0x9fa0,
        0x6265_6572,
        0x6462_6720,
        0x7472_6163,
        0x7363_6673,
        0x0027_e0eb,
        0x6367_7270,
        0x6265_6570,
        0xcafe_4a11,
        0xde5e_81e4,
        0xf97c_ff8c,
        0x1cd1,
        0x1980_0202,
        0x6165_676c,
        0x4249_4e4d,
    ];
    // A file system that cannot be asked is none of ours.
    rustix::fs::fstatfs(file).map_or(true, |system| MADE_UP.contains(&(system.f_type as i64)))
}
