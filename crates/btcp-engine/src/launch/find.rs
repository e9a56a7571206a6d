//! Finding a Chrome that is installed.
//!
//! One that was asked for is used or is an error, never quietly replaced. On
//! Debian and from Google the command is a shell script that adds switches of its
//! own; we start what it would start.

use std::{
    env,
    ffi::{OsStr, OsString},
    fs::File,
    io::Read,
    path::{Path, PathBuf},
};

use rustix::fs::{Access, access};

use super::{LaunchError, cache, obtain::how_to_get};
use crate::settings::Settings;

/// Commands that are a full browser, best first.
const NAMES: &[&str] =
    &["google-chrome", "google-chrome-stable", "chromium", "chromium-browser", "chrome"];

/// Where a full browser is that has no command.
const PLACES: &[&str] = &[
    "/opt/google/chrome/chrome",
    "/usr/lib/chromium/chromium",
    "/usr/lib/chromium-browser/chromium-browser",
    "/usr/lib64/chromium-browser/chromium-browser",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/snap/bin/chromium",
];

/// Commands that are the headless shell: quick, but without extensions, PDF viewer and windows.
const SHELL_NAMES: &[&str] =
    &["chrome-headless-shell", "chromium-headless-shell", "headless_shell"];

/// Where a headless shell is that has no command.
const SHELL_PLACES: &[&str] =
    &["/usr/lib/chromium/chromium-headless-shell", "/opt/google/chrome/chrome-headless-shell"];

/// A browser on this machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Installed {
    /// The program itself, not a script around it.
    pub path: PathBuf,
    /// What it can do.
    pub kind: Kind,
}

/// What a browser can do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// All of Chrome.
    Full,
    /// The old headless mode as a program of its own: no extensions, no PDF viewer, no windows.
    HeadlessShell,
}

/// The browser to start: the one asked for, else the best one installed.
pub fn find(settings: &Settings) -> Result<Installed, LaunchError> {
    Surroundings::real().find(settings)
}

/// What the search depends on besides the settings.
struct Surroundings {
    chrome: Option<OsString>,
    path: OsString,
    places: &'static [&'static str],
    shell_places: &'static [&'static str],
    /// Where browsers are that we downloaded.
    cache: Option<PathBuf>,
}

impl Surroundings {
    fn real() -> Self {
        Self {
            chrome: env::var_os("CHROME").filter(|value| !value.is_empty()),
            path: env::var_os("PATH").unwrap_or_default(),
            places: PLACES,
            shell_places: SHELL_PLACES,
            cache: cache::folder(),
        }
    }

    fn find(&self, settings: &Settings) -> Result<Installed, LaunchError> {
        if let Some(browser) = &settings.browser {
            return self.named(browser, "the browser setting");
        }
        if let Some(chrome) = &self.chrome {
            return self.named(Path::new(chrome), "CHROME");
        }
        // The system's comes first: somebody keeps it up to date, and nobody the one in the cache.
        self.any(NAMES, self.places)
            .or_else(|| cache::newest(self.cache.as_deref()?, is_program))
            .or_else(|| self.any(SHELL_NAMES, self.shell_places))
            .map(installed)
            .ok_or_else(|| LaunchError::NotInstalled { how_to_get: how_to_get() })
    }

    /// One that somebody asked for.
    fn named(&self, path: &Path, from: &'static str) -> Result<Installed, LaunchError> {
        if path.components().count() == 1
            && let Some(found) = self.on_path(path.as_os_str())
        {
            return Ok(installed(found));
        }
        let problem = match path.metadata() {
            Err(_) => "does not exist",
            Ok(metadata) if !metadata.is_file() => "is not a file",
            Ok(_) if !is_program(path) => "is not executable",
            Ok(_) => return Ok(installed(path.to_owned())),
        };
        Err(LaunchError::Unusable { from, path: path.to_owned(), problem })
    }

    fn any(&self, names: &[&str], places: &[&str]) -> Option<PathBuf> {
        let mut commands = names.iter().filter_map(|name| self.on_path(OsStr::new(name)));
        let mut places = places.iter().map(PathBuf::from).filter(|place| is_program(place));
        commands.next().or_else(|| places.next())
    }

    fn on_path(&self, name: &OsStr) -> Option<PathBuf> {
        let mut commands = env::split_paths(&self.path).map(|folder| folder.join(name));
        commands.find(|command| command.is_absolute() && is_program(command))
    }
}

pub(super) fn is_program(path: &Path) -> bool {
    path.is_file() && access(path, Access::EXEC_OK).is_ok()
}

fn installed(command: PathBuf) -> Installed {
    let path = behind_wrapper(&command).unwrap_or(command);
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let shell = name.contains("headless-shell") || name.contains("headless_shell");
    Installed { kind: if shell { Kind::HeadlessShell } else { Kind::Full }, path }
}

/// What a wrapper script starts, if `command` is one that we know.
fn behind_wrapper(command: &Path) -> Option<PathBuf> {
    // Google's command is a chain of links to the script beside the program.
    let script = command.canonicalize().ok()?;
    let text = script_text(&script)?;
    let debian = Path::new("/usr/lib/chromium").join(script.file_name()?);
    let google = script.with_file_name("chrome");
    let program = if text.contains("$HERE/chrome") {
        google
    } else if text.contains("/usr/lib/") {
        debian
    } else {
        return None;
    };
    (is_program(&program) && script_text(&program).is_none()).then_some(program)
}

/// The start of a script; none if it is something else.
fn script_text(path: &Path) -> Option<String> {
    let mut text = Vec::new();
    File::open(path).ok()?.take(16 * 1024).read_to_end(&mut text).ok()?;
    text.starts_with(b"#!").then(|| String::from_utf8_lossy(&text).into_owned())
}

#[cfg(test)]
mod tests {
    use std::{fs, os::unix::fs::PermissionsExt};

    use super::*;

    /// A folder with programs in it, gone at the end of the test.
    struct Folder(PathBuf);

    impl Folder {
        fn new(test: &str) -> Self {
            let path = env::temp_dir().join(format!("btcp-find-{}-{test}", std::process::id()));
            fs::create_dir_all(&path).unwrap();
            Self(path)
        }

        fn with(self, name: &str, text: &str, mode: u32) -> Self {
            let file = self.0.join(name);
            fs::write(&file, text).unwrap();
            fs::set_permissions(&file, fs::Permissions::from_mode(mode)).unwrap();
            self
        }

        fn find(&self, browser: Option<&str>, chrome: Option<&str>) -> Result<String, LaunchError> {
            let surroundings = Surroundings {
                chrome: chrome.map(|name| self.0.join(name).into()),
                path: self.0.clone().into(),
                places: &[],
                shell_places: &[],
                cache: Some(self.0.join("cache")),
            };
            let browser = browser.map(PathBuf::from);
            let found = surroundings.find(&Settings { browser, ..Settings::default() })?;
            let name = found.path.strip_prefix(&self.0).unwrap().display().to_string();
            Ok(format!("{name} {:?}", found.kind))
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn a_full_browser_is_preferred_to_the_headless_shell() {
        let folder = Folder::new("prefer").with("chromium-headless-shell", "", 0o755);
        assert_eq!(folder.find(None, None).unwrap(), "chromium-headless-shell HeadlessShell");

        let folder = folder.with("chrome", "", 0o755).with("google-chrome", "", 0o644);
        assert_eq!(folder.find(None, None).unwrap(), "chrome Full");
    }

    #[test]
    fn one_that_was_downloaded_is_between_the_systems_and_a_shell() {
        let program = cache::program_in(Path::new("cache/1.2.3.4")).unwrap();
        let program = program.to_str().unwrap();
        let folder = Folder::new("cache").with("chromium-headless-shell", "", 0o755);
        fs::create_dir_all(folder.0.join(program).parent().unwrap()).unwrap();
        let folder = folder.with(program, "", 0o755);
        assert_eq!(folder.find(None, None).unwrap(), format!("{program} Full"));

        let folder = folder.with("chromium", "", 0o755);
        assert_eq!(folder.find(None, None).unwrap(), "chromium Full");
    }

    #[test]
    fn the_setting_goes_before_the_variable_before_the_search() {
        let folder = Folder::new("order").with("mine", "", 0o755).with("chromium", "", 0o755);

        assert_eq!(folder.find(Some("mine"), Some("chromium")).unwrap(), "mine Full");
        assert_eq!(folder.find(None, Some("mine")).unwrap(), "mine Full");
        assert_eq!(folder.find(None, None).unwrap(), "chromium Full");
    }

    #[test]
    fn a_browser_asked_for_is_not_replaced_by_another() {
        let folder = Folder::new("asked").with("chromium", "", 0o755).with("text", "", 0o644);

        let missing = folder.find(Some("/no/such/chrome"), None).unwrap_err();
        let not_executable = folder.find(None, Some("text")).unwrap_err();

        assert_eq!(
            missing.to_string(),
            "the browser setting names '/no/such/chrome', which does not exist"
        );
        assert!(not_executable.to_string().ends_with("text', which is not executable"));
        assert!(matches!(not_executable, LaunchError::Unusable { from: "CHROME", .. }));
    }

    #[test]
    fn no_browser_at_all_is_told_with_the_way_to_get_one() {
        let error = Folder::new("none").find(None, None).unwrap_err();

        assert!(error.to_string().starts_with("no Chrome or Chromium is installed; "), "{error}");
        assert!(error.to_string().contains("CHROME=/path/to/chrome"), "{error}");
    }

    #[test]
    fn googles_wrapper_gives_way_to_the_program_beside_it() {
        let script = "#!/bin/bash\nexec -a \"$0\" \"$HERE/chrome\" \"$@\"\n";
        let folder = Folder::new("google").with("google-chrome", script, 0o755);
        assert_eq!(folder.find(None, None).unwrap(), "google-chrome Full");

        let folder = folder.with("chrome", "\u{7f}ELF", 0o755);
        assert_eq!(folder.find(None, None).unwrap(), "chrome Full");
    }
}
