//! argv: which command, with which settings.
//!
//! Every field of `Settings` is a flag of the same name, on every command that may
//! start a browser.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use btcp::{CallError, DEFAULT_TOOLSET, Group, Settings};
use clap::builder::PossibleValuesParser;
use clap::error::ErrorKind;
use clap::{Arg, ArgAction, ArgMatches, value_parser};

use crate::generate::{AROUND, Wanted, What};

/// What a command line asks for.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Arguments {
    /// How often `-v` was given.
    pub(crate) verbosity: u8,
    pub(crate) command: Command,
}

/// A command, ready to run.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Command {
    /// Serve an MCP client.
    Mcp { settings: Settings, toolset: String, structured: bool },
    /// Show what an agent does, on our page or on this one.
    Demo { settings: Settings, url: Option<String> },
    /// Print the registry.
    Generate(Wanted),
}

/// Reads argv; the error is also how clap asks for help to be printed.
pub(crate) fn read(
    argv: impl IntoIterator<Item = impl Into<OsString> + Clone>,
) -> Result<Arguments, clap::Error> {
    let matches = command().try_get_matches_from(argv)?;
    let Some((name, given)) = matches.subcommand() else {
        return Err(command().error(ErrorKind::MissingSubcommand, "A command is required"));
    };
    let command = match name {
        "mcp" => Command::Mcp {
            settings: settings(given),
            toolset: one(given, "toolset"),
            structured: given.get_flag("structured"),
        },
        "demo" => Command::Demo {
            settings: settings(given),
            url: given.get_one::<String>("url").cloned(),
        },
        _ => Command::Generate(wanted(given)?),
    };
    Ok(Arguments { verbosity: given.get_count("verbose"), command })
}

/// A toolset the catalog does not know, as an error of that command.
pub(crate) fn refused_toolset(name: &str, error: &CallError) -> clap::Error {
    let mut message = error.to_string();
    if let CallError::InvalidParams { hint: Some(hint), .. } = error {
        message.push_str(&format!("\n\n  {hint}"));
    }
    let mut command = command();
    match command.find_subcommand_mut(name) {
        Some(subcommand) => subcommand.error(ErrorKind::InvalidValue, message),
        None => command.error(ErrorKind::InvalidValue, message),
    }
}

fn command() -> clap::Command {
    clap::Command::new("btcp")
        .about("A browser an AI agent can hold")
        .version(env!("CARGO_PKG_VERSION"))
        .subcommand_required(true)
        .arg_required_else_help(true)
        .disable_help_subcommand(true)
        .arg(
            Arg::new("verbose")
                .short('v')
                .long("verbose")
                .action(ArgAction::Count)
                .global(true)
                .help("Log more to stderr; -vv for still more"),
        )
        .subcommand(
            clap::Command::new("mcp")
                .about("Serve an MCP client over stdin and stdout")
                .arg(toolset("Presets, groups and tools to offer; +LIST adds to the default"))
                .arg(
                    Arg::new("structured")
                        .long("structured")
                        .action(ArgAction::SetTrue)
                        .help("Send results as structuredContent too, with the same text"),
                )
                .args(browser_flags()),
        )
        .subcommand(
            clap::Command::new("demo")
                .about("Show what an agent sees and does, on a page of our own")
                .arg(
                    Arg::new("url")
                        .long("url")
                        .value_name("URL")
                        .help("Look at this page instead; nothing on it is touched"),
                )
                .args(browser_flags()),
        )
        .subcommand(generate())
}

fn generate() -> clap::Command {
    let files = Group::ALL.iter().map(|group| group.name()).chain(AROUND);
    clap::Command::new("generate")
        .about("Print the registry in the form another program reads")
        .hide(true)
        .arg(
            Arg::new("what")
                .required(true)
                .value_parser(PossibleValuesParser::new(What::ALL.map(|(name, _)| name))),
        )
        .arg(
            Arg::new("file")
                .value_name("GROUP")
                .value_parser(PossibleValuesParser::new(files))
                .help("Which file of ts [default: index]"),
        )
        .arg(toolset("Tools to write for openai, openai-strict and anthropic"))
}

fn toolset(help: &'static str) -> Arg {
    Arg::new("toolset").long("toolset").value_name("LIST").default_value(DEFAULT_TOOLSET).help(help)
}

/// One flag for each field of `Settings`.
fn browser_flags() -> [Arg; 7] {
    [
        Arg::new("browser")
            .long("browser")
            .value_name("PATH")
            .value_parser(value_parser!(PathBuf))
            .help("Chrome to start; found or installed by itself if left out"),
        Arg::new("headed")
            .long("headed")
            .action(ArgAction::SetTrue)
            .help("Show the windows instead of running headless"),
        Arg::new("out")
            .long("out")
            .value_name("FOLDER")
            .value_parser(value_parser!(PathBuf))
            .help("Where sessions keep pictures, downloads and long answers"),
        Arg::new("viewport")
            .long("viewport")
            .value_name("WIDTHxHEIGHT")
            .value_parser(read_viewport)
            .help("Size of the page [default: 1280x720]"),
        Arg::new("extra-args")
            .long("extra-args")
            .value_name("SWITCH")
            .action(ArgAction::Append)
            .allow_hyphen_values(true)
            .help("A further command-line switch for Chrome; may be repeated"),
        Arg::new("no-install")
            .long("no-install")
            .action(ArgAction::SetTrue)
            .help("Do not install Chromium when none is found"),
        Arg::new("start-timeout")
            .long("start-timeout")
            .value_name("SECONDS")
            .value_parser(value_parser!(u64).range(1..=3600))
            .help("How long Chrome may take to start [default: 30]"),
    ]
}

fn settings(given: &ArgMatches) -> Settings {
    let default = Settings::default();
    Settings {
        browser: given.get_one::<PathBuf>("browser").cloned(),
        headed: given.get_flag("headed"),
        viewport: given.get_one("viewport").copied().unwrap_or(default.viewport),
        extra_args: given
            .get_many::<String>("extra-args")
            .map(|switches| switches.cloned().collect())
            .unwrap_or_default(),
        out: given.get_one::<PathBuf>("out").cloned(),
        install: !given.get_flag("no-install"),
        start_timeout: given
            .get_one("start-timeout")
            .copied()
            .map_or(default.start_timeout, Duration::from_secs),
    }
}

/// The largest page Chrome can be asked for; beyond it a picture would not fit anything.
const LARGEST: u32 = 10_000;

fn read_viewport(text: &str) -> Result<(u32, u32), String> {
    let side = |text: &str| text.parse().ok().filter(|side| (1..=LARGEST).contains(side));
    text.split_once(['x', 'X'])
        .and_then(|(width, height)| Some((side(width)?, side(height)?)))
        .ok_or_else(|| format!("two numbers up to {LARGEST} are wanted, like 1280x720"))
}

fn one(given: &ArgMatches, name: &str) -> String {
    given.get_one::<String>(name).cloned().unwrap_or_default()
}

fn wanted(given: &ArgMatches) -> Result<Wanted, clap::Error> {
    let wanted = Wanted {
        what: what(&one(given, "what")),
        file: one(given, "file"),
        toolset: one(given, "toolset"),
    };
    if !wanted.file.is_empty() && wanted.what != What::Ts {
        let message = format!("'{}' is a file of ts only", wanted.file);
        return Err(generate().error(ErrorKind::ArgumentConflict, message));
    }
    Ok(wanted)
}

fn what(name: &str) -> What {
    What::ALL.into_iter().find(|(known, _)| *known == name).map_or(What::Docs, |(_, what)| what)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings_of(line: &str) -> Settings {
        match read(line.split(' ')).unwrap().command {
            Command::Mcp { settings, .. } | Command::Demo { settings, .. } => settings,
            Command::Generate(_) => panic!("no browser there"),
        }
    }

    #[test]
    fn the_command_line_is_consistent() {
        command().debug_assert();
    }

    #[test]
    fn without_flags_the_settings_are_the_default() {
        assert_eq!(settings_of("btcp mcp"), Settings::default());
        assert_eq!(settings_of("btcp demo"), Settings::default());
    }

    #[test]
    fn every_setting_is_a_flag() {
        let line = "btcp mcp --browser /opt/chrome --headed --viewport 800x600 \
                    --extra-args --lang=de --extra-args --mute-audio --no-install \
                    --start-timeout 5 --out /tmp/out";
        assert_eq!(
            settings_of(line),
            Settings {
                browser: Some("/opt/chrome".into()),
                headed: true,
                viewport: (800, 600),
                extra_args: vec!["--lang=de".into(), "--mute-audio".into()],
                out: Some("/tmp/out".into()),
                install: false,
                start_timeout: Duration::from_secs(5),
            }
        );
    }

    #[test]
    fn a_wrong_value_is_a_usage_error_that_says_what_is_wanted() {
        for line in [
            "btcp mcp --viewport 800",
            "btcp mcp --viewport 0x600",
            "btcp mcp --viewport 99999x1",
            "btcp mcp --start-timeout 0",
            "btcp mcp --tool-set all",
            "btcp generate poems",
            "btcp generate ts poems",
            "btcp generate docs reading",
            "btcp dem",
        ] {
            let error = read(line.split(' ')).unwrap_err();
            assert_eq!(error.exit_code(), 2, "{line}");
        }
    }

    #[test]
    fn the_default_toolset_is_the_agents() {
        let Command::Mcp { toolset, .. } = read(["btcp", "mcp"]).unwrap().command else {
            panic!("mcp is mcp")
        };
        assert_eq!(toolset, "agent");
    }
}
