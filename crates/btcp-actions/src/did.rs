//! What an action that changes something answers: what it hit and did, and what came of it.
//!
//! The action itself fills in only what it did (`Did::to`); the catalog adds the
//! effect after the page has settled, so no action has to know about effects.

use btcp_engine::text::{cut, quoted};
use btcp_engine::{Download, DownloadState, Effect, Element};
use serde_json::{Map, Value, json};

use crate::outcome::{Output, Text};

/// What was done to which element.
#[derive(Debug, Clone)]
pub struct Did {
    verb: String,
    element: Option<Element>,
    reads_back: bool,
    note: Option<String>,
    effect: Option<Effect>,
}

impl Did {
    /// Something done to an element: `clicked button "Send" e4`.
    pub fn to(element: &Element, verb: impl Into<String>) -> Self {
        Self { element: Some(element.clone()), ..Self::plain(verb) }
    }

    /// Something done to no element in particular: `pressed Enter`.
    pub fn plain(verb: impl Into<String>) -> Self {
        Self { verb: verb.into(), element: None, reads_back: false, note: None, effect: None }
    }

    /// The field's value is to be read back once the page has settled.
    #[must_use]
    pub fn read_back(mut self) -> Self {
        self.reads_back = true;
        self
    }

    /// Something the agent should know: the event went to a label, several matched.
    #[must_use]
    pub fn note(mut self, note: Option<String>) -> Self {
        if note.is_some() {
            self.note = note;
        }
        self
    }

    /// `clicked button "Send" e4`, refs printed by `name`.
    fn sentence(&self, name: fn(&Element) -> String) -> String {
        let mut did = self.verb.clone();
        if let Some(element) = &self.element {
            did.push(' ');
            did.push_str(&name(element));
        }
        let field = self.effect.as_ref().and_then(|effect| effect.field.as_ref());
        if let Some(field) = field.filter(|_| self.reads_back) {
            did.push_str(", now ");
            did.push_str(&match field.secret {
                true => format!("[{} characters]", field.length),
                false => quoted(&cut(&field.value, 200)),
            });
        }
        if let Some(note) = &self.note {
            did.push_str(&format!(" ({note})"));
        }
        did
    }
}

impl Output for Did {
    fn data(&self) -> Value {
        let mut data = Map::new();
        data.insert("success".into(), json!(true));
        if let Some(element) = &self.element {
            data.insert("selector".into(), json!(element.json_ref()));
        }
        data.insert("did".into(), json!(self.sentence(Element::json_name)));
        if let Some(effect) = &self.effect {
            effect_data(effect, &mut data);
        }
        Value::Object(data)
    }

    fn schema() -> Option<schemars::Schema> {
        Some(schemars::json_schema!({
            "title": "Effect",
            "description": "What was done, and what came of it.",
            "type": "object",
            "properties": {
                "success": { "const": true },
                "selector": { "type": "string", "description": "The element's ref, `@ref:4`." },
                "did": { "type": "string", "description": "`clicked button \"Send\" @ref:4`." },
                "effect": { "enum": ["dialog", "download", "newtab", "navigated", "changed", "none"] },
                "url": { "type": "string", "description": "Where the tab went." },
                "stillLoading": { "const": true },
                "dialog": {
                    "type": "object",
                    "properties": {
                        "type": { "type": "string" },
                        "message": { "type": "string" },
                        "answered": { "type": ["string", "null"] },
                    },
                    "required": ["type", "message", "answered"],
                },
                "newTab": {
                    "type": "object",
                    "properties": { "tabId": { "type": "integer" }, "url": { "type": "string" } },
                    "required": ["tabId", "url"],
                },
                "download": download_schema(),
                "consoleErrors": { "type": "array", "items": { "type": "string" } },
                "failedRequests": { "type": "array", "items": { "type": "string" } },
                "receivedBy": { "type": "string", "description": "Who got the event, where that was another element." },
            },
            "required": ["success", "did"],
        }))
    }

    fn text(&self) -> Text {
        let mut text = self.sentence(Element::name);
        if let Some(effect) = &self.effect {
            text.push_str(&effect_text(effect));
        }
        Text::ours(text)
    }

    fn effect(&mut self) -> Option<&mut Option<Effect>> {
        Some(&mut self.effect)
    }

    fn reads_back(&self) -> bool {
        self.reads_back
    }
}

fn effect_data(effect: &Effect, data: &mut Map<String, Value>) {
    // Nobody watched: that nothing is known does not mean that nothing came.
    if effect.watching || effect.kind() != "none" {
        data.insert("effect".into(), json!(effect.kind()));
    }
    if let Some(url) = effect.navigated_to() {
        data.insert("url".into(), json!(url));
    }
    if effect.still_loading {
        data.insert("stillLoading".into(), json!(true));
    }
    if let Some(dialog) = &effect.dialog {
        data.insert(
            "dialog".into(),
            json!({ "type": dialog.kind, "message": dialog.message, "answered": dialog.answered }),
        );
    }
    if let Some((id, url)) = &effect.new_tab {
        data.insert("newTab".into(), json!({ "tabId": id, "url": url }));
    }
    if let Some(download) = &effect.download {
        data.insert("download".into(), download_data(download));
    }
    if !effect.console_errors.is_empty() {
        data.insert("consoleErrors".into(), json!(effect.console_errors));
    }
    if !effect.failed_requests.is_empty() {
        data.insert("failedRequests".into(), json!(effect.failed_requests));
    }
    if let Some(who) = &effect.received_by {
        data.insert("receivedBy".into(), json!(who));
    }
}

/// A download as programs get it.
pub(crate) fn download_data(download: &Download) -> Value {
    json!({ "path": download.path, "filename": download.filename, "bytes": download.bytes })
}

/// What `download_data` gives.
pub(crate) fn download_schema() -> Value {
    json!({
        "title": "Download",
        "description": "A file the page handed over.",
        "type": "object",
        "properties": {
            "path": { "type": "string" },
            "filename": { "type": "string" },
            "bytes": { "type": "integer" },
        },
        "required": ["path", "filename", "bytes"],
    })
}

/// A download as a model reads it.
pub(crate) fn download_text(download: &Download) -> String {
    let (name, bytes) = (quoted(&cut(&download.filename, 200)), download.bytes);
    match download.state {
        DownloadState::Complete => {
            format!("downloaded {name} ({bytes} bytes) to {}", download.path.display())
        }
        DownloadState::Running => format!("downloading {name}, {bytes} bytes so far"),
        DownloadState::Failed => format!("the download of {name} failed after {bytes} bytes"),
    }
}

/// What came of it, the most important first, joined to what was done.
fn effect_text(effect: &Effect) -> String {
    let mut said = Vec::new();
    if let Some(dialog) = &effect.dialog {
        let answered = dialog.answered.map(|how| format!(" was {how}")).unwrap_or_default();
        said.push(format!("{} {}{answered}", dialog.kind, quoted(&cut(&dialog.message, 200))));
    }
    if let Some(download) = &effect.download {
        said.push(download_text(download));
    }
    if let Some((id, url)) = &effect.new_tab {
        said.push(format!("opened tab {id} {}", cut(url, 200)).trim_end().to_owned());
    }
    if let Some(url) = effect.navigated_to() {
        said.push(format!("navigated to {}", cut(url, 200)));
    } else if said.is_empty() && effect.watching {
        said.push(match effect.changed || effect.still_loading {
            true => "the page changed".to_owned(),
            false => format!("nothing changed within {} ms", effect.watched.as_millis()),
        });
    }
    if effect.still_loading {
        said.push("still loading".to_owned());
    }
    if let Some(who) = &effect.received_by {
        said.push(format!("the event went to {who}"));
    }
    let mut text = match said.is_empty() {
        true => String::new(),
        false => format!(": {}", said.join(", ")),
    };
    for error in &effect.console_errors {
        text.push_str(&format!("\nconsole error {}", quoted(&cut(error, 200))));
    }
    for request in &effect.failed_requests {
        text.push_str(&format!("\nfailed request {}", quoted(request)));
    }
    text
}
