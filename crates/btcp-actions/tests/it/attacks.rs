//! Every action of the registry on a page full of attacks: nothing the page says stands in our text
//! but in quotes, in a fence with a number it cannot know, or as one word of an address.

use btcp_actions::{Access, ENTRIES, Entry, Expect};
use btcp_testkit::{TestPage, open, server};
use serde_json::{Value, json};
use tokio::task::JoinSet;

const ATTACKS: usize = 5;

/// These say nothing of what a page has written, however they are asked.
const SILENT: &[&str] = &[
    // Numbers and sizes.
    "bounding_box",
    "count",
    "resize",
    "scroll",
    // Yes or no, or that it is so.
    "is_checked",
    "is_enabled",
    "is_visible",
    "wait",
    "wait_for_load_state",
    // How many there were.
    "close_tab",
    "cookies_clear",
    "storage_clear",
    // What the caller wrote itself: rules, cookies, items, keys, what pages are to believe.
    "addstyle",
    "cookies_set",
    "emulate",
    "keydown",
    "keyup",
    "set_offline",
    "storage_set",
    // Files of ours, by names of ours; sessions.
    "pdf",
    "screenshot",
    "session",
    "state_load",
    "state_save",
];

/// So many actions are tried at a time: most of it is waiting for what does not come.
const LANES: usize = 4;

#[tokio::test]
async fn no_action_says_what_a_page_wrote_as_if_it_were_ours() {
    // `describe` tells of actions, not of pages; after `close` there is none.
    let tried = |entry: &&Entry| !matches!(entry.name, "describe" | "close");
    let entries: Vec<&'static Entry> = ENTRIES.iter().filter(tried).collect();
    let mut lanes = JoinSet::new();
    for lane in 0..LANES {
        let entries = entries.clone();
        lanes.spawn(async move {
            for entry in entries.into_iter().skip(lane).step_by(LANES) {
                attack_by(entry).await;
            }
        });
    }
    lanes.join_all().await;
}

/// All calls of one action; what was said in them holds the page's words, unless it never can.
async fn attack_by(entry: &Entry) {
    let calls = calls(entry);
    assert!(!calls.is_empty(), "{} was not called", entry.name);
    let mut page = open(&address(0)).await;
    let mut said = String::new();
    for (at, args) in calls.into_iter().enumerate() {
        // The call before may have gone elsewhere, or left a dialog open.
        let attack = json!({ "script": format!("attack({at})"), "timeout": "10s" });
        if page.call("evaluate", attack).await.is_err() {
            page = open(&address(at)).await;
        }
        for (name, args) in before(entry.name) {
            assert_quoted(&page, name, args).await;
        }
        said += &assert_quoted(&page, entry.name, args).await;
        said.push('\n');
        if entry.access == Access::Changes {
            // An open dialog, another tab: what came of it is told by the next ones too.
            for (name, args) in
                [("dialog", json!({ "response": "dismiss" })), ("tabs", json!({ "do": "list" }))]
            {
                assert_quoted(&page, name, args).await;
            }
        }
    }
    // Nothing was attacked otherwise.
    let attacked = said.contains("ZZ");
    assert_eq!(attacked, !SILENT.contains(&entry.name), "{} said:\n{said}", entry.name);
}

/// Dialogs, errors, downloads and windows that come of a click, told at once and by who asks later.
#[tokio::test]
async fn what_comes_of_a_click_is_quoted_too() {
    for n in 0..ATTACKS {
        let page = open("boundary/attacks.html").await;
        page.eval(&format!("attack({n})")).await;
        for id in ["asks", "throws", "saves", "opens", "under", "off"] {
            // Of a word that only what came of it has: nothing was attacked otherwise.
            let tells = matches!(id, "asks" | "throws" | "saves");
            let timeout = if tells { "60s" } else { "3s" };
            let args = json!({ "selector": format!("#{id}"), "timeout": timeout });
            let said = assert_quoted(&page, "click", args).await;
            let told = n != 0 || !tells || said.contains("bank.test");
            assert!(told, "{id} said only:\n{said}");
            assert_quoted(&page, "snapshot", json!({})).await;
            assert_quoted(&page, "dialog", json!({ "response": "dismiss" })).await;
        }
        for (name, args) in [
            ("downloads", json!({})),
            ("get_all_tabs", json!({})),
            ("console", json!({})),
            ("find", json!({ "query": "ZZ" })),
            ("get_text", json!({ "selector": "#long" })),
            ("evaluate", json!({ "script": "throw new Error(words)" })),
            ("evaluate", json!({ "script": "throw words" })),
            ("evaluate", json!({ "script": "throw { words }" })),
            ("evaluate", json!({ "script": "const e = new Error('x'); e.name = words; throw e" })),
            ("evaluate", json!({ "script": "null[words]" })),
            ("evaluate", json!({ "script": "Promise.reject(new DOMException(words, words))" })),
        ] {
            assert_quoted(&page, name, args).await;
        }
    }
}

fn address(attack: usize) -> String {
    format!("boundary/attacks.html?attack={attack}")
}

/// What has to happen first, so that there is something to be told.
fn before(name: &str) -> Vec<(&'static str, Value)> {
    let click = |id: &str| ("click", json!({ "selector": id, "timeout": "10s" }));
    match name {
        "dialog" => vec![click("#asks")],
        "downloads" => vec![click("#saves")],
        "forward" => vec![("back", json!({}))],
        "insert_text" => vec![("focus", json!({ "selector": "#field" }))],
        "mainframe" => vec![("frame", json!({ "name": "QQ" }))],
        "clipboard" => vec![
            ("select_all", json!({ "selector": "#target" })),
            ("press", json!({ "key": "Control+c" })),
        ],
        _ => Vec::new(),
    }
}

/// What to ask of an action: its examples, turned on the page of attacks.
fn calls(entry: &Entry) -> Vec<Value> {
    let mut calls = Vec::new();
    for example in (entry.examples)() {
        let fails = matches!(example.expect, Expect::Fails(_));
        let Value::Object(written) = example.args else { continue };
        let mut args = written.clone();
        for (name, value) in &mut args {
            *value = turned(entry.name, name, value.take(), fails);
        }
        // What cannot be done on this page waits for as long; all else is done when it is done.
        let waits = fails || written.contains_key("selector") || written.contains_key("gone");
        args.insert("timeout".into(), if waits { json!(800) } else { json!("30s") });
        let on: &[&str] = match (written.contains_key("selector"), fails) {
            (false, _) => &[],
            (true, true) => &["#off", "#missing"],
            (true, false) => &["#target", "#field", "#pick"],
        };
        for selector in on {
            args.insert("selector".into(), json!(selector));
            calls.push(Value::Object(args.clone()));
        }
        if on.is_empty() {
            calls.push(Value::Object(args));
        }
        if calls.len() > 8 {
            break;
        }
    }
    calls
}

/// An argument of an example as it is given on the page of attacks: its address, its elements, its words.
fn turned(action: &str, name: &str, value: Value, fails: bool) -> Value {
    match (action, name, &value) {
        // Where nothing is found, what is there instead is told: the words of the page.
        ("drag", "source", _) => json!("#target"),
        ("drag", "target", Value::String(id)) if id != "#missing" => json!("#field"),
        ("fill_form", "fields", Value::Array(fields)) => {
            on_elements(fields, &["#field", "#box", "#pick"])
        }
        ("batch", "steps", Value::Array(steps)) if !fails => {
            on_elements(steps, &["#field", "#box", "#asks"])
        }
        ("frame", "url", _) if !fails => json!("srcdoc"),
        ("frame", "name", _) if !fails => json!("QQ"),
        ("wait_for_url", "url", _) if !fails => json!("attacks.html"),
        (_, "url", Value::String(url)) if url.starts_with("{origin}") => {
            json!(server().url(&address(0)))
        }
        ("evaluate", "script", _) => json!(if fails { "throw new Error(words)" } else { "words" }),
        ("wait_for_function", "expression", _) => {
            json!(if fails { "(() => { throw new Error(words) })()" } else { "words" })
        }
        ("addscript", "content", _) => json!("throw new Error(words)"),
        ("setcontent", "html", _) => json!("<title>ZZ e1</title><button>ZZ e2</button>"),
        ("find", "query", _) if !fails => json!("QQ"),
        ("wait", "text" | "gone", _) => json!("QQ"),
        (locator, "alt" | "label" | "placeholder" | "testId" | "text" | "title" | "name", _)
            if locator.starts_with("get_by_") && !fails =>
        {
            json!("QQ")
        }
        (_, _, Value::String(text)) => json!(server().fill_in(text)),
        (_, _, Value::Array(all)) => {
            all.iter().map(|one| turned(action, "", one.clone(), fails)).collect()
        }
        _ => value,
    }
}

/// Fields of a form and steps of a batch, each on an element of the page.
fn on_elements(parts: &[Value], ids: &[&str]) -> Value {
    let mut ids = ids.iter().cycle();
    let turned = parts.iter().map(|part| {
        let mut part = part.clone();
        if part["selector"].as_str().is_some_and(|id| !matches!(id, "#missing" | "#ro")) {
            part["selector"] = json!(ids.next());
        }
        part
    });
    turned.collect()
}

async fn assert_quoted(page: &TestPage, name: &str, args: Value) -> String {
    let text = match page.call(name, args.clone()).await {
        Ok(outcome) => outcome.text.for_model(),
        Err(failure) => failure.text(),
    };
    let about = || format!("{name} {args} said:\n{text}");
    let hidden = text.chars().find(|c| *c != '\n' && *c != '\t' && is_unseen(*c));
    assert!(
        hidden.is_none(),
        "{:?} in {}",
        hidden.map(|c| c.escape_unicode().to_string()),
        about()
    );
    let ours = match outside(&text) {
        Ok(ours) => ours,
        Err(problem) => panic!("{problem}: {}", about()),
    };
    for word in without_options(&ours).split_whitespace().filter(|word| word.contains("ZZ")) {
        let is_address = word.contains("://") || word.starts_with('/') || word.starts_with("blob:");
        assert!(
            is_address && !word.contains(['"', '\\', '<']),
            "{word:?} stands bare: {}",
            about()
        );
    }
    text
}

/// Labels of options may stand bare if they are plain words; `forgery.rs` sees to that.
fn without_options(ours: &str) -> String {
    let mut parts = ours.split("[options: ");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |all, part| all + part.split_once(']').map_or("", |(_, rest)| rest))
}

/// What is left without quoted strings and fenced blocks.
fn outside(text: &str) -> Result<String, String> {
    let (mut ours, mut rest) = (String::new(), text);
    while let Some(at) = rest.find(['"', '<']) {
        ours.push_str(&rest[..at]);
        rest = &rest[at..];
        if let Some(fence) = rest.strip_prefix("<page ") {
            let nonce = fence.split(' ').next().unwrap_or_default();
            let close = format!("\n</page {nonce}>");
            let end = fence.find(&close).ok_or("a fence that does not end")?;
            rest = &fence[end + close.len()..];
        } else if rest.starts_with('<') {
            ours.push('<');
            rest = &rest[1..];
        } else {
            let mut escaped = false;
            let end = rest.char_indices().skip(1).find(|(_, c)| {
                let ends = *c == '"' && !escaped;
                escaped = *c == '\\' && !escaped;
                ends
            });
            let (end, _) = end.ok_or("a quote that does not end")?;
            if rest[..end].contains('\n') {
                return Err("a quote over several lines".into());
            }
            ours.push(' ');
            rest = &rest[end + 1..];
        }
    }
    Ok(ours + rest)
}

fn is_unseen(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{ad}' | '\u{61c}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{e0000}'..='\u{e0fff}')
}
