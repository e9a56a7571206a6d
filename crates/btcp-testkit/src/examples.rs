//! Runs the examples of actions, over any surface. They are documentation, so each must be true.

use btcp_actions::{Entry, Example, Expect};
use serde_json::{Value, json};

use crate::schema;
use crate::server::server;
use crate::surface::Surface;

/// Opens the action's page, makes the example's call and checks what it promises.
///
/// The surface must be fresh: examples count on a session in which nothing happened yet. What a call
/// is to bring about must not be there before it: such an example could not fail.
/// Err says what was promised and what came instead.
pub async fn check(surface: &impl Surface, entry: &Entry, example: &Example) -> Result<(), String> {
    let page = server().url(&format!("{}.html", entry.name));
    let about = format!("{}: {} {}", entry.name, example.says, example.args);
    if let Err(refusal) = surface.call("navigate", json!({ "url": page })).await {
        return Err(format!("{about}\n  its page did not open: {}", refusal.text));
    }
    if let Some((action, args)) = &example.after
        && let Err(refusal) = surface.call(action, filled_in(args)).await
    {
        return Err(format!("{about}\n  {action} before it failed with: {}", refusal.text));
    }
    if let Some(problem) = held_before(surface, &example.expect).await {
        return Err(format!("{about}\n  {problem}"));
    }
    let answer = surface.call(entry.name, filled_in(&example.args)).await;
    let data = answer.as_ref().ok().and_then(|reply| reply.data.clone());
    if let (Some(schema), Some(data)) = ((entry.result)(), data)
        && let Some(what) = schema::mismatch("", schema.as_value(), &data)
    {
        return Err(format!("{about}\n  its result is not as declared: {what}; it is {data}"));
    }
    let problem = match (&example.expect, answer) {
        (Expect::Fails(code), Err(refusal)) if refusal.code == *code => None,
        (Expect::Fails(code), Err(refusal)) => {
            Some(format!("expected `{code}`, failed with: {}", refusal.text))
        }
        (Expect::Fails(code), Ok(reply)) => {
            Some(format!("expected `{code}`, but it answered: {}", reply.text))
        }
        (_, Err(refusal)) => Some(format!("failed with: {}", refusal.text)),
        (Expect::Gives(wanted), Ok(reply)) => {
            let wanted = filled_in(wanted);
            let difference = reply.data.as_ref().and_then(|data| difference("", &wanted, data));
            // A surface may give only text, and what was asked for has to be in it.
            let difference = difference
                .or_else(|| untold(entry.name, &filled_in(&example.args), &wanted, &reply.text));
            difference.map(|what| format!("{what}; it answered: {}", reply.text))
        }
        (Expect::Does(predicate) | Expect::Keeps(predicate), Ok(reply)) => {
            let predicate = server().fill_in(predicate);
            match surface.call("evaluate", json!({ "script": predicate })).await {
                Ok(truth) if truth.text == "true" => None,
                Ok(other) => Some(format!(
                    "`{predicate}` is {}; the call answered: {}",
                    other.text, reply.text
                )),
                Err(refusal) => Some(format!("`{predicate}` failed: {}", refusal.text)),
            }
        }
    };
    problem.map_or(Ok(()), |problem| Err(format!("{about}\n  {problem}")))
}

/// What is wrong with a predicate before the call. One that throws is not true, nor is one that a page with an
/// open dialog cannot be asked.
async fn held_before(surface: &impl Surface, expect: &Expect) -> Option<String> {
    let (predicate, wanted) = match expect {
        Expect::Does(predicate) => (predicate, false),
        Expect::Keeps(predicate) => (predicate, true),
        Expect::Gives(_) | Expect::Fails(_) => return None,
    };
    let predicate = server().fill_in(predicate);
    let asked = json!({ "script": predicate, "timeout": "10s" });
    let held = surface.call("evaluate", asked).await.is_ok_and(|truth| truth.text == "true");
    match (held, wanted) {
        (true, false) => Some(format!("`{predicate}` was true before the call already")),
        (false, true) => Some(format!("`{predicate}` was not true before the call")),
        _ => None,
    }
}

/// The server's address in place of `{origin}`, `{other}`, `{host}` and `{port}`, the folder of files
/// to upload in place of `{files}`.
fn filled_in(value: &Value) -> Value {
    match value {
        Value::String(text) => Value::String(server().fill_in(text)),
        Value::Array(items) => items.iter().map(filled_in).collect(),
        Value::Object(fields) => {
            fields.iter().map(|(key, value)| (key.clone(), filled_in(value))).collect()
        }
        other => other.clone(),
    }
}

/// Where `got` lacks something of `wanted`: objects by subset, lists by what they hold in this
/// order (an empty one must be empty), all else equal.
fn difference(path: &str, wanted: &Value, got: &Value) -> Option<String> {
    match (wanted, got) {
        (Value::Object(wanted), Value::Object(got)) => wanted.iter().find_map(|(key, wanted)| {
            difference(&format!("{path}.{key}"), wanted, got.get(key).unwrap_or(&Value::Null))
        }),
        (Value::Array(wanted), Value::Array(all)) if !wanted.is_empty() => {
            let mut rest = all.iter();
            let missing =
                wanted.iter().find(|wanted| !rest.any(|got| difference("", wanted, got).is_none()));
            missing.map(|missing| format!("expected data{path} to hold {missing}, got {got}"))
        }
        (Value::Number(a), Value::Number(b)) if a.as_f64() == b.as_f64() => None,
        (wanted, got) if wanted == got => None,
        (wanted, got) => Some(format!("expected data{path} to be {wanted}, got {got}")),
    }
}

/// What a text says in words of its own, or not at all: how it went and what only programs need. An action
/// that is called so is asked for nothing else.
const NOT_TOLD: &[&str] = &["success", "count", "truncated", "context", "groupId"];

/// What of `wanted` a text for a model does not say: all its words and numbers, but for those that the
/// caller knows, having written them.
fn untold(action: &str, args: &Value, wanted: &Value, text: &str) -> Option<String> {
    let missing = Some(format!("expected the text to say {wanted}"));
    match wanted {
        Value::Object(fields) => {
            let told = |name: &&String| *name == action || !NOT_TOLD.contains(&name.as_str());
            let mut fields = fields.iter().filter(|(name, _)| told(name));
            fields.find_map(|(_, wanted)| untold(action, args, wanted, text))
        }
        Value::Array(all) => all.iter().find_map(|wanted| untold(action, args, wanted, text)),
        Value::String(word) => {
            let (lower, escaped) = (text.to_lowercase(), wanted.to_string().to_lowercase());
            let told = [word.to_lowercase().as_str(), &escaped[1..escaped.len() - 1]]
                .iter()
                .any(|word| lower.contains(word));
            if told || holds(args, wanted) { None } else { missing }
        }
        Value::Number(_) | Value::Bool(_) if text.contains(&wanted.to_string()) => None,
        Value::Number(_) => missing,
        // One of several fields is told by a word, `[current]`.
        Value::Bool(_) if text.contains([' ', '\n']) => None,
        Value::Bool(_) => missing,
        Value::Null => None,
    }
}

/// Whether a value is among others, however deep.
fn holds(all: &Value, one: &Value) -> bool {
    match all {
        Value::Array(items) => items.iter().any(|item| holds(item, one)),
        Value::Object(fields) => fields.values().any(|field| holds(field, one)),
        other => other == one,
    }
}

#[cfg(test)]
mod tests {
    use btcp_actions::ENTRIES;

    use super::*;
    use crate::surface::{Refusal, Reply};

    /// Does whatever it is asked to, on a page of which everything is always true or always false.
    struct Unchanging(&'static str);

    impl Surface for Unchanging {
        async fn call(&self, _: &str, _: Value) -> Result<Reply, Refusal> {
            Ok(Reply { text: self.0.to_owned(), data: None, images: 0 })
        }
    }

    #[tokio::test]
    async fn an_example_that_could_not_fail_is_refused() {
        let does = Example::does("It does", json!({}), "is()");
        let keeps = Example::keeps("It keeps", json!({}), "is()");
        let said = async |page: &'static str, example: &Example| {
            check(&Unchanging(page), &ENTRIES[0], example).await.err().unwrap_or_default()
        };
        let problem = said("true", &does).await;
        assert!(problem.ends_with("`is()` was true before the call already"), "{problem}");
        let problem = said("false", &does).await;
        assert!(problem.contains("`is()` is false"), "{problem}");
        assert_eq!(said("true", &keeps).await, "");
        let problem = said("false", &keeps).await;
        assert!(problem.ends_with("`is()` was not true before the call"), "{problem}");
    }

    #[test]
    fn a_text_is_to_say_what_was_asked_for() {
        let untold = |action: &str, wanted: Value, text: &str| {
            super::untold(action, &json!({ "as": "given" }), &wanted, text).is_some()
        };
        let tabs = || json!({ "success": true, "tabs": [{ "title": "a \"b\"", "id": 2 }] });
        assert!(!untold("tabs", tabs(), r#"tab 2 "a \"b\"" http://a.test/"#));
        assert!(untold("tabs", tabs(), r#"tab 2 "a" http://a.test/"#));
        assert!(untold("tabs", tabs(), r#"tab 3 "a \"b\"" http://a.test/"#));
        assert!(untold("is_visible", json!({ "visible": false }), "true"));
        assert!(!untold("is_visible", json!({ "visible": false }), "false"));
        assert!(untold("count", json!({ "count": 3 }), "2"));
        assert!(!untold("find", json!({ "count": 3, "as": "given" }), "nothing"));
    }

    #[test]
    fn objects_are_compared_by_subset_and_the_difference_is_named() {
        let got = json!({ "a": { "b": [1, { "c": 2, "d": 3 }] }, "e": 1.0 });
        assert_eq!(difference("", &json!({ "a": { "b": [1, { "c": 2 }] }, "e": 1 }), &got), None);
        assert_eq!(
            difference(
                "",
                &json!({ "a": { "b": [] } , "e": 2 }),
                &json!({ "a": { "b": [] }, "e": 1 })
            )
            .unwrap(),
            "expected data.e to be 2, got 1"
        );
        assert_eq!(difference("", &json!({ "x": null }), &got), None);
    }

    #[test]
    fn lists_are_compared_by_what_they_hold_in_order() {
        let got = json!([{ "a": 1, "b": 2 }, { "a": 3 }, { "a": 4 }]);
        assert_eq!(difference("", &json!([{ "a": 1 }, { "a": 4 }]), &got), None);
        assert!(difference("", &json!([{ "a": 4 }, { "a": 1 }]), &got).is_some());
        assert!(difference("", &json!([]), &got).is_some());
    }
}
