//! A mark drawn by Chrome over an element: a person sees it, the page does not.

use btcp_cdp::{dom, overlay, runtime};

use crate::element::Element;
use crate::error::{Error, Result};
use crate::page::ops::Purpose;
use crate::tab::Tab;
use crate::target::Target;

impl Tab {
    /// Marks an element, or takes the mark away.
    pub async fn highlight(&mut self, target: Option<&Target>) -> Result<Option<Element>> {
        if let Some(session) = self.memory.marked.take() {
            self.state.connection.post(Some(&session), &overlay::HideHighlight);
        }
        let Some(target) = target else { return Ok(None) };
        let element = self.ready(target, Purpose::See).await?.element;
        self.memory.acted = None;
        let session = {
            let facts = self.state.facts();
            facts.frames.get(&element.place.frame).map(|frame| frame.session.clone())
        };
        let (Some(session), Some(handle)) = (session, self.handle(&element.place).await?) else {
            return Err(Error::NotFound { target: target.to_string(), similar: Vec::new() });
        };
        self.state.connection.post(Some(&session), &dom::Enable);
        self.state.connection.post(Some(&session), &overlay::Enable);
        let marked = self.send_to(
            &session,
            &overlay::HighlightNode {
                highlight_config: overlay::HighlightConfig {
                    show_info: Some(false),
                    content_color: Some(overlay::Rgba { r: 255, g: 170, b: 0, a: 0.35 }),
                    border_color: Some(overlay::Rgba { r: 255, g: 120, b: 0, a: 0.9 }),
                },
                node: dom::NodeName::object(&handle),
            },
        );
        let marked = marked.await.map_err(|error| self.explain(error));
        self.state.connection.post(Some(&session), &runtime::ReleaseObject { object_id: &handle });
        marked?;
        self.memory.marked = Some(session);
        Ok(Some(element))
    }
}
