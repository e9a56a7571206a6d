//! Refuses to embed a bundle that was not built from the sources in `web/page`.
//!
//! A bundle's second line is a hash of its inputs, written by `web/page/build.mjs`; here it
//! is computed again, without Node. In a published crate `web/` is absent and all is well.

use std::fs;
use std::io::Result;
use std::path::Path;

use sha2::{Digest as _, Sha256};

pub(crate) const BUNDLES: [&str; 4] =
    ["src/page/page.js", "src/page/own-world.js", "src/page/no-paste.js", "src/page/until-true.js"];

fn main() -> Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
    let page = Path::new("../../web/page");
    if !page.join("src").exists() {
        return Ok(());
    }
    for watched in ["src", "build.mjs", "package.json"] {
        println!("cargo::rerun-if-changed={}", page.join(watched).display());
    }
    for bundle in BUNDLES {
        println!("cargo::rerun-if-changed={bundle}");
    }
    for bundle in stale(page, Path::new("."))? {
        println!("cargo::error={bundle} is not what web/page builds; run `cargo xtask page`");
    }
    Ok(())
}

/// The bundles of the crate that were not built from what is in `page` (`tests/it/bundles.rs`).
pub(crate) fn stale(page: &Path, of_crate: &Path) -> Result<Vec<&'static str>> {
    let expected = format!("// inputs: {}", hash(page)?);
    let is_stale = |bundle: &&str| {
        let built = fs::read_to_string(of_crate.join(bundle)).unwrap_or_default();
        built.lines().nth(1) != Some(&expected)
    };
    Ok(BUNDLES.into_iter().filter(is_stale).collect())
}

/// SHA-256 over each input in byte order of its path: path, NUL, contents, NUL.
fn hash(page: &Path) -> Result<String> {
    let mut inputs = vec!["build.mjs".to_owned(), "package.json".to_owned()];
    list(page, "src", &mut inputs)?;
    inputs.sort();
    let mut hash = Sha256::new();
    for path in inputs {
        let contents = fs::read_to_string(page.join(&path))?.replace("\r\n", "\n");
        hash.update(format!("{path}\0{contents}\0"));
    }
    Ok(format!("{:x}", hash.finalize()))
}

/// Every file below a folder, tests apart, by its path from `page` with forward slashes.
fn list(page: &Path, folder: &str, inputs: &mut Vec<String>) -> Result<()> {
    for entry in fs::read_dir(page.join(folder))? {
        let entry = entry?;
        let path = format!("{folder}/{}", entry.file_name().to_string_lossy());
        if entry.file_type()?.is_dir() {
            list(page, &path, inputs)?;
        } else if !path.ends_with(".test.ts") {
            inputs.push(path);
        }
    }
    Ok(())
}
