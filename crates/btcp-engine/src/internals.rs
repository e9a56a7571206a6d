//! What custom elements say of themselves by `ElementInternals`, which no other script can read.
//!
//! The page code notices such elements (`web/page/src/snapshot/strangers.ts`) and Chrome's
//! accessibility tree knows them: it is asked about a few of each tag, with the closed shadow roots.
//! Those that have something to tell are asked again with every look. The tree costs a page time with
//! every change it makes, so it is given up unless something was found. A page without custom
//! elements is asked nothing.

use btcp_cdp::{accessibility, dom};
use futures_util::future::join_all;

use crate::error::Result;
use crate::page::World;
use crate::page::ops::{InternalsReply, InternalsRequest, Step};
use crate::tab::Tab;

/// So many are asked again after an action; a snapshot asks all.
const IN_PASSING: usize = 50;

/// What is known of a document's custom elements.
#[derive(Debug, Clone, Default)]
pub(crate) struct Internals {
    /// The world the page code was told in.
    world: i64,
    /// Those to ask about again.
    again: Vec<i64>,
}

/// What Chrome says of elements.
pub(crate) struct Told {
    ids: Vec<i64>,
    /// For each, the attributes that would say the same.
    said: Vec<Vec<(&'static str, String)>>,
    /// The page code has not met them.
    fresh: bool,
}

impl Tab {
    /// Asks again about those that had something to tell.
    pub(crate) async fn ask_again(
        &self,
        frame: &str,
        in_passing: bool,
    ) -> Result<Option<(World, Told)>> {
        let Some(world) = self.world(frame).await? else { return Ok(None) };
        let mut known = self.internals_in(frame, &world).unwrap_or_default();
        if known.again.is_empty() {
            return Ok(None);
        }
        if in_passing {
            known.again.truncate(IN_PASSING);
        }
        let told = self.ask_internals(&world, known.again, false).await?;
        Ok(Some((world, told)))
    }

    /// Asks Chrome about elements, all at once.
    pub(crate) async fn ask_internals(
        &self,
        world: &World,
        ids: Vec<i64>,
        fresh: bool,
    ) -> Result<Told> {
        let calls: Vec<_> = ids
            .iter()
            .map(|id| {
                let node = dom::NodeName::backend(*id);
                let command =
                    accessibility::GetPartialAXTree { node, fetch_relatives: Some(false) };
                self.send_to(&world.session, &command)
            })
            .collect();
        let mut said = Vec::with_capacity(calls.len());
        for call in calls {
            let tree = self.answered(call.await)?;
            let node = tree.as_ref().and_then(|tree| tree.nodes.first());
            said.push(node.map(accessibility::AXNode::attributes).unwrap_or_default());
        }
        Ok(Told { ids, said, fresh })
    }

    /// Tells the page code; whether the outline may be another now.
    pub(crate) async fn tell_internals(
        &self,
        frame: &str,
        world: &World,
        told: Told,
    ) -> Result<bool> {
        let Told { mut ids, mut said, fresh } = told;
        if ids.is_empty() {
            return Ok(false);
        }
        let mut nodes = Vec::new();
        let mut handles = None;
        if fresh {
            let held = handles.insert(self.resolve(world, &ids).await?);
            let known = ids.into_iter().zip(said).zip(&held.nodes);
            let known = known.filter_map(|(told, node)| Some((told, node.clone()?)));
            let (told, met): (Vec<_>, Vec<_>) = known.unzip();
            (ids, said) = told.into_iter().unzip();
            nodes = met;
        }
        let request = InternalsRequest { ids: &ids, told: &said };
        let reply: Option<InternalsReply> =
            self.hand_over(world, "internals", &request, &nodes).await?;
        drop(handles);
        let Some(InternalsReply { news, again }) = reply else { return Ok(false) };
        if again.is_empty() {
            self.state.connection.post(Some(&world.session), &accessibility::Enable);
            self.state.connection.post(Some(&world.session), &accessibility::Disable);
        }
        self.keep_internals(frame, world, Internals { world: world.context, again });
        Ok(news)
    }

    /// Before something is looked for by role or label in documents nobody has looked at: asks
    /// about their custom elements.
    pub(crate) async fn meet_strangers(&self, steps: &[Step]) {
        let named = |step: &Step| matches!(step, Step::Role { .. } | Step::Label { .. });
        if !steps.iter().any(named) {
            return;
        }
        let home = self.home_frame();
        let frames = self.state.facts().frames.below(&home);
        let patience = self.patience(false);
        let meetings = frames.iter().map(|frame| self.ask_frame(frame, patience, self.meet(frame)));
        // Of a frame that hangs or is gone whoever looks for something there hears by itself.
        join_all(meetings).await;
    }

    async fn meet(&self, frame: &str) -> Result<()> {
        let Some(world) = self.world(frame).await? else { return Ok(()) };
        if !self.is_unheard(frame) || self.internals_in(frame, &world).is_some() {
            return Ok(());
        }
        let met = Internals { world: world.context, again: Vec::new() };
        self.keep_internals(frame, &world, met);
        let ids = self.suspects(&world, true, 0).await?.strangers;
        let told = self.ask_internals(&world, ids, true).await?;
        self.tell_internals(frame, &world, told).await?;
        Ok(())
    }

    /// Whether elements of the page can change their states without a trace in its documents.
    pub(crate) fn changes_unseen(&self) -> bool {
        let facts = self.state.facts();
        let frames = facts.frames.below(&facts.frames.main);
        let mut frames = frames.iter().filter_map(|frame| facts.frames.get(frame));
        frames.any(|frame| frame.internals.as_ref().is_some_and(|known| !known.again.is_empty()))
    }

    fn internals_in(&self, frame: &str, world: &World) -> Option<Internals> {
        let facts = self.state.facts();
        let known = facts.frames.get(frame)?.internals.clone();
        known.filter(|known| known.world == world.context)
    }

    fn keep_internals(&self, frame: &str, world: &World, known: Internals) {
        let mut facts = self.state.facts();
        if let Some(frame) = facts.frames.get_mut(frame)
            && frame.document == world.document
        {
            frame.internals = Some(known);
        }
    }
}
