//! Crates that are compiled in more than one version.
//!
//! Each costs compile time and size, so each needs a reason in
//! `xtask/duplicates.txt`; lines there that no longer apply are problems too.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::{Problem, Tree};

const REASONS: &str = "xtask/duplicates.txt";

/// Checks the packages of `cargo metadata --filter-platform`.
pub(super) fn check(metadata: &Value, tree: &Tree) -> Vec<Problem> {
    let mut versions: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for package in built(metadata) {
        let name = package["name"].as_str().unwrap_or("?");
        versions.entry(name).or_default().insert(package["version"].as_str().unwrap_or("?"));
    }
    versions.retain(|_, versions| versions.len() > 1);

    let mut problems = Vec::new();
    let text = tree.get(REASONS).map_or("", |file| &file.text);
    for (index, line) in text.lines().enumerate() {
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        let (name, reason) = line.split_once(':').unwrap_or((line, ""));
        if versions.remove(name.trim()).is_none() {
            let what = format!("'{name}' is not compiled twice any more; remove this line");
            problems.push(Problem::new(REASONS, index + 1, what));
        } else if reason.trim().is_empty() {
            let what = format!("no reason for '{name}'; write `{name}: why it cannot be helped`");
            problems.push(Problem::new(REASONS, index + 1, what));
        }
    }
    for (name, versions) in versions {
        let versions = versions.into_iter().collect::<Vec<_>>().join(" and ");
        let what = format!(
            "{name} is compiled as {versions}; agree on one (`cargo tree -i`) or give a reason in {REASONS}"
        );
        problems.push(Problem::new("Cargo.lock", 1, what));
    }
    problems
}

/// The packages in the graph of what is built.
fn built(metadata: &Value) -> impl Iterator<Item = &Value> {
    let nodes = metadata["resolve"]["nodes"].as_array().map_or(&[][..], Vec::as_slice);
    let ids: BTreeSet<&str> = nodes.iter().filter_map(|node| node["id"].as_str()).collect();
    let packages = metadata["packages"].as_array().map_or(&[][..], Vec::as_slice);
    packages.iter().filter(move |package| package["id"].as_str().is_some_and(|id| ids.contains(id)))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn problems(versions: &[&str], reasons: &str) -> Vec<String> {
        let package = |version: &&str| json!({ "name": "syn", "version": version, "id": version });
        let node = |version: &&str| json!({ "id": version });
        let metadata = json!({
            "packages": versions.iter().map(package).chain([json!({ "name": "syn", "version": "9", "id": "unused" })]).collect::<Vec<_>>(),
            "resolve": { "nodes": versions.iter().map(node).collect::<Vec<_>>() },
        });
        let tree = Tree::of(&[(REASONS, reasons)]);
        check(&metadata, &tree).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn one_version_passes_and_two_need_a_reason() {
        assert_eq!(problems(&["2"], "# none\n"), [""; 0]);
        assert_eq!(problems(&["1", "2"], "syn: a still wants 1\n"), [""; 0]);
        assert_eq!(
            problems(&["1", "2"], ""),
            [
                "Cargo.lock:1: syn is compiled as 1 and 2; agree on one (`cargo tree -i`) or give a reason in xtask/duplicates.txt"
            ]
        );
        assert_eq!(problems(&["1", "2"], "syn:\n").len(), 1);
    }

    #[test]
    fn reasons_do_not_outlive_their_cause() {
        assert_eq!(
            problems(&["2"], "syn: a still wants 1\n"),
            ["xtask/duplicates.txt:1: 'syn' is not compiled twice any more; remove this line"]
        );
    }
}
