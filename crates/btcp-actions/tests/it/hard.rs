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

/// What reading actions say of one part of the kit, by the fields of their answers.
const SAID: [&str; 11] = [
    "text", "html", "value", "visible", "enabled", "checked", "count", "role", "name", "content",
    "tree",
];

/// A call, and what the kit shows after it, or it says of the kit, where nothing is in the way.
#[derive(Clone)]
struct Trial {
    entry: &'static Entry,
    args: Map<String, Value>,
    kit: Kit,
    then: Option<String>,
}

/// What the kit holds when an action comes.
#[derive(Clone, Copy, PartialEq)]
enum Kit {
    Untouched,
    /// Its field has a text and its box a tick: what takes such away would do nothing otherwise.
    Filled,
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

/// A page that only looks poisoned would prove nothing.
#[tokio::test]
async fn the_poisoned_pages_are_poisoned() {
    let page = open("hard/poisoned.html").await;
    for (script, says) in [
        ("[1].map((x) => x)", "poisoned Array.map"),
        ("JSON.parse('1')", "poisoned JSON.parse"),
        ("document.querySelector('p')", "poisoned Document.querySelector"),
        ("document.body.getBoundingClientRect()", "poisoned Element.getBoundingClientRect"),
        ("new Map()", "poisoned Map"),
        ("new MutationObserver(() => {})", "poisoned MutationObserver"),
        ("setTimeout(() => {}, 0)", "poisoned setTimeout"),
        ("({}).value = 1", "poisoned setter value"),
    ] {
        let caught = format!("(() => {{ try {{ {script} }} catch (e) {{ return e.message }} }})()");
        assert_eq!(page.eval(&caught).await, says, "{script}");
    }

    let page = open("hard/clobbered.html").await;
    for (script, is) in [
        ("Object.prototype.toString.call(document.body)", "[object HTMLImageElement]"),
        ("Object.prototype.toString.call(document.title)", "[object HTMLImageElement]"),
        ("Object.prototype.toString.call(form.children)", "[object HTMLInputElement]"),
        ("Object.prototype.toString.call(form.textContent)", "[object HTMLInputElement]"),
    ] {
        assert_eq!(page.eval(script).await, is, "{script}");
    }
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
    let still = {
        let page = open(PLAIN).await;
        let untouched = shown(&page).await.expect("the plain page has the kit");
        fill_kit(&page).await.expect("the plain page takes it");
        [untouched, shown(&page).await.expect("the plain page has the kit")]
    };
    assert_ne!(still[0], still[1], "the kit shows what it holds");
    for entry in ENTRIES.iter().filter(|entry| entry.on_page) {
        let before = trials.len();
        let mut refusals = Vec::new();
        for candidates in calls(entry) {
            for args in candidates {
                // Most refuse only when their time is over; a wrong candidate need not take long.
                let mut quick = args.clone();
                quick.insert("timeout".into(), json!(3000));
                match try_plain(entry, &quick, &still).await {
                    Ok((kit, then)) => {
                        trials.push(Trial { entry, args, kit, then });
                        break;
                    }
                    Err(problem) => refusals.push(problem),
                }
            }
        }
        // The kit has no frame and no field for files: see `frames.rs` and `uploads.rs`.
        let files = (entry.schema)().to_value()["properties"].get("files").is_some();
        let tried = trials.len() > before || entry.group == Group::Frames || files;
        assert!(tried, "{} cannot be tried on the kit:\n{}", entry.name, refusals.join("\n"));
    }
    trials.sort_by_key(|trial: &Trial| trial.entry.access == Access::Changes);
    trials
}

/// Tries a call on the plain page: on the kit as it comes and, if that does nothing to it (`still` is
/// what it shows then, as it comes and filled), on one that has something to lose.
async fn try_plain(
    entry: &'static Entry,
    args: &Map<String, Value>,
    still: &[String; 2],
) -> Result<(Kit, Option<String>), String> {
    let then = run(&fresh().await, PLAIN, Opened::Anew(Kit::Untouched), entry, args).await?;
    if entry.group == Group::Interaction && then.as_ref() == Some(&still[0]) {
        let filled = run(&fresh().await, PLAIN, Opened::Anew(Kit::Filled), entry, args).await?;
        if filled.as_ref() != Some(&still[1]) {
            return Ok((Kit::Filled, filled));
        }
    }
    Ok((Kit::Untouched, then))
}

/// Puts something into the kit that can be taken away.
async fn fill_kit(page: &TestPage) -> Result<(), String> {
    let fields = json!([
        { "selector": "label=Kit box", "value": true },
        { "selector": "label=Kit field", "value": "before" },
    ]);
    let filled = page.call("fill_form", json!({ "fields": fields, "changes": false })).await;
    filled.map(drop).map_err(|failure| format!("filling the kit: {}", failure.text()))
}

/// What the kit's two outputs show.
async fn shown(page: &TestPage) -> Result<String, String> {
    let mut shown = Vec::new();
    for output in ["testid=kit-state", "testid=kit-felt"] {
        let read = page.call("get_text", json!({ "selector": output })).await;
        let read = read.map_err(|failure| format!("reading the kit: {}", failure.text()))?;
        shown.push(read.data["text"].as_str().unwrap_or_default().to_owned());
    }
    Ok(shown.join(", "))
}

async fn try_all(path: String, trials: Vec<Trial>) -> Vec<String> {
    let mut problems = Vec::new();
    let shared = fresh().await;
    let mut opened = false;
    for Trial { entry, args, kit, then } in trials {
        // What only reads leaves the page as it was for the next.
        let reads = entry.access == Access::Reads && !leaves_something(entry);
        let how = if reads && opened { Opened::There } else { Opened::Anew(kit) };
        opened = reads;
        let own;
        let page = match leaves_something(entry) {
            true => {
                own = fresh().await;
                &own
            }
            false => &shared,
        };
        let mut came = run(page, &path, how, entry, &args).await;
        if reads && came.as_ref().is_ok_and(|now| !is_like(now, &then)) {
            // It may have looked at what was there already and not yet to be seen.
            let shown = page.call("wait", json!({ "selector": "testid=kit-state" })).await;
            came = match shown {
                Ok(_) => run(page, &path, Opened::There, entry, &args).await,
                Err(failure) => Err(failure.text()),
            };
        }
        let problem = match came {
            // A document that was given is not the page's, and has what it was given.
            Ok(now) if is_like(&now, &then) && args.contains_key("html") => None,
            Ok(now) if is_like(&now, &then) => no_trace(page).await.err(),
            Ok(now) => Some(format!("there is {now:?}, on the plain page {then:?}")),
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

/// Whether the page is open already, or what its kit is to hold once it is.
#[derive(Clone, Copy, PartialEq)]
enum Opened {
    There,
    Anew(Kit),
}

/// A session in which nothing has happened.
async fn fresh() -> TestPage {
    open("describe.html").await
}

/// Whether a session is different afterwards, also on another page.
fn leaves_something(entry: &Entry) -> bool {
    let about_page = matches!(
        entry.group,
        Group::Interaction | Group::Locators | Group::Reading | Group::Waiting | Group::Script
    );
    !about_page
}

/// Opens the page, makes the call and reads what the kit shows then.
async fn run(
    page: &TestPage,
    path: &str,
    how: Opened,
    entry: &Entry,
    args: &Map<String, Value>,
) -> Result<Option<String>, String> {
    let url = server().url(path);
    if let Opened::Anew(kit) = how {
        if entry.access == Access::Changes {
            // Where the last call left the pointer it would be on the new page too.
            let aside = json!({ "kind": "move", "x": 1, "y": 1, "changes": false });
            page.call("mouse", aside).await.map_err(|failure| failure.text())?;
        }
        let there = json!({ "url": url, "waitUntil": "domcontentloaded" });
        page.call("navigate", there).await.map_err(|failure| failure.text())?;
        if kit == Kit::Filled {
            fill_kit(page).await?;
        }
    }
    let moves = entry.group == Group::Navigation && entry.access == Access::Changes;
    if moves {
        somewhere_ahead(page).await;
    }

    if entry.group == Group::State {
        // What a session is told, such as to be offline, may keep the rest of a page from coming.
        let kit = page.call("get_text", json!({ "selector": "testid=kit-state" })).await;
        kit.map_err(|failure| failure.text())?;
    }
    let about = args;
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

    let answer = match answer {
        Ok(outcome) => outcome.data,
        Err(failure) => {
            let done = failure.done.map(|done| done.name());
            let endless =
                path == NEVER_LOADS && moves && failure.code == "timeout" && done == Some("yes");
            if !endless {
                return Err(failure.text());
            }
            Value::Null
        }
    };
    if entry.access == Access::Reads && aims_at_kit(about) {
        return Ok(Some(said(&answer)));
    }
    if entry.access == Access::Reads || moves {
        return Ok(None);
    }
    shown(page).await.map(Some)
}

/// Whether it is about one part of the kit, which is the same on every page.
fn aims_at_kit(args: &Map<String, Value>) -> bool {
    let named = |value: &Value| value.as_str().is_some_and(|text| text.contains("Kit "));
    args.values().any(named)
}

/// What an answer says of the kit: the lines of a tree without their refs and depth.
fn said(answer: &Value) -> String {
    let fields = SAID.iter().filter_map(|field| Some((field, answer.get(field)?)));
    let told = fields.map(|(field, value)| match value.as_str() {
        Some(tree) if *field == "tree" => format!("{field} {:?}", lines_of_kit(tree)),
        _ => format!("{field} {value}"),
    });
    told.collect::<Vec<_>>().join(", ")
}

fn lines_of_kit(tree: &str) -> Vec<String> {
    let lines = tree.lines().filter(|line| line.contains("\"Kit "));
    let bare = |line: &str| -> String {
        let words = line.split_whitespace().filter(|word| !word.starts_with("@ref:"));
        words.collect::<Vec<_>>().join(" ")
    };
    lines.map(bare).collect()
}

/// Whether the same happened as on the plain page. The pointer may be on something by chance.
fn is_like(now: &Option<String>, then: &Option<String>) -> bool {
    let (Some(now), Some(then)) = (now, then) else { return now == then };
    match then.strip_suffix(", pointer on nobody") {
        Some(then) => now.split(", pointer on ").next() == Some(then),
        None => now == then,
    }
}

/// The page before is `describe.html`; this makes a place to go forward to.
async fn somewhere_ahead(page: &TestPage) {
    page.eval("history.pushState(null, '', '#ahead'); history.back()").await;
    page.until("location.hash === ''").await;
}

async fn no_trace(page: &TestPage) -> Result<(), String> {
    // React tells that its page is there some time after it was drawn, and so after the load.
    let own = "typeof kit === 'undefined' || kit.renders === undefined || kit.remembered > 1";
    let there = page.call("evaluate", json!({ "script": own })).await;
    if there.is_ok_and(|there| there.data["result"] == false) {
        page.until(own).await;
    }
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
        let mut candidates = vec![bare];
        // One of several has to be given: an example shows which.
        let shown = (entry.examples)().into_iter();
        let mut shown = shown.filter(|example| !matches!(example.expect, Expect::Fails(_)));
        candidates.extend(shown.next().and_then(|example| example.args.as_object().cloned()));
        calls.push(candidates);
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
        "script" | "expression" => json!("1+1"),
        "fields" => json!([{ "selector": "label=Kit field", "value": "hello" }]),
        "values" => json!(["hello"]),
        // Dragged onto something that takes nothing.
        "source" => json!("text=Kit text"),
        "target" => json!(r#"role=button[name="Kit button"]"#),
        "testId" => json!("kit-state"),
        "index" => json!(0),
        // One page never loads further.
        "state" => json!("domcontentloaded"),
        "alt" | "title" => json!("Kit picture"),
        "html" => json!(
            "<!doctype html><output data-testid=kit-state>another</output><output data-testid=kit-felt>page</output>"
        ),
        // Whatever else an action needs, its own examples show.
        other => (entry.examples)()
            .iter()
            .filter(|example| !matches!(example.expect, Expect::Fails(_)))
            .find_map(|example| example.args.get(other).cloned())
            .unwrap_or_else(|| panic!("{} needs '{other}' and no example has one", entry.name)),
    }
}
