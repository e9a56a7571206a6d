//! Settings of the browser: one row for each field of `btcp::Settings`, but for `sweeper`, this
//! binary, and `state_key`, which only the environment has.

use std::path::PathBuf;
use std::time::Duration;

use btcp::daemon::Given;
use btcp::{Isolation, Secrets, Settings, StateKey, SystemKeyring};

use super::{Sets, Setting, last, parsed, switch, whole};

/// The binary that runs; on Linux also when another has taken its place on disk.
pub(crate) fn ourselves() -> PathBuf {
    match cfg!(target_os = "linux") {
        true => "/proc/self/exe".into(),
        false => std::env::current_exe().unwrap_or_else(|_| "btcp".into()),
    }
}

/// The largest page Chrome can be asked for; beyond it a picture would not fit anything.
const LARGEST: u32 = 10_000;

/// What goes to the daemon beside the settings: never on a command line, where others can read it.
pub(super) const SECRETS_FILE: &str = "@secrets";
pub(super) const SECRET_VARIABLES: &str = "@secret-variables";
pub(super) const STATE_KEY: &str = "@state-key";

pub(super) const SETTINGS: &[Setting] = &[
    Setting::new(
        "browser",
        "Chrome to start; found or installed by itself if left out",
        Sets::Browser(|settings, values| {
            settings.browser = Some(last(values)?.into());
            Ok(())
        }),
    )
    .value("PATH"),
    Setting::new(
        "connect",
        "A Chrome that runs already, instead of starting one: ws://…, its debugging port, or its profile's folder",
        Sets::Browser(|settings, values| {
            last(values)?.parse().map(|endpoint| settings.connect = Some(endpoint))
        }),
    )
    .value("WHERE"),
    Setting::new(
        "connect-remote",
        "Let --connect name another machine; nothing on the way is encrypted",
        Sets::Browser(|settings, values| switch(values).map(|on| settings.connect_remote = on)),
    ),
    Setting::new(
        "connect-tab",
        "With --connect: work in the tabs that have this in their address or title, which stay, instead of a new one",
        Sets::Browser(|settings, values| {
            settings.connect_tab = Some(last(values)?.to_owned());
            Ok(())
        }),
    )
    .value("TEXT"),
    Setting::new(
        "profile",
        "Keep logins and all else that pages store in this folder; one session has it at a time",
        Sets::Browser(|settings, values| {
            settings.profile = Some(last(values)?.into());
            Ok(())
        }),
    )
    .value("FOLDER")
    .path(),
    Setting::new(
        "debugging-port",
        "Let every program of this machine use Chrome too, by this port; 0 is any that is free",
        Sets::Browser(|settings, values| {
            settings.debugging_port = read_port(last(values)?)?;
            Ok(())
        }),
    )
    .value("PORT|off")
    .default("off"),
    Setting::new(
        "headed",
        "Show the windows instead of running headless",
        Sets::Browser(|settings, values| switch(values).map(|on| settings.headed = on)),
    ),
    Setting::new(
        "slow-motion",
        "With --headed: wait so long before each action, what it is about being marked",
        Sets::Browser(|settings, values| {
            whole(values, 0, 60_000).map(|ms| settings.slow_motion = Duration::from_millis(ms))
        }),
    )
    .value("MS")
    .default("0"),
    Setting::new(
        "out",
        "Where sessions keep pictures, downloads and long answers",
        Sets::Browser(|settings, values| {
            settings.out = Some(last(values)?.into());
            Ok(())
        }),
    )
    .value("FOLDER")
    .path(),
    Setting::new(
        "viewport",
        "Size of the page",
        Sets::Browser(|settings, values| {
            read_viewport(last(values)?).map(|v| settings.viewport = v)
        }),
    )
    .value("WIDTHxHEIGHT")
    .default("1280x720"),
    Setting::new(
        "picture-size",
        "Longest side of a picture; one above the default has more megapixels too",
        Sets::Browser(|settings, values| {
            let side = whole(values, 64, LARGEST.into())?;
            settings.picture_size = u32::try_from(side).map_err(|error| error.to_string())?;
            Ok(())
        }),
    )
    .value("PIXELS")
    .default("1568"),
    Setting::new(
        "extra-args",
        "A further command-line switch for Chrome",
        Sets::Browser(|settings, values| {
            settings.extra_args = values.to_vec();
            Ok(())
        }),
    )
    .value("SWITCH")
    .many(),
    Setting::new(
        "no-install",
        "Do not install Chromium when none is found",
        Sets::Browser(|settings, values| switch(values).map(|on| settings.install = !on)),
    ),
    Setting::new(
        "start-timeout",
        "How long Chrome may take to start",
        Sets::Browser(|settings, values| {
            whole(values, 1, 3600).map(|s| settings.start_timeout = Duration::from_secs(s))
        }),
    )
    .value("SECONDS")
    .default("30"),
    Setting::new(
        "http-auth",
        "What a server that asks for a password is given",
        Sets::Browser(|settings, values| parsed(values).map(|all| settings.credentials = all)),
    )
    .value("ORIGIN=USER:PASSWORD")
    .many()
    .hidden(),
    Setting::new(
        "header",
        "A header for requests to an origin, and to no other",
        Sets::Browser(|settings, values| parsed(values).map(|all| settings.headers = all)),
    )
    .value("ORIGIN=NAME: VALUE")
    .many()
    .hidden(),
    Setting::new(
        "isolation",
        "Keep sessions apart by context, in one Chrome, or by process",
        Sets::Browser(|settings, values| {
            read_isolation(last(values)?).map(|how| settings.isolation = how)
        }),
    )
    .value("HOW")
    .default("context"),
    Setting::new(
        "idle-timeout",
        "Close a session nobody has called for so long",
        Sets::Browser(|settings, values| {
            whole(values, 1, u64::MAX).map(|s| settings.idle_timeout = Duration::from_secs(s))
        }),
    )
    .value("SECONDS")
    .default("1800"),
    Setting::new(
        "no-spare",
        "Keep no session in readiness for the next conversation; saves 20 MB",
        Sets::Browser(|settings, values| switch(values).map(|on| settings.spare = !on)),
    ),
    Setting::new(
        "max-sessions",
        "Sessions at a time",
        Sets::Browser(|settings, values| count(values).map(|n| settings.max_sessions = n)),
    )
    .value("COUNT")
    .default("64"),
    Setting::new(
        "max-memory",
        "Memory the pages of a session may hold",
        Sets::Browser(|settings, values| {
            whole(values, 64, u32::MAX.into()).map(|mb| settings.max_memory = mb << 20)
        }),
    )
    .value("MB")
    .default("2048"),
    Setting::new(
        "max-tabs",
        "Tabs a session may have",
        Sets::Browser(|settings, values| count(values).map(|n| settings.max_tabs = n)),
    )
    .value("COUNT")
    .default("50"),
    Setting::new(
        "max-download",
        "The most bytes one download may have",
        Sets::Browser(|settings, values| {
            whole(values, 0, u64::MAX).map(|n| settings.max_download = n)
        }),
    )
    .value("BYTES")
    .default("1073741824"),
    Setting::new(
        "max-downloads",
        "The most bytes all downloads of a session may have",
        Sets::Browser(|settings, values| {
            whole(values, 0, u64::MAX).map(|n| settings.max_downloads = n)
        }),
    )
    .value("BYTES")
    .default("4294967296"),
    Setting::new(
        "allow-folder",
        "A further folder whose files may be read and written",
        Sets::Browser(|settings, values| {
            let folders: Result<_, _> = values.iter().map(|one| read_folder(one)).collect();
            folders.map(|all| settings.allow_folders = all)
        }),
    )
    .value("FOLDER")
    .many()
    .path(),
    Setting::new(
        "allow",
        "Navigations lead only there, local addresses included",
        Sets::Browser(|settings, values| parsed(values).map(|all| settings.egress.allow = all)),
    )
    .value("ORIGIN|RANGE")
    .many(),
    Setting::new(
        "deny",
        "Nothing leads there",
        Sets::Browser(|settings, values| parsed(values).map(|all| settings.egress.deny = all)),
    )
    .value("ORIGIN|RANGE")
    .many(),
    Setting::new(
        "allow-resources",
        "Pages load only from there and from --allow",
        Sets::Browser(|settings, values| {
            parsed(values).map(|all| settings.egress.allow_resources = all)
        }),
    )
    .value("ORIGIN|RANGE")
    .many(),
    Setting::new(
        "public",
        "Treat these addresses as public",
        Sets::Browser(|settings, values| parsed(values).map(|all| settings.egress.public = all)),
    )
    .value("RANGE")
    .many(),
    Setting::new(
        "proxy",
        "Reach the internet by this proxy: http://HOST:PORT, socks5://USER:PASSWORD@HOST:PORT",
        Sets::Browser(|settings, values| {
            last(values)?.parse().map(|proxy| settings.egress.proxy = Some(proxy))
        }),
    )
    .value("URL")
    .hidden(),
    Setting::new(
        "secrets",
        "Secrets that agents use by name, {\"NAME\": {\"value\": …, \"origins\": […]}}",
        // Read where the file is: see `layers.rs`.
        Sets::Browser(|_, values| last(values).map(drop)),
    )
    .value("FILE")
    .path(),
];

/// What nobody set anything about, in this binary.
pub(super) fn plain() -> Settings {
    Settings { sweeper: Some(ourselves()), ..Settings::default() }
}

/// Reads what came beside the settings.
pub(super) fn put_in_secrets(settings: &mut Settings, given: &Given) -> Result<(), String> {
    let lines = given.get(SECRET_VARIABLES).into_iter().flatten();
    let variables = lines.filter_map(|line| line.split_once('='));
    let variables = variables.map(|(name, value)| (name.to_owned(), value.to_owned()));
    settings.secrets = Secrets::from_variables(variables, &SystemKeyring)?;
    if let Some(text) = given.get(SECRETS_FILE).and_then(|text| text.first()) {
        let told = |why| format!("The secrets cannot be used: {why}");
        settings.secrets.read_file(text, &SystemKeyring).map_err(told)?;
    }
    settings.state_key = given.get(STATE_KEY).and_then(|key| key.first()).map(StateKey::new);
    Ok(())
}

fn read_viewport(text: &str) -> Result<(u32, u32), String> {
    let side = |text: &str| text.parse().ok().filter(|side| (1..=LARGEST).contains(side));
    text.split_once(['x', 'X'])
        .and_then(|(width, height)| Some((side(width)?, side(height)?)))
        .ok_or_else(|| format!("two numbers up to {LARGEST} are wanted, like 1280x720"))
}

fn read_port(text: &str) -> Result<Option<u16>, String> {
    match text {
        "off" => Ok(None),
        port => port.parse().map(Some).map_err(|_| "a port, 0 or off is wanted".to_owned()),
    }
}

fn read_isolation(text: &str) -> Result<Isolation, String> {
    match text {
        "context" => Ok(Isolation::Context),
        "process" => Ok(Isolation::Process),
        _ => Err("context or process is wanted".to_owned()),
    }
}

/// A folder that is not there is a slip of the pen, better told now than at the first upload.
fn read_folder(text: &str) -> Result<PathBuf, String> {
    match std::path::absolute(text) {
        Ok(folder) if folder.is_dir() => Ok(folder),
        _ => Err("there is no such folder".to_owned()),
    }
}

fn count(values: &[String]) -> Result<usize, String> {
    usize::try_from(whole(values, 1, u32::MAX.into())?).map_err(|error| error.to_string())
}
