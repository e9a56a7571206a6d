//! A mark drawn by Chrome over an element: a person sees it, the page does not.

use std::time::Duration;

use btcp_cdp::{SessionId, dom, overlay, runtime};

use crate::element::Element;
use crate::error::{Error, Result};
use crate::page::ops::Purpose;
use crate::tab::Tab;
use crate::target::Target;

/// How long the mark of what was acted on is still seen.
const SHOWN: Duration = Duration::from_millis(300);

impl Tab {
    /// Marks an element, or takes the mark away.
    pub async fn highlight(&mut self, target: Option<&Target>) -> Result<Option<Element>> {
        if let Some(session) = self.memory.marked.take() {
            self.state.connection.post(Some(&session), &overlay::HideHighlight);
        }
        let Some(target) = target else { return Ok(None) };
        loop {
            let element = self.ready(target, Purpose::See).await?.element;
            self.memory.acted = None;
            if let Some(session) = self.mark(&element).await? {
                self.memory.marked = Some(session);
                return Ok(Some(element));
            }
            // Made anew meanwhile: what stands for it now is found again, or it is gone for good.
            if self.context.left().is_zero() {
                return Err(Error::NotFound { target: target.to_string(), similar: Vec::new() });
            }
        }
    }

    /// Where a person watches: marks what is about to be acted on, and gives them time to look, if that
    /// is set. Whether it has, in which the page may have changed.
    pub(crate) async fn show(&self, element: &Element) -> bool {
        let settings = &self.session.browser.settings;
        if !settings.headed || self.memory.marked.is_some() {
            return false;
        }
        // A mark that cannot be made is in nobody's way.
        let marked = self.mark(element).await.ok().flatten();
        let pause = settings.slow_motion.min(self.context.left() / 2);
        tokio::time::sleep(pause).await;
        if let Some(session) = marked {
            let connection = self.state.connection.clone();
            tokio::spawn(async move {
                tokio::time::sleep(SHOWN).await;
                connection.post(Some(&session), &overlay::HideHighlight);
            });
        }
        !pause.is_zero()
    }

    /// Draws the mark; the process it is in, unless the element is gone.
    async fn mark(&self, element: &Element) -> Result<Option<SessionId>> {
        let session = {
            let facts = self.state.facts();
            facts.frames.get(&element.place.frame).map(|frame| frame.session.clone())
        };
        let (Some(session), Some(handle)) = (session, self.handle(&element.place).await?) else {
            return Ok(None);
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
        Ok(Some(session))
    }
}
