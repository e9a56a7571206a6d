//! A zip archive from elsewhere becomes files in one folder, and nothing outside it.
//!
//! Names that lead out of the folder, links that do, devices, and more bytes than a browser can have are
//! refused, not skipped: an archive that has one of them is not what we asked for.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, Read, Write},
    os::unix::fs::{OpenOptionsExt, symlink},
    path::{Path, PathBuf},
};

use zip::{ZipArchive, read::ZipFile, result::ZipError};

use super::{Hear, News, Unit, download::room};

/// Chrome for Testing has 400 MB in three hundred files.
const MOST_BYTES: u64 = 4 << 30;
const MOST_ENTRIES: usize = 20_000;

/// The longest target of a link.
const LONGEST_LINK: u64 = 4096;

/// The kind of a file, in its mode.
const KIND: u32 = 0o170_000;
const REGULAR: u32 = 0o100_000;

/// Why it is no browser.
#[derive(Debug)]
pub(super) enum Unusable {
    /// The archive is not what it should be.
    Archive(String),
    Disk(io::Error),
}

/// Unpacks an archive into a folder that is empty.
pub(super) fn unpack(archive: &Path, folder: &Path, hear: &Hear) -> Result<(), Unusable> {
    let file = File::open(archive).map_err(Unusable::Disk)?;
    let mut archive = ZipArchive::new(io::BufReader::new(file)).map_err(wrong)?;
    if archive.len() > MOST_ENTRIES {
        return Err(Unusable::Archive(format!("it has {} entries", archive.len())));
    }
    let total = archive.decompressed_size().unwrap_or(u128::MAX);
    let total = u64::try_from(total).ok().filter(|total| *total <= MOST_BYTES);
    let Some(total) = total else {
        return Err(Unusable::Archive(format!(
            "it has more than {} GB unpacked",
            MOST_BYTES >> 30
        )));
    };
    room(folder, total).map_err(Unusable::Disk)?;
    let (mut done, mut links) = (0, Vec::new());
    for at in 0..archive.len() {
        let mut entry = archive.by_index(at).map_err(wrong)?;
        let path = folder.join(inside(&entry)?);
        let kind = entry.unix_mode().map_or(0, |mode| mode & KIND);
        if entry.is_dir() {
            fs::create_dir_all(path).map_err(Unusable::Disk)?;
        } else if entry.is_symlink() {
            let mut target = String::new();
            let read = (&mut entry).take(LONGEST_LINK + 1).read_to_string(&mut target);
            read.map_err(|error| Unusable::Archive(error.to_string()))?;
            links.push((path, PathBuf::from(target)));
        } else if kind == 0 || kind == REGULAR {
            done += write(&mut entry, &path)?;
            let _ = hear.send(News::Amount { unit: Unit::Bytes, done, total });
        } else {
            return Err(refused(&path, "is neither file, folder nor link"));
        }
    }
    // Last, so that nothing is written through one.
    link(links, folder)
}

/// Where an entry goes, if that is inside.
fn inside<R: Read>(entry: &ZipFile<'_, R>) -> Result<PathBuf, Unusable> {
    let name = entry.name().map_err(wrong)?;
    let plain = !name.contains(['\\', '\0'])
        && !name.starts_with('/')
        && name.split('/').all(|part| part != ".." && part != ".");
    match entry.enclosed_name() {
        Some(path) if plain && !path.as_os_str().is_empty() => Ok(path),
        _ => Err(refused(Path::new(name.as_ref()), "leads out of the folder")),
    }
}

/// Writes a file; how many bytes it has. What the archive says of its length and checksum holds.
fn write<R: Read>(entry: &mut ZipFile<'_, R>, path: &Path) -> Result<u64, Unusable> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(Unusable::Disk)?;
    }
    // No more than who may run it: others' rights and those of another user are not ours to give.
    let runs = entry.unix_mode().is_some_and(|mode| mode & 0o111 != 0);
    let mode = if runs { 0o755 } else { 0o644 };
    let file = OpenOptions::new().write(true).create_new(true).mode(mode).open(path);
    let mut file = file.map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => refused(path, "is there twice"),
        _ => Unusable::Disk(error),
    })?;
    let length = entry.size();
    let mut bytes = vec![0; 1 << 16];
    let mut done = 0;
    loop {
        let read = entry.read(&mut bytes);
        // Also what the checksum says at the end of it.
        let read = read.map_err(|error| refused(path, &format!("is damaged: {error}")))?;
        if read == 0 {
            break;
        }
        done += read as u64;
        if done > length {
            return Err(refused(path, "is longer than it says"));
        }
        file.write_all(&bytes[..read]).map_err(Unusable::Disk)?;
    }
    match done == length {
        true => Ok(done),
        false => Err(refused(path, "is shorter than it says")),
    }
}

/// Makes links, each of which must lead to something inside.
fn link(links: Vec<(PathBuf, PathBuf)>, folder: &Path) -> Result<(), Unusable> {
    for (path, target) in &links {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(Unusable::Disk)?;
        }
        symlink(target, path).map_err(|error| refused(path, &error.to_string()))?;
    }
    // One may lead through another, so where it ends only the system can say.
    let root = folder.canonicalize().map_err(Unusable::Disk)?;
    for (path, _) in &links {
        match path.canonicalize() {
            Ok(end) if end.starts_with(&root) => {}
            _ => return Err(refused(path, "is a link that leads out of the folder")),
        }
    }
    Ok(())
}

fn refused(path: &Path, why: &str) -> Unusable {
    let name: String = path.to_string_lossy().chars().rev().take(120).collect();
    let name: String = name.chars().rev().filter(|c| !c.is_control()).collect();
    Unusable::Archive(format!("'{name}' in it {why}"))
}

fn wrong(error: ZipError) -> Unusable {
    match error {
        ZipError::Io(error) if error.kind() != io::ErrorKind::UnexpectedEof => {
            Unusable::Disk(error)
        }
        error => Unusable::Archive(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use std::{env, os::unix::fs::PermissionsExt};

    use tokio::sync::mpsc;
    use zip::{ZipWriter, write::SimpleFileOptions};

    use super::*;

    /// An archive of entries, unpacked; what is wrong with it.
    fn unpacked(test: &str, fill: impl FnOnce(&mut ZipWriter<File>)) -> (PathBuf, Option<String>) {
        let folder = env::temp_dir().join(format!("btcp-unpack-{}-{test}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(folder.join("in")).unwrap();
        let archive = folder.join("a.zip");
        let mut writer = ZipWriter::new(File::create(&archive).unwrap());
        fill(&mut writer);
        writer.finish().unwrap();
        let told = run(&archive, &folder.join("in"));
        (folder, told)
    }

    fn run(archive: &Path, into: &Path) -> Option<String> {
        let (hear, _) = mpsc::unbounded_channel();
        match unpack(archive, into, &hear) {
            Ok(()) => None,
            Err(Unusable::Archive(why)) => Some(why),
            Err(Unusable::Disk(error)) => panic!("{error}"),
        }
    }

    fn file(writer: &mut ZipWriter<File>, name: &str, mode: u32, text: &str) {
        let options = SimpleFileOptions::default().unix_permissions(mode);
        writer.start_file(name, options).unwrap();
        writer.write_all(text.as_bytes()).unwrap();
    }

    fn link_to(writer: &mut ZipWriter<File>, name: &str, target: &str) {
        writer.add_symlink(name, target, SimpleFileOptions::default()).unwrap();
    }

    #[test]
    fn files_folders_and_links_inside_are_made() {
        let (folder, told) = unpacked("good", |zip| {
            zip.add_directory("chrome/empty/", SimpleFileOptions::default()).unwrap();
            link_to(zip, "chrome/Current", "versions/1");
            file(zip, "chrome/versions/1/lib", 0o644, "lib");
            file(zip, "chrome/chrome", 0o4777, "#!/bin/sh");
        });
        assert_eq!(told, None);
        let made = folder.join("in/chrome");
        assert_eq!(fs::read_to_string(made.join("Current/lib")).unwrap(), "lib");
        assert!(made.join("empty").is_dir());
        let mode = fs::metadata(made.join("chrome")).unwrap().permissions().mode();
        assert_eq!(mode & 0o7022, 0, "{mode:o}: nobody else's rights, and nobody else may write");
        assert_eq!(mode & 0o100, 0o100);
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn nothing_is_written_outside() {
        for (name, target) in [
            ("../escaped", None),
            ("a/../../escaped", None),
            ("/escaped", None),
            ("a\\..\\..\\escaped", None),
            ("link", Some("/etc/passwd")),
            ("link", Some("../..")),
            ("link", Some("nowhere")),
        ] {
            let (folder, told) = unpacked("bad", |zip| match target {
                Some(target) => link_to(zip, name, target),
                None => file(zip, name, 0o644, "x"),
            });
            let told = told.unwrap_or_else(|| panic!("{name} was unpacked"));
            assert!(told.contains("leads out of the folder"), "{name}: {told}");
            assert!(!folder.join("escaped").exists(), "{name}");
            fs::remove_dir_all(folder).unwrap();
        }
        let (folder, told) = unpacked("through", |zip| {
            link_to(zip, "link", "..");
            file(zip, "link/escaped", 0o644, "x");
        });
        assert!(told.is_some() && !folder.join("escaped").exists(), "{told:?}");
        fs::remove_dir_all(folder).unwrap();
        // Where `..` after a link leads cannot be seen from the names.
        let (folder, told) = unpacked("chain", |zip| {
            file(zip, "p/q/x", 0o644, "x");
            link_to(zip, "p/q/up", "../..");
            link_to(zip, "out", "p/q/up/../a.zip");
        });
        assert!(told.is_some_and(|told| told.contains("'")), "a chain of links leads out");
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_damaged_file_and_a_bomb_are_refused() {
        let (folder, told) = unpacked("damaged", |zip| {
            let options =
                SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
            zip.start_file("a", options).unwrap();
            zip.write_all(b"this is what was sent").unwrap();
        });
        assert_eq!(told, None);
        let archive = folder.join("a.zip");
        let mut bytes = fs::read(&archive).unwrap();
        let at = bytes.windows(4).position(|four| four == b"what").unwrap();
        bytes[at] = b'W';
        fs::write(&archive, &bytes).unwrap();
        fs::remove_file(folder.join("in/a")).unwrap();
        let told = run(&archive, &folder.join("in")).unwrap();
        assert!(told.contains("is damaged"), "{told}");

        // Ten files of a gigabyte, by what the archive says of itself.
        let central = bytes.windows(4).rposition(|four| four == b"PK\x01\x02").unwrap();
        bytes[central + 24..central + 28].copy_from_slice(&u32::MAX.wrapping_sub(1).to_le_bytes());
        fs::write(&archive, &bytes).unwrap();
        let _ = fs::remove_file(folder.join("in/a"));
        assert!(run(&archive, &folder.join("in")).is_some());
        fs::write(&archive, "no archive").unwrap();
        assert!(run(&archive, &folder.join("in")).is_some());
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn what_unpacks_to_more_than_it_says_is_cut_off() {
        let zeros = vec![0; 1 << 20];
        let (folder, told) = unpacked("bomb", |zip| {
            zip.start_file("a", SimpleFileOptions::default()).unwrap();
            zip.write_all(&zeros).unwrap();
        });
        assert_eq!(told, None);
        let archive = folder.join("a.zip");
        let mut bytes = fs::read(&archive).unwrap();
        assert!(bytes.len() < 10_000, "it is packed");
        let central = bytes.windows(4).rposition(|four| four == b"PK\x01\x02").unwrap();
        for at in [central + 24, 22] {
            bytes[at..at + 4].copy_from_slice(&10_u32.to_le_bytes());
        }
        fs::write(&archive, &bytes).unwrap();
        fs::remove_file(folder.join("in/a")).unwrap();
        assert!(run(&archive, &folder.join("in")).is_some());
        assert!(fs::metadata(folder.join("in/a")).unwrap().len() <= 1 << 16);
        fs::remove_dir_all(folder).unwrap();
    }
}
