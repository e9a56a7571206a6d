//! `cargo xtask bench`: builds the release binary and measures it against bare CDP.
//!
//! The measuring is done by the benchmark target of the `btcp` crate (`benches/browser`); with
//! `--peers DIR` the bench in DIR, which knows other tools, is run as well, in a copy.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail, ensure};

use crate::output;
use crate::process::{cargo, command, root, run as run_command};

/// Against whom the peers' bench compares when nobody says otherwise.
const PEERS: &str = "raw-cdp,raw-js,btcp,agent-browser-mcp,playwright-mcp,chrome-devtools-mcp";

/// What the peers' bench keeps its installed peers in, and how we know that they all are.
const INSTALLED: &str = ".peers";
const COMPLETE: &str = ".complete";

/// What the command line asks for.
#[derive(Debug, Default, PartialEq, Eq)]
struct Options<'a> {
    rounds: Option<&'a str>,
    quick: bool,
    peers: Option<&'a str>,
}

impl<'a> Options<'a> {
    fn read(arguments: &[&'a str]) -> Result<Self> {
        let mut options = Self::default();
        let mut left = arguments;
        loop {
            left = match left {
                [] => return Ok(options),
                ["--quick", rest @ ..] => {
                    options.quick = true;
                    rest
                }
                ["--rounds", rounds, rest @ ..] => {
                    ensure!(
                        rounds.parse::<usize>().is_ok_and(|rounds| rounds > 0),
                        "--rounds wants a number, not '{rounds}'"
                    );
                    options.rounds = Some(rounds);
                    rest
                }
                ["--peers", folder, rest @ ..] => {
                    options.peers = Some(folder);
                    rest
                }
                [other, ..] => bail!(
                    "No option '{other}' of bench; there are --rounds N, --quick and --peers DIR"
                ),
            };
        }
    }
}

/// Measures, and prints what was found.
pub(crate) fn run(arguments: &[&str]) -> Result<()> {
    let options = Options::read(arguments)?;
    let mut bench = vec!["bench", "--package", "btcp", "--bench", "browser", "--"];
    if options.quick {
        bench.push("--quick");
    }
    if let Some(rounds) = options.rounds {
        bench.extend(["--rounds", rounds]);
    }
    run_command(&mut cargo(&bench))?;
    // What a command costs beside the least one there can be.
    bench[4] = "command";
    run_command(&mut cargo(&bench))?;
    options.peers.map_or(Ok(()), |folder| peers(Path::new(folder), options.quick))
}

/// Runs the bench of another folder on our binary, in a copy that `target/` keeps.
fn peers(folder: &Path, quick: bool) -> Result<()> {
    let folder = folder
        .canonicalize()
        .with_context(|| format!("No folder '{}' with a bench of the peers", folder.display()))?;
    ensure!(
        folder.join("bench.py").is_file(),
        "'{}' has no bench.py; name the folder of the peers' bench",
        folder.display()
    );
    let copy = root().join("target/peers-bench");
    copy_files(&folder, &copy)?;
    let installed = installed(&copy)?;
    // `cargo bench` has built it.
    let binary = root().join("target/release/btcp");
    let mut bench = vec!["bench.py", "--peers", PEERS];
    if quick {
        bench.push("--quick");
    } else {
        bench.extend(["--sections", "cold,warm,tokens,scale,memory"]);
    }
    run_command(
        command("python3", &bench)
            .current_dir(&copy)
            .env("BTCP_BIN", binary)
            .env("PEERS_DIR", &installed),
    )?;
    run_command(command("python3", &["report.py", "results/latest.json"]).current_dir(&copy))
}

/// Where the peers are: where `PEERS_DIR` says, or beside the copy, installed on first use.
fn installed(copy: &Path) -> Result<PathBuf> {
    if let Some(elsewhere) = std::env::var_os("PEERS_DIR") {
        return Ok(elsewhere.into());
    }
    let folder = copy.join(INSTALLED);
    if !folder.join(COMPLETE).exists() {
        output::say("==> installing the peers, which takes minutes");
        run_command(command("sh", &["setup.sh"]).current_dir(copy).env("PEERS_DIR", &folder))?;
        std::fs::write(folder.join(COMPLETE), "").context("Cannot mark the peers as installed")?;
    }
    Ok(folder)
}

/// Copies the files of a folder, without what lies deeper: results and installed peers stay.
fn copy_files(from: &Path, to: &Path) -> Result<()> {
    let failed = || format!("Cannot copy '{}' to '{}'", from.display(), to.display());
    std::fs::create_dir_all(to).with_context(failed)?;
    for entry in std::fs::read_dir(from).with_context(failed)? {
        let entry = entry.with_context(failed)?;
        if entry.path().is_file() {
            std::fs::copy(entry.path(), to.join(entry.file_name())).with_context(failed)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_come_in_any_order() {
        let options = Options::read(&["--peers", "bench", "--quick", "--rounds", "3"]).unwrap();
        assert_eq!(options, Options { rounds: Some("3"), quick: true, peers: Some("bench") });
    }

    #[test]
    fn a_wrong_option_is_named() {
        for (wrong, named) in [(["--rounds", "many"], "'many'"), (["--fast", "1"], "'--fast'")] {
            let error = Options::read(&wrong).unwrap_err().to_string();
            assert!(error.contains(named), "{error}");
        }
    }
}
