//! `click`: press and release a mouse button on one element.
//!
//! The pointer really moves and Chrome sends trusted events. If another element lies on top
//! we name it and do nothing.

use btcp_engine::{Button, For, How, Modifiers};

use crate::prelude::*;

/// Click an element. Scrolls to it and waits until it can be clicked.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Click {
    /// Ref (e5), CSS, XPath, text=Save, role=button[name="Save"], label=, placeholder=, alt=, title=, testid=; A >> B looks inside A.
    selector: Target,
    /// Mouse button.
    #[serde(default)]
    button: Button,
    /// 2 is a double click.
    #[schemars(range(min = 1, max = 3))]
    click_count: Option<u32>,
    /// Keys held: Alt, Control, Meta, Shift.
    #[serde(default)]
    modifiers: Vec<String>,
    /// Point inside the element, default its middle.
    position: Option<Position>,
}

/// A point inside an element.
#[derive(Deserialize, JsonSchema, Clone, Copy)]
#[serde(deny_unknown_fields)]
pub(crate) struct Position {
    x: f64,
    y: f64,
}

impl Click {
    /// A plain click on something.
    pub(crate) fn on(selector: Target) -> Self {
        Self::times(selector, 1)
    }

    /// So many clicks at once.
    pub(crate) fn times(selector: Target, count: u32) -> Self {
        Self {
            selector,
            button: Button::Left,
            click_count: Some(count),
            modifiers: Vec::new(),
            position: None,
        }
    }
}

impl Action for Click {
    const NAME: &'static str = "click";
    const GROUP: Group = Group::Interaction;
    const TOOLSET: Toolset = Toolset::Standard;
    const ACCESS: Access = Access::Changes;
    const TIPS: &'static [&'static str] = &[
        "Of several that match CSS the first visible one is clicked, and the answer says how many there are; text=, role= or label= that means several is ambiguous.",
        "With changes: false it answers at once and does not wait for what comes of it.",
    ];
    type Output = Did;

    fn examples() -> Vec<Example> {
        vec![
            Example::does("A button", json!({ "selector": "#send" }), "log[0] === 'click send'"),
            Example::does(
                "With the right button",
                json!({ "selector": "#menu", "button": "right" }),
                "log.includes('contextmenu menu')",
            ),
            Example::does(
                "Twice",
                json!({ "selector": "#twice", "clickCount": 2 }),
                "log.includes('dblclick twice')",
            ),
            Example::does(
                "At a point",
                json!({ "selector": "#box", "position": { "x": 10, "y": 5 } }),
                "log.includes('at box 10,5')",
            ),
            Example::fails(
                "One under a dialog",
                json!({ "selector": "#under", "timeout": 1000 }),
                "covered",
            ),
            Example::fails(
                "A disabled one",
                json!({ "selector": "#off", "timeout": 1000 }),
                "disabled",
            ),
        ]
    }

    fn target(&self) -> Option<&Target> {
        Some(&self.selector)
    }

    async fn run(self, tab: &mut Tab) -> Result<Did> {
        let modifiers = modifiers(&self.modifiers)?;
        let count = within("clickCount", self.click_count.unwrap_or(1), 1..=3)?;
        let how = How {
            position: self.position.map(|at| (at.x, at.y)),
            aside: self.button == Button::Right,
            ..How::default()
        };
        let hit = loop {
            let hit = tab.ready_how(&self.selector, For::Click, how).await?;
            if tab.click_at(hit.point, self.button, count, modifiers).await? {
                break hit;
            }
            tab.may_press_again(&self.selector)?;
        };
        let verb = match (self.button, count) {
            (Button::Left, 1) => "clicked",
            (Button::Right, _) => "right-clicked",
            (Button::Middle, _) => "middle-clicked",
            (Button::Left, 2) => "double-clicked",
            (Button::Left, _) => "triple-clicked",
        };
        Ok(Did::to(&hit.element, verb).note(hit.note()))
    }
}

fn modifiers(names: &[String]) -> Result<Modifiers> {
    names.iter().try_fold(Modifiers::default(), |held, name| {
        held.with(name).ok_or_else(|| {
            btcp_engine::Error::BadParam {
                field: "modifiers",
                message: format!(
                    "Modifier '{name}' is not known; they are Alt, Control, Meta, Shift"
                ),
            }
            .into()
        })
    })
}
