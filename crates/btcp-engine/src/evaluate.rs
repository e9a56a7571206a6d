//! Running an agent's JavaScript in the page's own world.
//!
//! The result is taken over by Chrome's deep serialization, in the same round trip and out of
//! the page's reach: nothing the page did to `JSON` or `Array.prototype` can change it.

use std::time::Duration;

use btcp_cdp::{Connection, SessionId, runtime};
use serde_json::{Map, Value, json};
use tokio::time::Instant;

use crate::error::{Error, Result};
use crate::hang::PROBE;
use crate::tab::Tab;

/// What a script came to.
#[derive(Debug, Clone, PartialEq)]
pub struct Evaluated {
    /// The value; `None` for `undefined`.
    pub value: Option<Value>,
}

/// What a script turned out to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ReadAs {
    /// An expression, or statements of which the last says what it comes to.
    Script,
    /// Statements with a `return` of their own.
    Body,
}

pub(crate) const DEEP: runtime::SerializationOptions = runtime::SerializationOptions {
    serialization: runtime::Serialization::Deep,
    max_depth: Some(DEPTH),
    additional_parameters: None,
};

/// Levels of a result that are taken over.
const DEPTH: u32 = 12;

/// Ends a script that still runs when its caller has left.
struct Interrupt<'a> {
    tab: &'a Tab,
    armed: bool,
}

impl Drop for Interrupt<'_> {
    fn drop(&mut self) {
        if !self.armed {
            return;
        }
        end_loop(&self.tab.state.connection, &self.tab.state.session);
    }
}

/// Ends a script that does not let its page answer. Only such a one is looping; ending the *next*
/// script of a page that merely waits would break it.
pub(crate) fn end_loop(connection: &Connection, session: &SessionId) {
    let (connection, session) = (connection.clone(), session.clone());
    tokio::spawn(async move {
        let soon = Instant::now() + Duration::from_millis(200);
        if connection.call(Some(&session), &PROBE, soon).await.is_err() {
            connection.post(Some(&session), &runtime::TerminateExecution);
        }
    });
}

impl Tab {
    /// Runs an expression, or statements with `return`, in the main frame.
    pub async fn evaluate(&mut self, script: &str, wait: bool) -> Result<Evaluated> {
        let (evaluated, read_as) = self.run_either_way(script, wait).await?;
        self.finish(evaluated, read_as)
    }

    /// Runs a script as it is, or else as the body of a function; says which.
    pub(crate) async fn run_either_way(
        &mut self,
        script: &str,
        wait: bool,
    ) -> Result<(runtime::Evaluated, ReadAs)> {
        if self.state.facts().hung {
            // The agent knows that it hangs: this script takes the place of the one that runs.
            self.state.interrupt();
        }
        self.check_home()?;
        self.context.progress.sent();
        let trimmed = script.trim();
        let is_object = trimmed.starts_with('{') && trimmed.trim_end_matches(';').ends_with('}');
        let first = if is_object {
            format!("({})", trimmed.trim_end_matches(';'))
        } else {
            script.to_owned()
        };
        let mut evaluated = self.run_script(&first, wait).await?;
        if is_syntax_error(&evaluated) {
            // Nothing ran: it did not compile. As a function body it may.
            if is_object {
                evaluated = self.run_script(script, wait).await?;
            }
            if is_syntax_error(&evaluated) && script.contains("return") {
                let again = self.run_script(&format!("({})()", as_body(script)), true).await?;
                if !is_syntax_error(&again) {
                    return Ok((again, ReadAs::Body));
                }
            }
        }
        Ok((evaluated, ReadAs::Script))
    }

    pub(crate) fn finish(
        &self,
        evaluated: runtime::Evaluated,
        read_as: ReadAs,
    ) -> Result<Evaluated> {
        if is_syntax_error(&evaluated) {
            self.context.progress.undone();
        } else {
            self.context.progress.happened();
        }
        if let Some(details) = evaluated.exception_details {
            let added_lines = i64::from(read_as == ReadAs::Body);
            return Err(Error::JavaScript { message: thrown(&details, added_lines) });
        }
        Ok(Evaluated { value: value_of(&evaluated.result) })
    }

    pub(crate) async fn run_script(&self, script: &str, wait: bool) -> Result<runtime::Evaluated> {
        let mut interrupt = Interrupt { tab: self, armed: true };
        let (session, world) = {
            let home = self.home_frame();
            let facts = self.state.facts();
            match facts.frames.get(&home) {
                Some(frame) if home != facts.frames.main => {
                    (frame.session.clone(), frame.main_world)
                }
                _ => (self.state.session.clone(), None),
            }
        };
        let world = match world {
            None if session != self.state.session || self.home_frame() != self.main_frame() => {
                self.listen(false).await;
                let home = self.home_frame();
                self.state.facts().frames.get(&home).and_then(|frame| frame.main_world)
            }
            known => known,
        };
        let call = self.send_to(
            &session,
            &runtime::Evaluate {
                expression: script,
                context_id: world,
                await_promise: Some(wait),
                // Top-level `await`, and `let` that may be said twice; what needs neither is faster.
                repl_mode: needs_repl(script).then_some(true),
                user_gesture: Some(true),
                allow_unsafe_eval_blocked_by_csp: Some(true),
                serialization_options: Some(DEEP),
                ..Default::default()
            },
        );
        let answer = call.await;
        match answer {
            Err(btcp_cdp::Error::Deadline { .. }) => Err(self.too_late("the script to finish")),
            Err(btcp_cdp::Error::Remote { message, .. })
                if message.contains("destroyed") || message.contains("navigated") =>
            {
                interrupt.armed = false;
                self.context.progress.happened();
                Err(Error::JavaScript {
                    message: "The page navigated away before the script ended".into(),
                })
            }
            Ok(evaluated) => {
                let evaluated = self.with_thrown(&session, evaluated).await;
                let settled = self.promise(&session, evaluated, wait).await;
                interrupt.armed = matches!(settled, Err(Error::Timeout { .. }));
                Ok(self.with_thrown(&session, settled?).await)
            }
            Err(error) => {
                interrupt.armed = false;
                Err(self.explain(error))
            }
        }
    }
}

impl Tab {
    /// What was thrown, where that is an object of the script's own: Chrome tells only its kind.
    async fn with_thrown(
        &self,
        session: &btcp_cdp::SessionId,
        mut evaluated: runtime::Evaluated,
    ) -> runtime::Evaluated {
        let exception = evaluated.exception_details.as_mut().and_then(|d| d.exception.as_mut());
        let thrown = exception.filter(|thrown| thrown.kind == "object" && thrown.subtype.is_none());
        let Some(thrown) = thrown.filter(|thrown| thrown.deep_serialized_value.is_none()) else {
            return evaluated;
        };
        if let Some(handle) = thrown.object_id.clone() {
            let call = self.send_to(
                session,
                &runtime::CallFunctionOn {
                    function_declaration: "function() { return this }",
                    object_id: Some(&handle),
                    serialization_options: Some(DEEP),
                    ..Default::default()
                },
            );
            thrown.deep_serialized_value =
                call.await.ok().and_then(|told| told.result.deep_serialized_value);
        }
        evaluated
    }

    /// What a promise comes to. The console's way to run scripts hands promises over as they are.
    async fn promise(
        &self,
        session: &btcp_cdp::SessionId,
        evaluated: runtime::Evaluated,
        wait: bool,
    ) -> Result<runtime::Evaluated> {
        let is_promise = evaluated.result.subtype.as_deref() == Some("promise");
        let handle = evaluated.result.object_id.clone();
        let (Some(handle), true) = (handle, wait && is_promise) else { return Ok(evaluated) };
        let call = self.send_to(
            session,
            &runtime::CallFunctionOn {
                function_declaration: "function() { return this }",
                object_id: Some(&handle),
                await_promise: Some(true),
                serialization_options: Some(DEEP),
                ..Default::default()
            },
        );
        match call.await {
            Ok(settled) => Ok(settled),
            Err(btcp_cdp::Error::Deadline { .. }) => Err(self.too_late("the script to finish")),
            Err(btcp_cdp::Error::Remote { .. }) => {
                self.context.progress.happened();
                let message = "The page navigated away before the script ended".into();
                Err(Error::JavaScript { message })
            }
            Err(error) => Err(self.explain(error)),
        }
    }
}

/// Statements as a function that can be called.
pub(crate) fn as_body(statements: &str) -> String {
    format!("async () => {{\n{statements}\n}}")
}

fn needs_repl(script: &str) -> bool {
    ["await", "let", "const", "class"].iter().any(|word| script.contains(word))
}

pub(crate) fn is_syntax_error(evaluated: &runtime::Evaluated) -> bool {
    evaluated
        .exception_details
        .as_ref()
        .and_then(|details| details.exception.as_ref())
        .is_some_and(|e| e.class_name.as_deref() == Some("SyntaxError"))
}

/// `ReferenceError: foo is not defined at line 1`.
pub(crate) fn thrown(details: &runtime::ExceptionDetails, added_lines: i64) -> String {
    let exception = details.exception.as_ref();
    let said =
        exception.and_then(|e| e.description.as_deref()).map(|d| d.lines().next().unwrap_or(d));
    let said = match (said, exception.and_then(value_of)) {
        (Some(said), _) if exception.is_some_and(|e| e.subtype.as_deref() == Some("error")) => {
            crate::text::thrown(said)
        }
        (_, Some(Value::String(text))) => {
            format!("Uncaught {}", crate::text::quoted(&crate::text::cut(&text, 500)))
        }
        // JSON is its own quoting.
        (_, Some(value)) => {
            let seen: String =
                value.to_string().chars().filter(|c| !crate::text::is_hidden(*c)).collect();
            // What is cut off in the middle of a string quotes nothing any more.
            let cut = crate::text::cut(&seen, 500);
            format!("Uncaught {}", if cut == seen { seen } else { crate::text::quoted(&cut) })
        }
        (Some(said), None) => crate::text::thrown(said),
        (None, None) if exception.is_some_and(|e| e.kind == "undefined") => {
            "Uncaught undefined".to_owned()
        }
        (None, None) => crate::text::thrown(&details.text),
    };
    let line = details
        .stack_trace
        .as_ref()
        .and_then(|trace| trace.call_frames.iter().find(|frame| frame.url.is_empty()))
        .map(|frame| frame.line_number)
        .or_else(|| exception.and_then(|e| own_line(e.description.as_deref()?)))
        .unwrap_or(details.line_number);
    format!("{said} at line {}", (line + 1 - added_lines).max(1))
}

/// The line, from zero, where an error was made, as the error itself tells it: of one that a promise
/// was rejected with Chrome has no other.
fn own_line(description: &str) -> Option<i64> {
    let place = description.split_once("<anonymous>:")?.1;
    let line: i64 = place.split(':').next()?.parse().ok()?;
    Some(line - 1)
}

/// A JavaScript value as JSON; `None` for `undefined`.
pub(crate) fn value_of(object: &runtime::RemoteObject) -> Option<Value> {
    if object.kind == "undefined" {
        return None;
    }
    if object.subtype.as_deref() == Some("null") {
        return Some(Value::Null);
    }
    if object.subtype.as_deref() == Some("error") {
        let said = object.description.as_deref().unwrap_or("Error");
        return Some(Value::String(said.lines().next().unwrap_or(said).to_owned()));
    }
    if let Some(deep) = &object.deep_serialized_value {
        return plain(&deep.kind, deep.value.as_ref());
    }
    if let Some(value) = &object.value {
        return serde_json::from_str(value.get()).ok();
    }
    let words = object.unserializable_value.clone().or_else(|| object.description.clone());
    Some(words.map_or(Value::Null, Value::String))
}

/// One deeply serialized value, `{type, value}`, as plain JSON.
fn plain(kind: &str, value: Option<&Value>) -> Option<Value> {
    Some(match (kind, value) {
        ("undefined", _) => return None,
        ("null", _) => Value::Null,
        ("number" | "string" | "boolean", Some(value)) => value.clone(),
        ("bigint", Some(Value::String(digits))) => Value::String(format!("{digits}n")),
        ("date", Some(value)) => value.clone(),
        ("regexp", Some(value)) => {
            let part = |key: &str| value.get(key).and_then(Value::as_str).unwrap_or_default();
            Value::String(format!("/{}/{}", part("pattern"), part("flags")))
        }
        ("array" | "set" | "nodelist" | "htmlcollection", Some(Value::Array(items))) => {
            items.iter().map(|item| typed(item).unwrap_or(Value::Null)).collect()
        }
        ("object" | "map", Some(Value::Array(pairs))) => Value::Object(entries(pairs)),
        ("node", Some(node)) => Value::String(describe_node(node)),
        ("array" | "set" | "nodelist" | "htmlcollection" | "object" | "map", None) => {
            // Cut off: seen before, or too deep.
            Value::String(format!("[{kind}]"))
        }
        (other, _) => Value::String(format!("[{other}]")),
    })
}

fn typed(value: &Value) -> Option<Value> {
    let kind = value.get("type").and_then(Value::as_str).unwrap_or("null");
    plain(kind, value.get("value"))
}

fn entries(pairs: &[Value]) -> Map<String, Value> {
    let mut object = Map::new();
    for pair in pairs.iter().filter_map(Value::as_array) {
        let [key, value] = pair.as_slice() else { continue };
        let key = match key {
            Value::String(key) => key.clone(),
            other => match typed(other) {
                Some(Value::String(key)) => key,
                Some(other) => other.to_string(),
                None => "undefined".into(),
            },
        };
        // As `JSON.stringify` does, what is undefined is left out.
        if let Some(value) = typed(value) {
            object.insert(key, value);
        }
    }
    object
}

/// `<button id="send" class="big">`.
fn describe_node(node: &Value) -> String {
    let name = node.get("localName").and_then(Value::as_str);
    let Some(name) = name else {
        return match node.get("nodeType").and_then(Value::as_i64) {
            Some(9) => "[document]".into(),
            Some(3) => {
                let text = node.get("nodeValue").and_then(Value::as_str).unwrap_or_default();
                format!("[text {}]", crate::text::quoted(&crate::text::cut(text, 100)))
            }
            _ => "[node]".into(),
        };
    };
    let mut out = format!("<{name}");
    let attributes = node.get("attributes").and_then(Value::as_object);
    for key in ["id", "name", "type", "class", "href", "aria-label"] {
        if let Some(value) = attributes.and_then(|all| all.get(key)).and_then(Value::as_str) {
            out.push_str(&format!(" {key}={}", json!(crate::text::cut(value, 80))));
        }
    }
    out.push('>');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deep_values_become_plain_json() {
        let object = json!([
            ["a", { "type": "number", "value": 1 }],
            ["b", { "type": "undefined" }],
            ["c", { "type": "array", "value": [{ "type": "null" }, { "type": "undefined" }] }],
            ["d", { "type": "object" }],
            ["e", { "type": "function" }],
        ]);
        assert_eq!(
            plain("object", Some(&object)),
            Some(json!({ "a": 1, "c": [null, null], "d": "[object]", "e": "[function]" }))
        );
        assert_eq!(plain("undefined", None), None);
        assert_eq!(plain("null", None), Some(Value::Null));
    }

    #[test]
    fn an_error_knows_its_own_line() {
        assert_eq!(own_line("Error: 1\n    at <anonymous>:3:7"), Some(2));
        assert_eq!(own_line("Error: 1\n    at https://a.test/x.js:3:7"), None);
    }

    #[test]
    fn nodes_are_described_shortly() {
        let node =
            json!({ "nodeType": 1, "localName": "a", "attributes": { "id": "x", "style": "y" } });
        assert_eq!(describe_node(&node), r#"<a id="x">"#);
    }
}
