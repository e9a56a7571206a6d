//! From a point in a frame out to the viewport of the tab, and what lies over it on the way.
//!
//! The page code of each document judges what is in it; only the documents around know what covers
//! the frame.

use tokio::time::Instant;

use super::{LOOK_AGAIN, is_file_field, millis};
use crate::error::Result;
use crate::page::ops::{
    FramePointReply, FramePointRequest, ReadyElement, ReadyReply, ReadyRequest,
};
use crate::page::{Answer, Place};
use crate::tab::Tab;
use crate::target::Target;

impl Tab {
    /// Waits until nothing of the documents around lies over what will be written into: the page
    /// code writes when it finds it, so that is asked before. What cannot be told yet is told then.
    pub(super) async fn lies_open(
        &mut self,
        target: &Target,
        frame: &str,
        request: &ReadyRequest<'_>,
    ) -> Result<()> {
        let token = self.token();
        let timeout = millis(self.context.left());
        let look =
            ReadyRequest { dry: true, value: None, choices: &[], timeout, token, ..*request };
        let answer = self.op_once(frame, "ready", &look, Some(token)).await?;
        if let Answer::Is(ReadyReply::Ready(element), document) = answer {
            let place = Place { frame: frame.to_owned(), document, id: element.id };
            self.out_to_viewport(target, &place, &element).await?;
        }
        Ok(())
    }

    /// A point of a frame's element in the viewport of the tab; `None` if its document is gone.
    pub(super) async fn out_to_viewport(
        &mut self,
        target: &Target,
        place: &Place,
        element: &ReadyElement,
    ) -> Result<Option<(f64, f64)>> {
        if is_file_field(element) {
            return Ok(Some((0.0, 0.0)));
        }
        // What lies over a frame lies over what is in it.
        let hit = element.tested;
        'again: loop {
            let (mut x, mut y) = (element.x, element.y);
            let mut inner = place.frame.clone();
            while inner != self.main_frame() {
                let Some((parent, document, owner)) = self.owner_of(&inner).await? else {
                    return Ok(None);
                };
                let request = FramePointRequest { id: owner, x, y, hit, still: false };
                let at = Place { frame: parent.clone(), document, id: owner };
                match self.op_at(&at, "framePoint", &request).await? {
                    Answer::Is(FramePointReply::Point { x: px, y: py }, _) => (x, y) = (px, py),
                    Answer::Is(FramePointReply::Failed(failed), document) => {
                        if self.context.left() > LOOK_AGAIN {
                            let soon = Instant::now() + LOOK_AGAIN;
                            self.state.until(soon, |_| None::<()>).await;
                            continue 'again;
                        }
                        return Err(self.failed(target, &parent, document, failed, None));
                    }
                    Answer::Navigated => return Ok(None),
                }
                inner = parent;
            }
            return Ok(Some((x, y)));
        }
    }

    /// A point of a frame in the viewport of the tab, wherever that is; `None` if its document is
    /// gone. Moves nothing.
    pub(crate) async fn outward(
        &self,
        frame: &str,
        point: (f64, f64),
    ) -> Result<Option<(f64, f64)>> {
        let (mut inner, (mut x, mut y)) = (frame.to_owned(), point);
        while inner != self.main_frame() {
            let Some((parent, document, id)) = self.owner_of(&inner).await? else {
                return Ok(None);
            };
            let request = FramePointRequest { id, x, y, hit: false, still: true };
            let at = Place { frame: parent.clone(), document, id };
            match self.op_at(&at, "framePoint", &request).await? {
                Answer::Is(FramePointReply::Point { x: px, y: py }, _) => (x, y) = (px, py),
                _ => return Ok(None),
            }
            inner = parent;
        }
        Ok(Some((x, y)))
    }
}
