//! What an action that changes something answers: what it hit and did, and what came of it.
//!
//! The action itself fills in only what it did (`Did::to`); the catalog adds the
//! effect after the page has settled, so no action has to know about effects.

use btcp_engine::text::{cut, quoted};
use btcp_engine::{Effect, Element, Tab};
use serde_json::{Map, Value, json};

use crate::outcome::{Output, Text};

/// What was done to which element.
#[derive(Debug, Clone)]
pub struct Did {
    verb: String,
    element: Option<Element>,
    value: Option<String>,
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
        Self { verb: verb.into(), element: None, value: None, note: None, effect: None }
    }

    /// What the field holds now, as read back.
    #[must_use]
    pub fn value(mut self, value: impl Into<String>) -> Self {
        self.value = Some(value.into());
        self
    }

    /// Reads back what the field holds now. A page that is gone holds nothing, which is no error.
    pub async fn read_back(self, tab: &mut Tab, element: &Element) -> Self {
        match tab.field_value(element).await {
            Ok(Some(field)) if field.secret => self.value(format!("[{} characters]", field.length)),
            Ok(Some(field)) => self.value(quoted(&cut(&field.value, 200))),
            _ => self,
        }
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
        if let Some(value) = &self.value {
            did.push_str(", now ");
            did.push_str(value);
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
}

fn effect_data(effect: &Effect, data: &mut Map<String, Value>) {
    data.insert("effect".into(), json!(effect.kind()));
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
}

fn effect_text(effect: &Effect) -> String {
    let mut text = String::new();
    if let Some(dialog) = &effect.dialog {
        text.push_str(&format!(": {} {}", dialog.kind, quoted(&cut(&dialog.message, 200))));
        if let Some(answered) = dialog.answered {
            text.push_str(&format!(" was {answered}"));
        }
    }
    if let Some(url) = effect.navigated_to() {
        let also = if text.is_empty() { ": " } else { ", then " };
        text.push_str(&format!("{also}navigated to {}", cut(url, 200)));
        if effect.still_loading {
            text.push_str(", still loading");
        }
    } else if text.is_empty() {
        text.push_str(match (effect.changed, effect.still_loading) {
            (true, false) => ": the page changed",
            (true, true) => ": the page changed, still loading",
            (false, true) => ": still loading",
            (false, false) => "",
        });
        if !effect.changed && !effect.still_loading {
            text.push_str(&format!(": nothing changed within {} ms", effect.watched.as_millis()));
        }
    }
    if let Some(who) = &effect.received_by {
        text.push_str(&format!("; the event went to {who}"));
    }
    text
}
