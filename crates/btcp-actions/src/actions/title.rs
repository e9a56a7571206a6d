//! `title`: what the page calls itself.

use crate::prelude::*;

/// Get the page's title.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Title {}

/// The title.
#[derive(Serialize, JsonSchema)]
pub(crate) struct PageTitle {
    title: String,
    #[serde(skip)]
    origin: String,
}

impl Action for Title {
    const NAME: &'static str = "title";
    const GROUP: Group = Group::Navigation;
    const TOOLSET: Toolset = Toolset::Minimal;
    const ACCESS: Access = Access::Reads;
    const TIPS: &'static [&'static str] = &["It is the tab's, whichever frame was entered."];
    type Output = PageTitle;

    fn examples() -> Vec<Example> {
        vec![Example::gives("The title", json!({}), json!({ "title": "title" }))]
    }

    async fn run(self, tab: &mut Tab) -> Result<PageTitle> {
        let title = tab.title().await?;
        Ok(PageTitle { title, origin: origin(&tab.url()).to_owned() })
    }
}

impl Output for PageTitle {
    fn data(&self) -> Value {
        json!(self)
    }

    fn schema() -> Option<Schema> {
        schema_of_output::<Self>()
    }

    fn text(&self) -> Text {
        Text::page(&self.title, &self.origin)
    }
}
