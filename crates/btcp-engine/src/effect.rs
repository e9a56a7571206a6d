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
use crate::error::{Error, Result};
use crate::frame::LOADED;
use crate::page::ops::{FieldValue, SettleRequest, Settled};
use crate::page::{Answer, Place};
use crate::tab::Tab;
use crate::tab_state::Facts;

/// How long we watch a page in which nothing happens.
const WATCH: Duration = Duration::from_millis(100);
/// How long a request the action caused, or a page that keeps changing, may hold up the answer.
const REST: Duration = Duration::from_secs(3);

/// How many console errors and failed requests an effect tells.
const TOLD: usize = 5;

/// A tab before an action, to compare with.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Mark {
    pub(crate) commits: u64,
    starts: u64,
    dialogs: u64,
    requests: u64,
    /// Milliseconds since 1970.
    time: f64,
    windows: u64,
    opened: usize,
    pub(crate) downloads: u64,
}

impl Mark {
    pub(crate) fn of(facts: &Facts) -> Self {
        Self {
            commits: facts.commits,
            starts: facts.starts,
            dialogs: facts.dialogs.count(),
            requests: facts.requests.mark(),
            time: now(),
            windows: facts.windows.asked,
            opened: facts.windows.opened.len(),
            downloads: facts.downloads.count(),
        }
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
    /// How long we watched.
    pub watched: Duration,
}

impl Effect {
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

    /// Where the tab went, if it went anywhere.
    pub fn navigated_to(&self) -> Option<&str> {
        self.url.as_deref()
    }
}

impl Tab {
    /// Notes how the tab is, for an action on whatever has the focus.
    pub async fn watch(&mut self) -> Result<()> {
        let main = self.main_frame();
        let (mark, focus) = (Mark::of(&self.state.facts()), serde_json::json!({}));
        self.op::<_, serde_json::Value>(&main, "arm", &focus).await?;
        self.memory.acted = Some((None, mark));
        Ok(())
    }

    /// Waits until the page has come to rest after an action and says what came of it; with
    /// `field` also what the field acted on holds then. Without `patient` it waits for nothing
    /// and tells only what is known already.
    pub async fn settle(&mut self, patient: bool, field: bool) -> Result<Effect> {
        let begin = Instant::now();
        let Some((place, mark)) = self.memory.acted.take() else { return Ok(Effect::default()) };
        let mut effect = Effect { watching: patient, ..Effect::default() };
        let place = place.as_ref();
        if patient {
            let limit = REST.min(self.context.left());
            self.settle_document(place, mark, WATCH, limit, field, &mut effect).await?;
            self.settle_requests(place, mark, begin + limit, field, &mut effect).await?;
        } else if let Some(place) = place.filter(|_| field) {
            effect.field = self.field_at(place).await?;
        }
        self.settle_navigation(mark, patient, &mut effect).await;
        if patient {
            self.settle_window(mark).await;
            self.settle_download(mark, &mut effect).await;
        }
        if let Some(reason) = self.session.browser.hub.gone() {
            return Err(Error::BrowserGone { reason });
        }
        if self.state.facts().crashed {
            return Err(Error::PageCrashed { url: self.url() });
        }
        self.tell(mark, &mut effect);
        effect.watched = begin.elapsed();
        Ok(effect)
    }

    /// Fills in what events have told since the mark.
    fn tell(&self, mark: Mark, effect: &mut Effect) {
        let facts = self.state.facts();
        effect.dialog = facts.dialogs.since(mark.dialogs).cloned();
        effect.download = facts.downloads.since(mark.downloads).cloned();
        effect.new_tab = facts.windows.opened.get(mark.opened).cloned();
        effect.console_errors = facts.console.errors_since(mark.time, TOLD);
        effect.failed_requests = facts.requests.failed_since(mark.requests);
        effect.failed_requests.truncate(TOLD);
    }

    /// A window the page asked for has a moment to become a tab.
    async fn settle_window(&self, mark: Mark) {
        let there = |facts: &Facts| {
            let asked = facts.windows.asked > mark.windows;
            (!asked || facts.windows.opened.len() > mark.opened).then_some(())
        };
        let soon = self.deadline().min(Instant::now() + Duration::from_secs(1));
        self.state.until(soon, there).await;
    }

    /// A download that began is followed to its end or to the deadline.
    pub(crate) async fn settle_download(&self, mark: Mark, effect: &mut Effect) {
        let over = |facts: &Facts| match facts.downloads.since(mark.downloads) {
            Some(download) => (download.state != DownloadState::Running).then_some(()),
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
        let far = Instant::now() + limit + Duration::from_secs(1);
        // Most errors are thrown at once: they are asked for together with the rest.
        let settling = async {
            let settle = self.op_at::<_, Settled>(place, "settle", &request);
            tokio::join!(settle, self.listen(false)).0
        };
        tokio::select! {
            biased;
            settled = settling => {
                if let Answer::Is(settled, _) = settled? {
                    effect.changed = settled.changed;
                    effect.still_loading = settled.busy;
                    effect.received_by = settled.received_by;
                    effect.field = settled.field;
                } else {
                    effect.changed = true;
                }
            }
            // A page that is leaving settles nowhere else.
            Some(()) = self.state.until(far, leaving) => effect.changed = true,
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
                let saved = facts.downloads.count() > mark.downloads;
                let over = facts.crashed || facts.closed || !facts.loading || saved;
                (over || (facts.commits > mark.commits && loaded)).then_some(())
            };
            effect.still_loading = self.state.until(self.deadline(), arrived).await.is_none();
        }
        let facts = self.state.facts();
        if facts.commits > mark.commits {
            effect.url = facts.frames.main().map(|main| main.url.clone());
            effect.changed = true;
            effect.still_loading |= patient
                && facts.frames.main().is_some_and(|main| main.stages & LOADED == 0)
                && facts.loading;
        }
    }
}

fn now() -> f64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    since.map_or(0.0, |since| since.as_secs_f64() * 1000.0)
}

/// Whether the tab is going, or has gone, somewhere else since the mark.
fn leaves(facts: &Facts, mark: Mark) -> bool {
    facts.closed
        || facts.crashed
        || facts.commits > mark.commits
        || (facts.starts > mark.starts && facts.loading)
}
