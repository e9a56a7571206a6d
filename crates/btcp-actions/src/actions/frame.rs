//! `frame`: look for plain CSS targets inside a frame.

use crate::prelude::*;

/// Work inside an iframe: CSS targets and scripts mean its document from now on. Refs need no switch.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Frame {
    /// The iframe: ref or selector.
    selector: Option<Target>,
    /// Or its name.
    name: Option<String>,
    /// Or a part of its URL.
    url: Option<String>,
}

impl Action for Frame {
    const NAME: &'static str = "frame";
    const GROUP: Group = Group::Frames;
    const TOOLSET: Toolset = Toolset::Full;
    const ACCESS: Access = Access::Changes;
    const TIPS: &'static [&'static str] = &[
        "A load of the page ends it. If the frame is taken out of its page, the next call says so, and the page is meant again.",
    ];
    type Output = Done;

    fn examples() -> Vec<Example> {
        vec![
            Example::does(
                "By selector",
                json!({ "selector": "#inner" }),
                "location.pathname === '/frames/inside.html'",
            ),
            Example::does("By name", json!({ "name": "second" }), "location.search === '?second'"),
            Example::does(
                "By a part of its URL",
                json!({ "url": "inside.html?second" }),
                "location.search === '?second'",
            ),
            Example::fails(
                "One that is not there",
                json!({ "name": "third", "timeout": 1000 }),
                "not_found",
            ),
            Example::fails(
                "Something that is no frame",
                json!({ "selector": "#plain", "timeout": 1000 }),
                "invalid_params",
            ),
        ]
    }

    fn target(&self) -> Option<&Target> {
        self.selector.as_ref()
    }

    async fn run(self, tab: &mut Tab) -> Result<Done> {
        let url = match (&self.selector, &self.name, &self.url) {
            (Some(target), ..) => tab.enter_frame(target).await?,
            (None, Some(name), _) => tab.enter_frame_where("name", name).await?,
            (None, None, Some(url)) => tab.enter_frame_where("url", url).await?,
            (None, None, None) => {
                let message = "Give a selector, a name or a url".to_owned();
                return Err(btcp_engine::Error::BadParam { field: "selector", message }.into());
            }
        };
        Ok(Done::saying(format!("in the frame {}", cut(&url, 200))))
    }
}
