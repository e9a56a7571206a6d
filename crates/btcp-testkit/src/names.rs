//! Every element of a page as we name it, beside what Chrome's accessibility tree says of it.
//!
//! A Chrome of its own is asked over CDP: our page code by its `describe` op, Chrome by
//! `Accessibility.getPartialAXTree`. Which differences are none is for the test to say.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use btcp_cdp::page::{CreateIsolatedWorld, Enable, GetFrameTree, LoadEventFired, Navigate};
use btcp_cdp::{
    Command, Connection, Event, EventHandler, SessionId, accessibility, dom, runtime, target,
};
use btcp_engine::page::ops::{InternalsReply, InternalsRequest};
use btcp_engine::{Settings, launch};
use serde::Deserialize;
use serde_json::value::to_raw_value;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::Instant;

use crate::page::needs_chrome;
use crate::server::server;

const PAGE_CODE: &str = include_str!("../../btcp-engine/src/page/page.js");
const CALL: &str = "function (op, request, ...nodes) { return btcp.call(op, request, nodes) }";

/// An element under both views.
#[derive(Debug, Clone)]
pub struct Named {
    /// Where it is: the nearest id, then names and numbers among like siblings.
    pub place: String,
    /// Our role and name.
    pub ours: (String, String),
    /// What Chrome says.
    pub chrome: ByChrome,
}

/// A node of Chrome's accessibility tree.
#[derive(Debug, Clone, Default)]
pub struct ByChrome {
    /// Why it is not in the tree, such as `notRendered`; none if it is.
    pub ignored: Option<Vec<String>>,
    /// Chrome's word for the role.
    pub role: String,
    /// The name.
    pub name: String,
}

/// Every element in the bodies of pages of `testpages/`, those in open shadow roots too.
pub async fn names_on(paths: Vec<String>) -> Vec<(String, Vec<Named>)> {
    needs_chrome();
    let (sender, loaded) = watch::channel(HashSet::new());
    let installed = launch::find(&Settings::default()).expect("there is a Chrome");
    let loads = Arc::new(Loads(sender));
    let chrome = launch::start(&installed, &Settings::default(), loads).await;
    let chrome = chrome.expect("Chrome starts");
    let mut running = JoinSet::new();
    for path in paths {
        let (connection, loaded) = (chrome.connection.clone(), loaded.clone());
        running.spawn(async move {
            let page = Line::open(connection, &server().url(&path), loaded).await;
            (path, page.names().await)
        });
    }
    running.join_all().await
}

/// Notes which sessions have loaded their page.
struct Loads(watch::Sender<HashSet<String>>);

impl EventHandler for Loads {
    fn event(&self, _: &Connection, event: Event<'_>) {
        if let (Some(session), Some(_)) = (event.session, event.read::<LoadEventFired>()) {
            self.0.send_modify(|loaded| {
                loaded.insert(session.to_owned());
            });
        }
    }

    fn closed(&self, _: &str) {}
}

/// The line to a page, and our world in it.
struct Line {
    connection: Connection,
    session: SessionId,
    world: i64,
}

impl Line {
    async fn open(
        connection: Connection,
        url: &str,
        mut loaded: watch::Receiver<HashSet<String>>,
    ) -> Self {
        let blank = target::CreateTarget {
            url: "about:blank",
            new_window: Some(true),
            ..Default::default()
        };
        let made = connection.call(None, &blank, later()).await.expect("a page opens");
        let attach = target::AttachToTarget { target_id: &made.target_id, flatten: true };
        let attached = connection.call(None, &attach, later()).await.expect("a page is attached");
        let mut page = Self { connection, session: attached.session_id, world: 0 };
        page.send(&Enable).await;
        page.send(&Navigate { url, ..Default::default() }).await;
        let id = page.session.as_str().to_owned();
        loaded.wait_for(|loaded| loaded.contains(&id)).await.expect("the page loads");
        let frame = page.send(&GetFrameTree).await.frame_tree.frame.id;
        let world = CreateIsolatedWorld { frame_id: &frame, ..Default::default() };
        page.world = page.send(&world).await.execution_context_id;
        page.send(&runtime::Evaluate {
            expression: PAGE_CODE,
            context_id: Some(page.world),
            ..Default::default()
        })
        .await;
        page
    }

    async fn send<C: Command>(&self, command: &C) -> C::Reply {
        match self.connection.call(Some(&self.session), command, later()).await {
            Ok(reply) => reply,
            Err(error) => panic!("{}: {error}", C::METHOD),
        }
    }

    async fn names(&self) -> Vec<Named> {
        let mut named = Vec::new();
        let elements = self.elements().await;
        for (_, node, name) in &elements {
            if name.contains('-') {
                self.introduce(*node).await;
            }
        }
        for (place, node, _) in elements {
            let (ours, chrome) = (self.ours(node).await, self.chromes(node).await);
            named.push(Named { place, ours, chrome });
        }
        named
    }

    /// Places, backend ids and names of the elements.
    async fn elements(&self) -> Vec<(String, i64, String)> {
        let whole = dom::GetDocument { depth: Some(-1), pierce: Some(true) };
        let document = self.send(&whole).await;
        let html = document.root.children.iter().find(|node| node.local_name == "html");
        let body = html.and_then(|html| html.children.iter().find(|n| n.local_name == "body"));
        let mut found = Vec::new();
        collect(body.expect("the page has a body"), "", &mut found);
        found
    }

    async fn ours(&self, node: i64) -> (String, String) {
        let object = self.handle(node).await;
        let handle = runtime::Argument { object_id: Some(&object), ..Default::default() };
        let nothing = to_raw_value(&()).expect("it is JSON");
        let nothing = runtime::Argument { value: Some(&nothing), ..Default::default() };
        let id: u32 = self.op("identify", &[nothing, handle]).await;
        let request = to_raw_value(&serde_json::json!({ "id": id })).expect("it is JSON");
        let request = runtime::Argument { value: Some(&request), ..Default::default() };
        let described: Described = self.op("describe", &[request]).await;
        (described.role, described.name)
    }

    /// Tells the page code what an element keeps to itself, as the engine does.
    async fn introduce(&self, node: i64) {
        let said = self.tree_node(node).await.attributes();
        let request = InternalsRequest { ids: &[node], told: &[said] };
        let request = to_raw_value(&request).expect("it is JSON");
        let request = runtime::Argument { value: Some(&request), ..Default::default() };
        let object = self.handle(node).await;
        let handle = runtime::Argument { object_id: Some(&object), ..Default::default() };
        let _: InternalsReply = self.op("internals", &[request, handle]).await;
    }

    async fn handle(&self, node: i64) -> String {
        let resolve = dom::ResolveNode {
            backend_node_id: Some(node),
            execution_context_id: Some(self.world),
            object_group: None,
        };
        self.send(&resolve).await.object.object_id.expect("an element has a handle")
    }

    async fn op<R: serde::de::DeserializeOwned>(
        &self,
        op: &str,
        request_and_nodes: &[runtime::Argument<'_>],
    ) -> R {
        let name = to_raw_value(op).expect("a string is JSON");
        let name = runtime::Argument { value: Some(&name), ..Default::default() };
        let mut arguments = vec![name];
        arguments.extend_from_slice(request_and_nodes);
        let call = runtime::CallFunctionOn {
            function_declaration: CALL,
            execution_context_id: Some(self.world),
            arguments: Some(&arguments),
            return_by_value: Some(true),
            ..Default::default()
        };
        let answer = self.send(&call).await;
        if let Some(thrown) = answer.exception_details {
            panic!("{op} threw: {thrown:?}");
        }
        let value = answer.result.value.expect("an op answers");
        serde_json::from_str(value.get()).expect("an op answers as its message says")
    }

    async fn chromes(&self, node: i64) -> ByChrome {
        let node = self.tree_node(node).await;
        let reasons = || node.ignored_reasons.iter().map(|reason| reason.name.clone()).collect();
        ByChrome {
            ignored: node.ignored.then(reasons),
            role: node.role.text(),
            name: node.name.text(),
        }
    }

    async fn tree_node(&self, node: i64) -> accessibility::AXNode {
        let partial = accessibility::GetPartialAXTree {
            node: dom::NodeName::backend(node),
            fetch_relatives: Some(false),
        };
        let nodes = self.send(&partial).await.nodes;
        nodes.into_iter().next().expect("Chrome answers for every element")
    }
}

/// Answer of `describe`, as far as it matters here.
#[derive(Deserialize)]
struct Described {
    role: String,
    name: String,
}

/// The elements below a node, in document order.
fn collect(node: &dom::Node, place: &str, found: &mut Vec<(String, i64, String)>) {
    let mut seen: Vec<(&str, usize)> = Vec::new();
    for child in &node.children {
        if child.node_type != 1 {
            continue;
        }
        let name = child.local_name.as_str();
        let number = match seen.iter_mut().find(|(known, _)| *known == name) {
            Some((_, count)) => {
                *count += 1;
                *count
            }
            None => {
                seen.push((name, 1));
                1
            }
        };
        let own = match id_of(child) {
            Some(id) => format!("#{id}"),
            None if place.is_empty() => format!("{name}:{number}"),
            None => format!("{place} > {name}:{number}"),
        };
        found.push((own.clone(), child.backend_node_id, name.to_owned()));
        for root in &child.shadow_roots {
            if root.shadow_root_type.as_deref() == Some("open") {
                collect(root, &format!("{own} >>"), found);
            }
        }
        collect(child, &own, found);
    }
}

fn id_of(node: &dom::Node) -> Option<&str> {
    let pairs = node.attributes.chunks_exact(2);
    pairs.filter(|pair| pair[0] == "id").map(|pair| pair[1].as_str()).next()
}

fn later() -> Instant {
    Instant::now() + Duration::from_secs(60)
}
