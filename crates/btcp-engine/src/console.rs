//! The console of a tab: what its pages and workers logged, and what went wrong in them.
//!
//! A page can notice a standing `Runtime.enable`, so we listen in short bursts: Chrome then
//! tells everything it has stored, and what we know already is recognised by its time. Objects
//! in messages are expanded when somebody reads them, while the page still has them.

use std::collections::VecDeque;

use btcp_cdp::{SessionId, log, runtime};
use futures_util::future::join_all;
use serde_json::Value;

use crate::error::Result;
use crate::evaluate;
use crate::hang::PASSING;
use crate::tab::Tab;

/// One message.
#[derive(Debug, Clone, PartialEq)]
pub struct Message {
    /// `log`, `info`, `warning`, `error`, `debug` …
    pub kind: String,
    /// The arguments, as the console would print them.
    pub text: String,
    /// The arguments as JSON.
    pub args: Vec<Value>,
    /// Milliseconds since 1970.
    pub timestamp: f64,
    /// `page`, `worker` or `service worker`.
    pub context: &'static str,
    /// Where in which script, `https://a.test/app.js:12`.
    pub source: String,
}

impl Message {
    /// Whether it says that something went wrong.
    pub fn is_error(&self) -> bool {
        matches!(self.kind.as_str(), "error" | "assert")
    }
}

/// A message and the handles of objects in it that can still be expanded.
#[derive(Debug, Clone)]
pub(crate) struct Kept {
    pub(crate) message: Message,
    pub(crate) session: SessionId,
    pub(crate) handles: Vec<(usize, String)>,
}

/// Messages that are kept.
const KEPT: usize = 1000;
/// A message longer than this is cut.
const LONGEST: usize = 10_000;
/// Arguments of a message that are kept.
const ARGUMENTS: usize = 20;

/// The last messages of a tab.
#[derive(Debug, Default)]
pub(crate) struct Console {
    messages: VecDeque<Kept>,
    /// What was said until then has been forgotten.
    cleared: f64,
}

impl Console {
    pub(crate) fn called(
        &mut self,
        session: &SessionId,
        context: &'static str,
        event: runtime::ConsoleAPICalled,
    ) {
        let mut handles = Vec::new();
        let mut args = Vec::new();
        for (at, object) in event.args.iter().take(ARGUMENTS).enumerate() {
            if let Some(id) = &object.object_id {
                handles.push((at, id.clone()));
            }
            // Errors print with their stack; what else is an object is expanded when it is read.
            args.push(
                evaluate::value_of(object).unwrap_or_else(|| Value::String("undefined".into())),
            );
        }
        if self.is_forgotten(event.timestamp) {
            return;
        }
        if let Some(known) = self.known(session, event.timestamp) {
            // Handles live only as long as the burst that told them.
            known.handles = handles;
            return;
        }
        let source = event.stack_trace.and_then(|trace| trace.call_frames.into_iter().next());
        self.add(
            session,
            handles,
            Message {
                kind: event.kind,
                text: text_of(&args),
                args,
                timestamp: event.timestamp,
                context,
                source: source.map(|f| place(&f.url, f.line_number)).unwrap_or_default(),
            },
        );
    }

    pub(crate) fn threw(
        &mut self,
        session: &SessionId,
        context: &'static str,
        event: runtime::ExceptionThrown,
    ) {
        if self.is_forgotten(event.timestamp) || self.known(session, event.timestamp).is_some() {
            return;
        }
        let details = event.exception_details;
        let text = evaluate::thrown(&details, 0);
        let source = place(details.url.as_deref().unwrap_or_default(), details.line_number);
        self.add(
            session,
            Vec::new(),
            Message {
                kind: "error".into(),
                text: crate::text::cut(
                    &format!("Uncaught {}", text.trim_start_matches("Uncaught ")),
                    LONGEST,
                ),
                args: Vec::new(),
                timestamp: event.timestamp,
                context,
                source,
            },
        );
    }

    /// What Chrome itself reports; failed requests are told elsewhere.
    pub(crate) fn logged(
        &mut self,
        session: &SessionId,
        context: &'static str,
        event: log::EntryAdded,
    ) {
        let entry = event.entry;
        self.add(
            session,
            Vec::new(),
            Message {
                kind: entry.level,
                text: crate::text::cut(&entry.text, LONGEST),
                args: Vec::new(),
                timestamp: entry.timestamp,
                context,
                source: place(
                    entry.url.as_deref().unwrap_or_default(),
                    entry.line_number.unwrap_or(-1),
                ),
            },
        );
    }

    fn is_forgotten(&self, timestamp: f64) -> bool {
        timestamp <= self.cleared
    }

    fn add(&mut self, session: &SessionId, handles: Vec<(usize, String)>, message: Message) {
        if self.messages.len() == KEPT {
            self.messages.pop_front();
        }
        self.messages.push_back(Kept { message, session: session.clone(), handles });
    }

    fn known(&mut self, session: &SessionId, timestamp: f64) -> Option<&mut Kept> {
        self.messages
            .iter_mut()
            .rev()
            .find(|kept| kept.session == *session && kept.message.timestamp == timestamp)
    }

    /// The first errors since a time in milliseconds.
    pub(crate) fn errors_since(&self, millis: f64, at_most: usize) -> Vec<String> {
        self.messages
            .iter()
            .filter(|kept| kept.message.timestamp >= millis && kept.message.is_error())
            .take(at_most)
            .map(|kept| kept.message.text.clone())
            .collect()
    }

    /// The last messages that pass, oldest first.
    pub(crate) fn last(&self, limit: usize, passes: impl Fn(&Message) -> bool) -> Vec<Kept> {
        let mut found: Vec<Kept> = self
            .messages
            .iter()
            .rev()
            .filter(|kept| passes(&kept.message))
            .take(limit)
            .cloned()
            .collect();
        found.reverse();
        found
    }

    /// Forgets everything; how many there were.
    pub(crate) fn clear(&mut self) -> usize {
        let count = self.messages.len();
        self.cleared =
            self.messages.iter().map(|kept| kept.message.timestamp).fold(self.cleared, f64::max);
        self.messages.clear();
        count
    }
}

impl Tab {
    /// The last console messages, oldest first, objects expanded while the page has them.
    pub async fn console(&mut self, limit: usize, level: Option<&str>) -> Result<Vec<Message>> {
        self.listen(true).await;
        let kept = self
            .state
            .facts()
            .console
            .last(limit, |message| level.is_none_or(|level| message.kind == level));
        let expanded = join_all(kept.into_iter().map(|kept| self.expand(kept))).await;
        for session in self.state.sessions() {
            self.state.connection.post(Some(&session), &runtime::Disable);
        }
        Ok(expanded)
    }

    /// Lets every process of the tab tell what it has logged. Stays listening if told to.
    pub(crate) async fn listen(&self, stay: bool) {
        let mut sessions = self.state.sessions();
        sessions.retain(|session| !self.state.is_silent(session));
        let told = sessions.iter().map(|session| {
            let enabled = self.send_to(session, &runtime::Enable);
            if !stay {
                self.state.connection.post(Some(session), &runtime::Disable);
            }
            self.state.unless_silent(session, PASSING, enabled)
        });
        // A process that cannot tell has nothing to say; whoever asks it directly hears why.
        join_all(told).await;
    }

    /// Forgets the console; how many messages there were.
    pub fn clear_console(&mut self) -> usize {
        self.state.connection.post(Some(&self.state.session), &runtime::DiscardConsoleEntries);
        self.state.facts().console.clear()
    }

    /// The objects in a message as the page has them now; what is gone stays as it was printed.
    async fn expand(&self, kept: Kept) -> Message {
        let mut message = kept.message;
        let calls: Vec<_> = kept
            .handles
            .iter()
            .map(|(_, handle)| {
                self.send_to(
                    &kept.session,
                    &runtime::CallFunctionOn {
                        function_declaration: "function() { return this }",
                        object_id: Some(handle),
                        serialization_options: Some(evaluate::DEEP),
                        ..Default::default()
                    },
                )
            })
            .collect();
        for ((at, _), call) in kept.handles.iter().zip(calls) {
            let answer = self.state.unless_silent(&kept.session, PASSING, call).await;
            if let Some(Ok(answer)) = answer
                && let Some(value) = evaluate::value_of(&answer.result)
                && let Some(slot) = message.args.get_mut(*at)
            {
                *slot = value;
            }
        }
        if !kept.handles.is_empty() {
            message.text = text_of(&message.args);
        }
        message
    }
}

/// A message's arguments as a console prints them.
pub(crate) fn text_of(args: &[Value]) -> String {
    let words: Vec<String> = args
        .iter()
        .map(|value| match value {
            Value::String(text) => text.clone(),
            value => value.to_string(),
        })
        .collect();
    crate::text::cut(&formatted(&words), LONGEST)
}

/// `%s` and its like put in, the rest behind it, as a console does.
fn formatted(words: &[String]) -> String {
    let Some((first, rest)) = words.split_first() else { return String::new() };
    let mut rest = rest.iter();
    let mut out = String::new();
    let mut chars = first.chars().peekable();
    while let Some(c) = chars.next() {
        if c != '%' {
            out.push(c);
            continue;
        }
        match chars.peek() {
            Some('s' | 'd' | 'i' | 'f' | 'o' | 'O') if rest.len() > 0 => {
                chars.next();
                out.push_str(rest.next().map(String::as_str).unwrap_or_default());
            }
            // Style, which text has not.
            Some('c') if rest.len() > 0 => {
                chars.next();
                rest.next();
            }
            Some('%') => {
                chars.next();
                out.push('%');
            }
            _ => out.push('%'),
        }
    }
    for word in rest {
        out.push(' ');
        out.push_str(word);
    }
    out
}

fn place(url: &str, line: i64) -> String {
    match (url.is_empty(), line < 0) {
        (true, _) => String::new(),
        (false, true) => url.to_owned(),
        (false, false) => format!("{url}:{}", line + 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(kind: &str, text: &str, timestamp: f64) -> Message {
        Message {
            kind: kind.into(),
            text: text.into(),
            args: Vec::new(),
            timestamp,
            context: "page",
            source: String::new(),
        }
    }

    #[test]
    fn the_last_messages_are_kept_in_order() {
        let mut console = Console::default();
        let session = SessionId::from("s");
        for n in 0..1500 {
            console.add(&session, Vec::new(), message("log", &n.to_string(), f64::from(n)));
        }
        let last = console.last(2, |_| true);
        assert_eq!(
            last.iter().map(|kept| kept.message.text.as_str()).collect::<Vec<_>>(),
            ["1498", "1499"]
        );
        assert_eq!(console.clear(), KEPT);
    }

    #[test]
    fn only_errors_after_the_mark_count() {
        let mut console = Console::default();
        let session = SessionId::from("s");
        console.add(&session, Vec::new(), message("error", "old", 1.0));
        console.add(&session, Vec::new(), message("log", "fine", 2.0));
        console.add(&session, Vec::new(), message("error", "new", 3.0));
        assert_eq!(console.errors_since(2.0, 5), ["new"]);
        assert!(console.known(&session, 3.0).is_some() && console.known(&session, 4.0).is_none());
    }

    #[test]
    fn placeholders_are_put_in() {
        let words = |all: &[&str]| all.iter().map(|w| (*w).to_owned()).collect::<Vec<_>>();
        assert_eq!(formatted(&words(&["%s is %d%%", "x", "5", "more"])), "x is 5% more");
        assert_eq!(formatted(&words(&["%cred", "color:red"])), "red");
        assert_eq!(formatted(&words(&["100%"])), "100%");
    }
}
