//! One large file, downloaded so that nothing of it need be downloaded twice.
//!
//! What has come lies in a `.part` file; beside it stands which file of the server's it is a part of (`Notes`).
//! After a broken connection, or in the next process, only the rest is asked for, on the condition that the
//! file is still the same. A server that does not know such requests sends all of it, and it begins anew.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, Read, Write},
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

use serde_json::{Value, json};
use ureq::{
    Agent, Body,
    http::{HeaderMap, Response},
};

use super::{
    Hear, News, Unit,
    checksum::{self, Checksums},
    source::{Problem, broken, refused, request},
};

/// Chrome for Testing has 170 MB.
const LARGEST: u64 = 2 << 30;

/// How often one tries without a single byte coming; and how long it waits the first time.
const TRIES: u32 = 4;
const WAIT: Duration = Duration::from_millis(300);

/// How long all of it may take, and how often it may break off: who is slower or worse is no source.
const LIMIT: Duration = Duration::from_secs(3 * 60 * 60);
const BREAKS: u32 = 200;

/// How often the person is told how far it is.
const TOLD: Duration = Duration::from_millis(50);

/// Why there is no file.
#[derive(Debug)]
pub(super) enum Trouble {
    /// The source or the line to it.
    Source(String),
    /// The disk.
    Disk(io::Error),
    /// What came is not what was said to come; it has been removed.
    Wrong(String),
}

impl From<io::Error> for Trouble {
    fn from(error: io::Error) -> Self {
        Self::Disk(error)
    }
}

/// A download, begun or not.
pub(super) struct Download<'a> {
    pub(super) agent: &'a Agent,
    pub(super) url: &'a str,
    /// Where what has come lies.
    pub(super) part: &'a Path,
    /// What is known of the file before it comes.
    pub(super) checksums: Checksums,
    pub(super) hear: &'a Hear,
}

/// What was written down about the file a part is of.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Notes {
    url: String,
    length: u64,
    /// An ETag or a date: another one is another file.
    validator: Option<String>,
    checksums: Checksums,
}

impl Download<'_> {
    /// Downloads what is missing and compares it all with its checksums.
    pub(super) fn run(&self) -> Result<(), Trouble> {
        let (mut tries, mut breaks) = (0, 0);
        let deadline = Instant::now() + LIMIT;
        let notes = loop {
            let before = self.length();
            match self.attempt(deadline) {
                Ok(notes) => break notes,
                Err(Stopped::Disk(error)) => return Err(error.into()),
                Err(Stopped::Source(Problem::Final(why))) => return Err(Trouble::Source(why)),
                Err(Stopped::Source(Problem::Passing(why))) => {
                    tries = if self.length() > before { 1 } else { tries + 1 };
                    breaks += 1;
                    if tries >= TRIES || breaks >= BREAKS {
                        return Err(Trouble::Source(why));
                    }
                    tracing::debug!(%why, tries, "the download broke off");
                    thread::sleep(WAIT * 2_u32.pow(tries));
                }
            }
        };
        let mut told = notes.checksums;
        told.extend(self.checksums.clone());
        if let Some(kind) = checksum::differs(self.part, &told)? {
            self.discard();
            return Err(Trouble::Wrong(format!("the {kind} of '{}' is another", self.url)));
        }
        Ok(())
    }

    /// Removes what has come.
    pub(super) fn discard(&self) {
        for path in [self.part.to_owned(), self.notes_path()] {
            let _ = fs::remove_file(path);
        }
    }

    /// How much has come.
    fn length(&self) -> u64 {
        fs::metadata(self.part).map_or(0, |part| part.len())
    }

    fn notes_path(&self) -> PathBuf {
        self.part.with_extension("json")
    }

    /// Asks once; the notes if the file is complete then.
    fn attempt(&self, deadline: Instant) -> Result<Notes, Stopped> {
        let notes = Notes::read(&self.notes_path()).filter(|notes| notes.url == self.url);
        let have = self.length();
        let resumable = notes.filter(|notes| have > 0 && have <= notes.length);
        let Some((notes, validator)) =
            resumable.and_then(|notes| notes.validator.clone().map(|validator| (notes, validator)))
        else {
            return self.begin(request(self.agent, self.url, &[])?, deadline);
        };
        if have == notes.length {
            return Ok(notes);
        }
        let range = format!("bytes={have}-");
        let conditions = [("range", range.as_str()), ("if-range", validator.as_str())];
        let response = request(self.agent, self.url, &conditions)?;
        match response.status().as_u16() {
            206 if continues(response.headers(), have, &notes) => {
                self.take(response, notes, have, deadline)
            }
            206 | 416 => {
                // Not the rest of what we have. The next attempt asks for all of it.
                self.discard();
                let says = format!("'{}' sends another part than was asked for", self.url);
                Err(Problem::Passing(says).into())
            }
            _ => self.begin(response, deadline),
        }
    }

    /// Takes a file from its first byte.
    fn begin(&self, response: Response<Body>, deadline: Instant) -> Result<Notes, Stopped> {
        if response.status() != 200 {
            return Err(refused(self.url, &response).into());
        }
        let headers = response.headers();
        let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
        let length = text("content-length").and_then(|length| length.parse().ok());
        let Some(length) = length.filter(|length| (1..=LARGEST).contains(length)) else {
            let length = text("content-length").unwrap_or("no number of");
            let says = format!("'{}' says it has {length} bytes, which no browser has", self.url);
            return Err(Problem::Final(says).into());
        };
        let strong = text("etag").filter(|etag| etag.starts_with('"'));
        let validator = strong.or_else(|| text("last-modified")).map(str::to_owned);
        let checksums = checksum::told(headers);
        let notes = Notes { url: self.url.to_owned(), length, validator, checksums };
        // An old part is not one of the file these notes are about.
        self.discard();
        notes.write(&self.notes_path())?;
        self.take(response, notes, 0, deadline)
    }

    /// Writes what comes behind what has come.
    fn take(
        &self,
        mut response: Response<Body>,
        notes: Notes,
        from: u64,
        deadline: Instant,
    ) -> Result<Notes, Stopped> {
        let mut part = OpenOptions::new().create(true).append(true).open(self.part)?;
        room(self.part, notes.length - from)?;
        let mut body = response.body_mut().as_reader();
        let mut bytes = vec![0; 1 << 16];
        let (mut done, mut told) = (from, None::<Instant>);
        while done < notes.length {
            let read = match body.read(&mut bytes) {
                Ok(0) => {
                    Err(broken(self.url, &io::Error::from(io::ErrorKind::UnexpectedEof).into()))
                }
                Ok(read) => Ok(read),
                Err(error) => Err(broken(self.url, &error.into())),
            }?;
            if Instant::now() >= deadline {
                let hours = LIMIT.as_secs() / 3600;
                let says = format!("'{}' has not come within {hours} hours", self.url);
                return Err(Problem::Final(says).into());
            }
            let left = usize::try_from(notes.length - done).unwrap_or(usize::MAX);
            part.write_all(&bytes[..read.min(left)])?;
            done += read.min(left) as u64;
            if done == notes.length || told.is_none_or(|told| told.elapsed() >= TOLD) {
                told = Some(Instant::now());
                let total = notes.length;
                let _ = self.hear.send(News::Amount { unit: Unit::Bytes, done, total });
            }
        }
        Ok(notes)
    }
}

/// Whether there is room for so many bytes more; better told before than after half an hour.
pub(super) fn room(beside: &Path, bytes: u64) -> io::Result<()> {
    let folder = beside.parent().unwrap_or(beside);
    let Ok(disk) = rustix::fs::statvfs(folder) else { return Ok(()) };
    let free = disk.f_bavail.saturating_mul(disk.f_frsize);
    match free >= bytes {
        true => Ok(()),
        false => Err(io::Error::new(
            io::ErrorKind::StorageFull,
            format!("{} MB are wanted and {} MB are free", (bytes >> 20) + 1, free >> 20),
        )),
    }
}

/// Whether an answer is the rest of what we have.
fn continues(headers: &HeaderMap, have: u64, notes: &Notes) -> bool {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let range = text("content-range").and_then(|range| range.strip_prefix("bytes "));
    let rest = format!("{have}-{}/{}", notes.length - 1, notes.length);
    // A server that sends the rest of another file although it was told not to.
    let same = match (text("etag"), &notes.validator) {
        (Some(etag), Some(validator)) if validator.starts_with('"') => etag == validator,
        _ => true,
    };
    range == Some(rest.as_str()) && same
}

impl Notes {
    fn write(&self, path: &Path) -> io::Result<()> {
        let Self { url, length, validator, checksums } = self;
        let notes =
            json!({ "url": url, "length": length, "validator": validator, "checksums": checksums });
        File::create(path)?.write_all(notes.to_string().as_bytes())
    }

    fn read(path: &Path) -> Option<Self> {
        let notes: Value = serde_json::from_slice(&fs::read(path).ok()?).ok()?;
        let checksums = notes["checksums"].as_object()?.iter();
        let checksums = checksums.map(|(kind, sum)| Some((kind.clone(), sum.as_str()?.to_owned())));
        Some(Self {
            url: notes["url"].as_str()?.to_owned(),
            length: notes["length"].as_u64()?,
            validator: notes["validator"].as_str().map(str::to_owned),
            checksums: checksums.collect::<Option<_>>()?,
        })
    }
}

/// Why an attempt ended.
enum Stopped {
    Source(Problem),
    Disk(io::Error),
}

impl From<Problem> for Stopped {
    fn from(problem: Problem) -> Self {
        Self::Source(problem)
    }
}

impl From<io::Error> for Stopped {
    fn from(error: io::Error) -> Self {
        Self::Disk(error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_disk_without_room_is_told_before() {
        let here = std::env::temp_dir().join("x");
        assert!(room(&here, 1).is_ok());
        let full = room(&here, u64::MAX).unwrap_err();
        assert_eq!(full.kind(), io::ErrorKind::StorageFull);
        assert!(full.to_string().contains("MB are wanted and "), "{full}");
    }

    #[test]
    fn only_the_rest_of_the_same_file_is_taken() {
        let checksums = Checksums::new();
        let validator = Some("\"a\"".to_owned());
        let notes = Notes { url: "u".into(), length: 100, validator, checksums };
        let of = |range: &str, etag: &str| {
            let mut headers = HeaderMap::new();
            headers.insert("content-range", range.parse().unwrap());
            headers.insert("etag", etag.parse().unwrap());
            continues(&headers, 40, &notes)
        };
        assert!(of("bytes 40-99/100", "\"a\""));
        assert!(!of("bytes 40-99/100", "\"b\""));
        for wrong in ["bytes 0-99/100", "bytes 40-98/100", "bytes 40-99/101", "bytes 40-99/*", ""] {
            assert!(!of(wrong, "\"a\""), "{wrong}");
        }
    }
}
