//! Navigations a person has ruled with `--allow` and `--deny`: each is held until it was judged. With
//! `--allow-resources` too: where a tab is led is no resource, and the listener is told before Chrome connects.
//!
//! Only then are documents held at all, because it costs time. By TLS the listener sees a host but
//! not whether a tab goes there, so rules about navigations cannot be its business.

use std::sync::Arc;

use btcp_cdp::{SessionId, fetch};

use super::{Origin, Reason, Who};
use crate::tab_state::TabState;

impl TabState {
    /// A request is held; if it leads the tab somewhere, it goes on only if it may.
    pub(crate) fn navigation_held(
        self: &Arc<Self>,
        session: &SessionId,
        held: fetch::RequestPaused,
    ) {
        let leads = held.resource_type == "Document" && held.frame_id == self.target;
        let ruled = self.shared.guard.rules().holds_navigations();
        let url = held.request.as_ref().map(|request| request.url.as_str());
        let origin = url.filter(|_| leads && ruled).and_then(Origin::of);
        let Some(origin) = origin else { return self.let_go(session, &held) };
        let (tab, session) = (self.clone(), session.clone());
        // To judge it a name may have to be looked up, for which nobody else waits.
        tokio::spawn(async move {
            let guard = &tab.shared.guard;
            // Where it lies is judged when it is dialled; here only what the person has ruled.
            match guard.may_navigate(&origin, Who::Agent).await {
                Ok(()) => {
                    guard.memory.led(&origin);
                    tab.let_go(&session, &held);
                }
                Err(refusal) => {
                    guard.memory.failed(&origin.host, origin.port, Reason::Refused(refusal));
                    let end = fetch::FailRequest {
                        request_id: &held.request_id,
                        error_reason: "AddressUnreachable",
                    };
                    tab.connection.post(Some(&session), &end);
                }
            }
        });
    }
}
