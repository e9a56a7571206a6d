//! `dispatch`: an event made by a script, for what no person can do.

use serde_json::Map;

use crate::prelude::*;

/// Send a script's event to an element. For what a person does use click, type, press.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Dispatch {
    /// Element: ref or selector.
    selector: Target,
    /// Name, such as change or my-event.
    event: String,
    /// Its properties, of a custom event its detail, as JSON.
    #[serde(alias = "eventInit")]
    #[schemars(with = "Option<String>")]
    detail: Option<Value>,
}

impl Action for Dispatch {
    const NAME: &'static str = "dispatch";
    const GROUP: Group = Group::Script;
    const TOOLSET: Toolset = Toolset::All;
    const ACCESS: Access = Access::Changes;
    const TIPS: &'static [&'static str] =
        &["The page can tell such an event from a person's: isTrusted is false."];
    type Output = Did;

    fn examples() -> Vec<Example> {
        vec![
            Example::does(
                "An event of the page's own",
                json!({ "selector": "#here", "event": "sail", "detail": { "to": "Oslo" } }),
                "log[0] === 'sail Oslo CustomEvent'",
            ),
            Example::does(
                "A key, with its properties",
                json!({ "selector": "#here", "event": "keydown", "detail": { "key": "a", "ctrlKey": true } }),
                "log[0] === 'keydown a true KeyboardEvent'",
            ),
            Example::does(
                "Its detail as a text of JSON",
                json!({ "selector": "#here", "event": "sail", "detail": "{\"to\":\"Rome\"}" }),
                "log[0] === 'sail Rome CustomEvent'",
            ),
            Example::fails(
                "Something that is not there",
                json!({ "selector": "#missing", "event": "sail", "timeout": 1000 }),
                "not_found",
            ),
        ]
    }

    fn target(&self) -> Option<&Target> {
        Some(&self.selector)
    }

    async fn run(self, tab: &mut Tab) -> Result<Did> {
        let detail = match self.detail.unwrap_or_default() {
            // Models that may send only text write JSON into it.
            Value::String(text) => serde_json::from_str(&text).unwrap_or(Value::String(text)),
            other => other,
        };
        let mut init = match &detail {
            Value::Object(properties) => properties.clone(),
            _ => Map::new(),
        };
        // A custom event has one property of its own, however it was written.
        if !detail.is_null() && !init.contains_key("detail") {
            init.insert("detail".to_owned(), detail);
        }
        let (element, prevented) = tab.dispatch(&self.selector, &self.event, &init).await?;
        let did = Did::to(&element, format!("sent {} to", quoted(&cut(&self.event, 200))));
        Ok(did.note(prevented.then(|| "a handler prevented its default".to_owned())))
    }
}
