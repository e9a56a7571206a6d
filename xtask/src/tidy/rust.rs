//! What only some Rust code may do: serialize engine types, use the testkit, be
//! unsafe; and how an error message is spelled.

use super::{File, Problem, Tree};
use crate::source::{self, Kind, Language};

/// The only file that may be unsafe: the parent-death signal needs `pre_exec`.
const UNSAFE: &str = "crates/btcp-engine/src/launch/spawn.rs";

pub(super) fn check(tree: &Tree) -> Vec<Problem> {
    let rules = [serialize, testkit, unsafe_code, messages];
    tree.rust().flat_map(|file| rules.iter().flat_map(move |rule| rule(file))).collect()
}

/// What goes out is an action's own output struct; only what talks to our own
/// JavaScript is written as JSON in the engine.
fn serialize(file: &File) -> Vec<Problem> {
    let engine = "crates/btcp-engine/src/";
    if !file.path.starts_with(engine) || file.path.starts_with("crates/btcp-engine/src/page/ops") {
        return Vec::new();
    }
    let code = file.code();
    let derived = code.match_indices("derive(").filter(|(at, opening)| {
        let open = at + opening.len() - 1;
        let close = source::closing(&code, open).unwrap_or(code.len());
        source::find_word(&code[open..close], "Serialize").is_some()
    });
    let written = code.match_indices("impl Serialize for");
    let what = "an engine type that is `Serialize`; give the action an output struct of its own";
    derived.chain(written).map(|(at, _)| file.problem_at(at, what)).collect()
}

/// In a unit test it would link a second copy of the crate under test.
fn testkit(file: &File) -> Vec<Problem> {
    let elsewhere =
        file.path.starts_with("crates/btcp-testkit/") || file.path.contains("/tests/it/");
    let used = if elsewhere { None } else { source::find_word(&file.code(), "btcp_testkit") };
    let what = "the testkit outside `tests/it/`; move the test there";
    used.map(|at| file.problem_at(at, what)).into_iter().collect()
}

fn unsafe_code(file: &File) -> Vec<Problem> {
    if file.path == UNSAFE {
        return Vec::new();
    }
    let code = file.code();
    let what = format!("unsafe code; only {UNSAFE} may have it");
    ["expect(unsafe_code", "allow(unsafe_code"]
        .iter()
        .filter_map(|words| Some(file.problem_at(code.find(words)?, &*what)))
        .collect()
}

/// A message states the fact: no "Error:", no full stop.
fn messages(file: &File) -> Vec<Problem> {
    let code = file.code();
    let mut problems = Vec::new();
    for piece in source::pieces(&file.text, Language::Rust) {
        let is_message =
            piece.kind == Kind::Literal && code[..piece.start].trim_end().ends_with("#[error(");
        let message = piece.text.trim_start_matches(['r', '#']).trim_matches(['"', '#']);
        if is_message && message.ends_with('.') && !message.ends_with("..") {
            problems.push(file.problem_at(piece.start, "a message with a full stop; remove it"));
        }
        if is_message && message.to_ascii_lowercase().starts_with("error:") {
            problems.push(file.problem_at(piece.start, "a message with 'Error:'; state the fact"));
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
    fn engine_types_are_not_serialize() {
        let derived = "#[derive(\n    Debug,\n    Serialize,\n)]\nstruct A;\n";
        assert_eq!(problems("crates/btcp-engine/src/page/ops.rs", derived), [""; 0]);
        assert_eq!(problems("crates/btcp-actions/src/a.rs", derived), [""; 0]);
        assert_eq!(
            problems("crates/btcp-engine/src/a.rs", "#[derive(Deserialize)] struct A;"),
            [""; 0]
        );
        assert_eq!(
            problems("crates/btcp-engine/src/a.rs", derived),
            [
                "crates/btcp-engine/src/a.rs:1: an engine type that is `Serialize`; give the action an output struct of its own"
            ]
        );
    }

    #[test]
    fn the_testkit_is_used_from_the_test_binary() {
        let used = "use btcp_testkit::open;\n";
        assert_eq!(problems("crates/btcp-engine/tests/it/main.rs", used), [""; 0]);
        assert_eq!(problems("crates/btcp-engine/src/tab.rs", used).len(), 1);
    }

    #[test]
    fn one_file_may_be_unsafe() {
        let used = "#![expect(unsafe_code, reason = \"a\")]\n";
        assert_eq!(problems(UNSAFE, used), [""; 0]);
        assert_eq!(problems("crates/btcp-engine/src/tab.rs", used).len(), 1);
    }

    #[test]
    fn messages_state_the_fact() {
        assert_eq!(problems("a.rs", "#[error(\"Selector '{0}' not found\")]"), [""; 0]);
        assert_eq!(problems("a.rs", "fn a() { b(\"A sentence.\") }"), [""; 0]);
        assert_eq!(problems("a.rs", "#[error(\"Not found.\")]").len(), 1);
        assert_eq!(problems("a.rs", "#[error(\"Error: not found\")]").len(), 1);
    }
}
