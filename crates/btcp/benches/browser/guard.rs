//! What the egress guard costs: the same navigations through it and past it, in turn, and a gigabyte
//! through it with the memory that takes.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::{Context as _, Result};
use btcp::{Egress, Settings};
use tokio::runtime::Runtime;

use crate::driver::{Driver, Op};
use crate::ours::Library;
use crate::pages::{BIG, Page};
use crate::report::Times;
use crate::{process, timed};

/// Reads a body to its end and keeps nothing of it.
const READ: &str = "fetch('/big').then(async (answer) => { const reader = answer.body.getReader(); let bytes = 0;
    for (;;) { const { done, value } = await reader.read(); if (done) return bytes; bytes += value.length } })";

/// Lines for the report.
pub(crate) fn lines(runtime: &Arc<Runtime>, origin: &str, rounds: usize) -> Result<Vec<String>> {
    let settings = |unguarded| {
        let egress = Egress { unguarded, ..Egress::default() };
        Settings { egress, spare: false, ..Settings::default() }
    };
    let mut contestants = Vec::new();
    for unguarded in [false, true] {
        contestants.push(Library::with(runtime.clone(), settings(unguarded))?);
    }
    let mut lines = Vec::new();
    for page in [Page::Small, Page::Shop] {
        let mut samples = [Vec::new(), Vec::new()];
        for round in 0..=rounds.max(5) * 3 {
            for turn in 0..2 {
                let which = (turn + round) % 2;
                let url = format!("{origin}/{}?guard={round}", page.path());
                let (_, took) = timed(|| contestants[which].run(&Op::Navigate(&url)))?;
                if round > 0 {
                    samples[which].push(took);
                }
                process::quiet(std::process::id(), Duration::from_secs(2));
            }
        }
        let [with, without] = samples.each_ref().map(|samples| Times::of(samples));
        let ratio = with.median / without.median;
        let name = page.name();
        lines.push(format!(
            "navigate {name} through the guard: {with} ms, without {without} ms: × {ratio:.2}"
        ));
    }
    lines.push(gigabyte(&mut contestants[0], origin)?);
    for contestant in contestants {
        Box::new(contestant).stop();
    }
    Ok(lines)
}

/// A gigabyte from a server to a page, and the most memory this process had meanwhile.
fn gigabyte(library: &mut Library, origin: &str) -> Result<String> {
    library.run(&Op::Navigate(&format!("{origin}/small?big")))?;
    let us = std::process::id();
    let before = process::resident(us);
    let over = Arc::new(AtomicBool::new(false));
    let watching = over.clone();
    let watch = std::thread::spawn(move || {
        let mut most = 0.0_f64;
        while !watching.load(Ordering::Relaxed) {
            most = most.max(process::resident(us));
            std::thread::sleep(Duration::from_millis(20));
        }
        most
    });
    let (read, took) = timed(|| library.run(&Op::Evaluate(READ)))?;
    over.store(true, Ordering::Relaxed);
    let most = watch.join().ok().context("the watch does not panic")?;
    anyhow::ensure!(read.trim() == BIG.to_string(), "{read} bytes came of {BIG}");
    let more = most - before;
    Ok(format!("1 GB through the guard: {:.1} s, {more:.1} MB more memory", took / 1000.0))
}
