//! Every example of every action, called directly. Over MCP they run in `crates/btcp/tests/it`.

use btcp_actions::ENTRIES;
use btcp_testkit::{Direct, examples};

/// Examples run at once; more would only make each other slow.
const AT_ONCE: usize = 4;

/// What an action's file shows is what a reader and a model will try: all of it must be true.
#[tokio::test(flavor = "multi_thread")]
async fn every_example_does_what_it_says() {
    let mut left: Vec<_> = ENTRIES
        .iter()
        .flat_map(|entry| (entry.examples)().into_iter().map(move |example| (entry, example)))
        .collect();
    let count = left.len();
    let mut running = tokio::task::JoinSet::new();
    let mut problems = Vec::new();

    while !left.is_empty() || !running.is_empty() {
        while running.len() < AT_ONCE && !left.is_empty() {
            let (entry, example) = left.remove(0);
            running.spawn(async move {
                let surface = Direct::start().await;
                examples::check(&surface, entry, &example).await
            });
        }
        let checked = running.join_next().await.expect("one is running");
        problems.extend(checked.expect("checking does not panic").err());
    }

    assert!(count >= ENTRIES.len(), "only {count} examples for {} actions", ENTRIES.len());
    assert!(problems.is_empty(), "{} of {count}:\n{}", problems.len(), problems.join("\n"));
}
