//! A printed snapshot as nested objects, for programs that would rather not read lines.
//!
//! Made from the lines themselves, so that both always say the same.

use serde_json::{Map, Value, json};

use crate::text::unquoted;

/// The lines of a snapshot, the page's own first, as one tree.
pub(crate) fn nested(text: &str) -> Value {
    let mut stack: Vec<(usize, Map<String, Value>)> = Vec::new();
    for (at, line) in text.lines().enumerate() {
        let body = line.trim_start_matches(' ');
        // All lines but the first are the page's children.
        let depth = if at == 0 { 0 } else { 1 + (line.len() - body.len()) / 2 };
        while stack.len() > 1 && stack.last().is_some_and(|(above, _)| *above >= depth) {
            close(&mut stack);
        }
        stack.push((depth, object(body)));
    }
    while stack.len() > 1 {
        close(&mut stack);
    }
    stack.pop().map_or(Value::Null, |(_, page)| Value::Object(page))
}

/// Hands a complete object to the one around it.
fn close(stack: &mut Vec<(usize, Map<String, Value>)>) {
    let Some((_, child)) = stack.pop() else { return };
    let Some((_, parent)) = stack.last_mut() else { return };
    let children = parent.entry("children").or_insert_with(|| json!([]));
    if let Some(children) = children.as_array_mut() {
        children.push(Value::Object(child));
    }
}

fn object(line: &str) -> Map<String, Value> {
    let mut object = Map::new();
    if let Some(fold) = line.strip_prefix("… ") {
        object.insert("fold".into(), json!(fold));
        if let Some(number) = fold.split("@ref:").nth(1).and_then(|rest| rest.split(' ').next()) {
            object.insert("ref".into(), json!(format!("@ref:{number}")));
        }
        return object;
    }
    let mut rest = line;
    for sign in ["+ ", "- ", "~ "] {
        if let Some(after) = rest.strip_prefix(sign) {
            object.insert("change".into(), json!(sign.trim()));
            rest = after;
        }
    }
    if let Some((text, _)) = unquoted(rest) {
        object.insert("text".into(), json!(text));
        return object;
    }
    let role = rest.find([' ', ':']).unwrap_or(rest.len());
    object.insert("role".into(), json!(rest[..role]));
    rest = &rest[role..];
    if let Some((name, after)) = rest.strip_prefix(' ').and_then(unquoted) {
        object.insert("name".into(), json!(name));
        rest = after;
    }
    if let Some(after) = rest.strip_prefix(" @ref:") {
        let digits = after.find(|c: char| !c.is_ascii_digit()).unwrap_or(after.len());
        object.insert("ref".into(), json!(format!("@ref:{}", &after[..digits])));
        rest = &after[digits..];
    }
    if let Some((value, after)) = rest.strip_prefix(" = ").and_then(unquoted) {
        object.insert("value".into(), json!(value));
        rest = after;
    }
    if let Some((states, after)) = rest.strip_prefix(" [").and_then(states) {
        object.insert("states".into(), json!(states));
        rest = after;
    }
    if let Some(cells) = rest.strip_prefix(": ") {
        last(cells, &mut object);
    } else if let Some((url, after)) = rest.strip_prefix(' ').map(|rest| {
        rest.split_once(": \"").map_or((rest, ""), |(url, _)| (url, &rest[url.len()..]))
    }) {
        object.insert("url".into(), json!(url));
        if let Some(cells) = after.strip_prefix(": ") {
            last(cells, &mut object);
        }
    }
    object
}

/// The text of an element, or the cells of a row.
fn last(mut rest: &str, object: &mut Map<String, Value>) {
    let mut cells = Vec::new();
    loop {
        match unquoted(rest) {
            Some((text, after)) => {
                cells.push(json!(text));
                rest = after;
            }
            // Its content has lines of its own.
            None if rest.starts_with('*') => {
                cells.push(Value::Null);
                rest = &rest[1..];
            }
            None => break,
        }
        match rest.strip_prefix(" | ") {
            Some(after) => rest = after,
            None => break,
        }
    }
    match object.get("role").and_then(Value::as_str) {
        Some("row") => object.insert("cells".into(), Value::Array(cells)),
        _ => object.insert("text".into(), cells.into_iter().next().unwrap_or_default()),
    };
}

/// The states up to the closing bracket, quotes respected.
fn states(rest: &str) -> Option<(Vec<&str>, &str)> {
    let (mut quoted, mut escaped, mut start) = (false, false, 0);
    let mut found = Vec::new();
    for (at, c) in rest.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            ',' if !quoted => {
                found.push(rest[start..at].trim());
                start = at + 1;
            }
            ']' if !quoted => {
                found.push(rest[start..at].trim());
                return Some((found, &rest[at + 1..]));
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_become_objects_inside_each_other() {
        let text = "page \"Shop\" https://shop.test/\nform \"Sign \\\"in\\\"\"\n  textbox \"Email\" @ref:1 = \"a@b.c\" [required, invalid: \"no, ] way\"]\nlink \"Help\" @ref:2 /help\nrow: \"Ada\" | * | \"x\"\n  button \"Go\" @ref:3\n\"words\"\n… 4 more rows, @ref:9 to expand";
        assert_eq!(
            nested(text),
            json!({ "role": "page", "name": "Shop", "url": "https://shop.test/", "children": [
                { "role": "form", "name": "Sign \"in\"", "children": [
                    { "role": "textbox", "name": "Email", "ref": "@ref:1", "value": "a@b.c", "states": ["required", "invalid: \"no, ] way\""] },
                ] },
                { "role": "link", "name": "Help", "ref": "@ref:2", "url": "/help" },
                { "role": "row", "cells": ["Ada", null, "x"], "children": [{ "role": "button", "name": "Go", "ref": "@ref:3" }] },
                { "text": "words" },
                { "fold": "4 more rows, @ref:9 to expand", "ref": "@ref:9" },
            ] })
        );
    }
}
