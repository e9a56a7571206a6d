//! Settings: each is defined once, here. Flag, environment variable, key of a settings file and
//! documentation follow from its row.
//!
//! Until something is started with it a setting is the text that was written (`Given`), so that it
//! can be told where it came from (`layers.rs`) and sent to the daemon.

mod browser;
mod caller;
mod file;
mod layers;

use btcp::Settings;
use btcp::daemon::Given;

pub(crate) use self::browser::ourselves;
pub(crate) use self::caller::{Granted, said};
pub(crate) use self::layers::{Held, Surroundings, gather};

/// One setting.
pub(crate) struct Setting {
    /// Its name: `--name`, `BTCP_NAME`, `name = …`.
    pub(crate) name: &'static str,
    /// What its value is called; a switch has none.
    pub(crate) value: Option<&'static str>,
    /// Whether it may be given several times.
    pub(crate) many: bool,
    /// Whether it is a path: relative to where it was written.
    pub(crate) path: bool,
    /// Whether its value may hold a password.
    pub(crate) hidden: bool,
    /// What it is if nobody sets it, where a person would ask.
    pub(crate) default: Option<&'static str>,
    pub(crate) help: &'static str,
    pub(crate) sets: Sets,
}

/// What a setting is about, and what its values make of it.
#[derive(Clone, Copy)]
pub(crate) enum Sets {
    /// The browser.
    Browser(fn(&mut Settings, &[String]) -> Result<(), String>),
    /// What a caller may use.
    Caller(fn(&mut Granted, &[String]) -> Result<(), String>),
    /// The command line itself.
    Command(fn(&[String]) -> Result<(), String>),
}

impl Setting {
    const fn new(name: &'static str, help: &'static str, sets: Sets) -> Self {
        let (value, default) = (None, None);
        Self { name, value, many: false, path: false, hidden: false, default, help, sets }
    }

    const fn value(mut self, name: &'static str) -> Self {
        self.value = Some(name);
        self
    }

    const fn many(mut self) -> Self {
        self.many = true;
        self
    }

    const fn path(mut self) -> Self {
        self.path = true;
        self
    }

    const fn hidden(mut self) -> Self {
        self.hidden = true;
        self
    }

    const fn default(mut self, default: &'static str) -> Self {
        self.default = Some(default);
        self
    }

    /// The variable of the environment.
    pub(crate) fn variable(&self) -> String {
        format!("BTCP_{}", self.name.to_ascii_uppercase().replace('-', "_"))
    }

    /// Whether values are such as it takes.
    pub(crate) fn check(&self, values: &[String]) -> Result<(), String> {
        match self.sets {
            Sets::Browser(set) => set(&mut Settings::default(), values),
            Sets::Caller(set) => set(&mut Granted::default(), values),
            Sets::Command(check) => check(values),
        }
    }

    /// What it says of itself, with its default.
    pub(crate) fn help(&self) -> String {
        let several = if self.many { "; may be repeated" } else { "" };
        match self.default {
            Some(default) => format!("{}{several} [default: {default}]", self.help),
            None => format!("{}{several}", self.help),
        }
    }
}

/// Every setting there is.
pub(crate) fn all() -> impl Iterator<Item = &'static Setting> {
    browser::SETTINGS.iter().chain(caller::SETTINGS).chain(COMMAND)
}

/// The setting of a name.
pub(crate) fn find(name: &str) -> Option<&'static Setting> {
    all().find(|setting| setting.name == name)
}

const COMMAND: &[Setting] = &[
    Setting::new("session", "Which session commands are about", Sets::Command(is_session))
        .value("NAME")
        .default("default"),
    Setting::new(
        "daemon-idle",
        "The daemon ends when nobody has had a session for so long",
        Sets::Command(|values| whole(values, 1, 86_400).map(drop)),
    )
    .value("SECONDS")
    .default("60"),
];

fn is_session(values: &[String]) -> Result<(), String> {
    match values.last().map(|name| name.chars().count()) {
        Some(1..=64) => Ok(()),
        _ => Err("a name of 1 to 64 characters is wanted".to_owned()),
    }
}

/// The browser that was asked for.
pub(crate) fn browser(given: &Given) -> Result<Settings, String> {
    let mut settings = browser::plain();
    for (name, values) in given {
        if let Some(Sets::Browser(set)) = find(name).map(|setting| setting.sets) {
            set(&mut settings, values).map_err(|why| wrong(name, values, &why))?;
        }
    }
    browser::put_in_secrets(&mut settings, given)?;
    Ok(settings)
}

/// What a caller may use.
pub(crate) fn granted(given: &Given) -> Result<Granted, String> {
    let mut granted = Granted::default();
    for (name, values) in given {
        if let Some(Sets::Caller(set)) = find(name).map(|setting| setting.sets) {
            set(&mut granted, values).map_err(|why| wrong(name, values, &why))?;
        }
    }
    Ok(granted)
}

/// A value that cannot be; not told where it may be a password.
pub(crate) fn wrong(name: &str, values: &[String], why: &str) -> String {
    match find(name) {
        Some(setting) if setting.hidden => format!("'{name}' has a wrong value: {why}"),
        _ => format!("'{name}' cannot be '{}': {why}", values.join(" ")),
    }
}

/// The last of the values: a setting given twice is as it was given last.
fn last(values: &[String]) -> Result<&str, String> {
    values.last().map(String::as_str).ok_or_else(|| "a value is wanted".to_owned())
}

fn whole(values: &[String], least: u64, most: u64) -> Result<u64, String> {
    let number = last(values)?.parse().ok().filter(|number| (least..=most).contains(number));
    number.ok_or_else(|| match most {
        u64::MAX => format!("a whole number from {least} is wanted"),
        _ => format!("a whole number from {least} to {most} is wanted"),
    })
}

fn switch(values: &[String]) -> Result<bool, String> {
    match last(values)? {
        "true" | "yes" | "on" | "1" | "" => Ok(true),
        "false" | "no" | "off" | "0" => Ok(false),
        _ => Err("true or false is wanted".to_owned()),
    }
}

fn parsed<T: std::str::FromStr<Err: ToString>>(values: &[String]) -> Result<Vec<T>, String> {
    values.iter().map(|one| one.parse().map_err(|why: T::Err| why.to_string())).collect()
}
