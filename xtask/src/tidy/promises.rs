//! Tests that do not run, code that is not written yet, and waits by the clock.
//!
//! The words looked for are put together from parts, so that a plain search of
//! the tree for them does not end here.

use super::{File, Problem, Tree};
use crate::source::{self, Kind};

/// What may not stand in Rust code, and what to do instead.
const RUST: &[(&str, &str)] = &[
    (concat!("#[", "ignore"), "a test that nobody runs; make it run or remove it"),
    (concat!("todo", "!("), "a promise; write the code"),
    (concat!("unimplemented", "!("), "a promise; write the code or return an error"),
];

/// What may not stand in a TypeScript test.
const SUITES: &[&str] = &["it", "test", "describe"];
const SHORTCUTS: &[(&str, &str)] = &[
    ("skip", "a test that nobody runs; make it run or remove it"),
    ("todo", "a test that is not written; write it"),
    ("only", "the other tests do not run; remove it"),
];

pub(super) fn check(tree: &Tree) -> Vec<Problem> {
    let mut problems: Vec<Problem> = tree.rust().flat_map(in_rust).collect();
    problems.extend(tree.typescript().filter(|file| file.is_test()).flat_map(in_typescript));
    problems.extend(tree.rust().chain(tree.typescript()).flat_map(markers));
    problems
}

fn in_rust(file: &File) -> Vec<Problem> {
    let mut problems = Vec::new();
    let code = file.code();
    for (words, what) in RUST {
        problems.extend(code.match_indices(words).map(|(at, _)| file.problem_at(at, *what)));
    }
    let Some(tests) = tests_from(file, &code) else { return problems };
    let mut start = tests;
    for line in code[tests..].split_inclusive('\n') {
        let sleeps = line.contains("thread::sleep")
            || line.contains("time::sleep")
            || (line.contains("time::{") && source::find_word(line, "sleep").is_some());
        if sleeps {
            problems.push(file.problem_at(start, "a test that sleeps; wait for a condition"));
        }
        start += line.len();
    }
    problems
}

/// Where tests begin: in a test file at its start, elsewhere at its test module.
/// The testkit is where waiting for a condition is written.
fn tests_from(file: &File, code: &str) -> Option<usize> {
    if file.path.starts_with("crates/btcp-testkit/") {
        None
    } else if file.is_test() {
        Some(0)
    } else {
        code.find("#[cfg(test)]\nmod tests")
    }
}

fn in_typescript(file: &File) -> Vec<Problem> {
    let code = file.code();
    let mut problems = Vec::new();
    for suite in SUITES {
        for (shortcut, what) in SHORTCUTS {
            let call = format!("{suite}.{shortcut}");
            if let Some(at) = source::find_word(&code, &call) {
                problems.push(file.problem_at(at, *what));
            }
        }
    }
    problems
}

/// Notes to oneself in comments, unless they name an issue.
fn markers(file: &File) -> Vec<Problem> {
    let comments = source::only(Kind::Comment, &file.text, file.language());
    let mut problems = Vec::new();
    for (index, line) in comments.lines().enumerate() {
        for marker in [concat!("TO", "DO"), concat!("FIX", "ME")] {
            let Some(at) = source::find_word(line, marker) else { continue };
            let issue = line[at..].split('#').nth(1).unwrap_or("");
            if !issue.starts_with(|c: char| c.is_ascii_digit()) {
                let what = format!("'{marker}' without an issue; do it or write `{marker}(#12)`");
                problems.push(file.problem(index + 1, what));
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
    fn promises_in_code_are_refused_and_mentions_are_not() {
        for (words, what) in RUST {
            let used = format!("fn a() {{}}\n{words}\n");
            assert_eq!(problems("a.rs", &used), [format!("a.rs:2: {what}")]);
            let mentioned = format!("// {words}\nconst A: &str = \"{words}\";\n");
            assert_eq!(problems("a.rs", &mentioned), [""; 0]);
        }
    }

    #[test]
    fn tests_do_not_sleep() {
        let sleep = "async fn a() { tokio::time::sleep(b).await }\n";
        assert_eq!(problems("crates/a/src/lib.rs", sleep), [""; 0]);
        assert_eq!(problems("crates/btcp-testkit/tests/it/a.rs", sleep), [""; 0]);
        assert_eq!(
            problems("crates/a/tests/it/b.rs", sleep),
            ["crates/a/tests/it/b.rs:1: a test that sleeps; wait for a condition"]
        );
        let module = format!(
            "{sleep}#[cfg(test)]\nmod tests {{\n    use std::time::{{Duration, sleep}};\n}}\n"
        );
        assert_eq!(
            problems("crates/a/src/lib.rs", &module),
            ["crates/a/src/lib.rs:4: a test that sleeps; wait for a condition"]
        );
    }

    #[test]
    fn typescript_tests_all_run() {
        assert_eq!(problems("web/a.test.ts", "it('a', () => {})"), [""; 0]);
        for (shortcut, what) in SHORTCUTS {
            let text = format!("describe.{shortcut}('a', () => {{}})");
            assert_eq!(problems("web/a.test.ts", &text), [format!("web/a.test.ts:1: {what}")]);
        }
    }

    #[test]
    fn a_marker_names_its_issue() {
        let marker = concat!("TO", "DO");
        assert_eq!(problems("a.rs", &format!("// {marker}(#12): later\n")), [""; 0]);
        assert_eq!(problems("a.rs", &format!("const A: &str = \"{marker}\";\n")), [""; 0]);
        assert_eq!(problems("a.ts", &format!("// {marker}: later\n")).len(), 1);
    }
}
