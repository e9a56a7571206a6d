//! Every example of every action, called directly. Over MCP they run in `crates/btcp/tests/it`.

use btcp_actions::ENTRIES;
use btcp_testkit::{Direct, examples};

/// What an action's file shows is what a reader and a model will try: all of it must be true.
#[tokio::test]
async fn every_example_does_what_it_says() {
    let mut problems = Vec::new();
    let mut run = 0;

    for entry in ENTRIES {
        for example in (entry.examples)() {
            run += 1;
            let surface = Direct::start().await;
            if let Err(problem) = examples::check(&surface, entry, &example).await {
                problems.push(problem);
            }
        }
    }

    assert!(run >= ENTRIES.len(), "only {run} examples for {} actions", ENTRIES.len());
    assert!(problems.is_empty(), "{} of {run} examples:\n{}", problems.len(), problems.join("\n"));
}
