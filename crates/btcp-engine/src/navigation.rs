//! Going to pages, and knowing when one has arrived.
//!
//! Chrome's answer to a navigation comes when the new document is committed; the stages
//! after that are events. A page that replaces itself while loading is followed.

use std::time::Duration;

use btcp_cdp::page;
use tokio::time::Instant;

use crate::downloads::{Download, DownloadState};
use crate::effect::Mark;
use crate::error::{Error, Result};
use crate::frame::{DOM_CONTENT_LOADED, LOADED};
use crate::tab::Tab;
use crate::tab_state::Facts;

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
}

/// No request for this long is rest.
const IDLE: Duration = Duration::from_millis(500);

impl Tab {
    /// Loads an address and waits until the page has come so far.
    pub async fn navigate(&mut self, url: &str, wait: WaitUntil) -> Result<Arrived> {
        let url = address(url)?;
        let mark = Mark::of(&self.state.facts());
        let mut navigated = self.go(&url, mark).await?;
        let aborted = |navigated: &page::Navigated| {
            !navigated.is_download && navigated.error_text.as_deref() == Some("net::ERR_ABORTED")
        };
        // A navigation the page had begun before may overtake ours: the agent's word is the last.
        let overtaken = |tab: &Self| {
            // One that was already being committed when ours came shows by its commit alone.
            tab.overtaken_by(&url).is_some() || tab.state.facts().commits > mark.commits
        };
        if aborted(&navigated) {
            let soon = self.deadline().min(Instant::now() + Duration::from_millis(500));
            let over =
                |facts: &Facts| (facts.commits > mark.commits || !facts.loading).then_some(());
            self.state.until(soon, over).await;
            if overtaken(self) {
                navigated = self.go(&url, mark).await?;
            }
        }
        if navigated.is_download {
            self.context.progress.happened();
            return self.downloaded(mark, &url).await;
        }
        if let Some(error) = navigated.error_text.as_deref().filter(|text| !text.is_empty()) {
            self.context.progress.undone();
            let other = self.overtaken_by(&url).filter(|_| aborted(&navigated));
            return Err(match other {
                Some(other) => Error::NavigationFailed {
                    message: format!(
                        "{error}: The page itself went to {}",
                        crate::text::cut(&other, 200)
                    ),
                },
                None => refused(error, &url),
            });
        }
        self.context.progress.happened();
        if let Some(loader) = navigated.loader_id {
            self.committed(|facts| {
                facts.frames.main().is_some_and(|main| main.loader == loader)
                    || facts.commits > mark.commits
            })
            .await?;
        }
        self.arrive(wait).await
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
            let download = facts.downloads.since(mark.downloads)?;
            (download.state != DownloadState::Running).then(|| download.clone())
        };
        match self.state.until(self.deadline(), complete).await {
            Some(download) if download.state == DownloadState::Complete => Ok(Arrived {
                url: self.url(),
                title: String::new(),
                status: None,
                download: Some(download),
            }),
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
        let mark = Mark::of(&self.state.facts());
        self.context.progress.sent();
        self.call(&page::NavigateToHistoryEntry { entry_id: entry.id }).await?;
        self.follow(mark).await
    }

    /// Loads the page again.
    pub async fn reload(&mut self, bypass_cache: bool) -> Result<Arrived> {
        let mark = Mark::of(&self.state.facts());
        self.context.progress.sent();
        self.call(&page::Reload { ignore_cache: Some(bypass_cache) }).await?;
        self.follow(mark).await
    }

    /// Waits for the commit that was asked for, then for its load.
    async fn follow(&mut self, mark: Mark) -> Result<Arrived> {
        self.committed(|facts| facts.commits > mark.commits).await?;
        self.context.progress.happened();
        self.arrive(WaitUntil::Load).await
    }

    /// Waits for the new document, or the end of the page.
    async fn committed(&self, is_there: impl Fn(&Facts) -> bool) -> Result<()> {
        let over = |facts: &Facts| match is_there(facts) {
            true => Some(true),
            false => (facts.crashed || facts.closed).then_some(false),
        };
        match self.state.until(self.deadline(), over).await {
            Some(true) => Ok(()),
            Some(false) => Err(Error::PageCrashed { url: self.url() }),
            None => Err(self.too_late("page load")),
        }
    }

    async fn arrive(&mut self, wait: WaitUntil) -> Result<Arrived> {
        self.loaded(wait).await?;
        let head = self.head().await?;
        Ok(Arrived {
            url: head.url,
            title: head.title,
            status: (head.status != 0).then_some(head.status),
            download: None,
        })
    }

    /// Waits until the main frame's document has come so far.
    pub(crate) async fn loaded(&self, wait: WaitUntil) -> Result<()> {
        let stage = match wait {
            WaitUntil::Commit => return Ok(()),
            WaitUntil::DomContentLoaded => DOM_CONTENT_LOADED,
            WaitUntil::Load | WaitUntil::NetworkIdle => LOADED,
        };
        let reached = |facts: &Facts| {
            if facts.crashed || facts.closed {
                return Some(false);
            }
            facts.frames.main().is_some_and(|main| main.stages & stage != 0).then_some(true)
        };
        match self.state.until(self.deadline(), reached).await {
            Some(true) => {}
            Some(false) => return Err(Error::PageCrashed { url: self.url() }),
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

/// The address meant by what an agent wrote. Only pages may lead to other schemes than these.
pub(crate) fn address(written: &str) -> Result<String> {
    let written = written.trim();
    if written.is_empty() {
        return Err(Error::BadParam { field: "url", message: "url must not be empty".into() });
    }
    if written.eq_ignore_ascii_case("about:blank") {
        return Ok("about:blank".into());
    }
    match scheme(written) {
        Some(scheme) if scheme == "http" || scheme == "https" => Ok(written.to_owned()),
        Some(scheme) => Err(Error::Denied {
            message: format!(
                "Scheme '{scheme}:' is not allowed: '{}'",
                crate::text::cut(written, 200)
            ),
        }),
        None => {
            let scheme = if is_local(written) { "http" } else { "https" };
            Ok(format!("{scheme}://{}", written.trim_start_matches('/')))
        }
    }
}

/// `https` of `https://…`; `localhost:8000` has none, its colon begins a port.
fn scheme(url: &str) -> Option<String> {
    let (scheme, rest) = url.split_once(':')?;
    let is_name = scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'));
    let port_end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let is_port = port_end > 0 && rest[..port_end].bytes().all(|b| b.is_ascii_digit());
    (is_name && !is_port).then(|| scheme.to_lowercase())
}

/// Loopback and private hosts seldom speak TLS.
fn is_local(url: &str) -> bool {
    let authority = url.split(['/', '?', '#']).next().unwrap_or(url);
    let host = match authority.strip_prefix('[') {
        Some(v6) => v6.split(']').next().unwrap_or(v6),
        None => authority.split(':').next().unwrap_or(authority),
    };
    let host = host.to_lowercase();
    if let Ok(ip) = host.parse::<std::net::IpAddr>() {
        return match ip {
            std::net::IpAddr::V4(ip) => ip.is_loopback() || ip.is_private() || ip.is_unspecified(),
            std::net::IpAddr::V6(ip) => ip.is_loopback() || ip.is_unique_local(),
        };
    }
    host == "localhost" || host.ends_with(".localhost") || host.ends_with(".local")
}

/// A navigation Chrome refused, with its own name for the reason first.
fn refused(error: &str, url: &str) -> Error {
    let host = crate::text::origin(url).split("://").nth(1).unwrap_or(url);
    let message = match error {
        "net::ERR_NAME_NOT_RESOLVED" => format!("{error}: No address found for {host}"),
        "net::ERR_INTERNET_DISCONNECTED" => format!("{error}: The browser is offline"),
        "net::ERR_CONNECTION_RESET" | "net::ERR_CONNECTION_CLOSED" | "net::ERR_EMPTY_RESPONSE" => {
            format!("{error}: {host} closed the connection")
        }
        "net::ERR_TOO_MANY_REDIRECTS" => format!("{error}: {host} redirects in a circle"),
        "net::ERR_ABORTED" => format!("{error}: The page at {host} was not loaded"),
        _ if error.contains("CERT") => format!("{error}: The certificate of {host} is not valid"),
        _ if error.contains("SSL") => format!("{error}: {host} does not speak TLS as expected"),
        _ => format!("{error}: Failed to connect to {host}"),
    };
    Error::NavigationFailed { message }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_without_a_scheme_get_one() {
        for (written, meant) in [
            ("example.com/x", "https://example.com/x"),
            ("localhost:8000", "http://localhost:8000"),
            ("127.0.0.1/x", "http://127.0.0.1/x"),
            ("192.168.0.4", "http://192.168.0.4"),
            ("[::1]:80/", "http://[::1]:80/"),
            ("HTTP://a.test", "HTTP://a.test"),
            ("about:blank", "about:blank"),
        ] {
            assert_eq!(address(written).unwrap(), meant);
        }
    }

    #[test]
    fn other_schemes_are_denied() {
        for written in [
            "file:///etc/passwd",
            "chrome://version",
            "javascript:alert(1)",
            "view-source:https://a.test",
            "data:text/html,x",
            "about:config",
            "FILE:/x",
            "blob:https://a.test/1",
            "devtools://x",
        ] {
            assert_eq!(address(written).unwrap_err().code(), "denied", "{written}");
        }
    }

    #[test]
    fn refusals_keep_chromes_name() {
        assert_eq!(
            refused("net::ERR_CONNECTION_REFUSED", "http://localhost:8000/x").to_string(),
            "net::ERR_CONNECTION_REFUSED: Failed to connect to localhost:8000"
        );
    }
}
