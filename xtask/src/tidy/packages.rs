//! Which TypeScript package may import which, in manifests and in sources.
//!
//! A package is a folder of `web/` with a `package.json`; the table is that of
//! the architecture.

use serde_json::Value;

use super::{File, Problem, Tree};
use crate::source::{self, Kind, Language};

struct Package {
    folder: &'static str,
    may_use: &'static [&'static str],
    /// Of those, the ones of which it may use nothing but types.
    types_of: &'static [&'static str],
    /// Whether it may need packages of others when it runs.
    may_depend: bool,
}

const PACKAGES: &[Package] = &[
    Package { folder: "protocol", may_use: &[], types_of: &[], may_depend: false },
    Package { folder: "page", may_use: &["protocol"], types_of: &["protocol"], may_depend: false },
    // Pages of tests are made with it, nothing of ours.
    Package { folder: "frameworks", may_use: &[], types_of: &[], may_depend: false },
    Package {
        folder: "client",
        // The page only in its second entry, see `may_import`.
        may_use: &["protocol", "page"],
        types_of: &["protocol"],
        may_depend: false,
    },
    Package { folder: "react", may_use: &["client"], types_of: &[], may_depend: true },
    Package { folder: "vue", may_use: &["client"], types_of: &[], may_depend: true },
    Package { folder: "svelte", may_use: &["client"], types_of: &[], may_depend: true },
    Package {
        folder: "browser-agent",
        may_use: &["page", "client", "protocol"],
        types_of: &[],
        may_depend: true,
    },
    Package {
        folder: "extension",
        may_use: &["page", "client", "browser-agent", "protocol"],
        types_of: &[],
        may_depend: true,
    },
    Package {
        folder: "aicore-plugin",
        may_use: &["browser-agent", "client", "protocol"],
        types_of: &[],
        may_depend: true,
    },
];

/// The second entry of the client, which may use the page.
const DOM_TOOLS: &str = "web/client/dom-tools/";

pub(super) fn check(tree: &Tree) -> Vec<Problem> {
    let named: Vec<(String, &str)> = tree.files.iter().filter_map(name_and_folder).collect();
    let mut problems = Vec::new();
    for file in &tree.files {
        if file.name() == "package.json" && folder(file).is_some() {
            problems.extend(manifest(file, &named));
        }
    }
    for file in tree.typescript().filter(|file| !file.is_generated()) {
        problems
            .extend(imports(&file.text).iter().filter_map(|import| refuse(file, import, &named)));
    }
    problems
}

/// `page` for any file of `web/page/`.
fn folder(file: &File) -> Option<&str> {
    file.path.strip_prefix("web/")?.split_once('/').map(|(folder, _)| folder)
}

fn name_and_folder(file: &File) -> Option<(String, &str)> {
    let folder = folder(file)?;
    if file.path != format!("web/{folder}/package.json") {
        return None;
    }
    let manifest: Value = serde_json::from_str(&file.text).ok()?;
    Some((manifest["name"].as_str()?.to_owned(), folder))
}

fn manifest(file: &File, named: &[(String, &str)]) -> Vec<Problem> {
    let Ok(manifest) = serde_json::from_str::<Value>(&file.text) else {
        return vec![file.problem(1, "not JSON; mend it")];
    };
    let folder = folder(file).unwrap_or_default();
    let Some(package) = PACKAGES.iter().find(|package| package.folder == folder) else {
        let what = format!(
            "package '{folder}' is not in the table of packages; add it to ARCHITECTURE.md and xtask/src/tidy/packages.rs"
        );
        return vec![file.problem(1, what)];
    };
    let mut problems = Vec::new();
    for kind in ["dependencies", "peerDependencies", "optionalDependencies", "devDependencies"] {
        for used in manifest[kind].as_object().into_iter().flat_map(|uses| uses.keys()) {
            let line = file.line_with(&format!("\"{used}\":"));
            let ours = named.iter().find(|(name, _)| name == used);
            if let Some((_, used)) = ours {
                if !package.may_use.contains(used) {
                    let what = format!("web/{folder} must not use web/{used}; remove it");
                    problems.push(file.problem(line, what));
                }
            } else if kind == "dependencies" && !package.may_depend {
                let what = format!("web/{folder} has no run-time dependency; remove '{used}'");
                problems.push(file.problem(line, what));
            }
        }
    }
    problems
}

struct Import {
    offset: usize,
    from: String,
    types_only: bool,
}

/// What a file imports: `import … from`, `export … from`, `import '…'` and `import('…')`.
fn imports(text: &str) -> Vec<Import> {
    let code = source::only(Kind::Code, text, Language::TypeScript);
    let mut imports = Vec::new();
    for piece in source::pieces(text, Language::TypeScript) {
        let before = code[..piece.start].trim_end();
        let opens = ["from", "import", "import("].iter().any(|word| {
            before.strip_suffix(word).is_some_and(|rest| {
                !rest.ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == '.')
            })
        });
        if piece.kind != Kind::Literal || !opens || piece.text.starts_with('/') {
            continue;
        }
        let statement = before.rfind("import").max(before.rfind("export")).unwrap_or(0);
        let words: Vec<&str> = before[statement..].split_whitespace().take(2).collect();
        imports.push(Import {
            offset: piece.start,
            from: piece.text.trim_matches(['\'', '"', '`']).to_owned(),
            types_only: words.get(1) == Some(&"type"),
        });
    }
    imports
}

fn refuse(file: &File, import: &Import, named: &[(String, &str)]) -> Option<Problem> {
    let from = &import.from;
    let folder = folder(file)?;
    let package = PACKAGES.iter().find(|package| package.folder == folder)?;
    let problem = |what: String| Some(file.problem_at(import.offset, what));
    if from.starts_with('.') {
        let home = format!("web/{folder}/");
        let lands = resolve(&file.path, from);
        return if lands.starts_with(&home) {
            None
        } else {
            problem(format!("'{from}' leaves web/{folder}; import the other package by its name"))
        };
    }
    let ours = named.iter().find(|(name, _)| {
        from.strip_prefix(name.as_str())
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    });
    if let Some((_, used)) = ours {
        if !may_import(file, package, used) {
            return problem(format!("web/{folder} must not import web/{used}; move the code"));
        }
        if package.types_of.contains(used) && !import.types_only {
            return problem(format!("web/{used} is types only here; write `import type`"));
        }
        return None;
    }
    let free =
        package.folder != "page" || !file.path.starts_with("web/page/src/") || file.is_test();
    if free {
        return None;
    }
    problem(format!("web/page imports nothing but itself and types, not '{from}'; remove it"))
}

fn may_import(file: &File, package: &Package, used: &str) -> bool {
    let only_second_entry = package.folder == "client" && used == "page";
    if only_second_entry {
        return file.path.starts_with(DOM_TOOLS);
    }
    used == package.folder || package.may_use.contains(&used)
}

/// The path that a relative import means, seen from the root.
fn resolve(path: &str, relative: &str) -> String {
    let mut parts: Vec<&str> = path.split('/').collect();
    parts.pop();
    for part in relative.split('/') {
        match part {
            "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: (&str, &str) = ("web/page/package.json", r#"{ "name": "@btcp/page" }"#);
    const CLIENT: (&str, &str) = ("web/client/package.json", r#"{ "name": "@btcp/client" }"#);
    const PROTOCOL: (&str, &str) = ("web/protocol/package.json", r#"{ "name": "@btcp/protocol" }"#);

    fn problems(path: &str, text: &str) -> Vec<String> {
        let tree = Tree::of(&[PAGE, CLIENT, PROTOCOL, (path, text)]);
        check(&tree).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_manifest_lists_only_what_the_table_says() {
        let good = r#"{ "name": "r", "dependencies": { "@btcp/client": "*" }, "peerDependencies": { "react": "19" } }"#;
        assert_eq!(problems("web/react/package.json", good), [""; 0]);
        let bad = "{ \"name\": \"r\", \"dependencies\": {\n \"@btcp/page\": \"*\" } }";
        assert_eq!(
            problems("web/react/package.json", bad),
            ["web/react/package.json:2: web/react must not use web/page; remove it"]
        );
        assert!(problems("web/extra/package.json", "{}")[0].contains("not in the table"));
    }

    #[test]
    fn the_page_has_no_dependency() {
        let tree = Tree::of(&[(
            "web/page/package.json",
            r#"{ "name": "@btcp/page", "dependencies": { "left-pad": "1" }, "devDependencies": { "esbuild": "1" } }"#,
        )]);
        assert_eq!(check(&tree).len(), 1);
    }

    #[test]
    fn the_page_imports_itself_and_types() {
        let good = "import { a } from '../dom.ts'\nimport type { B } from '@btcp/protocol'\n// from 'lodash'\n";
        assert_eq!(problems("web/page/src/ops/a.ts", good), [""; 0]);
        assert_eq!(problems("web/page/src/a.test.ts", "import { it } from 'vitest'"), [""; 0]);
        for bad in [
            "import { a } from 'lodash'",
            "import {\n  a,\n} from '@btcp/protocol'",
            "export * from '../../client/src/a.ts'",
            "import '@btcp/client'",
            "await import('node:fs')",
        ] {
            assert_eq!(problems("web/page/src/a.ts", bad).len(), 1, "{bad}");
        }
    }

    #[test]
    fn only_the_second_entry_of_the_client_knows_the_page() {
        let import = "import { createPage } from '@btcp/page'";
        assert_eq!(problems("web/client/dom-tools/index.ts", import), [""; 0]);
        assert_eq!(
            problems("web/client/src/index.ts", import),
            ["web/client/src/index.ts:1: web/client must not import web/page; move the code"]
        );
    }
}
