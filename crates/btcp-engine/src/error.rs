//! Why a page did not do what an action asked.
//!
//! A variant per decision an agent can take. The message states the fact with the
//! value in it; the code never changes. What to try next is written one floor up,
//! in `btcp-actions`, because it is advice in terms of actions.

use std::time::Duration;

/// What the engine answers with.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What a session, or all of them together, may not have more of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limited {
    /// Tabs of a session, which a page's windows are too.
    Tabs,
    /// Sessions.
    Sessions,
    /// Crashes of the browser within a minute.
    Crashes,
    /// Memory of a session's pages.
    Memory,
}

/// Why a page did not do what an action asked.
#[derive(Debug, Clone, thiserror::Error)]
pub enum Error {
    /// Nothing on the page matches.
    #[error("Selector '{target}' not found")]
    NotFound {
        /// What the agent wrote.
        target: String,
        /// Elements that look like it, as the snapshot prints them.
        similar: Vec<String>,
    },
    /// The element of a ref has left the page.
    #[error("Ref '{target}' is stale: {was} is no longer on the page")]
    StaleRef {
        /// What the agent wrote.
        target: String,
        /// What the element was.
        was: String,
        /// What looks like it now.
        similar: Vec<String>,
    },
    /// Several elements match equally well.
    #[error("Selector '{target}' matches {count} elements")]
    Ambiguous {
        /// What the agent wrote.
        target: String,
        /// How many match.
        count: usize,
        /// The first five, with refs.
        matches: Vec<String>,
    },
    /// No document of the tab declares such a tool.
    #[error("Page tool '{name}' not found")]
    NoSuchTool {
        /// What the agent wrote.
        name: String,
        /// Names like it that are declared, quoted.
        similar: Vec<String>,
    },
    /// Several frames declare a tool of that name.
    #[error("Page tool '{name}' is declared by {count} frames")]
    AmbiguousTool {
        /// What the agent wrote.
        name: String,
        /// How many do.
        count: usize,
        /// Their origins, quoted.
        origins: Vec<String>,
    },
    /// The selector does not parse.
    #[error("Selector '{target}' is not valid: {reason}")]
    BadSelector {
        /// What the agent wrote.
        target: String,
        /// Why it does not parse.
        reason: String,
    },
    /// No such tab in this session.
    #[error("Tab {id} does not exist")]
    NoSuchTab {
        /// The number asked for.
        id: u32,
    },
    /// The tab's history ends here.
    #[error("There is no page to go {direction} to")]
    NoHistory {
        /// `back` or `forward`.
        direction: &'static str,
    },
    /// It has no box, is hidden, or lets events through.
    #[error("Element '{target}' is not visible")]
    NotVisible {
        /// What the agent wrote.
        target: String,
    },
    /// It did not rest in time.
    #[error("Element '{target}' is moving")]
    Moving {
        /// What the agent wrote.
        target: String,
    },
    /// It is disabled.
    #[error("Element '{target}' is disabled: {what}")]
    Disabled {
        /// What the agent wrote.
        target: String,
        /// The element.
        what: String,
    },
    /// Another element would receive the event.
    #[error("Element '{target}' is covered by {by}")]
    Covered {
        /// What the agent wrote.
        target: String,
        /// What lies on top.
        by: String,
    },
    /// It takes no text.
    #[error("Element '{target}' is not editable: {what}")]
    NotEditable {
        /// What the agent wrote.
        target: String,
        /// The element.
        what: String,
    },
    /// Files can neither be put into it nor dropped on it.
    #[error("Element '{target}' takes no files: {what}, {why}")]
    TakesNoFiles {
        /// What the agent wrote.
        target: String,
        /// The element.
        what: String,
        /// Why.
        why: &'static str,
    },
    /// The select has no such option.
    #[error("Element '{target}' has no option '{value}'")]
    NoSuchOption {
        /// What the agent wrote.
        target: String,
        /// The value asked for.
        value: String,
        /// The options there are.
        options: Vec<String>,
    },
    /// The value does not fit the field.
    #[error("Value '{value}' does not fit {what}: it takes {wants}")]
    BadValue {
        /// The value given.
        value: String,
        /// The element.
        what: String,
        /// What the field takes.
        wants: String,
    },
    /// A parameter makes no sense to the engine.
    #[error("{message}")]
    BadParam {
        /// Which parameter.
        field: &'static str,
        /// The sentence.
        message: String,
    },
    /// The point cannot be scrolled into the viewport.
    #[error("Element '{target}' is outside the viewport and cannot be scrolled into it")]
    OutsideViewport {
        /// What the agent wrote.
        target: String,
    },
    /// The browser could not load a page.
    #[error("{message}")]
    NavigationFailed {
        /// Chrome's name for it and what it means here.
        message: String,
    },
    /// A script threw.
    #[error("{message}")]
    JavaScript {
        /// Type, message and line.
        message: String,
    },
    /// A dialog blocks the page.
    #[error("{} {kind} dialog is open: {}", article(kind), crate::text::quoted(&crate::text::cut(message, 200)))]
    DialogOpen {
        /// `alert`, `confirm`, `prompt` or `beforeunload`.
        kind: String,
        /// What it says.
        message: String,
    },
    /// There is no dialog to answer.
    #[error("No dialog is open")]
    NoDialog,
    /// The renderer of this tab crashed.
    #[error("The page at {url} crashed; what was entered in it and not sent is lost")]
    PageCrashed {
        /// Where it was.
        url: String,
    },
    /// The browser ended.
    #[error("The browser ended: {reason}")]
    BrowserGone {
        /// What we know.
        reason: String,
        /// Whether we start it again.
        restarts: bool,
    },
    /// The page's script does not let it answer.
    #[error(
        "The page did not answer within {} (waiting for {waiting_for}); its script is busy",
        seconds(.after)
    )]
    PageHung {
        /// For what.
        waiting_for: &'static str,
        /// How long we waited.
        after: Duration,
    },
    /// There is no browser and none could be had.
    #[error("{message}")]
    NoBrowser {
        /// What was tried.
        message: String,
        /// How to get one.
        how: String,
    },
    /// A rule forbids it.
    #[error("{message}")]
    Denied {
        /// Which rule.
        message: String,
    },
    /// A press or key would run the script in an address.
    #[error("Pressing '{pressed}' is denied: {what} has a javascript: address")]
    ScriptAddress {
        /// What the agent wrote: a target, a key or a point.
        pressed: String,
        /// What has that address.
        what: String,
    },
    /// A secret may not go to a page of this origin.
    #[error("Secret '{name}' may not be used on {origin}")]
    SecretDenied {
        /// Its name.
        name: String,
        /// Where it was to go, quoted.
        origin: String,
        /// Where it may go.
        origins: Vec<String>,
    },
    /// A secret is in view, and cannot be left out of what was asked for.
    #[error("{what} would show secret '{name}': {why}")]
    SecretShown {
        /// `A picture`, `A PDF`.
        what: &'static str,
        /// Its name.
        name: String,
        /// Why it cannot be left out.
        why: &'static str,
    },
    /// The file door is closed for this path.
    #[error("{message}")]
    FolderDenied {
        /// Which path, and which rule.
        message: String,
        /// The folders that are open.
        allowed: Vec<String>,
    },
    /// There is no such file.
    #[error("File not found: {path}")]
    FileNotFound {
        /// What the agent wrote.
        path: String,
    },
    /// A file could not be read.
    #[error("Cannot read {path}: {reason}")]
    FileUnreadable {
        /// Which.
        path: String,
        /// Why.
        reason: String,
    },
    /// More bytes than are taken.
    #[error("{message}")]
    TooLarge {
        /// How many there are, how many there may be.
        message: String,
    },
    /// A file could not be written.
    #[error("Cannot write {path}: {reason}")]
    WriteFailed {
        /// Where.
        path: String,
        /// Why.
        reason: String,
    },
    /// The session has ended.
    #[error("Session '{session}' has ended")]
    SessionGone {
        /// Which.
        session: String,
    },
    /// More than a session may have.
    #[error("{message}")]
    SessionLimit {
        /// Of what there would be too much.
        of: Limited,
        /// How many there are, how many there may be.
        message: String,
    },
    /// The condition did not come true in time.
    #[error("Timeout after {} waiting for {waiting_for}", seconds(.after))]
    Timeout {
        /// How long we waited.
        after: Duration,
        /// For what.
        waiting_for: String,
    },
    /// The caller gave up.
    #[error("Cancelled")]
    Cancelled,
    /// Something we did not foresee; always a bug of ours or Chrome's.
    #[error("{message}")]
    Internal {
        /// What happened.
        message: String,
    },
}

impl Error {
    /// Stable name for programs; part of the protocol.
    pub fn code(&self) -> &'static str {
        match self {
            Self::NotFound { .. } | Self::NoSuchTool { .. } => "not_found",
            Self::StaleRef { .. } => "stale_ref",
            Self::Ambiguous { .. } | Self::AmbiguousTool { .. } => "ambiguous",
            Self::BadSelector { .. } | Self::BadValue { .. } | Self::BadParam { .. } => {
                "invalid_params"
            }
            Self::NoSuchTab { .. } => "no_such_tab",
            Self::NoHistory { .. } => "no_history",
            Self::NotVisible { .. } => "not_visible",
            Self::Moving { .. } => "moving",
            Self::Disabled { .. } => "disabled",
            Self::Covered { .. } => "covered",
            Self::NotEditable { .. } | Self::TakesNoFiles { .. } => "not_editable",
            Self::NoSuchOption { .. } => "no_such_option",
            Self::OutsideViewport { .. } => "outside_viewport",
            Self::NavigationFailed { .. } => "navigation_failed",
            Self::JavaScript { .. } => "javascript_error",
            Self::DialogOpen { .. } => "dialog_open",
            Self::NoDialog => "not_found",
            Self::PageCrashed { .. } => "page_crashed",
            Self::BrowserGone { .. } => "browser_gone",
            Self::PageHung { .. } => "page_hung",
            Self::NoBrowser { .. } => "no_browser",
            Self::Denied { .. } | Self::ScriptAddress { .. } => "denied",
            Self::FolderDenied { .. } | Self::SecretDenied { .. } => "denied",
            Self::SecretShown { .. } => "denied",
            Self::FileNotFound { .. } | Self::FileUnreadable { .. } => "file_not_found",
            Self::TooLarge { .. } => "too_large",
            Self::WriteFailed { .. } => "write_failed",
            Self::SessionGone { .. } => "session_gone",
            Self::SessionLimit { .. } => "session_limit",
            Self::Timeout { .. } => "timeout",
            Self::Cancelled => "cancelled",
            Self::Internal { .. } => "internal",
        }
    }

    pub(crate) fn internal(message: impl Into<String>) -> Self {
        Self::Internal { message: message.into() }
    }
}

fn article(word: &str) -> &'static str {
    if word.starts_with(['a', 'e', 'i', 'o', 'u']) { "An" } else { "A" }
}

/// `15s`, `1.5s`, `300ms`: durations as errors print them.
pub fn seconds(duration: &Duration) -> String {
    let millis = duration.as_millis();
    if millis < 1000 {
        format!("{millis}ms")
    } else if millis.is_multiple_of(1000) {
        format!("{}s", millis / 1000)
    } else {
        format!("{:.1}s", duration.as_secs_f64())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_read_as_a_person_would_write_them() {
        assert_eq!(seconds(&Duration::from_secs(15)), "15s");
        assert_eq!(seconds(&Duration::from_millis(1500)), "1.5s");
        assert_eq!(seconds(&Duration::from_millis(300)), "300ms");
    }
}
