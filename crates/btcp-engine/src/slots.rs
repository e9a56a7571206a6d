//! Slots that only Chrome can find: the one trace of a closed shadow root whose host shows all its
//! children, and so looks like any other element.
//!
//! The page code counts the slots it can see, Chrome all there are: 0.3 ms for a small document, 2 ms
//! at 20,000 elements, behind the walk. Where the numbers are equal, as on nearly every page, nobody
//! need be asked about; each element would cost as much as walking a few.

use btcp_cdp::{Call, dom};

use crate::error::Result;
use crate::tab::Tab;

/// So many elements are asked about where something is hidden.
pub(crate) const MANY: usize = 1000;
/// So many in a frame that shares its process with the page: its slots are not counted alone.
pub(crate) const FEW: usize = 100;

/// Text that holds this is counted too, which only has more elements asked about.
const SLOT: &str = "<slot>";

impl Tab {
    /// Has Chrome count the slots in a frame's document, and in those of its process below it.
    /// `None` for a frame that is not the outermost of its process.
    pub(crate) async fn begin_to_count_slots(
        &self,
        frame: &str,
    ) -> Result<Option<Call<dom::SearchPerformed>>> {
        if !self.state.leads_its_session(frame) {
            return Ok(None);
        }
        let Some(world) = self.world(frame).await? else { return Ok(None) };
        // In one go, so that nobody else's search comes between.
        let session = Some(&world.session);
        self.state.connection.post(session, &dom::Enable);
        let counting = self.send_to(&world.session, &dom::PerformSearch { query: SLOT });
        self.state.connection.post(session, &dom::Disable);
        Ok(Some(counting))
    }

    /// Whether there are more slots than the page code sees. Also if nobody can tell.
    pub(crate) async fn hides_slots(
        &self,
        frame: &str,
        counting: Option<Call<dom::SearchPerformed>>,
        seen: usize,
    ) -> Result<bool> {
        let counting = match counting {
            Some(counting) => Some(counting),
            None => self.begin_to_count_slots(frame).await?,
        };
        let Some(counting) = counting else { return Ok(true) };
        let counted = self.answered(counting.await)?;
        Ok(counted.is_none_or(|counted| counted.result_count > seen))
    }

    /// Whether what the last look at a document noticed without a hint hides nothing; told once.
    pub(crate) fn take_met(&self, frame: &str) -> bool {
        let mut facts = self.state.facts();
        let Some(frame) = facts.frames.get_mut(frame) else { return false };
        frame.met.take().is_some_and(|world| frame.world == Some(world))
    }

    pub(crate) fn keep_met(&self, frame: &str, document: u64) {
        let mut facts = self.state.facts();
        let frame = facts.frames.get_mut(frame).filter(|frame| frame.document == document);
        if let Some(frame) = frame {
            frame.met = frame.world;
        }
    }
}
