//! One call as an action without a browser sees it: the catalog, and who asks.

use crate::catalog::{Caller, Catalog};

/// What a `CatalogAction` gets.
pub struct Call<'a> {
    /// Every action there is.
    pub catalog: &'a Catalog,
    /// Who asks; decides which tools may be named.
    pub caller: &'a Caller,
}
