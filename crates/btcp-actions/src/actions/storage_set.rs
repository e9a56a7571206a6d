//! `storage_set`: gives the page's origin an item of web storage.

use crate::prelude::*;
use crate::values::Area;

/// Set an item of web storage.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct StorageSet {
    /// Item.
    key: String,
    /// Its value.
    value: FieldText,
    /// Which storage, default local.
    #[serde(rename = "type", default)]
    area: Area,
}

impl Action for StorageSet {
    const NAME: &'static str = "storage_set";
    const GROUP: Group = Group::State;
    const TOOLSET: Toolset = Toolset::All;
    const ACCESS: Access = Access::Changes;
    const TIPS: &'static [&'static str] =
        &["It is the storage of the page's origin; the page itself hears no event of it."];
    type Output = Done;

    fn examples() -> Vec<Example> {
        vec![
            Example::does(
                "An item",
                json!({ "key": "theme", "value": "dark" }),
                "localStorage.getItem('theme') === 'dark'",
            ),
            Example::does(
                "One of the session's",
                json!({ "key": "step", "value": "2", "type": "session" }),
                "sessionStorage.step === '2'",
            ),
            Example::fails("Without a key", json!({ "value": "x" }), "invalid_params"),
        ]
    }

    async fn run(self, tab: &mut Tab) -> Result<Done> {
        tab.set_storage(self.area.into(), &self.key, &self.value.0).await?;
        Ok(Done::saying(format!("{} is set", quoted(&cut(&self.key, 200)))))
    }
}
