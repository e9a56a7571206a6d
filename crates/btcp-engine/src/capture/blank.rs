//! Fields in which a secret stands, blanked on pictures.
//!
//! They are painted over on the picture, on a canvas of our own: in the page nothing changes, so that
//! it cannot notice. Where they are is asked before the picture is taken and after it; if that
//! differs, another one is taken.

use btcp_cdp::emulation::SetScrollbarsHidden;
use btcp_cdp::page::Viewport;
use btcp_cdp::{Connection, SessionId};
use futures_util::future::join_all;

use crate::error::{Error, Result};
use crate::page::Answer;
use crate::page::ops::{FieldsShown, FieldsShownRequest};
use crate::tab::Tab;

/// A field that shows a secret, in CSS pixels of the tab's viewport.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Blank {
    name: String,
    left: f64,
    top: f64,
    right: f64,
    bottom: f64,
}

impl Blank {
    /// The same on a picture of a part of the viewport, in its pixels; `None` if it is not on it.
    fn on(&self, area: &Viewport, scale: f64) -> Option<(f64, f64, f64, f64)> {
        let seen = self.left < area.x + area.width
            && self.top < area.y + area.height
            && self.right > area.x
            && self.bottom > area.y;
        let at = |side: f64, from: f64| (side - from) * scale;
        seen.then(|| {
            let (left, top) = (at(self.left, area.x), at(self.top, area.y));
            (left, top, at(self.right, area.x), at(self.bottom, area.y))
        })
    }
}

/// What is to be painted over on a picture of a part of the viewport.
pub(super) fn on_picture(
    blanks: &[Blank],
    area: &Viewport,
    scale: f64,
) -> Vec<(f64, f64, f64, f64)> {
    blanks.iter().filter_map(|blank| blank.on(area, scale)).collect()
}

impl Tab {
    /// The fields of all frames in which a secret stands.
    pub(super) async fn blanks(&self) -> Result<Vec<Blank>> {
        let mut blanks = Vec::new();
        for (frame, shown, names) in self.shown_secrets("A picture", false).await? {
            for ((_, _, left, top, right, bottom), name) in shown.fields.iter().zip(names) {
                let Some(name) = name else { continue };
                // Frames may be turned and drawn larger or smaller.
                let corners = [(*left, *top), (*right, *top), (*left, *bottom), (*right, *bottom)];
                let corners = corners.map(|corner| self.outward(&frame, corner));
                let mut blank: Option<Blank> = None;
                for corner in join_all(corners).await {
                    let Some((x, y)) = corner? else { continue };
                    blank = Some(match blank {
                        None => Blank { name: name.clone(), left: x, top: y, right: x, bottom: y },
                        Some(one) => Blank {
                            left: one.left.min(x),
                            top: one.top.min(y),
                            right: one.right.max(x),
                            bottom: one.bottom.max(y),
                            ..one
                        },
                    });
                }
                blanks.extend(blank);
            }
        }
        Ok(blanks)
    }

    /// Refuses to print a page that has a secret in it, wherever that is: what is printed is laid out
    /// anew, so that nobody knows where to blank it.
    pub(super) async fn printable(&self) -> Result<()> {
        const WHAT: &str = "A PDF";
        for (_, shown, names) in self.shown_secrets(WHAT, true).await? {
            let in_rest = || self.secrets().found_in(&[&shown.rest]).pop().flatten();
            if let Some(name) = names.into_iter().flatten().next().or_else(in_rest) {
                return Err(Error::SecretShown { what: WHAT, name, why: "it stands in the page" });
            }
        }
        Ok(())
    }

    /// What the fields of each frame show, and of each the secret in it.
    async fn shown_secrets(
        &self,
        what: &'static str,
        whole: bool,
    ) -> Result<Vec<(String, FieldsShown, Vec<Option<String>>)>> {
        if self.secrets().is_empty() {
            return Ok(Vec::new());
        }
        let main = self.main_frame();
        let frames = self.state.facts().frames.below(&main);
        let looks = frames.into_iter().map(async |frame| {
            let shown = self.fields_shown(&frame, whole).await?;
            Ok::<_, Error>(shown.map(|(shown, given)| (frame, shown, given)))
        });
        let mut all = Vec::new();
        for look in join_all(looks).await {
            let Some((frame, shown, given)) = look? else { continue };
            if shown.too_much {
                let name = self.secrets().any_name();
                let why = "the page has too much text to look for it";
                return Err(Error::SecretShown { what, name, why });
            }
            let texts: Vec<&str> = shown.fields.iter().map(|field| field.0.as_str()).collect();
            let mut names = self.secrets().found_in(&texts);
            for (field, name) in shown.fields.iter().zip(&mut names) {
                // The page may have written it in another way than it was typed.
                let of = |(id, _): &&(u32, String)| *id == field.1;
                let entrusted = given.iter().find(of).map(|(_, name)| name.clone());
                *name = name.take().or(entrusted);
            }
            all.push((frame, shown, names));
        }
        Ok(all)
    }

    /// What the fields of a frame show, and the numbers of those that were given a secret; `None` if
    /// the frame is gone.
    async fn fields_shown(
        &self,
        frame: &str,
        whole: bool,
    ) -> Result<Option<(FieldsShown, Vec<(u32, String)>)>> {
        loop {
            let now = self.state.facts().frames.get(frame).map(|frame| frame.document);
            let Some(now) = now else { return Ok(None) };
            let entrusted = self
                .memory
                .entrusted
                .iter()
                .filter(|(place, _)| place.frame == frame && place.document == now);
            let given: Vec<(u32, String)> =
                entrusted.map(|(place, name)| (place.id, name.clone())).collect();
            let ids: Vec<u32> = given.iter().map(|(id, _)| *id).collect();
            let request = FieldsShownRequest { ids: &ids, whole };
            match self.op_once(frame, "fieldsShown", &request, None).await? {
                Answer::Is(shown, document) if document == now => return Ok(Some((shown, given))),
                _ => match self.new_document(frame).await {
                    Err(Error::Internal { .. }) => return Ok(None),
                    other => other?,
                },
            }
        }
    }

    /// Lays the page out as Chrome does for a picture of what is outside the window, for as long as
    /// the answer lives: without scrollbars, whose room moves what is on the page.
    pub(super) async fn without_scrollbars(&self) -> Result<Bare> {
        let (connection, session) = (self.state.connection.clone(), self.state.session.clone());
        let bare = Bare { connection, session };
        self.call(&SetScrollbarsHidden { hidden: true }).await?;
        Ok(bare)
    }
}

/// A page without scrollbars.
pub(super) struct Bare {
    connection: Connection,
    session: SessionId,
}

impl Drop for Bare {
    fn drop(&mut self) {
        self.connection.post(Some(&self.session), &SetScrollbarsHidden { hidden: false });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_blank_is_where_the_field_is_on_the_picture() {
        let name = "KEY".to_owned();
        let blanks = [Blank { name, left: 110.0, top: 60.0, right: 210.0, bottom: 80.0 }];
        let area = |x, y| Viewport { x, y, width: 100.0, height: 100.0, scale: 1.0 };
        assert_eq!(on_picture(&blanks, &area(100.0, 50.0), 0.5), [(5.0, 5.0, 55.0, 15.0)]);
        for outside in [area(0.0, 0.0), area(210.0, 0.0), area(100.0, 80.0)] {
            assert!(on_picture(&blanks, &outside, 1.0).is_empty());
        }
    }
}
