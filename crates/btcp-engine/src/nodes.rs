//! Nodes that Chrome knows by an id of its own, handed to the page code by handle.

use btcp_cdp::{dom, runtime};

use crate::error::Result;
use crate::page::{World, read, with_nodes};
use crate::tab::Tab;

impl Tab {
    /// Handles of nodes in a world of ours, all asked at once; none for a node that is gone.
    pub(crate) async fn resolve(&self, world: &World, ids: &[i64]) -> Result<Vec<Option<String>>> {
        let group = group(world);
        let calls: Vec<_> = ids
            .iter()
            .map(|id| {
                let command = dom::ResolveNode {
                    backend_node_id: Some(*id),
                    execution_context_id: Some(world.context),
                    object_group: Some(&group),
                };
                self.send_to(&world.session, &command)
            })
            .collect();
        let mut handles = Vec::with_capacity(calls.len());
        for call in calls {
            let resolved = self.answered(call.await)?;
            handles.push(resolved.and_then(|resolved| resolved.object.object_id));
        }
        Ok(handles)
    }

    /// Calls an op with nodes and gives their handles back. `None` if the document is gone.
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
        let answered = call.await;
        let release = runtime::ReleaseObjectGroup { object_group: &group(world) };
        self.state.connection.post(Some(&world.session), &release);
        self.answered(answered.and_then(|evaluated| read(op, evaluated)))
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

/// Frames of one process are asked at the same time; each gives back only its own handles.
fn group(world: &World) -> String {
    format!("btcp {}", world.context)
}
