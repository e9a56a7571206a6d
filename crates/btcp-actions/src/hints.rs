//! What to try next, in terms of actions the caller has.
//!
//! The matches have no wildcard, so a new kind of failure does not compile without its
//! hint. A hint that names an action is told only to callers whose toolset has it.

use btcp_engine::text::quoted;
use btcp_engine::{Error, Limited};

use crate::catalog::Catalog;
use crate::error::{CallError, Fault};
use crate::grant::Grant;

/// Advice, and the actions it names as `{}` in order.
struct Hint {
    actions: &'static [&'static str],
    text: String,
}

impl Hint {
    fn plain(text: impl Into<String>) -> Self {
        Self { actions: &[], text: text.into() }
    }

    fn by(actions: &'static [&'static str], text: impl Into<String>) -> Self {
        Self { actions, text: text.into() }
    }
}

/// The first hint the caller's toolset can follow.
pub(crate) fn best(fault: &Fault, catalog: &Catalog, grant: &Grant) -> Option<String> {
    hints(fault).into_iter().find_map(|hint| {
        let mut text = hint.text;
        for action in hint.actions {
            let entry = catalog.find(action).filter(|entry| grant.has(entry.name))?;
            text = text.replacen("{}", &grant.spelling(entry), 1);
        }
        Some(text)
    })
}

/// The first hint that names no action: for one of several things done in one call.
pub(crate) fn plain(fault: &Fault) -> Option<String> {
    hints(fault).into_iter().find(|hint| hint.actions.is_empty()).map(|hint| hint.text)
}

fn hints(fault: &Fault) -> Vec<Hint> {
    match fault {
        Fault::Call(error) => for_call(error),
        Fault::Page(error) => for_page(error),
        Fault::Several { first, .. } => hints(first),
    }
}

fn for_call(error: &CallError) -> Vec<Hint> {
    match error {
        CallError::UnknownTool { suggestions, .. } if suggestions.is_empty() => {
            vec![Hint::by(&["describe"], "{} without an action lists what there is.")]
        }
        CallError::UnknownTool { suggestions, .. } => {
            vec![Hint::plain(format!("Did you mean {}?", suggestions.join(", ")))]
        }
        CallError::InvalidParams { hint: Some(hint), .. } => vec![Hint::plain(hint.clone())],
        CallError::InvalidParams { hint: None, .. } => {
            vec![Hint::by(&["describe"], "{} shows what each action takes.")]
        }
        CallError::Denied { .. } => {
            vec![Hint::plain("Start btcp with --toolset to add tools.")]
        }
        CallError::NotGranted { .. } => {
            vec![Hint::plain("What is granted is set where btcp is started: go on without it.")]
        }
    }
}

const LOOK: &[&str] = &["snapshot"];

/// A page whose script never ends.
fn hung() -> Vec<Hint> {
    let stop = "The session goes on: leave the page, or use {}, which stops its script first.";
    vec![
        Hint::by(&["evaluate"], stop),
        Hint::by(&["navigate"], "The session goes on: use {} to leave the page."),
    ]
}

/// A page that is gone, and comes again by itself.
fn crashed() -> Vec<Hint> {
    vec![
        Hint::by(LOOK, "The next call loads it again: take a {}."),
        Hint::plain("The next call loads it again."),
    ]
}

/// A file that may not be used.
fn elsewhere(allowed: &[String]) -> Vec<Hint> {
    let allowed = allowed.join(", ");
    let text = format!("Use a file in {allowed}; the person can allow more with --allow-folder.");
    vec![Hint::plain(text)]
}

/// A link that goes nowhere but runs something.
fn script_address() -> Vec<Hint> {
    vec![
        Hint::by(&["evaluate"], "What it does can be done with {}, if you know it to be right."),
        Hint::plain("Use another control of the page."),
    ]
}

fn too_many(of: Limited) -> Vec<Hint> {
    let close = "Close what is not needed with {}.";
    match of {
        Limited::Tabs => vec![
            Hint::by(&["tabs"], close),
            Hint::by(&["close_tab"], close),
            Hint::plain("Go on in a tab that is open."),
        ],
        Limited::Sessions => vec![
            Hint::by(&["session"], close),
            Hint::plain("Go on in a session that is open, or retry when one has ended."),
        ],
        Limited::Crashes => vec![Hint::plain("Retry then, with another page if it was one page.")],
        Limited::Memory => vec![Hint::plain("The next call loads it again; it may grow again.")],
    }
}

fn no_session() -> Vec<Hint> {
    vec![
        Hint::by(&["session"], "Make a new one with {}."),
        Hint::plain("Call without naming it: that begins a new one."),
    ]
}

fn meant_for(origins: &[String]) -> Vec<Hint> {
    vec![Hint::plain(format!("It is meant for {}.", origins.join(", ")))]
}

/// What the page has that is like what was asked for, or how to see what it has.
fn there_is(says: &str, similar: &[String], or_else: Hint) -> Vec<Hint> {
    match similar {
        [] => vec![or_else],
        some => vec![Hint::plain(format!("{says} {}.", some.join(", ")))],
    }
}

/// How to say which of several tools of one name is meant.
fn which_tool(origins: &[String]) -> Vec<Hint> {
    match origins {
        [] | [_] => vec![Hint::by(&["frame"], "Enter the frame that is meant with {} first.")],
        some => vec![Hint::plain(format!("Say which by `origin`: {}.", some.join(" or ")))],
    }
}

fn for_page(error: &Error) -> Vec<Hint> {
    let look = |text: &str| Hint::by(LOOK, text);
    match error {
        Error::NotFound { similar, .. } => {
            there_is("The page has", similar, look("Take a {} to see what is there."))
        }
        Error::NoSuchTool { similar, .. } => {
            let list = Hint::by(&["page_tools"], "{} lists those there are.");
            there_is("The page has", similar, list)
        }
        Error::AmbiguousTool { origins, .. } => which_tool(origins),
        Error::StaleRef { similar, .. } => {
            there_is("Now there is", similar, look("Take a new {} and use its refs."))
        }
        Error::Ambiguous { matches, .. } => {
            vec![Hint::plain(format!("Use one of {}.", matches.join(", ")))]
        }
        Error::BadSelector { .. } => vec![Hint::plain(
            "Use a ref (e5), CSS, XPath, text=, role=button[name=\"Save\"], label=, placeholder=, alt=, title= or testid=.",
        )],
        Error::NoSuchTab { .. } => vec![Hint::by(&["tabs"], "{} lists the tabs.")],
        Error::NoHistory { .. } => vec![Hint::by(&["navigate"], "Use {} with a URL.")],
        Error::NotVisible { .. } => {
            vec![look("It may be in a closed menu or another tab of the page: take a {}.")]
        }
        Error::Moving { .. } => {
            vec![Hint::by(&["wait"], "Use {} until it rests, then retry."), Hint::plain("Retry.")]
        }
        Error::Disabled { .. } => {
            vec![look("Something else must be filled in or chosen first: take a {}.")]
        }
        Error::Covered { by, .. } => {
            vec![Hint::plain(format!("Close {by} or scroll, then retry."))]
        }
        Error::TakesNoFiles { .. } => {
            vec![look("Take a {} and choose a file field, or the button that opens its chooser.")]
        }
        Error::NotEditable { .. } => vec![look("Take a {} and choose a field.")],
        Error::NoSuchOption { options, .. } => {
            let options: Vec<String> = options.iter().map(|one| quoted(one)).collect();
            vec![Hint::plain(format!("The options are {}.", options.join(", ")))]
        }
        Error::BadValue { wants, .. } => vec![Hint::plain(format!("Give {wants}."))],
        Error::BadParam { .. } => vec![Hint::by(&["describe"], "{} shows what each action takes.")],
        Error::OutsideViewport { .. } => vec![look("Take a {} and choose another element.")],
        Error::NavigationFailed { .. } => {
            vec![Hint::plain("Check the address and that its server is running.")]
        }
        Error::JavaScript { .. } => vec![Hint::plain("Correct the script and try again.")],
        Error::DialogOpen { .. } => vec![Hint::by(&["dialog"], "Answer it with {} first.")],
        Error::NoDialog => vec![look("The page is not waiting for an answer: take a {}.")],
        Error::PageCrashed { .. } => crashed(),
        Error::BrowserGone { restarts, .. } => again(*restarts),
        Error::PageHung { .. } => hung(),
        Error::NoBrowser { how, .. } => vec![Hint::plain(how.clone())],
        Error::Denied { .. } => vec![Hint::plain("Use an http or https address.")],
        Error::ScriptAddress { .. } => script_address(),
        Error::FolderDenied { allowed, .. } => elsewhere(allowed),
        Error::SecretDenied { origins, .. } => meant_for(origins),
        Error::SecretShown { .. } => vec![Hint::plain("Empty its field, then try again.")],
        Error::FileNotFound { .. } | Error::FileUnreadable { .. } => {
            vec![Hint::plain("Check the path; relative ones begin at the working directory.")]
        }
        Error::TooLarge { .. } => vec![Hint::plain("Give a smaller one.")],
        Error::WriteFailed { .. } => vec![Hint::plain("Free some space or give another path.")],
        Error::SessionLimit { of, .. } => too_many(*of),
        Error::SessionGone { .. } => no_session(),
        Error::Timeout { .. } => vec![
            look("Take a {} to see how far it came, or raise `timeout`."),
            Hint::plain("Raise `timeout`."),
        ],
        Error::Cancelled => vec![look("Take a {} to see how far it came.")],
        Error::Internal { .. } => vec![Hint::plain(
            "This is a fault in btcp or Chrome; retry, and report it if it stays.",
        )],
    }
}

/// What becomes of a session whose browser ended.
fn again(restarts: bool) -> Vec<Hint> {
    vec![Hint::plain(match restarts {
        true => {
            "The next call starts it again with the session's tabs, cookies and storage; what was typed is lost."
        }
        false => {
            "The next call connects to it again, if it runs: btcp did not start it and cannot."
        }
    })]
}
