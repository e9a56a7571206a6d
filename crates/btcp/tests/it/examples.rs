//! Every example of every action, over MCP: what the documentation promises holds there too.

use std::path::Path;

use btcp_actions::ENTRIES;
use btcp_testkit::{Mcp, examples, on_runtime};

use crate::processes::BTCP;

/// Each example has a server and a Chrome of its own; more at once only wait for each other.
const AT_ONCE: usize = 3;

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
