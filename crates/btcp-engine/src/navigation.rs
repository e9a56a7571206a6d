//! Going to pages, and knowing when one has arrived.
//!
//! Chrome's answer to a navigation comes when the new document is committed; the stages
//! after that are events. A page that replaces itself while loading is followed.

mod url;

use std::pin::pin;
use std::time::Duration;

use btcp_cdp::page;
use tokio::time::Instant;

use crate::dialog::Dialog;
use crate::downloads::{Download, DownloadState};
use crate::effect::Mark;
use crate::egress::{Expecting, Origin, Reason, denied};
use crate::error::{Error, Result};
use crate::frame::{DOM_CONTENT_LOADED, LOADED};
use crate::page::Answer;
use crate::page::ops::Head;
use crate::tab::Tab;
use crate::tab_state::Facts;

pub(crate) use self::url::address;
use self::url::refused;

/// How far a page must have come.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum WaitUntil {
    /// The load event.
    #[default]
    Load,
    /// The document is parsed.
    DomContentLoaded,
    /// Half a second without requests after load.
    NetworkIdle,
    /// The response was received.
    Commit,
}

/// Where a navigation led.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Arrived {
    /// The page's address now.
    pub url: String,
    /// Its title.
    pub title: String,
    /// HTTP status, where there was a response.
    pub status: Option<u16>,
    /// The address gave this file instead of a page.
    pub download: Option<Download>,
    /// What a page asked on the way.
    pub dialog: Option<Dialog>,
}

/// How long a document that has loaded may take to say what it is.
const AFTER_LOAD: Duration = Duration::from_millis(20);

/// How often a page's own navigations may overtake ours.
const RIVALS: u32 = 5;

fn is_aborted(navigated: &page::Navigated) -> bool {
    !navigated.is_download && navigated.error_text.as_deref() == Some("net::ERR_ABORTED")
}

/// No request for this long is rest.
const IDLE: Duration = Duration::from_millis(500);

impl Tab {
    /// Loads an address and waits until the page has come so far.
    pub async fn navigate(&mut self, url: &str, wait: WaitUntil) -> Result<Arrived> {
        let url = address(url)?;
        let going = self.session.guard().name(&url).await?;
        self.session.hold_for(&url).await?;
        self.go_to(&url, wait, going).await
    }

    /// Loads an address that was judged.
    pub(crate) async fn go_to(
        &mut self,
        url: &str,
        wait: WaitUntil,
        going: Option<Expecting>,
    ) -> Result<Arrived> {
        let begun = self.state.shared.guard.memory.mark();
        self.let_go().await;
        let mark = Mark::of(&self.state.facts());
        let navigated = self.insist(url, mark).await?;
        if navigated.is_download {
            self.context.progress.happened();
            return self.downloaded(mark, url).await;
        }
        if let Some(error) = navigated.error_text.as_deref().filter(|text| !text.is_empty()) {
            self.context.progress.undone();
            let other = self.overtaken_by(url).filter(|_| is_aborted(&navigated));
            return Err(match other {
                Some(other) => Error::NavigationFailed {
                    message: format!(
                        "{error}: The page itself went to {}",
                        crate::text::address(&other)
                    ),
                },
                None => self.refused(error, url, begun),
            });
        }
        self.context.progress.happened();
        // From its commit on the page asks for itself.
        drop(going);
        if let Some(loader) = navigated.loader_id {
            // A page that goes elsewhere at once has been there all the same.
            self.committed(|facts| facts.loaders.contains(&loader)).await?;
            let arrived = self.arrive(wait, mark).await;
            if !self.is_called_back(&loader, mark) {
                return arrived;
            }
            // What the page before had asked for came after all; from here nobody asks again.
            self.go(url, mark).await?;
        }
        self.arrive(wait, mark).await
    }

    /// Asks Chrome to go there, again where navigations of the page overtake ours: the agent's word is
    /// the last.
    async fn insist(&self, url: &str, mark: Mark) -> Result<page::Navigated> {
        let mut navigated = self.go(url, mark).await?;
        for _ in 0..RIVALS {
            let overtaken = match is_aborted(&navigated) {
                true => self.was_overtaken(url, mark).await,
                false => self.was_given_up(&navigated).await?,
            };
            if !overtaken {
                break;
            }
            navigated = self.go(url, mark).await?;
        }
        Ok(navigated)
    }

    /// Whether a navigation that did not come about gave way to one of the page.
    async fn was_overtaken(&self, url: &str, mark: Mark) -> bool {
        let soon = self.deadline().min(Instant::now() + Duration::from_millis(500));
        let over = |facts: &Facts| (facts.commits > mark.commits || !facts.loading).then_some(());
        self.state.until(soon, over).await;
        // One that was already being committed when ours came shows by its commit alone.
        self.overtaken_by(url).is_some() || self.state.facts().commits > mark.commits
    }

    /// Whether a document Chrome has said is coming never will: until it is there, the page may still
    /// go elsewhere.
    async fn was_given_up(&self, navigated: &page::Navigated) -> Result<bool> {
        let failed = navigated.error_text.as_deref().is_some_and(|text| !text.is_empty());
        let comes = !navigated.is_download && !failed;
        let Some(loader) = navigated.loader_id.as_ref().filter(|_| comes) else { return Ok(false) };
        self.context.progress.happened();
        let over =
            |facts: &Facts| facts.loaders.contains(loader) || facts.given_up.contains(loader);
        self.committed(over).await?;
        let given_up = !self.state.facts().loaders.contains(loader);
        if given_up {
            tracing::debug!(loader, "the page went elsewhere first");
        }
        Ok(given_up)
    }

    /// Why Chrome refused a navigation: it knows only that its proxy did not connect it.
    fn refused(&self, error: &str, url: &str, begun: u64) -> Error {
        match self.state.shared.guard.memory.translate(error, url, Some(begun)) {
            Some((_, Reason::Refused(refusal))) => denied(refusal),
            Some((place, Reason::Failed(name))) => {
                let is_it = |to: Origin| format!("{}:{}", to.host, to.port) == place;
                // A redirect may have led elsewhere.
                match Origin::of(url).is_some_and(is_it) {
                    true => refused(name, url),
                    false => refused(name, &format!("http://{place}")),
                }
            }
            None => refused(error, url),
        }
    }

    /// Whether the page that was left had asked to go elsewhere meanwhile, and is heard now.
    fn is_called_back(&self, loader: &str, mark: Mark) -> bool {
        let facts = self.state.facts();
        let elsewhere = facts.frames.main().is_none_or(|main| main.loader != loader);
        let by_the_old = facts.asked_to_leave > mark.asked_to_leave && facts.asked_by != loader;
        by_the_old && (elsewhere || facts.loading)
    }

    /// Asks Chrome to go there; it answers when the new document is committed, or will not be.
    async fn go(&self, url: &str, mark: Mark) -> Result<page::Navigated> {
        self.context.progress.sent();
        let mut stop = StopOnDrop { tab: self, armed: true };
        let answered = self.send(&page::Navigate { url, ..Default::default() }).await;
        stop.armed = false;
        match answered {
            Ok(navigated) => Ok(navigated),
            Err(btcp_cdp::Error::Deadline { .. }) => Err(self.give_up(mark).await),
            Err(btcp_cdp::Error::Remote { message, .. }) if message.contains("invalid URL") => {
                self.context.progress.undone();
                let message = format!("'{}' is not a valid address", crate::text::cut(url, 200));
                Err(Error::BadParam { field: "url", message })
            }
            Err(error) => Err(self.explain(error)),
        }
    }

    /// Where the page went by itself instead.
    fn overtaken_by(&self, url: &str) -> Option<String> {
        let heading = self.state.facts().heading.clone();
        let same = heading.trim_end_matches('/').eq_ignore_ascii_case(url.trim_end_matches('/'));
        (!same && !heading.is_empty()).then_some(heading)
    }

    /// Nothing has been committed yet; stopping the navigation makes sure that nothing will be.
    async fn give_up(&self, mark: Mark) -> Error {
        let soon = Instant::now() + Duration::from_millis(500);
        let stop = self.state.connection.call(Some(&self.state.session), &page::StopLoading, soon);
        match stop.await {
            Ok(_) if self.state.facts().commits == mark.commits => self.context.progress.undone(),
            Ok(_) => self.context.progress.happened(),
            // A page that cannot even be stopped: nobody knows.
            Err(_) => {}
        }
        self.too_late("page load")
    }

    /// The address gave a file: waits until it is all there.
    async fn downloaded(&self, mark: Mark, url: &str) -> Result<Arrived> {
        let complete = |facts: &Facts| {
            let download = facts.download_since(mark.downloads)?;
            (download.state != DownloadState::Running).then_some(download)
        };
        match self.state.until(self.deadline(), complete).await {
            Some(download) if download.state == DownloadState::Complete => Ok(Arrived {
                url: self.url(),
                title: String::new(),
                status: None,
                download: Some(download),
                dialog: None,
            }),
            Some(Download { reason: Some(reason), filename, .. }) => {
                let path = crate::text::path(&self.state.shared.downloads.folder.join(filename));
                Err(Error::WriteFailed { path, reason })
            }
            Some(_) => Err(Error::NavigationFailed {
                message: format!(
                    "net::ERR_ABORTED: The download of '{}' failed",
                    crate::text::cut(url, 200)
                ),
            }),
            None => Err(self.too_late("the download")),
        }
    }

    /// Goes back or forward in the tab's history.
    pub async fn travel(&mut self, forward: bool) -> Result<Arrived> {
        self.let_go().await;
        let history = self.call(&page::GetNavigationHistory).await?;
        let wanted = match forward {
            true => history.current_index.checked_add(1),
            false => history.current_index.checked_sub(1),
        };
        let direction = if forward { "forward" } else { "back" };
        let entry = wanted.and_then(|index| history.entries.get(index));
        // The blank page a tab begins with is not a place an agent has been to.
        let entry =
            entry.filter(|entry| forward || !(entry.url == "about:blank" && wanted == Some(0)));
        let Some(entry) = entry else { return Err(Error::NoHistory { direction }) };
        url::may_return_to(&entry.url)?;
        let mark = Mark::of(&self.state.facts());
        let _going = self.session.guard().again(&entry.url);
        self.context.progress.sent();
        self.call(&page::NavigateToHistoryEntry { entry_id: entry.id }).await?;
        self.follow(mark).await
    }

    /// Loads the page again.
    pub async fn reload(&mut self, bypass_cache: bool) -> Result<Arrived> {
        self.let_go().await;
        let mark = Mark::of(&self.state.facts());
        let _going = self.session.guard().again(&self.url());
        self.context.progress.sent();
        self.call(&page::Reload { ignore_cache: Some(bypass_cache) }).await?;
        self.follow(mark).await
    }

    /// Waits for the commit that was asked for, then for its load.
    async fn follow(&mut self, mark: Mark) -> Result<Arrived> {
        self.committed(|facts| facts.commits > mark.commits).await?;
        self.context.progress.happened();
        self.arrive(WaitUntil::Load, mark).await
    }

    /// Waits for the new document, or the end of the page.
    async fn committed(&self, is_there: impl Fn(&Facts) -> bool) -> Result<()> {
        let over = |facts: &Facts| match is_there(facts) {
            true => Some(true),
            false => facts.stuck().then_some(false),
        };
        match self.state.until(self.deadline(), over).await {
            Some(true) => Ok(()),
            Some(false) => Err(self.why_stuck()),
            None => Err(self.too_late("page load")),
        }
    }

    /// Why nothing more comes of the page.
    fn why_stuck(&self) -> Error {
        let broken = self.state.facts().broken.clone();
        match (self.state.blocked(), broken) {
            (Some(blocked), _) => blocked,
            (None, Some(error)) if !self.state.facts().stuck() => {
                let url = self.url();
                let host = crate::text::origin(&url).split("://").nth(1).unwrap_or(&url);
                let message = format!("{error}: {host} broke off before the page was complete");
                Error::NavigationFailed { message }
            }
            (None, _) => self.gone(),
        }
    }

    async fn arrive(&mut self, wait: WaitUntil, mark: Mark) -> Result<Arrived> {
        let head = match wait {
            WaitUntil::Load => self.head_at_load().await?,
            _ => {
                self.loaded(wait).await?;
                self.head().await?
            }
        };
        self.state.facts().title.clone_from(&head.title);
        Ok(Arrived {
            url: head.url,
            title: head.title,
            status: (head.status != 0).then_some(head.status),
            download: None,
            dialog: mark.dialog(&self.state.facts()),
        })
    }

    /// Waits for the load event and reads the document's head.
    ///
    /// Asked for while the document loads: behind its load event Chrome draws it for the first
    /// time, and a question that comes then waits for that, 6 ms on a small page.
    async fn head_at_load(&mut self) -> Result<Head> {
        let main = self.main_frame();
        let request = serde_json::json!({ "loaded": true });
        let told = {
            let mut asked = pin!(self.op_once::<_, Head>(&main, "head", &request, None));
            let mut loaded = pin!(self.loaded(WaitUntil::Load));
            tokio::select! {
                biased;
                told = &mut asked => {
                    loaded.await?;
                    told.ok()
                }
                loaded = &mut loaded => {
                    loaded?;
                    tokio::time::timeout(AFTER_LOAD, asked).await.ok().and_then(Result::ok)
                }
            }
        };
        match told {
            Some(Answer::Is(head, document)) if document == self.main_document() => Ok(head),
            // Another document took its place meanwhile, or it did not say.
            _ => self.head().await,
        }
    }

    /// Waits until the main frame's document has come so far.
    pub(crate) async fn loaded(&self, wait: WaitUntil) -> Result<()> {
        let stage = match wait {
            WaitUntil::Commit => return Ok(()),
            WaitUntil::DomContentLoaded => DOM_CONTENT_LOADED,
            WaitUntil::Load | WaitUntil::NetworkIdle => LOADED,
        };
        let reached = |facts: &Facts| {
            if facts.frames.main().is_some_and(|main| main.stages & stage != 0) {
                return Some(true);
            }
            (facts.stuck() || facts.broken.is_some()).then_some(false)
        };
        match self.state.until(self.deadline(), reached).await {
            Some(true) => {}
            Some(false) => return Err(self.why_stuck()),
            None => return Err(self.too_late("page load")),
        }
        if wait == WaitUntil::NetworkIdle { self.network_idle().await } else { Ok(()) }
    }

    /// Waits for half a second without requests.
    async fn network_idle(&self) -> Result<()> {
        loop {
            let quiet = |facts: &Facts| facts.requests.quiet_since();
            let Some(since) = self.at_rest(self.deadline(), quiet).await else {
                return Err(self.too_late("the network to be idle"));
            };
            let restful = since + IDLE;
            let busy = |facts: &Facts| (facts.requests.quiet_since() != Some(since)).then_some(());
            if restful > self.deadline() {
                return Err(self.too_late("the network to be idle"));
            }
            if self.state.until(restful, busy).await.is_none() {
                return Ok(());
            }
        }
    }
}

/// Stops a navigation whose caller left before it was committed.
struct StopOnDrop<'a> {
    tab: &'a Tab,
    armed: bool,
}

impl Drop for StopOnDrop<'_> {
    fn drop(&mut self) {
        if self.armed && Instant::now() < self.tab.deadline() {
            self.tab.state.connection.post(Some(&self.tab.state.session), &page::StopLoading);
        }
    }
}
