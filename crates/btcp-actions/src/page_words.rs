//! What actions that read a page answer with: its text, or its markup.

use btcp_engine::Tab;
use btcp_engine::text::origin;
use schemars::{JsonSchema, Schema};
use serde::Serialize;
use serde_json::{Value, json};

use crate::outcome::{Output, Text, schema_of_output};

/// Text of a page.
#[derive(Serialize, JsonSchema)]
pub(crate) struct PageText {
    text: String,
    #[serde(skip)]
    origin: String,
}

/// Markup of a page.
#[derive(Serialize, JsonSchema)]
pub(crate) struct PageMarkup {
    html: String,
    #[serde(skip)]
    origin: String,
}

impl PageText {
    /// What was read in a tab.
    pub(crate) fn of(tab: &Tab, text: String) -> Self {
        Self { text, origin: origin(&tab.url()).to_owned() }
    }
}

impl PageMarkup {
    /// What was read in a tab.
    pub(crate) fn of(tab: &Tab, html: String) -> Self {
        Self { html, origin: origin(&tab.url()).to_owned() }
    }
}

impl Output for PageText {
    fn data(&self) -> Value {
        json!(self)
    }

    fn schema() -> Option<Schema> {
        schema_of_output::<Self>()
    }

    fn text(&self) -> Text {
        Text::page(&self.text, &self.origin)
    }
}

impl Output for PageMarkup {
    fn data(&self) -> Value {
        json!(self)
    }

    fn schema() -> Option<Schema> {
        schema_of_output::<Self>()
    }

    fn text(&self) -> Text {
        Text::page(&self.html, &self.origin)
    }
}
