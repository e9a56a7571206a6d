//! An action's command line, made from its entry in the registry.

use std::ffi::OsString;
use std::path::PathBuf;

use btcp::daemon::Given;
use btcp::export::{self, Parameter, ParameterKind as Kind, Stands};
use btcp::{Access, Entry};
use clap::error::ErrorKind;
use clap::{Arg, ArgAction, ArgMatches};
use serde_json::{Map, Value, json};

use super::own::Command;
use super::{Arguments, flags, held, help, lines, output_flags, root};
use crate::settings::{Held, Surroundings};

/// A call, ready to be made.
#[derive(Debug)]
pub(crate) struct ActionCall {
    /// None to open the session and no more.
    pub(crate) action: Option<&'static str>,
    pub(crate) arguments: Map<String, Value>,
    /// Whether the action only looks, so that its answer is what was asked for.
    pub(crate) reads: bool,
    pub(crate) session: String,
    /// How long the daemon outlives its last session.
    pub(crate) daemon_idle: String,
    pub(crate) settings: Given,
    pub(crate) folder: Option<PathBuf>,
    pub(crate) json: bool,
    pub(crate) quiet: bool,
}

/// Reads a command line of this action.
pub(super) fn read(
    entry: &'static Entry,
    argv: Vec<OsString>,
    around: &Surroundings,
) -> Result<Arguments, clap::Error> {
    let parameters = export::parameters(entry);
    let mut whole = match has_settings(&argv, &parameters) {
        true => whole(entry, &parameters),
        false => plain(entry, &parameters),
    };
    if argv.iter().filter_map(|word| word.to_str()).any(gives_json) {
        let name = export::command_name(entry);
        whole = whole.mut_subcommand(name, |command| nothing_required(command, &parameters));
    }
    let matches = whole.try_get_matches_from_mut(argv)?;
    let Some((_, given)) = matches.subcommand() else {
        return Err(whole.error(ErrorKind::MissingSubcommand, "A command is required"));
    };
    let own: Vec<String> = parameters.iter().map(Parameter::flag).collect();
    let held = held(given, (Some(&matches), &own), around)?;
    let mut arguments = arguments(given, &parameters).map_err(|why| refused(entry, why))?;
    let steps = parameters.iter().find(|one| one.stands == Stands::Steps);
    if let Some(steps) = steps.filter(|steps| !arguments.contains_key(&steps.name)) {
        let file = given.get_one::<String>(&steps.name).map(String::as_str);
        let text = lines::input(file).map_err(|why| refused(entry, why))?;
        let read = read_steps(&text, &steps.name).map_err(|why| refused(entry, why))?;
        for (name, value) in read {
            arguments.entry(name).or_insert(value);
        }
    }
    let call = ActionCall {
        action: Some(entry.name),
        arguments,
        reads: entry.access == Access::Reads,
        ..ActionCall::opening(&held, given, around)
    };
    Ok(Arguments {
        verbosity: given.get_count("verbose"),
        command: Command::Action(Box::new(call)),
    })
}

impl ActionCall {
    /// Opens the session that is meant, in a browser as it is set.
    pub(super) fn opening(held: &Held, given: &ArgMatches, around: &Surroundings) -> Self {
        let mut settings = held.given();
        settings.remove("session");
        Self {
            action: None,
            arguments: Map::new(),
            reads: false,
            session: held.one("session"),
            daemon_idle: held.one("daemon-idle"),
            settings,
            folder: around.folder.clone(),
            json: given.get_flag("json"),
            quiet: given.get_flag("quiet"),
        }
    }
}

fn refused(entry: &Entry, why: String) -> clap::Error {
    command(entry, &export::parameters(entry))
        .bin_name(format!("btcp {}", entry.name))
        .error(ErrorKind::InvalidValue, why)
}

/// Whether a flag stands there that is none of the action's: a setting, or a slip of the pen that
/// may mean one.
fn has_settings(argv: &[OsString], parameters: &[Parameter]) -> bool {
    let command = super::first_word(argv).unwrap_or(argv.len());
    let flags = argv.iter().enumerate();
    let mut flags = flags.filter_map(|(at, word)| Some((at, word.to_str()?.strip_prefix("--")?)));
    flags.any(|(at, word)| {
        let name = word.split_once('=').map_or(word, |(name, _)| name);
        let of_all = ["", "json", "quiet", "verbose", "help", "args"].contains(&name);
        !of_all && (at < command || !parameters.iter().any(|one| one.flag() == name))
    })
}

/// The command with no other subcommand than this, and all settings: thirty more flags, which take
/// longer to build than the rest.
pub(super) fn whole(entry: &Entry, parameters: &[Parameter]) -> clap::Command {
    // What the action calls by the name of a setting is its own behind its name: `--timeout`.
    let own = |flag: &Arg| parameters.iter().any(|one| one.flag() == flag.get_id().as_str());
    let settings = flags(|_| true).map(|flag| {
        let everywhere = !own(&flag);
        flag.global(everywhere).hide(true)
    });
    plain(entry, parameters).args(settings)
}

/// The same without settings.
fn plain(entry: &Entry, parameters: &[Parameter]) -> clap::Command {
    root().args(output_flags()).subcommand(command(entry, parameters))
}

/// The action as a subcommand.
pub(super) fn command(entry: &Entry, parameters: &[Parameter]) -> clap::Command {
    let mut command = clap::Command::new(export::command_name(entry));
    for one in parameters {
        command = match one.stands {
            Stands::Required => command.arg(place(one).required(true)),
            Stands::First => command
                .arg(place(one))
                .arg(named(one).id(by_name(one)).conflicts_with(one.name.clone()).hide(true)),
            Stands::Named | Stands::OfCall => command.arg(named(one)),
            Stands::Steps => command.arg(steps(one)),
        };
    }
    command
        .arg(
            Arg::new("args")
                .long("args")
                .value_name("JSON")
                .help("Arguments as a JSON object; those given otherwise are stronger"),
        )
        .about(help::description(entry))
        .after_help("Settings, such as --session NAME, can be given too: btcp config")
}

/// Whether a word says that arguments come as JSON.
fn gives_json(word: &str) -> bool {
    word == "--args" || word.starts_with("--args=")
}

/// The same, where what is required may come as JSON.
fn nothing_required(command: clap::Command, parameters: &[Parameter]) -> clap::Command {
    let required = parameters.iter().filter(|one| one.stands == Stands::Required);
    required
        .fold(command, |command, one| command.mut_arg(one.name.clone(), |arg| arg.required(false)))
}

/// The id of a flag whose parameter can also stand by its place.
fn by_name(one: &Parameter) -> String {
    format!("{}-by-name", one.name)
}

fn says(one: &Parameter) -> String {
    match one.choices.is_empty() {
        true => one.says.clone(),
        false => format!("{} [{}]", one.says, one.choices.join(", ")),
    }
}

/// By its place.
fn place(one: &Parameter) -> Arg {
    let arg = Arg::new(one.name.clone())
        .value_name(one.flag().to_uppercase())
        .allow_negative_numbers(true)
        .help(says(one));
    match one.kind {
        Kind::List(_) => arg.num_args(1..),
        _ => arg,
    }
}

/// By its name.
fn named(one: &Parameter) -> Arg {
    let arg = Arg::new(one.name.clone()).long(one.flag()).help(says(one));
    let value = |arg: Arg| arg.value_name(value_name(&one.kind)).allow_hyphen_values(true);
    match one.kind {
        Kind::Switch => arg
            .num_args(0..=1)
            .require_equals(true)
            .value_name("true|false")
            .default_missing_value("true"),
        Kind::List(_) => value(arg).action(ArgAction::Append),
        _ => value(arg),
    }
}

fn value_name(kind: &Kind) -> &'static str {
    match kind {
        Kind::Text | Kind::List(_) => "TEXT",
        Kind::Number => "NUMBER",
        Kind::Switch => "true|false",
        Kind::Json => "JSON",
    }
}

/// A file of steps.
fn steps(one: &Parameter) -> Arg {
    Arg::new(one.name.clone()).value_name("FILE").help(format!(
        "{} As JSON, or as a command a line; from standard input if left out or -",
        one.says
    ))
}

/// The arguments of the call.
fn arguments(given: &ArgMatches, parameters: &[Parameter]) -> Result<Map<String, Value>, String> {
    let mut arguments = match given.get_one::<String>("args") {
        Some(text) => match serde_json::from_str(text) {
            Ok(Value::Object(arguments)) => arguments,
            Ok(other) => return Err(format!("--args must be a JSON object, not {other}")),
            Err(error) => return Err(format!("--args must be a JSON object: {error}")),
        },
        None => Map::new(),
    };
    for one in parameters.iter().filter(|one| one.stands != Stands::Steps) {
        let of = |id: &str| -> Vec<&String> {
            given.try_get_many::<String>(id).ok().flatten().into_iter().flatten().collect()
        };
        let mut texts = of(&one.name);
        if one.stands == Stands::First && texts.is_empty() {
            texts = of(&by_name(one));
        }
        let value = match (&one.kind, texts.last()) {
            (_, None) => continue,
            (Kind::List(kind), _) => texts.iter().map(|text| kind.read(text)).collect(),
            (kind, Some(text)) => kind.read(text),
        };
        arguments.insert(one.name.clone(), value);
    }
    Ok(arguments)
}

/// Steps as they were written: a JSON list, an object with one in it, or a command a line.
fn read_steps(text: &str, name: &str) -> Result<Map<String, Value>, String> {
    let text = text.trim();
    let steps = match text.starts_with(['[', '{']) {
        true => match serde_json::from_str(text) {
            Ok(Value::Object(arguments)) => return Ok(arguments),
            Ok(steps) => steps,
            Err(error) => return Err(format!("The {name} are no JSON: {error}")),
        },
        false => Value::Array(
            lines::read(text)?
                .into_iter()
                .map(|(number, words)| step(words).map_err(|why| format!("Line {number}: {why}")))
                .collect::<Result<_, _>>()?,
        ),
    };
    Ok(Map::from_iter([(name.to_owned(), steps)]))
}

/// A command line as a step.
fn step(mut words: Vec<String>) -> Result<Value, String> {
    if words.first().is_some_and(|word| word == "btcp") {
        words.remove(0);
    }
    let Some(word) = words.first_mut() else { return Err("a command is wanted".to_owned()) };
    let Some(entry) = super::find(word) else { return Err(first_line(&super::unknown(word))) };
    *word = export::command_name(entry);
    let parameters = export::parameters(entry);
    let mut command = command(entry, &parameters);
    if words.iter().any(|word| gives_json(word)) {
        command = nothing_required(command, &parameters);
    }
    let matches = command.try_get_matches_from(words).map_err(|error| first_line(&error))?;
    let mut step = Map::from_iter([("action".to_owned(), json!(entry.name))]);
    step.extend(arguments(&matches, &parameters)?);
    Ok(Value::Object(step))
}

/// The sentence of an error, without usage and tips.
fn first_line(error: &clap::Error) -> String {
    let text = error.to_string();
    let paragraph = text.split("\n\n").next().unwrap_or_default();
    let words: Vec<&str> = paragraph.split_whitespace().collect();
    words.join(" ").trim_start_matches("error: ").to_owned()
}
