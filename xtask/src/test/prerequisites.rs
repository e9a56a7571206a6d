//! The programs the tests need: Node, npm, Python, a display without a screen and a Chrome.
//!
//! As root on Debian or Ubuntu what is missing is installed; anywhere else the run
//! stops and says how to get it. Nothing is skipped.

use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Result, bail, ensure};

use crate::output;
use crate::process::{command, read, run};

const NODE: (u32, u32) = (20, 0);
const PYTHON: (u32, u32) = (3, 11);

const NODE_HINT: &str = "install Node 20 or newer with npm from https://nodejs.org/en/download";
const PYTHON_HINT: &str = "install Python 3.11 or newer with its venv module (`apt-get install python3 python3-venv`, `brew install python`)";
const XVFB_HINT: &str =
    "install it (`apt-get install xvfb`): windows are tested on a display of their own";
const CHROME_HINT: &str = "install it (`apt-get install chromium fonts-liberation`, `brew install --cask google-chrome`) or set CHROME to its path";

/// Lets `cargo test` pass where there is no Chrome; here it would say more than was tested.
const WITHOUT_CHROME: &str = "BTCP_TEST_WITHOUT_CHROME";

/// Where Chrome is looked for besides the variable CHROME.
const BROWSERS: &[&str] = &[
    "chromium",
    "google-chrome",
    "google-chrome-stable",
    "chromium-browser",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

/// Node 20, npm, Python 3.11 with venv, and Xvfb.
pub(super) fn programs() -> Result<()> {
    ensure!(
        std::env::var_os(WITHOUT_CHROME).is_none(),
        "{WITHOUT_CHROME} is set, with which tests are skipped; unset it, or call `cargo test`"
    );
    let mut missing = Vec::new();
    if said("node", &["--version"]).is_none() {
        missing.push("nodejs");
    }
    if said("npm", &["--version"]).is_none() {
        missing.push("npm");
    }
    if said("python3", &["--version"]).is_none() || !has_venv() {
        missing.extend(["python3", "python3-venv"]);
    }
    // Answers nothing but an error without a display to serve, so it is looked for by name.
    if said("which", &["Xvfb"]).is_none() {
        missing.push("xvfb");
    }
    if !missing.is_empty() && can_install() {
        install(&missing)?;
    }
    ensure!(said("which", &["Xvfb"]).is_some(), "Xvfb not found; {XVFB_HINT}");
    let node = at_least("Node", said("node", &["--version"]), NODE, NODE_HINT)?;
    let Some(npm) = said("npm", &["--version"]) else { bail!("npm not found; {NODE_HINT}") };
    let python = at_least("Python", said("python3", &["--version"]), PYTHON, PYTHON_HINT)?;
    ensure!(has_venv(), "{python} cannot make virtual environments; {PYTHON_HINT}");
    output::say(&format!("Node {node}, npm {npm}, {python}"));
    Ok(())
}

/// A Chrome, and one font.
pub(super) fn chromium() -> Result<()> {
    if let Ok(path) = std::env::var("CHROME") {
        ensure!(
            Path::new(&path).exists(),
            "CHROME is '{path}', which is not there; correct or unset it"
        );
        output::say(&format!("CHROME is {path}"));
        return Ok(());
    }
    if find_browser().is_none() && can_install() {
        install(&["chromium", "fonts-liberation"])?;
    }
    let Some(browser) = find_browser() else { bail!("No Chrome found; {CHROME_HINT}") };
    output::say(&browser);
    Ok(())
}

fn find_browser() -> Option<String> {
    BROWSERS.iter().find_map(|program| said(program, &["--version"]))
}

fn has_venv() -> bool {
    // Debian's Python has `venv` but not what it needs to bring pip along.
    said("python3", &["-c", "import venv, ensurepip; print('both')"]).is_some()
}

/// What a program answers, if it is there and content.
fn said(program: &str, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program).args(arguments).stderr(Stdio::null()).output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    output.status.success().then_some(text)
}

fn at_least(name: &str, said: Option<String>, least: (u32, u32), hint: &str) -> Result<String> {
    let (major, minor) = least;
    let Some(said) = said else { bail!("{name} not found; {hint}") };
    match version(&said) {
        Some(found) if found >= least => Ok(said),
        Some(_) => bail!("{name} is '{said}', older than {major}.{minor}; {hint}"),
        None => bail!("{name} calls its version '{said}', which cannot be read; {hint}"),
    }
}

/// The first two numbers of `v20.19.2` or `Python 3.11.7`.
fn version(said: &str) -> Option<(u32, u32)> {
    let digits = said.trim_start_matches(|c: char| !c.is_ascii_digit());
    let mut numbers = digits.split(|c: char| !c.is_ascii_digit());
    Some((numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?))
}

/// Whether this is Debian or Ubuntu and we are root.
fn can_install() -> bool {
    let system = std::fs::read_to_string("/etc/os-release").unwrap_or_default();
    is_debian(&system) && said("id", &["-u"]).as_deref() == Some("0")
}

fn is_debian(os_release: &str) -> bool {
    os_release.lines().any(|line| {
        let ids = line.strip_prefix("ID=").or_else(|| line.strip_prefix("ID_LIKE="));
        ids.is_some_and(|ids| {
            ids.trim_matches('"').split(' ').any(|id| id == "debian" || id == "ubuntu")
        })
    })
}

/// Installs by apt. Two apt runs at once leave packages half installed, so wait for the lock.
fn install(packages: &[&str]) -> Result<()> {
    let wait = ["-o", "DPkg::Lock::Timeout=300"];
    run(apt().arg("update").args(wait))?;
    run(apt().args(["install", "-y", "--no-install-recommends"]).args(wait).args(packages))?;
    // A configured package answers; a half installed one would fail later and stranger.
    let state = read(command("dpkg-query", &["-W", "-f", "${Status}\n"]).args(packages))?;
    let whole = state.lines().all(|status| status == "install ok installed");
    ensure!(whole, "apt left {} half installed; run `dpkg --configure -a`", packages.join(", "));
    Ok(())
}

fn apt() -> Command {
    let mut apt = command("apt-get", &[]);
    apt.env("DEBIAN_FRONTEND", "noninteractive");
    apt
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read_as_programs_print_them() {
        assert_eq!(version("v20.19.2"), Some((20, 19)));
        assert_eq!(version("Python 3.11.7"), Some((3, 11)));
        assert_eq!(version("none"), None);
    }

    #[test]
    fn an_old_or_missing_program_stops_with_the_way_to_get_it() {
        let at_least = |said: Option<&str>| at_least("Node", said.map(Into::into), NODE, "get it");
        assert_eq!(at_least(Some("v22.1.0")).unwrap(), "v22.1.0");
        let old = at_least(Some("v18.20.4")).unwrap_err().to_string();
        assert_eq!(old, "Node is 'v18.20.4', older than 20.0; get it");
        assert_eq!(at_least(None).unwrap_err().to_string(), "Node not found; get it");
    }

    #[test]
    fn debian_and_its_children_are_recognised() {
        assert!(is_debian("NAME=x\nID=debian\n"));
        assert!(is_debian("ID=linuxmint\nID_LIKE=\"ubuntu debian\"\n"));
        assert!(!is_debian("ID=fedora\n"));
    }
}
