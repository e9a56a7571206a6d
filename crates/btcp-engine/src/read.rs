//! Reading one element: its text, its value, how many there are.

use std::collections::VecDeque;

use serde_json::Value;

use crate::element::{Element, millis};
use crate::error::{Error, Result};
use crate::page::ops::{FieldValue, FindReply, FindRequest, Property, ReadReply, ReadRequest};
use crate::page::{Answer, Place};
use crate::tab::Tab;
use crate::target::Target;

/// What a locator found.
#[derive(Debug, Clone)]
pub struct Located {
    /// How many match.
    pub count: usize,
    /// The first few.
    pub matches: Vec<Element>,
}

impl Tab {
    /// Waits for an element to exist and gives its `textContent`.
    pub async fn text(&mut self, target: &Target) -> Result<String> {
        let value = self.read(target, Property::Text, None).await?;
        Ok(value.as_str().unwrap_or_default().to_owned())
    }

    /// An attribute; `None` when the element has none of that name.
    pub async fn attribute(&mut self, target: &Target, name: &str) -> Result<Option<String>> {
        let value = self.read(target, Property::Attribute, Some(name)).await?;
        Ok(value.as_str().map(str::to_owned))
    }

    /// Whether a person can see it, at once.
    pub async fn is_visible(&mut self, target: &Target) -> Result<bool> {
        Ok(self.look(target, 0).await?.1 > 0)
    }

    /// Whether a control can be used.
    pub async fn is_enabled(&mut self, target: &Target) -> Result<bool> {
        Ok(self.read(target, Property::Enabled, None).await?.as_bool().unwrap_or(false))
    }

    /// Waits for a match and names the first few.
    pub async fn find(&mut self, target: &Target, limit: usize) -> Result<Located> {
        // Waits until there is one, and says what is like it if there is none.
        self.read_at(target, Property::Enabled, None).await?;
        let (count, _, matches) = self.look(target, limit).await?;
        Ok(Located { count, matches })
    }

    /// How many elements match, in all frames for targets that are not CSS or XPath. At once.
    pub async fn count(&mut self, target: &Target) -> Result<usize> {
        Ok(self.look(target, 0).await?.0)
    }

    /// How many match, how many of them can be seen, and the first few; at once.
    async fn look(
        &mut self,
        target: &Target,
        limit: usize,
    ) -> Result<(usize, usize, Vec<Element>)> {
        let (frame, steps) = match self.start_of(target).await {
            // What is gone counts for nothing.
            Err(Error::StaleRef { .. } | Error::NotFound { .. }) => return Ok((0, 0, Vec::new())),
            started => started?,
        };
        let mut pending: VecDeque<(String, usize)> = if target.searches_frames() {
            let frames = self.state.facts().frames.below(&frame);
            frames.into_iter().map(|frame| (frame, 0)).collect()
        } else {
            VecDeque::from([(frame, 0)])
        };
        let (mut total, mut seen, mut named) = (0, 0, Vec::new());
        while let Some((frame, used)) = pending.pop_front() {
            let request = FindRequest { query: &steps[used..], limit };
            match self.op_once(&frame, "find", &request, None).await? {
                Answer::Is(FindReply::Found { count, visible, matches }, document) => {
                    total += count;
                    seen += visible;
                    named.extend(matches.into_iter().map(|one| {
                        let place = Place { frame: frame.clone(), document, id: one.id };
                        self.element(&place, &one.what)
                    }));
                }
                Answer::Is(FindReply::Frame { id, used: more }, document) => {
                    if let Some(child) = self.child_frame(&frame, document, id).await? {
                        pending.push_front((child, (used + more).min(steps.len())));
                    }
                }
                Answer::Is(FindReply::Failed(failed), document) => {
                    match self.failed(target, &frame, document, failed, None) {
                        Error::StaleRef { .. } => {}
                        error => return Err(error),
                    }
                }
                Answer::Navigated if frame == self.main_frame() => {
                    self.new_document(&frame).await?;
                    pending.push_front((frame, used));
                }
                Answer::Navigated => {}
            }
        }
        named.truncate(limit);
        Ok((total, seen, named))
    }

    /// What a field holds now; `None` if its page is gone.
    pub(crate) async fn field_at(&self, place: &Place) -> Result<Option<FieldValue>> {
        let request = crate::page::ops::ElementRequest { id: place.id };
        Ok(match self.op_at(place, "fieldValue", &request).await? {
            Answer::Is(value, _) => Some(value),
            Answer::Navigated => None,
        })
    }

    /// Waits for an element to exist and reads a property of it.
    pub(crate) async fn read(
        &mut self,
        target: &Target,
        what: Property,
        attribute: Option<&str>,
    ) -> Result<Value> {
        Ok(self.read_at(target, what, attribute).await?.0)
    }

    /// As `read`, and where the element is.
    pub(crate) async fn read_at(
        &mut self,
        target: &Target,
        what: Property,
        attribute: Option<&str>,
    ) -> Result<(Value, Place)> {
        loop {
            let (mut frame, steps) = self.locate(target).await?;
            let mut steps = steps.as_slice();
            loop {
                let token = self.token();
                let timeout = millis(self.context.left());
                let request = ReadRequest { query: steps, what, attribute, timeout, token };
                match self.op_once(&frame, "read", &request, Some(token)).await? {
                    Answer::Is(ReadReply::Value { element, value }, document) => {
                        return Ok((value, Place { frame, document, id: element.id }));
                    }
                    Answer::Is(ReadReply::Frame { id, used }, document) => {
                        let Some(child) = self.child_frame(&frame, document, id).await? else {
                            break;
                        };
                        (frame, steps) = (child, &steps[used.min(steps.len())..]);
                    }
                    Answer::Is(ReadReply::Failed(failed), document) => {
                        return Err(self.failed(target, &frame, document, failed, None));
                    }
                    Answer::Navigated => break,
                }
            }
            let main = self.main_frame();
            self.new_document(&main).await?;
        }
    }
}
