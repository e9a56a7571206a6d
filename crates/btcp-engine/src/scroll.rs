//! Scrolling, at once and without animation, in whatever scrolls.

use crate::element::Element;
use crate::error::Result;
use crate::page::Answer;
use crate::page::ops::{Purpose, ScrollBy, ScrollReply, ScrollRequest};
use crate::tab::Tab;
use crate::target::Target;

/// How far something is scrolled.
#[derive(Debug, Clone)]
pub struct Scrolled {
    /// CSS pixels.
    pub x: f64,
    /// CSS pixels.
    pub y: f64,
    /// Whether it moved.
    pub moved: bool,
    /// Whether there is more below.
    pub more: bool,
    /// The element it was about.
    pub element: Option<Element>,
}

impl Tab {
    /// Scrolls the page, or the element.
    pub async fn scroll(&mut self, target: Option<&Target>, by: ScrollBy) -> Result<Scrolled> {
        loop {
            let (frame, element) = match target {
                // Scrolled to before it is scrolled, as a person's pointer must be over it.
                Some(target) => {
                    let element = self.ready(target, Purpose::See).await?.element;
                    (element.place.frame.clone(), Some(element))
                }
                None => (self.checked_home()?, None),
            };
            self.memory.acted = None;
            let id = element.as_ref().map(|element| element.place.id);
            let request = ScrollRequest { id, by };
            self.context.progress.sent();
            match self.op_once::<_, ScrollReply>(&frame, "scroll", &request, None).await? {
                Answer::Is(reply, _) => {
                    self.context.progress.happened();
                    let ScrollReply { x, y, moved, more } = reply;
                    return Ok(Scrolled { x, y, moved, more, element });
                }
                Answer::Navigated => self.new_document(&frame).await?,
            }
        }
    }
}
