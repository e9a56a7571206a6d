//! Closed shadow roots, which no script can see.
//!
//! The walk of the page code notices elements that may hide one. Chrome is asked about those,
//! all in one command, and the roots that come out are handed to the page code, to which they
//! are then like open ones; the document is walked again. A page without such elements costs
//! nothing more, one with false suspects a command the first time.

use btcp_cdp::runtime;
use serde_json::Value;

use crate::error::Result;
use crate::page::ops::{SnapshotReply, SnapshotRequest};
use crate::page::{Answer, World, build_call};
use crate::tab::Tab;

/// Closed roots in closed roots are followed so far.
const NESTED: u32 = 8;

impl Tab {
    /// The outline of one document, with what its scripts alone cannot tell.
    pub(crate) async fn outline(
        &self,
        frame: &str,
        request: &SnapshotRequest<'_>,
    ) -> Result<Answer<SnapshotReply>> {
        // Sent in one go, and Chrome does one after the other: most pages listen where it can be
        // seen anyway, and have no closed roots, so that the walk need not wait to know.
        let heard = self.hear_listeners(frame, request.in_passing);
        let walk = self.op_once(frame, "snapshot", request, None);
        let is_new = self.is_unheard(frame);
        let suspects = async { if is_new { self.suspects_of(frame).await } else { Ok(None) } };
        let (heard, answer, suspects) = tokio::join!(heard, walk, suspects);
        let (mut answer, suspects) = (answer?, suspects?);
        let Answer::Is(SnapshotReply::Outline { handlers, .. }, document) = &answer else {
            return Ok(answer);
        };
        let mut news = false;
        if let Some(heard) = heard? {
            news |= self.tell_listeners(frame, heard, *handlers).await?;
        }
        let mut asked = false;
        if let Some((world, roots)) = suspects.filter(|(world, _)| world.document == *document) {
            asked = true;
            news |= self.tell_closed_roots(&world, &roots).await?;
        }
        if news {
            answer = self.op_once(frame, "snapshot", request, None).await?;
            asked = false;
        }
        for _ in 0..NESTED {
            let Answer::Is(SnapshotReply::Outline { suspects, .. }, document) = &answer else {
                break;
            };
            if asked || *suspects == 0 || !self.learn_closed_roots(frame, *document).await? {
                break;
            }
            answer = self.op_once(frame, "snapshot", request, None).await?;
        }
        Ok(answer)
    }

    /// Asks Chrome about the suspects; whether a root was found.
    async fn learn_closed_roots(&self, frame: &str, document: u64) -> Result<bool> {
        let world = self.world(frame).await?.filter(|world| world.document == document);
        let Some(world) = world else { return Ok(false) };
        let roots = self.closed_roots_of_suspects(&world).await?;
        self.tell_closed_roots(&world, &roots).await
    }

    /// The closed roots of the suspects in whatever document a frame has.
    async fn suspects_of(&self, frame: &str) -> Result<Option<(World, Vec<i64>)>> {
        let Some(world) = self.world(frame).await? else { return Ok(None) };
        let roots = self.closed_roots_of_suspects(&world).await?;
        Ok(Some((world, roots)))
    }

    /// Hands roots to the page code; whether one is new to it.
    async fn tell_closed_roots(&self, world: &World, roots: &[i64]) -> Result<bool> {
        if roots.is_empty() {
            return Ok(false);
        }
        let handles: Vec<String> =
            self.resolve(world, roots).await?.into_iter().flatten().collect();
        let news: Option<usize> = self.hand_over(world, "rememberRoots", &(), &handles).await?;
        Ok(news.is_some_and(|news| news > 0))
    }

    async fn closed_roots_of_suspects(&self, world: &World) -> Result<Vec<i64>> {
        // The list itself is held by a handle, and with it the elements: until it is given back.
        let group = format!("btcp suspects {}", world.context);
        let call = runtime::CallFunctionOn {
            serialization_options: Some(NODES),
            object_group: Some(&group),
            ..Default::default()
        };
        let call = build_call(world.context, "suspects", &(), &[], call, |call| {
            self.send_to(&world.session, call)
        });
        let release = runtime::ReleaseObjectGroup { object_group: &group };
        self.state.connection.post(Some(&world.session), &release);
        let told = self.answered(call.await)?;
        let told = told.and_then(|told| told.result.deep_serialized_value?.value);
        Ok(told.as_ref().map(closed_roots).unwrap_or_default())
    }
}

/// A list of nodes, each told without its content but with its shadow root, closed ones too.
const NODES: runtime::SerializationOptions = runtime::SerializationOptions {
    serialization: runtime::Serialization::Deep,
    max_depth: Some(1),
    additional_parameters: Some(runtime::NodeSerialization { max_node_depth: 0 }),
};

/// Chrome's ids of the closed roots in a list of deeply serialized nodes.
fn closed_roots(nodes: &Value) -> Vec<i64> {
    let of = |node: &Value| {
        let root = node.pointer("/value/shadowRoot/value")?;
        let closed = root.get("mode").and_then(Value::as_str) == Some("closed");
        closed.then(|| root.get("backendNodeId").and_then(Value::as_i64)).flatten()
    };
    nodes.as_array().map(|nodes| nodes.iter().filter_map(of).collect()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn only_closed_roots_are_taken() {
        let node = |root: Value| json!({ "type": "node", "value": { "shadowRoot": root } });
        let root = |mode: &str, id: i64| json!({ "type": "node", "value": { "mode": mode, "backendNodeId": id } });
        let nodes = json!([node(json!(null)), node(root("open", 3)), node(root("closed", 4))]);
        assert_eq!(closed_roots(&nodes), [4]);
        assert!(closed_roots(&json!(null)).is_empty());
    }
}
