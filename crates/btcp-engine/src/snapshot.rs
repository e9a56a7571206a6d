//! Snapshots: the page as an agent reads it.
//!
//! The page code walks each document and prints its lines but for the refs; here the
//! documents of all frames are put together, refs are given to the lines that are printed,
//! and the whole is kept within its budget.

use futures_util::future::join_all;

use crate::element::role_and_name;
use crate::error::{Error, Result};
use crate::page::Answer;
use crate::page::ops::{Line, Mode, Property, SnapshotReply, SnapshotRequest, Step};
use crate::refs::Place;
use crate::sessions::lock;
use crate::tab::Tab;
use crate::target::Target;

/// What to print.
#[derive(Debug, Clone)]
pub struct SnapshotOptions {
    /// Only the part below this element.
    pub root: Option<Target>,
    /// Which lines.
    pub mode: Mode,
    /// How many levels, at most 24.
    pub max_depth: u32,
    /// Also what a person cannot see.
    pub include_hidden: bool,
    /// Never longer than this many characters.
    pub max_chars: usize,
}

impl Default for SnapshotOptions {
    fn default() -> Self {
        Self {
            root: None,
            mode: Mode::All,
            max_depth: DEEPEST,
            include_hidden: false,
            max_chars: 20_000,
        }
    }
}

/// A page as an agent reads it.
#[derive(Debug, Clone)]
pub struct Snapshot {
    /// The page's address.
    pub url: String,
    /// The page's title.
    pub title: String,
    /// The lines, refs as `e5`.
    pub text: String,
    /// The lines, refs as `@ref:5`.
    pub json_text: String,
    /// What each printed ref is.
    pub refs: Vec<RefInfo>,
    /// Whether lines were left out.
    pub truncated: bool,
}

/// A ref that was printed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefInfo {
    /// Its number.
    pub number: u32,
    /// The element's role.
    pub role: String,
    /// Its accessible name.
    pub name: String,
    /// Address of the frame it is in, where that is not the page itself.
    pub frame: Option<String>,
}

const DEEPEST: u32 = 24;
/// Frames inside frames are followed so far.
const FRAME_DEPTH: u32 = 8;
/// Room for the line that says how much was left out.
const FOLD_ROOM: usize = 40;

/// The lines of one document, and which frame and document they are of.
struct Document {
    frame: String,
    serial: u64,
    url: String,
    lines: Vec<Line>,
    more: usize,
}

/// A line with where it came from.
struct Printed {
    depth: u32,
    head: String,
    place: Option<(Place, Option<String>)>,
    tail: String,
}

impl Tab {
    /// Reads the whole page, frames included.
    pub async fn snapshot(&mut self, options: &SnapshotOptions) -> Result<Snapshot> {
        loop {
            let (frame, steps) = match &options.root {
                Some(root) => {
                    // Waits until it exists, and says what is like it if it never does.
                    self.read_at(root, Property::Enabled, None).await?;
                    let (frame, steps) = self.locate(root).await?;
                    (frame, Some(steps))
                }
                None => (self.main_frame(), None),
            };
            if let Some(snapshot) = self.snapshot_from(options, frame.clone(), steps).await? {
                return Ok(snapshot);
            }
            self.new_document(&frame).await?;
        }
    }

    async fn snapshot_from(
        &mut self,
        options: &SnapshotOptions,
        mut frame: String,
        mut steps: Option<Vec<Step>>,
    ) -> Result<Option<Snapshot>> {
        let (document, title, loading) = loop {
            let request = request(options, steps.as_deref(), options.max_depth);
            let answer = self.op_once(&frame, "snapshot", &request, None).await?;
            match answer {
                Answer::Is(SnapshotReply::Outline { title, url, loading, lines, more }, serial) => {
                    break (Document { frame, serial, url, lines, more }, title, loading);
                }
                Answer::Is(SnapshotReply::Frame { id, used }, serial) => {
                    let Some(child) = self.child_frame(&frame, serial, id).await? else {
                        return Ok(None);
                    };
                    frame = child;
                    steps = steps.map(|steps| steps[used.min(steps.len())..].to_vec());
                }
                Answer::Is(SnapshotReply::Failed(failed), serial) => {
                    let root = options.root.as_ref();
                    return Err(root.map_or_else(
                        || Error::internal("the page could not be read"),
                        |root| self.failed(root, &frame, serial, failed, None),
                    ));
                }
                Answer::Navigated => return Ok(None),
            }
        };
        let url = if options.root.is_some() { self.url() } else { document.url.clone() };
        let mut printed = Vec::new();
        let more = self.flatten(options, document, 0, 0, &mut printed).await?;
        Ok(Some(self.print(options, url, title, loading, printed, more)))
    }

    /// Puts the documents of frames where their `<iframe>` lines are. Gives the lines left out.
    fn flatten<'a>(
        &'a mut self,
        options: &'a SnapshotOptions,
        document: Document,
        depth: u32,
        level: u32,
        printed: &'a mut Vec<Printed>,
    ) -> crate::Boxed<'a, Result<usize>> {
        Box::pin(async move {
            let children = self.child_documents(options, &document, depth, level).await?;
            let mut more = document.more;
            let mut children = children.into_iter();
            let is_main = document.frame == self.main_frame();
            for Line(line_depth, head, id, tail) in document.lines {
                let at = depth + line_depth;
                let child = if id < 0 { children.next().flatten() } else { None };
                let tail = match &child {
                    Some(child) => format!(" {}", crate::text::cut(&child.url, 80)),
                    None => tail,
                };
                let place = u32::try_from(id).ok().filter(|id| *id > 0).map(|id| {
                    let place = Place {
                        tab: self.state.id,
                        frame: document.frame.clone(),
                        document: document.serial,
                        id,
                    };
                    (place, (!is_main).then(|| document.url.clone()))
                });
                printed.push(Printed { depth: at, head, place, tail });
                if let Some(child) = child {
                    more += self.flatten(options, child, at + 1, level + 1, printed).await?;
                }
            }
            Ok(more)
        })
    }

    /// The documents inside a document's frames, one for each frame line, all asked at once.
    async fn child_documents(
        &mut self,
        options: &SnapshotOptions,
        document: &Document,
        depth: u32,
        level: u32,
    ) -> Result<Vec<Option<Document>>> {
        let owners: Vec<(u32, u32)> = document
            .lines
            .iter()
            .filter(|line| line.2 < 0)
            .map(|line| (u32::try_from(-line.2).unwrap_or(0), depth + line.0 + 1))
            .collect();
        if level >= FRAME_DEPTH {
            return Ok(owners.iter().map(|_| None).collect());
        }
        let looks = owners.iter().map(|(owner, at)| async {
            let child = self.child_frame(&document.frame, document.serial, *owner).await.ok()??;
            let request = request(options, None, options.max_depth.saturating_sub(*at));
            match self.op_once(&child, "snapshot", &request, None).await.ok()? {
                Answer::Is(SnapshotReply::Outline { url, lines, more, .. }, serial) => {
                    Some(Document { frame: child, serial, url, lines, more })
                }
                _ => None,
            }
        });
        Ok(join_all(looks).await)
    }

    /// Lines to text within the budget, with refs given to what is printed.
    fn print(
        &self,
        options: &SnapshotOptions,
        url: String,
        title: String,
        loading: bool,
        lines: Vec<Printed>,
        more: usize,
    ) -> Snapshot {
        let mut text = format!(
            "page {} {}",
            crate::text::quoted(&crate::text::cut(&title, 120)),
            crate::text::cut(&url, 200)
        );
        if loading {
            text.push_str(" [loading]");
        }
        // The two texts differ by `@ref:` for `e`: four characters more for each ref.
        let (mut json_text, mut refs) = (text.clone(), Vec::new());
        let mut length = text.chars().count();
        let (mut left_out, mut cut) = (more, false);
        let mut table = lock(&self.session.refs);
        for line in lines {
            let width =
                1 + 2 * line.depth as usize + line.head.chars().count() + line.tail.chars().count();
            let width = width + if line.place.is_some() { 14 } else { 0 };
            if cut || length + width + FOLD_ROOM > options.max_chars {
                cut = true;
                left_out += 1;
                continue;
            }
            length += width;
            let indent = "  ".repeat(line.depth.min(DEEPEST) as usize);
            let (mut mark, mut json_mark) = (String::new(), String::new());
            if let Some((place, frame)) = line.place {
                let number = table.issue(place, &line.head);
                (mark, json_mark) = (format!(" e{number}"), format!(" @ref:{number}"));
                let (role, name) = role_and_name(&line.head);
                refs.push(RefInfo { number, role, name: name.unwrap_or_default(), frame });
            }
            text.push_str(&format!("\n{indent}{}{mark}{}", line.head, line.tail));
            json_text.push_str(&format!("\n{indent}{}{json_mark}{}", line.head, line.tail));
        }
        if left_out > 0 {
            let fold = format!("\n… {left_out} more lines");
            text.push_str(&fold);
            json_text.push_str(&fold);
        }
        Snapshot { url, title, text, json_text, refs, truncated: left_out > 0 }
    }
}

fn request<'a>(
    options: &SnapshotOptions,
    root: Option<&'a [Step]>,
    max_depth: u32,
) -> SnapshotRequest<'a> {
    SnapshotRequest {
        root,
        mode: options.mode,
        max_depth: max_depth.min(DEEPEST),
        include_hidden: options.include_hidden,
        max_chars: options.max_chars,
    }
}
