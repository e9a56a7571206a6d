//! What to try next, in terms of actions the caller has.
//!
//! The matches have no wildcard, so a new kind of failure does not compile without its
//! hint. A hint that names an action is told only to callers whose toolset has it.

use btcp_engine::Error;

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
    let hints = match fault {
        Fault::Call(error) => for_call(error),
        Fault::Page(error) => for_page(error),
    };
    hints.into_iter().find_map(|hint| {
        let mut text = hint.text;
        for action in hint.actions {
            let entry = catalog.find(action).filter(|entry| grant.has(entry.name))?;
            text = text.replacen("{}", &entry.tool_name(), 1);
        }
        Some(text)
    })
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
    }
}

const LOOK: &[&str] = &["snapshot"];

fn for_page(error: &Error) -> Vec<Hint> {
    let look = |text: &str| Hint::by(LOOK, text);
    match error {
        Error::NotFound { similar, .. } if similar.is_empty() => {
            vec![look("Take a {} to see what is there.")]
        }
        Error::NotFound { similar, .. } => {
            vec![Hint::plain(format!("The page has {}.", similar.join(", ")))]
        }
        Error::StaleRef { similar, .. } if similar.is_empty() => {
            vec![look("Take a new {} and use its refs.")]
        }
        Error::StaleRef { similar, .. } => {
            vec![Hint::plain(format!("Now there is {}.", similar.join(", ")))]
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
        Error::NotEditable { .. } => vec![look("Take a {} and choose a field.")],
        Error::NoSuchOption { options, .. } => {
            vec![Hint::plain(format!("The options are {}.", options.join(", ")))]
        }
        Error::BadValue { wants, .. } => vec![Hint::plain(format!("Give {wants}."))],
        Error::BadParam { .. } => vec![Hint::by(&["describe"], "{} shows what each action takes.")],
        Error::OutsideViewport { .. } => vec![look("Take a {} and choose another element.")],
        Error::NavigationFailed { .. } => {
            vec![Hint::plain("Check the address and that its server is running.")]
        }
        Error::JavaScript { .. } => vec![Hint::plain("Correct the script and try again.")],
        Error::PageCrashed { .. } => {
            vec![Hint::by(&["navigate"], "The session goes on: use {} to load the page again.")]
        }
        Error::BrowserGone { .. } => vec![Hint::by(
            &["navigate"],
            "The next call starts a new browser: use {} to open the page again.",
        )],
        Error::PageHung { .. } => {
            vec![Hint::by(&["navigate"], "The session goes on: use {} to leave the page.")]
        }
        Error::NoBrowser { how, .. } => vec![Hint::plain(how.clone())],
        Error::Denied { .. } => vec![Hint::plain("Use an http or https address.")],
        Error::WriteFailed { .. } => vec![Hint::plain("Free some space or give another path.")],
        Error::SessionGone { .. } => {
            vec![Hint::plain("Start again: the next call opens a new session.")]
        }
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
