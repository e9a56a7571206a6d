//! The official Python SDK, in each of its modes, against a real page.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use btcp_testkit::server;

use crate::processes::BTCP;

const HERE: &str = env!("CARGO_MANIFEST_DIR");

/// A Python that has the SDK: `BTCP_TEST_PYTHON`, or one we set up under `target/`.
fn python() -> &'static Path {
    static PYTHON: OnceLock<PathBuf> = OnceLock::new();
    PYTHON.get_or_init(|| match std::env::var_os("BTCP_TEST_PYTHON") {
        Some(python) => python.into(),
        None => set_up(),
    })
}

fn set_up() -> PathBuf {
    // The binary is target/debug/btcp.
    let target = Path::new(BTCP).parent().and_then(Path::parent).unwrap();
    let folder = target.join("venv");
    let python = folder.join("bin/python");
    if !python.exists() {
        run(Command::new("python3").args(["-m", "venv"]).arg(&folder));
    }
    let requirements = Path::new(HERE).join("../btcp-servers/tests/requirements.txt");
    let pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r"];
    run(Command::new(&python).args(pip).arg(requirements));
    python
}

fn run(command: &mut Command) {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {}\n{said}", output.status);
}

fn check(mode: &str) {
    let script = Path::new(HERE).join("tests/python/client.py");
    let page = server().url("click.html");
    run(Command::new(python()).arg(script).args([BTCP, mode, &page]));
}

#[test]
fn the_python_sdk_works_by_initialize() {
    check("legacy");
}

#[test]
fn the_python_sdk_finds_out_by_itself() {
    check("auto");
}

#[test]
fn the_python_sdk_works_without_a_handshake() {
    check("2026-07-28");
}
