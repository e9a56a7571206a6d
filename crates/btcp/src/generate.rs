//! `btcp generate`: the registry as text, for `cargo xtask gen` and for programs of other people.

use std::process::ExitCode;

use btcp::{CallError, Entry, Group, export};
use btcp_actions::ENTRIES;

use crate::cli::{refused_toolset, skill};
use crate::output;

/// What can be generated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum What {
    /// `docs/actions.md`.
    Docs,
    /// The table in the README.
    Readme,
    /// `web/protocol/skill.json`: what `btcp skill` prints, to be measured.
    Skill,
    /// `web/protocol/manifest.json`.
    Manifest,
    /// TypeScript: a file per group, and two around them.
    Ts,
    /// Tools for OpenAI.
    OpenAi,
    /// The same in strict mode.
    OpenAiStrict,
    /// Tools for Anthropic.
    Anthropic,
}

impl What {
    /// Every kind, by its name on the command line.
    pub(crate) const ALL: [(&'static str, Self); 8] = [
        ("docs", Self::Docs),
        ("readme", Self::Readme),
        ("skill", Self::Skill),
        ("manifest", Self::Manifest),
        ("ts", Self::Ts),
        ("openai", Self::OpenAi),
        ("openai-strict", Self::OpenAiStrict),
        ("anthropic", Self::Anthropic),
    ];
}

/// The files of `ts` beside those of the groups.
pub(crate) const AROUND: [&str; 2] = ["index", "shared"];

/// What to generate, and of what.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Wanted {
    pub(crate) what: What,
    /// Which file of `ts`: a group, or one of `AROUND`.
    pub(crate) file: String,
    /// Which tools to write for a model.
    pub(crate) toolset: String,
}

pub(crate) fn run(wanted: &Wanted) -> ExitCode {
    match text(wanted, ENTRIES) {
        Ok(text) => {
            output::text(&text);
            ExitCode::SUCCESS
        }
        Err(error) => output::usage(&refused_toolset("generate", &error), false),
    }
}

fn text(wanted: &Wanted, entries: &[Entry]) -> Result<String, CallError> {
    let tools = || export::tools(entries, &wanted.toolset);
    Ok(match wanted.what {
        What::Docs => export::actions_page(entries),
        What::Readme => export::readme_table(entries),
        What::Skill => format!("{:#}\n", serde_json::json!({ "skill": skill() })),
        What::Manifest => export::manifest(entries),
        What::Ts => typescript(&wanted.file, entries),
        What::OpenAi => format!("{:#}\n", export::openai(&tools()?)),
        What::OpenAiStrict => format!("{:#}\n", export::openai_strict(&tools()?)),
        What::Anthropic => format!("{:#}\n", export::anthropic(&tools()?)),
    })
}

fn typescript(file: &str, entries: &[Entry]) -> String {
    match Group::ALL.iter().find(|group| group.name() == file) {
        Some(group) => export::types(entries, *group),
        None if file == "shared" => export::typescript_shared(entries),
        None => export::typescript_index(entries),
    }
}
