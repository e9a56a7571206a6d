//! An action, or the opening of a session, as a command: asked of the daemon, printed for a person or a program.
//!
//! No runtime and no log: this is over in the time a runtime takes to start.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use btcp::daemon::{Answer, Call, Client, Heard, Told, Trouble, build};
use serde_json::{Value, json};

use crate::cli::ActionCall;
use crate::output::{self, Bar, Counts, Spinner};
use crate::settings::ourselves;

/// How often the spinner turns.
const TURN: Duration = Duration::from_millis(80);

/// What takes longer shows how long it may take.
const LONG: Duration = Duration::from_secs(2);

/// Makes a call and prints what came of it.
pub(crate) fn run(call: ActionCall) -> ExitCode {
    let ActionCall { json, quiet, reads, .. } = call;
    let client = match client(&call.daemon_idle) {
        Ok(client) => client,
        Err(trouble) => return troubled(&trouble, json, reads),
    };
    let mut waiting = Waiting::new(call.action.unwrap_or("connect"), quiet, json);
    let watched = waiting.spinner.is_shown();
    let client = client.look(watched.then_some(TURN));
    let asked = Call {
        build: build(),
        session: call.session,
        action: call.action.map(str::to_owned),
        arguments: call.arguments,
        folder: call.folder,
        settings: call.settings,
        data: json,
        watched,
    };
    let answer = client.call(&asked, |heard| waiting.hear(heard));
    waiting.clear();
    match answer {
        Ok(Answer::Did(told)) => {
            if let Some(note) = told.note.as_ref().filter(|_| !quiet) {
                output::note(note);
            }
            print(&told, json, quiet && !reads && !told.failed);
            if told.failed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
        }
        Ok(Answer::Failed(failure)) => failed(failure, json),
        Err(trouble) => troubled(&trouble, json, reads),
    }
}

/// What a person sees meanwhile: a spinner; a bar once it takes long, or if something is downloaded.
struct Waiting {
    spinner: Spinner,
    bar: Bar,
    quiet: bool,
    begun: Option<(Instant, Duration)>,
    amount: bool,
}

impl Waiting {
    fn new(action: &str, quiet: bool, json: bool) -> Self {
        let silent = quiet || json;
        let (spinner, bar) = (Spinner::new(action, silent), Bar::new(action, silent));
        Self { spinner, bar, quiet, begun: None, amount: false }
    }

    fn hear(&mut self, heard: Heard<'_>) {
        match heard {
            Heard::Progress(line) => {
                self.bar.clear();
                self.spinner.say(line, self.quiet);
            }
            Heard::Begun(limit) => self.begun = Some((Instant::now(), limit)),
            Heard::Amount { done, total } => {
                self.amount = true;
                self.spinner.clear();
                self.bar.draw(done, total, Counts::Bytes);
            }
            Heard::Nothing => match self.begun.map(|(at, limit)| (at.elapsed(), limit)) {
                // How far the download is stands there; it may take longer than the call.
                _ if self.amount => {}
                Some((elapsed, limit)) if elapsed >= LONG => {
                    self.spinner.clear();
                    self.bar.draw(elapsed.as_secs(), limit.as_secs(), Counts::Seconds);
                }
                _ => self.spinner.turn(),
            },
        }
    }

    fn clear(&mut self) {
        self.spinner.clear();
        self.bar.clear();
    }
}

/// Somebody who asks the daemon, which is this binary too.
pub(crate) fn client(idle: &str) -> Result<Client, Trouble> {
    let arguments = vec!["daemon".to_owned(), "--idle".to_owned(), idle.to_owned()];
    Client::new(ourselves(), arguments)
}

fn print(told: &Told, json: bool, silent: bool) {
    match &told.data {
        Some(data) if json => output::line(&data.to_string()),
        _ if silent || told.text.is_empty() => {}
        _ if told.text.ends_with('\n') => output::text(&told.text),
        _ => output::line(&told.text),
    }
}

/// Tells a failure: to a program as an object on stdout, to a person as text on stderr.
fn failed(mut failure: Value, json: bool) -> ExitCode {
    let text = failure.as_object_mut().and_then(|object| object.shift_remove("text"));
    let code = match failure.get("code").and_then(Value::as_str) {
        Some("invalid_params" | "unknown_tool") => 2,
        _ => 1,
    };
    if json {
        output::line(&json!({ "error": failure }).to_string());
    } else {
        output::error(text.as_ref().and_then(Value::as_str).unwrap_or_default());
    }
    ExitCode::from(code)
}

/// Tells why there is no answer.
fn troubled(trouble: &Trouble, json: bool, reads: bool) -> ExitCode {
    let (code, hint) = match trouble {
        Trouble::NoDaemon(_) => ("internal", "Look at `btcp status`."),
        Trouble::Gone => ("browser_gone", "Call again; a new daemon starts with an empty session."),
        Trouble::Silent(_) => ("timeout", "End it with `btcp stop`."),
        Trouble::Nonsense(_) => ("internal", "End it with `btcp stop`."),
    };
    let mut failure = json!({ "code": code, "message": trouble.to_string(), "hint": hint });
    let mut text = format!("{trouble}\n{hint}");
    let begun = matches!(trouble, Trouble::Gone | Trouble::Silent(_));
    match (reads, begun) {
        (true, _) => text.push_str(&format!(" ({code})")),
        (false, true) => {
            failure["done"] = json!("unknown");
            text.push_str(&format!(
                " It may have happened: look before repeating. ({code}, done: unknown)"
            ));
        }
        (false, false) => {
            failure["done"] = json!("no");
            text.push_str(&format!(" ({code}, done: no)"));
        }
    }
    failure["text"] = json!(text);
    failed(failure, json)
}
