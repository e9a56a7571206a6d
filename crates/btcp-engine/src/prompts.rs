//! What Chrome would ask a person for, besides dialogs. None of it waits.
//!
//! A file chooser is closed as by a person who chooses nothing; to upload, files are put into
//! the field itself. A server that asks for a password gets one only if the settings have it
//! for that origin; else Chrome shows the page the server sends with its refusal. Printing does
//! nothing without a window, and permissions are denied by Chrome itself (`launch/args.rs`);
//! it tells nobody of either, so the page code listens (`web/page/src/asked.ts`). With windows
//! Chrome shows a preview, which is closed at once (`hub.rs`).

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use btcp_cdp::{Call, Connection, Empty, Event, SessionId, fetch, network, page};
use tokio::time::Instant;

use crate::dialog::Dialog;
use crate::egress::name_of;
use crate::holding;
use crate::tab_state::{Facts, Shared, TabState};

/// A name and a password for the servers of one origin that ask for them (HTTP authentication).
#[derive(Clone, PartialEq, Eq)]
pub struct Credential {
    origin: String,
    user: String,
    password: String,
}

impl FromStr for Credential {
    type Err = String;

    /// Reads `https://host:port=user:password`.
    fn from_str(written: &str) -> Result<Self, String> {
        let wanted = || "ORIGIN=USER:PASSWORD is wanted, like https://a.test=ada:secret".to_owned();
        let scheme = ["http://", "https://"].iter().find(|scheme| written.starts_with(**scheme));
        let scheme = scheme.ok_or_else(wanted)?;
        let (origin, secret) = written.split_once('=').ok_or_else(wanted)?;
        let (user, password) = secret.split_once(':').ok_or_else(wanted)?;
        let host = origin[scheme.len()..].trim_end_matches('/');
        if host.is_empty() || host.contains(['/', '?', '#', '*', '@']) || user.is_empty() {
            return Err(wanted());
        }
        let port = if *scheme == "http://" { ":80" } else { ":443" };
        let host = host.strip_suffix(port).unwrap_or(host).to_lowercase();
        let origin = format!("{scheme}{host}");
        Ok(Self { origin, user: user.to_owned(), password: password.to_owned() })
    }
}

/// Without the password: settings are logged.
impl fmt::Debug for Credential {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Credential")
            .field("origin", &self.origin)
            .field("user", &self.user)
            .finish_non_exhaustive()
    }
}

/// How many requests that were given a password are remembered.
const ASKED: usize = 1000;

/// What a process with frames is told before it runs.
pub(crate) fn begin(connection: &Connection, session: &SessionId, shared: &Shared) {
    let close = page::SetInterceptFileChooserDialog { enabled: true, cancel: Some(true) };
    connection.post(Some(session), &close);
    hold_requests(connection, session, shared);
    holding::begin(connection, session, shared);
}

/// Holds requests whose servers may want a password, and navigations where a person has ruled them.
pub(crate) fn hold_requests(connection: &Connection, session: &SessionId, shared: &Shared) {
    held(shared, true, |hold| connection.post(Some(session), hold));
}

/// Of a worker only requests that something is added to, or that lead to a private host, are held.
pub(crate) fn hold_of_worker(connection: &Connection, session: &SessionId, shared: &Shared) {
    held(shared, false, |hold| connection.post(Some(session), hold));
}

/// The same for a process that is there, and may have sent something: until its answer comes.
pub(crate) fn hold_now(
    connection: &Connection,
    session: &SessionId,
    shared: &Shared,
    frames: bool,
    deadline: Instant,
) -> Option<Call<Empty>> {
    held(shared, frames, |hold| connection.call(Some(session), hold, deadline))
}

/// What a process holds: documents if they are ruled, and what goes to some addresses.
fn held<T>(shared: &Shared, frames: bool, send: impl FnOnce(&fetch::Enable<'_>) -> T) -> Option<T> {
    if frames && !shared.credentials.is_empty() {
        // Of requests that are not held Chrome asks by a window of its own, which swallows clicks. To
        // hold them costs time, so it is done only where a password may be wanted (`launch/profile.rs`
        // has the other case).
        return Some(send(&fetch::Enable { handle_auth_requests: Some(true), patterns: None }));
    }
    let addresses = holding::addresses(shared);
    let document = fetch::RequestPattern { resource_type: Some("Document"), url_pattern: None };
    let addresses = addresses
        .iter()
        .map(|url| fetch::RequestPattern { resource_type: None, url_pattern: Some(url.as_str()) });
    let documents = frames && shared.guard.rules().holds_navigations();
    let patterns: Vec<fetch::RequestPattern<'_>> =
        documents.then_some(document).into_iter().chain(addresses).collect();
    (!patterns.is_empty())
        .then(|| send(&fetch::Enable { patterns: Some(&patterns), ..Default::default() }))
}

impl Facts {
    /// The server of a page wants a password, and got none, or a wrong one.
    pub(crate) fn password_refused(&mut self, answer: &network::ResponseReceived) {
        if answer.response.status == 401 && answer.kind == "Document" {
            let message = crate::text::cut(&answer.response.url, 200);
            self.dialogs.add(prompt("auth", message, "refused"));
        }
    }
}

/// A question that was answered before anybody could hear it.
fn prompt(kind: &str, message: String, answered: &'static str) -> Dialog {
    Dialog { kind: kind.to_owned(), message, answered: Some(answered), ..Dialog::default() }
}

impl TabState {
    /// A chooser that was closed, a request that was held, a server that asks.
    pub(crate) fn prompt_event(self: &Arc<Self>, session: &SessionId, event: &Event<'_>) {
        if let Some(chooser) = event.read::<page::FileChooserOpened>() {
            if self.take_chooser(session, &chooser) {
                return;
            }
            let message = match chooser.mode.as_str() {
                "selectMultiple" => "Choose files",
                _ => "Choose a file",
            };
            self.prompted("filechooser", message.to_owned(), "closed");
        } else if let Some(held) = event.read::<fetch::RequestPaused>() {
            self.request_held(session, held);
        } else if let Some(asked) = event.read::<fetch::AuthRequired>() {
            self.password(session, &asked);
        }
    }

    /// What the page code heard: printing, which does nothing, and permissions Chrome denied.
    pub(crate) fn asked_in_vain(&self, asked: &[String]) {
        for what in asked {
            match what.as_str() {
                "print" => self.prompted("print", "Print the page".to_owned(), "ignored"),
                name => self.prompted("permission", name.to_owned(), "denied"),
            }
        }
    }

    fn prompted(&self, kind: &str, message: String, answered: &'static str) {
        self.update(|facts| facts.dialogs.add(prompt(kind, message, answered)));
    }

    /// Each request is given what we know once; a server that asks again did not want it.
    fn password(&self, session: &SessionId, asked: &fetch::AuthRequired) {
        let origin = asked.auth_challenge.origin.trim_end_matches('/');
        let known = self.shared.credentials.iter().find(|known| known.origin == origin);
        let known = known.filter(|_| asked.auth_challenge.source != "Proxy");
        let first = {
            let mut facts = self.facts();
            if facts.asked.len() >= ASKED {
                facts.asked.clear();
            }
            facts.asked.insert(asked.request_id.clone())
        };
        let known = known.filter(|_| first);
        // With the password it may need another connection.
        let memory = &self.shared.guard.memory;
        memory.held.pass_again(&name_of(session, &asked.request_id));
        let response = match known {
            Some(known) => fetch::AuthChallengeResponse {
                response: "ProvideCredentials",
                username: Some(&known.user),
                password: Some(&known.password),
            },
            None => fetch::AuthChallengeResponse {
                response: "CancelAuth",
                username: None,
                password: None,
            },
        };
        self.connection.post(
            Some(session),
            &fetch::ContinueWithAuth {
                request_id: &asked.request_id,
                auth_challenge_response: response,
            },
        );
        // What comes of no answer is told when the server's refusal arrives.
        if known.is_some() {
            self.prompted("auth", origin.to_owned(), "given the password");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn credentials_are_read_as_written_on_a_command_line() {
        let known: Credential = "https://A.test:443=ada:se:cr=et".parse().unwrap();
        assert_eq!(known.origin, "https://a.test");
        assert_eq!((known.user.as_str(), known.password.as_str()), ("ada", "se:cr=et"));
        for wrong in ["a.test=ada:x", "https://a.test", "https://a.test=ada", "https://=a:b"] {
            assert!(wrong.parse::<Credential>().is_err(), "{wrong}");
        }
        for wrong in ["https://a.test/x=a:b", "https://*.test=a:b", "https://a.test=:b"] {
            assert!(wrong.parse::<Credential>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_password_is_not_printed() {
        let known: Credential = "http://a.test=ada:geheim".parse().unwrap();
        assert!(!format!("{known:?}").contains("geheim"));
    }
}
