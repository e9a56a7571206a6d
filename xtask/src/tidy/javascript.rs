//! No JavaScript in Rust strings: what runs in a page is TypeScript in `web/page`.
//!
//! The examples of an action may hold predicates, which are JavaScript on purpose.

use super::{File, Problem, Tree};
use crate::source::{self, Kind, Language};

const SIGNS: &[&str] = &["document.", "window.", "querySelector"];

pub(super) fn check(tree: &Tree) -> Vec<Problem> {
    tree.rust().filter(|file| is_ours(&file.path)).flat_map(in_file).collect()
}

fn is_ours(path: &str) -> bool {
    path.strip_prefix("crates/")
        .and_then(|rest| rest.split_once('/'))
        .is_some_and(|(_, inside)| inside.starts_with("src/"))
}

fn in_file(file: &File) -> Vec<Problem> {
    let examples = examples(file);
    let mut problems = Vec::new();
    for piece in source::pieces(&file.text, Language::Rust) {
        let exempt = examples.is_some_and(|(start, end)| (start..end).contains(&piece.start));
        if piece.kind != Kind::Literal || exempt {
            continue;
        }
        if let Some((at, sign)) = SIGNS.iter().find_map(|sign| Some((piece.text.find(sign)?, sign)))
        {
            let what =
                format!("JavaScript ('{sign}') in a string; make it an op in `web/page/src/ops`");
            problems.push(file.problem_at(piece.start + at, what));
        }
    }
    problems
}

/// Where the body of `fn examples()` lies in an action's file.
fn examples(file: &File) -> Option<(usize, usize)> {
    if !file.path.starts_with("crates/btcp-actions/src/actions/") {
        return None;
    }
    let code = file.code();
    let function = code.find("fn examples(")?;
    let open = function + code[function..].find('{')?;
    Some((open, source::closing(&code, open)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problems(path: &str, text: &str) -> Vec<String> {
        check(&Tree::of(&[(path, text)])).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn prose_and_other_folders_may_mention_it() {
        let comment = "//! `document.body`\n/// \"window.top\"\nfn a() { b(\"window\") }\n";
        assert_eq!(problems("crates/btcp-engine/src/a.rs", comment), [""; 0]);
        let script = "fn a() { b(\"document.body\") }";
        assert_eq!(problems("crates/btcp-engine/tests/it/a.rs", script), [""; 0]);
    }

    #[test]
    fn a_script_in_a_string_is_refused() {
        let text = "fn a() {\n    b(r#\"return document.title\"#)\n}\n";
        assert_eq!(
            problems("crates/btcp-engine/src/a.rs", text),
            [
                "crates/btcp-engine/src/a.rs:2: JavaScript ('document.') in a string; make it an op in `web/page/src/ops`"
            ]
        );
    }

    #[test]
    fn only_the_examples_of_an_action_may_hold_predicates() {
        let action = "fn examples() -> Vec<Example> { vec![does(\"}\", \"window.log\")] }\n";
        let path = "crates/btcp-actions/src/actions/click.rs";
        assert_eq!(problems(path, action), [""; 0]);
        let after = format!("{action}fn run() {{ evaluate(\"window.log\") }}\n");
        assert_eq!(problems(path, &after).len(), 1);
    }
}
