//! Development tasks, run as `cargo xtask <task>`.
//!
//! Runs other programs and compares files. It depends on none of our crates, so
//! a tree that does not compile can still be tidied, generated and mended.

mod bench;
mod generate;
mod new;
mod order;
mod output;
mod page;
mod process;
mod source;
mod test;
mod tidy;

use std::process::ExitCode;

use anyhow::{Result, bail};

use crate::generate::Mode;

const USAGE: &str = "\
cargo xtask <task>

  gen [--check]   write (or compare) the list of actions and what is derived from it
  page [--check]  build (or compare) the script that runs in pages; needs Node
  new <name>      start a new action: its Rust file and its test page
  tidy            check every rule of the house that a program can check
  test [--long]   everything above and all tests; what CI runs
  bench [--rounds N] [--quick] [--peers DIR]
                  our time and memory beside bare CDP, and beside other tools if DIR has their bench
  order           which functions ordinary use runs, for the linker to put side by side; needs valgrind";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match run(arguments.get(1..).unwrap_or_default()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            output::complain(&format!("{error:#}"));
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &[&str]) -> Result<()> {
    match arguments {
        ["gen"] => generate::run(Mode::Write),
        ["gen", "--check"] => generate::run(Mode::Check),
        ["page"] => page::build(Mode::Write),
        ["page", "--check"] => page::build(Mode::Check),
        ["new", name] => new::run(name),
        ["tidy"] => tidy::run(),
        ["bench", options @ ..] => bench::run(options),
        ["order"] => order::run(),
        ["test"] => test::run(test::Soaks::Short),
        ["test", "--long"] => test::run(test::Soaks::Long),
        [] | ["help" | "--help" | "-h"] => {
            output::say(USAGE);
            Ok(())
        }
        unknown => bail!("No task '{}'\n\n{USAGE}", unknown.join(" ")),
    }
}
