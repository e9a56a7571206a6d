//! `storage_clear`: empties a web storage of the page's origin.

use crate::prelude::*;
use crate::values::Area;

/// Remove all items of web storage.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct StorageClear {
    /// Which storage, default local.
    #[serde(rename = "type", default)]
    area: Area,
}

impl Action for StorageClear {
    const NAME: &'static str = "storage_clear";
    const GROUP: Group = Group::State;
    const TOOLSET: Toolset = Toolset::All;
    const ACCESS: Access = Access::Changes;
    const TIPS: &'static [&'static str] = &[
        "It is the storage of the page's origin, in the frame that was entered where one was; the other type is left alone.",
    ];
    type Output = Done;

    fn examples() -> Vec<Example> {
        vec![
            Example::does(
                "What all tabs share",
                json!({ "type": "local" }),
                "localStorage.length === 0 && sessionStorage.length === 1",
            ),
            Example::fails("A wrong type", json!({ "type": "all" }), "invalid_params"),
        ]
    }

    async fn run(self, tab: &mut Tab) -> Result<Done> {
        let items = tab.clear_storage(self.area.into()).await?;
        Ok(Done::saying(match items {
            1 => "1 item is removed".to_owned(),
            many => format!("{many} items are removed"),
        }))
    }
}
