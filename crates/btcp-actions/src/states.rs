//! What the actions on saved states answer with.

use btcp_engine::SavedState;

use crate::prelude::*;

/// What is in it.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Held {
    /// `saved` or `loaded`.
    #[serde(skip)]
    did: &'static str,
    success: bool,
    path: String,
    cookies: usize,
    /// Origins of which it has web storage.
    origins: usize,
    encrypted: bool,
    /// Whether some web storage was too large.
    left_out: bool,
    /// Whether secrets were replaced by their names.
    masked: bool,
}

impl Held {
    pub(crate) fn new(did: &'static str, state: SavedState) -> Self {
        let SavedState { path, cookies, origins, encrypted, left_out, masked } = state;
        let path = path.display().to_string();
        Self { did, success: true, path, cookies, origins, encrypted, left_out, masked }
    }
}

impl Output for Held {
    fn data(&self) -> Value {
        json!(self)
    }

    fn schema() -> Option<Schema> {
        schema_of_output::<Self>()
    }

    fn text(&self) -> Text {
        let counted = |count: usize, what: &str| match count {
            1 => format!("1 {what}"),
            many => format!("{many} {what}s"),
        };
        let (cookies, origins) = (counted(self.cookies, "cookie"), counted(self.origins, "origin"));
        let left_out = if self.left_out { "; some storage was too large" } else { "" };
        let masked = if self.masked { "; secrets were replaced by their names" } else { "" };
        Text::ours(format!(
            "{} {cookies} and the storage of {origins}: {}{left_out}{masked}",
            self.did,
            quoted(&cut(&self.path, 200))
        ))
    }
}
