//! Ref numbers on a picture.
//!
//! The refs are those a snapshot would print now. They are drawn on the picture after it was
//! taken, on a canvas of our own: the page is not touched.

use std::collections::BTreeMap;

use btcp_cdp::page::Viewport;

use super::Shot;
use crate::error::{Error, Result};
use crate::page::Answer;
use crate::page::ops::{BoxOf, BoxesRequest, DrawReply, DrawRequest, DrawnMark, Mode};
use crate::sessions::lock;
use crate::snapshot::SnapshotOptions;
use crate::tab::Tab;

/// More marks would hide the picture.
const MOST: usize = 500;

/// Characters of the snapshot whose refs are drawn; nobody reads it.
const WALKED: usize = 100_000;

impl Tab {
    /// Where the refs of the page are on a picture of a part of it, in pixels of the picture.
    pub(super) async fn marks(&mut self, area: &Viewport, scale: f64) -> Result<Vec<DrawnMark>> {
        // What was printed to the agent stays what its differences are compared with.
        let printed = std::mem::take(&mut self.memory.views);
        let options = SnapshotOptions {
            mode: Mode::Interactive,
            max_chars: WALKED,
            ..SnapshotOptions::default()
        };
        let snapshot = self.snapshot(&options).await;
        self.memory.views = printed;
        let mut frames: BTreeMap<(String, u64), Vec<(u32, u32)>> = BTreeMap::new();
        {
            let refs = lock(&self.session.refs);
            for info in &snapshot?.refs {
                let Some(issued) = refs.get(info.number).filter(|one| one.within.is_none()) else {
                    continue;
                };
                let place = (issued.place.frame.clone(), issued.place.document);
                frames.entry(place).or_default().push((issued.place.id, info.number));
            }
        }
        let mut marks = Vec::new();
        for ((frame, document), ids) in frames {
            marks.extend(self.marks_in(&frame, document, &ids).await?);
        }
        // From the viewport to the picture, and only what is on it.
        let on_picture = |mark: &DrawnMark| {
            mark.x < area.width
                && mark.y < area.height
                && mark.x + mark.width > 0.0
                && mark.y + mark.height > 0.0
        };
        let mut marks: Vec<DrawnMark> = marks
            .into_iter()
            .map(|mark| DrawnMark { x: mark.x - area.x, y: mark.y - area.y, ..mark })
            .filter(on_picture)
            .take(MOST)
            .collect();
        for mark in &mut marks {
            mark.x *= scale;
            mark.y *= scale;
            mark.width *= scale;
            mark.height *= scale;
        }
        Ok(marks)
    }

    /// The refs of one frame, in CSS pixels of the tab's viewport.
    async fn marks_in(
        &self,
        frame: &str,
        document: u64,
        ids: &[(u32, u32)],
    ) -> Result<Vec<DrawnMark>> {
        let numbers: Vec<u32> = ids.iter().map(|(id, _)| *id).collect();
        let request = BoxesRequest { ids: &numbers };
        let found: Vec<BoxOf> = match self.op_once(frame, "boxes", &request, None).await? {
            Answer::Is(found, seen) if seen == document => found,
            _ => return Ok(Vec::new()),
        };
        let (Some(from), Some(to)) =
            (self.outward(frame, (0.0, 0.0)).await?, self.outward(frame, (100.0, 100.0)).await?)
        else {
            return Ok(Vec::new());
        };
        // A frame may be drawn larger or smaller than it is.
        let zoom = ((to.0 - from.0) / 100.0, (to.1 - from.1) / 100.0);
        let mark = |(id, x, y, width, height): BoxOf| {
            let (_, number) = ids.iter().find(|(one, _)| *one == id)?;
            Some(DrawnMark {
                label: format!("e{number}"),
                x: from.0 + x * zoom.0,
                y: from.1 + y * zoom.1,
                width: width * zoom.0,
                height: height * zoom.1,
            })
        };
        Ok(found.into_iter().filter_map(mark).collect())
    }

    /// Draws marks on a picture, paints over what it must not show, and gives it the format asked
    /// for.
    pub(super) async fn drawn(
        &mut self,
        picture: &str,
        marks: &[DrawnMark],
        blanks: &[(f64, f64, f64, f64)],
        shot: &Shot,
    ) -> Result<String> {
        let quality = shot.quality.map(|quality| f64::from(quality) / 100.0);
        let request = DrawRequest { picture, mime: shot.format.mime(), quality, marks, blanks };
        let main = self.main_frame();
        let (reply, _) = self.op::<_, DrawReply>(&main, "draw", &request).await?;
        match reply.picture.is_empty() {
            true => Err(Error::internal("the picture could not be drawn on")),
            false => Ok(reply.picture),
        }
    }
}
