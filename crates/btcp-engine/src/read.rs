//! Reading one element: its text, its value, how many there are. All of a page is `content.rs`.

use std::collections::VecDeque;

use serde_json::Value;

use crate::element::{Element, millis};
use crate::error::{Error, Result};
use crate::page::ops::{
    FieldValue, FindReply, FindRequest, Named, Property, ReadReply, ReadRequest,
};
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

/// What matches in one frame.
struct Found {
    frame: String,
    document: u64,
    count: usize,
    visible: usize,
    whole: bool,
    matches: Vec<Named>,
}

/// Over several frames as in one: where there are whole matches, partial ones do not count, unless
/// only those can be seen.
fn best(mut found: Vec<Found>) -> Vec<Found> {
    let shown = found.iter().any(|one| one.visible > 0);
    let whole = found.iter().any(|one| one.whole && (one.visible > 0 || !shown));
    found.retain(|one| one.whole == whole);
    found
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

    /// Waits for the n-th match, counted over all frames, and gives it with how many there are.
    pub async fn find_nth(&mut self, target: &Target, index: i32) -> Result<Located> {
        let place = |count: usize| match usize::try_from(index) {
            Ok(from_start) => (from_start < count).then_some(from_start),
            Err(_) => count.checked_sub(index.unsigned_abs() as usize),
        };
        let mut count = self.count(target).await?;
        if place(count).is_none() {
            self.read_at(&target.nth(index), Property::Enabled, None).await?;
            count = self.count(target).await?;
        }
        let found = match place(count) {
            Some(at) => self.look(target, at.saturating_add(1)).await?.2.into_iter().nth(at),
            None => None,
        };
        match found {
            Some(element) => Ok(Located { count, matches: vec![element] }),
            None => {
                let target = target.nth(index).to_string();
                Err(Error::NotFound { target, similar: Vec::new() })
            }
        }
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
        if target.ref_number().is_none() {
            self.check_home()?;
        }
        let (frame, steps) = match self.start_of(target).await {
            // What is gone counts for nothing.
            Err(Error::StaleRef { .. } | Error::NotFound { .. }) => return Ok((0, 0, Vec::new())),
            started => started?,
        };
        // Those that are asked only because all are.
        let around = match target.searches_frames() {
            true => self.state.facts().frames.below(&frame).split_off(1),
            false => Vec::new(),
        };
        let patience = self.patience(false);
        let all = std::iter::once(frame).chain(around.iter().cloned());
        let mut pending: VecDeque<(String, usize)> = all.map(|frame| (frame, 0)).collect();
        let mut found_in = Vec::new();
        while let Some((frame, used)) = pending.pop_front() {
            let request = FindRequest { query: &steps[used..], limit, seen: false };
            let found = self.op_once(&frame, "find", &request, None);
            let found = if around.contains(&frame) {
                self.ask_frame(&frame, patience, found).await
            } else {
                Some(found.await)
            };
            let Some(found) = found else { continue };
            match found? {
                Answer::Is(FindReply::Found { count: 0, .. }, _) => {}
                Answer::Is(FindReply::Found { count, visible, whole, matches }, document) => {
                    found_in.push(Found { frame, document, count, visible, whole, matches });
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
        let counted = best(found_in);
        let total = counted.iter().map(|found| found.count).sum();
        let seen = counted.iter().map(|found| found.visible).sum();
        let named = counted.iter().flat_map(|found| {
            found.matches.iter().map(|one| {
                let (frame, document) = (found.frame.clone(), found.document);
                self.element(&Place { frame, document, id: one.id }, &one.what)
            })
        });
        Ok((total, seen, named.take(limit).collect()))
    }

    /// What a field holds now; `None` if its page is gone.
    pub(crate) async fn field_at(&self, place: &Place) -> Result<Option<FieldValue>> {
        let request = crate::page::ops::ElementRequest { id: place.id };
        Ok(match self.op_at(place, "fieldValue", &request).await? {
            Answer::Is(value, _) => Some(value),
            Answer::Navigated => None,
        })
    }

    /// What the field holds that now stands where the one acted on stood, if exactly one does: pages
    /// make their fields anew when their state changes.
    pub(crate) async fn field_made_anew(&mut self, sought: Option<&Target>) -> Option<FieldValue> {
        let (count, _, found) = self.look(sought?, 1).await.ok()?;
        let [only] = &found[..] else { return None };
        let field = self.field_at(&only.place).await.ok().flatten()?;
        (count == 1 && !field.gone).then_some(field)
    }

    /// Waits for an element to exist and reads a property of it.
    pub(crate) async fn read(
        &mut self,
        target: &Target,
        what: Property,
        attribute: Option<&str>,
    ) -> Result<Value> {
        let (mut value, place) = self.read_at(target, what, attribute).await?;
        self.hide_read(&place, what, attribute, &mut value);
        Ok(value)
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
                let reveal = self.context.reveals;
                let request = ReadRequest { query: steps, what, attribute, reveal, timeout, token };
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
