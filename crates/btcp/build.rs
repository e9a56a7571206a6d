//! Puts what ordinary use runs side by side in the program.
//!
//! The kernel brings 64 KB of a program with each page of it that is touched. What a session runs
//! is a quarter of our code, and as the compiler leaves it that quarter is everywhere. The linker is
//! given its names, `link-order.txt`, written by `cargo xtask order`; those it does not find it
//! passes over. A linker that knows no such list is not given one.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const LIST: &str = "link-order.txt";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed={LIST}");
    let list = variable("CARGO_MANIFEST_DIR").map(|folder| Path::new(&folder).join(LIST));
    let Some(list) = list.filter(|list| list.exists()) else { return };
    if variable("PROFILE").as_deref() != Some("release") {
        return;
    }
    let arguments =
        [format!("-Wl,--symbol-ordering-file={}", list.display()), NO_WARNING.to_owned()];
    if takes(&arguments).unwrap_or(false) {
        for argument in arguments {
            println!("cargo::rustc-link-arg-bins={argument}");
        }
    }
}

/// A name that is gone costs a little memory, and is nothing to tell who builds us.
const NO_WARNING: &str = "-Wl,--no-warn-symbol-ordering";

/// Whether the linker in use takes such arguments: tried on a program that does nothing.
fn takes(arguments: &[String]) -> Option<bool> {
    let folder = PathBuf::from(variable("OUT_DIR")?);
    let source = folder.join("probe.rs");
    fs::write(&source, "fn main() {}\n").ok()?;
    let mut rustc = Command::new(variable("RUSTC")?);
    rustc.args(["--edition", "2024", "--target", &variable("TARGET")?]);
    rustc.arg(source).arg("-o").arg(folder.join("probe"));
    if let Some(linker) = variable("RUSTC_LINKER") {
        rustc.arg(format!("-Clinker={linker}"));
    }
    let flags = variable("CARGO_ENCODED_RUSTFLAGS").unwrap_or_default();
    rustc.args(flags.split('\x1f').filter(|flag| !flag.is_empty()));
    rustc.args(arguments.iter().map(|argument| format!("-Clink-arg={argument}")));
    let tried = rustc.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
    Some(tried.ok()?.success())
}

fn variable(name: &str) -> Option<String> {
    env::var(name).ok()
}
