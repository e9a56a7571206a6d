//! Every call that the document of the aiCore plugin shows is one the schemas accept.
//!
//! Tool names and arguments are interface; they are its tables and examples, as calls.

use serde_json::{Value, json};

use crate::{CallParams, ENTRIES, toolsets};

fn calls() -> Vec<(&'static str, Value)> {
    let mut calls = reading();
    calls.extend(acting());
    calls.extend(locating());
    calls
}

fn reading() -> Vec<(&'static str, Value)> {
    vec![
        ("browser_url", json!({})),
        ("browser_title", json!({})),
        ("browser_snapshot", json!({})),
        ("browser_snapshot", json!({ "selector": "main", "maxDepth": 5 })),
        ("browser_get_text", json!({ "selector": "@ref:5" })),
        ("browser_get_text", json!({ "selector": ".result-item" })),
        ("browser_get_attribute", json!({ "selector": "@ref:5", "attribute": "href" })),
        ("browser_is_visible", json!({ "selector": ".success-message" })),
        ("browser_is_enabled", json!({ "selector": "@ref:5" })),
        ("browser_count", json!({ "selector": "li" })),
        ("browser_wait", json!({ "timeout": 1000 })),
        ("browser_wait", json!({ "selector": ".results" })),
        ("browser_wait", json!({ "selector": "#a", "state": "attached", "timeout": 1000 })),
        ("browser_wait", json!({ "selector": "#a", "state": "visible" })),
        ("browser_wait", json!({ "selector": "#a", "state": "hidden" })),
        ("browser_wait_for_url", json!({ "url": "search?q=" })),
        ("browser_wait_for_url", json!({ "url": "search?q=", "timeout": 1000 })),
        ("waitforurl", json!({ "url": "search?q=", "timeout": 1000 })),
        ("browser_screenshot", json!({})),
        ("browser_screenshot", json!({ "selector": "#a", "format": "png" })),
        ("browser_screenshot", json!({ "fullPage": true, "format": "jpeg", "quality": 80 })),
        ("browser_screenshot", json!({ "format": "webp", "quality": 0 })),
        ("browser_console", json!({})),
        ("browser_console", json!({ "clear": true })),
        ("browser_describe", json!({})),
        ("browser_describe", json!({ "action": "click" })),
        ("browser_describe", json!({ "action": "clck" })),
    ]
}

fn acting() -> Vec<(&'static str, Value)> {
    vec![
        ("browser_navigate", json!({ "url": "https://news.ycombinator.com" })),
        ("browser_navigate", json!({ "url": "https://a.test", "waitUntil": "load" })),
        ("browser_navigate", json!({ "url": "https://a.test", "waitUntil": "domcontentloaded" })),
        ("browser_navigate", json!({ "url": "https://a.test", "waitUntil": "networkidle" })),
        ("browser_back", json!({})),
        ("browser_forward", json!({})),
        ("browser_reload", json!({})),
        ("browser_click", json!({ "selector": "@ref:5" })),
        ("browser_click", json!({ "selector": "#a", "button": "left" })),
        ("browser_click", json!({ "selector": "#a", "button": "right", "clickCount": 2 })),
        ("browser_click", json!({ "selector": "#a", "button": "middle", "clickCount": 1 })),
        ("browser_type", json!({ "selector": "#a", "text": "hello" })),
        ("browser_type", json!({ "selector": "#a", "text": "x", "delay": 50, "clear": true })),
        ("browser_fill", json!({ "selector": "@ref:3", "value": "search query" })),
        ("browser_clear", json!({ "selector": "@ref:3" })),
        ("browser_press", json!({ "key": "Enter" })),
        ("browser_press", json!({ "key": "ArrowDown", "selector": "@ref:3" })),
        ("browser_hover", json!({ "selector": "@ref:3" })),
        ("browser_check", json!({ "selector": "@ref:3" })),
        ("browser_uncheck", json!({ "selector": "@ref:3" })),
        ("browser_select", json!({ "selector": "select", "value": "b" })),
        ("browser_scroll", json!({})),
        ("browser_scroll", json!({ "direction": "up" })),
        ("browser_scroll", json!({ "direction": "down", "selector": "#list" })),
        ("browser_scroll", json!({ "direction": "left" })),
        ("browser_scroll", json!({ "direction": "right" })),
        ("browser_scroll", json!({ "x": 0, "y": 200 })),
        ("browser_scroll_into_view", json!({ "selector": "@ref:3" })),
        ("scrollintoview", json!({ "selector": "@ref:3" })),
        ("browser_highlight", json!({ "selector": "@ref:3" })),
        ("browser_frame", json!({ "selector": "iframe" })),
        ("browser_frame", json!({ "name": "pay" })),
        ("browser_frame", json!({ "url": "pay.test" })),
        ("browser_mainframe", json!({})),
        ("browser_evaluate", json!({ "script": "1 + 1" })),
    ]
}

/// Its tools say `action`, its commands `subaction` and `text`.
fn locating() -> Vec<(&'static str, Value)> {
    let mut calls = vec![
        ("browser_get_by_role", json!({ "role": "button", "name": "Submit" })),
        ("browser_get_by_role", json!({ "role": "button" })),
        ("browser_get_by_text", json!({ "text": "Save" })),
        ("browser_get_by_text", json!({ "text": "Save", "exact": true })),
        ("browser_get_by_label", json!({ "label": "Email" })),
        ("browser_get_by_placeholder", json!({ "placeholder": "Search" })),
        ("getbyrole", json!({ "role": "button", "name": "Submit", "subaction": "click" })),
        ("getbytext", json!({ "text": "Save", "exact": false, "subaction": "hover" })),
        ("getbylabel", json!({ "text": "Email", "subaction": "fill" })),
        ("getbyplaceholder", json!({ "text": "Search", "subaction": "click" })),
    ];
    for action in ["click", "fill", "check", "hover"] {
        calls.push(("browser_get_by_role", json!({ "role": "button", "action": action })));
    }
    for action in ["click", "hover"] {
        calls.push(("browser_get_by_text", json!({ "text": "Save", "action": action })));
    }
    for action in ["click", "fill", "check"] {
        calls.push(("browser_get_by_label", json!({ "label": "Email", "action": action })));
    }
    for action in ["click", "fill"] {
        calls.push(("browser_get_by_placeholder", json!({ "placeholder": "a", "action": action })));
    }
    calls
}

#[test]
fn the_schemas_accept_every_call_of_the_plugins_document() {
    for (name, args) in calls() {
        let entry = toolsets::find(name, ENTRIES).unwrap_or_else(|| panic!("no {name}"));
        let mut taken = args.as_object().unwrap().clone();
        let about = format!("{name} {args}");
        CallParams::take(&mut taken, entry.own).unwrap_or_else(|error| panic!("{about}: {error}"));
        if let Err(error) = (entry.prepare)(Value::Object(taken)) {
            panic!("{about}: {error}");
        }
    }
}

/// What a client finds that looks at the published schema before it calls. A command's other words
/// for a field are accepted beyond it; the tools have none but `action`.
#[test]
fn the_published_schemas_let_every_call_through() {
    for (name, mut args) in calls() {
        let entry = toolsets::find(name, ENTRIES).unwrap();
        let schema = Value::Object(crate::export::tool(entry).input_schema);
        let fields = args.as_object_mut().unwrap();
        let other_words = match (name, entry.name) {
            (_, "get_by_role" | "get_by_text") => [("action", "subaction")].as_slice(),
            ("getbylabel", _) => &[("text", "label")],
            ("getbyplaceholder", _) => &[("text", "placeholder")],
            (_, "get_by_label" | "get_by_placeholder") => &[("action", "subaction")],
            _ => &[],
        };
        for (word, field) in other_words {
            if let Some(value) = fields.remove(*word) {
                fields.insert((*field).to_owned(), value);
            }
        }
        let call_params = ["timeout"];
        fields.retain(|field, _| !call_params.contains(&field.as_str()) || has(&schema, field));
        assert_eq!(mismatch(&schema, &args), None, "{name} {args}");
    }
}

fn has(schema: &Value, field: &str) -> bool {
    schema["properties"].get(field).is_some()
}

/// What a value has that its schema forbids or does not know.
fn mismatch(schema: &Value, value: &Value) -> Option<String> {
    let kinds = |kind: &Value| match kind {
        Value::Array(kinds) => kinds.clone(),
        kind => vec![kind.clone()],
    };
    let is_a = |kind: &Value| match kind.as_str() {
        None => true,
        Some("string") => value.is_string(),
        Some("boolean") => value.is_boolean(),
        Some("integer") => value.is_i64() || value.is_u64(),
        Some("number") => value.is_number(),
        Some("array") => value.is_array(),
        Some("object") => value.is_object(),
        Some(_) => false,
    };
    if !kinds(&schema["type"]).iter().any(is_a) {
        return Some(format!("{value} is no {}", schema["type"]));
    }
    if schema["enum"].as_array().is_some_and(|words| !words.contains(value)) {
        return Some(format!("{value} is not one of {}", schema["enum"]));
    }
    let fields = value.as_object()?;
    let required = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
    if let Some(name) = required.into_iter().find(|name| !fields.contains_key(*name)) {
        return Some(format!("{name} is missing"));
    }
    fields.iter().find_map(|(name, value)| match schema["properties"].get(name) {
        Some(schema) => mismatch(schema, value),
        None => Some(format!("{name} is not known")),
    })
}

#[test]
fn every_tool_of_the_full_preset_is_called() {
    let calls = calls();
    for name in toolsets::preset("full", ENTRIES).unwrap() {
        let tool = format!("browser_{name}");
        assert!(calls.iter().any(|(called, _)| *called == tool), "no call of {tool}");
    }
}

/// Agents that send every parameter send null for those they mean to leave out.
#[test]
fn null_is_absent_in_every_optional_parameter() {
    for entry in ENTRIES {
        let schema = crate::export::tool(entry).input_schema;
        let example = (entry.examples)().into_iter().next().unwrap();
        let mut args = example.args.as_object().unwrap().clone();
        let required = schema.get("required").cloned().unwrap_or_default();
        for name in schema["properties"].as_object().unwrap().keys() {
            let needed = required.as_array().is_some_and(|all| all.iter().any(|one| one == name));
            if !needed {
                args.entry(name.clone()).or_insert(Value::Null);
            }
        }
        CallParams::take(&mut args, entry.own).unwrap();
        if let Err(error) = (entry.prepare)(Value::Object(args.clone())) {
            panic!("{} {}: {error}", entry.name, Value::Object(args));
        }
    }
}

#[test]
fn null_is_not_a_value_of_what_is_required() {
    let click = toolsets::find("click", ENTRIES).unwrap();
    let error = (click.prepare)(json!({ "selector": null })).err().unwrap();
    assert!(error.to_string().contains("selector"), "{error}");
    let error = (click.prepare)(json!({ "selector": "a", "buton": null })).err().unwrap();
    assert_eq!(error.to_string(), "Unknown parameter 'buton'");
}
