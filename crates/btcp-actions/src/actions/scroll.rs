//! `scroll`: the page, or what scrolls inside it.

use btcp_engine::ScrollBy;

use crate::prelude::*;

/// Scroll the page, or an element that scrolls.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Scroll {
    /// Where to.
    direction: Option<Direction>,
    /// Pixels to the right, instead of a direction.
    x: Option<f64>,
    /// Pixels down, instead of a direction.
    y: Option<f64>,
    /// Pixels, default 500.
    amount: Option<f64>,
    /// What to scroll: ref or selector; the page if absent.
    selector: Option<Target>,
}

/// Where to scroll.
#[derive(Deserialize, JsonSchema, Clone, Copy)]
#[serde(rename_all = "lowercase")]
enum Direction {
    Up,
    Down,
    Left,
    Right,
    Top,
    Bottom,
}

/// How far it is scrolled now.
pub(crate) struct Scrolled(btcp_engine::Scrolled);

impl Action for Scroll {
    const NAME: &'static str = "scroll";
    const GROUP: Group = Group::Waiting;
    const TOOLSET: Toolset = Toolset::Standard;
    const ACCESS: Access = Access::Changes;
    const TIPS: &'static [&'static str] =
        &["It answers where it came to rest, and says so when that is the end."];
    type Output = Scrolled;

    fn examples() -> Vec<Example> {
        vec![
            Example::gives(
                "Down",
                json!({ "direction": "down", "amount": 300 }),
                json!({ "scrollX": 0, "scrollY": 300 }),
            ),
            Example::does(
                "To the end",
                json!({ "direction": "bottom" }),
                "scrollY + innerHeight >= document.documentElement.scrollHeight - 1",
            ),
            Example::does(
                "Inside a list",
                json!({ "selector": "#list", "direction": "down", "amount": 100 }),
                "document.querySelector('#list').scrollTop === 100",
            ),
            Example::fails(
                "Something that is not there",
                json!({ "selector": "#missing", "timeout": 1000 }),
                "not_found",
            ),
        ]
    }

    fn target(&self) -> Option<&Target> {
        self.selector.as_ref()
    }

    async fn run(self, tab: &mut Tab) -> Result<Scrolled> {
        let amount = self.amount.unwrap_or(500.0);
        let by = match (self.direction, self.x, self.y) {
            (Some(Direction::Up), ..) => ScrollBy::Pixels(0.0, -amount),
            (Some(Direction::Left), ..) => ScrollBy::Pixels(-amount, 0.0),
            (Some(Direction::Right), ..) => ScrollBy::Pixels(amount, 0.0),
            (Some(Direction::Top), ..) => ScrollBy::Top,
            (Some(Direction::Bottom), ..) => ScrollBy::Bottom,
            (None, x, y) if x.is_some() || y.is_some() => {
                ScrollBy::Pixels(x.unwrap_or(0.0), y.unwrap_or(0.0))
            }
            (Some(Direction::Down) | None, ..) => ScrollBy::Pixels(0.0, amount),
        };
        Ok(Scrolled(tab.scroll(self.selector.as_ref(), by).await?))
    }
}

impl Output for Scrolled {
    fn data(&self) -> Value {
        json!({ "scrollX": self.0.x, "scrollY": self.0.y })
    }

    fn schema() -> Option<Schema> {
        Some(json_schema!({
            "type": "object",
            "properties": { "scrollX": { "type": "number" }, "scrollY": { "type": "number" } },
            "required": ["scrollX", "scrollY"],
        }))
    }

    fn text(&self) -> Text {
        let btcp_engine::Scrolled { x, y, moved, more, .. } = &self.0;
        let moved = if *moved { "scrolled to" } else { "already at its end:" };
        let more = if *more { ", more below" } else { ", at the bottom" };
        Text::ours(format!("{moved} {x}, {y}{more}"))
    }
}
