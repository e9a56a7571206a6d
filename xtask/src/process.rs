//! Running other programs from the workspace root, with errors that name the command.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, bail};

use crate::output;

/// The workspace root.
pub(crate) fn root() -> PathBuf {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    manifest.parent().expect("xtask lies in the workspace root").to_path_buf()
}

/// A command that starts in the workspace root.
pub(crate) fn command(program: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new(program);
    command.args(arguments).current_dir(root());
    command
}

/// A cargo command, as if typed in a shell: without what `cargo run` told xtask
/// about itself, on which some build scripts depend and would run again.
pub(crate) fn cargo(arguments: &[&str]) -> Command {
    let program = std::env::var("CARGO").unwrap_or_else(|_| "cargo".into());
    let mut command = command(&program, arguments);
    for (name, _) in std::env::vars_os() {
        let name = name.to_string_lossy();
        if ["CARGO_PKG_", "CARGO_MANIFEST_"].iter().any(|prefix| name.starts_with(prefix)) {
            command.env_remove(name.as_ref());
        }
    }
    if !output::is_terminal() && std::env::var_os("CARGO_TERM_COLOR").is_none() {
        command.env("CARGO_TERM_COLOR", "never");
    }
    command
}

/// Runs to the end, showing what the program prints.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    let status = command.status().with_context(|| cannot_start(command))?;
    if !status.success() {
        bail!("`{}` failed with {status}", line(command));
    }
    Ok(())
}

/// Runs to the end and gives back what the program printed to its standard output.
pub(crate) fn read(command: &mut Command) -> Result<String> {
    let output =
        command.stderr(Stdio::inherit()).output().with_context(|| cannot_start(command))?;
    if !output.status.success() {
        bail!("`{}` failed with {}", line(command), output.status);
    }
    String::from_utf8(output.stdout)
        .with_context(|| format!("`{}` printed text that is not UTF-8", line(command)))
}

/// Runs to the end, showing each line as it comes and handing it to `each`.
pub(crate) fn watch(command: &mut Command, mut each: impl FnMut(&str)) -> Result<()> {
    let mut child =
        command.stdout(Stdio::piped()).spawn().with_context(|| cannot_start(command))?;
    let stdout = child.stdout.take().expect("stdout was asked for as a pipe");
    for bytes in BufReader::new(stdout).split(b'\n') {
        let bytes = bytes.with_context(|| format!("Cannot read from `{}`", line(command)))?;
        let text = String::from_utf8_lossy(&bytes);
        output::say(&text);
        each(&text);
    }
    let status = child.wait().with_context(|| format!("Cannot wait for `{}`", line(command)))?;
    if !status.success() {
        bail!("`{}` failed with {status}", line(command));
    }
    Ok(())
}

/// Runs to the end with `input` on its standard input and gives back what it printed.
pub(crate) fn pipe(command: &mut Command, input: &str) -> Result<String> {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .with_context(|| cannot_start(command))?;
    let mut stdin = child.stdin.take().expect("stdin was asked for as a pipe");
    // Small input: it fits in the pipe, so writing all before reading cannot block.
    stdin.write_all(input.as_bytes()).with_context(|| cannot_start(command))?;
    drop(stdin);
    let output = child.wait_with_output().with_context(|| cannot_start(command))?;
    if !output.status.success() {
        bail!("`{}` failed with {}", line(command), output.status);
    }
    String::from_utf8(output.stdout)
        .with_context(|| format!("`{}` printed text that is not UTF-8", line(command)))
}

/// The command as a person would type it.
fn line(command: &Command) -> String {
    let program = Path::new(command.get_program());
    let program = program.file_name().unwrap_or(command.get_program());
    let words = std::iter::once(program).chain(command.get_args());
    words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}

fn cannot_start(command: &Command) -> String {
    format!("Cannot run `{}`", line(command))
}
