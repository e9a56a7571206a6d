//! One call as an action without a browser sees it: the catalog, who asks, and how.

use std::sync::{Mutex, PoisonError};

use btcp_engine::Progress;

use crate::call_params::CallParams;
use crate::caller::Caller;
use crate::catalog::Catalog;
use crate::order::Place;

/// What a `CatalogAction` gets.
pub struct Call<'a> {
    /// Every action there is.
    pub catalog: &'a Catalog,
    /// Who asks; decides which tools may be named.
    pub caller: &'a Caller,
    /// The session the call is about: the caller's own, or one it has a handle of.
    pub session: &'a str,
    /// What every call accepts.
    pub params: &'a CallParams,
    /// How far it has come.
    pub progress: &'a Progress,
    /// Whether all it does is answer a dialog.
    pub(crate) unblocks: bool,
    /// Whether it goes to another page, whatever has become of the one that is there.
    pub(crate) leaves: bool,
    /// Its place among the session's calls, until it is in a mailbox.
    pub(crate) place: Mutex<Option<Place>>,
    /// What happened to the session meanwhile, to be told with the answer.
    pub(crate) note: Mutex<Option<String>>,
}

impl Call<'_> {
    /// Its place among the session's calls, if it has one and is not in a mailbox yet.
    pub(crate) fn take_place(&self) -> Option<Place> {
        self.place.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}
