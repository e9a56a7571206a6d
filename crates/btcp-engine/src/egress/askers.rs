//! Who asks a private host by TLS: judged in Chrome, where requests to such hosts are held.
//!
//! Chrome writes `Origin` and `Referer`, no page can, and they say who asks unless a redirect led there.
//! Where a page leaves them out, the document that Chrome names with the request decides, and of
//! navigations whether the agent is on its way to that very address, or nobody else could have led there.
//! Whatever is not known is anybody's.

use std::sync::Arc;
use std::time::Duration;

use btcp_cdp::{Event, SessionId, fetch, network, page};
use tokio::time::Instant;

use super::held::{Passed, Place};
use super::host::{Host, Origin};
use super::memory::Reason;
use crate::tab_state::{Facts, TabState};

/// How long Chrome may take to tell which document asks, and pages to tell what they are.
const TOLD: Duration = Duration::from_secs(1);

/// How many requests are remembered with the documents that ask.
const REMEMBERED: usize = 1000;

/// Who asks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Asker {
    /// The agent is on its way there.
    Agent,
    /// A page or worker of this host.
    Page(Host),
    /// Nobody can tell.
    Anybody,
}

impl Asker {
    fn of(host: Option<Host>) -> Self {
        host.map_or(Self::Anybody, Self::Page)
    }
}

/// The host whose code a page or worker of this address runs.
pub(crate) fn host_of(url: &str) -> Option<Host> {
    Origin::of(url.strip_prefix("blob:").unwrap_or(url)).map(|origin| origin.host)
}

impl Facts {
    /// Chrome tells which document asks for something; of others than held hosts nobody wants to know.
    fn document_asks(&mut self, session: &SessionId, e: &network::RequestWillBeSent) {
        let held = &self.shared.guard.memory.held;
        if held.origin_of(&e.request.url).is_none() {
            return;
        }
        if self.askers.len() == REMEMBERED {
            self.askers.pop_front();
        }
        let host = match self.worker_hosts.get(session) {
            Some(host) => host.clone(),
            None if is_parents(&e.document_url) => self.host_above(e.frame_id.as_deref()),
            None => host_of(&e.document_url),
        };
        self.askers.push_back((e.request_id.clone(), host));
    }

    /// The host whose code runs in a frame that has no address of its own.
    fn host_above(&self, frame: Option<&str>) -> Option<Host> {
        let mut frame = self.frames.get(frame?)?;
        while is_parents(&frame.url) {
            frame = self.frames.get(frame.parent.as_deref()?)?;
        }
        host_of(&frame.url)
    }

    /// The one host whose code runs in a process of the tab's.
    fn host_in(&self, session: &SessionId) -> Option<Host> {
        if let Some(host) = self.worker_hosts.get(session) {
            return host.clone();
        }
        let mut hosts = self.frames.all().filter(|frame| frame.session == *session);
        let mut first = None;
        let alike = hosts.all(|frame| match (host_of(&frame.url), &first) {
            (None, _) => frame.parent.is_some() && is_parents(&frame.url),
            (Some(host), Some(first)) => host == *first,
            (Some(host), None) => {
                first = Some(host);
                true
            }
        });
        first.filter(|_| alike)
    }
}

/// Whether a frame of this address runs its parent's code.
fn is_parents(url: &str) -> bool {
    matches!(url, "" | "about:blank" | "about:srcdoc")
}

impl TabState {
    /// A request is held. One to a private host by TLS goes on only if who asks may reach it.
    pub(crate) fn request_held(self: &Arc<Self>, session: &SessionId, held: fetch::RequestPaused) {
        let memory = self.shared.guard.memory.clone();
        let url = held.request.as_ref().map(|request| request.url.as_str());
        let Some(origin) = url.and_then(|url| memory.held.origin_of(url)) else {
            return self.navigation_held(session, held);
        };
        let (tab, session) = (self.clone(), session.clone());
        tokio::spawn(async move {
            let asker = tab.asker(&session, &held).await;
            let network_id = held.network_id.clone().unwrap_or_default();
            match tab.shared.guard.may_ask(&origin, &asker) {
                // What has no name will not be told when it is over.
                Ok(()) if !network_id.is_empty() => {
                    let id = name_of(&session, &held.request_id);
                    let place = tab.place(&session, &held);
                    memory.held.pass(id, Passed { origin, network_id, place });
                    tab.navigation_held(&session, held);
                }
                Ok(()) => tab.refuse(&session, &held),
                Err(refusal) => {
                    memory.failed(&origin.host, origin.port, Reason::Refused(refusal));
                    tab.refuse(&session, &held);
                }
            }
        });
    }

    fn place(&self, session: &SessionId, held: &fetch::RequestPaused) -> Place {
        let is_worker = self.facts().workers.contains_key(session);
        let frame = Some(held.frame_id.clone()).filter(|_| !is_worker);
        Place { session: session.as_str().to_owned(), tab: self.target.clone(), frame }
    }

    /// Another document is in a frame: what was under way for the one before is nobody's.
    pub(crate) fn document_came(&self, frame: &str, url: &str) {
        let guard = &self.shared.guard;
        let asker = Asker::of(host_of(url));
        let open = |origin: &Origin| guard.may_ask(origin, &asker).is_ok();
        guard.memory.held.left(&self.target, frame, open);
    }

    fn refuse(&self, session: &SessionId, held: &fetch::RequestPaused) {
        let (request_id, error_reason) = (held.request_id.as_str(), "AddressUnreachable");
        self.connection.post(Some(session), &fetch::FailRequest { request_id, error_reason });
    }

    async fn asker(&self, session: &SessionId, held: &fetch::RequestPaused) -> Asker {
        let Some(request) = &held.request else { return Asker::Anybody };
        if let Some(before) = &held.redirected_request_id {
            // Anybody's server may have led there, but for one of a host that is held itself.
            let passed = self.shared.guard.memory.held.passed(&name_of(session, before));
            return Asker::of(passed.map(|passed| passed.origin.host));
        }
        let header = |wanted: &str| {
            let mut all = request.headers.iter();
            let found = all.find(|(name, _)| name.eq_ignore_ascii_case(wanted));
            found.map(|(_, value)| value.as_str())
        };
        // A page that sends no referrer has no origin in the forms it sends either.
        let named = header("origin").filter(|origin| *origin != "null").or(header("referer"));
        if let Some(named) = named {
            return Asker::of(host_of(named));
        }
        match held.resource_type.as_str() {
            "Document" => self.who_leads(held, request).await,
            _ => self.document_that_asks(session, held).await,
        }
    }

    /// Who leads a frame there without a word about itself.
    async fn who_leads(&self, held: &fetch::RequestPaused, request: &fetch::HeldRequest) -> Asker {
        let memory = &self.shared.guard.memory;
        let agents = request.method == "GET" && held.frame_id == self.target;
        if agents && memory.is_expected_at(&request.url) {
            return Asker::Agent;
        }
        // What opened this tab, or was opened by it, may lead it somewhere and be gone already.
        if self.has_kin || self.facts().windows.asked > 0 {
            return Asker::Anybody;
        }
        // A document that has just come and leads elsewhere at once may not have been told of yet. Chrome's
        // browser process knows it, and no page can be asked while its tab is led away.
        let soon = Instant::now() + TOLD;
        let history = self.connection.call(Some(&self.session), &page::GetNavigationHistory, soon);
        let Ok(history) = history.await else { return Asker::Anybody };
        let entry = history.entries.get(history.current_index);
        let Some(host) = entry.and_then(|entry| host_of(&entry.url)) else { return Asker::Anybody };
        let facts = self.facts();
        let of_it = |session: &SessionId| facts.host_in(session).as_ref() == Some(&host);
        // Where a document should be that did not come Chrome tries again, whoever had led there.
        match !facts.failed && facts.frames.sessions().iter().all(of_it) {
            true => Asker::Page(host),
            false => Asker::Anybody,
        }
    }

    /// The document, or worker, that Chrome says a request is for.
    async fn document_that_asks(&self, session: &SessionId, held: &fetch::RequestPaused) -> Asker {
        if let Some(host) = self.facts().worker_hosts.get(session) {
            return Asker::of(host.clone());
        }
        let Some(network_id) = &held.network_id else { return Asker::Anybody };
        let told = |facts: &Facts| {
            let mut all = facts.askers.iter().rev();
            all.find(|(id, _)| id == network_id).map(|(_, host)| host.clone())
        };
        Asker::of(self.until(Instant::now() + TOLD, told).await.flatten())
    }

    /// What Chrome tells of requests as long as a private host is held; whether nobody else wants it.
    pub(crate) fn asking_event(&self, session: &SessionId, event: &Event<'_>) -> bool {
        let held = &self.shared.guard.memory.held;
        if !held.any() {
            return false;
        }
        if let Some(sent) = event.read::<network::RequestWillBeSent>() {
            self.update(|facts| facts.document_asks(session, &sent));
        } else if let Some(answer) = event.read::<network::ResponseReceived>() {
            held.answered(&answer.request_id);
            if let ("Document", Some(frame)) = (answer.kind.as_str(), &answer.frame_id) {
                held.document_comes(&self.target, frame, &answer.request_id);
            }
        } else if let Some(failed) = event.read::<network::LoadingFailed>() {
            held.answered(&failed.request_id);
        } else if let Some(made) = event.read::<network::WebSocketCreated>() {
            self.socket_made(session, made);
        } else if let Some(answer) = event.read::<network::WebSocketAnswered>() {
            held.socket_over(session.as_str(), answer.request_id);
        } else if let Some(closed) = event.read::<network::WebSocketClosed>() {
            held.socket_over(session.as_str(), closed.request_id);
        }
        // Requests of workers keep no page from being at rest.
        self.facts().workers.contains_key(session)
    }

    /// A page or worker made a WebSocket. Chrome does not hold them.
    fn socket_made(&self, session: &SessionId, made: network::WebSocketCreated) {
        let held = &self.shared.guard.memory.held;
        let Some(origin) = held.origin_of(&made.url) else { return };
        let asker = Asker::of(self.facts().host_in(session));
        let judged = self.shared.guard.may_ask(&origin, &asker);
        held.socket(session.as_str(), made.request_id, &origin, judged.is_ok());
        if let Err(refusal) = judged {
            self.shared.guard.memory.failed(&origin.host, origin.port, Reason::Refused(refusal));
        }
    }

    /// The processes that may run code of others than this host.
    pub(crate) fn others_than(&self, host: &Host) -> Vec<SessionId> {
        let sessions = self.sessions();
        let facts = self.facts();
        sessions.into_iter().filter(|id| facts.host_in(id).as_ref() != Some(host)).collect()
    }
}

/// What Chrome calls a held request, which is unique only in its session.
pub(crate) fn name_of(session: &SessionId, request: &str) -> String {
    format!("{} {request}", session.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whose_code_runs_is_told_by_an_address() {
        let host = |url| host_of(url).map(|host| host.to_string());
        assert_eq!(host("https://10.0.0.1:8443/x").as_deref(), Some("10.0.0.1"));
        assert_eq!(host("blob:https://a.test/3f").as_deref(), Some("a.test"));
        for nobodys in ["blob:null/3f", "data:text/html,x", "about:blank", "null", ""] {
            assert_eq!(host(nobodys), None, "{nobodys}");
        }
    }
}
