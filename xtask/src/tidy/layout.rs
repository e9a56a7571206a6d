//! Where files may lie and what they may be called.

use super::{File, Problem, Tree};

/// Names into which everything fits.
const VAGUE: &[&str] =
    &["util", "utils", "helper", "helpers", "common", "misc", "manager", "handler2"];

/// Packages whose requirements name a default export.
const DEFAULT_EXPORTS: &[&str] = &["web/aicore-plugin/"];

pub(super) fn check(tree: &Tree) -> Vec<Problem> {
    let files = tree.files.iter().filter(|file| !file.is_fixture());
    let mut problems: Vec<Problem> = files.flat_map(names).collect();
    problems.extend(tree.rust().filter_map(one_test_binary));
    problems.extend(tree.typescript().filter_map(typescript_name));
    problems.extend(tree.typescript().filter_map(default_export));
    problems
}

fn names(file: &File) -> Vec<Problem> {
    let mut problems = Vec::new();
    for part in file.path.split('/') {
        let stem = part.split('.').next().unwrap_or(part);
        if VAGUE.contains(&stem) {
            let what = format!("'{part}' says nothing; name it after the thing it holds");
            problems.push(file.problem(1, what));
        }
    }
    if file.name() == "mod.rs" {
        problems.push(file.problem(1, "a 'mod.rs'; put `foo.rs` beside `foo/`"));
    }
    problems
}

/// Every test binary links everything once more.
fn one_test_binary(file: &File) -> Option<Problem> {
    let inside = file.path.strip_prefix("crates/")?.split_once("/tests/")?.1;
    (!inside.contains('/')).then(|| {
        file.problem(1, "a test binary of its own; make it a module of `tests/it/main.rs`")
    })
}

fn typescript_name(file: &File) -> Option<Problem> {
    let good = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-' || c == '.';
    (!file.name().chars().all(good)).then(|| {
        file.problem(
            1,
            format!("'{}' is not kebab-case; rename it like `hit-point.ts`", file.name()),
        )
    })
}

/// Tools' own configuration files have to export by default.
fn default_export(file: &File) -> Option<Problem> {
    let allowed = file.name().contains(".config.")
        || file.extension() == "mjs"
        || DEFAULT_EXPORTS.iter().any(|package| file.path.starts_with(package));
    let at = file.code().find("export default")?;
    (!allowed).then(|| file.problem_at(at, "a default export; export it by name"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problems(path: &str, text: &str) -> Vec<String> {
        check(&Tree::of(&[(path, text)])).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn files_and_folders_are_named_after_things() {
        assert_eq!(problems("crates/btcp-engine/src/managers_office.rs", ""), [""; 0]);
        assert_eq!(
            problems("crates/btcp-engine/src/utils/text.rs", ""),
            [
                "crates/btcp-engine/src/utils/text.rs:1: 'utils' says nothing; name it after the thing it holds"
            ]
        );
        assert_eq!(problems("web/page/src/common.ts", "").len(), 1);
        assert_eq!(problems("crates/btcp/src/cli/mod.rs", "").len(), 1);
    }

    #[test]
    fn a_crate_has_one_test_binary() {
        assert_eq!(problems("crates/btcp-cdp/tests/it/pipe.rs", ""), [""; 0]);
        assert_eq!(problems("crates/btcp-cdp/tests/pipe.rs", "").len(), 1);
    }

    #[test]
    fn typescript_files_are_kebab_case_and_export_by_name() {
        assert_eq!(problems("web/page/src/hit-point.test.ts", "export const a = 1"), [""; 0]);
        assert_eq!(problems("web/page/src/hitPoint.ts", "").len(), 1);
        assert_eq!(problems("web/vitest.config.ts", "export default {}"), [""; 0]);
        assert_eq!(problems("web/page/src/a.ts", "export default a").len(), 1);
        assert_eq!(problems("web/page/src/a.ts", "// no export default here"), [""; 0]);
    }
}
