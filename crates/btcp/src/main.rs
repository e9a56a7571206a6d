//! The `btcp` binary: argv in, an exit code out.
//!
//! `cli` reads argv, the other modules are one command each, `output` is the only one
//! that prints. Everything a command does to a browser goes through the library.

mod cli;
mod demo;
mod generate;
mod mcp;
mod output;
mod signals;

use std::process::ExitCode;

use crate::cli::Command;

fn main() -> ExitCode {
    let arguments = match cli::read(std::env::args_os()) {
        Ok(arguments) => arguments,
        Err(error) => return output::usage(&error),
    };
    output::log(arguments.verbosity);
    match arguments.command {
        Command::Mcp { settings, toolset, structured } => {
            start(mcp::run(settings, &toolset, structured))
        }
        Command::Demo { settings, url } => start(demo::run(settings, url)),
        Command::Generate(wanted) => generate::run(&wanted),
    }
}

/// Runs a command that talks to a browser.
fn start(command: impl Future<Output = anyhow::Result<ExitCode>>) -> ExitCode {
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    let runtime = match runtime {
        Ok(runtime) => runtime,
        Err(error) => return output::failed(&error.into()),
    };
    let result = runtime.block_on(command);
    // A thread that still waits for our input must not keep the process alive.
    runtime.shutdown_background();
    result.unwrap_or_else(|error| output::failed(&error))
}
