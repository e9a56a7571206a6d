//! Browsers that were downloaded: `btcp/chrome/VERSION` in the folder for caches.
//!
//! A version is put in its place by one rename (`obtain/testing.rs`), so what is there is whole.
//! Names that begin with a dot are work that is not done yet.

use std::{
    env, fs,
    path::{Path, PathBuf},
};

/// What Chrome for Testing calls this system; `None` where it has no build.
pub(super) const PLATFORM: Option<&str> = if cfg!(target_os = "macos") {
    if cfg!(target_arch = "aarch64") { Some("mac-arm64") } else { Some("mac-x64") }
} else if !cfg!(target_os = "linux") {
    None
} else if cfg!(target_arch = "x86_64") {
    Some("linux64")
} else if cfg!(target_arch = "aarch64") {
    Some("linux-arm64")
} else {
    None
};

/// A number of a version is not longer than this, or it is no version.
const LONGEST: usize = 40;

/// Where they are; `None` if the user has no home.
pub(super) fn folder() -> Option<PathBuf> {
    let absolute = |name: &str| env::var_os(name).map(PathBuf::from).filter(|p| p.is_absolute());
    let caches =
        absolute("XDG_CACHE_HOME").or_else(|| absolute("HOME").map(|home| home.join(".cache")));
    caches.map(|caches| caches.join("btcp/chrome"))
}

/// The program in the folder of a version.
pub(super) fn program_in(version: &Path) -> Option<PathBuf> {
    let folder = version.join(format!("chrome-{}", PLATFORM?));
    Some(match cfg!(target_os = "macos") {
        true => {
            folder.join("Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing")
        }
        false => folder.join("chrome"),
    })
}

/// The program of the newest version that `is_program`.
pub(super) fn newest(folder: &Path, is_program: impl Fn(&Path) -> bool) -> Option<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let versions = entries.filter_map(|entry| {
        let version = numbers(entry.file_name().to_str()?)?;
        let program = program_in(&entry.path()).filter(|program| is_program(program))?;
        Some((version, program))
    });
    versions.max().map(|(_, program)| program)
}

/// The numbers of a version; `None` of anything that is none, such as a path.
pub(super) fn numbers(version: &str) -> Option<Vec<u64>> {
    let numbers = version.split('.').map(|number| number.parse().ok()).collect();
    let plain = version.bytes().all(|byte| byte == b'.' || byte.is_ascii_digit());
    if plain && version.len() <= LONGEST { numbers } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_whole_version_is_taken() {
        let folder = env::temp_dir().join(format!("btcp-cache-{}", std::process::id()));
        for version in ["99.0.1.2", "131.0.6778.85", "131.0.6778.9", "200.0", ".unpack-300.0", "x"]
        {
            let program = program_in(&folder.join(version)).unwrap();
            fs::create_dir_all(program.parent().unwrap()).unwrap();
            if version != "200.0" {
                fs::write(program, "").unwrap();
            }
        }

        let found = newest(&folder, Path::is_file);

        assert_eq!(found, program_in(&folder.join("131.0.6778.85")));
        assert_eq!(newest(&folder.join("none"), Path::is_file), None);
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_version_is_numbers_and_nothing_else() {
        assert_eq!(numbers("131.0.6778.85"), Some(vec![131, 0, 6778, 85]));
        for wrong in ["", ".", "..", "131.", "131.x", "../131", "131/..", "+1.0", "1 "] {
            assert_eq!(numbers(wrong), None, "{wrong}");
        }
        assert_eq!(numbers(&"1".repeat(41)), None);
    }
}
