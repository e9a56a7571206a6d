//! Dragging: press on one element, move to another, let go.
//!
//! Chrome turns the moves into drag-and-drop events where the page has something draggable, and
//! leaves them pointer moves where it has not; a person's hand makes no difference either. So there
//! is one gesture for lists, sliders and drop zones, with moves enough for those who measure them.

use btcp_cdp::Call;
use btcp_cdp::input::{DispatchMouseEvent, MouseButton, MouseEventType};

use crate::element::{Hit, How};
use crate::error::{Error, Result};
use crate::input::Button;
use crate::page::Answer;
use crate::page::Place;
use crate::page::ops::{DragReply, Purpose};
use crate::tab::Tab;
use crate::target::Target;

/// How many moves lead from one to the other: each is a frame for the page.
const MOVES: u32 = 12;
/// Farther than any page waits for before it believes in a drag.
const PICKED_UP: f64 = 12.0;

/// What was dragged, and where to.
#[derive(Debug)]
pub struct Dragged {
    /// What was picked up.
    pub source: Hit,
    /// Where it was let go.
    pub target: Hit,
    /// What the page made of it, if that is worth telling.
    pub note: Option<&'static str>,
}

impl Tab {
    /// Drags one element onto another.
    pub async fn drag(&mut self, source: &Target, target: &Target) -> Result<Dragged> {
        // Nothing is picked up that has nowhere to go.
        let goal = self.ready(target, Purpose::See).await?;
        let hit = loop {
            let hit = self.ready_how(source, Purpose::Drag, How::default()).await?;
            if self.pick_up(hit.point).await? {
                break hit;
            }
            self.may_press_again(source)?;
        };
        let acted = self.memory.acted.clone();
        let carried = self.carry(&hit, goal, target).await;
        self.memory.acted.clone_from(&acted);
        if carried.is_err() && self.memory.buttons != 0 {
            // Nothing stays in the hand; that it was let go there counts as not knowing.
            self.release_mouse();
        }
        let goal = carried?;
        let place = acted.and_then(|acted| acted.place);
        let note = self.what_became(place.as_ref()).await;
        self.context.progress.happened();
        Ok(Dragged { source: hit, target: goal, note })
    }

    /// Presses the button at a point; `false` if something else had slid under it.
    async fn pick_up(&mut self, point: (f64, f64)) -> Result<bool> {
        let place = self.acted_on().cloned();
        self.memory.mouse = point;
        self.context.progress.sent();
        let sent = [
            self.send(&self.at(MouseEventType::MouseMoved, point, false)),
            self.send(&self.at(MouseEventType::MousePressed, point, true)),
        ];
        self.memory.buttons |= Button::Left.cdp().1;
        let (arrived, blocked) =
            tokio::join!(self.all_arrived(sent.into()), self.blocked(place.as_ref()));
        arrived?;
        if blocked {
            self.memory.buttons = 0;
            self.send(&self.at(MouseEventType::MouseReleased, point, false))
                .await
                .map_err(|error| self.explain(error))?;
            self.context.progress.undone();
        }
        Ok(!blocked)
    }

    /// Moves what is in the hand to the goal and lets it go there.
    async fn carry(&mut self, hit: &Hit, goal: Hit, target: &Target) -> Result<Hit> {
        let away = toward(hit.point, goal.point, PICKED_UP);
        for part in [0.3, 0.6, 1.0] {
            self.move_held(between(hit.point, away, part)).await?;
        }
        // The page may have made room for it meanwhile, or have scrolled.
        let goal = self.ready(target, Purpose::See).await?;
        let end = self.within_view(goal.point).await?;
        let start = self.memory.mouse;
        for n in 1..=MOVES {
            self.move_held(between(start, end, f64::from(n) / f64::from(MOVES))).await?;
        }
        // Who has just been entered is asked once more before anything is dropped.
        self.move_held((end.0 - 1.0, end.1)).await?;
        self.move_held(end).await?;
        let released = self.at(MouseEventType::MouseReleased, end, false);
        self.memory.buttons = 0;
        let sent = vec![self.send(&released)];
        self.all_arrived(sent).await?;
        Ok(Hit { point: end, ..goal })
    }

    async fn move_held(&mut self, point: (f64, f64)) -> Result<()> {
        if self.context.left().is_zero() {
            return Err(self.too_late("the drag to end"));
        }
        self.memory.mouse = point;
        let sent = vec![self.send(&self.at(MouseEventType::MouseMoved, point, true))];
        self.all_arrived(sent).await
    }

    /// Lets go of the button where the mouse is, without waiting for anything.
    fn release_mouse(&mut self) {
        let event = self.at(MouseEventType::MouseReleased, self.memory.mouse, false);
        self.memory.buttons = 0;
        self.state.connection.post(Some(&self.state.session), &event);
    }

    fn at(&self, kind: MouseEventType, (x, y): (f64, f64), held: bool) -> DispatchMouseEvent {
        let moves = kind == MouseEventType::MouseMoved && !held;
        DispatchMouseEvent {
            kind,
            x,
            y,
            modifiers: Some(self.memory.held.0),
            button: Some(if moves { MouseButton::None } else { MouseButton::Left }),
            buttons: Some(u8::from(held)),
            click_count: (kind != MouseEventType::MouseMoved).then_some(1),
            ..Default::default()
        }
    }

    /// As `arrived`, but the gesture goes on: it has not happened yet.
    async fn all_arrived(&self, sent: Vec<Call<btcp_cdp::Empty>>) -> Result<()> {
        for call in sent {
            match call.await {
                Ok(_) => {}
                Err(btcp_cdp::Error::SessionGone { .. }) if self.is_elsewhere() => break,
                Err(error) => return Err(self.explain(error)),
            }
        }
        Ok(())
    }

    /// The page left while we held something; that is no fault.
    fn is_elsewhere(&self) -> bool {
        let facts = self.state.facts();
        !facts.crashed && facts.dialogs.open().is_none()
    }

    /// A point as near as the window has it.
    async fn within_view(&mut self, (x, y): (f64, f64)) -> Result<(f64, f64)> {
        let view = self.view().await?;
        let inside = |at: f64, size: f64| at.clamp(1.0, (size - 2.0).max(1.0));
        Ok((inside(x, view.width), inside(y, view.height)))
    }

    /// Whether the page took what was dropped; only drag and drop tells.
    async fn what_became(&self, place: Option<&Place>) -> Option<&'static str> {
        let asked = self.op_at::<_, DragReply>(place?, "dragged", &serde_json::json!({})).await;
        match asked {
            Ok(Answer::Is(DragReply { began: true, taken: Some(false) }, _)) => {
                Some("nothing there took it")
            }
            Err(Error::DialogOpen { .. }) | Ok(_) | Err(_) => None,
        }
    }
}

/// The point so far from `a` in the direction of `b`, or `b` if that is nearer.
fn toward(a: (f64, f64), b: (f64, f64), far: f64) -> (f64, f64) {
    let distance = (b.0 - a.0).hypot(b.1 - a.1);
    if distance < 1.0 { (a.0 + far, a.1) } else { between(a, b, (far / distance).min(1.0)) }
}

fn between(a: (f64, f64), b: (f64, f64), part: f64) -> (f64, f64) {
    (a.0 + (b.0 - a.0) * part, a.1 + (b.1 - a.1) * part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_drag_begins_in_the_direction_it_ends() {
        assert_eq!(toward((0.0, 0.0), (30.0, 40.0), 5.0), (3.0, 4.0));
        assert_eq!(toward((0.0, 0.0), (3.0, 4.0), 12.0), (3.0, 4.0));
        assert_eq!(toward((5.0, 5.0), (5.0, 5.0), 12.0), (17.0, 5.0));
        assert_eq!(between((0.0, 0.0), (10.0, 20.0), 0.5), (5.0, 10.0));
    }
}
