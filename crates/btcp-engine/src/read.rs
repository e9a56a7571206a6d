//! Reading one element: its text, its value, how many there are.

use serde_json::Value;

use crate::element::millis;
use crate::error::{Error, Result};
use crate::page::ops::{FieldValue, FindReply, FindRequest, Property, ReadReply, ReadRequest};
use crate::page::{Answer, Place};
use crate::tab::Tab;
use crate::target::Target;

impl Tab {
    /// Waits for an element to exist and gives its `textContent`.
    pub async fn text(&mut self, target: &Target) -> Result<String> {
        let value = self.read(target, Property::Text, None).await?;
        Ok(value.as_str().unwrap_or_default().to_owned())
    }

    /// How many elements match, in all frames for targets that are not CSS or XPath. At once.
    pub async fn count(&mut self, target: &Target) -> Result<usize> {
        self.recover().await?;
        let (frame, steps) = match self.start_of(target).await {
            // What is gone counts for nothing.
            Err(Error::StaleRef { .. } | Error::NotFound { .. }) => return Ok(0),
            started => started?,
        };
        let mut pending: Vec<(String, usize)> = if target.searches_frames() {
            let frames = self.state.facts().frames.below(&frame);
            frames.into_iter().map(|frame| (frame, 0)).collect()
        } else {
            vec![(frame, 0)]
        };
        let mut total = 0;
        while let Some((frame, used)) = pending.pop() {
            let request = FindRequest { query: &steps[used..], limit: 0 };
            match self.op_once(&frame, "find", &request, None).await? {
                Answer::Is(FindReply::Found { count, .. }, _) => total += count,
                Answer::Is(FindReply::Frame { id, used: more }, document) => {
                    if let Some(child) = self.child_frame(&frame, document, id).await? {
                        pending.push((child, (used + more).min(steps.len())));
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
                    pending.push((frame, used));
                }
                Answer::Navigated => {}
            }
        }
        Ok(total)
    }

    /// What a field holds now; `None` if its page is gone.
    pub async fn field_value(&mut self, element: &crate::Element) -> Result<Option<FieldValue>> {
        let request = crate::page::ops::ElementRequest { id: element.place.id };
        Ok(match self.op_at(&element.place, "fieldValue", &request).await? {
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
        self.recover().await?;
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
