//! `mouse`: the mouse by coordinates, for what has no element: canvases, maps, games.

use btcp_engine::{Button, MouseDo};

use crate::prelude::*;

/// Use the mouse at a pixel of the last screenshot.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Mouse {
    /// What to do; a button that is down stays so until up.
    #[serde(alias = "action")]
    kind: Kind,
    /// Pixels from the left.
    x: f64,
    /// Pixels from the top.
    y: f64,
    /// Mouse button.
    #[serde(default)]
    button: Button,
    /// With wheel: pixels to the right.
    delta_x: Option<f64>,
    /// With wheel: pixels down.
    delta_y: Option<f64>,
}

/// What a mouse does.
#[derive(Deserialize, JsonSchema, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Move,
    Down,
    Up,
    Click,
    Wheel,
}

impl Action for Mouse {
    const NAME: &'static str = "mouse";
    const GROUP: Group = Group::Interaction;
    const TOOLSET: Toolset = Toolset::All;
    const ACCESS: Access = Access::Changes;
    const TIPS: &'static [&'static str] = &[
        "x and y count in the last picture that was sent of this tab, whatever its scale; in the window if there is none yet.",
        "Move, down, move and up are a drag.",
    ];
    type Output = Did;

    fn examples() -> Vec<Example> {
        vec![
            Example::does(
                "Move",
                json!({ "kind": "move", "x": 5, "y": 5 }),
                "log.at(-1) === 'mousemove 5,5 0'",
            ),
            Example::does(
                "Click on a canvas",
                json!({ "kind": "click", "x": 60, "y": 70 }),
                "log.includes('click 60,70 0')",
            ),
            Example::does(
                "Press and hold the right button",
                json!({ "kind": "down", "x": 60, "y": 70, "button": "right" }),
                "log.at(-1) === 'mousedown 60,70 2'",
            ),
            Example::does(
                "Turn the wheel",
                json!({ "kind": "wheel", "x": 300, "y": 300, "deltaY": 120 }),
                "log.includes('wheel 300,300 120')",
            ),
            Example::fails(
                "Outside the window",
                json!({ "kind": "click", "x": 5000, "y": 10 }),
                "invalid_params",
            ),
        ]
    }

    async fn run(self, tab: &mut Tab) -> Result<Did> {
        let (what, verb) = match self.kind {
            Kind::Move => (MouseDo::Move, "moved to"),
            Kind::Down => (MouseDo::Down(self.button), "pressed at"),
            Kind::Up => (MouseDo::Up(self.button), "released at"),
            Kind::Click => (MouseDo::Click(self.button), "clicked at"),
            Kind::Wheel => {
                let (x, y) = (self.delta_x.unwrap_or(0.0), self.delta_y.unwrap_or(0.0));
                (MouseDo::Wheel(x, y), "turned the wheel at")
            }
        };
        let turns = self.delta_x.is_some() || self.delta_y.is_some();
        if turns != (self.kind == Kind::Wheel) {
            let message = "deltaX and deltaY are for wheel, which needs one of them".to_owned();
            return Err(btcp_engine::Error::BadParam { field: "deltaY", message }.into());
        }
        let element = tab.mouse(what, (self.x, self.y)).await?;
        let verb = format!("{verb} {}, {}", self.x, self.y);
        Ok(match element {
            Some(element) => Did::to(&element, format!("{verb} on")),
            None => Did::plain(verb),
        })
    }
}
