//! The `btcp` binary: argv in, an exit code out.
//!
//! `cli` reads argv, `settings` is all that can be set, the other modules are one command each,
//! `output` is the only one that prints. Everything a command does to a browser goes through the
//! library.

mod call;
mod cli;
mod config;
mod daemon;
mod demo;
mod doctor;
mod generate;
mod install;
mod mcp;
mod output;
mod repl;
mod settings;
mod signals;

use std::ffi::OsString;
use std::process::ExitCode;
use std::time::Duration;

use btcp::Secrets;

use crate::cli::Command;
use crate::settings::Surroundings;

fn main() -> ExitCode {
    run(std::env::args_os().collect())
}

/// Does what a command line asks for.
fn run(argv: Vec<OsString>) -> ExitCode {
    let json = cli::wants_json(&argv);
    let arguments = match cli::read(argv, &Surroundings::here()) {
        Ok(arguments) => arguments,
        Err(error) => return output::usage(&error, json),
    };
    let log = |secrets: &Secrets| {
        output::keep_secret(secrets);
        output::log(arguments.verbosity);
    };
    match arguments.command {
        Command::Action(call) => call::run(*call),
        Command::Mcp { settings, granted, structured, url } => {
            log(&settings.secrets);
            start(mcp::run(*settings, *granted, structured, url))
        }
        Command::Demo { settings, url } => {
            log(&settings.secrets);
            start(demo::run(*settings, url))
        }
        Command::Daemon { idle } => {
            log(&Secrets::default());
            start(daemon::run(Duration::from_secs(idle)))
        }
        Command::Status { json } => daemon::status(json),
        Command::Stop { json } => daemon::stop(json),
        Command::Sessions { json } => daemon::sessions(json),
        Command::Config { held, files, json } => config::run(&held, &files, json),
        Command::Print(text) => {
            output::text(&text);
            ExitCode::SUCCESS
        }
        Command::Repl { flags } => repl::run(&flags),
        Command::Install { settings, how } => start(install::run(*settings, how)),
        Command::Doctor { held, wrong, json } => start(doctor::run(*held, wrong, json)),
        Command::Generate(wanted) => generate::run(&wanted),
        Command::Sweep => {
            btcp_engine::launch::sweep_when_orphaned(std::io::stdin());
            ExitCode::SUCCESS
        }
    }
}

/// Runs a command that talks to a browser.
fn start(command: impl Future<Output = anyhow::Result<ExitCode>>) -> ExitCode {
    // One thread: what we do between two messages is short, and handing it to another costs more.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = match runtime {
        Ok(runtime) => runtime,
        Err(error) => return output::failed(&error.into()),
    };
    let result = runtime.block_on(command);
    // A thread that still waits for our input must not keep the process alive.
    runtime.shutdown_background();
    result.unwrap_or_else(|error| output::failed(&error))
}
