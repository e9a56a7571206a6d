//! Waiting until a script is true.
//!
//! Only the page's own world can run it, so a function of ours there looks again and again
//! (`until-true.ts`), each time the page code says that something has changed (`rouse.ts`): a
//! command each for a document, however long it takes.

use std::pin::pin;
use std::time::Duration;

use btcp_cdp::runtime;
use serde_json::value::to_raw_value;
use serde_json::{Value, json};

use super::Tab;
use crate::element::millis;
use crate::error::{Error, Result};
use crate::evaluate::{DEEP, ReadAs, as_body, is_syntax_error, value_of};
use crate::page::Answer;

/// Looks until the function it is called on is true.
const UNTIL_TRUE: &str = include_str!("../page/until-true.js");

/// How many places are tried as the beginning of a script's last statement.
const MOST_ENDINGS: usize = 40;

/// How long after the end of a wait the last that was seen may take to arrive.
const LAST_WORD: Duration = Duration::from_secs(1);

/// What came of watching a script in one document.
enum Watched {
    True,
    /// What it last was, in words, if that is known.
    Not(Option<String>),
    /// The document is gone.
    Navigated,
    /// The page forbids what only Chrome can then say the outcome of.
    Unwatchable,
}

/// What a script is at the moment.
enum Look {
    True,
    /// In words; how it was read is not known where the page went away meanwhile.
    Not(String, Option<ReadAs>),
}

impl Tab {
    /// Waits until an expression is true in the page.
    pub async fn wait_for_function(&mut self, expression: &str) -> Result<()> {
        let script = called(expression);
        loop {
            let (mut state, read_as) = match self.look_at_script(&script).await? {
                Look::True => return Ok(()),
                Look::Not(state, read_as) => (state, read_as),
            };
            if !self.context.left().is_zero() {
                let home = self.home_frame();
                let watched = match read_as {
                    Some(read_as) => self.watch_function(&home, &script, read_as).await?,
                    None => Watched::Navigated,
                };
                match watched {
                    Watched::True => return Ok(()),
                    Watched::Not(last) => state = last.unwrap_or(state),
                    Watched::Navigated => {
                        self.new_document(&home).await?;
                        continue;
                    }
                    Watched::Unwatchable => {
                        self.wait_for_change(&home).await?;
                        if !self.context.left().is_zero() {
                            continue;
                        }
                    }
                }
            }
            let expression = crate::text::cut(expression, 200);
            return Err(self.unmet(&format!("'{expression}' to be true"), &state));
        }
    }

    /// Runs it once: whether it is true, else what it is, and how it was to be read.
    async fn look_at_script(&mut self, script: &str) -> Result<Look> {
        let ran = self.run_either_way(script, true).await;
        let read_as = ran.as_ref().ok().map(|(_, read_as)| *read_as);
        let found = ran.and_then(|(evaluated, read_as)| self.finish(evaluated, read_as));
        let state = match found {
            Ok(found) if is_true(found.value.as_ref()) => return Ok(Look::True),
            Ok(found) => it_is(found.value),
            // What it needs may not be there yet; what cannot be read never will.
            Err(Error::JavaScript { message }) if !message.starts_with("SyntaxError") => {
                crate::text::cut_quotes(&message, 200)
            }
            Err(Error::Timeout { .. }) => "it did not come to an end".to_owned(),
            Err(error) => return Err(error),
        };
        Ok(Look::Not(state, read_as))
    }

    /// Watches a script in the document there is.
    async fn watch_function(
        &mut self,
        home: &str,
        script: &str,
        read_as: ReadAs,
    ) -> Result<Watched> {
        let (session, function) = match self.function_of(home, script, read_as).await? {
            Ok(found) => found,
            Err(watched) => return Ok(watched),
        };
        let token = self.token();
        // The page may listen to everything, but not for what it does not know.
        let signal = format!("{:016x}", getrandom::u64().unwrap_or_default());
        let timeout = millis(self.context.left());
        let request = json!({ "name": signal, "timeout": timeout, "token": token });
        let signal = to_raw_value(&signal).expect("a string is JSON");
        let call = self.send_to(
            &session,
            &runtime::CallFunctionOn {
                function_declaration: UNTIL_TRUE,
                object_id: Some(&function),
                arguments: Some(&[runtime::Argument {
                    value: Some(&signal),
                    ..Default::default()
                }]),
                await_promise: Some(true),
                serialization_options: Some(DEEP),
                ..Default::default()
            },
        );
        let mut call = pin!(call);
        let rouse = self.op_once::<_, Value>(home, "rouse", &request, Some(token));
        let answer = tokio::select! {
            biased;
            answer = &mut call => Some(answer),
            over = rouse => match over? {
                Answer::Navigated => return Ok(Watched::Navigated),
                Answer::Is(..) => tokio::time::timeout(LAST_WORD, call).await.ok(),
            },
        };
        self.state
            .connection
            .post(Some(&session), &runtime::ReleaseObject { object_id: &function });
        match answer {
            Some(Ok(evaluated)) => Ok(watched(value_of(&evaluated.result))),
            // Whatever Chrome has against it, the document it was in is not there any more.
            Some(Err(btcp_cdp::Error::Remote { .. } | btcp_cdp::Error::SessionGone { .. })) => {
                Ok(Watched::Navigated)
            }
            Some(Err(error)) => Err(self.explain(error)),
            None => Ok(Watched::Not(None)),
        }
    }

    /// The script as a function of the page's own world that can be called again: its process and
    /// a handle.
    async fn function_of(
        &self,
        home: &str,
        script: &str,
        read_as: ReadAs,
    ) -> Result<std::result::Result<(btcp_cdp::SessionId, String), Watched>> {
        let functions = match read_as {
            ReadAs::Script => functions(script),
            ReadAs::Body => vec![as_body(script)],
        };
        for function in functions {
            let function = format!("({function})");
            let made = match self.run_script(&function, false).await {
                Ok(made) => made,
                Err(Error::JavaScript { .. }) => return Ok(Err(Watched::Navigated)),
                Err(error) => return Err(error),
            };
            if is_syntax_error(&made) {
                continue;
            }
            let session = self.state.facts().frames.get(home).map(|frame| frame.session.clone());
            return Ok(match (session, made.result.object_id) {
                (Some(session), Some(function)) => Ok((session, function)),
                _ => Err(Watched::Navigated),
            });
        }
        Ok(Err(Watched::Unwatchable))
    }

    /// Waits until it is worth asking again.
    async fn wait_for_change(&mut self, home: &str) -> Result<()> {
        let token = self.token();
        let request = json!({ "timeout": millis(self.context.left()), "token": token });
        let changed = self.op_once::<_, Value>(home, "change", &request, Some(token));
        if matches!(changed.await?, Answer::Navigated) {
            self.new_document(home).await?;
        }
        Ok(())
    }
}

/// A script that returns nothing as functions that do, best first; the first that can be read is
/// meant.
fn functions(script: &str) -> Vec<String> {
    let expression = script.trim().trim_end_matches(';');
    let mut functions = vec![format!("async () => (\n{expression}\n)")];
    functions.extend(endings(script).into_iter().map(|(before, last)| {
        // What comes before must be whole by itself: not the `if` that the last belongs to.
        format!("{}, async () => {{\n{before}\nreturn (\n{last}\n)\n}}", as_body(before))
    }));
    // What an `if` or a block comes to is known to nobody else; a page's policy may forbid it.
    functions.push(format!("async () => (0, eval)({})", Value::from(script)));
    functions
}

/// Where the last statement may begin: what is before it, and the expression it then is. The last
/// places first; most of them are none, which the page is asked.
fn endings(script: &str) -> Vec<(&str, &str)> {
    let ends = script.char_indices().rev().filter(|(_, c)| matches!(c, ';' | '\n'));
    let parts = ends.filter_map(|(at, end)| {
        let (before, last) = (&script[..=at], script[at + 1..].trim());
        let last = last.trim_end_matches(';').trim_end();
        // After the end of a line these go on with what is in it.
        let goes_on =
            end == '\n' && last.starts_with(['(', '[', '`', '+', '-', '/', '*', ',', '.']);
        (!last.is_empty() && !goes_on).then_some((before, last))
    });
    parts.take(MOST_ENDINGS).collect()
}

/// What the function in the page answers with.
fn watched(answer: Option<Value>) -> Watched {
    let answer = answer.unwrap_or_default();
    match answer["is"].as_str() {
        Some("true") => Watched::True,
        Some("barred") => Watched::Unwatchable,
        Some("false") => Watched::Not(Some(it_is(answer.get("value").cloned()))),
        Some("threw") => {
            let said = answer["said"].as_str().unwrap_or_default();
            Watched::Not(Some(crate::text::cut_quotes(&crate::text::thrown(said), 200)))
        }
        _ => Watched::Not(None),
    }
}

fn it_is(value: Option<Value>) -> String {
    let value = value.map_or("undefined".to_owned(), |value| value.to_string());
    format!("it is {}", crate::text::cut(&value, 200))
}

/// A function is meant to be called, by those used to other tools.
fn called(expression: &str) -> String {
    let trimmed = expression.trim().trim_end_matches(';');
    let head = trimmed.strip_prefix("async").unwrap_or(trimmed).trim_start();
    let arrow = head.split_once("=>").is_some_and(|(before, _)| {
        let before = before.trim();
        (before.starts_with('(') && before.ends_with(')') && !before[1..].contains('('))
            || (!before.is_empty() && before.chars().all(|c| c.is_alphanumeric() || c == '_'))
    });
    match arrow || head.starts_with("function") {
        true => format!("({trimmed})()"),
        false => expression.to_owned(),
    }
}

/// As JavaScript sees it.
fn is_true(value: Option<&serde_json::Value>) -> bool {
    use serde_json::Value;
    match value {
        None | Some(Value::Null | Value::Bool(false)) => false,
        Some(Value::Number(number)) => number.as_f64() != Some(0.0),
        Some(Value::String(text)) => !text.is_empty(),
        Some(_) => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_statement_begins_after_an_end() {
        assert_eq!(endings("let a = 1; a > 0;"), [("let a = 1;", "a > 0")]);
        assert_eq!(
            endings("one()\ntwo(';')\n"),
            [("one()\ntwo(';", "')"), ("one()\n", "two(';')")]
        );
        // The second line belongs to the first.
        assert_eq!(endings("let a = b\n(c)"), []);
        assert_eq!(endings("ready"), []);
    }

    #[test]
    fn a_function_is_called() {
        for written in ["() => app.ready", "async () => 1", "function () { return 1 }", "x => x"] {
            assert_eq!(called(written), format!("({written})()"));
        }
        for written in ["app.ready", "[1].some((x) => x)", "(() => 1)()", "a >= b"] {
            assert_eq!(called(written), written);
        }
    }
}
