//! Closed shadow roots, which no script can see.
//!
//! The walk of the page code notices elements that may hide one. Chrome is asked about those,
//! all in one command, and the roots that come out are handed to the page code, to which they
//! are then like open ones; the document is walked again. A page without such elements costs
//! nothing more, one with false suspects a command the first time. The same command tells which
//! custom elements to ask about (`internals.rs`). Whether elements that look like any other are
//! worth asking about is `slots.rs`.

use btcp_cdp::{Call, dom, runtime};
use serde_json::Value;

use crate::error::Result;
use crate::internals::Told;
use crate::listeners::Heard;
use crate::page::ops::{SnapshotReply, SnapshotRequest, SuspectsRequest};
use crate::page::{Answer, World, build_call};
use crate::slots;
use crate::tab::Tab;

/// Closed roots in closed roots are followed so far.
const NESTED: u32 = 8;

/// Chrome's ids of what the page code wants to know more about.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Suspects {
    /// Closed roots.
    roots: Vec<i64>,
    /// Custom elements.
    pub(crate) strangers: Vec<i64>,
}

impl Tab {
    /// The outline of one document, with what its scripts alone cannot tell.
    pub(crate) async fn outline(
        &self,
        frame: &str,
        request: &SnapshotRequest<'_>,
    ) -> Result<Answer<SnapshotReply>> {
        // Sent in one go, and Chrome does one after the other: most pages listen where it can be
        // seen anyway, and have no closed roots, so that the walk need not wait to know. It comes
        // first, and its long answer is read while Chrome is busy with the rest.
        let first = SnapshotRequest { met: self.take_met(frame), ..request.clone() };
        let walk = self.op_once(frame, "snapshot", &first, None);
        let heard = self.hear_listeners(frame, request.in_passing);
        let is_new = self.is_unheard(frame);
        let suspects = async {
            if is_new { self.suspects_of(frame, self.unhinted(frame)).await } else { Ok(None) }
        };
        let again = self.ask_again(frame, request.in_passing);
        let counting =
            async { if is_new { self.begin_to_count_slots(frame).await } else { Ok(None) } };
        let (answer, heard, suspects, again, counting) =
            tokio::join!(walk, heard, suspects, again, counting);
        let (mut answer, suspects, mut counting) = (answer?, suspects?, counting?);
        let Answer::Is(SnapshotReply::Outline { handlers, .. }, document) = &answer else {
            return Ok(answer);
        };
        let learned = suspects.filter(|learned| learned.world.document == *document);
        let mut asked = learned.is_some();
        if self.tell_all(frame, (heard?, *handlers), again?, learned).await? {
            answer = self.op_once(frame, "snapshot", request, None).await?;
            asked = false;
        }
        for _ in 0..NESTED {
            let Answer::Is(reply, document) = &answer else { break };
            let Some(others) = self.whom_to_ask(frame, *document, reply, asked, counting).await?
            else {
                break;
            };
            if !self.learn_suspects(frame, *document, others).await? {
                break;
            }
            answer = self.op_once(frame, "snapshot", request, None).await?;
            (asked, counting) = (false, None);
        }
        Ok(answer)
    }

    /// Tells the page code what Chrome said; whether the outline may be another for it.
    async fn tell_all(
        &self,
        frame: &str,
        (heard, handlers): (Option<Heard>, usize),
        again: Option<(World, Told)>,
        learned: Option<Learned>,
    ) -> Result<bool> {
        let (listeners, internals, suspects) = tokio::try_join!(
            async {
                match heard {
                    Some(heard) => self.tell_listeners(frame, heard, handlers).await,
                    None => Ok(false),
                }
            },
            async {
                match again {
                    Some((world, told)) => self.tell_internals(frame, &world, told).await,
                    None => Ok(false),
                }
            },
            async {
                match learned {
                    Some(learned) => self.tell_suspects(frame, learned).await,
                    None => Ok(false),
                }
            },
        )?;
        Ok(listeners || internals || suspects)
    }

    /// After a look, whether to ask about suspects, and then how many others along with them. `asked`:
    /// the suspects themselves were.
    async fn whom_to_ask(
        &self,
        frame: &str,
        document: u64,
        reply: &SnapshotReply,
        asked: bool,
        counting: Option<Call<dom::SearchPerformed>>,
    ) -> Result<Option<usize>> {
        let SnapshotReply::Outline { suspects, others, slots, .. } = reply else {
            return Ok(None);
        };
        let unhinted = self.unhinted(frame);
        if unhinted > 0 {
            let worthwhile = *suspects > 0 || (1..=unhinted).contains(others);
            return Ok((worthwhile && !asked).then_some(unhinted));
        }
        if (1..=slots::MANY).contains(others) {
            if self.hides_slots(frame, counting, *slots).await? {
                return Ok(Some(slots::MANY));
            }
            self.keep_met(frame, document);
        }
        Ok((*suspects > 0 && !asked).then_some(0))
    }

    /// How many elements without a hint to ask about before their slots are counted.
    fn unhinted(&self, frame: &str) -> usize {
        if self.state.leads_its_session(frame) { 0 } else { slots::FEW }
    }

    /// Asks Chrome about the suspects; whether something was found.
    async fn learn_suspects(&self, frame: &str, document: u64, others: usize) -> Result<bool> {
        let learned = self.suspects_of(frame, others).await?;
        match learned.filter(|learned| learned.world.document == document) {
            Some(learned) => self.tell_suspects(frame, learned).await,
            None => Ok(false),
        }
    }

    /// What Chrome says of the suspects in whatever document a frame has.
    async fn suspects_of(&self, frame: &str, others: usize) -> Result<Option<Learned>> {
        let Some(world) = self.world(frame).await? else { return Ok(None) };
        let Suspects { roots, strangers } = self.suspects(&world, false, others).await?;
        let told = self.ask_internals(&world, strangers, true).await?;
        Ok(Some(Learned { world, roots, told }))
    }

    async fn tell_suspects(&self, frame: &str, learned: Learned) -> Result<bool> {
        let Learned { world, roots, told } = learned;
        let roots = self.tell_closed_roots(&world, &roots).await?;
        Ok(self.tell_internals(frame, &world, told).await? || roots)
    }

    /// Hands roots to the page code; whether one is new to it.
    async fn tell_closed_roots(&self, world: &World, roots: &[i64]) -> Result<bool> {
        if roots.is_empty() {
            return Ok(false);
        }
        let handles = self.resolve(world, roots).await?;
        let nodes: Vec<String> = handles.nodes.iter().flatten().cloned().collect();
        let news: Option<usize> = self.hand_over(world, "rememberRoots", &(), &nodes).await?;
        Ok(news.is_some_and(|news| news > 0))
    }

    /// What the page code wants to know more about; `search` in a document nobody has looked at.
    pub(crate) async fn suspects(
        &self,
        world: &World,
        search: bool,
        others: usize,
    ) -> Result<Suspects> {
        // The list itself is held by a handle, and with it the elements: until it is given back.
        let group = format!("btcp suspects {}", world.context);
        let call = runtime::CallFunctionOn {
            serialization_options: Some(NODES),
            object_group: Some(&group),
            ..Default::default()
        };
        let request = SuspectsRequest { search, others };
        let call = build_call(world.context, "suspects", &request, &[], call, |call| {
            self.send_to(&world.session, call)
        });
        let release = runtime::ReleaseObjectGroup { object_group: &group };
        self.state.connection.post(Some(&world.session), &release);
        let told = self.answered(call.await)?;
        let told = told.and_then(|told| told.result.deep_serialized_value?.value);
        Ok(told.as_ref().map(read_suspects).unwrap_or_default())
    }
}

/// What was learned of a document.
struct Learned {
    world: World,
    roots: Vec<i64>,
    told: Told,
}

/// A list of nodes, each told without its content but with its shadow root, closed ones too.
const NODES: runtime::SerializationOptions = runtime::SerializationOptions {
    serialization: runtime::Serialization::Deep,
    max_depth: Some(1),
    additional_parameters: Some(runtime::NodeSerialization { max_node_depth: 0 }),
};

/// What the page code asks of an element, as bits.
const ROOT: i64 = 1;
const INTERNALS: i64 = 2;

/// Reads deeply serialized nodes, each followed by what to ask of it.
fn read_suspects(told: &Value) -> Suspects {
    let id = |node: &Value| node.get("backendNodeId").and_then(Value::as_i64);
    let mut suspects = Suspects::default();
    for pair in told.as_array().map(Vec::as_slice).unwrap_or_default().chunks_exact(2) {
        let (Some(node), Some(asked)) = (pair[0].get("value"), pair[1].get("value")) else {
            continue;
        };
        let asked = asked.as_i64().unwrap_or_default();
        if asked & ROOT != 0
            && let Some(root) = node.pointer("/shadowRoot/value")
            && root.get("mode").and_then(Value::as_str) == Some("closed")
        {
            suspects.roots.extend(id(root));
        }
        if asked & INTERNALS != 0 {
            suspects.strangers.extend(id(node));
        }
    }
    suspects
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn of_each_suspect_is_taken_what_was_asked() {
        let node = |id: i64, root: Value| json!({ "type": "node", "value": { "backendNodeId": id, "shadowRoot": root } });
        let root = |mode: &str, id: i64| json!({ "type": "node", "value": { "mode": mode, "backendNodeId": id } });
        let ask = |what: i64| json!({ "type": "number", "value": what });
        let told = json!([
            node(1, json!(null)),
            ask(ROOT),
            node(2, root("open", 12)),
            ask(ROOT | INTERNALS),
            node(3, root("closed", 13)),
            ask(ROOT | INTERNALS),
            node(4, root("closed", 14)),
            ask(INTERNALS),
        ]);
        let suspects = Suspects { roots: vec![13], strangers: vec![2, 3, 4] };
        assert_eq!(read_suspects(&told), suspects);
        assert_eq!(read_suspects(&json!(null)), Suspects::default());
    }
}
