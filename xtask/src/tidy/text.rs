//! Lines, spaces and what would tie a file to one machine.

use super::{File, Problem, Tree};
use crate::source::{self, Kind};

pub(super) fn check(tree: &Tree) -> Vec<Problem> {
    let files = tree.files.iter().filter(|file| !file.is_fixture());
    files.flat_map(|file| lines(file).into_iter().chain(banners(file))).collect()
}

fn lines(file: &File) -> Vec<Problem> {
    let mut problems = Vec::new();
    if !file.text.is_empty() && !file.text.ends_with('\n') {
        let last = file.text.lines().count();
        problems.push(file.problem(last, "no newline at the end; add one"));
    }
    if !["rs", "ts", "tsx", "mjs", "md"].contains(&file.extension()) {
        return problems;
    }
    for (index, line) in file.text.split('\n').enumerate() {
        if line.ends_with('\r') {
            problems.push(file.problem(index + 1, "a carriage return; end lines with \\n"));
        } else if line.ends_with([' ', '\t']) {
            problems.push(file.problem(index + 1, "spaces at the end of the line; remove them"));
        }
        if line.contains('\t') {
            problems.push(file.problem(index + 1, "a tab; use spaces, or \\t in a string"));
        }
    }
    problems
}

/// Comments are sentences; the order of the file is its structure.
fn banners(file: &File) -> Vec<Problem> {
    if !["rs", "ts", "tsx", "mjs"].contains(&file.extension()) {
        return Vec::new();
    }
    let comments = source::only(Kind::Comment, &file.text, file.language());
    let is_banner = |line: &str| {
        let rule = line.trim().trim_start_matches('/').trim();
        ["=====", "-----", "*****", "#####", "─────"].iter().any(|rest| rule.starts_with(rest))
            && line.trim().starts_with("//")
            && !line.contains('|')
    };
    let found = comments.lines().enumerate().filter(|(_, line)| is_banner(line));
    found
        .map(|(index, _)| file.problem(index + 1, "a section banner; remove it or split the file"))
        .collect()
}

/// Paths below the folder in which this workspace happens to lie.
pub(super) fn machine_paths(tree: &Tree, root: &str) -> Vec<Problem> {
    // A one-word root such as `/app` would match half the world's examples.
    if root.matches(['/', '\\']).count() < 2 {
        return Vec::new();
    }
    let mut problems = Vec::new();
    for file in &tree.files {
        for (at, _) in file.text.match_indices(root) {
            let within =
                file.text[..at].ends_with(|c: char| c.is_alphanumeric() || "._-/".contains(c));
            let longer = file.text[at + root.len()..]
                .starts_with(|c: char| c.is_alphanumeric() || "._-".contains(c));
            if !within && !longer {
                let what = "a path of this machine; write it from the root of the workspace";
                problems.push(file.problem_at(at, what));
            }
        }
    }
    problems
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problems(path: &str, text: &str) -> Vec<String> {
        check(&Tree::of(&[(path, text)])).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn lines_end_where_they_seem_to() {
        assert_eq!(problems("a.rs", "fn a() {}\n"), [""; 0]);
        assert_eq!(problems("a.txt", "a"), ["a.txt:1: no newline at the end; add one"]);
        assert_eq!(
            problems("a.md", "a \nb\n"),
            ["a.md:1: spaces at the end of the line; remove them"]
        );
        assert_eq!(problems("a.ts", "\ta\n"), ["a.ts:1: a tab; use spaces, or \\t in a string"]);
        assert_eq!(problems("a.rs", "a\r\nb\n"), ["a.rs:1: a carriage return; end lines with \\n"]);
        assert_eq!(problems("tests/fixtures/a.md", "a \n\tb"), [""; 0]);
    }

    #[test]
    fn comments_are_sentences() {
        assert_eq!(problems("a.rs", "// Why.\nlet a = \"// =====\";\n"), [""; 0]);
        assert_eq!(problems("a.rs", "// ===== Parsing =====\n").len(), 1);
    }

    #[test]
    fn nothing_points_at_this_machine() {
        let found = |text| machine_paths(&Tree::of(&[("a.md", text)]), "/home/ada/btcp").len();
        assert_eq!(found("see /home/ada/btcp-notes and /mnt/home/ada/btcp/a"), 0);
        assert_eq!(found("see /home/ada/btcp/README.md"), 1);
        assert_eq!(machine_paths(&Tree::of(&[("a.md", "/app/x")]), "/app"), []);
    }
}
