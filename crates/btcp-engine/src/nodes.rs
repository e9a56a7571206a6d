//! Nodes that Chrome knows by an id of its own, handed to the page code by handle.

use std::sync::atomic::{AtomicU64, Ordering};

use btcp_cdp::{SessionId, dom, runtime};

use crate::error::Result;
use crate::page::{World, read, with_nodes};
use crate::tab::Tab;
use crate::tab_state::TabState;

/// Handles of nodes, given back when they are dropped.
pub(crate) struct Handles<'t> {
    state: &'t TabState,
    session: SessionId,
    group: String,
    /// None for a node that is gone.
    pub(crate) nodes: Vec<Option<String>>,
}

impl Drop for Handles<'_> {
    fn drop(&mut self) {
        let release = runtime::ReleaseObjectGroup { object_group: &self.group };
        self.state.connection.post(Some(&self.session), &release);
    }
}

impl Tab {
    /// Handles of nodes in a world of ours, all asked at once.
    pub(crate) async fn resolve(&self, world: &World, ids: &[i64]) -> Result<Handles<'_>> {
        let group = group();
        let session = world.session.clone();
        let mut handles = Handles { state: &self.state, session, group, nodes: Vec::new() };
        let calls: Vec<_> = ids
            .iter()
            .map(|id| {
                let command = dom::ResolveNode {
                    backend_node_id: Some(*id),
                    execution_context_id: Some(world.context),
                    object_group: Some(&handles.group),
                };
                self.send_to(&world.session, &command)
            })
            .collect();
        for call in calls {
            let resolved = self.answered(call.await)?;
            handles.nodes.push(resolved.and_then(|resolved| resolved.object.object_id));
        }
        Ok(handles)
    }

    /// Calls an op with nodes. `None` if the document is gone.
    pub(crate) async fn hand_over<Q, R>(
        &self,
        world: &World,
        op: &str,
        request: &Q,
        nodes: &[String],
    ) -> Result<Option<R>>
    where
        Q: serde::Serialize + Sync,
        R: serde::de::DeserializeOwned,
    {
        let call = with_nodes(world.context, op, request, nodes, |call| {
            self.send_to(&world.session, call)
        });
        self.answered(call.await.and_then(|evaluated| read(op, evaluated)))
    }

    /// What Chrome answered; `None` where it says that there is no such thing any more.
    pub(crate) fn answered<T>(&self, reply: Result<T, btcp_cdp::Error>) -> Result<Option<T>> {
        match reply {
            Ok(answer) => Ok(Some(answer)),
            Err(btcp_cdp::Error::Remote { .. }) => Ok(None),
            Err(error) => Err(self.explain(error)),
        }
    }
}

/// Much is asked at the same time, of one document too: each gives back only its own handles.
fn group() -> String {
    static LAST: AtomicU64 = AtomicU64::new(0);
    format!("btcp {}", LAST.fetch_add(1, Ordering::Relaxed))
}
