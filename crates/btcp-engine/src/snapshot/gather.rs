//! The lines of a page, gathered from the documents of all its frames.

use std::collections::HashSet;
use std::sync::Arc;

use futures_util::future::join_all;

use super::SnapshotOptions;
use super::line::{DEEPEST, Home, Line, Noun, Rest};
use super::looks::Looks;
use crate::error::{Error, Result};
use crate::page::Answer;
use crate::page::ops::{Line as PageLine, Property, SnapshotReply, SnapshotRequest, Step};
use crate::sessions::lock;
use crate::tab::Tab;
use crate::target::Target;

/// Frames inside frames are followed so far, which only a page that is out for it goes beyond.
const FRAME_DEPTH: u32 = 100;
/// The lines of one document, and which frame and document they are of.
struct Document {
    frame: String,
    serial: u64,
    url: String,
    lines: Vec<PageLine>,
}

/// What is in a frame.
enum Inside {
    Document(Document),
    /// Nobody answers at this address: it hangs, or has crashed.
    Silent(String, &'static str),
    /// It is gone, or too deep inside others.
    Nothing,
}

/// A page as it is now, all frames, not yet fitted.
pub(crate) struct Seen {
    pub(crate) url: String,
    pub(crate) title: String,
    loading: bool,
    pub(crate) lines: Vec<Line>,
    /// The main document's serial number.
    pub(crate) document: u64,
    /// Documents that may have lines, which nobody could read.
    pub(crate) unread: HashSet<u64>,
}

impl Tab {
    /// Reads all documents of the page.
    pub(crate) async fn look_at(&mut self, options: &SnapshotOptions) -> Result<Seen> {
        loop {
            let (frame, steps, from) = match &options.root {
                Some(root) => match self.fold_at(root) {
                    Some(opened) => opened,
                    None => {
                        // Waits until it exists, and says what is like it if it never does.
                        self.read_at(root, Property::Enabled, None).await?;
                        let (frame, steps) = self.locate(root).await?;
                        (frame, Some(steps), None)
                    }
                },
                None => (self.main_frame(), None, None),
            };
            if let Some(seen) = self.look_from(options, frame.clone(), steps, from).await? {
                return Ok(seen);
            }
            self.new_document(&frame).await?;
        }
    }

    /// Where a fold begins, if that is what a target means and its document is still there.
    fn fold_at(&self, root: &Target) -> Option<(String, Option<Vec<Step>>, Option<u32>)> {
        let number = root.ref_number().filter(|_| root.parts().len() == 1)?;
        let issued = lock(&self.session.refs).get(number).cloned()?;
        let within = issued.within?;
        let place = issued.place;
        let facts = self.state.facts();
        let alive = place.tab == self.state.id
            && facts.frames.get(&place.frame).is_some_and(|frame| frame.document == place.document);
        let steps = (within != 0).then(|| vec![Step::Ref { id: within }]);
        alive.then_some((place.frame, steps, Some(place.id)))
    }

    async fn look_from(
        &self,
        options: &SnapshotOptions,
        mut frame: String,
        mut steps: Option<Vec<Step>>,
        from: Option<u32>,
    ) -> Result<Option<Seen>> {
        let mut looks = Looks::default();
        if options.root.is_none() {
            looks.begin_all(self, options);
        }
        let (document, title, loading) = loop {
            let mut request = request(options, steps.as_deref());
            request.from = from;
            let answer = looks.beside(self.outline(&frame, &request)).await?;
            match answer {
                Answer::Is(SnapshotReply::Outline { title, url, loading, lines, .. }, serial) => {
                    break (Document { frame, serial, url, lines }, title, loading);
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
        let mut lines = Vec::new();
        self.flatten(options, document, (0, 0), &mut looks, &mut lines).await?;
        looks.remember(self);
        let document = self.main_document();
        let unread = self.unread(&looks);
        Ok(Some(Seen { url, title, loading, lines, document, unread }))
    }

    /// The documents of frames that hang, and those inside them.
    fn unread(&self, looks: &Looks<'_>) -> HashSet<u64> {
        let facts = self.state.facts();
        let documents = looks.hung.iter().flat_map(|frame| facts.frames.documents(frame));
        documents.map(|(frame, document)| Home::key_of(&frame, document)).collect()
    }

    /// Puts the documents of frames where their `<iframe>` lines are. `depth` and `level` say how
    /// many lines and how many frames are around this one.
    fn flatten<'a, 'l: 'a>(
        &'l self,
        options: &'l SnapshotOptions,
        document: Document,
        (depth, level): (u32, u32),
        looks: &'a mut Looks<'l>,
        lines: &'a mut Vec<Line>,
    ) -> crate::Boxed<'a, Result<()>> {
        Box::pin(async move {
            let mut document = document;
            // A document was walked as deep as the page itself; here it stands deeper.
            let deepest = deepest(options).saturating_sub(depth).max(1);
            document.lines.retain(|line| line.0 < deepest);
            self.hide_in_lines(&document.frame, document.serial, &mut document.lines);
            let children = self.child_documents(options, &document, level, looks).await?;
            let mut children = children.into_iter();
            let is_main = document.frame == self.main_frame();
            let url = (!is_main).then_some(document.url);
            let home = Arc::new(Home::new(self.state.id, document.frame, document.serial, url));
            for line in document.lines {
                let child = if line.2 < 0 { children.next() } else { None };
                let at = depth + line.0;
                let mut line = place_line(&home, line, depth);
                match &child {
                    Some(Inside::Document(child)) => {
                        line.tail = format!(" {}", crate::text::cut(&child.url, 80));
                    }
                    Some(Inside::Silent(url, why)) => {
                        line.tail = format!(" {} [{why}]", one_word(url));
                    }
                    Some(Inside::Nothing) | None => {}
                }
                lines.push(line);
                if let Some(Inside::Document(child)) = child {
                    self.flatten(options, child, (at + 1, level + 1), looks, lines).await?;
                }
            }
            Ok(())
        })
    }

    /// The documents inside a document's frames, one for each frame line, all asked at once.
    async fn child_documents<'l>(
        &'l self,
        options: &'l SnapshotOptions,
        document: &Document,
        level: u32,
        looks: &mut Looks<'l>,
    ) -> Result<Vec<Inside>> {
        let owners = document.lines.iter().filter(|line| line.2 < 0);
        let owners: Vec<u32> = owners.map(|line| u32::try_from(-line.2).unwrap_or(0)).collect();
        if level >= FRAME_DEPTH || owners.is_empty() {
            return Ok(owners.iter().map(|_| Inside::Nothing).collect());
        }
        let finding =
            owners.iter().map(|owner| self.child_frame(&document.frame, document.serial, *owner));
        let frames = looks.beside(join_all(finding)).await;
        let frames: Vec<Option<String>> =
            frames.into_iter().map(|found| found.ok().flatten()).collect();
        for frame in frames.iter().flatten() {
            looks.begin(self, options, frame.clone());
        }
        let mut documents = Vec::with_capacity(frames.len());
        for frame in frames {
            documents.push(match frame {
                Some(frame) => match looks.take(&frame).await {
                    Some(Some(Ok(Answer::Is(
                        SnapshotReply::Outline { url, lines, .. },
                        serial,
                    )))) => Inside::Document(Document { frame, serial, url, lines }),
                    Some(None) => self.silent_inside(frame, looks),
                    // It crashed while it was looked at.
                    Some(Some(Err(Error::PageCrashed { .. }))) => self.silent_inside(frame, looks),
                    _ => Inside::Nothing,
                },
                None => Inside::Nothing,
            });
        }
        Ok(documents)
    }

    fn silent_inside(&self, id: String, looks: &mut Looks<'_>) -> Inside {
        let mut facts = self.state.facts();
        let Some(frame) = facts.frames.get_mut(&id) else { return Inside::Nothing };
        if frame.crashed.is_some() {
            // Whoever reads this is told: the next call loads it again.
            frame.crashed = Some(true);
            return Inside::Silent(frame.url.clone(), "crashed");
        }
        // What is in it may be there still.
        looks.hung.push(id);
        Inside::Silent(frame.url.clone(), "hung")
    }
}

impl Seen {
    /// The line that always comes first.
    pub(crate) fn head(&self) -> String {
        let title = crate::text::quoted(&crate::text::cut(&self.title, 120));
        let loading = if self.loading { " [loading]" } else { "" };
        format!("page {title} {}{loading}", crate::text::address(&self.url))
    }
}

/// The address of a frame of which only Chrome tells; one of `data:` may hold spaces and quotes.
fn one_word(url: &str) -> String {
    let mut word = String::with_capacity(url.len());
    for c in url.chars().take(200) {
        if c.is_whitespace() || crate::text::is_hidden(c) || matches!(c, '"' | '\\') {
            c.encode_utf8(&mut [0; 4]).bytes().for_each(|b| word.push_str(&format!("%{b:02X}")));
        } else {
            word.push(c);
        }
    }
    crate::text::cut(&word, 80)
}

fn place_line(home: &Arc<Home>, line: PageLine, depth: u32) -> Line {
    let PageLine(own_depth, head, id, tail, node, seen, groups) = line;
    let fold = head == "…";
    Line {
        home: home.clone(),
        depth: (depth + own_depth).min(DEEPEST - 1),
        rest: fold.then(|| Rest {
            count: id.unsigned_abs(),
            noun: Noun::read(&tail),
            within: u32::try_from(seen).unwrap_or(0),
        }),
        ref_id: u32::try_from(id).ok().filter(|id| *id > 0 && !fold),
        node,
        seen: seen != 0 && !fold,
        groups: groups.chunks_exact(2).map(|pair| (home.key(pair[0]), pair[1])).collect(),
        head,
        tail,
    }
}

/// How many levels are shown. Who asks for fewer than lines can be indented does not want the rest;
/// else what is deeper stands at the last level, or a control could be nowhere.
fn deepest(options: &SnapshotOptions) -> u32 {
    if options.max_depth < DEEPEST { options.max_depth } else { u32::MAX }
}

pub(super) fn request<'a>(
    options: &SnapshotOptions,
    root: Option<&'a [Step]>,
) -> SnapshotRequest<'a> {
    SnapshotRequest {
        root,
        mode: options.mode,
        max_depth: deepest(options),
        include_hidden: options.include_hidden,
        max_chars: options.max_chars,
        from: None,
        met: false,
        in_passing: options.in_passing,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_address_of_a_hung_frame_is_one_word() {
        let told = one_word("data:text/html,<p>a b\" e5 [checked]\n\u{202e}");
        assert_eq!(told, "data:text/html,<p>a%20b%22%20e5%20[checked]%0A%E2%80%AE");
        assert_eq!(one_word("http://a.test/x"), "http://a.test/x");
    }
}
