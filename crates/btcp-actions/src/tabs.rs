//! What the actions on tabs answer with.

use btcp_engine::text::{address, cut, quoted};
use btcp_engine::{Session, TabInfo};
use schemars::{Schema, json_schema};
use serde_json::{Value, json};

use crate::outcome::{Output, Text};

/// Chrome's number for a tab in no group.
const NO_GROUP: i64 = -1;

/// All tabs.
pub(crate) struct TabList(pub(crate) Vec<TabInfo>);

impl Output for TabList {
    fn data(&self) -> Value {
        let tab = |tab: &TabInfo| {
            json!({
                "id": tab.id,
                "title": tab.title,
                "url": tab.url,
                "active": tab.current,
                "groupId": NO_GROUP,
            })
        };
        json!({ "success": true, "tabs": self.0.iter().map(tab).collect::<Vec<_>>() })
    }

    fn schema() -> Option<Schema> {
        Some(json_schema!({
            "type": "object",
            "properties": {
                "success": { "const": true },
                "tabs": {
                    "type": "array",
                    "items": {
                        "type": "object",
                        "properties": {
                            "id": { "type": "integer" },
                            "title": { "type": "string" },
                            "url": { "type": "string" },
                            "active": { "type": "boolean", "description": "Calls go to it that name no tab." },
                            "groupId": { "type": "integer", "description": "-1: in no group." },
                        },
                        "required": ["id", "title", "url", "active", "groupId"],
                    },
                },
            },
            "required": ["success", "tabs"],
        }))
    }

    fn only_of(&mut self, told: &dyn Fn(&str) -> bool) {
        untitle(&mut self.0, told);
    }

    fn text(&self) -> Text {
        let lines: Vec<String> = self.0.iter().map(line).collect();
        Text::ours(if lines.is_empty() { "no tabs".to_owned() } else { lines.join("\n") })
    }
}

/// What a page calls itself is its own words; its address is not.
fn untitle(tabs: &mut [TabInfo], told: &dyn Fn(&str) -> bool) {
    for tab in tabs.iter_mut().filter(|tab| !told(&tab.url)) {
        tab.title.clear();
    }
}

/// A tab in one line.
fn line(tab: &TabInfo) -> String {
    let mut states: Vec<&str> = Vec::new();
    states.extend(tab.current.then_some("current"));
    states.extend(tab.trouble.map(btcp_engine::Trouble::name));
    let states = match states.is_empty() {
        true => String::new(),
        false => format!(" [{}]", states.join(", ")),
    };
    format!("tab {} {} {}{states}", tab.id, quoted(&cut(&tab.title, 120)), address(&tab.url))
}

/// A tab something was done with.
pub(crate) struct TabDid {
    /// `opened`, `selected`, `closed`.
    did: &'static str,
    id: u32,
    /// Where a new one is.
    url: Option<String>,
    tabs: Vec<TabInfo>,
}

impl TabDid {
    /// One that was opened here.
    pub(crate) async fn opened(session: &Session, id: u32) -> Self {
        let tabs = session.list_tabs().await;
        let url = tabs.iter().find(|tab| tab.id == id).map(|tab| tab.url.clone());
        Self { did: "opened", id, url: Some(url.unwrap_or_default()), tabs }
    }

    /// One that calls go to now.
    pub(crate) async fn selected(session: &Session, id: u32) -> Self {
        Self { did: "selected", id, url: None, tabs: session.list_tabs().await }
    }

    /// One that is gone.
    pub(crate) async fn closed(session: &Session, id: u32) -> Self {
        Self { did: "closed", id, url: None, tabs: session.list_tabs().await }
    }
}

impl Output for TabDid {
    fn data(&self) -> Value {
        let mut data = json!({ "success": true, "tabId": self.id });
        if let Some(url) = &self.url {
            data["url"] = json!(url);
        }
        data
    }

    fn schema() -> Option<Schema> {
        Some(json_schema!({
            "type": "object",
            "properties": {
                "success": { "const": true },
                "tabId": { "type": "integer" },
                "url": { "type": "string", "description": "Of a tab that was opened." },
            },
            "required": ["success", "tabId"],
        }))
    }

    fn only_of(&mut self, told: &dyn Fn(&str) -> bool) {
        untitle(&mut self.tabs, told);
    }

    /// The tab itself while it is there, the current one when it is not.
    fn text(&self) -> Text {
        if let Some(tab) = self.tabs.iter().find(|tab| tab.id == self.id) {
            return Text::ours(format!("{} {}", self.did, line(tab)));
        }
        let current = self.tabs.iter().find(|tab| tab.current);
        let now = current.map_or("no tabs are left".to_owned(), line);
        Text::ours(format!("{} tab {}\n{now}", self.did, self.id))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use btcp_engine::Trouble;

    fn tab(id: u32, current: bool, trouble: Option<Trouble>) -> TabInfo {
        let (title, url) = ("A \"quoted\"\nline".to_owned(), "https://a.test/".to_owned());
        TabInfo { id, title, url, current, trouble }
    }

    #[test]
    fn a_title_cannot_forge_a_line() {
        let list = TabList(vec![tab(1, true, None), tab(2, false, Some(Trouble::Hung))]);
        assert_eq!(
            list.text().for_model(),
            "tab 1 \"A \\\"quoted\\\" line\" https://a.test/ [current]\n\
             tab 2 \"A \\\"quoted\\\" line\" https://a.test/ [hung]"
        );
    }

    #[test]
    fn a_closed_tab_is_told_with_the_one_that_is_current_now() {
        let did = TabDid { did: "closed", id: 2, url: None, tabs: vec![tab(1, true, None)] };
        let text = did.text().for_model();
        assert!(text.starts_with("closed tab 2\ntab 1 ") && text.ends_with("[current]"), "{text}");
        assert_eq!(did.data(), json!({ "success": true, "tabId": 2 }));
    }
}
