//! `cargo xtask order`: finds out which functions ordinary use runs, for the linker.
//!
//! A program lies in memory by pages, and the kernel brings 16 at a time: what runs had better lie
//! side by side (`crates/btcp/build.rs`). A release build is used under callgrind, as a client of MCP
//! and as a shell use it; what ran is the list. Needs valgrind. The names change with the
//! compiler and with the code: run it again when the benchmark says that memory has grown.

mod session;

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, ensure};

use self::session::{Site, use_as_client};
use crate::output;
use crate::process::{cargo, command, read, root, run as run_command};

const LIST: &str = "crates/btcp/link-order.txt";

/// Writes the list.
pub(crate) fn run() -> Result<()> {
    let valgrind = command("valgrind", &["--version"]).output();
    ensure!(
        valgrind.is_ok_and(|output| output.status.success()),
        "`cargo xtask order` needs valgrind; on Debian and Ubuntu: apt-get install valgrind"
    );
    // With the names in it; the functions are those of the ordinary build.
    let build = ["rustc", "--release", "--package", "btcp", "--bin", "btcp", "--", "-Cstrip=none"];
    run_command(&mut cargo(&build))?;
    let binary = root().join("target/release/btcp");
    let place = Place::new(root().join("target/order"))?;

    let site = Site::serve(&root().join("testpages"))?;
    output::say("using it as an MCP client does");
    use_as_client(place.watched(&binary, "mcp").args(["mcp", "--toolset", "all"]), &site)?;
    output::say("using it as a shell does");
    let done = use_as_shell(&place, &binary);
    run_command(place.settled(command(&binary.to_string_lossy(), &["stop"])).arg("--quiet"))?;
    done?;

    let names = names_in(&binary)?;
    // What a command needs stands first: it starts the program each time.
    let first = place.ran("shell", &names)?;
    let rest: BTreeSet<String> = place.ran("mcp", &names)?.difference(&first).cloned().collect();
    ensure!(!first.is_empty() && !rest.is_empty(), "callgrind saw nothing run");
    let list: Vec<&str> = first.iter().chain(&rest).map(String::as_str).collect();
    fs::write(root().join(LIST), list.join("\n") + "\n")?;
    output::say(&format!("{LIST}: {} functions of {}", list.len(), names.len()));
    Ok(())
}

/// A command of a shell that finds a daemon there. It takes that for another version's, since under
/// valgrind a program does not find itself: it asks, is answered and cannot start its own.
fn use_as_shell(place: &Place, binary: &Path) -> Result<()> {
    run_command(&mut place.settled(command(&binary.to_string_lossy(), &["open", "about:blank"])))?;
    let mut url = place.watched(binary, "shell");
    url.arg("url").stdout(Stdio::null()).stderr(Stdio::null()).status()?;
    Ok(())
}

/// Where everything is kept that the runs leave.
struct Place(PathBuf);

impl Place {
    fn new(folder: PathBuf) -> Result<Self> {
        if folder.exists() {
            fs::remove_dir_all(&folder)?;
        }
        fs::create_dir_all(&folder)?;
        Ok(Self(folder))
    }

    /// A command with folders of its own, so that no other daemon has a part in it.
    fn settled(&self, mut command: Command) -> Command {
        for folder in ["XDG_RUNTIME_DIR", "XDG_STATE_HOME", "XDG_CONFIG_HOME"] {
            command.env(folder, &self.0);
        }
        command
    }

    /// The binary under callgrind, which writes down what ran under the name of the run.
    fn watched(&self, binary: &Path, run: &str) -> Command {
        let out = self.0.join(format!("{run}.out"));
        let mut command = self.settled(command("valgrind", &["--tool=callgrind", "--quiet"]));
        command.arg("--demangle=no").arg(format!("--callgrind-out-file={}", out.display()));
        command.arg(binary);
        command
    }

    /// The functions of the binary that ran.
    fn ran(&self, run: &str, names: &BTreeSet<String>) -> Result<BTreeSet<String>> {
        let out = self.0.join(format!("{run}.out"));
        let text = fs::read_to_string(&out).with_context(|| {
            format!("callgrind wrote nothing to '{}'", OsStr::to_string_lossy(out.as_os_str()))
        })?;
        Ok(functions(&text).filter(|name| names.contains(*name)).map(str::to_owned).collect())
    }
}

/// The functions a report of callgrind names; those that call themselves have a `'2` behind them.
fn functions(report: &str) -> impl Iterator<Item = &str> {
    let named = report.lines().filter_map(|line| {
        let named = line.strip_prefix("fn=").or_else(|| line.strip_prefix("cfn="))?;
        named.split_once(") ").map(|(_, name)| name)
    });
    named.map(|name| name.split('\'').next().unwrap_or(name))
}

/// What the linker knows the functions of a binary by.
fn names_in(binary: &Path) -> Result<BTreeSet<String>> {
    let symbols = read(&mut command("nm", &[&binary.to_string_lossy()]))?;
    let functions = symbols.lines().filter_map(|line| {
        let mut words = line.split(' ').skip(1);
        let kind = words.next()?;
        words.next().filter(|_| kind.eq_ignore_ascii_case("t"))
    });
    Ok(functions.map(str::to_owned).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_read_off_a_report() {
        let report = "fl=(1) ???\nfn=(12) _ZN4btcp3run17h1E\n16 4\ncfn=(3) _ZN4core4drop17h2E'2\n\
                      calls=1 0\ncfn=(12)\ntotals: 7\n";
        let found: Vec<&str> = functions(report).collect();
        assert_eq!(found, ["_ZN4btcp3run17h1E", "_ZN4core4drop17h2E"]);
    }
}
