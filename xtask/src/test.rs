//! `cargo xtask test`: tells whether you are done; the same for a person, an agent and CI.
//!
//! Steps in order of speed, each named and timed; the first failure ends the run. What
//! a step needs is installed or asked for, never skipped.

mod prerequisites;
mod python;
mod tally;

use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail, ensure};

use self::tally::Tally;
use crate::generate::{self, Mode};
use crate::process::{cargo, command, read, run as run_command, watch};
use crate::{output, page, tidy};

/// How long the tests that repeat things go on.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Soaks {
    Short,
    Long,
}

type Step = (&'static str, fn(&mut Run) -> Result<()>);

const STEPS: &[Step] = &[
    ("prerequisites", |_| prerequisites::programs()),
    ("Chromium", |_| prerequisites::chromium()),
    ("format", |_| run_command(&mut cargo(&["fmt", "--all", "--check"]))),
    ("tidy", |_| tidy::run()),
    ("web packages", |_| page::install_packages()),
    ("generated files", |_| generate::run(Mode::Check)),
    ("clippy", |_| {
        let clippy = ["clippy", "--workspace", "--all-targets", "--", "--deny", "warnings"];
        run_command(&mut cargo(&clippy))
    }),
    ("docs", |_| {
        let doc = ["doc", "--workspace", "--no-deps", "--quiet"];
        run_command(cargo(&doc).env("RUSTDOCFLAGS", "--deny warnings"))
    }),
    ("Python packages", |_| python::install()),
    ("build", |_| run_command(&mut cargo(&["build", "--package", "btcp"]))),
    ("cargo test", Run::cargo_test),
    ("web: types", |_| run_command(&mut page::in_web("npm", &["run", "check"]))),
    ("web: lint", |_| run_command(&mut page::in_web("npm", &["run", "lint"]))),
    ("web: test", Run::web_test),
    ("web: page.js", |_| page::build(Mode::Check)),
    ("tree still clean", Run::tree_is_unchanged),
];

/// Runs every step; the last line says how many tests passed.
pub(crate) fn run(soaks: Soaks) -> Result<()> {
    let started = Instant::now();
    let mut run = Run { soaks, tally: Tally::default(), tree: tree()? };
    for (name, step) in STEPS {
        let step_started = Instant::now();
        output::say(&format!("==> {name}"));
        let result = step(&mut run);
        let took = seconds(step_started.elapsed());
        if let Err(error) = result {
            output::say(&format!("<== {name} failed after {took}"));
            let Tally { passed, failed } = run.tally;
            let total = seconds(started.elapsed());
            bail!("{error:#}\n{passed} passed, {failed} failed; stopped at '{name}' after {total}");
        }
        output::say(&format!("<== {name} {took}"));
    }
    ensure!(run.tally.passed > 0, "No test ran; see the output of 'cargo test' and 'web: test'");
    output::say(&format!("total {}", seconds(started.elapsed())));
    output::say(&format!("{} passed, {} failed", run.tally.passed, run.tally.failed));
    Ok(())
}

struct Run {
    soaks: Soaks,
    tally: Tally,
    /// `git status` as it was when we began.
    tree: String,
}

impl Run {
    fn cargo_test(&mut self) -> Result<()> {
        let mut test = cargo(&["test", "--workspace", "--no-fail-fast"]);
        test.env(python::VARIABLE, python::interpreter());
        if self.soaks == Soaks::Long {
            test.env("BTCP_TEST_LONG", "1");
        }
        watch(&mut test, |line| self.tally.read(line))
    }

    fn web_test(&mut self) -> Result<()> {
        watch(&mut page::in_web("npm", &["test"]), |line| self.tally.read(line))
    }

    /// A test that leaves something behind would be committed with the next `git add`.
    fn tree_is_unchanged(&mut self) -> Result<()> {
        let now = tree()?;
        let new: Vec<&str> =
            now.lines().filter(|line| !self.tree.lines().any(|old| old == *line)).collect();
        ensure!(
            now == self.tree,
            "The run changed the tree ({}); find what wrote there, and let it write to target/",
            if new.is_empty() { "something is gone".to_owned() } else { new.join(", ") }
        );
        Ok(())
    }
}

fn tree() -> Result<String> {
    read(&mut command("git", &["status", "--porcelain"]))
        .context("Cannot ask git for the state of the tree")
}

fn seconds(time: Duration) -> String {
    format!("{:.1} s", time.as_secs_f64())
}
