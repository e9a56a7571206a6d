//! Frames of a tab, as Chrome reports them.
//!
//! A frame keeps its id while its documents come and go, also when it moves to another
//! process; then it gets another CDP session. Each document has a serial number here, so that
//! whatever was learned about an old document is never applied to a new one.

use std::collections::HashMap;

use btcp_cdp::SessionId;

use crate::internals::Internals;
use crate::listeners::Listening;

/// Stages of a document's loading, as bits.
pub(crate) const DOM_CONTENT_LOADED: u8 = 1;
pub(crate) const LOADED: u8 = 2;

/// One frame.
#[derive(Debug, Clone)]
pub(crate) struct Frame {
    pub(crate) id: String,
    pub(crate) parent: Option<String>,
    /// The CDP session of the process it lives in.
    pub(crate) session: SessionId,
    pub(crate) url: String,
    pub(crate) name: String,
    /// Serial number of its document, unique in the tab.
    pub(crate) document: u64,
    /// Chrome's id of the load that made the document.
    pub(crate) loader: String,
    /// Which stages the document has reached.
    pub(crate) stages: u8,
    /// The isolated world of ours in this document, once made.
    pub(crate) world: Option<i64>,
    /// It is being made.
    pub(crate) preparing: bool,
    /// The page code came with the document.
    pub(crate) coded: bool,
    /// The page's own world.
    pub(crate) main_world: Option<i64>,
    /// The page code's number of the `<iframe>` in the parent's document (and which document).
    pub(crate) owner: Option<(u64, u32)>,
    /// What the page code was told of listeners, in the world it was told in.
    pub(crate) listening: Option<Listening>,
    /// What is known of its custom elements.
    pub(crate) internals: Option<Internals>,
    /// The world in which the last look noticed elements without a hint that they hide anything, and
    /// none does (`slots.rs`).
    pub(crate) met: Option<i64>,
    /// No line of the page led to it when it was last looked at.
    pub(crate) unseen: bool,
    /// Its process crashed, and whether somebody who worked in it was told.
    pub(crate) crashed: Option<bool>,
    /// How often it was loaded again after a crash.
    reloads: u8,
}

/// A frame is not loaded again after more crashes.
const RELOADS: u8 = 3;

/// The frames of a tab.
#[derive(Debug)]
pub(crate) struct Frames {
    pub(crate) main: String,
    by_id: HashMap<String, Frame>,
    /// In the order in which they appeared: document order for static pages.
    order: Vec<String>,
    documents: u64,
}

impl Frames {
    /// A tab's frames begin with its main one, whose id is that of the target.
    pub(crate) fn new(main: &str, session: SessionId, url: &str) -> Self {
        let mut frames =
            Self { main: main.to_owned(), by_id: HashMap::new(), order: Vec::new(), documents: 0 };
        frames.attach(main, None, session);
        if let Some(frame) = frames.by_id.get_mut(main) {
            url.clone_into(&mut frame.url);
        }
        frames
    }

    pub(crate) fn get(&self, id: &str) -> Option<&Frame> {
        self.by_id.get(id)
    }

    pub(crate) fn get_mut(&mut self, id: &str) -> Option<&mut Frame> {
        self.by_id.get_mut(id)
    }

    /// Every one, in no order.
    pub(crate) fn all(&self) -> impl Iterator<Item = &Frame> {
        self.by_id.values()
    }

    pub(crate) fn main(&self) -> Option<&Frame> {
        self.by_id.get(&self.main)
    }

    /// All frames at or below one, parents first.
    pub(crate) fn below(&self, id: &str) -> Vec<String> {
        let mut found = vec![id.to_owned()];
        let mut at = 0;
        while at < found.len() {
            let parent = found[at].clone();
            let children = self.order.iter().filter(|child| {
                self.by_id.get(*child).is_some_and(|f| f.parent.as_ref() == Some(&parent))
            });
            found.extend(children.cloned().collect::<Vec<_>>());
            at += 1;
        }
        found
    }

    /// The sessions of the processes they live in.
    pub(crate) fn sessions(&self) -> Vec<SessionId> {
        let mut sessions: Vec<SessionId> = Vec::new();
        for id in self.below(&self.main) {
            let session = self.by_id.get(&id).map(|frame| &frame.session);
            sessions.extend(session.filter(|session| !sessions.contains(session)).cloned());
        }
        sessions
    }

    /// The addresses of their documents.
    pub(crate) fn urls(&self) -> Vec<String> {
        self.by_id.values().map(|frame| frame.url.clone()).collect()
    }

    /// The frames at or below one with the serial numbers of their documents.
    pub(crate) fn documents(&self, id: &str) -> Vec<(String, u64)> {
        let frames = self.below(id).into_iter();
        frames.filter_map(|id| self.by_id.get(&id).map(|frame| (id, frame.document))).collect()
    }

    /// The child whose `<iframe>` has this number in the parent's current document.
    pub(crate) fn child(&self, parent: &Frame, owner: u32) -> Option<&Frame> {
        self.by_id.values().find(|frame| {
            frame.parent.as_ref() == Some(&parent.id)
                && frame.owner == Some((parent.document, owner))
        })
    }

    /// A frame appeared, or moved to another process.
    pub(crate) fn attach(&mut self, id: &str, parent: Option<&str>, session: SessionId) {
        let document = self.next_document();
        if let Some(frame) = self.by_id.get_mut(id) {
            frame.session = session;
            frame.document = document;
            frame.world = None;
            frame.coded = false;
            frame.crashed = None;
            if let Some(parent) = parent {
                frame.parent = Some(parent.to_owned());
            }
            return;
        }
        let frame = Frame {
            id: id.to_owned(),
            parent: parent.map(str::to_owned),
            session,
            url: String::new(),
            name: String::new(),
            document,
            loader: String::new(),
            stages: 0,
            world: None,
            preparing: false,
            coded: false,
            main_world: None,
            owner: None,
            listening: None,
            internals: None,
            met: None,
            unseen: false,
            crashed: None,
            reloads: 0,
        };
        self.order.push(id.to_owned());
        self.by_id.insert(id.to_owned(), frame);
    }

    /// A frame has another document. Its children are gone with the old one.
    pub(crate) fn navigated(&mut self, id: &str, loader: &str, url: String, name: String) {
        let document = self.next_document();
        let children: Vec<String> = self.below(id).into_iter().skip(1).collect();
        for child in children {
            self.remove(&child);
        }
        if let Some(frame) = self.by_id.get_mut(id) {
            frame.document = document;
            frame.world = None;
            frame.preparing = false;
            frame.coded = true;
            frame.crashed = None;
            frame.url = url;
            frame.name = name;
            if frame.loader != loader {
                loader.clone_into(&mut frame.loader);
                frame.stages = 0;
            }
        }
    }

    /// A document reached a stage; the first word of a new load resets what the old one reached.
    pub(crate) fn reached(&mut self, id: &str, loader: &str, stage: u8) {
        if let Some(frame) = self.by_id.get_mut(id) {
            if frame.loader != loader {
                loader.clone_into(&mut frame.loader);
                frame.stages = 0;
            }
            frame.stages |= stage;
        }
    }

    /// A frame and everything below it is gone.
    pub(crate) fn detach(&mut self, id: &str) {
        for gone in self.below(id) {
            self.remove(&gone);
        }
    }

    /// A process crashed: what was in its frames is gone, they stay. Whether that is new.
    pub(crate) fn crash(&mut self, session: &SessionId) -> bool {
        let main = self.main.clone();
        let lost = self.by_id.values_mut().filter(|f| f.session == *session && f.id != main);
        let mut new = false;
        for frame in lost.filter(|frame| frame.crashed.is_none()) {
            frame.crashed = Some(false);
            frame.world = None;
            frame.preparing = false;
            new = true;
        }
        new
    }

    /// Whether all there is in a process has crashed with it.
    pub(crate) fn has_crashed(&self, session: &SessionId) -> bool {
        let of_it = |frame: &&Frame| frame.session == *session;
        self.by_id.values().find(of_it).is_some_and(|frame| frame.crashed.is_some())
    }

    /// Frames whose crash was told, to be loaded again: their ids and addresses. One that crashes
    /// again and again is left alone.
    pub(crate) fn take_crashed(&mut self) -> Vec<(String, String)> {
        let told = self.by_id.values_mut().filter(|frame| frame.crashed == Some(true));
        let again = told.filter(|frame| frame.reloads < RELOADS);
        again
            .map(|frame| {
                frame.reloads += 1;
                (frame.id.clone(), frame.url.clone())
            })
            .collect()
    }

    /// A process is gone: its frames live on in their parent's, until Chrome says otherwise.
    pub(crate) fn session_ended(&mut self, session: &SessionId) {
        let lost: Vec<String> = self
            .by_id
            .values()
            .filter(|frame| frame.session == *session && frame.id != self.main)
            .map(|frame| frame.id.clone())
            .collect();
        for id in lost {
            let parent = self.by_id.get(&id).and_then(|frame| frame.parent.clone());
            let home = parent.and_then(|parent| self.by_id.get(&parent)).map(|p| p.session.clone());
            let document = self.next_document();
            if let (Some(home), Some(frame)) = (home, self.by_id.get_mut(&id)) {
                frame.session = home;
                frame.document = document;
                frame.world = None;
                frame.coded = false;
                frame.crashed = None;
            }
        }
    }

    fn remove(&mut self, id: &str) {
        if id != self.main {
            self.by_id.remove(id);
            self.order.retain(|other| other != id);
        }
    }

    fn next_document(&mut self) -> u64 {
        self.documents += 1;
        self.documents
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frames() -> Frames {
        let mut frames = Frames::new("top", SessionId::from("s"), "about:blank");
        frames.attach("a", Some("top"), SessionId::from("s"));
        frames.attach("b", Some("a"), SessionId::from("s"));
        frames
    }

    #[test]
    fn a_navigation_forgets_the_old_document() {
        let mut frames = frames();
        frames.get_mut("top").unwrap().world = Some(3);
        let before = frames.main().unwrap().document;
        frames.navigated("top", "L2", "https://a.test/".into(), String::new());
        let top = frames.main().unwrap();
        assert!(top.world.is_none() && top.document > before && top.stages == 0);
        assert_eq!(frames.below("top"), ["top"]);
    }

    #[test]
    fn detaching_takes_the_whole_branch_but_never_the_main_frame() {
        let mut frames = frames();
        frames.detach("a");
        assert_eq!(frames.below("top"), ["top"]);
        frames.detach("top");
        assert!(frames.main().is_some());
    }

    #[test]
    fn frames_of_a_lost_process_fall_back_to_their_parents() {
        let mut frames = frames();
        frames.attach("a", None, SessionId::from("other"));
        frames.session_ended(&SessionId::from("other"));
        assert_eq!(frames.get("a").unwrap().session, SessionId::from("s"));
        assert_eq!(frames.get("a").unwrap().parent.as_deref(), Some("top"));
    }

    #[test]
    fn stages_belong_to_one_load() {
        let mut frames = frames();
        frames.reached("top", "L1", LOADED);
        frames.reached("top", "L2", DOM_CONTENT_LOADED);
        assert_eq!(frames.main().unwrap().stages, DOM_CONTENT_LOADED);
    }
}
