//! Elements: from what an agent wrote to something that can be acted on.
//!
//! The page code finds and judges elements within one document; here targets are followed
//! across documents: refs to their frame, `>>` into frames, points in a frame out to the
//! viewport, and a page that navigates away under our hands to the next one.

mod outward;

use std::time::Duration;

use tokio::time::Instant;

use crate::effect::{Acted, Mark};
use crate::error::{Error, Result};
use crate::page::ops::{
    self, Failed, FieldValue, FileNeeds, FilePlan, FillPlan, FilledRequest, Moved, Named, Offset,
    Purpose, ReadyElement, ReadyReply, ReadyRequest, Step, Why,
};
use crate::page::{Answer, Place};
use crate::refs;
use crate::sessions::lock;
use crate::tab::Tab;
use crate::target::Target;

/// An element as results name it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Element {
    what: String,
    number: u32,
    pub(crate) place: Place,
}

impl Element {
    /// `button "Send" e4`, as models read it.
    pub fn name(&self) -> String {
        format!("{} e{}", self.what, self.number)
    }

    /// `button "Send" @ref:4`, as programs read it.
    pub fn json_name(&self) -> String {
        format!("{} @ref:{}", self.what, self.number)
    }

    /// Its role and accessible name.
    pub fn role_and_name(&self) -> (String, Option<String>) {
        role_and_name(&self.what)
    }

    /// The target that means this element and no other.
    pub fn target(&self) -> Target {
        Target::from_ref(self.number)
    }

    /// `@ref:4`.
    pub fn json_ref(&self) -> String {
        format!("@ref:{}", self.number)
    }
}

/// An element ready to be acted on, and where.
#[derive(Debug, Clone)]
pub struct Hit {
    /// The element.
    pub element: Element,
    /// Where to press, in CSS pixels of the viewport.
    pub point: (f64, f64),
    /// How many elements the target matched.
    pub matched: usize,
    /// The element that receives the event on its behalf.
    pub through: Option<String>,
    /// With `For::Fill`: what is left to do.
    pub fill: Option<FillPlan>,
    /// With `For::Focus`: it does not take the focus.
    pub unfocused: bool,
    /// With `For::Upload`: how files get there.
    pub(crate) files: Option<FileNeeds>,
}

impl Hit {
    /// What the agent should know besides what was done.
    pub fn note(&self) -> Option<String> {
        match (&self.through, self.matched) {
            (Some(through), _) => Some(format!("through {through}")),
            (None, matched) if matched > 1 => {
                Some(format!("the first visible of {matched} matches"))
            }
            _ => None,
        }
    }
}

/// What makes `ready` more than a look: where to press, what to fill in.
#[derive(Debug, Clone, Copy, Default)]
pub struct How<'a> {
    /// Point inside the element.
    pub position: Option<(f64, f64)>,
    /// With `For::Fill`: the value.
    pub value: Option<&'a str>,
    /// With `For::Type`: replace what is there.
    pub replace: bool,
    /// With `For::Select`: the options, by value, label or index.
    pub choices: &'a [String],
    /// With `For::Click`: by the right button, which follows no link.
    pub aside: bool,
}

/// How often a point that a parent frame covers is looked at again.
pub(crate) const LOOK_AGAIN: Duration = Duration::from_millis(100);

impl Tab {
    /// Waits until a target can be acted on.
    pub async fn ready(&mut self, target: &Target, purpose: Purpose) -> Result<Hit> {
        self.ready_how(target, purpose, How::default()).await
    }

    /// Waits until a target can be acted on in a particular way.
    pub async fn ready_how(
        &mut self,
        target: &Target,
        purpose: Purpose,
        how: How<'_>,
    ) -> Result<Hit> {
        if purpose != Purpose::See {
            self.look_before().await;
        }
        let mark = Mark::of(&self.state.facts());
        let mut shown = purpose == Purpose::See;
        loop {
            let (frame, steps) = self.locate_to_change(target).await?;
            if let Some(hit) = self.ready_from(target, &frame, &steps, purpose, how, mark).await? {
                if shown || !self.show(&hit.element).await {
                    return Ok(hit);
                }
                // It is looked for again: it may have moved while a person looked.
                shown = true;
            }
        }
    }

    /// The same for an element that was found already; `target` is what the agent wrote.
    pub(crate) async fn ready_at(
        &mut self,
        target: &Target,
        place: &Place,
        purpose: Purpose,
        how: How<'_>,
    ) -> Result<Hit> {
        let mark = Mark::of(&self.state.facts());
        let steps = [Step::Ref { id: place.id }];
        let hit = self.ready_from(target, &place.frame, &steps, purpose, how, mark).await?;
        match hit.filter(|hit| hit.element.place.document == place.document) {
            Some(hit) => Ok(hit),
            None => Err(Error::NotFound { target: target.to_string(), similar: Vec::new() }),
        }
    }

    /// One try, in a frame. `None`: start again.
    async fn ready_from(
        &mut self,
        target: &Target,
        frame: &str,
        steps: &[Step],
        purpose: Purpose,
        how: How<'_>,
        mark: Mark,
    ) -> Result<Option<Hit>> {
        let found = self.ready_in(target, frame, steps, purpose, how).await?;
        let Some((element, frame, document)) = found else { return Ok(None) };
        let place = Place { frame, document, id: element.id };
        let Some(point) = self.out_to_viewport(target, &place, &element).await? else {
            self.new_document(&place.frame).await.or_else(|e| self.frame_lost(e))?;
            return Ok(None);
        };
        if presses(purpose, &element) {
            self.reach(&place, point).await?;
        }
        if element.frame {
            self.refuse_script_at(point, &target.to_string()).await?;
        }
        if purpose != Purpose::See {
            self.may_carry_to(&place.frame)?;
        }
        if let Some(value) = how.value {
            self.remember_given(&place, value, true);
        }
        if purpose != Purpose::See {
            self.meet_field(&place, element.secret, how);
        }
        let sought = Some(target.clone());
        let field = element.field;
        self.memory.acted = Some(Acted { sought, field, ..Acted::on(Some(place.clone()), mark) });
        let named = self.element(&place, &element.what);
        Ok(Some(Hit {
            element: named,
            point,
            matched: element.matched,
            through: element.through,
            fill: element.fill,
            unfocused: element.unfocused,
            files: element.files,
        }))
    }

    /// Moves the mouse to a point in a frame of another process until it arrives there: Chrome
    /// routes by what it last painted, which right after a load or a scroll may be elsewhere.
    async fn reach(&mut self, place: &Place, point: (f64, f64)) -> Result<()> {
        let elsewhere = {
            let facts = self.state.facts();
            facts.frames.get(&place.frame).is_some_and(|frame| frame.session != self.state.session)
        };
        let until = self.deadline().min(Instant::now() + Duration::from_secs(2));
        while elsewhere && Instant::now() < until {
            self.wiggle(point).await?;
            match self.op_at::<_, Moved>(place, "moved", &serde_json::json!({})).await? {
                Answer::Is(Moved { moved: false }, _) => {}
                _ => break,
            }
        }
        Ok(())
    }

    /// `ready` in a frame, following the target into further frames. `None`: start again.
    async fn ready_in(
        &mut self,
        target: &Target,
        frame: &str,
        steps: &[Step],
        purpose: Purpose,
        how: How<'_>,
    ) -> Result<Option<(ReadyElement, String, u64)>> {
        let (mut frame, mut steps) = (frame.to_owned(), steps);
        loop {
            // A field is filled by the page code of its own frame: no other may see the value.
            let value = how.value.is_some() || !how.choices.is_empty();
            if value {
                self.may_carry_to(&frame)?;
            }
            let token = self.token();
            let request = ReadyRequest {
                query: steps,
                purpose,
                position: how.position.map(|(x, y)| Offset { x, y }),
                value: how.value,
                replace: how.replace,
                choices: how.choices,
                aside: how.aside,
                dry: false,
                timeout: millis(self.context.left()),
                token,
            };
            if is_keyed(purpose) && frame != self.main_frame() {
                self.lies_open(target, &frame, &request).await?;
            }
            // Some fields are set by the page code itself, while it answers.
            let sets = matches!(purpose, Purpose::Fill | Purpose::Check | Purpose::Select);
            if sets {
                self.context.progress.sent();
            }
            let (answer, field) = self.ask_ready(&frame, &request).await?;
            if sets {
                self.context.progress.undone();
            }
            match answer {
                Answer::Is(ReadyReply::Ready(mut element), document) => {
                    if element.fill == Some(FillPlan::Done) {
                        self.context.progress.happened();
                        element.field = field;
                    }
                    return Ok(Some((element, frame, document)));
                }
                Answer::Is(ReadyReply::Frame { id, used }, document) => {
                    match self.child_frame(&frame, document, id).await? {
                        Some(child) => (frame, steps) = (child, &steps[used.min(steps.len())..]),
                        None => self.new_document(&frame).await.or_else(|e| self.frame_lost(e))?,
                    }
                }
                Answer::Is(ReadyReply::Failed(failed), document) => {
                    let value = how.value.or_else(|| how.choices.first().map(String::as_str));
                    return Err(self.failed(target, &frame, document, failed, value));
                }
                Answer::Navigated => {
                    self.new_document(&frame).await.or_else(|e| self.frame_lost(e))?;
                    return Ok(None);
                }
            }
        }
    }

    /// Asks the page code, which puts plain text in at once where that is all there is to do. What
    /// the field holds then is asked along with it by callers who will wait for nothing else.
    async fn ask_ready(
        &self,
        frame: &str,
        request: &ReadyRequest<'_>,
    ) -> Result<(Answer<ReadyReply>, Option<FieldValue>)> {
        let token = Some(request.token);
        // A secret is told of to the page only when it is known where it goes; and a frame may go by
        // what is put into it, and the page code with it that would tell.
        let fills = request.purpose == Purpose::Fill
            && request.value.is_some()
            && frame == self.main_frame();
        if !fills || !self.context.carries.is_empty() {
            return Ok((self.op_once(frame, "ready", request, token).await?, None));
        }
        let filling = self.op_once(frame, ops::FILL, request, token);
        if self.context.compares {
            return Ok((filling.await?, None));
        }
        let asked = FilledRequest { token: request.token };
        let (answer, field) = tokio::join!(
            filling,
            self.op_once::<_, Option<FieldValue>>(frame, "filled", &asked, None)
        );
        let (answer, mut told) = (answer?, None);
        if let (Answer::Is(_, document), Ok(Answer::Is(field, of))) = (&answer, field)
            && *document == of
        {
            told = field;
        }
        Ok((answer, told))
    }

    /// A lost frame is a reason to start again, everything else is an error.
    fn frame_lost(&self, error: Error) -> Result<()> {
        match error {
            Error::Internal { .. } if Instant::now() < self.deadline() => Ok(()),
            other => Err(other),
        }
    }

    /// The parent of a frame, and the page code's number of the `<iframe>` in it.
    pub(crate) async fn owner_of(&self, frame: &str) -> Result<Option<(String, u64, u32)>> {
        let (parent, document, owner) = {
            let facts = self.state.facts();
            let Some(child) = facts.frames.get(frame) else { return Ok(None) };
            let Some(parent) = child.parent.as_ref().and_then(|id| facts.frames.get(id)) else {
                return Ok(None);
            };
            (parent.id.clone(), parent.document, child.owner)
        };
        if let Some((known_in, id)) = owner
            && known_in == document
        {
            return Ok(Some((parent, document, id)));
        }
        self.find_owner(frame, &parent, document)
            .await
            .map(|id| id.map(|id| (parent, document, id)))
    }

    /// The agent's view of an element: its ref, issued if it has none yet.
    pub(crate) fn element(&self, place: &Place, what: &str) -> Element {
        let at = refs::Place {
            tab: self.state.id,
            frame: place.frame.clone(),
            document: place.document,
            id: place.id,
        };
        let number = lock(&self.session.refs).issue(at, what);
        Element { what: what.to_owned(), number, place: place.clone() }
    }

    pub(crate) fn names(&self, frame: &str, document: u64, named: &[Named]) -> Vec<String> {
        named
            .iter()
            .map(|one| {
                let place = Place { frame: frame.to_owned(), document, id: one.id };
                self.element(&place, &one.what).name()
            })
            .collect()
    }

    /// What the page code's reason means for the agent.
    pub(crate) fn failed(
        &self,
        target: &Target,
        frame: &str,
        document: u64,
        failed: Failed,
        value: Option<&str>,
    ) -> Error {
        let written = target.to_string();
        let what = failed.element.as_ref().map(|e| e.what.clone()).unwrap_or_default();
        let detail = failed.detail.unwrap_or_default();
        let similar = || self.names(frame, document, &failed.similar);
        match failed.why {
            Why::NotFound => Error::NotFound { target: written, similar: similar() },
            Why::Stale => Error::StaleRef { target: written, was: what, similar: similar() },
            Why::Ambiguous => {
                Error::Ambiguous { target: written, count: failed.matched, matches: similar() }
            }
            Why::NotVisible => Error::NotVisible { target: written },
            Why::Moving => Error::Moving { target: written },
            Why::Disabled => Error::Disabled { target: written, what },
            Why::Covered => Error::Covered { target: written, by: detail },
            Why::NotEditable => Error::NotEditable { target: written, what },
            Why::NoSuchOption => Error::NoSuchOption {
                target: written,
                value: value.unwrap_or_default().to_owned(),
                options: failed.options,
            },
            Why::BadValue => {
                Error::BadValue { value: value.unwrap_or_default().to_owned(), what, wants: detail }
            }
            Why::OutsideViewport => Error::OutsideViewport { target: written },
            // In the words of Chrome's parser, which are a sentence of their own.
            Why::BadSelector => {
                let reason = detail.trim_end_matches('.').to_owned();
                Error::BadSelector { target: written, reason }
            }
            Why::Script => {
                let named = self.names(frame, document, failed.element.as_slice());
                Error::ScriptAddress { pressed: written, what: named.concat() }
            }
            Why::Cancelled => Error::Cancelled,
        }
    }
}

/// Whether the mouse will be pressed or held over it.
fn presses(purpose: Purpose, element: &ReadyElement) -> bool {
    match purpose {
        Purpose::Click | Purpose::Hover | Purpose::Drag => true,
        Purpose::Upload => !is_file_field(element),
        _ => element.fill == Some(FillPlan::Click),
    }
}

/// Whether keys or the page code itself do it, which a cover does not keep away.
fn is_keyed(purpose: Purpose) -> bool {
    use Purpose::{Fill, Focus, Select, SelectAll, Type};
    matches!(purpose, Fill | Focus | Select | SelectAll | Type)
}

/// Files are put into it wherever it is, seen or not.
fn is_file_field(element: &ReadyElement) -> bool {
    element.files.as_ref().is_some_and(|files| files.plan == FilePlan::Set)
}

/// `button "Save"` taken apart again.
pub(crate) fn role_and_name(what: &str) -> (String, Option<String>) {
    match what.split_once(' ') {
        None => (what.to_owned(), None),
        Some((role, name)) => {
            let name = name.trim();
            let said =
                crate::text::unquoted(name).map_or_else(|| name.to_owned(), |(said, _)| said);
            (role.to_owned(), Some(said))
        }
    }
}

pub(crate) fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_taken_apart_into_role_and_name() {
        assert_eq!(role_and_name("button"), ("button".into(), None));
        assert_eq!(
            role_and_name(r#"button "Say \"hi\"""#),
            ("button".into(), Some(r#"Say "hi""#.into()))
        );
    }
}
