//! npm's lock file: complete, so that `npm ci` takes it, and free of addresses.

use serde_json::Value;

use super::{File, Problem, Tree};

pub(super) fn check(tree: &Tree) -> Vec<Problem> {
    let mut problems: Vec<Problem> = tree.files.iter().flat_map(downloads).collect();
    let locks = tree.files.iter().filter(|file| file.name() == "package-lock.json");
    problems.extend(locks.flat_map(missing));
    problems
}

/// A lock file made behind a mirror would send everybody there.
fn downloads(file: &File) -> Vec<Problem> {
    let what = "a download address; put `omit-lockfile-registry-resolved=true` in web/.npmrc and lock again";
    let mut problems = Vec::new();
    for (index, line) in file.text.lines().enumerate() {
        let value = line.trim_start().strip_prefix("\"resolved\":").map(str::trim_start);
        if value.is_some_and(|value| value.starts_with("\"http")) {
            problems.push(file.problem(index + 1, what));
        }
    }
    problems
}

/// A registry that lacks the packages of other platforms makes npm leave them out of the
/// lock file, which `npm ci` then refuses on every machine (npm/cli#9342 is its sibling).
/// It goes unnoticed where the packages are already installed.
fn missing(file: &File) -> Vec<Problem> {
    let lock: Value = serde_json::from_str(&file.text).unwrap_or_default();
    let Some(packages) = lock["packages"].as_object() else {
        return vec![file.problem(1, "not a lock file of npm 7 or newer; lock again")];
    };
    let mut problems = Vec::new();
    for (user, package) in packages {
        let wanted = package["optionalDependencies"].as_object();
        for (name, version) in wanted.into_iter().flatten() {
            let entry = format!("node_modules/{name}");
            if !packages.keys().any(|path| path.ends_with(&entry)) {
                let what = format!(
                    "'{name}' of {user} is not locked and `npm ci` refuses; add an entry \"{entry}\" with its version {version}, optional, os and cpu"
                );
                problems.push(file.problem(file.line_with(&format!("\"{name}\"")), what));
            }
        }
    }
    problems
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problems(text: &str) -> Vec<String> {
        let tree = Tree::of(&[("web/package-lock.json", text)]);
        check(&tree).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn every_optional_package_is_locked() {
        let user = r#""node_modules/a": { "optionalDependencies": { "a-linux": "1.0.0" } }"#;
        let linux = r#""node_modules/a/node_modules/a-linux": { "version": "1.0.0" }"#;
        assert_eq!(problems(&format!("{{ \"packages\": {{ {user}, {linux} }} }}")), [""; 0]);
        assert_eq!(
            problems(&format!("{{ \"packages\": {{\n{user} }} }}")),
            [
                "web/package-lock.json:2: 'a-linux' of node_modules/a is not locked and `npm ci` refuses; add an entry \"node_modules/a-linux\" with its version \"1.0.0\", optional, os and cpu"
            ]
        );
    }

    #[test]
    fn lock_files_name_no_address() {
        let resolved =
            |to: &str| format!("{{ \"packages\": {{ \"\": {{\n\"resolved\": \"{to}\"\n}} }} }}");
        assert_eq!(problems(&resolved("page")), [""; 0]);
        assert_eq!(problems(&resolved("https://a/b.tgz")).len(), 1);
    }
}
