//! The mouse by coordinates: an agent that looks at a picture names a pixel of it.
//!
//! A picture may be smaller than what it shows, and may show more than the window does; a pixel is
//! turned into the place of the page it was taken of, which is brought into view if it is not.

use btcp_cdp::input::{DispatchMouseEvent, MouseButton, MouseEventType};

use crate::effect::{Acted, Mark};
use crate::element::Element;
use crate::error::{Error, Result};
use crate::input::Button;
use crate::page::ops::{
    ElementAtReply, Measure, PointRequest, ScrollBy, ScrollReply, ScrollRequest,
};
use crate::page::{Answer, Place};
use crate::tab::Tab;

/// What a picture shows: a part of the window, or of the whole page.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shown {
    /// CSS pixels from the left of the window, or of the page.
    pub(crate) x: f64,
    /// CSS pixels from the top.
    pub(crate) y: f64,
    /// Size in CSS pixels.
    pub(crate) width: f64,
    /// Size in CSS pixels.
    pub(crate) height: f64,
    /// Size of the picture.
    pub(crate) pixels: (u32, u32),
    /// Whether it counts from the corner of the page, not of the window.
    pub(crate) of_page: bool,
}

/// What the mouse does.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum MouseDo {
    /// Moves there.
    Move,
    /// Presses a button, which stays down.
    Down(Button),
    /// Lets it go.
    Up(Button),
    /// Presses it and lets it go.
    Click(Button),
    /// Turns the wheel, in CSS pixels.
    Wheel(f64, f64),
}

/// How deep frames are followed.
const DEEPEST: usize = 10;

impl Shown {
    /// A pixel of the picture as a point of what it shows.
    fn point(&self, (x, y): (f64, f64)) -> (f64, f64) {
        let (wide, high) = (f64::from(self.pixels.0.max(1)), f64::from(self.pixels.1.max(1)));
        (self.x + x * self.width / wide, self.y + y * self.height / high)
    }

    fn has(&self, (x, y): (f64, f64)) -> bool {
        x <= f64::from(self.pixels.0) && y <= f64::from(self.pixels.1)
    }
}

impl Tab {
    /// Does something with the mouse at a pixel of the last picture; without one, of the window.
    /// Gives what is there.
    pub async fn mouse(&mut self, what: MouseDo, pixel: (f64, f64)) -> Result<Option<Element>> {
        let point = self.point_of(pixel).await?;
        self.look_before().await;
        let mark = Mark::of(&self.state.facts());
        let At { element, place, script } = self.element_at(point).await?;
        if let (Some(what), true) = (script, what.follows()) {
            let pressed = format!("{}, {}", pixel.0, pixel.1);
            return Err(Error::ScriptAddress { pressed, what });
        }
        let nothing = serde_json::json!({});
        if let Some(place) = &place {
            self.op_at::<_, serde_json::Value>(place, "arm", &nothing).await?;
        }
        self.memory.acted = Some(Acted::on(place, mark));
        let events = self.mouse_does(what, point);
        self.mouse_events(&events, point).await?;
        Ok(element)
    }

    fn mouse_does(&mut self, what: MouseDo, (x, y): (f64, f64)) -> Vec<DispatchMouseEvent> {
        let modifiers = Some(self.memory.held.0);
        let event = |kind, button, buttons, count| DispatchMouseEvent {
            kind,
            x,
            y,
            modifiers,
            button: Some(button),
            buttons: Some(buttons),
            click_count: count,
            ..Default::default()
        };
        let held = self.memory.buttons;
        let dragging = if held & 1 != 0 { MouseButton::Left } else { MouseButton::None };
        let mut events = vec![event(MouseEventType::MouseMoved, dragging, held, None)];
        let mut press = |button: Button, down: bool, held: u8| {
            let (name, mask) = button.cdp();
            let (kind, held) = match down {
                true => (MouseEventType::MousePressed, held | mask),
                false => (MouseEventType::MouseReleased, held & !mask),
            };
            events.push(event(kind, name, held, Some(1)));
            held
        };
        self.memory.buttons = match what {
            MouseDo::Move => held,
            MouseDo::Down(button) => press(button, true, held),
            MouseDo::Up(button) => press(button, false, held),
            MouseDo::Click(button) => {
                let down = press(button, true, held);
                press(button, false, down)
            }
            MouseDo::Wheel(dx, dy) => {
                events.push(DispatchMouseEvent {
                    delta_x: Some(dx),
                    delta_y: Some(dy),
                    ..event(MouseEventType::MouseWheel, MouseButton::None, held, None)
                });
                held
            }
        };
        events
    }

    /// Where in the window a pixel of the last picture is now.
    async fn point_of(&mut self, pixel: (f64, f64)) -> Result<(f64, f64)> {
        let bad = |message: String| Err(Error::BadParam { field: "x", message });
        let (x, y) = pixel;
        if !(x.is_finite() && y.is_finite() && x >= 0.0 && y >= 0.0) {
            return bad(format!("x and y must not be negative, not {x}, {y}"));
        }
        let view = self.view().await?;
        let shown = self.memory.shown.unwrap_or(Shown {
            x: 0.0,
            y: 0.0,
            width: view.width,
            height: view.height,
            pixels: (view.width as u32, view.height as u32),
            of_page: false,
        });
        if !shown.has(pixel) {
            let (wide, high) = shown.pixels;
            let what = if self.memory.shown.is_some() { "last screenshot" } else { "window" };
            return bad(format!("{x}, {y} is outside the {what}, which is {wide}x{high}"));
        }
        let (x, y) = shown.point(pixel);
        if !shown.of_page {
            return Ok((x, y));
        }
        let place = (x - view.scroll_x, y - view.scroll_y);
        if inside(place, &view) {
            return Ok(place);
        }
        let middle = (place.0 - view.width / 2.0, place.1 - view.height / 2.0);
        let by = ScrollBy::Pixels(
            if (0.0..view.width).contains(&place.0) { 0.0 } else { middle.0 },
            if (0.0..view.height).contains(&place.1) { 0.0 } else { middle.1 },
        );
        let main = self.main_frame();
        self.op::<_, ScrollReply>(&main, "scroll", &ScrollRequest { id: None, by }).await?;
        let view = self.view().await?;
        let place = (x - view.scroll_x, y - view.scroll_y);
        match inside(place, &view) {
            true => Ok(place),
            false => Err(Error::OutsideViewport { target: format!("{}, {}", pixel.0, pixel.1) }),
        }
    }

    /// The window as it is now.
    pub(super) async fn view(&mut self) -> Result<Measure> {
        let main = self.main_frame();
        Ok(self.op::<_, Measure>(&main, "measure", &serde_json::json!({})).await?.0)
    }

    /// What is at a point of the window, looked for through frames.
    pub(super) async fn element_at(&mut self, point: (f64, f64)) -> Result<At> {
        let (mut frame, mut at) = (self.main_frame(), point);
        for _ in 0..DEEPEST {
            let request = PointRequest { x: at.0, y: at.1 };
            let (found, document) =
                self.op::<_, ElementAtReply>(&frame, "elementAt", &request).await?;
            let Some(named) = found.element else {
                let place = Some(Place { frame, document, id: 0 });
                return Ok(At { place, ..At::default() });
            };
            let place = Place { frame: frame.clone(), document, id: named.id };
            let inner = match found.inner {
                Some(inner) => {
                    self.child_frame(&frame, document, named.id).await?.map(|child| (child, inner))
                }
                None => None,
            };
            let script = found.script.map(|named| self.names(&frame, document, &[named]).concat());
            let itself = |tab: &Self| At {
                element: Some(tab.element(&place, &named.what)),
                place: Some(place.clone()),
                script,
            };
            let Some((child, inner)) = inner else { return Ok(itself(self)) };
            // A frame that has no document of ours yet is named itself.
            let probe = PointRequest { x: inner.x, y: inner.y };
            let looked = self.op_once::<_, ElementAtReply>(&child, "elementAt", &probe, None).await;
            if !matches!(looked, Ok(Answer::Is(..))) {
                return Ok(itself(self));
            }
            (frame, at) = (child, (inner.x, inner.y));
        }
        Ok(At::default())
    }
}

/// What is at a point of the window.
#[derive(Default)]
pub(super) struct At {
    pub(super) element: Option<Element>,
    pub(super) place: Option<Place>,
    /// What would run the script in its address if it were pressed there.
    pub(super) script: Option<String>,
}

impl MouseDo {
    /// Whether it begins a press that follows links and sends forms.
    fn follows(self) -> bool {
        matches!(self, Self::Down(button) | Self::Click(button) if button != Button::Right)
    }
}

fn inside((x, y): (f64, f64), view: &Measure) -> bool {
    (0.0..view.width).contains(&x) && (0.0..view.height).contains(&y)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pixel_of_a_small_picture_is_a_point_of_a_large_page() {
        let shown = Shown {
            x: 100.0,
            y: 50.0,
            width: 1280.0,
            height: 3200.0,
            pixels: (640, 1600),
            of_page: true,
        };
        assert_eq!(shown.point((320.0, 800.0)), (740.0, 1650.0));
        assert!(shown.has((640.0, 1600.0)) && !shown.has((641.0, 0.0)));
    }
}
