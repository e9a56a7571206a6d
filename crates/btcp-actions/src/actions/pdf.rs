//! `pdf`: the page as it would be printed.

use crate::prelude::*;

/// Save the page as a PDF.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Pdf {
    /// File, default one in the session's folder.
    path: Option<String>,
}

/// The file.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Printed {
    success: bool,
    path: String,
    bytes: usize,
}

impl Action for Pdf {
    const NAME: &'static str = "pdf";
    const GROUP: Group = Group::Pictures;
    const TOOLSET: Toolset = Toolset::All;
    const ACCESS: Access = Access::Reads;
    const TIPS: &'static [&'static str] = &[
        "The whole page is printed, as its print styles have it. The file goes to the session's folder or the working directory.",
    ];
    type Output = Printed;

    fn examples() -> Vec<Example> {
        vec![
            Example::gives("The page", json!({}), json!({ "success": true })),
            Example::gives(
                "Under a name",
                json!({ "path": "page.pdf" }),
                json!({ "success": true }),
            ),
            Example::fails(
                "Where agents may not write",
                json!({ "path": "/etc/page.pdf" }),
                "denied",
            ),
        ]
    }

    async fn run(self, tab: &mut Tab) -> Result<Printed> {
        let (path, bytes) = tab.pdf(self.path.as_deref()).await?;
        Ok(Printed { success: true, path: path.display().to_string(), bytes })
    }
}

impl Output for Printed {
    fn data(&self) -> Value {
        json!(self)
    }

    fn schema() -> Option<Schema> {
        schema_of_output::<Self>()
    }

    fn text(&self) -> Text {
        Text::ours(format!("{} bytes {}", self.bytes, quoted(&cut(&self.path, 200))))
    }
}
