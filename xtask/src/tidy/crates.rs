//! Which crate may use which: the table of the architecture, and the shared lints.

use serde_json::Value;

use super::{File, Problem, Tree};

/// Each crate and those it may use; an extra line in a manifest is a problem.
const CRATES: &[(&str, &[&str])] = &[
    ("btcp-cdp", &[]),
    ("btcp-engine", &["btcp-cdp"]),
    ("btcp-reader", &[]),
    ("btcp-actions", &["btcp-engine", "btcp-reader"]),
    ("btcp-servers", &["btcp-actions"]),
    ("btcp-agent", &["btcp-actions"]),
    ("btcp", &["btcp-servers", "btcp-agent", "btcp-actions", "btcp-engine"]),
    (TESTKIT, &["btcp-cdp", "btcp-engine", "btcp-actions"]),
    ("xtask", &[]),
];

/// Only tests may use it.
const TESTKIT: &str = "btcp-testkit";

/// Checks the edges that `cargo metadata --no-deps` shows against the table.
pub(super) fn edges(metadata: &Value, tree: &Tree) -> Vec<Problem> {
    let mut problems = Vec::new();
    let members = list(&metadata["packages"]);
    let is_ours = |name: &str| members.iter().any(|member| member["name"] == name);
    for member in members {
        let name = text(&member["name"]);
        let path = manifest_path(name);
        let Some((_, may_use)) = CRATES.iter().find(|(known, _)| *known == name) else {
            let what = format!(
                "crate '{name}' is not in the table of crates; add it to ARCHITECTURE.md and xtask/src/tidy/crates.rs"
            );
            problems.push(Problem::new(&path, 1, what));
            continue;
        };
        for dependency in list(&member["dependencies"]) {
            let used = text(&dependency["name"]);
            let for_tests = dependency["kind"] == "dev";
            if !is_ours(used) || may_use.contains(&used) || (for_tests && used == TESTKIT) {
                continue;
            }
            let line = tree.get(&path).map_or(1, |manifest| line_of_dependency(manifest, used));
            let what = if used == TESTKIT {
                format!("{name} uses {TESTKIT} outside its tests; make it a dev-dependency")
            } else {
                format!("{name} must not use {used}; move the code to the crate that may")
            };
            problems.push(Problem::new(&path, line, what));
        }
    }
    problems
}

/// Every crate takes part in the workspace's lints.
pub(super) fn manifests(tree: &Tree) -> Vec<Problem> {
    let manifests = tree.files.iter().filter(|file| {
        file.path == "xtask/Cargo.toml"
            || (file.path.starts_with("crates/") && file.path.ends_with("/Cargo.toml"))
    });
    let without = manifests.filter(|file| !file.text.contains("[lints]\nworkspace = true"));
    without
        .map(|file| {
            file.problem(1, "without the workspace's lints; add `[lints] workspace = true`")
        })
        .collect()
}

fn manifest_path(name: &str) -> String {
    if name == "xtask" { "xtask/Cargo.toml".into() } else { format!("crates/{name}/Cargo.toml") }
}

fn line_of_dependency(manifest: &File, name: &str) -> usize {
    let names =
        |line: &str| line.strip_prefix(name).is_some_and(|rest| rest.starts_with(['.', ' ', '=']));
    manifest.text.lines().position(names).map_or(1, |index| index + 1)
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or("")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn problems(name: &str, uses: &str, kind: Value) -> Vec<String> {
        let metadata = json!({ "packages": [
            { "name": name, "dependencies": [
                { "name": "serde", "kind": null },
                { "name": uses, "kind": kind },
            ] },
            { "name": uses, "dependencies": [] },
        ] });
        let manifest = format!("[dependencies]\nserde.workspace = true\n{uses}.workspace = true\n");
        let tree = Tree::of(&[(&manifest_path(name), &manifest)]);
        edges(&metadata, &tree).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_crate_uses_only_what_the_table_says() {
        assert_eq!(problems("btcp-engine", "btcp-cdp", Value::Null), [""; 0]);
        assert_eq!(
            problems("btcp-servers", "btcp-cdp", Value::Null),
            [
                "crates/btcp-servers/Cargo.toml:3: btcp-servers must not use btcp-cdp; move the code to the crate that may"
            ]
        );
        assert_eq!(problems("xtask", "btcp", json!("build")).len(), 1);
    }

    #[test]
    fn the_testkit_is_for_tests() {
        assert_eq!(problems("btcp-engine", TESTKIT, json!("dev")), [""; 0]);
        assert_eq!(
            problems("btcp-engine", TESTKIT, Value::Null),
            [
                "crates/btcp-engine/Cargo.toml:3: btcp-engine uses btcp-testkit outside its tests; make it a dev-dependency"
            ]
        );
    }

    #[test]
    fn a_new_crate_has_to_enter_the_table() {
        assert!(problems("btcp-extra", "btcp-cdp", Value::Null)[0].contains("not in the table"));
    }

    #[test]
    fn every_crate_has_the_shared_lints() {
        let good = ("crates/a/Cargo.toml", "[lints]\nworkspace = true\n");
        let bad = ("crates/b/Cargo.toml", "[dependencies]\n");
        assert_eq!(manifests(&Tree::of(&[good])), []);
        assert_eq!(manifests(&Tree::of(&[bad])).len(), 1);
    }
}
