//! Trusted input: what a person's mouse and keyboard would send.
//!
//! Events of one gesture go out together, so that the page sees them as fast as a hand makes
//! them, and each gesture marks in the call's progress that it was sent and that it arrived.

pub(crate) mod characters;
mod choose;
mod drag;
mod keyboard;
mod keys;
mod mouse;
mod pointer;
mod script_address;
mod within;

pub use self::drag::Dragged;
pub use self::pointer::{MouseDo, Shown};

use schemars::JsonSchema;
use serde::Deserialize;

/// A mouse button.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Button {
    /// The main button.
    #[default]
    Left,
    /// Opens context menus.
    Right,
    /// The wheel.
    Middle,
}

/// Keys held during a gesture.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Modifiers(pub(crate) u8);

impl Modifiers {
    pub(crate) const ALT: u8 = 1;
    pub(crate) const CONTROL: u8 = 2;
    pub(crate) const META: u8 = 4;
    pub(crate) const SHIFT: u8 = 8;

    /// Adds a key by name; `None` if it is not a modifier.
    #[must_use]
    pub fn with(self, name: &str) -> Option<Self> {
        let bit = match name.to_lowercase().as_str() {
            "alt" | "option" => Self::ALT,
            "control" | "ctrl" => Self::CONTROL,
            "meta" | "cmd" | "command" | "super" => Self::META,
            "shift" => Self::SHIFT,
            // On the system we run on, what Playwright's users mean by it.
            "controlormeta" if cfg!(target_os = "macos") => Self::META,
            "controlormeta" => Self::CONTROL,
            _ => return None,
        };
        Some(Self(self.0 | bit))
    }
}

impl crate::tab::Tab {
    /// The page code has already done what was asked, in the page.
    pub fn did_in_page(&self) {
        self.context.progress.happened();
    }
}
