//! Layers: a flag is stronger than the environment, that than the project's file, that than the
//! user's. A setting comes whole from the strongest layer that has it.

use std::collections::BTreeMap;
use std::fmt;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use btcp::Endpoint;
use btcp::daemon::Given;
use btcp_engine::names;

use super::browser::{SECRET_VARIABLES, SECRETS_FILE, STATE_KEY};
use super::{Setting, all, file, find, wrong};

/// The project's file, in the working directory or the nearest folder above it.
const PROJECT: &str = "btcp.toml";
/// The user's file, in the folder for settings.
const USER: &str = "btcp/config.toml";

/// Settings are short; a longer file is none.
const LONGEST_FILE: u64 = 1 << 20;

/// Variables of the environment that are no settings begin so.
const OTHERS: &[&str] =
    &["BTCP_SECRET_", "BTCP_STATE_KEY", "BTCP_TEST_", "BTCP_BIN", "BTCP_INSTALL_FROM"];

/// What there is around a command.
#[derive(Debug, Default)]
pub(crate) struct Surroundings {
    pub(crate) variables: Vec<(String, String)>,
    pub(crate) folder: Option<PathBuf>,
    /// Where programs keep the user's settings.
    pub(crate) config: Option<PathBuf>,
}

impl Surroundings {
    /// Those of this process.
    pub(crate) fn here() -> Self {
        let read = |(name, value): (std::ffi::OsString, std::ffi::OsString)| {
            let name = name.into_string().ok().filter(|name| name.starts_with("BTCP_"))?;
            Some((name, value.to_string_lossy().into_owned()))
        };
        let absolute = |name: &str| {
            std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute())
        };
        let config = absolute("XDG_CONFIG_HOME")
            .or_else(|| absolute("HOME").map(|home| home.join(".config")));
        let variables = std::env::vars_os().filter_map(read).collect();
        Self { variables, folder: std::env::current_dir().ok(), config }
    }
}

/// Where a setting came from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Origin {
    Flag,
    Variable(String),
    File(PathBuf),
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flag => f.write_str("flag"),
            Self::Variable(name) => f.write_str(name),
            Self::File(path) => path.display().fmt(f),
        }
    }
}

/// What is set, and by whom.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Held {
    values: BTreeMap<&'static str, (Vec<String>, Origin)>,
    /// Secrets, under names no setting has.
    beside: Given,
}

impl Held {
    /// What is set, as it was written.
    pub(crate) fn given(&self) -> Given {
        let mut given = self.beside.clone();
        given
            .extend(self.values.iter().map(|(name, (values, _))| ((*name).into(), values.clone())));
        given
    }

    /// The values of a setting, and where they came from.
    pub(crate) fn get(&self, name: &str) -> Option<&(Vec<String>, Origin)> {
        self.values.get(name)
    }

    /// The last value of a setting, or its default.
    pub(crate) fn one(&self, name: &str) -> String {
        let set = self.get(name).and_then(|(values, _)| values.last().cloned());
        let default = || find(name).and_then(|setting| setting.default).unwrap_or_default();
        set.unwrap_or_else(|| default().to_owned())
    }
}

/// Puts the layers on each other. An error is a sentence.
pub(crate) fn gather(flags: Given, around: &Surroundings) -> Result<Held, String> {
    let mut held = Held::default();
    for path in around.files() {
        read_file(&path, &mut held)?;
    }
    let here = around.folder.as_deref();
    for (variable, value) in &around.variables {
        let Some(setting) = of_variable(variable)? else { continue };
        if value.is_empty() {
            continue;
        }
        let values = split(setting, value);
        let values = located(setting, values, here);
        setting
            .check(&values)
            .map_err(|why| format!("{variable}: {}", wrong(setting.name, &values, &why)))?;
        held.values.insert(setting.name, (values, Origin::Variable(variable.clone())));
    }
    for (name, values) in flags {
        if let Some(setting) = find(&name) {
            let values = located(setting, values, here);
            held.values.insert(setting.name, (values, Origin::Flag));
        }
    }
    put_beside(&mut held, around)?;
    Ok(held)
}

impl Surroundings {
    /// The settings files there are, the weaker first.
    pub(crate) fn files(&self) -> Vec<PathBuf> {
        let user = self.config.as_ref().map(|config| config.join(USER));
        let folders = self.folder.as_deref().into_iter().flat_map(Path::ancestors);
        let project = folders.map(|folder| folder.join(PROJECT)).find(|path| path.is_file());
        user.into_iter().filter(|path| path.is_file()).chain(project).collect()
    }
}

fn read_file(path: &Path, held: &mut Held) -> Result<(), String> {
    let told = |why: String| format!("The settings in {} cannot be used: {why}", path.display());
    let metadata = std::fs::metadata(path).map_err(|error| told(error.to_string()))?;
    // Whoever writes it chooses which program we start.
    let ours = rustix::process::geteuid().as_raw();
    if ![ours, 0].contains(&metadata.uid()) {
        return Err(told(format!("it belongs to user {}", metadata.uid())));
    }
    if metadata.mode() & 0o002 != 0 {
        return Err(told("everybody may write it; chmod o-w mends that".into()));
    }
    if metadata.len() > LONGEST_FILE {
        return Err(told(format!("it has more than {LONGEST_FILE} bytes")));
    }
    let text = std::fs::read_to_string(path).map_err(|error| told(error.to_string()))?;
    for line in file::read(&text).map_err(told)? {
        let at = |why: String| told(format!("line {}: {why}", line.number));
        let setting = find(&line.name).ok_or_else(|| at(unknown(&line.name, |s| s.name.into())))?;
        let mut values = located(setting, line.values, path.parent());
        if values.len() != 1 && !setting.many {
            return Err(at(format!("'{}' takes one value", setting.name)));
        }
        if setting.value.is_none() && values.last().is_some_and(String::is_empty) {
            values = vec!["true".into()];
        }
        setting.check(&values).map_err(|why| at(wrong(setting.name, &values, &why)))?;
        held.values.insert(setting.name, (values, Origin::File(path.to_owned())));
    }
    Ok(())
}

/// The setting of a variable; none if it is somebody else's.
fn of_variable(variable: &str) -> Result<Option<&'static Setting>, String> {
    if let Some(setting) = all().find(|setting| setting.variable() == variable) {
        return Ok(Some(setting));
    }
    match OTHERS.iter().any(|other| variable.starts_with(other)) {
        true => Ok(None),
        false => Err(format!("In the environment: {}", unknown(variable, Setting::variable))),
    }
}

/// A name that is none, and the nearest that is.
pub(crate) fn unknown(written: &str, spelled: impl Fn(&'static Setting) -> String) -> String {
    let known: Vec<String> = all().map(spelled).collect();
    let near = names::nearest(written, known.iter().map(String::as_str), 1);
    match near.first() {
        Some(near) => format!("There is no setting '{written}'; did you mean '{near}'?"),
        None => format!("There is no setting '{written}'; `btcp config` lists them"),
    }
}

/// Several values in one variable: a JSON list, or words.
fn split(setting: &Setting, value: &str) -> Vec<String> {
    if !setting.many {
        return vec![value.to_owned()];
    }
    match serde_json::from_str::<Vec<String>>(value) {
        Ok(values) => values,
        Err(_) => value.split_whitespace().map(str::to_owned).collect(),
    }
}

/// Paths are about where they were written, and the daemon is elsewhere.
fn located(setting: &Setting, values: Vec<String>, folder: Option<&Path>) -> Vec<String> {
    let Some(folder) = folder else { return values };
    let is_path = |value: &str| match setting.name {
        // One without a slash is looked for in PATH.
        "browser" => value.contains('/'),
        "connect" => Endpoint::is_path(value),
        _ => setting.path,
    };
    values
        .into_iter()
        .map(|value| match is_path(&value) {
            true => folder.join(&value).to_string_lossy().into_owned(),
            false => value,
        })
        .collect()
}

/// Reads the secrets, which only we can: the daemon may not see the environment they are in.
fn put_beside(held: &mut Held, around: &Surroundings) -> Result<(), String> {
    let secrets: Vec<String> = around
        .variables
        .iter()
        .filter(|(name, _)| name.starts_with("BTCP_SECRET_"))
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    if !secrets.is_empty() {
        held.beside.insert(SECRET_VARIABLES.into(), secrets);
    }
    let key =
        around.variables.iter().find(|(name, value)| name == "BTCP_STATE_KEY" && !value.is_empty());
    if let Some((_, key)) = key {
        held.beside.insert(STATE_KEY.into(), vec![key.clone()]);
    }
    if let Some((values, _)) = held.values.get("secrets")
        && let Some(path) = values.last()
    {
        let told = |why: String| format!("The secrets in {path} cannot be used: {why}");
        let metadata = std::fs::metadata(path).map_err(|error| told(error.to_string()))?;
        if metadata.mode() & 0o077 != 0 {
            return Err(told("others may read it; chmod 600 mends that".into()));
        }
        let text = std::fs::read_to_string(path).map_err(|error| told(error.to_string()))?;
        held.beside.insert(SECRETS_FILE.into(), vec![text]);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Folder(PathBuf);

    impl Folder {
        fn new(test: &str) -> Self {
            let path =
                std::env::temp_dir().join(format!("btcp-layers-{}-{test}", std::process::id()));
            std::fs::create_dir_all(path.join("btcp")).unwrap();
            std::fs::create_dir_all(path.join("project/deep")).unwrap();
            Self(path)
        }

        fn around(&self, variables: &[(&str, &str)]) -> Surroundings {
            let owned = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
            Surroundings {
                variables: variables.iter().map(owned).collect(),
                folder: Some(self.0.join("project/deep")),
                config: Some(self.0.clone()),
            }
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }

    fn flags(all: &[(&str, &str)]) -> Given {
        all.iter().map(|(name, value)| ((*name).into(), vec![(*value).into()])).collect()
    }

    #[test]
    fn the_stronger_layer_holds() {
        let folder = Folder::new("strong");
        std::fs::write(
            folder.0.join("btcp/config.toml"),
            "viewport = \"1x1\"\nmax-tabs = 1\nidle-timeout = 1\nheaded = true\n",
        )
        .unwrap();
        std::fs::write(
            folder.0.join("project/btcp.toml"),
            "viewport = \"2x2\"\nmax-tabs = 2\nidle-timeout = 2\nout = \"shots\"\n",
        )
        .unwrap();
        let around = folder.around(&[("BTCP_VIEWPORT", "3x3"), ("BTCP_MAX_TABS", "3")]);

        let held = gather(flags(&[("viewport", "4x4")]), &around).unwrap();
        let shown = gather(flags(&[("headed", "false")]), &around).unwrap();
        assert_eq!(shown.one("headed"), "false", "a flag turns off what a file turned on");

        let values = ["viewport", "max-tabs", "idle-timeout", "headed"].map(|name| held.one(name));
        assert_eq!(values, ["4x4", "3", "2", "true"]);
        assert_eq!(held.get("viewport").unwrap().1, Origin::Flag);
        assert_eq!(held.get("max-tabs").unwrap().1.to_string(), "BTCP_MAX_TABS");
        assert!(held.get("idle-timeout").unwrap().1.to_string().ends_with("project/btcp.toml"));
        let out = folder.0.join("project/shots");
        assert_eq!(held.one("out"), out.to_string_lossy(), "beside the file that says so");
        assert_eq!(held.one("isolation"), "context");
    }

    #[test]
    fn a_wrong_name_or_value_is_told_with_its_place_and_the_nearest() {
        let folder = Folder::new("wrong");
        let says = |variable: (&str, &str), file: &str, part: &str| {
            std::fs::write(folder.0.join("project/btcp.toml"), file).unwrap();
            let error = gather(Given::new(), &folder.around(&[variable])).unwrap_err();
            assert!(error.contains(part), "{error}");
        };
        let none = ("BTCP_TEST_X", "1");
        says(("BTCP_VIEWPROT", "1x1"), "", "did you mean 'BTCP_VIEWPORT'?");
        says(("BTCP_VIEWPORT", "big"), "", "BTCP_VIEWPORT: 'viewport' cannot be 'big'");
        says(
            none,
            "\nviewprot = \"1x1\"",
            "line 2: There is no setting 'viewprot'; did you mean 'viewport'?",
        );
        says(none, "viewport = \"big\"", "line 1: 'viewport' cannot be 'big': two numbers");
        says(none, "viewport = [\"1x1\", \"2x2\"]", "'viewport' takes one value");
        says(none, "proxy = \"socks5://ada:secret\"", "'proxy' has a wrong value");
    }

    #[test]
    fn secrets_are_not_among_the_settings() {
        let folder = Folder::new("secrets");
        let around = folder.around(&[("BTCP_SECRET_A", "hush-hush"), ("BTCP_STATE_KEY", "k")]);
        let given = gather(Given::new(), &around).unwrap().given();
        assert_eq!(given["@secret-variables"], ["BTCP_SECRET_A=hush-hush"]);
        assert_eq!(given["@state-key"], ["k"]);
    }
}
