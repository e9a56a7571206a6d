//! Every action of the registry on a page full of attacks: nothing the page says stands in our text
//! but in quotes, in a fence with a number it cannot know, or as one word of an address.

use btcp_actions::{Access, ENTRIES, Entry, Expect};
use btcp_testkit::{TestPage, open};
use serde_json::{Value, json};

const ATTACKS: usize = 5;

#[tokio::test]
async fn no_action_says_what_a_page_wrote_as_if_it_were_ours() {
    let mut tried = 0;
    for entry in ENTRIES.iter().filter(|entry| !matches!(entry.name, "describe" | "close")) {
        let mut page = open("boundary/attacks.html").await;
        for (at, args) in calls(entry).into_iter().enumerate() {
            // The call before may have gone elsewhere, or left a dialog open.
            let attack = json!({ "script": format!("attack({at})"), "timeout": "10s" });
            if page.call("evaluate", attack).await.is_err() {
                page = open("boundary/attacks.html").await;
                page.eval(&format!("attack({at})")).await;
            }
            assert_quoted(&page, entry.name, args).await;
            tried += 1;
            if entry.access == Access::Changes {
                // An open dialog, another tab: what came of it is told by the next ones too.
                for (name, args) in [
                    ("dialog", json!({ "response": "dismiss" })),
                    ("tabs", json!({ "do": "list" })),
                ] {
                    assert_quoted(&page, name, args).await;
                }
            }
        }
    }
    assert!(tried > 150, "only {tried} calls were tried");
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

/// What to ask of an action: its examples, turned on the elements of the page.
fn calls(entry: &Entry) -> Vec<Value> {
    let mut calls = Vec::new();
    for example in (entry.examples)() {
        let fails = matches!(example.expect, Expect::Fails(_));
        let Value::Object(mut args) = example.args else { continue };
        args.insert("timeout".into(), json!(800));
        if args.remove("url").is_some() {
            continue;
        }
        if !args.contains_key("selector") {
            calls.push(Value::Object(args));
            continue;
        }
        let on: &[&str] =
            if fails { &["#off", "#missing"] } else { &["#target", "#field", "#pick"] };
        for selector in on {
            args.insert("selector".into(), json!(selector));
            calls.push(Value::Object(args.clone()));
        }
        if calls.len() > 8 {
            break;
        }
    }
    calls
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
