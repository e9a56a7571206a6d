//! The frame an agent works in: where plain CSS targets are looked for and scripts run.

use crate::error::{Error, Result};
use crate::page::ops::Purpose;
use crate::tab::Tab;
use crate::tab_state::Facts;
use crate::target::Target;

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
        self.memory.frame = Some(child);
        Ok(url.unwrap_or_default())
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
                self.memory.frame = Some(id);
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

    /// The frame the agent works in: the one it entered while that is there, else the main one.
    pub(crate) fn home_frame(&self) -> String {
        let facts = self.state.facts();
        match &self.memory.frame {
            Some(frame) if facts.frames.get(frame).is_some() => frame.clone(),
            _ => facts.frames.main.clone(),
        }
    }
}
