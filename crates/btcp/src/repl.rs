//! `btcp repl`: commands one after the other, with history and completion on a terminal.
//!
//! A line is a command line without `btcp`; the flags of the repl itself are put before each.

use std::borrow::Cow;
use std::ffi::OsString;
use std::io::{self, BufRead as _, IsTerminal as _};
use std::os::unix::fs::DirBuilderExt as _;
use std::path::PathBuf;
use std::process::ExitCode;

use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::FileHistory;
use rustyline::validate::Validator;
use rustyline::{Config, Context, Editor, Helper};

use crate::{cli, output};

const PROMPT: &str = "btcp> ";

/// How many lines are remembered.
const REMEMBERED: usize = 1000;

/// Commands that read what we read, or never end.
const NOT_HERE: &[&str] = &["mcp", "repl", "daemon", "sweep"];

/// Reads and does commands until there are no more; the exit code is the last one's.
pub(crate) fn run(flags: &[OsString]) -> ExitCode {
    match io::stdin().is_terminal() && io::stdout().is_terminal() {
        true => interactive(flags),
        false => {
            let mut code = ExitCode::SUCCESS;
            for line in io::stdin().lock().lines().map_while(Result::ok) {
                match one(&line, flags) {
                    Next::Done(done) => code = done,
                    Next::Nothing => {}
                    Next::Leave => break,
                }
            }
            code
        }
    }
}

fn interactive(flags: &[OsString]) -> ExitCode {
    let config = Config::builder()
        .max_history_size(REMEMBERED)
        .map(|config| config.history_ignore_space(true).auto_add_history(true).build());
    let editor = config.and_then(Editor::<Typing, FileHistory>::with_config);
    let mut editor = match editor {
        Ok(editor) => editor,
        Err(error) => return output::failed(&error.into()),
    };
    editor.set_helper(Some(Typing));
    let history = history();
    if let Some(path) = &history {
        // There is none the first time.
        let _ = editor.load_history(path);
    }
    output::note("a command a line, Tab completes, help lists all, exit or Ctrl-D leaves");
    let mut code = ExitCode::SUCCESS;
    loop {
        match editor.readline(PROMPT) {
            Ok(line) => match one(&line, flags) {
                Next::Done(done) => code = done,
                Next::Nothing => {}
                Next::Leave => break,
            },
            Err(ReadlineError::Interrupted) => {}
            Err(_) => break,
        }
    }
    if let Some(path) = &history {
        let _ = editor.save_history(path);
    }
    code
}

/// What comes after a line.
enum Next {
    Done(ExitCode),
    Nothing,
    Leave,
}

fn one(line: &str, flags: &[OsString]) -> Next {
    let mut words = match cli::words(line) {
        Ok(words) => words,
        Err(why) => {
            output::error(&why);
            return Next::Done(ExitCode::from(2));
        }
    };
    if words.first().is_some_and(|word| word == "btcp") {
        words.remove(0);
    }
    match words.first().map(String::as_str) {
        None => return Next::Nothing,
        Some("exit" | "quit") => return Next::Leave,
        Some(word) if NOT_HERE.contains(&word) => {
            output::error(&format!("'{word}' is not for here; leave with exit first"));
            return Next::Done(ExitCode::from(2));
        }
        Some(_) => {}
    }
    let ours = std::iter::once(OsString::from("btcp")).chain(flags.iter().cloned());
    Next::Done(crate::run(ours.chain(words.into_iter().map(OsString::from)).collect()))
}

/// Where lines are remembered; they may hold what was typed into pages.
fn history() -> Option<PathBuf> {
    let absolute =
        |name| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let state = absolute("XDG_STATE_HOME")
        .or_else(|| absolute("HOME").map(|home| home.join(".local/state")))?;
    let folder = state.join("btcp");
    std::fs::DirBuilder::new().recursive(true).mode(0o700).create(&folder).ok()?;
    Some(folder.join("repl_history"))
}

/// What helps while one types.
struct Typing;

impl Completer for Typing {
    type Candidate = String;

    fn complete(
        &self,
        line: &str,
        at: usize,
        _: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<String>)> {
        let before = &line[..at];
        let start = before.rfind(char::is_whitespace).map_or(0, |space| space + 1);
        let Ok(words) = cli::words(&before[..start]) else { return Ok((start, Vec::new())) };
        let begun = &before[start..];
        let mut fitting = cli::continuations(&words);
        fitting.retain(|word| !begun.is_empty() && word.starts_with(begun));
        fitting.sort();
        Ok((start, fitting))
    }
}

impl Highlighter for Typing {
    fn highlight_prompt<'b, 's: 'b, 'p: 'b>(&'s self, prompt: &'p str, _: bool) -> Cow<'b, str> {
        Cow::Borrowed(prompt)
    }
}

impl Hinter for Typing {
    type Hint = String;
}

impl Validator for Typing {}

impl Helper for Typing {}
