//! `cargo xtask gen`: what is written from the actions rather than by hand.
//!
//! First the list of actions, from the folder alone; then everything else, by asking
//! the binary. In that order a stale list can never stop the binary from compiling.

pub(crate) mod action_list;

use std::path::Path;

use anyhow::{Context as _, Result, bail};

use crate::output;
use crate::process::{cargo, read, root};

/// Whether to write files or only to compare them.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    Write,
    Check,
}

/// Where a kind of generated text goes.
enum Place {
    File(&'static str),
    /// Between `<!-- name:begin -->` and `<!-- name:end -->` of a file written by hand.
    Between(&'static str, &'static str),
}

/// Everything `btcp generate <kind>` can write, and where that is kept.
const EXPORTS: &[(&str, Place)] = &[
    ("docs", Place::File("docs/actions.md")),
    ("readme", Place::Between("README.md", "actions")),
    ("skill", Place::File("web/protocol/skill.json")),
    ("manifest", Place::File("web/protocol/manifest.json")),
    ("ts index", Place::File("web/protocol/src/generated/index.ts")),
    ("ts shared", Place::File("web/protocol/src/generated/shared.ts")),
    ("ts navigation", Place::File("web/protocol/src/generated/navigation.ts")),
    ("ts interaction", Place::File("web/protocol/src/generated/interaction.ts")),
    ("ts locators", Place::File("web/protocol/src/generated/locators.ts")),
    ("ts reading", Place::File("web/protocol/src/generated/reading.ts")),
    ("ts waiting", Place::File("web/protocol/src/generated/waiting.ts")),
    ("ts pictures", Place::File("web/protocol/src/generated/pictures.ts")),
    ("ts state", Place::File("web/protocol/src/generated/state.ts")),
    ("ts frames", Place::File("web/protocol/src/generated/frames.ts")),
    ("ts script", Place::File("web/protocol/src/generated/script.ts")),
    ("ts debugging", Place::File("web/protocol/src/generated/debugging.ts")),
    ("ts tabs", Place::File("web/protocol/src/generated/tabs.ts")),
    ("ts page", Place::File("web/protocol/src/generated/page.ts")),
];

/// Writes every generated file, or names the stale ones.
pub(crate) fn run(mode: Mode) -> Result<()> {
    let root = root();
    let list = action_list::text(&root)?;
    if settle(&root, action_list::PATH, &list, mode)? == State::Stale {
        bail!("{} is stale, and what is made from it; run `cargo xtask gen`", action_list::PATH);
    }
    let mut stale = Vec::new();
    for (kind, place) in EXPORTS {
        let mut btcp = cargo(&["run", "--quiet", "--package", "btcp", "--", "generate"]);
        let text = read(btcp.args(kind.split(' ')))?;
        let (path, text) = match place {
            Place::File(path) => (path, text),
            Place::Between(path, name) => (path, between(&root, path, name, &text)?),
        };
        if settle(&root, path, &text, mode)? == State::Stale {
            stale.push(*path);
        }
    }
    match stale.as_slice() {
        [] => Ok(()),
        [file] => bail!("{file} is stale; run `cargo xtask gen`"),
        files => bail!("{} are stale; run `cargo xtask gen`", files.join(", ")),
    }
}

#[derive(PartialEq, Eq)]
pub(crate) enum State {
    Fresh,
    Stale,
}

/// Makes a file hold this text, or says that it does not.
pub(crate) fn settle(root: &Path, path: &str, text: &str, mode: Mode) -> Result<State> {
    let file = root.join(path);
    let text = format!("{}\n", text.trim_end());
    if std::fs::read_to_string(&file).is_ok_and(|old| old == text) {
        return Ok(State::Fresh);
    }
    if mode == Mode::Check {
        return Ok(State::Stale);
    }
    if let Some(folder) = file.parent() {
        std::fs::create_dir_all(folder)
            .with_context(|| format!("Cannot make the folder of {path}"))?;
    }
    std::fs::write(&file, text).with_context(|| format!("Cannot write {path}"))?;
    output::say(&format!("wrote {path}"));
    Ok(State::Fresh)
}

fn between(root: &Path, path: &str, name: &str, text: &str) -> Result<String> {
    let file = std::fs::read_to_string(root.join(path))
        .with_context(|| format!("Cannot read {path}, which holds the table of {name}"))?;
    let (begin, end) = (format!("<!-- {name}:begin -->"), format!("<!-- {name}:end -->"));
    splice(&file, &begin, &end, text).with_context(|| {
        format!("{path} lacks `{begin}` and then `{end}`; add both where the table goes")
    })
}

fn splice(file: &str, begin: &str, end: &str, text: &str) -> Option<String> {
    let (before, rest) = file.split_once(begin)?;
    let (_, after) = rest.split_once(end)?;
    Some(format!("{before}{begin}\n\n{}\n\n{end}{after}", text.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_put_between_its_marks_and_stays_there() {
        let once = splice("a\n<B>\nold\n<E>\nb\n", "<B>", "<E>", "| new |\n").unwrap();
        assert_eq!(once, "a\n<B>\n\n| new |\n\n<E>\nb\n");
        assert_eq!(splice(&once, "<B>", "<E>", "| new |\n").unwrap(), once);
    }

    #[test]
    fn a_file_without_marks_is_left_alone() {
        assert_eq!(splice("a\n<E>\n<B>\n", "<B>", "<E>", "new"), None);
    }
}
