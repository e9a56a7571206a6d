//! Licences of everything we are built from, on every platform.

use serde_json::Value;

use super::Problem;

const ALLOWED: &[&str] = &[
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "CDLA-Permissive-2.0",
    "ISC",
    "MIT",
    "MPL-2.0",
    "Unicode-3.0",
    "Unicode-DFS-2016",
    "Unlicense",
    "Zlib",
];

/// Checks the packages of `cargo metadata`.
pub(super) fn check(metadata: &Value) -> Vec<Problem> {
    let packages = metadata["packages"].as_array().map_or(&[][..], Vec::as_slice);
    packages.iter().filter_map(refuse).collect()
}

fn refuse(package: &Value) -> Option<Problem> {
    let name = package["name"].as_str().unwrap_or("?");
    let version = package["version"].as_str().unwrap_or("?");
    let problem = |what: &str| {
        let what = format!("{name} {version} {what}; use another crate");
        Some(Problem::new("Cargo.lock", 1, what))
    };
    let Some(licence) = package["license"].as_str() else {
        return problem("does not name its licence");
    };
    match satisfied(licence) {
        Some(true) => None,
        Some(false) => problem(&format!("is licensed '{licence}', which we do not take")),
        None => problem(&format!("has a licence we cannot read, '{licence}'")),
    }
}

/// Whether an SPDX expression can be satisfied with the allowed licences; nothing if it
/// is not an expression. A slash is crates.io's old way to write `OR`.
fn satisfied(licence: &str) -> Option<bool> {
    let spaced = licence.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let mut words = words.as_slice();
    let result = either(&mut words)?;
    words.is_empty().then_some(result)
}

fn either(words: &mut &[&str]) -> Option<bool> {
    let mut result = both(words)?;
    while take(words, "OR") {
        result |= both(words)?;
    }
    Some(result)
}

fn both(words: &mut &[&str]) -> Option<bool> {
    let mut result = one(words)?;
    while take(words, "AND") {
        result &= one(words)?;
    }
    Some(result)
}

fn one(words: &mut &[&str]) -> Option<bool> {
    if take(words, "(") {
        let result = either(words)?;
        return take(words, ")").then_some(result);
    }
    let name = next(words)?;
    if ["OR", "AND", "WITH", ")"].contains(&name) {
        return None;
    }
    if take(words, "WITH") {
        let whole = format!("{name} WITH {}", next(words)?);
        return Some(ALLOWED.contains(&whole.as_str()));
    }
    Some(ALLOWED.contains(&name))
}

fn take(words: &mut &[&str], expected: &str) -> bool {
    let found = words.first() == Some(&expected);
    if found {
        *words = &words[1..];
    }
    found
}

fn next<'a>(words: &mut &[&'a str]) -> Option<&'a str> {
    let (first, rest) = words.split_first()?;
    *words = rest;
    Some(first)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn expressions_are_read_as_spdx_means_them() {
        for good in [
            "MIT",
            "MIT OR Apache-2.0",
            "GPL-3.0 OR MIT",
            "Unlicense/MIT",
            "(MIT OR GPL-2.0) AND Unicode-3.0",
            "Apache-2.0 WITH LLVM-exception OR GPL-2.0",
            "MIT OR GPL-2.0 AND GPL-3.0",
        ] {
            assert_eq!(satisfied(good), Some(true), "{good}");
        }
        for bad in ["GPL-3.0", "MIT AND AGPL-3.0", "MIT WITH Foo", "(GPL-2.0 OR LGPL-3.0)"] {
            assert_eq!(satisfied(bad), Some(false), "{bad}");
        }
        for broken in ["", "MIT OR", "(MIT", "MIT Apache-2.0", "MIT)"] {
            assert_eq!(satisfied(broken), None, "{broken}");
        }
    }

    #[test]
    fn a_crate_we_do_not_take_is_named() {
        let metadata = json!({ "packages": [
            { "name": "good", "version": "1.0.0", "license": "MIT" },
            { "name": "bad", "version": "2.0.0", "license": "GPL-3.0" },
            { "name": "mute", "version": "3.0.0", "license": null },
        ] });
        let problems: Vec<String> = check(&metadata).iter().map(ToString::to_string).collect();
        let expected = [
            "Cargo.lock:1: bad 2.0.0 is licensed 'GPL-3.0', which we do not take; use another crate",
            "Cargo.lock:1: mute 3.0.0 does not name its licence; use another crate",
        ];
        assert_eq!(problems, expected);
    }
}
