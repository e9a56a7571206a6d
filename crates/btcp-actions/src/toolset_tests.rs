//! What a caller is told names only what the caller has: hints, descriptions, tips and effects,
//! over every kind of failure and every toolset.

use std::time::Duration;

use btcp_engine::{Effect, Error, Limited, Sessions, Settings};
use serde_json::{Map, Value, json};

use crate::did::Did;
use crate::error::{CallError, Fault};
use crate::outcome::Output;
use crate::{Caller, Catalog, ENTRIES, Grant, hints, toolsets};

fn catalog() -> Catalog {
    Catalog::new(Sessions::new(Settings::default()))
}

/// The presets, and every tool alone.
fn toolsets() -> Vec<(String, Grant)> {
    let catalog = catalog();
    let presets = toolsets::PRESETS.iter().map(|name| (*name).to_owned());
    let alone = ENTRIES.iter().map(|entry| entry.tool_name());
    presets.chain(alone).map(|name| (name.clone(), catalog.grant(&name).unwrap())).collect()
}

fn text(word: &str) -> String {
    word.to_owned()
}

/// One of each kind of failure. `kind` makes sure that none is forgotten.
fn errors() -> Vec<Error> {
    let target = || text("#a");
    let list = || vec![text("button \"Save\" e4")];
    let seconds = Duration::from_secs(1);
    vec![
        Error::NotFound { target: target(), similar: Vec::new() },
        Error::NotFound { target: target(), similar: list() },
        Error::StaleRef { target: target(), was: text("button \"A\""), similar: Vec::new() },
        Error::StaleRef { target: target(), was: text("button \"A\""), similar: list() },
        Error::Ambiguous { target: target(), count: 2, matches: list() },
        Error::BadSelector { target: target(), reason: text("it is empty") },
        Error::NoSuchTab { id: 7 },
        Error::NoHistory { direction: "back" },
        Error::NotVisible { target: target() },
        Error::Moving { target: target() },
        Error::Disabled { target: target(), what: text("button \"A\"") },
        Error::Covered { target: target(), by: text("dialog \"B\"") },
        Error::NotEditable { target: target(), what: text("button \"A\"") },
        Error::NoSuchOption { target: target(), value: text("x"), options: list() },
        Error::BadValue { value: text("x"), what: text("textbox"), wants: text("a date") },
        Error::BadParam { field: "key", message: text("Key 'x' is not known") },
        Error::OutsideViewport { target: target() },
        Error::NavigationFailed { message: text("net::ERR_FAILED") },
        Error::JavaScript { message: text("Error: x") },
        Error::DialogOpen { kind: text("confirm"), message: text("Sure?") },
        Error::NoDialog,
        Error::PageCrashed { url: text("https://a.test/") },
        Error::BrowserGone { reason: text("it was killed"), restarts: true },
        Error::BrowserGone { reason: text("it was killed"), restarts: false },
        Error::PageHung { waiting_for: "its answer", after: seconds },
        Error::NoBrowser { message: text("There is none"), how: text("Install one.") },
        Error::Denied { message: text("file: is denied") },
        Error::WriteFailed { path: text("/a"), reason: text("full") },
        Error::SessionGone { session: text("a") },
        Error::Timeout { after: seconds, waiting_for: text("load") },
        Error::Cancelled,
        Error::Internal { message: text("x") },
        Error::SessionLimit { of: Limited::Tabs, message: text("50 tabs are open") },
        Error::SessionLimit { of: Limited::Sessions, message: text("50 sessions are open") },
        Error::SessionLimit { of: Limited::Crashes, message: text("It crashed 3 times") },
        Error::SessionLimit { of: Limited::Memory, message: text("Its pages held 2 GB") },
        Error::FolderDenied { message: text("'/a' may not be read"), allowed: vec![text("/b")] },
        Error::FileNotFound { path: text("/a") },
        Error::FileUnreadable { path: text("/a"), reason: text("it is a folder") },
        Error::TooLarge { message: text("File /a has 2 bytes") },
        Error::TakesNoFiles { target: target(), what: text("button e1"), why: "it is none" },
        Error::SecretDenied { name: text("A"), origin: text("x"), origins: vec![text("y")] },
        Error::SecretShown { what: "A PDF", name: text("A"), why: "it is there" },
        Error::ScriptAddress { pressed: target(), what: text("link \"A\" e1") },
        Error::NoSuchTool { name: text("x"), similar: Vec::new() },
        Error::NoSuchTool { name: text("x"), similar: vec![text("\"xs\"")] },
        Error::AmbiguousTool { name: text("x"), count: 2, origins: vec![text("\"a\"")] },
        Error::AmbiguousTool { name: text("x"), count: 2, origins: vec![text("a"), text("b")] },
    ]
}

/// No wildcard: a new kind does not compile here until it has a number, and then is missed above.
fn kind(error: &Error) -> usize {
    match error {
        Error::NotFound { .. } => 0,
        Error::StaleRef { .. } => 1,
        Error::Ambiguous { .. } => 2,
        Error::BadSelector { .. } => 3,
        Error::NoSuchTab { .. } => 4,
        Error::NoHistory { .. } => 5,
        Error::NotVisible { .. } => 6,
        Error::Moving { .. } => 7,
        Error::Disabled { .. } => 8,
        Error::Covered { .. } => 9,
        Error::NotEditable { .. } => 10,
        Error::NoSuchOption { .. } => 11,
        Error::BadValue { .. } => 12,
        Error::BadParam { .. } => 13,
        Error::OutsideViewport { .. } => 14,
        Error::NavigationFailed { .. } => 15,
        Error::JavaScript { .. } => 16,
        Error::DialogOpen { .. } => 17,
        Error::NoDialog => 18,
        Error::PageCrashed { .. } => 19,
        Error::BrowserGone { .. } => 20,
        Error::PageHung { .. } => 21,
        Error::NoBrowser { .. } => 22,
        Error::Denied { .. } => 23,
        Error::WriteFailed { .. } => 24,
        Error::SessionGone { .. } => 25,
        Error::Timeout { .. } => 26,
        Error::Cancelled => 27,
        Error::Internal { .. } => 28,
        Error::SessionLimit { .. } => 29,
        Error::FolderDenied { .. } => 30,
        Error::FileNotFound { .. } => 31,
        Error::FileUnreadable { .. } => 32,
        Error::TooLarge { .. } => 33,
        Error::TakesNoFiles { .. } => 34,
        Error::SecretDenied { .. } => 35,
        Error::SecretShown { .. } => 36,
        Error::ScriptAddress { .. } => 37,
        Error::NoSuchTool { .. } => 38,
        Error::AmbiguousTool { .. } => 39,
    }
}

const KINDS: usize = 40;

fn call_errors() -> Vec<CallError> {
    let invalid = |hint| CallError::InvalidParams { field: None, reason: text("x"), hint };
    vec![
        CallError::UnknownTool { name: text("x"), suggestions: Vec::new() },
        invalid(None),
        invalid(Some(text("Did you mean 'key'?"))),
        CallError::Denied { message: text("x") },
        CallError::NotGranted { message: text("x") },
    ]
}

/// The first name of an action outside the toolset: a tool's, or an action's where it is quoted or
/// could be nothing else (`get_text`).
fn stranger(text: &str, grant: &Grant) -> Option<String> {
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut at = 0;
    for word in text.split(|c: char| !is_name(c)) {
        let start = text[at..].find(word).map_or(at, |found| at + found);
        at = start + word.len();
        let before = text[..start].chars().next_back().unwrap_or(' ');
        let after = text[at..].chars().next().unwrap_or(' ');
        let quoted = before == after && matches!(before, '`' | '\'' | '"');
        let outside = |entry: &&crate::Entry| !grant.has(entry.name);
        let named = ENTRIES.iter().filter(outside).find(|entry| {
            word == entry.tool_name() || (word == entry.name && (quoted || word.contains('_')))
        });
        if let Some(entry) = named {
            return Some(format!("{} in: {text}", entry.name));
        }
    }
    None
}

#[test]
fn every_kind_of_failure_is_tried() {
    let mut kinds: Vec<usize> = errors().iter().map(kind).collect();
    kinds.dedup();
    assert_eq!(kinds, (0..KINDS).collect::<Vec<_>>());
}

#[test]
fn no_failure_names_an_action_outside_the_toolset() {
    let catalog = catalog();
    let faults: Vec<Fault> = errors()
        .into_iter()
        .map(Fault::Page)
        .chain(call_errors().into_iter().map(Fault::Call))
        .collect();
    let mut told = 0;
    for (toolset, grant) in toolsets() {
        for fault in &faults {
            assert_eq!(stranger(&fault.to_string(), &grant), None, "with {toolset}");
            if let Some(hint) = hints::best(fault, &catalog, &grant) {
                told += 1;
                assert_eq!(stranger(&hint, &grant), None, "with {toolset}, {fault}");
                assert!(!hint.contains("{}"), "with {toolset}: {hint}");
            }
        }
    }
    assert!(told > faults.len(), "only {told} hints were told");
}

#[test]
fn a_caller_with_every_tool_has_a_hint_for_everything() {
    let catalog = catalog();
    let all = catalog.grant("all").unwrap();
    for error in errors() {
        let hint = hints::best(&Fault::Page(error.clone()), &catalog, &all);
        assert!(hint.is_some(), "no hint for {error}");
    }
}

/// Whoever can close tabs is told by which tool, whichever it is.
#[test]
fn who_has_too_many_tabs_is_told_how_to_close_some() {
    let catalog = catalog();
    for (toolset, tool) in [
        ("agent", "browser_tabs"),
        ("all", "browser_tabs"),
        ("browser_close_tab", "browser_close_tab"),
    ] {
        let limit = Error::SessionLimit { of: Limited::Tabs, message: text("50 tabs are open") };
        let grant = catalog.grant(toolset).unwrap();
        let hint = hints::best(&Fault::Page(limit), &catalog, &grant);
        assert_eq!(hint, Some(format!("Close what is not needed with {tool}.")), "with {toolset}");
    }
}

#[tokio::test]
async fn describe_names_no_action_outside_the_toolset() {
    let catalog = catalog();
    for (toolset, grant) in toolsets() {
        if !grant.has("describe") {
            continue;
        }
        let caller = Caller::new(text("a"), grant.clone());
        for asked in std::iter::once(None).chain(grant.tools().iter().map(Some)) {
            let args: Map<String, Value> =
                asked.iter().map(|name| (text("action"), json!(name))).collect();
            let outcome = catalog.call(&caller, "describe", args).await.unwrap();
            for prose in prose(&outcome.data) {
                assert_eq!(stranger(&prose, &grant), None, "with {toolset}, {asked:?}");
            }
            let said = outcome.text.for_model();
            let tools = said.split_whitespace().filter(|word| word.contains("browser_"));
            for word in tools {
                assert_eq!(stranger(word, &grant), None, "with {toolset}, {asked:?}");
            }
        }
    }
}

/// Each action is described whole, by its own name: what it takes, what it answers with, how it is
/// used.
#[tokio::test]
async fn every_action_is_described_in_full() {
    let catalog = catalog();
    let caller = Caller::new(text("a"), catalog.grant("all").unwrap());
    for entry in ENTRIES {
        let args = Map::from_iter([(text("action"), json!(entry.name))]);
        let told = catalog.call(&caller, "describe", args).await.unwrap();
        assert_eq!(told.data["name"], entry.name);
        let examples = told.data["examples"].as_array().unwrap();
        assert!(!examples.is_empty(), "{}", entry.name);
        let returns = told.data["returns"].as_str().unwrap();
        let said = told.text.for_model();
        assert!(returns.contains('{') || returns == "any value", "{}: {returns}", entry.name);
        assert!(said.contains(&format!("\nReturns {returns}\n")), "{said}");
        assert!(!said.contains("{origin}"), "{said}");
        let takes = told.data["parameters"]["properties"].as_object().unwrap();
        let unlisted = entry.unlisted.iter().map(|(name, _)| *name);
        let long = ["maxChars", "offset"].into_iter().filter(|_| entry.long);
        for name in unlisted.chain(long) {
            let says = takes[name]["description"].as_str().unwrap_or_default();
            assert!(!says.is_empty(), "{} takes {name}", entry.name);
            assert!(said.contains(&format!("\n  {name}")), "{said}");
        }
    }
}

/// What is sentences in a description; names of parameters and arguments of examples are not.
fn prose(data: &Value) -> Vec<String> {
    let strings = |value: &Value| -> Vec<String> {
        let list = value.as_array().cloned().unwrap_or_else(|| vec![value.clone()]);
        list.iter().filter_map(Value::as_str).map(str::to_owned).collect()
    };
    let mut all: Vec<String> =
        ["description", "returns", "tips"].iter().flat_map(|key| strings(&data[key])).collect();
    // Steps of the workflow are names or sentences; a name counts as quoted.
    let steps = data["workflow"].as_str().unwrap_or_default().split(", ");
    all.extend(steps.map(|step| format!("`{step}`")));
    let fields = data["parameters"]["properties"].as_object().cloned().unwrap_or_default();
    all.extend(fields.values().flat_map(|field| strings(&field["description"])));
    all.extend(strings(&data["actions"]).into_iter().map(|name| format!("`{name}`")));
    all
}

#[test]
fn tips_and_descriptions_name_only_their_own_action() {
    for entry in ENTRIES {
        let alone = Grant::for_tools(vec![entry.name]);
        let tool = crate::export::tool(entry);
        for said in entry.tips.iter().copied().chain([tool.description.as_str()]) {
            assert_eq!(stranger(said, &alone), None, "{}", entry.name);
        }
    }
}

#[test]
fn no_effect_names_an_action() {
    let nobody = Grant::for_tools(Vec::new());
    let came: [fn(&mut Effect); 7] = [
        |_| {},
        |effect| effect.changed = true,
        |effect| effect.still_loading = true,
        |effect| effect.dialog = Some(confirm(None)),
        |effect| effect.dialog = Some(confirm(Some("dismissed"))),
        |effect| effect.new_tab = Some((2, text("https://a.test/"))),
        |effect| {
            effect.received_by = Some(text("label \"A\""));
            effect.released_over = Some(text("label \"B\""));
            effect.console_errors = vec![text("oh")];
            effect.failed_requests = vec![text("404 https://a.test/x")];
        },
    ];
    for come in came {
        let mut effect = Effect::default();
        come(&mut effect);
        let mut did = Did::plain("pressed Enter").note(Some(text("through label \"A\"")));
        *did.effect().unwrap() = Some(effect);
        assert_eq!(stranger(&did.text().for_model(), &nobody), None);
    }
}

fn confirm(answered: Option<&'static str>) -> btcp_engine::Dialog {
    let (kind, message) = (text("confirm"), text("Sure?"));
    btcp_engine::Dialog { kind, message, answered, ..Default::default() }
}

#[test]
fn a_stranger_is_recognised() {
    let nobody = Grant::for_tools(Vec::new());
    for named in ["Use browser_fill.", "Use `fill`, it is faster", "Use 'click'", "get_text reads"]
    {
        assert!(stranger(named, &nobody).is_some(), "{named}");
    }
    assert_eq!(stranger("Wait and click, then type; browser_filling \"Save\"", &nobody), None);
    assert_eq!(stranger("Use browser_fill.", &Grant::for_tools(vec!["fill"])), None);
}
