//! The documents a newcomer reads, the one command that checks, and the test pages.

use std::path::Path;

use super::{Problem, Tree};

/// What every tree has, and what to write there.
const REQUIRED: &[(&str, &str)] = &[
    ("ARCHITECTURE.md", "write what it is, one call end to end, the map, the invariants"),
    ("CHANGELOG.md", "write one line per visible change under \"Unreleased\""),
    ("CONTRIBUTING.md", "write set-up, recipes and conventions"),
    ("README.md", "write what it is and the two commands"),
    (CI, "make it call `cargo xtask test`"),
];

const CI: &str = ".ci/run";
const COMMANDS: &[&str] = &["cargo run --release -- demo", "cargo xtask test"];
const ARCHITECTURE_LIMIT: usize = 150;

pub(super) fn check(tree: &Tree) -> Vec<Problem> {
    let missing = REQUIRED.iter().filter(|(path, _)| tree.get(path).is_none());
    let mut problems: Vec<Problem> =
        missing.map(|(path, what)| Problem::new(path, 1, format!("missing; {what}"))).collect();

    if let Some(file) = tree.get("ARCHITECTURE.md") {
        let lines = file.text.lines().count();
        if lines > ARCHITECTURE_LIMIT {
            let what = format!("{lines} lines, over {ARCHITECTURE_LIMIT}; say less");
            problems.push(file.problem(ARCHITECTURE_LIMIT + 1, what));
        }
    }
    if let Some(file) = tree.get("README.md") {
        let unnamed = COMMANDS.iter().filter(|command| !file.text.contains(**command));
        problems.extend(
            unnamed.map(|command| file.problem(1, format!("does not name `{command}`; name it"))),
        );
    }
    if let Some(file) = tree.get("CHANGELOG.md") {
        let first = file.text.lines().find(|line| line.starts_with("## ")).unwrap_or("");
        if !first.contains("Unreleased") {
            let what = "\"Unreleased\" is not the first section; add `## Unreleased` on top";
            problems.push(file.problem(1, what));
        }
    }
    problems.extend(pages(tree));
    problems
}

/// A test page belongs to an action, unless its name starts with `_`, and needs no network.
fn pages(tree: &Tree) -> Vec<Problem> {
    let mut problems = Vec::new();
    for file in &tree.files {
        let Some(name) = file.path.strip_prefix("testpages/") else { continue };
        let Some(name) = name.strip_suffix(".html") else { continue };
        if name.contains('/') {
            continue;
        }
        let action = format!("crates/btcp-actions/src/actions/{name}.rs");
        if !name.starts_with('_') && tree.get(&action).is_none() {
            let what = format!(
                "a page without its action '{name}'; write the action or rename it to `_{name}.html`"
            );
            problems.push(file.problem(1, what));
        }
        let sources = file
            .text
            .match_indices("src=")
            .map(|(at, src)| (at, file.text[at + src.len()..].trim_start_matches(['"', '\''])));
        for (at, source) in sources {
            let host = source.split_once("://").map(|(_, rest)| rest);
            if source.starts_with("http") && host.is_some_and(|host| !is_local(host)) {
                let what = "a page that needs the network; write it inline";
                problems.push(file.problem_at(at, what));
            }
        }
    }
    problems
}

/// The test server itself, under another origin.
fn is_local(host: &str) -> bool {
    host.starts_with("localhost") || host.starts_with("127.0.0.1")
}

/// `.ci/run` is started by its path.
pub(super) fn is_executable(root: &Path) -> Option<Problem> {
    use std::os::unix::fs::PermissionsExt as _;

    let mode = root.join(CI).metadata().ok()?.permissions().mode();
    let what = "not executable; run `chmod +x .ci/run`";
    (mode & 0o111 == 0).then(|| Problem::new(CI, 1, what))
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &[(&str, &str)] = &[
        ("ARCHITECTURE.md", "# A\n"),
        ("CHANGELOG.md", "# C\n\n## Unreleased\n"),
        ("CONTRIBUTING.md", "# C\n"),
        ("README.md", "`cargo run --release -- demo`, `cargo xtask test`\n"),
        (CI, "exec cargo xtask test\n"),
    ];

    /// A good tree with one file more, or another in its place.
    fn problems(path: &str, text: &str) -> Vec<String> {
        let mut files: Vec<(&str, &str)> =
            GOOD.iter().copied().filter(|(other, _)| *other != path).collect();
        files.push((path, text));
        check(&Tree::of(&files)).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn every_document_is_there_and_says_what_it_must() {
        assert_eq!(check(&Tree::of(GOOD)), []);
        assert_eq!(check(&Tree::of(&[])).len(), REQUIRED.len());
        assert_eq!(
            problems("README.md", "cargo xtask test\n"),
            ["README.md:1: does not name `cargo run --release -- demo`; name it"]
        );
        assert_eq!(problems("CHANGELOG.md", "## 0.1.0\n## Unreleased\n").len(), 1);
    }

    #[test]
    fn the_architecture_is_short() {
        assert_eq!(problems("ARCHITECTURE.md", &"a\n".repeat(150)), [""; 0]);
        assert_eq!(
            problems("ARCHITECTURE.md", &"a\n".repeat(151)),
            ["ARCHITECTURE.md:151: 151 lines, over 150; say less"]
        );
    }

    #[test]
    fn a_test_page_has_its_action_and_needs_no_network() {
        let action = ("crates/btcp-actions/src/actions/click.rs", "");
        let page = ("testpages/click.html", "<button>\n");
        let both: Vec<(&str, &str)> = GOOD.iter().copied().chain([action, page]).collect();
        assert_eq!(check(&Tree::of(&both)), []);
        assert_eq!(problems("testpages/_shared.html", ""), [""; 0]);
        assert_eq!(problems("testpages/hard/deep.html", "<script src=\"http://a\">"), [""; 0]);
        let frame = "<iframe src=\"http://localhost:{{port}}/a.html\">";
        assert_eq!(problems("testpages/_a.html", frame), [""; 0]);
        assert_eq!(problems("testpages/click.html", "").len(), 1);
        assert_eq!(problems("testpages/_a.html", "<script src=\"https://a\">").len(), 1);
    }
}
