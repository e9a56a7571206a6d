//! Help: for an action everything the registry knows of it.

use btcp::export::{self, CommandLine, Stands};
use btcp::{Access, Entry, Group};

use super::{action, entries};

/// The help of a command, or of all.
pub(super) fn about(word: Option<&str>, mut own: clap::Command) -> Result<String, clap::Error> {
    let Some(word) = word else { return Ok(own.render_help().to_string()) };
    if let Some(command) = own.find_subcommand(word) {
        let mut command = command.clone().bin_name(format!("btcp {word}"));
        return Ok(command.render_long_help().to_string());
    }
    match super::find(word) {
        Some(entry) => Ok(of(entry)),
        None => Err(super::unknown(word)),
    }
}

pub(super) fn of(entry: &Entry) -> String {
    let name = export::command_name(entry);
    let mut command = action::command(entry, &export::parameters(entry))
        .bin_name(format!("btcp {name}"))
        .after_help(more(entry));
    command.render_long_help().to_string()
}

/// The description, from the registry.
pub(super) fn description(entry: &Entry) -> String {
    export::tool(entry).description
}

/// Examples as command lines, what comes back, tips, other names.
fn more(entry: &Entry) -> String {
    let mut text = String::from("Examples:");
    for example in (entry.examples)() {
        let args = example.args.as_object().cloned().unwrap_or_default();
        let line = export::command_line(entry, &args);
        text.push_str(&format!("\n  # {}\n  {}", example.says, shown(&line)));
    }
    let gives = match entry.access {
        Access::Changes => "what was done and what came of it",
        Access::Reads => "what was asked for",
    };
    text.push_str(&format!("\n\nIt answers with {gives}; with --json as an object."));
    for tip in entry.tips {
        text.push_str(&format!("\n{tip}"));
    }
    if !entry.aliases.is_empty() {
        text.push_str(&format!("\nAlso: {}", entry.aliases.join(", ")));
    }
    text.push_str("\nSettings, such as --session NAME, can be given too: btcp config");
    text
}

/// `btcp skill`: how an agent with a shell goes about it, from the guide for models and the registry.
pub(crate) fn skill() -> String {
    let mut text = String::from(
        "---\nname: btcp\ndescription: Drive a real browser from the shell; open pages, read them as short \
         text, click, fill, take pictures.\n---\n\n# btcp\n\n",
    );
    text.push_str(&as_commands(btcp::GUIDE));
    text.push_str(
        "\n\n## On the command line\n\n\
         Every action is a command: what it requires stands by its place, the rest by `--name` \
         (`--timeout 5s`, `--tab-id 2`, `--changes=false`). Results go to stdout \
         (`--json` for objects), errors to stderr with a hint; exit code 0 done, 1 failed, 2 wrong command line. \
         The browser stays open between commands; `--session NAME` keeps tasks apart, `btcp close` ends one. \
         `btcp batch` reads a command a line from standard input and does them in one call. \
         `btcp help ACTION` tells more. \
         Commands that read a text of the page print it as it is, without quotes: it is the page's all the same.\n\n```\n",
    );
    let everyday = btcp_actions::preset(btcp::DEFAULT_TOOLSET, entries()).unwrap_or_default();
    let of = |name: &&str| entries().iter().find(|one| one.name == *name);
    for entry in everyday.iter().filter_map(of) {
        text.push_str(&format!("{}  # {}\n", usage(entry), first_sentence(&description(entry))));
    }
    text.push_str("```\n\nAlso: ");
    let others = entries().iter().filter(|entry| !everyday.contains(&entry.name));
    text.push_str(&others.map(export::command_name).collect::<Vec<_>>().join(", "));
    text.push_str(".\n");
    text
}

/// The guide, with commands in place of tools.
fn as_commands(guide: &str) -> String {
    let mut text = guide.trim_end().to_owned();
    // The longest first: one name may begin another.
    let mut longest: Vec<&Entry> = entries().iter().collect();
    longest.sort_by_key(|entry| std::cmp::Reverse(entry.name.len()));
    for entry in longest {
        let command = format!("`btcp {}`", export::command_name(entry));
        text = text.replace(&entry.tool_name(), &command);
    }
    text
}

/// `btcp fill SELECTOR VALUE`.
fn usage(entry: &Entry) -> String {
    let mut usage = format!("btcp {}", export::command_name(entry));
    for one in export::parameters(entry) {
        let name = one.flag().to_uppercase();
        match one.stands {
            Stands::Required => usage.push_str(&format!(" {name}")),
            Stands::First => usage.push_str(&format!(" [{name}]")),
            Stands::Steps => usage.push_str(" [FILE]"),
            Stands::Named | Stands::OfCall => {}
        }
    }
    usage
}

fn first_sentence(text: &str) -> &str {
    text.split_once(". ").map_or(text, |(first, _)| first).trim_end_matches('.')
}

/// A command line as one would type it.
fn shown(line: &CommandLine) -> String {
    let words: Vec<String> = line.words.iter().map(|word| quoted(word)).collect();
    let typed = format!("btcp {}", words.join(" "));
    match &line.input {
        Some(input) => format!("echo {} | {typed}", quoted(input)),
        None => typed,
    }
}

fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_=./:,@%+".contains(c);
    match !word.is_empty() && word.chars().all(plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

/// The names of all actions, by group.
pub(super) fn actions() -> String {
    let mut text = String::from("Actions (btcp help ACTION tells more):");
    for group in Group::ALL {
        let members = entries().iter().filter(|entry| entry.group == *group);
        let names: Vec<String> = members.map(export::command_name).collect();
        if !names.is_empty() {
            text.push_str(&format!("\n  {}: {}", group.name(), names.join(", ")));
        }
    }
    text
}
