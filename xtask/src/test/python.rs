//! The Python packages with which the servers are tested, in `target/venv`.

use std::path::PathBuf;

use anyhow::{Context as _, Result};

use crate::output;
use crate::process::{command, root, run};

/// Tells the tests which Python to start.
pub(super) const VARIABLE: &str = "BTCP_TEST_PYTHON";

const REQUIREMENTS: &str = "crates/btcp-servers/tests/requirements.txt";

/// The interpreter that has the packages.
pub(super) fn interpreter() -> PathBuf {
    let path = if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" };
    folder().join(path)
}

/// Makes the environment, unless it was made from the same list of packages.
pub(super) fn install() -> Result<()> {
    let wanted = std::fs::read_to_string(root().join(REQUIREMENTS))
        .with_context(|| format!("Cannot read {REQUIREMENTS}, the packages that the tests need"))?;
    let installed = folder().join("requirements.txt");
    if interpreter().exists() && std::fs::read_to_string(&installed).is_ok_and(|old| old == wanted)
    {
        output::say(&format!("target/venv has what {REQUIREMENTS} lists"));
        return Ok(());
    }
    let folder = folder();
    run(command("python3", &["-m", "venv", "--clear"]).arg(&folder))?;
    let python = interpreter();
    let pip =
        ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r", REQUIREMENTS];
    run(&mut command(&python.to_string_lossy(), &pip))?;
    std::fs::write(&installed, wanted)
        .with_context(|| format!("Cannot write {}", installed.display()))
}

fn folder() -> PathBuf {
    root().join("target/venv")
}
