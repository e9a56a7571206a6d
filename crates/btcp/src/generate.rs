//! `btcp generate`: the registry as text, for `cargo xtask gen`.

use std::process::ExitCode;

use btcp::export;

use crate::output;

/// What can be generated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum What {
    /// `docs/actions.md`.
    Docs,
    /// The table in the README.
    Readme,
}

impl What {
    /// Every kind, by its name on the command line.
    pub(crate) const ALL: [(&'static str, Self); 2] =
        [("docs", Self::Docs), ("readme", Self::Readme)];
}

pub(crate) fn run(what: What) -> ExitCode {
    output::text(&match what {
        What::Docs => export::actions_page(btcp_actions::ENTRIES),
        What::Readme => export::readme_table(btcp_actions::ENTRIES),
    });
    ExitCode::SUCCESS
}
