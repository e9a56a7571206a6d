//! Every page action on every page of `testpages/hard/`, by a loop over the registry.
//!
//! Nothing here names an action: the arguments are made from its schema. Every hard page
//! has the same kit (`testpages/hard/kit.js`), so the same targets exist on all of them,
//! and its outputs show what the page saw. A new action or page is in the loop by existing.

use std::path::Path;
use std::time::Duration;

use btcp_actions::{Access, ENTRIES, Entry, Expect, Group};
use btcp_testkit::{TestPage, open_when, server};
use serde_json::{Map, Value, json};

const BUTTON: &str = r#"role=button[name="Kit button"]"#;
const FIELD: &str = "label=Kit field";
const TEXT: &str = "text=Kit text";

/// A page on which it is not enough to wait: whoever waits for its load waits for ever.
const NEVER_LOADS: &str = "hard/never.html";

/// Pages tried at once; more would only make each other slow.
const AT_ONCE: usize = 3;

/// Well above the default timeout of a call: nothing may take longer than it was given.
const TOO_LONG: Duration = Duration::from_secs(20);

/// An agent meets pages like these; no action may break on any of them, or leave a mark.
#[tokio::test(flavor = "multi_thread")]
async fn every_page_action_works_on_every_hard_page() {
    let mut pages = hard_pages();
    assert!(pages.len() > 10, "the hard pages are missing: {pages:?}");
    let mut running = tokio::task::JoinSet::new();
    let mut problems = Vec::new();

    while !pages.is_empty() || !running.is_empty() {
        while running.len() < AT_ONCE && !pages.is_empty() {
            running.spawn(try_every_action(pages.remove(0)));
        }
        let done = running.join_next().await.expect("one is running");
        problems.extend(done.expect("a page's loop does not panic"));
    }

    assert!(problems.is_empty(), "{} problems:\n{}", problems.len(), problems.join("\n"));
}

fn hard_pages() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testpages/hard");
    let mut pages: Vec<String> = std::fs::read_dir(folder)
        .expect("testpages/hard is there")
        .map(|entry| entry.expect("it can be listed").file_name().to_string_lossy().into_owned())
        .filter(|name| name.ends_with(".html"))
        .map(|name| format!("hard/{name}"))
        .collect();
    pages.sort();
    pages
}

async fn try_every_action(path: String) -> Vec<String> {
    let mut problems = Vec::new();
    for entry in ENTRIES.iter().filter(|entry| entry.on_page) {
        for args in arguments(entry, &server().url(&path)) {
            if let Err(problem) = try_action(&path, entry, &args).await {
                problems.push(format!(
                    "{} {} on {path}: {problem}",
                    entry.name,
                    Value::Object(args)
                ));
            }
        }
    }
    problems
}

async fn try_action(path: &str, entry: &Entry, args: &Map<String, Value>) -> Result<(), String> {
    // A page before it, so that there is somewhere to go back to.
    let page = open_when("describe.html", "load").await;
    let there = json!({ "url": server().url(path), "waitUntil": "domcontentloaded" });
    page.call("navigate", there).await.map_err(|failure| failure.text())?;

    let call = page.call(entry.name, Value::Object(args.clone()));
    let answer = tokio::time::timeout(TOO_LONG, call)
        .await
        .map_err(|_| format!("did not answer within {TOO_LONG:?}"))?;

    match answer {
        Ok(_) => {}
        Err(failure) if path == NEVER_LOADS && waits_for_load(entry) => {
            let done = failure.done.map(|done| done.name());
            if failure.code != "timeout" || done != Some("yes") {
                return Err(failure.text());
            }
        }
        Err(failure) => return Err(failure.text()),
    }
    page_saw(&page, entry, args).await?;
    no_trace(&page).await
}

fn waits_for_load(entry: &Entry) -> bool {
    entry.group == Group::Navigation && entry.access == Access::Changes
}

/// The page must have seen what an action that changes it claims to have done.
async fn page_saw(page: &TestPage, entry: &Entry, args: &Map<String, Value>) -> Result<(), String> {
    if entry.access != Access::Changes {
        return Ok(());
    }
    let (output, wanted) = match args.get("selector").and_then(Value::as_str) {
        Some(BUTTON) => ("testid=kit-clicks", "1"),
        Some(FIELD) => ("testid=kit-value", "hello"),
        _ => return Ok(()),
    };
    let shown = page
        .call("get_text", json!({ "selector": output }))
        .await
        .map_err(|failure| format!("{output}: {}", failure.text()))?;
    match shown.data["text"].as_str() {
        Some(text) if text == wanted => Ok(()),
        text => Err(format!("the page saw {text:?} in {output}, not {wanted:?}")),
    }
}

async fn no_trace(page: &TestPage) -> Result<(), String> {
    let script = "typeof kit === 'undefined' ? '' : kit.traces()";
    let traces = page
        .call("evaluate", json!({ "script": script }))
        .await
        .map_err(|failure| format!("looking for traces: {}", failure.text()))?;
    match traces.data["result"].as_str() {
        Some("") => Ok(()),
        found => Err(format!("left traces: {found:?}")),
    }
}

/// Arguments from the schema: one call with a target wherever one can be given, and one with
/// only what is required if an example shows that this is enough.
fn arguments(entry: &Entry, url: &str) -> Vec<Map<String, Value>> {
    let schema = (entry.schema)().to_value();
    let none = Map::new();
    let properties = schema["properties"].as_object().unwrap_or(&none);
    let required: Vec<&str> =
        schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let mut bare = Map::new();
    for name in &required {
        bare.insert((*name).to_owned(), value_for(name, entry, &required, url));
    }
    let mut calls = Vec::new();
    if properties.contains_key("selector") && !required.contains(&"selector") {
        let mut aimed = bare.clone();
        aimed.insert("selector".into(), value_for("selector", entry, &required, url));
        calls.push(aimed);
    }
    if calls.is_empty() || works_bare(entry, &required) {
        calls.push(bare);
    }
    calls
}

fn works_bare(entry: &Entry, required: &[&str]) -> bool {
    (entry.examples)().iter().any(|example| {
        let given = example.args.as_object().map(Map::len).unwrap_or_default();
        let shows = !matches!(example.expect, Expect::Fails(_));
        shows
            && given == required.len()
            && required.iter().all(|name| example.args.get(name).is_some())
    })
}

fn value_for(name: &str, entry: &Entry, required: &[&str], url: &str) -> Value {
    let writes = required.contains(&"text") || required.contains(&"value");
    match name {
        "selector" if writes => json!(FIELD),
        "selector" if entry.access == Access::Changes => json!(BUTTON),
        "selector" => json!(TEXT),
        "text" | "value" => json!("hello"),
        "key" => json!("Enter"),
        "url" => json!(url),
        "script" => json!("1+1"),
        other => panic!("{} needs '{other}', which this loop cannot make up yet", entry.name),
    }
}
