//! What every contestant can be asked to do.

use anyhow::Result;

/// One operation, the same work for everyone.
pub(crate) enum Op<'a> {
    /// Load a page, to its load event.
    Navigate(&'a str),
    /// What is on the page, as text.
    Snapshot,
    /// The same by Chrome's accessibility tree; only the floor can.
    AccessibilityTree,
    /// All of it, nothing folded, in a mode of ours.
    Whole(&'a str),
    /// A script's value.
    Evaluate(&'a str),
    /// A click; with `changes` ours waits for the page to settle and says what came of it.
    Click { selector: &'a str, changes: bool },
    /// A click whose events are sent one after the other's answer; only the floor differs.
    ClickOneByOne(&'a str),
    /// A click on a link, to the load event of the page it leads to.
    Follow(&'a str),
    /// A field's new text.
    Fill { selector: &'a str, value: &'a str, changes: bool },
    /// A picture of the viewport.
    Screenshot,
}

/// A contestant with a running Chrome.
pub(crate) trait Driver {
    /// Its column.
    fn name(&self) -> &'static str;

    /// The process above its Chrome.
    fn root(&self) -> u32;

    /// Does it, and gives the text that comes back.
    fn run(&mut self, op: &Op<'_>) -> Result<String>;

    /// Ends its Chrome.
    fn stop(self: Box<Self>);
}
