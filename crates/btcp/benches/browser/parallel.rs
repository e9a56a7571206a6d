//! Several sessions at once: how many operations a second come through, ours beside bare CDP, each
//! with all sessions in one Chrome.

use std::sync::{Arc, Barrier};
use std::time::Instant;

use anyhow::{Context as _, Result};
use tokio::runtime::Runtime;

use crate::driver::Op;
use crate::floor::Floor;
use crate::ours::Library;
use crate::process;
use crate::report::Times;

const SESSIONS: usize = 8;
const LOOPS: usize = 20;
/// The middle of so many is told.
const ROUNDS: usize = 3;
/// The operations of one loop.
const EACH: usize = 4;

/// Lines for the report.
pub(crate) fn lines(
    runtime: &Arc<Runtime>,
    command_line: &[String],
    origin: &str,
) -> Result<Vec<String>> {
    let mut rates = [const { Vec::new() }; 3];
    // In turn, so that a busy machine hits all alike.
    for round in 0..ROUNDS {
        for turn in 0..rates.len() {
            let which = (turn + round) % rates.len();
            let rate = match which {
                0 => floor(command_line, origin)?,
                _ => library(runtime, origin, which == 1)?,
            };
            rates[which].push(rate);
        }
    }
    let [bare, told, untold] = rates.map(|rates| Times::of(&rates).median);
    Ok(vec![format!(
        "{SESSIONS} sessions at once, {LOOPS} x (navigate, snapshot, click, fill) each: {told:.1} operations \
         a second, {untold:.1} with changes:false, bare CDP {bare:.1}: {:.2} and {:.2} times",
        told / bare,
        untold / bare
    )])
}

/// One session's work.
fn work(
    number: usize,
    origin: &str,
    changes: bool,
    mut run: impl FnMut(&Op<'_>) -> Result<String>,
) -> Result<()> {
    for round in 0..LOOPS {
        run(&Op::Navigate(&format!("{origin}/small?session={number}&round={round}")))?;
        run(&Op::Snapshot)?;
        run(&Op::Click { selector: "#quiet", changes })?;
        run(&Op::Fill { selector: "#field", value: "Ada", changes })?;
    }
    Ok(())
}

/// Operations a second of threads that begin together.
fn rate(workers: Vec<Box<dyn FnOnce() -> Result<()> + Send>>) -> Result<f64> {
    let gate = Arc::new(Barrier::new(workers.len() + 1));
    let running: Vec<_> = workers
        .into_iter()
        .map(|worker| {
            let gate = gate.clone();
            std::thread::spawn(move || {
                gate.wait();
                worker()
            })
        })
        .collect();
    gate.wait();
    let begin = Instant::now();
    for worker in running {
        worker.join().ok().context("a worker panicked")??;
    }
    Ok((SESSIONS * LOOPS * EACH) as f64 / begin.elapsed().as_secs_f64())
}

/// Waits until every Chrome we started has gone quiet.
fn settle() {
    process::quiet(std::process::id(), std::time::Duration::from_secs(2));
}

fn floor(command_line: &[String], origin: &str) -> Result<f64> {
    let clients = Floor::start(command_line)?.side_by_side(SESSIONS)?;
    settle();
    let worker = |(number, mut client): (usize, crate::floor::Bare)| {
        let origin = origin.to_owned();
        let worker = move || work(number, &origin, true, |op| client.run(op));
        Box::new(worker) as Box<dyn FnOnce() -> Result<()> + Send>
    };
    rate(clients.into_iter().enumerate().map(worker).collect())
}

fn library(runtime: &Arc<Runtime>, origin: &str, changes: bool) -> Result<f64> {
    let library = Arc::new(Library::new(runtime.clone())?);
    for number in 0..SESSIONS {
        library.session(&format!("parallel-{number}"))?;
    }
    settle();
    let worker = |number: usize| {
        let (library, origin) = (library.clone(), origin.to_owned());
        let name = format!("parallel-{number}");
        let worker = move || work(number, &origin, changes, |op| library.run_as(&name, op));
        Box::new(worker) as Box<dyn FnOnce() -> Result<()> + Send>
    };
    let rate = rate((0..SESSIONS).map(worker).collect());
    library.end();
    rate
}
