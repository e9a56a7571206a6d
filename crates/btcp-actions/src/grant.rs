//! The grant: what a caller may use. Checked in one place, before an action runs.

use crate::action::Entry;
use crate::error::CallError;

/// What a caller may use.
#[derive(Debug, Clone)]
pub struct Grant {
    tools: Vec<&'static str>,
}

impl Grant {
    /// A grant for the tools of a toolset.
    pub fn for_tools(tools: Vec<&'static str>) -> Self {
        Self { tools }
    }

    /// Whether the caller's toolset has this action.
    pub fn has(&self, name: &str) -> bool {
        self.tools.contains(&name)
    }

    /// The toolset, in the order in which tools are listed.
    pub fn tools(&self) -> &[&'static str] {
        &self.tools
    }

    /// Refuses by the name the caller wrote: what it stands for is not theirs to know.
    pub(crate) fn check(&self, entry: &Entry, written: &str) -> Result<(), CallError> {
        if self.has(entry.name) {
            return Ok(());
        }
        Err(CallError::Denied { message: format!("'{written}' is outside this caller's toolset") })
    }

    /// Refuses an action that would run as another one.
    pub(crate) fn check_inner(&self, entry: &Entry, written: &str) -> Result<(), CallError> {
        if self.has(entry.name) {
            return Ok(());
        }
        Err(CallError::Denied {
            message: format!("The subaction of '{written}' is outside this caller's toolset"),
        })
    }
}
