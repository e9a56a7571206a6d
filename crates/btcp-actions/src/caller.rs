//! Who makes a call. What they may do is `grant.rs`, what becomes of the call `catalog.rs`.

use std::sync::Arc;

use crate::grant::Grant;

/// Who calls: whose session, and what they may use.
#[derive(Debug, Clone)]
pub struct Caller {
    /// The session's name; one conversation has one.
    pub session: String,
    /// What they may use.
    pub grant: Grant,
    /// A page to open with the session's first call.
    pub start: Option<Arc<str>>,
}

impl Caller {
    /// A caller with this session, who may use this.
    pub fn new(session: impl Into<String>, grant: Grant) -> Self {
        Self { session: session.into(), grant, start: None }
    }

    /// The same, beginning at a page.
    #[must_use]
    pub fn starting_at(mut self, url: Option<&str>) -> Self {
        self.start = url.map(Arc::from);
        self
    }
}
