//! A picture of a page that a dialog blocks.
//!
//! Chrome then answers none of the page's own commands, but goes on showing it to whoever watches:
//! so we watch for one frame.

use std::sync::atomic::Ordering;

use btcp_cdp::page::{ImageFormat, StartScreencast, StopScreencast};

use super::{Format, Shot};
use crate::error::{Error, Result};
use crate::tab::Tab;
use crate::tab_state::Facts;

impl Tab {
    /// Whether a dialog is open that stays open for this caller.
    pub fn meets_dialog(&self) -> bool {
        self.context.answers && self.state.blocked().is_some()
    }

    /// The viewport as it is behind the dialog, base64, and its format: Chrome has no other than
    /// these two for it.
    pub(super) async fn behind_dialog(&self, shot: &Shot) -> Result<(String, Format)> {
        let whole = shot.element.is_some() || shot.full_page || shot.annotate;
        // Only the page itself could say where that is, or in which of its fields a secret stands.
        let asks_page = whole || self.session.uses_secrets.load(Ordering::Relaxed);
        if let Some(blocked) = self.state.blocked().filter(|_| asks_page) {
            return Err(blocked);
        }
        let format = if shot.format == Format::Jpeg { Format::Jpeg } else { Format::Png };
        let (width, height) = self.session.emulation().viewport;
        let scale = self.scale(f64::from(width), f64::from(height));
        let side = |side: u32| (f64::from(side) * scale).round() as u32;
        let start = StartScreencast {
            format: match format {
                Format::Jpeg => ImageFormat::Jpeg,
                _ => ImageFormat::Png,
            },
            quality: shot.quality.filter(|_| format == Format::Jpeg),
            max_width: side(width),
            max_height: side(height),
            every_nth_frame: 1,
        };
        self.state.update(|facts| facts.watched = None);
        let (connection, session) = (&self.state.connection, &self.state.session);
        connection.post(Some(session), &start);
        let shown = |facts: &Facts| match facts.closed || facts.crashed {
            true => Some(None),
            false => facts.watched.clone().map(Some),
        };
        let frame = self.state.until(self.deadline(), shown).await;
        connection.post(Some(session), &StopScreencast);
        self.state.update(|facts| facts.watched = None);
        match frame {
            Some(Some(frame)) => Ok((frame, format)),
            Some(None) => Err(self.gone()),
            None => Err(Error::Timeout {
                after: self.context.timeout,
                waiting_for: "a picture of the page behind the dialog".into(),
            }),
        }
    }
}
