//! Every page action on every page of `testpages/hard/`, by a loop over the registry.
//!
//! Nothing here names an action. Every hard page has the same kit (`testpages/hard/kit.js`);
//! arguments are made from an action's schema, and what it is to be tried on is found out on
//! `hard/plain.html`, which has the kit and nothing else. What happens there must happen on
//! all of them. A new action or page is in the loop by existing.

use std::path::Path;
use std::time::Duration;

use btcp_actions::{Access, ENTRIES, Entry, Example, Expect, Group};
use btcp_testkit::{TestPage, open, server};
use serde_json::{Map, Value, json};

/// What the kit offers, in the order in which a changing action is tried on it.
const KIT: [&str; 5] = [
    r#"role=button[name="Kit button"]"#,
    "label=Kit field",
    "label=Kit box",
    "label=Kit choice",
    "text=Kit text",
];

/// The page that is not hard.
const PLAIN: &str = "hard/plain.html";

/// A page on which it is not enough to wait: whoever waits for its load waits for ever.
const NEVER_LOADS: &str = "hard/never.html";

/// Pages tried at once; more would only make each other slow.
const AT_ONCE: usize = 4;

/// Above the default timeout of a call: nothing may take longer than it was given.
const TOO_LONG: Duration = Duration::from_secs(20);

/// A call, and what the kit shows after it where nothing is in the way.
#[derive(Clone)]
struct Trial {
    entry: &'static Entry,
    args: Map<String, Value>,
    then: Option<String>,
}

/// An agent meets pages like these; no action may break on any of them, or leave a mark.
#[tokio::test(flavor = "multi_thread")]
async fn every_page_action_works_on_every_hard_page() {
    let mut pages = hard_pages();
    assert!(pages.len() > 10, "the hard pages are missing: {pages:?}");
    let trials = trials().await;
    let mut running = tokio::task::JoinSet::new();
    let mut problems = Vec::new();

    while !pages.is_empty() || !running.is_empty() {
        while running.len() < AT_ONCE && !pages.is_empty() {
            running.spawn(try_all(pages.remove(0), trials.clone()));
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

/// Finds out on the plain page what each action can be tried on, and what comes of it there.
async fn trials() -> Vec<Trial> {
    let mut trials = Vec::new();
    for entry in ENTRIES.iter().filter(|entry| entry.on_page) {
        let before = trials.len();
        let mut refusals = Vec::new();
        for candidates in calls(entry) {
            for args in candidates {
                // Most refuse only when their time is over; a wrong candidate need not take long.
                let mut quick = args.clone();
                quick.insert("timeout".into(), json!(3000));
                match run(PLAIN, entry, &quick).await {
                    Ok((_, then)) => {
                        trials.push(Trial { entry, args, then });
                        break;
                    }
                    Err(problem) => refusals.push(problem),
                }
            }
        }
        // What needs a frame has none in the kit; `frames.rs` has its tests.
        let tried = trials.len() > before || entry.group == Group::Frames;
        assert!(tried, "{} cannot be tried on the kit:\n{}", entry.name, refusals.join("\n"));
    }
    trials
}

async fn try_all(path: String, trials: Vec<Trial>) -> Vec<String> {
    let mut problems = Vec::new();
    for Trial { entry, args, then } in trials {
        let problem = match run(&path, entry, &args).await {
            Ok((page, now)) if now == then => no_trace(&page).await.err(),
            Ok((_, now)) => Some(format!("the kit shows {now:?}, on the plain page {then:?}")),
            Err(problem) => Some(problem),
        };
        problems.extend(
            problem.map(|problem| {
                format!("{} {} on {path}: {problem}", entry.name, Value::Object(args))
            }),
        );
    }
    problems
}

/// Opens the page in a session of its own, makes the call and reads what the kit shows then.
async fn run(
    path: &str,
    entry: &Entry,
    args: &Map<String, Value>,
) -> Result<(TestPage, Option<String>), String> {
    let page = open("describe.html").await;
    let url = server().url(path);
    let there = json!({ "url": url, "waitUntil": "domcontentloaded" });
    page.call("navigate", there).await.map_err(|failure| failure.text())?;
    let moves = entry.group == Group::Navigation && entry.access == Access::Changes;
    if moves {
        somewhere_ahead(&page).await;
    }

    let mut args = args.clone();
    for value in args.values_mut().filter(|value| **value == OWN_URL) {
        *value = json!(url);
    }
    if path == NEVER_LOADS && moves {
        args.insert("timeout".into(), json!(3000));
    }
    let call = page.call(entry.name, Value::Object(args));
    let answer = tokio::time::timeout(TOO_LONG, call)
        .await
        .map_err(|_| format!("did not answer within {TOO_LONG:?}"))?;

    if let Err(failure) = answer {
        let done = failure.done.map(|done| done.name());
        let endless =
            path == NEVER_LOADS && moves && failure.code == "timeout" && done == Some("yes");
        if !endless {
            return Err(failure.text());
        }
    }
    if entry.access == Access::Reads || moves {
        return Ok((page, None));
    }
    let state = page.call("get_text", json!({ "selector": "testid=kit-state" })).await;
    let state = state.map_err(|failure| format!("reading the kit: {}", failure.text()))?;
    let text = state.data["text"].as_str().unwrap_or_default().to_owned();
    Ok((page, Some(text)))
}

/// The page before is `describe.html`; this makes a place to go forward to.
async fn somewhere_ahead(page: &TestPage) {
    page.eval("history.pushState(null, '', '#ahead'); history.back()").await;
    while page.eval("location.hash").await != "" {}
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

/// Stands in arguments for the address of the page they are tried on.
const OWN_URL: &str = "{page}";

/// The calls to make: one with a target wherever one can be given (each part of the kit is a
/// candidate), and one with only what is required if an example shows that this is enough.
fn calls(entry: &Entry) -> Vec<Vec<Map<String, Value>>> {
    let schema = (entry.schema)().to_value();
    let required: Vec<&str> =
        schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let bare: Map<String, Value> = required
        .iter()
        .filter(|name| **name != "selector")
        .map(|name| ((*name).to_owned(), value_for(name, entry, &required)))
        .collect();
    let mut calls = Vec::new();
    if schema["properties"].get("selector").is_some() {
        calls.push(targets(entry).map(|target| aimed(&bare, target)).collect());
    }
    let enough = |example: &Example| {
        let given = example.args.as_object().map(Map::len).unwrap_or_default();
        !matches!(example.expect, Expect::Fails(_))
            && given == required.len()
            && required.iter().all(|name| example.args.get(name).is_some())
    };
    if !required.contains(&"selector")
        && (calls.is_empty() || (entry.examples)().iter().any(enough))
    {
        calls.push(vec![bare]);
    }
    calls
}

fn aimed(args: &Map<String, Value>, target: &str) -> Map<String, Value> {
    let mut args = args.clone();
    args.insert("selector".into(), json!(target));
    args
}

/// Reading actions begin with the text, the others with what can be acted on.
fn targets(entry: &Entry) -> Box<dyn Iterator<Item = &'static str>> {
    match entry.access {
        Access::Reads => Box::new(KIT.into_iter().rev()),
        Access::Changes => Box::new(KIT.into_iter()),
    }
}

fn value_for(name: &str, entry: &Entry, required: &[&str]) -> Value {
    let aims = required.contains(&"selector");
    match name {
        "text" | "value" if aims => json!("hello"),
        "text" => json!("Kit text"),
        "label" => json!("Kit field"),
        "placeholder" => json!("Kit hint"),
        "role" => json!("button"),
        "key" => json!("Enter"),
        "url" => json!(OWN_URL),
        "script" => json!("1+1"),
        // Whatever else an action needs, its own examples show.
        other => (entry.examples)()
            .iter()
            .filter(|example| !matches!(example.expect, Expect::Fails(_)))
            .find_map(|example| example.args.get(other).cloned())
            .unwrap_or_else(|| panic!("{} needs '{other}' and no example has one", entry.name)),
    }
}
