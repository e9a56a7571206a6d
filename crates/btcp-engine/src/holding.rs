//! Before an agent goes to a private host by TLS, requests to it are held in every page and worker of the
//! session, so that each can be judged by who asks (`egress/askers.rs`).
//!
//! Sessions that go to no such host hold nothing and wait for nothing.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use btcp_cdp::{Connection, SessionId, network, page, target};
use futures_util::future::join_all;
use tokio::time::{Instant, sleep};

use crate::egress::{Host, Witness};
use crate::error::{Error, Result};
use crate::headers;
use crate::session::Session;
use crate::tab_state::{Shared, TabState};

/// How long pages may take to hold what they send: one that is being left answers only once it was.
const HELD: Duration = Duration::from_millis(500);

/// How long they may take to tell of their WebSockets.
const TOLD: Duration = Duration::from_secs(2);

/// After so long without a refused connection nothing is left of what pages sent before.
const STILL: Duration = Duration::from_millis(250);

/// How often quiet is waited for.
const LOOKS: u32 = 12;

/// Where requests are held: those to origins with headers of the person's, and to private hosts by TLS.
pub(crate) fn addresses(shared: &Shared) -> Vec<String> {
    let mut all = headers::addresses(&shared.headers);
    for host in shared.guard.memory.held.hosts() {
        all.extend([format!("https://{host}/*"), format!("https://{host}:*")]);
    }
    all
}

/// What a process with frames does differently as long as a private host is held.
pub(crate) fn begin(connection: &Connection, session: &SessionId, shared: &Shared) {
    if shared.guard.memory.held.any() {
        // A worker of that host's would answer what anybody's page leads to, and ask its server itself.
        connection.post(Some(session), &network::SetBypassServiceWorker { bypass: true });
    }
}

/// The same for a worker: who makes WebSockets is told, in workers of its own too.
pub(crate) fn begin_worker(connection: &Connection, session: &SessionId, shared: &Shared) {
    if !shared.guard.memory.held.any() {
        return;
    }
    connection.post(Some(session), &network::Enable::default());
    let workers = [target::FilterEntry { kind: Some("worker"), exclude: None }];
    let attach = target::SetAutoAttach {
        auto_attach: true,
        wait_for_debugger_on_start: true,
        flatten: true,
        filter: Some(&workers),
    };
    connection.post(Some(session), &attach);
}

/// Whether a worker must be ended before it runs: of shared ones Chrome 156 does not hold all requests, of
/// those made of a blob none. Those of a held host's own files are that host's.
pub(crate) fn must_not_run(info: &target::TargetInfo, shared: &Shared) -> bool {
    let held = &shared.guard.memory.held;
    info.kind == "shared_worker" && held.any() && held.origin_of(&info.url).is_none()
}

impl Session {
    /// Holds requests to the host of this address before anybody goes there, if that must be.
    pub(crate) async fn hold_for(&self, url: &str) -> Result<()> {
        let guard = self.guard();
        let Some((host, addresses)) = guard.to_hold(url).await else { return Ok(()) };
        guard.memory.held.hold(&host, addresses);
        self.browser.hold_workers();
        let deadline = Instant::now() + HELD;
        let tabs = self.open_tabs();
        join_all(tabs.iter().map(|tab| tab.hold(deadline))).await;
        // What pages had sent before is on its way to the guard, which knows no leave for it yet.
        for _ in 0..LOOKS {
            match guard.memory.refused_ago(&host) {
                Some(ago) if ago < STILL => sleep(STILL - ago).await,
                _ => return Ok(()),
            }
        }
        Err(Error::Denied {
            message: format!("{host} is denied: a page of this session keeps asking for it"),
        })
    }
}

/// Before a WebSocket to a private host connects, whoever else could have made it has told so.
impl Witness for Session {
    fn heard(&self, host: &Host) -> Pin<Box<dyn Future<Output = bool> + Send>> {
        let deadline = Instant::now() + TOLD;
        let mut asked = Vec::new();
        for tab in self.open_tabs() {
            for session in tab.others_than(host) {
                let call =
                    tab.connection.call(Some(&session), &network::Enable::default(), deadline);
                asked.push((tab.clone(), session, call));
            }
        }
        Box::pin(async move {
            let answers = asked.into_iter().map(|(tab, session, call)| async move {
                // One that is gone meanwhile makes nothing any more.
                call.await.is_ok() || !tab.sessions().contains(&session)
            });
            join_all(answers).await.into_iter().all(|answered| answered)
        })
    }
}

impl TabState {
    /// Holds requests from now on, in all processes of the tab.
    async fn hold(self: &Arc<Self>, deadline: Instant) {
        let workers: Vec<SessionId> = self.facts().workers.keys().cloned().collect();
        for worker in &workers {
            begin_worker(&self.connection, worker, &self.shared);
        }
        let held = self.sessions().into_iter().map(|session| {
            let frames = !workers.contains(&session);
            if frames {
                begin(&self.connection, &session, &self.shared);
            }
            // A question behind it is answered when what it sends from then on is held.
            let sent = crate::prompts::hold_now(
                &self.connection,
                &session,
                &self.shared,
                frames,
                deadline,
            );
            let then = match frames {
                true => Some(self.connection.call(Some(&session), &page::GetFrameTree, deadline)),
                false => None,
            };
            async move {
                if let Some(sent) = sent {
                    let _ = sent.await;
                }
                if let Some(then) = then {
                    let _ = then.await;
                }
            }
        });
        join_all(held).await;
    }
}
