//! Secrets are used by name, go only where they may, and come back by no way and in no form.

use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use btcp_actions::{ENTRIES, Expect};
use btcp_engine::{Secrets, Settings, SystemKeyring};
use btcp_testkit::{TestPage, empty_with, server};
use serde_json::{Value, json};

use crate::refusal::{assert_goes_on, refused, text_of};

const VALUE: &str = "S3cret \"q\" \\ &<ü>/+%41'key";
const NAMED: &str = "{{secret:KEY}}";

async fn page() -> TestPage {
    let mut secrets = Secrets::default();
    let known = json!({ "KEY": { "value": VALUE, "origins": [server().origin()] } });
    secrets.read_file(&known.to_string(), &SystemKeyring).expect("they are well written");
    let page = empty_with(Settings { secrets, spare: false, ..Settings::default() }).await;
    let url = server().url("boundary/secrets.html");
    page.call("navigate", json!({ "url": url, "timeout": "60s" })).await.expect("it opens");
    page
}

/// Everything a call gives back, in one text.
async fn returned(page: &TestPage, name: &str, args: Value) -> String {
    match page.call(name, args).await {
        Ok(outcome) => {
            format!("{}\n{}\n{}", outcome.text.for_model(), outcome.text.plain(), outcome.data)
        }
        Err(failure) => format!("{}\n{}", failure.text(), failure.to_json()),
    }
}

/// The parts by which one would know it again, whatever is around them.
fn parts() -> Vec<String> {
    let encoded = |before: &str| {
        let digits = STANDARD.encode(format!("{before}{VALUE}"));
        digits[8..digits.len() - 8].to_owned()
    };
    let hex: String = VALUE.bytes().take(8).map(|byte| format!("{byte:02x}")).collect();
    let told = ["S3cret", "S3c%", "41'key", "%2541", &hex].map(str::to_owned);
    told.into_iter().chain(["", "x", "xy"].map(encoded)).collect()
}

fn assert_hidden(text: &str, about: &str) {
    for part in parts() {
        assert!(!text.contains(&part), "{about} gave back {part}:\n{text}");
    }
}

/// The same in the bytes of every file below a folder; how many there are.
fn assert_hidden_in_files(folder: &Path) -> usize {
    let mut count = 0;
    for entry in std::fs::read_dir(folder).expect("it is there").map_while(Result::ok) {
        let path = entry.path();
        if path.is_dir() {
            count += assert_hidden_in_files(&path);
            continue;
        }
        let bytes = std::fs::read(&path).expect("it is ours");
        for part in parts() {
            // As it is, and in the two bytes a character that PDF and pictures write.
            let [low, high] = [u16::to_le_bytes, u16::to_be_bytes]
                .map(|order| part.encode_utf16().flat_map(order).collect::<Vec<u8>>());
            for form in [part.clone().into_bytes(), low, high] {
                let found = bytes.windows(form.len()).any(|window| window == form);
                assert!(!found, "{part} is in {}", path.display());
            }
        }
        count += 1;
    }
    count
}

#[tokio::test]
async fn a_secret_comes_back_by_no_way_and_in_no_form() {
    let page = page().await;
    let said = returned(&page, "fill", json!({ "selector": "#token", "value": NAMED })).await;
    assert_hidden(&said, "fill");
    assert!(said.contains(NAMED), "{said}");
    let said = returned(&page, "type", json!({ "selector": "#typed", "text": NAMED })).await;
    assert_hidden(&said, "type");
    let same = json!({ "script": "typed.value === token.value && token.value.length" });
    let length = page.call("evaluate", same).await.unwrap().data["result"].clone();
    assert_eq!(length, VALUE.chars().count(), "the page got something else");

    let looks = [
        ("snapshot", json!({})),
        ("get_text", json!({ "selector": "#out" })),
        ("get_attribute", json!({ "selector": "#button", "attribute": "aria-label" })),
        ("title", json!({})),
        ("url", json!({})),
        ("get_all_tabs", json!({})),
        ("console", json!({ "clear": true })),
        ("find", json!({ "query": "/./" })),
        ("select", json!({ "selector": "#pick", "value": "none", "timeout": 500 })),
        ("hover", json!({ "selector": "#button" })),
    ];
    for way in ["text", "title", "label", "console", "address", "option"] {
        for form in [
            "raw",
            "json",
            "json2",
            "component",
            "form",
            "base64",
            "base64one",
            "base64two",
            "html",
            "hex",
        ] {
            let script = format!("give('{way}', '{form}')");
            page.call("evaluate", json!({ "script": script })).await.unwrap();
            let direct = match way {
                "text" => &looks[1],
                "title" => &looks[3],
                "label" => &looks[2],
                "console" => &looks[6],
                "address" => &looks[4],
                _ => &looks[8],
            };
            let text = returned(&page, direct.0, direct.1.clone()).await;
            assert_hidden(&text, &format!("{} of {form} in {way}", direct.0));
            // It was there to be told.
            assert!(text.contains(NAMED), "{} of {form} in {way}: {text}", direct.0);
            let text = returned(&page, "snapshot", json!({})).await;
            assert_hidden(&text, &format!("snapshot of {form} in {way}"));
        }
    }
    for (name, args) in &looks {
        let text = returned(&page, name, args.clone()).await;
        assert_hidden(&text, name);
    }
    for form in ["raw", "json", "base64one"] {
        for script in [
            format!("given('{form}')"),
            format!("({{ [given('{form}')]: [given('{form}')] }})"),
            format!("throw new Error(given('{form}'))"),
            format!("throw given('{form}')"),
            format!("document.querySelector(given('{form}') + '[')"),
        ] {
            let text = returned(&page, "evaluate", json!({ "script": script })).await;
            assert_hidden(&text, &script);
            assert!(text.contains(NAMED), "{script}: {text}");
        }
    }
    page.call("evaluate", json!({ "script": "split()" })).await.unwrap();
    let split = returned(&page, "console", json!({})).await;
    assert!(!split.contains("S3cret") && split.contains(NAMED), "{split}");
    let asked = returned(&page, "click", json!({ "selector": "#button" })).await;
    assert_hidden(&asked, "a dialog");
}

#[tokio::test]
async fn a_secret_goes_only_to_its_origin_and_only_into_fields() {
    let page = page().await;
    let inner = "iframe[title=Other] >> #inner";
    for (name, args, code, says) in [
        ("fill", json!({ "selector": inner, "value": NAMED }), "denied", "may not be used on"),
        ("type", json!({ "selector": inner, "text": NAMED }), "denied", "may not be used on"),
        ("evaluate", json!({ "script": format!("'{NAMED}'") }), "denied", "only in text"),
        ("navigate", json!({ "url": format!("/?{NAMED}") }), "denied", "only in text"),
        ("click", json!({ "selector": format!("text={NAMED}") }), "denied", "only in text"),
        ("wait", json!({ "text": NAMED }), "denied", "only in text"),
        ("get_by_text", json!({ "text": NAMED }), "denied", "only in text"),
        ("get_by_label", json!({ "text": NAMED, "subaction": "click" }), "denied", "only in text"),
        (
            "get_by_label",
            json!({ "label": NAMED, "subaction": "fill", "value": "x" }),
            "denied",
            "only in text",
        ),
        (
            "fill",
            json!({ "selector": "#token", "value": "{{secret:NO}}" }),
            "invalid_params",
            "KEY",
        ),
    ] {
        let failure = refused(&page, name, args).await;
        assert_eq!(failure.code, code, "{name}: {}", failure.text());
        assert!(failure.message.contains(says), "{name}: {}", failure.text());
        assert_ne!(failure.done.map(|done| done.name()), Some("yes"), "{}", failure.text());
        assert_hidden(&failure.text(), name);
    }
    assert!(page.log().await.is_empty(), "the other site saw {:?}", page.log().await);
    let elsewhere = format!("{}/boundary/secrets.html", server().other_origin());
    page.call("fill", json!({ "selector": "#token", "value": NAMED })).await.unwrap();
    for key in ["Control+a", "Control+c"] {
        page.call("press", json!({ "key": key, "selector": "#token" })).await.unwrap();
    }
    assert_eq!(
        returned(&page, "clipboard", json!({ "do": "read" })).await.matches(NAMED).count(),
        3
    );
    page.call("press", json!({ "key": "Control+v", "selector": "#typed" })).await.unwrap();
    assert_eq!(page.eval("typed.value === token.value").await, true);

    page.call("navigate", json!({ "url": elsewhere })).await.unwrap();
    let pasted = json!({ "key": "Control+v", "selector": "#typed" });
    let failure = refused(&page, "press", pasted).await;
    assert_eq!(failure.code, "denied", "{}", failure.text());
    assert_eq!(failure.done.map(|done| done.name()), Some("no"), "{}", failure.text());
    assert_eq!(page.eval("typed.value").await, "");
    let failure = refused(&page, "fill", json!({ "selector": "#token", "value": NAMED })).await;
    assert_eq!(failure.code, "denied", "{}", failure.text());
    assert_eq!(page.eval("token.value").await, "");
    assert_goes_on(&page).await;
}

/// A page with secrets of its own, at this address.
async fn page_with(known: Value, path: &str) -> TestPage {
    let mut secrets = Secrets::default();
    secrets.read_file(&known.to_string(), &SystemKeyring).expect("they are well written");
    let page = empty_with(Settings { secrets, spare: false, ..Settings::default() }).await;
    let open = json!({ "url": server().url(path), "timeout": "60s" });
    page.call("navigate", open).await.expect("it opens");
    page
}

/// Keys go to whoever has the focus, and any frame can take it: a secret is put in where it was checked.
#[tokio::test]
async fn a_frame_that_takes_the_focus_gets_nothing_of_a_secret() {
    let bound = |value: &str| json!({ "value": value, "origins": [server().origin()] });
    let known =
        json!({ "KEY": bound(VALUE), "CODE": bound("4815"), "CARD": bound("4929003481756612") });
    let page = page_with(known, "boundary/focus.html").await;
    page.eval("stealing").await;
    let same = |id: &str| format!("{id}.value.length === {}", VALUE.chars().count());
    let boxes = "[...code.querySelectorAll('input')].map((box) => box.value).join() === '4,8,1,5'";
    for (action, args, holds) in [
        ("type", json!({ "selector": "#token", "text": NAMED, "delay": 3 }), same("token")),
        (
            "type",
            json!({ "selector": "#token", "text": NAMED, "clear": true }),
            format!("{} && keys.includes('S') && keys.includes('input S')", same("token")),
        ),
        ("fill", json!({ "selector": "#area", "value": NAMED }), same("area")),
        (
            "fill",
            json!({ "selector": "#rich", "value": NAMED }),
            "rich.textContent.startsWith('S3cret') && rich.textContent.endsWith('key')".into(),
        ),
        (
            "type",
            json!({ "selector": "#groups", "text": "{{secret:CARD}}" }),
            "groups.value === '4929 0034 8175 6612'".into(),
        ),
        ("type", json!({ "selector": "label=1", "text": "{{secret:CODE}}" }), boxes.into()),
    ] {
        let args = {
            let mut args = args;
            args["timeout"] = json!("60s");
            args
        };
        let said = returned(&page, action, args.clone()).await;
        assert_hidden(&said, action);
        assert!(!said.contains("4929"), "{args}: {said}");
        assert_eq!(page.eval("stolen").await, json!([]), "{action}: {args}: {said}");
        assert_eq!(page.eval(&holds).await, true, "{action}: {args}: {said}");
    }
    // A line break is a key like any other.
    let line = json!({ "selector": "#area", "text": format!("{NAMED}\n"), "clear": true });
    text_of(&page, "type", line).await;
    assert_eq!(
        page.eval("stolen.filter((what) => !/Enter|null|undefined/.test(what))").await,
        json!([])
    );
}

/// What stands in a field in which a secret was put is told by the secret's name, whatever the page
/// has made of it; and so is what it shows elsewhere in other letters or groups.
#[tokio::test]
async fn a_field_that_rewrites_a_secret_does_not_give_it_back() {
    let value = "Wqong-Hxrse-4929-Stxple-Zq7x";
    let known = json!({ "KEY": { "value": value, "origins": [server().origin()] } });
    let page = page_with(known, "boundary/rewrites.html").await;
    let hidden = |text: &str, about: &str| {
        let lower = text.to_lowercase();
        for part in ["wqon", "qong", "hxrs", "stxp", "zq7x"] {
            assert!(!lower.contains(part), "{about} gave back {part}: {text}");
        }
    };
    for field in ["groups", "upper", "last", "short", "area", "rich"] {
        let selector = format!("#{field}");
        for (action, key) in [("fill", "value"), ("type", "text")] {
            let mut args = json!({ "selector": selector, "timeout": "60s" });
            args[key] = json!(NAMED);
            if action == "type" {
                page.call("clear", json!({ "selector": selector })).await.expect("it is cleared");
            }
            let said = returned(&page, action, args).await;
            hidden(&said, &format!("{action} into {field}"));
            assert!(said.contains(NAMED), "{action} into {field}: {said}");
        }
        let holds = page.eval(&format!("({field}.value ?? {field}.textContent).length > 3")).await;
        assert_eq!(holds, true, "{field} holds nothing");
        for (action, args) in [
            ("snapshot", json!({})),
            ("find", json!({ "query": "/./" })),
            ("get_text", json!({ "selector": selector })),
            ("inner_text", json!({ "selector": selector })),
            ("inner_html", json!({ "selector": selector })),
            ("input_value", json!({ "selector": selector })),
            ("get_attribute", json!({ "selector": selector, "attribute": "value" })),
            ("get_by_label", json!({ "label": field })),
        ] {
            hidden(&returned(&page, action, args).await, &format!("{action} of {field}"));
        }
    }
    // What the page shows elsewhere, in groups and in capitals.
    page.call("fill", json!({ "selector": "#groups", "value": NAMED }))
        .await
        .expect("it is filled");
    for (action, args) in [
        ("snapshot", json!({})),
        ("inner_text", json!({ "selector": "#shown" })),
        ("get_text", json!({ "selector": "#shown" })),
        ("get_page_content", json!({ "type": "text" })),
        ("evaluate", json!({ "script": "({ [upper.value]: groups.value })" })),
    ] {
        let said = returned(&page, action, args).await;
        hidden(&said, action);
        assert!(said.contains(NAMED), "{action}: {said}");
    }
    // With something else in it, that is told.
    page.call("fill", json!({ "selector": "#last", "value": "open" })).await.expect("it is filled");
    let said = returned(&page, "input_value", json!({ "selector": "#last" })).await;
    assert!(said.contains("open"), "{said}");
}

/// What is saved, what was too long to be told, and what any action writes under a name it is given.
#[tokio::test]
async fn a_secret_is_in_no_file_that_an_action_writes() {
    let page = page().await;
    text_of(&page, "fill", json!({ "selector": "#token", "value": NAMED })).await;
    page.eval("store()").await;
    let saved = page.call("state_save", json!({ "path": "state.json" })).await.unwrap();
    assert_eq!(saved.data["masked"], true, "{}", saved.data);
    let path = saved.data["path"].as_str().expect("a path").to_owned();
    let state: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
    let names = state.to_string().matches(NAMED).count();
    assert!(names > 40, "{names} of what the page stored: {state}");
    let databases = state["storage"].to_string();
    assert!(databases.contains("indexedDB") && databases.contains("given"), "{databases}");

    // What is longer than an answer may be is in a file too.
    for script in ["given('raw').repeat(2000)", "[given('json2'), 'x'.repeat(20000)]"] {
        let text = text_of(&page, "evaluate", json!({ "script": script })).await;
        assert!(text.contains("all of it is in"), "{script}: {text}");
    }
    page.eval("give('text', 'raw'), out.append('x'.repeat(20000)), 1").await;
    for (name, args) in [
        ("get_page_content", json!({ "type": "text" })),
        ("content", json!({})),
        ("inner_html", json!({ "selector": "body" })),
    ] {
        let text = text_of(&page, name, args).await;
        assert!(text.contains("all of it is in"), "{name}: {text}");
    }
    text_of(&page, "screenshot", json!({ "fullPage": true })).await;

    let mut tried = 0;
    for entry in ENTRIES {
        for example in (entry.examples)() {
            let Value::Object(mut args) = example.args else { continue };
            if matches!(example.expect, Expect::Fails(_)) || !args.contains_key("path") {
                continue;
            }
            args.insert("path".into(), json!(format!("{}-{tried}", entry.name)));
            tried += 1;
            // It may well be refused.
            let _ = page.call(entry.name, Value::Object(args)).await;
        }
    }
    assert!(tried >= 2, "only {tried} examples write a file");
    let folder = Path::new(&path).parent().expect("it is in the session's folder");
    let files = assert_hidden_in_files(folder);
    assert!(files >= 7, "only {files} files were written");

    // It can be loaded, names and all.
    text_of(&page, "state_load", json!({ "path": "state.json" })).await;
    assert_eq!(page.eval("[localStorage.raw, sessionStorage.raw]").await, json!([NAMED, NAMED]));
}
