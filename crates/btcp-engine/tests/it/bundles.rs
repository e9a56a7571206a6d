//! What is embedded was built from what is committed: the build script's own judgement, on a copy of
//! the sources.

use std::fs;
use std::path::{Path, PathBuf};

#[expect(dead_code, clippy::print_stdout, reason = "its judgement is tested, cargo is told by it")]
#[path = "../../build.rs"]
mod build;

/// The sources and bundles of this project, somewhere they can be changed.
struct Copied(PathBuf);

impl Copied {
    fn new(name: &str) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        // Of a run that was broken off.
        let _ = fs::remove_dir_all(&folder);
        let engine = Path::new(env!("CARGO_MANIFEST_DIR"));
        copy(&engine.join("../../web/page"), &folder.join("page"));
        copy(&engine.join("src/page"), &folder.join("crate/src/page"));
        Self(folder)
    }

    fn stale(&self) -> Vec<&'static str> {
        build::stale(&self.0.join("page"), &self.0.join("crate")).expect("all of it can be read")
    }

    fn add(&self, file: &str, text: &str) {
        let path = self.0.join(file);
        let before = fs::read_to_string(&path).unwrap_or_default();
        fs::write(path, before + text).expect("it can be written");
    }
}

impl Drop for Copied {
    fn drop(&mut self) {
        // What is left is removed by the next run.
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("it can be made");
    for entry in fs::read_dir(from).expect("it is there") {
        let entry = entry.expect("it can be listed");
        let (from, to) = (entry.path(), to.join(entry.file_name()));
        if !from.is_dir() {
            fs::copy(from, to).expect("it can be copied");
        } else if entry.file_name() != "node_modules" {
            copy(&from, &to);
        }
    }
}

/// Somebody changes the page's code, forgets `cargo xtask page`, and would ship the old one.
#[test]
fn a_bundle_of_other_sources_is_refused() {
    let changes = [
        ("page/src/index.ts", "\n"),
        ("page/src/another/deep.ts", "export {}\n"),
        ("page/build.mjs", "// another target\n"),
        ("page/package.json", "\n"),
    ];
    for (number, (file, text)) in changes.into_iter().enumerate() {
        let copied = Copied::new(&format!("stale-{number}"));
        assert_eq!(copied.stale(), [] as [&str; 0], "before {file} was changed");
        fs::create_dir_all(copied.0.join("page/src/another")).expect("it can be made");

        copied.add(file, text);

        assert_eq!(copied.stale(), build::BUNDLES, "after {file} was changed");
    }
}

/// What cannot be in a bundle does not make one stale.
#[test]
fn a_test_beside_the_sources_needs_no_new_bundle() {
    let copied = Copied::new("stale-tests");

    copied.add("page/src/another.test.ts", "export {}\n");

    assert_eq!(copied.stale(), [] as [&str; 0]);
}

/// One that is missing, or says nothing of what it was built from, is not taken for a good one.
#[test]
fn a_bundle_without_its_hash_is_refused() {
    let copied = Copied::new("stale-bundles");

    fs::remove_file(copied.0.join("crate").join(build::BUNDLES[0])).expect("it was there");
    fs::write(copied.0.join("crate").join(build::BUNDLES[1]), "// built\n\n").expect("written");

    assert_eq!(copied.stale(), build::BUNDLES[..2]);
}
