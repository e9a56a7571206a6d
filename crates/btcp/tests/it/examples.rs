//! Examples of every action over the surfaces: what the documentation promises holds there too, so
//! the surfaces agree.

use std::path::Path;

use btcp_actions::{ENTRIES, Expect};
use btcp_testkit::{Cli, Mcp, Surface as _, examples, on_runtime};
use serde_json::json;

use crate::home::Home;
use crate::processes::BTCP;

/// Each example has a server and a Chrome of its own; more at once only wait for each other.
const AT_ONCE: usize = 2;

/// They share a Chrome; more at once only starve its pages, some of which have a second to answer.
const COMMANDS_AT_ONCE: usize = 2;

#[tokio::test]
async fn every_example_holds_over_mcp() {
    let all = ENTRIES
        .iter()
        .flat_map(|entry| (entry.examples)().into_iter().map(move |example| (entry, example)));
    let mut shares: [Vec<_>; AT_ONCE] = Default::default();
    for (number, example) in all.enumerate() {
        shares[number % AT_ONCE].push(example);
    }
    let run: usize = shares.iter().map(Vec::len).sum();

    let running: Vec<_> = shares
        .into_iter()
        .map(|share| {
            on_runtime(async move {
                let mut wrong = Vec::new();
                for (entry, example) in share {
                    let mcp = Mcp::start(Path::new(BTCP)).await;
                    wrong.extend(examples::check(&mcp, entry, &example).await.err());
                }
                wrong
            })
        })
        .collect();
    let mut wrong = Vec::new();
    for worker in running {
        wrong.extend(worker.await);
    }
    assert!(run >= ENTRIES.len(), "only {run} examples for {} actions", ENTRIES.len());
    assert!(wrong.is_empty(), "{} of {run} examples:\n{}", wrong.len(), wrong.join("\n"));
}

/// The same promises as over MCP, and the same objects as from the library; all in one daemon, a
/// session each.
#[tokio::test]
async fn the_first_success_and_failure_hold_on_the_command_line() {
    let home = Home::new();
    let mut shares: [Vec<_>; COMMANDS_AT_ONCE] = Default::default();
    for (number, entry) in ENTRIES.iter().enumerate() {
        let (fails, does): (Vec<_>, Vec<_>) = (entry.examples)()
            .into_iter()
            .partition(|example| matches!(example.expect, Expect::Fails(_)));
        let firsts = does.into_iter().take(1).chain(fails.into_iter().take(1));
        shares[number % COMMANDS_AT_ONCE].push((entry, firsts.collect::<Vec<_>>()));
    }
    let running: Vec<_> = shares
        .into_iter()
        .map(|share| {
            let runtime = home.folder.join("run");
            on_runtime(async move {
                let mut wrong = Vec::new();
                for (entry, examples) in share {
                    for (number, example) in examples.into_iter().enumerate() {
                        let session = format!("{}-{number}", entry.name);
                        let cli = Cli::new(Path::new(BTCP), &runtime, &session);
                        wrong.extend(examples::check(&cli, entry, &example).await.err());
                        let _ = cli.call("close", json!({})).await;
                    }
                }
                wrong
            })
        })
        .collect();
    let mut wrong = Vec::new();
    for worker in running {
        wrong.extend(worker.await);
    }
    assert!(wrong.is_empty(), "{} examples:\n{}", wrong.len(), wrong.join("\n"));
}
