//! Effects: what came of an action, once the page has come to rest.
//!
//! Rest is decided by events: a navigation that began is followed to its load, a request the
//! action caused to its end, changes of the document to one quiet frame. If nothing happens
//! at all we watch a moment longer, so that a timer's change is not missed.

use std::time::Duration;

use tokio::time::Instant;

use crate::dialog::Dialog;
use crate::downloads::{Download, DownloadState};
use crate::element::millis;
use crate::error::{Error, Limited, Result};
use crate::frame::LOADED;
use crate::page::ops::{FieldValue, SettleRequest, Settled};
use crate::page::{Answer, Place};
use crate::snapshot::Changes;
use crate::tab::Tab;
use crate::tab_state::Facts;
use crate::target::Target;

/// How long we watch a page in which nothing happens.
const WATCH: Duration = Duration::from_millis(100);
/// How long a request the action caused, or a page that keeps changing, may hold up the answer.
const REST: Duration = Duration::from_secs(3);

/// How long a navigation that came to nothing may take to become a file.
const FILE_BEGINS: Duration = Duration::from_millis(300);

/// How many console errors and failed requests an effect tells.
const TOLD: usize = 5;

/// A tab before an action, to compare with.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Mark {
    pub(crate) commits: u64,
    starts: u64,
    pub(crate) asked_to_leave: u64,
    dialogs: u64,
    requests: u64,
    /// Milliseconds since 1970.
    time: f64,
    windows: u64,
    opened: usize,
    refused: u64,
    /// Something may have changed before anybody watched: only comparing can tell.
    unwatched: bool,
    /// Something has changed already: it is one of several actions that are told together.
    changed: bool,
    pub(crate) downloads: u32,
}

impl Mark {
    pub(crate) fn of(facts: &Facts) -> Self {
        Self {
            commits: facts.commits,
            starts: facts.starts,
            asked_to_leave: facts.asked_to_leave,
            dialogs: facts.dialogs.count(),
            requests: facts.requests.mark(),
            time: now(),
            windows: facts.windows.asked,
            opened: facts.windows.opened.len(),
            refused: facts.windows.refused,
            unwatched: false,
            changed: false,
            downloads: facts.shared.downloads.count(),
        }
    }
}

impl Mark {
    /// The navigation under way began after the mark: whoever answered a page that asked before it
    /// is left has let it go on.
    pub(crate) fn leaving(&mut self) {
        self.starts = self.starts.saturating_sub(1);
    }

    /// What the page has asked since.
    pub(crate) fn dialog(&self, facts: &Facts) -> Option<Dialog> {
        facts.dialogs.since(self.dialogs)
    }

    /// Something has changed since, as one who watched only a part of the time could tell.
    pub(crate) fn changed(&mut self, changed: bool) {
        self.changed |= changed;
    }

    /// The page could not be asked to watch itself when the mark was made.
    pub(crate) fn unwatched(&mut self) {
        self.unwatched = true;
    }
}

/// What a call acts on, and what the tab was like before.
#[derive(Clone)]
pub(crate) struct Acted {
    /// The element; none where it is whatever has the focus.
    pub(crate) place: Option<Place>,
    pub(crate) mark: Mark,
    /// What was asked for to get at it.
    pub(crate) sought: Option<Target>,
    /// Whether it was pressed by the mouse.
    pub(crate) pressed: bool,
    /// What it held once it was filled, where that was asked along with it.
    pub(crate) field: Option<FieldValue>,
}

impl Acted {
    pub(crate) fn on(place: Option<Place>, mark: Mark) -> Self {
        Self { place, mark, sought: None, pressed: false, field: None }
    }
}

/// What came of an action.
#[derive(Debug, Clone, Default)]
pub struct Effect {
    /// A dialog the page opened.
    pub dialog: Option<Dialog>,
    /// A file the page handed over.
    pub download: Option<Download>,
    /// A tab the page opened: its number and address.
    pub new_tab: Option<(u32, String)>,
    /// Errors the page logged meanwhile, the first few.
    pub console_errors: Vec<String>,
    /// Requests that failed meanwhile.
    pub failed_requests: Vec<String>,
    /// The address the tab went to.
    url: Option<String>,
    /// What the field acted on holds now.
    pub field: Option<FieldValue>,
    /// Whether we waited for what would come; otherwise no change means nothing.
    pub watching: bool,
    /// Whether the document changed.
    pub changed: bool,
    /// Whether something was still loading when we stopped waiting.
    pub still_loading: bool,
    /// Who received the event, when that was another element.
    pub received_by: Option<String>,
    /// The element was pressed and its page got no event.
    pub unheard: bool,
    /// Over whom the button was let go, when the element got the press and another the release.
    pub released_over: Option<String>,
    /// What is different on the page, or the head of the new one.
    pub changes: Option<Changes>,
    /// How long we watched.
    pub watched: Duration,
}

impl Effect {
    /// What is told of one of several actions by itself; the rest is told of all of them.
    pub fn of_part(field: Option<FieldValue>, received_by: Option<String>) -> Self {
        Self { field, received_by, ..Self::default() }
    }

    /// The first that holds of `dialog`, `download`, `newtab`, `navigated`, `changed`, `none`.
    pub fn kind(&self) -> &'static str {
        match self {
            Self { dialog: Some(_), .. } => "dialog",
            Self { download: Some(_), .. } => "download",
            Self { new_tab: Some(_), .. } => "newtab",
            Self { url: Some(_), .. } => "navigated",
            Self { changed: true, .. } => "changed",
            _ => "none",
        }
    }

    /// Only what was done and where it led, nothing of what the page there says.
    #[must_use]
    pub fn without_page(self) -> Self {
        Self {
            dialog: None,
            console_errors: Vec::new(),
            failed_requests: Vec::new(),
            field: None,
            received_by: None,
            released_over: None,
            unheard: false,
            changes: None,
            ..self
        }
    }

    /// Where the tab went, if it went anywhere.
    pub fn navigated_to(&self) -> Option<&str> {
        self.url.as_deref()
    }
}

impl Tab {
    /// The element this call acts on.
    pub(crate) fn acted_on(&self) -> Option<&Place> {
        self.memory.acted.as_ref()?.place.as_ref()
    }

    /// Notes how the tab is, for an action on whatever has the focus.
    pub async fn watch(&mut self) -> Result<()> {
        self.look_before().await;
        let main = self.main_frame();
        let (mark, focus) = (Mark::of(&self.state.facts()), serde_json::json!({}));
        self.op::<_, serde_json::Value>(&main, "arm", &focus).await?;
        self.memory.acted = Some(Acted::on(None, mark));
        Ok(())
    }

    /// Waits until the page has come to rest after an action and says what came of it; with
    /// `field` also what the field acted on holds then. Without `patient` it waits for nothing
    /// and tells only what is known already.
    pub async fn settle(&mut self, patient: bool, field: bool) -> Result<Effect> {
        let begin = Instant::now();
        let Some(mut acted) = self.memory.acted.take() else { return Ok(Effect::default()) };
        let known = acted.field.take().filter(|_| field && !patient);
        let mut effect = Effect { watching: patient, field: known, ..Effect::default() };
        let (place, mark) = (acted.place.as_ref(), acted.mark);
        let settled = self.settle_all(place, mark, patient, field, begin, &mut effect).await;
        if let Some(reason) = self.session.browser.hub.gone() {
            return Err(self.session.browser.gone(reason));
        }
        if self.state.facts().crashed {
            return Err(self.page_crashed());
        }
        // A page that asks something rests until it is answered, and that is what came of it.
        if self.state.blocked().is_none() {
            settled?;
        }
        effect.unheard &= acted.pressed;
        if effect.field.as_ref().is_some_and(|field| field.gone) {
            effect.field = self.field_made_anew(acted.sought.as_ref()).await;
        }
        if let (Some(place), Some(field)) = (place, &mut effect.field) {
            self.hide_given(place, &mut field.value);
        }
        self.too_many_windows(mark)?;
        effect.watched = begin.elapsed();
        // Of a page that is still to come nothing can be told.
        let arrived = effect.url.is_none() || self.state.facts().commits > mark.commits;
        let unseen = mark.unwatched || self.changes_unseen();
        let compare = arrived && (effect.changed || unseen) && self.context.compares;
        effect.changed |= mark.changed;
        if patient && compare && self.state.blocked().is_none() {
            effect.changes = self.changes(place.filter(|_| field)).await;
            effect.changed |= effect.changes.is_some();
        }
        self.tell(mark, &mut effect);
        // One that began only just now is followed too.
        while patient && is_running(&effect) && !effect.still_loading && !self.stuck() {
            self.settle_download(mark, &mut effect).await;
            self.tell(mark, &mut effect);
        }
        Ok(effect)
    }

    /// The document, its requests, a navigation, a window, a download: each to its rest.
    async fn settle_all(
        &mut self,
        place: Option<&Place>,
        mark: Mark,
        patient: bool,
        field: bool,
        begin: Instant,
        effect: &mut Effect,
    ) -> Result<()> {
        if patient {
            let limit = REST.min(self.context.left());
            self.settle_document(place, mark, WATCH, limit, field, effect).await?;
            self.settle_requests(place, mark, begin + limit, field, effect).await?;
        } else if let Some(place) = place.filter(|_| field && effect.field.is_none()) {
            effect.field = self.field_at(place).await?;
        }
        self.settle_navigation(mark, patient, effect).await;
        if patient {
            self.settle_window(mark).await;
        }
        Ok(())
    }

    fn stuck(&self) -> bool {
        self.state.facts().stuck()
    }

    /// Fills in what events have told since the mark.
    fn tell(&self, mark: Mark, effect: &mut Effect) {
        let facts = self.state.facts();
        effect.dialog = mark.dialog(&facts);
        effect.download = facts.download_since(mark.downloads);
        effect.new_tab = facts.windows.opened.get(mark.opened).cloned();
        effect.console_errors = facts.console.errors_since(mark.time, TOLD);
        effect.failed_requests = facts.requests.failed_since(mark.requests);
        effect.failed_requests.truncate(TOLD);
    }

    /// A page that floods the session with windows is told of as what it is.
    fn too_many_windows(&self, mark: Mark) -> Result<()> {
        let refused = self.state.facts().windows.refused - mark.refused;
        if refused == 0 {
            return Ok(());
        }
        let limit = self.session.browser.settings.max_tabs;
        Err(Error::SessionLimit {
            of: Limited::Tabs,
            message: format!(
                "The page opened more windows than a session may have tabs ({limit}): {refused} \
                 were closed"
            ),
        })
    }

    /// A window the page asked for has a moment to become a tab.
    async fn settle_window(&self, mark: Mark) {
        let there = |facts: &Facts| {
            let asked = facts.windows.asked > mark.windows;
            let came = facts.windows.opened.len() > mark.opened;
            let refused = facts.windows.refused > mark.refused;
            (!asked || came || refused || facts.stuck()).then_some(())
        };
        let soon = self.deadline().min(Instant::now() + Duration::from_secs(1));
        self.state.until(soon, there).await;
    }

    /// A download that began is followed to its end or to the deadline.
    async fn settle_download(&self, mark: Mark, effect: &mut Effect) {
        let over = |facts: &Facts| match facts.download_since(mark.downloads) {
            Some(download) => {
                (download.state != DownloadState::Running || facts.stuck()).then_some(())
            }
            None => Some(()),
        };
        effect.still_loading |= self.state.until(self.deadline(), over).await.is_none();
    }

    /// Changes of the document the action was in, or the end of that document.
    async fn settle_document(
        &mut self,
        place: Option<&Place>,
        mark: Mark,
        watch: Duration,
        limit: Duration,
        field: bool,
        effect: &mut Effect,
    ) -> Result<()> {
        let token = self.token();
        let main = {
            let facts = self.state.facts();
            let document = facts.frames.main().map_or(0, |frame| frame.document);
            Place { frame: facts.frames.main.clone(), document, id: 0 }
        };
        let place = place.unwrap_or(&main);
        let (watch, limit_millis) = (millis(watch), millis(limit));
        let request = SettleRequest { id: place.id, watch, limit: limit_millis, field, token };
        let leaving = |facts: &Facts| leaves(facts, mark).then_some(());
        // From then on the page cannot be asked any more.
        let left = |facts: &Facts| (facts.stuck() || facts.commits > mark.commits).then_some(());
        let far = Instant::now() + limit + Duration::from_secs(1);
        // Most errors are thrown at once: they are asked for together with the rest.
        let settling = async {
            let settle = self.op_at::<_, Settled>(place, "settle", &request);
            tokio::join!(settle, self.listen(false)).0
        };
        tokio::pin!(settling);
        let settled = tokio::select! {
            biased;
            settled = &mut settling => settled?,
            // Asking to leave is no change yet: it may come to nothing. A page that will not say
            // is one of which nothing is known.
            Some(()) = self.state.until(far, leaving) => tokio::select! {
                biased;
                settled = settling => match settled {
                    Ok(settled) => settled,
                    Err(_) => return Ok(()),
                },
                left = self.state.until(far, left) => {
                    effect.changed = left.is_some();
                    return Ok(());
                }
            },
        };
        let Answer::Is(mut settled, _) = settled else {
            effect.changed = true;
            return Ok(());
        };
        effect.changed = settled.changed;
        effect.still_loading = settled.busy;
        effect.received_by = settled.received_by;
        effect.unheard = !settled.received;
        effect.released_over = settled.released_over;
        effect.field = settled.field;
        self.state.asked_in_vain(&settled.asked);
        if let Some(copied) = settled.copied.take() {
            self.session.clipboard.note(copied);
        }
        Ok(())
    }

    /// Requests the action caused, then one quiet frame for what they brought.
    async fn settle_requests(
        &mut self,
        place: Option<&Place>,
        mark: Mark,
        limit: Instant,
        field: bool,
        effect: &mut Effect,
    ) -> Result<()> {
        let busy = |facts: &Facts| facts.requests.busy_since(mark.requests);
        if leaves(&self.state.facts(), mark) || !busy(&self.state.facts()) {
            return Ok(());
        }
        let rest = |facts: &Facts| (!busy(facts) || leaves(facts, mark)).then_some(());
        if self.at_rest(limit, rest).await.is_none() {
            effect.still_loading = true;
        } else if !leaves(&self.state.facts(), mark) {
            let left = limit.saturating_duration_since(Instant::now());
            let short = Duration::from_millis(20);
            let mut after = Effect::default();
            self.settle_document(place, mark, short, left, field, &mut after).await?;
            effect.changed |= after.changed;
            effect.still_loading = after.still_loading;
            effect.field = after.field.or(effect.field.take());
        }
        Ok(())
    }

    /// Waits for rest, looking again when a request may have ended without a word.
    pub(crate) async fn at_rest<T>(
        &self,
        limit: Instant,
        mut question: impl FnMut(&Facts) -> Option<T>,
    ) -> Option<T> {
        loop {
            let again = self.state.facts().requests.look_again().unwrap_or(limit).min(limit);
            if let Some(answer) = self.state.until(again, &mut question).await {
                return Some(answer);
            }
            if Instant::now() >= limit {
                return None;
            }
        }
    }

    /// A navigation that began is followed to its load, or until it comes to nothing.
    async fn settle_navigation(&self, mark: Mark, patient: bool, effect: &mut Effect) {
        if leaves(&self.state.facts(), mark) && patient {
            let arrived = |facts: &Facts| {
                let loaded = facts.frames.main().is_some_and(|main| main.stages & LOADED != 0);
                let saved = facts.download_since(mark.downloads).is_some();
                let over = facts.stuck() || !facts.loading || saved;
                (over || (facts.commits > mark.commits && loaded)).then_some(())
            };
            effect.still_loading = self.state.until(self.deadline(), arrived).await.is_none();
            // Chrome says that nothing is loading before it says that a file is.
            let file = |facts: &Facts| {
                let came = facts.download_since(mark.downloads).is_some();
                (came || facts.stuck() || facts.loading || facts.commits > mark.commits)
                    .then_some(())
            };
            let soon = self.deadline().min(Instant::now() + FILE_BEGINS);
            self.state.until(soon, file).await;
        }
        let facts = self.state.facts();
        if effect.still_loading && leaves(&facts, mark) && facts.commits == mark.commits {
            // Nobody has answered there yet; the old page is still to be seen.
            effect.url = Some(facts.heading.clone()).filter(|_| !facts.stuck());
        } else if facts.commits > mark.commits {
            effect.url = facts.frames.main().map(|main| main.url.clone());
            effect.changed = true;
            effect.still_loading |= patient
                && facts.frames.main().is_some_and(|main| main.stages & LOADED == 0)
                && facts.loading;
        }
    }
}

fn is_running(effect: &Effect) -> bool {
    effect.download.as_ref().is_some_and(|file| file.state == DownloadState::Running)
}

fn now() -> f64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    since.map_or(0.0, |since| since.as_secs_f64() * 1000.0)
}

/// Whether the tab is going, or has gone, somewhere else since the mark.
fn leaves(facts: &Facts, mark: Mark) -> bool {
    facts.stuck() || facts.commits > mark.commits || (facts.starts > mark.starts && facts.loading)
}
