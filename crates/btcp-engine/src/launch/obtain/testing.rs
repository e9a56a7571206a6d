//! Chrome for Testing in the user's cache folder: index, download, unpack, rename.
//!
//! Whoever works there holds a lock that the system lets go of when its holder dies, so leftovers in the folder are
//! nobody's. What is killed at any moment leaves a part that is gone on with, or a whole browser.

use std::{
    fs::{self, File},
    io,
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

use super::super::{
    LaunchError,
    cache::{folder, newest, program_in},
    find::is_program,
};
use super::{
    Hear, Wanted,
    checksum::Checksums,
    download::{Download, Trouble},
    failed, say,
    source::{Problem, Release, Source, VARIABLE},
    unpack::{Unusable, unpack},
};
use crate::egress::Proxy;

/// How long another process may take.
const OTHERS: Duration = Duration::from_secs(30 * 60);
const LOOK: Duration = Duration::from_millis(100);

/// How often the index is asked for.
const TRIES: u32 = 3;

/// Its program, downloaded if it is not there.
pub(super) fn install(
    wanted: Wanted,
    proxy: Option<&Proxy>,
    hear: &Hear,
) -> Result<PathBuf, LaunchError> {
    let Some(folder) = folder() else {
        let reason = "there is no folder to keep it in: neither XDG_CACHE_HOME nor HOME is set";
        return Err(failed(reason.to_owned(), "Set XDG_CACHE_HOME to a folder.".to_owned()));
    };
    let _lock = lock(&folder, hear).map_err(|error| unwritable(&folder, &error))?;
    // Another process may have been before us.
    if wanted == Wanted::Any
        && let Some(there) = newest(&folder, is_program)
    {
        return Ok(there);
    }
    clear(&folder);
    let source = Source::here(proxy).map_err(|why| {
        failed(why, format!("Set {VARIABLE} to the https address of an index, or to none."))
    })?;
    let release = release(&source)?;
    let place = folder.join(&release.version);
    let program = program_in(&place).filter(|program| is_program(program));
    if let Some(program) = program {
        return Ok(program);
    }
    say(hear, &format!("downloading Chrome for Testing {}", release.version));
    let part = folder.join(format!(".{}.part", release.version));
    let checksums = release.sha256.iter().map(|sum| ("sha256".to_owned(), sum.clone()));
    let checksums: Checksums = checksums.collect();
    let (agent, url) = (&source.agent, release.url.as_str());
    let download = Download { agent, url, part: &part, checksums, hear };
    download.run().map_err(|trouble| undownloaded(&folder, trouble))?;
    say(hear, "unpacking it");
    let program = put(&part, &place, hear).map_err(|unusable| match unusable {
        Unusable::Disk(error) => unwritable(&folder, &error),
        Unusable::Archive(why) => {
            download.discard();
            wrong(format!("what '{}' sends is no browser: {why}", release.url))
        }
    })?;
    download.discard();
    say(hear, &format!("Chrome for Testing {} is installed", release.version));
    Ok(program)
}

/// Waits for the right to work in the folder.
fn lock(folder: &Path, hear: &Hear) -> io::Result<File> {
    fs::create_dir_all(folder)?;
    let lock =
        File::options().write(true).create(true).truncate(false).open(folder.join(".lock"))?;
    let begun = Instant::now();
    let mut told = false;
    loop {
        match lock.try_lock() {
            Ok(()) => return Ok(lock),
            Err(fs::TryLockError::Error(error)) => return Err(error),
            Err(fs::TryLockError::WouldBlock) if begun.elapsed() > OTHERS => {
                let says = "another installation has not ended for half an hour";
                return Err(io::Error::new(io::ErrorKind::TimedOut, says));
            }
            Err(fs::TryLockError::WouldBlock) => {}
        }
        if !told {
            say(hear, "another installation is under way; waiting for it");
            told = true;
        }
        thread::sleep(LOOK);
    }
}

/// Removes what an installation left that was killed while it unpacked.
fn clear(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.file_name().to_string_lossy().starts_with(".unpack-") {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

fn release(source: &Source) -> Result<Release, LaunchError> {
    let mut tries = 0;
    loop {
        tries += 1;
        match source.newest() {
            Ok(release) => return Ok(release),
            Err(Problem::Passing(_)) if tries < TRIES => thread::sleep(LOOK * 3 * tries),
            Err(Problem::Passing(why) | Problem::Final(why)) => {
                return Err(failed(why, unreachable_source()));
            }
        }
    }
}

/// Unpacks an archive beside its place and puts it there in one step.
fn put(archive: &Path, place: &Path, hear: &Hear) -> Result<PathBuf, Unusable> {
    let name = place.file_name().unwrap_or_default().to_string_lossy();
    let beside = place.with_file_name(format!(".unpack-{name}"));
    fs::create_dir(&beside).map_err(Unusable::Disk)?;
    let unpacked = unpack(archive, &beside, hear).and_then(|()| {
        let program = program_in(&beside).filter(|program| is_program(program));
        if program.is_none() {
            return Err(Unusable::Archive("there is no program in it".to_owned()));
        }
        written(&beside);
        // Half a browser that somebody made of a whole one.
        let _ = fs::remove_dir_all(place);
        fs::rename(&beside, place).map_err(Unusable::Disk)
    });
    if unpacked.is_err() {
        let _ = fs::remove_dir_all(&beside);
    }
    unpacked?;
    program_in(place).ok_or_else(|| Unusable::Archive("there is no program in it".to_owned()))
}

/// Sees to it that after a power cut the name is not there before the files.
fn written(folder: &Path) {
    if let Ok(folder) = File::open(folder) {
        let _ = rustix::fs::syncfs(folder);
    }
}

fn undownloaded(folder: &Path, trouble: Trouble) -> LaunchError {
    match trouble {
        Trouble::Source(why) => failed(why, unreachable_source()),
        Trouble::Disk(error) => unwritable(folder, &error),
        Trouble::Wrong(why) => wrong(why),
    }
}

fn unreachable_source() -> String {
    format!(
        "Look at the connection, then run `btcp install`: it goes on where it stopped. A proxy is set by --proxy or \
         HTTPS_PROXY, a mirror by {VARIABLE}; a browser that is there is named by --browser or CHROME."
    )
}

fn wrong(why: String) -> LaunchError {
    let how = "It has been removed; call again. If that does not help, the source is broken or somebody changes \
               what it sends.";
    failed(why, how.to_owned())
}

fn unwritable(folder: &Path, error: &io::Error) -> LaunchError {
    let how = match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge => {
            "Make room there, or set XDG_CACHE_HOME to a folder on another disk, then call again."
        }
        io::ErrorKind::TimedOut => "End it, or wait, then call again.",
        _ => "Set XDG_CACHE_HOME to a folder that can be written to, or mend this one.",
    };
    failed(format!("'{}' cannot be written to: {error}", folder.display()), how.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_trouble_with_the_disk_says_what_to_do() {
        let says = |kind: io::ErrorKind| match unwritable(Path::new("/c"), &kind.into()) {
            LaunchError::InstallFailed { reason, how } => format!("{reason}. {how}"),
            other => panic!("{other}"),
        };
        let full = says(io::ErrorKind::StorageFull);
        assert!(
            full.starts_with("'/c' cannot be written to: no storage space. Make room"),
            "{full}"
        );
        let denied = says(io::ErrorKind::PermissionDenied);
        assert!(denied.ends_with("that can be written to, or mend this one."), "{denied}");
    }
}
