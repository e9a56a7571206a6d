//! `url`: where the tab is.

use crate::prelude::*;

/// Get the page's URL.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Url {}

/// The address.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Address {
    url: String,
}

impl Action for Url {
    const NAME: &'static str = "url";
    const GROUP: Group = Group::Navigation;
    const TOOLSET: Toolset = Toolset::Minimal;
    const ACCESS: Access = Access::Reads;
    const TIPS: &'static [&'static str] = &[
        "It is the tab's, whichever frame was entered, with what scripts made of it without a load.",
    ];
    type Output = Address;

    fn examples() -> Vec<Example> {
        vec![Example::gives("Where we are", json!({}), json!({ "url": "{origin}/url.html" }))]
    }

    async fn run(self, tab: &mut Tab) -> Result<Address> {
        Ok(Address { url: tab.url() })
    }
}

impl Output for Address {
    fn data(&self) -> Value {
        json!(self)
    }

    fn schema() -> Option<Schema> {
        schema_of_output::<Self>()
    }

    fn text(&self) -> Text {
        Text::page(&self.url, origin(&self.url))
    }
}
