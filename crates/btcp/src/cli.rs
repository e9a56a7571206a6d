//! argv: which command, with which settings.
//!
//! Commands of the binary's own are in `cli/own.rs`; any other word is an action of the
//! registry, and only its own arguments are built (`cli/action.rs`): a call through the daemon is
//! over in less time than all of them would take.

mod action;
mod help;
mod lines;
mod own;
mod shell;
#[cfg(test)]
mod tests;

use std::ffi::{OsStr, OsString};

use btcp::daemon::Given;
use btcp::{CallError, Entry, export};
use btcp_engine::names;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, ArgAction, ArgMatches};

use crate::settings::{self, Held, Sets, Setting, Surroundings};

pub(crate) use self::action::ActionCall;
pub(crate) use self::help::skill;
pub(crate) use self::lines::words;
pub(crate) use self::own::{Command, OWN};

/// What a command line asks for.
#[derive(Debug)]
pub(crate) struct Arguments {
    /// How often `-v` was given.
    pub(crate) verbosity: u8,
    pub(crate) command: Command,
}

/// Reads argv; the error is also how clap asks for help to be printed.
pub(crate) fn read(
    argv: impl IntoIterator<Item = impl Into<OsString>>,
    around: &Surroundings,
) -> Result<Arguments, clap::Error> {
    let mut argv: Vec<OsString> = argv.into_iter().map(Into::into).collect();
    let word = first_word(&argv);
    let written = word.and_then(|at| argv[at].to_str());
    match (word, written) {
        (Some(at), Some(written)) if !OWN.contains(&written) => match find(written) {
            Some(entry) => {
                argv[at] = export::command_name(entry).into();
                action::read(entry, argv, around)
            }
            None => Err(unknown(written)),
        },
        _ => own::read(argv, around),
    }
}

/// Every action there is. Tests add one that nobody here has heard of.
fn entries() -> &'static [Entry] {
    #[cfg(test)]
    return tests::entries();
    #[cfg(not(test))]
    btcp_actions::ENTRIES
}

/// The action a word means, spelling ignored.
pub(crate) fn find(word: &str) -> Option<&'static Entry> {
    let wanted = names::squashed(word);
    entries().iter().find(|entry| {
        let mut all = std::iter::once(&entry.name).chain(entry.aliases);
        all.any(|name| names::squashed(name) == wanted)
    })
}

/// What can be written where a word has begun: commands, or the flags of one.
pub(crate) fn continuations(before: &[String]) -> Vec<String> {
    match before.iter().find(|word| !word.starts_with('-')).map(|word| find(word)) {
        None => {
            let actions = entries().iter().map(export::command_name);
            own::visible().into_iter().map(str::to_owned).chain(actions).collect()
        }
        Some(Some(entry)) => {
            let named = |one: &export::Parameter| one.stands != export::Stands::Steps;
            let all = export::parameters(entry).into_iter().filter(named);
            let flags = all.map(|one| format!("--{}", one.flag()));
            flags.chain(["--json".to_owned(), "--quiet".to_owned()]).collect()
        }
        Some(None) => vec!["--json".to_owned()],
    }
}

/// Where the command stands: the first word that is no flag and no flag's value.
fn first_word(argv: &[OsString]) -> Option<usize> {
    let mut at = 1;
    while at < argv.len() {
        let text = argv[at].to_str().unwrap_or_default();
        if !text.starts_with('-') || text == "-" {
            return Some(at);
        }
        let takes_next = text.strip_prefix("--").is_some_and(|name| {
            settings::find(name).is_some_and(|setting| setting.value.is_some())
        });
        at += if takes_next { 2 } else { 1 };
    }
    None
}

fn unknown(word: &str) -> clap::Error {
    let actions: Vec<String> = entries().iter().map(export::command_name).collect();
    let known = own::visible().into_iter().chain(actions.iter().map(String::as_str));
    let near = names::nearest(word, known, 3);
    let tip = match near.is_empty() {
        true => "`btcp help` lists all".to_owned(),
        false => format!("did you mean {}?", near.join(", ")),
    };
    let mut error = root().error(
        ErrorKind::InvalidSubcommand,
        format!("There is no command '{word}'\n\n  tip: {tip}"),
    );
    let near = near.into_iter().map(str::to_owned).collect();
    error.insert(ContextKind::SuggestedSubcommand, ContextValue::Strings(near));
    error
}

/// A toolset the catalog does not know, as an error of that command.
pub(crate) fn refused_toolset(name: &str, error: &CallError) -> clap::Error {
    let mut message = error.to_string();
    if let CallError::InvalidParams { hint: Some(hint), .. } = error {
        message.push_str(&format!("\n\n  {hint}"));
    }
    own::error_of(name, ErrorKind::InvalidValue, message)
}

/// The command itself, without any other.
fn root() -> clap::Command {
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
}

/// How results are printed.
fn output_flags() -> [Arg; 2] {
    let flag =
        |name: &'static str| Arg::new(name).long(name).action(ArgAction::SetTrue).global(true);
    [
        flag("json").help("Print results and errors as JSON, for programs"),
        flag("quiet").short('q').help("Print values that were asked for, and errors; nothing else"),
    ]
}

/// The flag of a setting.
fn flag(setting: &'static Setting) -> Arg {
    let arg = Arg::new(setting.name).long(setting.name).help(setting.help());
    let check = move |text: &str| {
        let values = [text.to_owned()];
        setting.check(&values).map(|()| text.to_owned())
    };
    let arg = arg.value_parser(check);
    let Some(value) = setting.value else {
        // `--headed=false` is stronger than a file that says otherwise.
        let arg = arg.num_args(0..=1).require_equals(true).default_missing_value("true");
        return arg.value_name("true|false").action(ArgAction::Set);
    };
    let arg = arg.value_name(value).allow_hyphen_values(true);
    if setting.many { arg.action(ArgAction::Append) } else { arg.action(ArgAction::Set) }
}

/// Flags of settings that are about something.
fn flags(wanted: impl Fn(Sets) -> bool) -> impl Iterator<Item = Arg> {
    settings::all().filter(move |setting| wanted(setting.sets)).map(flag)
}

/// What was set on the command line, with all that holds beside it. What a command calls by the name of
/// a setting is its own (`own`); before the command the name is the setting's all the same.
fn held(
    given: &ArgMatches,
    others: (Option<&ArgMatches>, &[String]),
    around: &Surroundings,
) -> Result<Held, clap::Error> {
    let flags = written(given, others);
    settings::gather(flags, around).map_err(|why| root().error(ErrorKind::InvalidValue, why))
}

/// What was set on the command line.
fn written(given: &ArgMatches, (before, own): (Option<&ArgMatches>, &[String])) -> Given {
    let mut flags = Given::new();
    for setting in settings::all() {
        let is_own = own.iter().any(|own| own == setting.name);
        let Some(given) = (if is_own { before } else { Some(given) }) else { continue };
        let name = setting.name;
        if !given.ids().any(|id| id.as_str() == name)
            || given.value_source(name) != Some(clap::parser::ValueSource::CommandLine)
        {
            continue;
        }
        let values = given.get_many::<String>(name).into_iter().flatten().cloned().collect();
        flags.insert(name.to_owned(), values);
    }
    flags
}

/// Whether results are to be JSON, of a command line that could not be read.
pub(crate) fn wants_json(argv: &[OsString]) -> bool {
    argv.iter().take_while(|word| *word != OsStr::new("--")).any(|word| word == "--json")
}
