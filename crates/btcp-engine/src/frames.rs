//! The frame an agent works in: where plain CSS targets are looked for and scripts run.

use crate::error::{Error, Result};
use crate::page::ops::Purpose;
use crate::tab::Tab;
use crate::tab_state::Facts;
use crate::target::Target;

/// A frame the agent has entered.
#[derive(Debug)]
pub(crate) struct Entered {
    frame: String,
    url: String,
    /// The document of the page it was in then.
    page: u64,
}

impl Tab {
    /// Works inside this `<iframe>` from now on; gives its address.
    pub async fn enter_frame(&mut self, target: &Target) -> Result<String> {
        let hit = self.ready(target, Purpose::See).await?;
        self.memory.acted = None;
        let place = hit.element.place.clone();
        let child = self.child_frame(&place.frame, place.document, place.id).await?;
        let Some(child) = child else {
            let message = format!("{} is not a frame", hit.element.name());
            return Err(Error::BadParam { field: "selector", message });
        };
        let url = self.state.facts().frames.get(&child).map(|frame| frame.url.clone());
        let url = url.unwrap_or_default();
        self.enter(child, &url);
        Ok(url)
    }

    /// Works inside the frame whose name, or whose address, is or contains this.
    pub async fn enter_frame_where(&mut self, what: &'static str, wanted: &str) -> Result<String> {
        let main = self.main_frame();
        let found = |facts: &Facts| {
            facts.frames.below(&main).into_iter().skip(1).find_map(|id| {
                let frame = facts.frames.get(&id)?;
                let fits = match what {
                    "name" => frame.name == wanted,
                    _ => frame.url.contains(wanted),
                };
                fits.then(|| (id, frame.url.clone()))
            })
        };
        match self.state.until(self.deadline(), found).await {
            Some((id, url)) => {
                self.enter(id, &url);
                Ok(url)
            }
            None => Err(Error::NotFound {
                target: format!("frame {what}={wanted}"),
                similar: Vec::new(),
            }),
        }
    }

    /// Works in the page itself again.
    pub fn leave_frame(&mut self) {
        self.memory.frame = None;
    }

    fn enter(&mut self, frame: String, url: &str) {
        let page = self.state.facts().frames.main().map_or(0, |main| main.document);
        self.memory.frame = Some(Entered { frame, url: url.to_owned(), page });
    }

    /// Whether the frame that was entered is there. One that was taken out of its page is told, once:
    /// what was meant for it must not be done in the page. One that left with its page is forgotten.
    pub(crate) fn check_home(&mut self) -> Result<()> {
        let Some(entered) = &self.memory.frame else { return Ok(()) };
        let (there, same_page) = {
            let facts = self.state.facts();
            let page = facts.frames.main().map_or(0, |main| main.document);
            (facts.frames.get(&entered.frame).is_some(), page == entered.page)
        };
        if there {
            return Ok(());
        }
        let target = format!("frame url={}", crate::text::cut(&entered.url, 200));
        self.memory.frame = None;
        match same_page {
            true => Err(Error::NotFound { target, similar: Vec::new() }),
            false => Ok(()),
        }
    }

    /// The same, and which it is, for what is done in it as a whole.
    pub(crate) fn checked_home(&mut self) -> Result<String> {
        self.check_home()?;
        Ok(self.home_frame())
    }

    /// The frame the agent works in: the one it entered while that is there, else the main one.
    pub(crate) fn home_frame(&self) -> String {
        let facts = self.state.facts();
        match &self.memory.frame {
            Some(entered) if facts.frames.get(&entered.frame).is_some() => entered.frame.clone(),
            _ => facts.frames.main.clone(),
        }
    }
}
