//! Uploading: files of the agent's into a page.
//!
//! They are put into the file field itself, seen or not. What is no file field is pressed, and if a
//! chooser opens they are what is chosen; or they are dropped on it, by trusted events. Chrome gets
//! a copy in the session's folder, made through the file door: it opens files by their paths, and
//! when the page asks for them, so that whatever lies under the agent's path by then does not
//! matter.

mod accept;
mod staged;

use std::time::Duration;

use btcp_cdp::input::{DispatchDragEvent, DragData, DragEventType};
use btcp_cdp::{SessionId, dom, page};
use tokio::time::Instant;

use self::staged::Staged;
pub(crate) use self::staged::clear;
use crate::element::{Element, Hit};
use crate::error::{Error, Result};
use crate::input::{Button, Modifiers};
use crate::page::ops::{
    Dropped, FileField, FileNeeds, FilePlan, FilesReply, FilesRequest, HeldFile, Purpose,
};
use crate::page::{Answer, Place};
use crate::tab::Tab;
use crate::tab_state::{Facts, TabState};
use crate::target::Target;
use crate::text::{cut, quoted};

/// How long after a press a chooser may take to open; Chrome lets a page open one so long.
const OPENS: Duration = Duration::from_secs(5);

/// How many files are named in an answer.
const NAMED: usize = 5;

/// Where files went.
#[derive(Debug, Clone)]
pub struct Uploaded {
    /// The field, or what they were dropped on.
    pub element: Element,
    /// Whether they were dropped.
    pub dropped: bool,
    /// How many.
    pub count: usize,
    /// What the agent should know.
    pub note: String,
}

/// Whether a chooser is waited for.
#[derive(Debug, Default)]
pub(crate) enum Awaited {
    /// Nobody wants one: it is closed.
    #[default]
    No,
    /// It is to stay open.
    Yes,
    /// It has opened.
    Opened(Chooser),
}

/// A file chooser that waits for files.
#[derive(Debug, Clone)]
pub(crate) struct Chooser {
    session: SessionId,
    frame: String,
    /// The field it is for; none for what is no field, `showOpenFilePicker`.
    field: Option<i64>,
}

impl TabState {
    /// Keeps a chooser somebody waits for; `false` if nobody does.
    pub(crate) fn take_chooser(
        &self,
        session: &SessionId,
        opened: &page::FileChooserOpened,
    ) -> bool {
        let mut taken = false;
        self.update(|facts| {
            if matches!(facts.chooser, Awaited::Yes) {
                facts.chooser = Awaited::Opened(Chooser {
                    session: session.clone(),
                    frame: opened.frame_id.clone(),
                    field: opened.backend_node_id,
                });
                taken = true;
            }
        });
        taken
    }
}

impl Tab {
    /// Gives an element files, by their paths; none of them empties a field.
    pub async fn upload(&mut self, target: &Target, paths: &[String]) -> Result<Uploaded> {
        let staged = Staged::copy(&self.session, &self.context, paths).await?;
        let hit = self.ready(target, Purpose::Upload).await?;
        let Some(needs) = hit.files.clone() else {
            return Err(Error::internal("the page code did not say how files get there"));
        };
        if needs.plan == FilePlan::Set {
            return self.put_files(target, &hit, &needs, &staged).await;
        }
        if staged.is_empty() {
            return Err(no_field(target, &hit.element, "only a file field can be emptied"));
        }
        let drop_first = needs.plan == FilePlan::Drop;
        if drop_first && self.drop_on(&hit, &staged).await? {
            return Ok(dropped(hit, &staged));
        }
        let (hit, chooser) = self.press_for_chooser(target, hit, drop_first).await?;
        if let Some(chooser) = chooser {
            return self.choose(target, &hit, &chooser, &staged).await;
        }
        if !drop_first {
            let hit = self.ready(target, Purpose::Upload).await?;
            if self.drop_on(&hit, &staged).await? {
                return Ok(dropped(hit, &staged));
            }
        }
        Err(no_field(
            target,
            &hit.element,
            "no chooser opened when it was pressed, and nothing can be dropped on it",
        ))
    }

    /// Puts files into the field that was found.
    async fn put_files(
        &mut self,
        target: &Target,
        hit: &Hit,
        needs: &FileNeeds,
        staged: &Staged,
    ) -> Result<Uploaded> {
        fits(target, &hit.element, needs, staged)?;
        let place = hit.element.place.clone();
        let (Some(object), Some(session)) =
            (self.handle(&place).await?, self.session_of(&place.frame))
        else {
            return Err(Error::StaleRef {
                target: target.to_string(),
                was: hit.element.name(),
                similar: Vec::new(),
            });
        };
        self.set_files(&session, dom::NodeName::object(&object), &place, staged).await?;
        let release = btcp_cdp::runtime::ReleaseObject { object_id: &object };
        self.state.connection.post(Some(&session), &release);
        let held = self.held(&place).await?;
        let note = [hit.note(), Some(told(needs, staged, held.as_deref()))];
        let note = note.into_iter().flatten().collect::<Vec<_>>().join("; ");
        Ok(Uploaded { element: hit.element.clone(), dropped: false, count: staged.len(), note })
    }

    /// Puts files into the field a chooser was opened for.
    async fn choose(
        &mut self,
        target: &Target,
        hit: &Hit,
        chooser: &Chooser,
        staged: &Staged,
    ) -> Result<Uploaded> {
        let lost = || no_field(target, &hit.element, "its chooser belongs to no file field");
        let node = chooser.field.ok_or_else(lost)?;
        let world = self.world(&chooser.frame).await?.ok_or_else(lost)?;
        let mut handles = self.resolve(&world, &[node]).await?;
        let object = handles.nodes.pop().flatten().ok_or_else(lost)?;
        let asked = FilesRequest { id: None };
        let field = match self.hand_over(&world, "files", &asked, &[object]).await? {
            Some(FilesReply::Field(field)) => field,
            Some(FilesReply::None) | None => return Err(lost()),
        };
        drop(handles);
        let FileField { id, what, needs, .. } = field;
        let place = Place { frame: chooser.frame.clone(), document: world.document, id };
        let element = self.element(&place, &what);
        fits(target, &element, &needs, staged)?;
        self.set_files(&chooser.session, dom::NodeName::backend(node), &place, staged).await?;
        let held = self.held(&place).await?;
        let note = format!("by its chooser; {}", told(&needs, staged, held.as_deref()));
        Ok(Uploaded { element: hit.element.clone(), dropped: false, count: staged.len(), note })
    }

    async fn set_files(
        &self,
        session: &SessionId,
        node: dom::NodeName<'_>,
        place: &Place,
        staged: &Staged,
    ) -> Result<()> {
        let files = staged.paths();
        self.context.progress.sent();
        if files.is_empty() {
            // Chrome takes no files for nothing to do.
            return self.empty_field(place).await;
        }
        let set = self.send_to(session, &dom::SetFileInputFiles { files: &files, node });
        set.await.map_err(|error| self.explain(error))?;
        self.context.progress.happened();
        Ok(())
    }

    async fn empty_field(&self, place: &Place) -> Result<()> {
        let asked = FilesRequest { id: Some(place.id) };
        self.op_at::<_, FilesReply>(place, "emptyFiles", &asked).await?;
        self.context.progress.happened();
        Ok(())
    }

    /// Presses something and waits for the chooser it may open.
    async fn press_for_chooser(
        &mut self,
        target: &Target,
        mut hit: Hit,
        again: bool,
    ) -> Result<(Hit, Option<Chooser>)> {
        if again {
            hit = self.ready(target, Purpose::Upload).await?;
        }
        let Some(session) = self.session_of(&hit.element.place.frame) else {
            return Ok((hit, None));
        };
        let _open = KeptOpen::begin(self, session);
        while !self.click_at(hit.point, Button::Left, 1, Modifiers::default()).await? {
            self.may_press_again(target)?;
            hit = self.ready(target, Purpose::Upload).await?;
        }
        let until = self.deadline().min(Instant::now() + OPENS);
        let opened = |facts: &Facts| match &facts.chooser {
            Awaited::Opened(chooser) => Some(chooser.clone()),
            _ => None,
        };
        let chooser = self.state.until(until, opened).await;
        Ok((hit, chooser))
    }

    /// Drops files on an element; `false` if the page does not take them there.
    async fn drop_on(&mut self, hit: &Hit, staged: &Staged) -> Result<bool> {
        let files = staged.paths();
        let data = DragData { items: [], files: &files, drag_operations_mask: 1 };
        let event = |kind| DispatchDragEvent { kind, x: hit.point.0, y: hit.point.1, data };
        self.context.progress.sent();
        // One after the other: what the page says to one decides what comes of the next.
        for kind in [
            DragEventType::DragEnter,
            DragEventType::DragOver,
            DragEventType::DragOver,
            DragEventType::Drop,
        ] {
            let sent = vec![self.send(&event(kind))];
            self.arrived(sent).await?;
        }
        let nothing = serde_json::json!({});
        let place = &hit.element.place;
        let taken = match self.op_at::<_, Dropped>(place, "dropped", &nothing).await? {
            Answer::Is(Dropped { dropped }, _) => dropped,
            // It went elsewhere with them.
            Answer::Navigated => true,
        };
        if !taken {
            self.context.progress.undone();
        }
        Ok(taken)
    }

    /// What a field holds now; `None` if its page is gone.
    async fn held(&self, place: &Place) -> Result<Option<Vec<HeldFile>>> {
        let asked = FilesRequest { id: Some(place.id) };
        Ok(match self.op_at(place, "files", &asked).await {
            Ok(Answer::Is(FilesReply::Field(field), _)) => Some(field.files),
            // A dialog the page opened at once keeps it from answering; it has them all the same.
            Ok(_) | Err(Error::DialogOpen { .. }) => None,
            Err(error) => return Err(error),
        })
    }

    fn session_of(&self, frame: &str) -> Option<SessionId> {
        self.state.facts().frames.get(frame).map(|frame| frame.session.clone())
    }
}

/// A chooser stays open for as long as this lives.
struct KeptOpen {
    state: std::sync::Arc<TabState>,
    session: SessionId,
}

impl KeptOpen {
    fn begin(tab: &Tab, session: SessionId) -> Self {
        let state = tab.state.clone();
        state.update(|facts| facts.chooser = Awaited::Yes);
        // Behind it in the same pipe is the press.
        let keep = page::SetInterceptFileChooserDialog { enabled: true, cancel: Some(false) };
        state.connection.post(Some(&session), &keep);
        Self { state, session }
    }
}

impl Drop for KeptOpen {
    fn drop(&mut self) {
        self.state.update(|facts| facts.chooser = Awaited::No);
        let close = page::SetInterceptFileChooserDialog { enabled: true, cancel: Some(true) };
        self.state.connection.post(Some(&self.session), &close);
    }
}

/// Whether a field takes so many, and files at all.
fn fits(target: &Target, element: &Element, needs: &FileNeeds, staged: &Staged) -> Result<()> {
    if needs.folder {
        return Err(no_field(target, element, "it takes a whole folder"));
    }
    if staged.len() > 1 && !needs.multiple {
        return Err(Error::BadParam {
            field: "files",
            message: format!("{} takes one file, not {}", element.name(), staged.len()),
        });
    }
    Ok(())
}

/// What a field holds, and what it would rather have.
fn told(needs: &FileNeeds, staged: &Staged, held: Option<&[HeldFile]>) -> String {
    let mut said = match held {
        None => "the page left".to_owned(),
        Some([]) if !staged.is_empty() => "the page took them and emptied it again".to_owned(),
        Some([]) => "it is empty".to_owned(),
        Some(held) => format!("it holds {}", listed(held)),
    };
    let unwanted = staged.names().filter(|name| !accept::allows(&needs.accept, name));
    let unwanted: Vec<String> = unwanted.map(|name| quoted(&cut(name, 80))).take(NAMED).collect();
    if !unwanted.is_empty() {
        let (names, wants) = (unwanted.join(", "), quoted(&needs.accept));
        said.push_str(&format!("; {names} is not what it accepts: {wants}"));
    }
    said
}

fn listed(files: &[HeldFile]) -> String {
    let name = |file: &HeldFile| format!("{} ({} bytes)", quoted(&cut(&file.name, 80)), file.size);
    let mut names: Vec<String> = files.iter().take(NAMED).map(name).collect();
    if files.len() > NAMED {
        names.push(format!("{} more", files.len() - NAMED));
    }
    names.join(", ")
}

fn dropped(hit: Hit, staged: &Staged) -> Uploaded {
    let note = listed(&staged.held());
    Uploaded { element: hit.element, dropped: true, count: staged.len(), note }
}

fn no_field(target: &Target, element: &Element, why: &'static str) -> Error {
    Error::TakesNoFiles { target: target.to_string(), what: element.name(), why }
}
