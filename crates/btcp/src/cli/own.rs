//! The commands of the binary's own, those that are no actions.

use std::ffi::OsString;

use btcp::{DEFAULT_TOOLSET, Endpoint, Group, Settings};
use clap::builder::PossibleValuesParser;
use clap::error::ErrorKind;
use clap::{Arg, ArgAction, ArgMatches, value_parser};

use super::{ActionCall, Arguments, flags, held, help, output_flags, root, shell, written};
use crate::generate::{AROUND, Wanted, What};
use crate::install::How;
use crate::settings::{self, Granted, Held, Sets, Surroundings};

/// Their names. The registry lets no action have one.
pub(crate) const OWN: &[&str] = &[
    "mcp",
    "demo",
    "generate",
    "sweep",
    "daemon",
    "status",
    "stop",
    "sessions",
    "config",
    "connect",
    "skill",
    "doctor",
    "install",
    "repl",
    "completions",
    "man",
    "help",
];

/// A command, ready to run.
#[derive(Debug)]
pub(crate) enum Command {
    /// Call an action.
    Action(Box<ActionCall>),
    /// Serve an MCP client.
    Mcp { settings: Box<Settings>, granted: Box<Granted>, structured: bool, url: Option<String> },
    /// Show what an agent does, on our page or on this one.
    Demo { settings: Box<Settings>, url: Option<String> },
    /// Print the registry.
    Generate(Wanted),
    /// Clear up after the one that started us.
    Sweep,
    /// Be the daemon.
    Daemon { idle: u64 },
    /// Tell of the daemon.
    Status { json: bool },
    /// End the daemon.
    Stop { json: bool },
    /// List the sessions of the daemon.
    Sessions { json: bool },
    /// Print what is set.
    Config { held: Box<Held>, files: Vec<std::path::PathBuf>, json: bool },
    /// Print this.
    Print(String),
    /// Read commands, one after the other; these flags are for each of them.
    Repl { flags: Vec<OsString> },
    /// Get a browser.
    Install { settings: Box<Settings>, how: How },
    /// Look what is wrong here.
    Doctor { held: Box<Held>, wrong: Option<String>, json: bool },
}

/// Reads a command line of one of these, or one that has no command.
pub(super) fn read(argv: Vec<OsString>, around: &Surroundings) -> Result<Arguments, clap::Error> {
    let matches = command().try_get_matches_from(&argv)?;
    let Some((name, given)) = matches.subcommand() else {
        return Err(command().error(ErrorKind::MissingSubcommand, "A command is required"));
    };
    let json = || given.get_flag("json");
    let url = || given.get_one::<String>("url").cloned();
    let command = match name {
        "mcp" => {
            let held = held(given, (None, &[]), around)?;
            Command::Mcp {
                settings: Box::new(browser(name, &held)?),
                granted: Box::new(
                    settings::granted(&held.given()).map_err(|why| refused(name, why))?,
                ),
                structured: given.get_flag("structured"),
                url: url(),
            }
        }
        "demo" => {
            let held = held(given, (None, &[]), around)?;
            Command::Demo { settings: Box::new(browser(name, &held)?), url: url() }
        }
        "sweep" => Command::Sweep,
        "repl" => {
            held(given, (None, &[]), around)?;
            let word = argv.iter().position(|word| word == "repl");
            let flags = argv.into_iter().enumerate().skip(1);
            let flags = flags.filter(|(at, _)| Some(*at) != word).map(|(_, flag)| flag).collect();
            Command::Repl { flags }
        }
        "daemon" => Command::Daemon { idle: given.get_one("idle").copied().unwrap_or(60) },
        "status" => Command::Status { json: json() },
        "stop" => Command::Stop { json: json() },
        "sessions" => Command::Sessions { json: json() },
        "config" => Command::Config {
            held: Box::new(held(given, (None, &[]), around)?),
            files: around.files(),
            json: json(),
        },
        "connect" => {
            let held = held(given, (None, &[]), around)?;
            browser(name, &held)?;
            Command::Action(Box::new(ActionCall::opening(&held, given, around)))
        }
        "help" => {
            let word = given.get_one::<String>("command").map(String::as_str);
            Command::Print(help::about(word, command())?)
        }
        "skill" => Command::Print(help::skill()),
        "man" => Command::Print(shell::man()),
        "completions" => Command::Print(
            given.get_one("shell").copied().map(shell::completions).unwrap_or_default(),
        ),
        "install" => {
            let how = How {
                force: given.get_flag("force"),
                json: json(),
                quiet: given.get_flag("quiet"),
            };
            let held = held(given, (None, &[]), around)?;
            Command::Install { settings: Box::new(browser(name, &held)?), how }
        }
        "doctor" => {
            let flags = written(given, (None, &[]));
            // What is wrong with files and variables is a finding.
            let (held, wrong) = match settings::gather(flags.clone(), around) {
                Ok(held) => (held, None),
                Err(why) => {
                    let held = settings::gather(flags, &Surroundings::default());
                    (held.map_err(|why| refused(name, why))?, Some(why))
                }
            };
            Command::Doctor { held: Box::new(held), wrong, json: json() }
        }
        _ => Command::Generate(wanted(given)?),
    };
    Ok(Arguments { verbosity: given.get_count("verbose"), command })
}

fn browser(name: &str, held: &Held) -> Result<Settings, clap::Error> {
    settings::browser(&held.given()).map_err(|why| refused(name, why))
}

fn refused(name: &str, why: String) -> clap::Error {
    error_of(name, ErrorKind::InvalidValue, why)
}

/// An error of one of these commands, with its usage.
pub(super) fn error_of(name: &str, kind: ErrorKind, message: String) -> clap::Error {
    let mut command = command();
    match command.find_subcommand_mut(name) {
        Some(subcommand) => subcommand.error(kind, message),
        None => command.error(kind, message),
    }
}

/// Those that people use.
pub(super) fn visible() -> Vec<&'static str> {
    OWN.iter().copied().filter(|name| !["generate", "sweep", "daemon"].contains(name)).collect()
}

/// All of them; actions are told of in the help.
pub(super) fn command() -> clap::Command {
    let url = |help: &'static str| Arg::new("url").long("url").value_name("URL").help(help);
    let plain = |name: &'static str, about: &'static str| {
        clap::Command::new(name).about(about).args(output_flags())
    };
    let of_browser = || flags(|sets| matches!(sets, Sets::Browser(_)));
    root()
        .after_help(help::actions())
        .subcommand(
            clap::Command::new("mcp")
                .about("Serve an MCP client over stdin and stdout")
                .arg(
                    Arg::new("structured")
                        .long("structured")
                        .action(ArgAction::SetTrue)
                        .help("Send results as structuredContent too, with the same text"),
                )
                .arg(url("A page to open with the first call"))
                .args(flags(|sets| matches!(sets, Sets::Caller(_))))
                .args(of_browser()),
        )
        .subcommand(
            clap::Command::new("demo")
                .about("Show what an agent sees and does, on a page of our own")
                .arg(url("Look at this page instead; nothing on it is touched"))
                .args(of_browser()),
        )
        .subcommand(plain("status", "Tell whether the daemon runs, and what it does"))
        .subcommand(plain("stop", "End the daemon, its sessions and its Chrome"))
        .subcommand(plain("sessions", "List the sessions that are open"))
        .subcommand(
            plain("config", "Print what is set, and where that was done")
                .args(flags(|_| true).map(|flag| flag.hide(true))),
        )
        .subcommand(connect())
        .subcommand(
            plain("doctor", "Look whether all is there that is needed, and say what to do")
                .args(flags(|_| true).map(|flag| flag.hide(true))),
        )
        .subcommand(install())
        .subcommand(
            plain("repl", "Read commands from the terminal, with history and completion")
                .args(flags(|_| true).map(|flag| flag.hide(true))),
        )
        .subcommand(
            clap::Command::new("skill").about("Print a short guide for agents with a shell"),
        )
        .subcommand(
            clap::Command::new("completions")
                .about("Print what makes a shell complete commands")
                .arg(
                    Arg::new("shell")
                        .required(true)
                        .value_name("SHELL")
                        .value_parser(value_parser!(clap_complete::Shell)),
                ),
        )
        .subcommand(clap::Command::new("man").about("Print the manual page"))
        .subcommand(
            clap::Command::new("help")
                .about("Tell about a command")
                .arg(Arg::new("command").value_name("COMMAND")),
        )
        .subcommand(generate())
        .subcommand(
            clap::Command::new("sweep")
                .about("Remove the profiles named on stdin once whoever names them is gone")
                .hide(true),
        )
        .subcommand(
            clap::Command::new("daemon")
                .about("Serve the commands of this user at the socket that is stdin")
                .hide(true)
                .arg(
                    Arg::new("idle")
                        .long("idle")
                        .value_name("SECONDS")
                        .value_parser(value_parser!(u64)),
                ),
        )
}

fn connect() -> clap::Command {
    // Named as the setting it is.
    let place = Arg::new("connect")
        .required(true)
        .value_name("WHERE")
        .value_parser(is_endpoint)
        .help("ws://…, its debugging port, or its profile's folder");
    let others = flags(|_| true).filter(|flag| flag.get_id() != "connect");
    clap::Command::new("connect")
        .about("Have a session go on in a Chrome that runs already; its other tabs are left alone")
        .args(output_flags())
        .arg(place)
        .args(others.map(|flag| flag.hide(true)))
}

fn is_endpoint(text: &str) -> Result<String, String> {
    text.parse::<Endpoint>().map(|_| text.to_owned())
}

fn install() -> clap::Command {
    clap::Command::new("install")
        .about("Get a browser: from the system's packages, or Chrome for Testing")
        .arg(
            Arg::new("force")
                .long("force")
                .action(ArgAction::SetTrue)
                .help("Get the newest Chrome for Testing, whatever browser there is"),
        )
        .args(output_flags())
        .args(flags(|_| true).map(|flag| flag.hide(true)))
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
        .arg(
            Arg::new("toolset")
                .long("toolset")
                .value_name("LIST")
                .default_value(DEFAULT_TOOLSET)
                .help("Tools to write for openai, openai-strict and anthropic"),
        )
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
