//! `upload`: gives a page files, as a person would by its chooser or by dropping them.
//!
//! Only files the caller may read; a copy is what the page gets.

use crate::prelude::*;

/// Upload files through a file field, its button or a drop zone.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Upload {
    /// Ref or selector.
    selector: Target,
    /// Paths.
    files: Vec<String>,
}

impl Action for Upload {
    const NAME: &'static str = "upload";
    const GROUP: Group = Group::Interaction;
    const TOOLSET: Toolset = Toolset::All;
    const ACCESS: Access = Access::Changes;
    const TIPS: &'static [&'static str] = &[
        "No files at all empty a file field.",
        "Files are read from the working directory, the temporary folder and the session's own, not from hidden entries; --allow-folder adds.",
    ];
    type Output = Did;

    fn examples() -> Vec<Example> {
        vec![
            Example::does(
                "Into a field",
                json!({ "selector": "#one", "files": ["{files}/hello.txt"] }),
                "log.includes('one hello.txt 6')",
            ),
            Example::does(
                "Several, by the button that opens the chooser",
                json!({ "selector": "#choose", "files": ["{files}/hello.txt", "{files}/dot.png"] }),
                "log.includes('many hello.txt 6, dot.png 70')",
            ),
            Example::does(
                "Dropped",
                json!({ "selector": "#zone", "files": ["{files}/hello.txt"] }),
                "log.includes('dropped hello.txt 6')",
            ),
            Example::fails(
                "A file that is kept from agents",
                json!({ "selector": "#one", "files": ["/etc/passwd"] }),
                "denied",
            ),
        ]
    }

    fn target(&self) -> Option<&Target> {
        Some(&self.selector)
    }

    async fn run(self, tab: &mut Tab) -> Result<Did> {
        let uploaded = tab.upload(&self.selector, &self.files).await?;
        let files = match uploaded.count {
            1 => "a file".to_owned(),
            count => format!("{count} files"),
        };
        let verb = match (uploaded.dropped, uploaded.count) {
            (true, _) => format!("dropped {files} on"),
            (false, 0) => "emptied".to_owned(),
            (false, _) => format!("put {files} into"),
        };
        Ok(Did::to(&uploaded.element, verb).note(Some(uploaded.note)))
    }
}
