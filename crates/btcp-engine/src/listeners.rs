//! Who on a page listens for clicks, which no script can see.
//!
//! Asked of Chrome before a document is walked: 0.7 ms at 5,000 elements, 2 ms at 20,000, and 2 ms
//! for each 1,000 listeners. Chrome tells ids; an element is handed to the page code once, under
//! its id, and remembered there. What a listener means for the outline is decided in
//! `web/page/src/listeners.ts`.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use btcp_cdp::{dom, dom_debugger, runtime};

use crate::error::Result;
use crate::page::ops::ListenersRequest;
use crate::page::{World, with_call};
use crate::tab::Tab;
use crate::tab_state::TabState;

/// Events of a click, whatever it is made with.
const CLICKS: [&str; 6] =
    ["click", "mousedown", "mouseup", "pointerdown", "pointerup", "touchstart"];
/// Elements asked for at a time, 12 ms of Chrome's. After an action no more than these are handed
/// over; a look that somebody asked for has them all.
const FRESH: usize = 500;
/// A document with more listeners is asked only once: its answer is a megabyte. So many elements
/// are handed over before one walk; the others follow with the next that is asked for.
const MANY: usize = 10_000;

/// Longer than this is too long to ask after each action; a snapshot asks all the same.
const DEAR: Duration = Duration::from_millis(5);

/// What the page code was told of a document's listeners.
#[derive(Debug, Clone, Default)]
pub(crate) struct Listening {
    /// The world it was told in.
    world: i64,
    /// Handle of the document; none yet, or `Some(None)` where it is too large to ask.
    root: Option<Option<String>>,
    /// Whether it was asked about at all.
    asked: bool,
    /// Elements handed over.
    told: HashSet<i64>,
    /// Who listened when last asked.
    now: Vec<i64>,
    /// How long that took.
    took: Duration,
}

/// Who listens in a document now, compared with what the page code was told.
pub(crate) struct Heard {
    world: World,
    known: Listening,
    now: Vec<i64>,
    in_passing: bool,
}

impl Listening {
    /// Who of those that listen now has yet to be handed over. In passing only who is new, or what
    /// an earlier look left over would be told as the doing of an action.
    fn untold(&self, now: &[i64], in_passing: bool) -> Vec<i64> {
        let heard: HashSet<i64> =
            if in_passing { self.now.iter().copied().collect() } else { HashSet::new() };
        let untold = now.iter().filter(|id| !self.told.contains(id) && !heard.contains(id));
        untold.copied().take(if in_passing { FRESH } else { MANY }).collect()
    }
}

impl Tab {
    /// Asks who listens for clicks now. `None` if nothing has changed, or nobody can tell.
    /// In passing, only of documents where it costs next to nothing.
    pub(crate) async fn hear_listeners(
        &self,
        frame: &str,
        in_passing: bool,
    ) -> Result<Option<Heard>> {
        let Some(world) = self.world(frame).await? else { return Ok(None) };
        let mut known = {
            let facts = self.state.facts();
            let kept = facts.frames.get(frame).and_then(|frame| frame.listening.clone());
            kept.filter(|kept| kept.world == world.context)
                .unwrap_or_else(|| Listening { world: world.context, ..Default::default() })
        };
        if in_passing && known.took > DEAR {
            return Ok(None);
        }
        if known.root.is_none() {
            let handle = self.state.document_handle(frame, &world, self.deadline()).await;
            known.root = Some(self.answered(handle)?.flatten());
        }
        known.asked = true;
        // Of a document that is not asked again, what it said stays true.
        let mut now = known.now.clone();
        if let Some(Some(root)) = &known.root {
            let command = dom_debugger::GetEventListeners {
                object_id: root,
                depth: Some(-1),
                pierce: Some(true),
            };
            let asked = Instant::now();
            let told = self.send_to(&world.session, &command).await;
            let Some(told) = self.answered(told)? else { return Ok(None) };
            known.took = asked.elapsed();
            if told.listeners.len() > MANY {
                known.root = Some(None);
            }
            now = clicked(&told.listeners);
        }
        if now == known.now && (in_passing || known.untold(&now, false).is_empty()) {
            self.keep_listening(frame, &world, known);
            return Ok(None);
        }
        Ok(Some(Heard { world, known, now, in_passing }))
    }

    /// Whether nothing was asked about a frame's document yet.
    pub(crate) fn is_unheard(&self, frame: &str) -> bool {
        let facts = self.state.facts();
        let Some(frame) = facts.frames.get(frame) else { return true };
        let kept = frame.listening.as_ref().filter(|kept| Some(kept.world) == frame.world);
        kept.is_none_or(|kept| !kept.asked)
    }

    /// Tells the page code who listens, unless `handlers`, so many elements with a handler in
    /// their markup, explain it: those it sees by itself. Whether the outline may be another now.
    pub(crate) async fn tell_listeners(
        &self,
        frame: &str,
        heard: Heard,
        handlers: usize,
    ) -> Result<bool> {
        let Heard { world, mut known, now, in_passing } = heard;
        let mut news = false;
        if now.len() != handlers || !known.told.is_empty() {
            let fresh = known.untold(&now, in_passing);
            let mut handles = Vec::new();
            for some in fresh.chunks(FRESH) {
                handles.push(self.resolve(&world, some).await?);
            }
            known.told.extend(&fresh);
            let nodes = handles.iter().flat_map(|handles| &handles.nodes);
            let met = fresh.into_iter().zip(nodes);
            let (fresh, nodes): (Vec<i64>, Vec<String>) =
                met.filter_map(|(id, node)| Some((id, node.clone()?))).unzip();
            let request = ListenersRequest { ids: &now, fresh: &fresh };
            let told: Option<bool> = self.hand_over(&world, "listeners", &request, &nodes).await?;
            news = told == Some(true);
        }
        known.now = now;
        self.keep_listening(frame, &world, known);
        Ok(news)
    }

    fn keep_listening(&self, frame: &str, world: &World, known: Listening) {
        let mut facts = self.state.facts();
        if let Some(frame) = facts.frames.get_mut(frame)
            && frame.document == world.document
        {
            frame.listening = Some(known);
        }
    }
}

impl TabState {
    /// Takes hold of a document while it loads, so that the first look need not.
    pub(crate) async fn prepare_to_hear(&self, frame: &str, world: &World) {
        let soon = tokio::time::Instant::now() + crate::browser::PROMPTLY;
        let Ok(handle) = self.document_handle(frame, world, soon).await else { return };
        let mut facts = self.facts();
        let frame = facts.frames.get_mut(frame).filter(|frame| frame.document == world.document);
        if let Some(frame) = frame {
            let kept = frame.listening.take().filter(|kept| kept.world == world.context);
            let new = Listening { world: world.context, root: Some(handle), ..Default::default() };
            frame.listening = Some(kept.unwrap_or(new));
        }
    }

    /// A handle of a document, unless it is too large to ask about.
    ///
    /// In the page's own world: asked through a handle of ours, Chrome 156 crashes the page at some
    /// later garbage collection, with listeners that are functions of another world.
    async fn document_handle(
        &self,
        frame: &str,
        world: &World,
        deadline: tokio::time::Instant,
    ) -> Result<Option<String>, btcp_cdp::Error> {
        let session = Some(&world.session);
        if self.leads_its_session(frame) {
            // One trip: `document` cannot be made to mean anything else.
            let command = runtime::Evaluate {
                expression: "document",
                silent: Some(true),
                ..Default::default()
            };
            let evaluated = self.connection.call(session, &command, deadline).await?;
            return Ok(evaluated.result.object_id);
        }
        let called = with_call(world.context, "root", &(), false, |call| {
            self.connection.call(session, call, deadline)
        });
        let Some(ours) = called.await?.result.object_id else { return Ok(None) };
        let node = dom::DescribeNode { node: dom::NodeName::object(&ours), ..Default::default() };
        let described = self.connection.call(session, &node, deadline).await;
        self.connection.post(session, &runtime::ReleaseObject { object_id: &ours });
        let command = dom::ResolveNode {
            backend_node_id: Some(described?.node.backend_node_id),
            ..Default::default()
        };
        let resolved = self.connection.call(session, &command, deadline).await?;
        Ok(resolved.object.object_id)
    }

    /// Whether a frame is the outermost of its process, whose world is a session's own.
    pub(crate) fn leads_its_session(&self, id: &str) -> bool {
        let facts = self.facts();
        let Some(frame) = facts.frames.get(id) else { return false };
        let parent = frame.parent.as_ref().and_then(|parent| facts.frames.get(parent));
        parent.is_none_or(|parent| parent.session != frame.session)
    }
}

/// The elements with a listener for clicks, each once, in document order.
fn clicked(listeners: &[dom_debugger::EventListener]) -> Vec<i64> {
    let mut seen = HashSet::new();
    listeners
        .iter()
        .filter(|listener| CLICKS.contains(&listener.kind.as_str()))
        .filter_map(|listener| listener.backend_node_id)
        .filter(|id| seen.insert(*id))
        .collect()
}
