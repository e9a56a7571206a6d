//! What an action that changes something answers: what it hit and did, and what came of it.
//!
//! The action itself fills in only what it did (`Did::to`); the catalog adds the
//! effect after the page has settled, so no action has to know about effects.

use btcp_engine::text::{address, cut, path, quoted};
use btcp_engine::{Dialog, Download, DownloadState, Effect, Element};
use serde_json::{Map, Value, json};

use crate::outcome::{Output, Text};

/// What was done to which element.
#[derive(Debug, Clone)]
pub struct Did {
    verb: String,
    element: Option<Element>,
    reads_back: bool,
    onto: Option<Element>,
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
        Self {
            verb: verb.into(),
            element: None,
            reads_back: false,
            onto: None,
            note: None,
            effect: None,
        }
    }

    /// The field's value is to be read back once the page has settled.
    #[must_use]
    pub fn read_back(mut self) -> Self {
        self.reads_back = true;
        self
    }

    /// Where it was brought: `dragged image "Map" e4 onto region "Trash" e9`.
    #[must_use]
    pub fn onto(mut self, element: &Element) -> Self {
        self.onto = Some(element.clone());
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
        if let Some(onto) = &self.onto {
            did.push_str(" onto ");
            did.push_str(&name(onto));
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
                "changes": { "type": "string", "description": "What is different, as a snapshot's lines with `+`, `-`, `~`; after `navigated` the head of the new page." },
                "dialog": dialog_schema(),
                "newTab": {
                    "type": "object",
                    "properties": { "tabId": { "type": "integer" }, "url": { "type": "string" } },
                    "required": ["tabId", "url"],
                },
                "download": download_schema(),
                "consoleErrors": { "type": "array", "items": { "type": "string" } },
                "failedRequests": { "type": "array", "items": { "type": "string" } },
                "receivedBy": { "type": "string", "description": "Who got the event, where that was another element." },
                "unheard": { "const": true, "description": "It was pressed, and the page got no event." },
                "releasedOver": { "type": "string", "description": "Where the button was let go, if no longer over the element: it got no click." },
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

    fn brief(&self) -> Text {
        let mut text = self.sentence(Element::name);
        if let Some(who) = self.effect.as_ref().and_then(|effect| effect.received_by.as_ref()) {
            text.push_str(&format!(", the event went to {who}"));
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

pub(crate) fn effect_data(effect: &Effect, data: &mut Map<String, Value>) {
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
        data.insert("dialog".into(), dialog_data(dialog));
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
    if let Some(changes) = &effect.changes {
        data.insert("changes".into(), json!(changes.json_text));
    }
    if let Some(who) = &effect.received_by {
        data.insert("receivedBy".into(), json!(who));
    }
    if let Some(who) = &effect.released_over {
        data.insert("releasedOver".into(), json!(who));
    }
    if effect.unheard {
        data.insert("unheard".into(), json!(true));
    }
}

/// A dialog as programs get it.
pub(crate) fn dialog_data(dialog: &Dialog) -> Value {
    let mut data = Map::new();
    data.insert("type".into(), json!(dialog.kind));
    data.insert("message".into(), json!(dialog.message));
    data.insert("answered".into(), json!(dialog.answered));
    if let Some(text) = &dialog.suggests {
        data.insert("defaultPrompt".into(), json!(text));
    }
    if dialog.more > 0 {
        data.insert("more".into(), json!(dialog.more));
    }
    Value::Object(data)
}

/// What `dialog_data` gives.
pub(crate) fn dialog_schema() -> Value {
    json!({
        "title": "Dialog",
        "description": "Something the page asked: alert, confirm, prompt, beforeunload, filechooser, auth, print, permission.",
        "type": "object",
        "properties": {
            "type": { "type": "string" },
            "message": { "type": "string" },
            "answered": { "type": ["string", "null"], "description": "Null while it is open." },
            "defaultPrompt": { "type": "string", "description": "What a prompt suggests." },
            "more": { "type": "integer", "description": "How many more there were." },
        },
        "required": ["type", "message", "answered"],
    })
}

/// A dialog as a model reads it.
pub(crate) fn dialog_text(dialog: &Dialog) -> String {
    let mut text = named(dialog);
    match (dialog.answered, dialog.more) {
        (Some(how), 0) => text.push_str(&format!(" was {how}")),
        (Some(how), more) => text.push_str(&format!(" was {how}, and {more} more")),
        (None, 0) => text.push_str(" is open"),
        (None, more) => text.push_str(&format!(" is open, after {more} more")),
    }
    if dialog.left {
        text.push_str(", the page was left because there was no end to them");
    }
    text
}

/// `prompt "Name?" [default "Ada"]`.
pub(crate) fn named(dialog: &Dialog) -> String {
    let mut text = format!("{} {}", dialog.kind, quoted(&cut(&dialog.message, 200)));
    if let Some(suggested) = &dialog.suggests {
        text.push_str(&format!(" [default {}]", quoted(&cut(suggested, 200))));
    }
    text
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
            format!("downloaded {name} ({bytes} bytes) to {}", path(&download.path))
        }
        DownloadState::Running => format!("downloading {name}, {bytes} bytes so far"),
        DownloadState::Failed => {
            let why = download.reason.as_ref().map(|why| format!(": {why}")).unwrap_or_default();
            format!("the download of {name} failed after {bytes} bytes{why}")
        }
    }
}

/// What came of it, the most important first, joined to what was done.
pub(crate) fn effect_text(effect: &Effect) -> String {
    let mut said = Vec::new();
    if let Some(dialog) = &effect.dialog {
        said.push(dialog_text(dialog));
    }
    if let Some(download) = &effect.download {
        said.push(download_text(download));
    }
    if let Some((id, url)) = &effect.new_tab {
        let at = if url.is_empty() { String::new() } else { address(url) };
        said.push(format!("opened tab {id} {at}").trim_end().to_owned());
    }
    if let Some(url) = effect.navigated_to() {
        said.push(format!("navigated to {}", address(url)));
    } else if said.is_empty() && effect.watching {
        said.push(match effect.changed {
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
    if effect.unheard {
        said.push("but the page got no event: try again".to_owned());
    }
    if let Some(who) = &effect.released_over {
        said.push(format!("but it got no click: the button was let go over {who}"));
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
    if let Some(changes) = &effect.changes {
        text.push('\n');
        text.push_str(&changes.text);
    }
    text
}
