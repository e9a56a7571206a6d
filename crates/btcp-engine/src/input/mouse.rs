//! The mouse: moving and clicking.

use btcp_cdp::Call;
use btcp_cdp::input::{DispatchMouseEvent, MouseButton, MouseEventType};

use crate::error::{Error, Result};
use crate::input::{Button, Modifiers};
use crate::page::ops::Pressed;
use crate::page::{Answer, Place};
use crate::tab::Tab;
use crate::target::Target;

impl Button {
    pub(super) fn cdp(self) -> (MouseButton, u8) {
        match self {
            Self::Left => (MouseButton::Left, 1),
            Self::Right => (MouseButton::Right, 2),
            Self::Middle => (MouseButton::Middle, 4),
        }
    }
}

impl Tab {
    /// Moves the pointer to a point of the viewport and clicks there so many times. `false` if
    /// something else had slid under it: then the page has seen nothing, and one may try again.
    pub async fn click_at(
        &mut self,
        point: (f64, f64),
        button: Button,
        count: u32,
        modifiers: Modifiers,
    ) -> Result<bool> {
        let (cdp_button, mask) = button.cdp();
        let (held, pressed) = (self.memory.held, self.memory.buttons & !mask);
        let event = |kind, click_count, buttons| DispatchMouseEvent {
            kind,
            x: point.0,
            y: point.1,
            modifiers: Some(modifiers.0 | held.0),
            button: Some(if click_count > 0 { cdp_button } else { MouseButton::None }),
            buttons: Some(buttons | pressed),
            click_count: (click_count > 0).then_some(click_count),
            ..Default::default()
        };
        let mut events = vec![event(MouseEventType::MouseMoved, 0, 0)];
        for n in 1..=count {
            events.push(event(MouseEventType::MousePressed, n, mask));
            events.push(event(MouseEventType::MouseReleased, n, 0));
        }
        let place = self.acted_on().cloned();
        self.memory.mouse = point;
        self.context.progress.sent();
        let sent: Vec<Call<_>> = events.iter().map(|event| self.send(event)).collect();
        let (arrived, blocked) = tokio::join!(self.arrived(sent), self.blocked(place.as_ref()));
        arrived?;
        if let Some(acted) = &mut self.memory.acted {
            acted.pressed = acted.place.is_some() && !blocked;
        }
        if blocked {
            self.context.progress.undone();
        }
        Ok(!blocked)
    }

    /// A press was kept from the page; whether there is time for another.
    pub fn may_press_again(&self, target: &Target) -> Result<()> {
        match self.context.left().is_zero() {
            true => Err(Error::Moving { target: target.to_string() }),
            false => Ok(()),
        }
    }

    /// Whether the page code kept the press from the page. A page that is gone has had it.
    pub(super) async fn blocked(&self, place: Option<&Place>) -> bool {
        let Some(place) = place else { return false };
        let nothing = serde_json::json!({});
        let answer = self.op_at::<_, Pressed>(place, "pressed", &nothing).await;
        matches!(answer, Ok(Answer::Is(Pressed { blocked: true }, _)))
    }

    /// Moves the pointer to a point of the viewport.
    pub async fn move_to(&mut self, point: (f64, f64)) -> Result<()> {
        let moved = DispatchMouseEvent {
            kind: MouseEventType::MouseMoved,
            x: point.0,
            y: point.1,
            modifiers: Some(self.memory.held.0),
            buttons: Some(self.memory.buttons),
            ..Default::default()
        };
        self.mouse_events(&[moved], point).await
    }

    /// Two small moves that end at a point: they change nothing but where the pointer is.
    pub(crate) async fn wiggle(&mut self, point: (f64, f64)) -> Result<()> {
        let at = |x, y| DispatchMouseEvent {
            kind: MouseEventType::MouseMoved,
            x,
            y,
            ..Default::default()
        };
        let sent = [self.send(&at(point.0 + 1.0, point.1)), self.send(&at(point.0, point.1))];
        for call in sent {
            call.await.map_err(|error| self.explain(error))?;
        }
        Ok(())
    }

    pub(super) async fn mouse_events(
        &mut self,
        events: &[DispatchMouseEvent],
        point: (f64, f64),
    ) -> Result<()> {
        self.memory.mouse = point;
        self.context.progress.sent();
        let sent: Vec<Call<_>> = events.iter().map(|event| self.send(event)).collect();
        self.arrived(sent).await
    }

    /// Waits for what was sent; a page that left meanwhile has received it.
    pub(crate) async fn arrived(&self, sent: Vec<Call<btcp_cdp::Empty>>) -> Result<()> {
        self.delivered(sent).await?;
        self.context.progress.happened();
        Ok(())
    }

    /// Waits until all of it has arrived, where that is only a part of what is done.
    pub(crate) async fn delivered(&self, sent: Vec<Call<btcp_cdp::Empty>>) -> Result<()> {
        for call in sent {
            match call.await {
                Ok(_) => {}
                Err(btcp_cdp::Error::SessionGone { .. }) if !self.state.facts().crashed => break,
                Err(error) => return Err(self.explain(error)),
            }
        }
        Ok(())
    }
}
