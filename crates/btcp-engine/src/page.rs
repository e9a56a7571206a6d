//! Our JavaScript in a frame: making its world, calling its ops.
//!
//! `page.js` runs in an isolated world of each document. Chrome puts it there with every document
//! that comes, and keeps its bytecode for the next; where it did not, it is sent. A call goes
//! out in one message; if the document was replaced meanwhile, it is made again on the new
//! one, so callers see a page, not documents. The messages are in `page/ops.rs`.

pub mod ops;
mod scripts;

use std::sync::Arc;
use std::time::Duration;

use btcp_cdp::{Connection, SessionId, dom, page, runtime};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::value::to_raw_value;
use tokio::time::Instant;

pub(crate) use self::scripts::with_every_document;
use crate::error::{Error, Result};
use crate::tab::Tab;
use crate::tab_state::TabState;

const CALL: &str = "function(op, request, ...nodes) { return btcp.call(op, request, nodes) }";
const WORLD: &str = "btcp";

/// How long after the page's own limit we still wait for its answer.
const MARGIN: Duration = Duration::from_secs(2);

/// An element: in which document of which frame, and the page code's number for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) frame: String,
    pub(crate) document: u64,
    pub(crate) id: u32,
}

/// Our world in one document.
#[derive(Debug, Clone)]
pub(crate) struct World {
    pub(crate) session: SessionId,
    pub(crate) context: i64,
    pub(crate) document: u64,
}

/// What calling an op can come to.
pub(crate) enum Answer<T> {
    /// The op's answer, and the document it is about.
    Is(T, u64),
    /// The document is gone; there may be a new one.
    Navigated,
}

/// Ends a wait in the page when nobody waits for it any more.
struct Cancel<'a> {
    connection: &'a Connection,
    world: World,
    token: Option<u32>,
}

impl Drop for Cancel<'_> {
    fn drop(&mut self) {
        if let Some(token) = self.token {
            let request = serde_json::json!({ "token": token });
            with_call(self.world.context, "cancel", &request, true, |call| {
                self.connection.post(Some(&self.world.session), call);
            });
        }
    }
}

impl Tab {
    /// Calls an op in a frame, on whatever document it has, until the deadline.
    pub(crate) async fn op<Q, R>(&mut self, frame: &str, op: &str, request: &Q) -> Result<(R, u64)>
    where
        Q: Serialize + Sync,
        R: DeserializeOwned,
    {
        loop {
            match self.op_once(frame, op, request, None).await? {
                Answer::Is(answer, document) => return Ok((answer, document)),
                Answer::Navigated => self.new_document(frame).await?,
            }
        }
    }

    /// After `Answer::Navigated`: waits a moment for the frame's next document.
    pub(crate) async fn new_document(&self, frame: &str) -> Result<()> {
        if Instant::now() >= self.deadline() {
            return Err(self.too_late("the page to stop navigating"));
        }
        let seen = {
            let facts = self.state.facts();
            if facts.closed {
                drop(facts);
                return Err(self.gone());
            }
            match facts.frames.get(frame) {
                Some(frame) => frame.document,
                None => return Err(Error::internal("the frame is gone")),
            }
        };
        // Chrome says so by an event; the short limit is for worlds that vanish without one.
        let soon = self.deadline().min(Instant::now() + Duration::from_millis(20));
        let changed = |facts: &crate::tab_state::Facts| {
            facts.frames.get(frame).is_none_or(|frame| frame.document != seen).then_some(())
        };
        self.state.until(soon, changed).await;
        Ok(())
    }

    /// Calls an op on the document a frame has now. A `token` names a wait that is ended if the
    /// caller leaves.
    pub(crate) async fn op_once<Q, R>(
        &self,
        frame: &str,
        op: &str,
        request: &Q,
        token: Option<u32>,
    ) -> Result<Answer<R>>
    where
        Q: Serialize + Sync,
        R: DeserializeOwned,
    {
        let Some(world) = self.world(frame).await? else { return Ok(Answer::Navigated) };
        let document = world.document;
        match self.call_in(&world, op, request, token).await {
            Ok(answer) => Ok(Answer::Is(answer, document)),
            Err(error) if is_navigation(&error) => {
                self.forget_world(frame, &world);
                Ok(Answer::Navigated)
            }
            Err(error) => Err(self.explain(error)),
        }
    }

    /// Calls an op in one document, and only there.
    pub(crate) async fn op_at<Q, R>(
        &self,
        place: &Place,
        op: &str,
        request: &Q,
    ) -> Result<Answer<R>>
    where
        Q: Serialize + Sync,
        R: DeserializeOwned,
    {
        match self.world(&place.frame).await? {
            Some(world) if world.document == place.document => {
                match self.call_in(&world, op, request, None).await {
                    Ok(answer) => Ok(Answer::Is(answer, world.document)),
                    Err(error) if is_navigation(&error) => Ok(Answer::Navigated),
                    Err(error) => Err(self.explain(error)),
                }
            }
            _ => Ok(Answer::Navigated),
        }
    }

    async fn call_in<Q, R>(
        &self,
        world: &World,
        op: &str,
        request: &Q,
        token: Option<u32>,
    ) -> Result<R, btcp_cdp::Error>
    where
        Q: Serialize + Sync,
        R: DeserializeOwned,
    {
        let mut cancel = Cancel { connection: &self.state.connection, world: world.clone(), token };
        let call = runtime::CallFunctionOn {
            return_by_value: Some(true),
            await_promise: Some(true),
            user_gesture: (op == ops::FILL).then_some(true),
            ..Default::default()
        };
        let call = build_call(world.context, op, request, &[], call, |call| {
            self.state.call(&world.session, call, self.deadline() + MARGIN)
        });
        let answered = call.await;
        cancel.token = None;
        read(op, answered?)
    }

    /// Our world in a frame's document: the one there is, or a new one with the page code in it.
    pub(crate) async fn world(&self, id: &str) -> Result<Option<World>> {
        let soon = self.deadline().min(Instant::now() + Duration::from_secs(1));
        let made = |facts: &crate::tab_state::Facts| {
            facts.frames.get(id).is_none_or(|frame| !frame.preparing).then_some(())
        };
        self.state.until(soon, made).await;
        let (session, document, known) = {
            let facts = self.state.facts();
            let Some(frame) = facts.frames.get(id) else { return Ok(None) };
            (frame.session.clone(), frame.document, frame.world)
        };
        if let Some(context) = known {
            return Ok(Some(World { session, context, document }));
        }
        let made = self.send_to(&session, &create_world(id));
        match made.await {
            Ok(made) => {
                Ok(self.state.keep_world(id, &session, document, made.execution_context_id))
            }
            Err(error) if is_navigation(&error) => Ok(None),
            Err(error) => Err(self.explain(error)),
        }
    }

    /// Chrome says this world is gone; events may be a moment behind.
    fn forget_world(&self, id: &str, world: &World) {
        let mut facts = self.state.facts();
        if let Some(frame) = facts.frames.get_mut(id)
            && frame.document == world.document
        {
            frame.world = None;
            frame.coded = false;
        }
    }

    /// The frame inside an `<iframe>`, by the page code's number of that element.
    pub(crate) async fn child_frame(
        &self,
        parent: &str,
        document: u64,
        owner: u32,
    ) -> Result<Option<String>> {
        {
            let facts = self.state.facts();
            let Some(frame) = facts.frames.get(parent) else { return Ok(None) };
            if frame.document != document {
                return Ok(None);
            }
            if let Some(child) = facts.frames.child(frame, owner) {
                return Ok(Some(child.id.clone()));
            }
        }
        let Some(object) =
            self.handle(&Place { frame: parent.into(), document, id: owner }).await?
        else {
            return Ok(None);
        };
        let Some(world) = self.world(parent).await? else { return Ok(None) };
        let described = self.send_to(
            &world.session,
            &dom::DescribeNode { node: dom::NodeName::object(&object), ..Default::default() },
        );
        let described = described.await;
        self.state
            .connection
            .post(Some(&world.session), &runtime::ReleaseObject { object_id: &object });
        let Some(child) = described.ok().and_then(|described| described.node.frame_id) else {
            return Ok(None);
        };
        let mut facts = self.state.facts();
        if facts.frames.get(&child).is_none() {
            facts.frames.attach(&child, Some(parent), world.session);
        }
        if let Some(frame) = facts.frames.get_mut(&child) {
            frame.owner = Some((document, owner));
        }
        Ok(Some(child))
    }

    /// The page code's number of the `<iframe>` a frame is in, asked of Chrome.
    pub(crate) async fn find_owner(
        &self,
        frame: &str,
        parent: &str,
        document: u64,
    ) -> Result<Option<u32>> {
        let Some(world) = self.world(parent).await? else { return Ok(None) };
        if world.document != document {
            return Ok(None);
        }
        let owner = self.send_to(&world.session, &dom::GetFrameOwner { frame_id: frame }).await;
        let Ok(owner) = owner else { return Ok(None) };
        let mut handles = self.resolve(&world, &[owner.backend_node_id]).await?;
        let Some(object) = handles.nodes.pop().flatten() else { return Ok(None) };
        let call = with_nodes(world.context, "identify", &(), &[object], |call| {
            self.send_to(&world.session, call)
        });
        let id: Option<u32> =
            call.await.ok().and_then(|evaluated| read("identify", evaluated).ok());
        if let (Some(id), Some(frame)) = (id, self.state.facts().frames.get_mut(frame)) {
            frame.owner = Some((document, id));
        }
        Ok(id)
    }

    /// A handle of an element for commands that take one; the caller releases it.
    pub(crate) async fn handle(&self, place: &Place) -> Result<Option<String>> {
        let Some(world) = self.world(&place.frame).await? else { return Ok(None) };
        if world.document != place.document {
            return Ok(None);
        }
        let request = ops::ElementRequest { id: place.id };
        let call = with_call(world.context, "element", &request, false, |call| {
            self.send_to(&world.session, call)
        });
        match call.await {
            Ok(evaluated) => Ok(evaluated.result.object_id),
            Err(error) if is_navigation(&error) => Ok(None),
            Err(error) => Err(self.explain(error)),
        }
    }

    /// Title, address and status of the main document.
    pub(crate) async fn head(&mut self) -> Result<ops::Head> {
        let main = self.main_frame();
        let (head, _) = self.op::<_, ops::Head>(&main, "head", &serde_json::json!({})).await?;
        self.state.facts().title.clone_from(&head.title);
        Ok(head)
    }

    pub(crate) fn main_frame(&self) -> String {
        self.state.facts().frames.main.clone()
    }

    /// The deadline came.
    pub(crate) fn too_late(&self, waiting_for: &str) -> Error {
        Error::Timeout { after: self.context.timeout, waiting_for: waiting_for.to_owned() }
    }
}

impl TabState {
    /// Makes our world in a frame's new document while it is still loading, so that the first op
    /// finds it there.
    pub(crate) fn prepare_world(self: &Arc<Self>, id: &str) {
        let (id, session, document) = {
            let mut facts = self.facts();
            let Some(frame) = facts.frames.get_mut(id) else { return };
            frame.preparing = true;
            (frame.id.clone(), frame.session.clone(), frame.document)
        };
        let soon = Instant::now() + crate::browser::PROMPTLY;
        let made = self.connection.call(Some(&session), &create_world(&id), soon);
        let tab = self.clone();
        tokio::spawn(async move {
            let world = match made.await {
                Ok(made) => tab.keep_world(&id, &session, document, made.execution_context_id),
                Err(_) => None,
            };
            tab.update(|facts| {
                let frame = facts.frames.get_mut(&id).filter(|frame| frame.document == document);
                if let Some(frame) = frame {
                    frame.preparing = false;
                }
            });
            if let Some(world) = world {
                tab.prepare_to_hear(&id, &world).await;
            }
        });
    }

    /// Remembers a new world, if its document is still there, and sends the page code if that did
    /// not come with it.
    fn keep_world(
        &self,
        id: &str,
        session: &SessionId,
        document: u64,
        context: i64,
    ) -> Option<World> {
        let mut facts = self.facts();
        let frame = facts.frames.get_mut(id).filter(|frame| frame.document == document)?;
        frame.world = Some(context);
        if !std::mem::replace(&mut frame.coded, true) {
            // Sent, not awaited: the op's own call is behind it in the same pipe.
            let context_id = Some(context);
            for script in with_every_document(self.shared.desktop) {
                if script.world_name.is_some() {
                    let expression = script.source;
                    let code = runtime::Evaluate { expression, context_id, ..Default::default() };
                    self.connection.post(Some(session), &code);
                }
            }
        }
        Some(World { session: session.clone(), context, document })
    }
}

fn create_world(frame: &str) -> page::CreateIsolatedWorld<'_> {
    page::CreateIsolatedWorld {
        frame_id: frame,
        world_name: Some(WORLD),
        grant_universal_access: None,
    }
}

/// Builds the command that calls an op and hands it over while its parts live.
pub(crate) fn with_call<Q: Serialize, T>(
    context: i64,
    op: &str,
    request: &Q,
    by_value: bool,
    send: impl FnOnce(&runtime::CallFunctionOn<'_>) -> T,
) -> T {
    let call = runtime::CallFunctionOn {
        return_by_value: Some(by_value),
        await_promise: Some(true),
        ..Default::default()
    };
    build_call(context, op, request, &[], call, send)
}

/// The same with nodes the page code is handed besides its request.
pub(crate) fn with_nodes<Q: Serialize, T>(
    context: i64,
    op: &str,
    request: &Q,
    nodes: &[String],
    send: impl FnOnce(&runtime::CallFunctionOn<'_>) -> T,
) -> T {
    let call = runtime::CallFunctionOn { return_by_value: Some(true), ..Default::default() };
    build_call(context, op, request, nodes, call, send)
}

pub(crate) fn build_call<Q: Serialize, T>(
    context: i64,
    op: &str,
    request: &Q,
    nodes: &[String],
    call: runtime::CallFunctionOn<'_>,
    send: impl FnOnce(&runtime::CallFunctionOn<'_>) -> T,
) -> T {
    // Requests are plain structs of ours: they always serialize.
    let op = to_raw_value(op).expect("a string is JSON");
    let request = to_raw_value(request).expect("a request has only JSON fields");
    let mut arguments = vec![
        runtime::Argument { value: Some(&op), ..Default::default() },
        runtime::Argument { value: Some(&request), ..Default::default() },
    ];
    arguments.extend(
        nodes.iter().map(|node| runtime::Argument { object_id: Some(node), ..Default::default() }),
    );
    send(&runtime::CallFunctionOn {
        function_declaration: CALL,
        execution_context_id: Some(context),
        arguments: Some(&arguments),
        ..call
    })
}

pub(crate) fn read<R: DeserializeOwned>(
    op: &str,
    evaluated: runtime::Evaluated,
) -> Result<R, btcp_cdp::Error> {
    let bad = |reason: String| btcp_cdp::Error::BadReply {
        method: "page.js",
        reason: format!("{op}: {reason}").into(),
    };
    if let Some(details) = evaluated.exception_details {
        let said = details.exception.and_then(|e| e.description).unwrap_or(details.text);
        // A world whose document is being torn down loses its globals before it is gone.
        if said.contains("btcp is not defined") || said.contains("btcp.call is not a function") {
            return Err(gone());
        }
        return Err(bad(said));
    }
    let raw = evaluated.result.value.as_ref().map_or("null", |value| value.get());
    // Large answers come as one string of JSON, which Chrome passes on much faster.
    let parsed = if raw.starts_with('"') {
        serde_json::from_str::<String>(raw).and_then(|text| serde_json::from_str(&text))
    } else {
        serde_json::from_str(raw)
    };
    parsed.map_err(|error| bad(error.to_string()))
}

fn gone() -> btcp_cdp::Error {
    btcp_cdp::Error::Remote { method: "page.js", code: 0, message: "Cannot find context".into() }
}

/// Whether an error only means that the document was replaced.
pub(crate) fn is_navigation(error: &btcp_cdp::Error) -> bool {
    match error {
        btcp_cdp::Error::Remote { message, .. } => [
            "Cannot find context",
            "Execution context was destroyed",
            "Inspected target navigated",
            "Promise was collected",
            "No frame for given id found",
            "No frame with given id found",
            "Cannot find default execution context",
        ]
        .iter()
        .any(|known| message.contains(known)),
        // A frame that moved to another process; the tab's own session ending is told apart by
        // `Tab::explain`, which the next try runs into.
        btcp_cdp::Error::SessionGone { reason, .. } => reason.contains("frame is gone"),
        _ => false,
    }
}
