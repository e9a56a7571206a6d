//! `cargo xtask page`: builds `crates/btcp-engine/src/page/page.js` from `web/page`.
//!
//! The building is esbuild's, told how by `web/page/build.mjs`; here are the
//! packages it needs and the call. That the result is fresh is checked without
//! Node by `crates/btcp-engine/build.rs`.

use std::process::Command;
use std::time::SystemTime;

use anyhow::{Context as _, Result};

use crate::generate::Mode;
use crate::output;
use crate::process::{command, root, run};

/// Builds the bundle, or compares it with the committed one.
pub(crate) fn build(mode: Mode) -> Result<()> {
    install_packages()?;
    let script = ["page/build.mjs", "--check"];
    let arguments = match mode {
        Mode::Write => &script[..1],
        Mode::Check => &script[..],
    };
    run(&mut in_web("node", arguments))
}

/// `npm ci`, unless what is installed is as new as the lock file.
pub(crate) fn install_packages() -> Result<()> {
    let web = root().join("web");
    let changed = |file: &str| -> Option<SystemTime> {
        web.join(file).metadata().and_then(|data| data.modified()).ok()
    };
    let locked = changed("package-lock.json")
        .context("web/package-lock.json is missing; run `npm install` in web/ and commit it")?;
    if changed("node_modules/.package-lock.json").is_some_and(|installed| installed >= locked) {
        output::say("web/node_modules is as new as web/package-lock.json");
        return Ok(());
    }
    run(&mut in_web("npm", &["ci", "--no-audit", "--no-fund"]))
}

/// A command that starts in `web/`.
pub(crate) fn in_web(program: &str, arguments: &[&str]) -> Command {
    let mut command = command(program, arguments);
    command.current_dir(root().join("web"));
    if !output::is_terminal() && std::env::var_os("FORCE_COLOR").is_none() {
        command.env("NO_COLOR", "1");
    }
    command
}
