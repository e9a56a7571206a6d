//! One client of the daemon: its requests, one after the other.
//!
//! A client that goes away takes its call along: the work in the browser stops.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use btcp_actions::{Access, Caller, Catalog, Failure};
use serde_json::{Map, Value, json};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::UnixStream;
use tokio::net::unix::{OwnedReadHalf, OwnedWriteHalf};
use tokio::sync::broadcast;
use tokio::task::JoinSet;

use super::engines::Seat;
use super::server::{Phase, Shared};
use super::wire::{self, ALIVE, Call, LONGEST_REQUEST, OTHER_BUILD, RETIRED, Told};
use crate::jsonrpc::{self, Message};

/// A client that asks for nothing for so long is no longer listened to.
const SILENT: Duration = Duration::from_secs(30 * 60);

/// How often it is looked how far downloads are, for those who watch.
const LOOK: Duration = Duration::from_millis(200);

/// A client that takes longer to read an answer is gone for us.
const WRITTEN: Duration = Duration::from_secs(60);

/// Serves a client until it leaves.
pub(super) async fn serve(stream: UnixStream, shared: Arc<Shared>) {
    // The folder lets nobody else in; whoever got past it is not answered either.
    let ours = rustix::process::geteuid().as_raw();
    match stream.peer_cred() {
        Ok(peer) if peer.uid() == ours => {}
        other => {
            tracing::warn!(?other, "a client of another user was turned away");
            return;
        }
    }
    let (reading, writing) = stream.into_split();
    let mut client = Client { reading: BufReader::new(reading), writing };
    while let Some(line) = client.read().await {
        if client.answer(&line, &shared).await.is_none() {
            return;
        }
    }
}

struct Client {
    reading: BufReader<OwnedReadHalf>,
    writing: OwnedWriteHalf,
}

impl Client {
    /// The next request; `None` when there will be none.
    async fn read(&mut self) -> Option<Vec<u8>> {
        let mut line = Vec::new();
        let mut limited = (&mut self.reading).take(LONGEST_REQUEST as u64);
        let read = limited.read_until(b'\n', &mut line);
        match tokio::time::timeout(SILENT, read).await {
            Ok(Ok(1..)) if line.ends_with(b"\n") => Some(line),
            _ => None,
        }
    }

    /// Answers a request; `None` if nobody is there to hear it.
    async fn answer(&mut self, line: &[u8], shared: &Arc<Shared>) -> Option<()> {
        let message = jsonrpc::parse(line).map_err(|refusal| (refusal, Value::Null));
        let (id, method, params) = match message.and_then(jsonrpc::message) {
            Ok(Message::Request { id, method, params }) => (id, method, params),
            Ok(_) => return Some(()),
            Err((refusal, id)) => {
                let mut line = refusal.reply(id).to_string().into_bytes();
                line.push(b'\n');
                return self.write(&line).await;
            }
        };
        match method.as_str() {
            "call" => self.call(&id, params.unwrap_or_default(), shared).await,
            "status" => self.write(&wire::result(&id, &shared.status())).await,
            "retire" => {
                shared.enter(Phase::Retired);
                self.write(&wire::result(&id, &json!({ "success": true }))).await
            }
            "stop" => {
                shared.enter(Phase::Stopped);
                self.write(&wire::result(&id, &json!({ "success": true }))).await
            }
            other => {
                let says = format!("Method '{other}' does not exist");
                self.write(&wire::refusal(&id, "unknown_method", &says)).await
            }
        }
    }

    async fn write(&mut self, line: &[u8]) -> Option<()> {
        let written = tokio::time::timeout(WRITTEN, self.writing.write_all(line)).await;
        matches!(written, Ok(Ok(()))).then_some(())
    }

    async fn call(&mut self, id: &Value, params: Value, shared: &Arc<Shared>) -> Option<()> {
        if params.get("build").and_then(Value::as_str) != Some(&shared.build) {
            let says = format!("The daemon is btcp {}", shared.build);
            return self.write(&wire::refusal(id, OTHER_BUILD, &says)).await;
        }
        let call: Call = match serde_json::from_value(params) {
            Ok(call) => call,
            Err(error) => {
                return self.write(&wire::refusal(id, "invalid_params", &error.to_string())).await;
            }
        };
        let Some(running) = shared.begin() else {
            return self.write(&wire::refusal(id, RETIRED, "The daemon is about to end")).await;
        };
        if let Some(idle) = shared.engines.host().idle(&call.settings) {
            shared.outlive(idle);
        }
        let answered = self.run(id, call, shared).await;
        drop(running);
        answered
    }

    async fn run(&mut self, id: &Value, call: Call, shared: &Arc<Shared>) -> Option<()> {
        let seat = match shared.engines.seat(&call.session, &call.settings) {
            Ok(seat) => seat,
            Err(why) => return self.write(&wire::refusal(id, "invalid_params", &why)).await,
        };
        let (catalog, folder) = (seat.engine.catalog.clone(), call.folder.as_deref());
        let (catalog, grant) = match shared.engines.host().admit(catalog, &call.settings, folder) {
            Ok(admitted) => admitted,
            Err(why) => return self.write(&wire::refusal(id, "invalid_params", &why)).await,
        };
        let caller = Caller::new(call.session.clone(), grant);
        let watched_action = call.action.as_deref().filter(|_| call.watched);
        let limit =
            watched_action.and_then(|action| catalog.patience(&caller, action, &call.arguments));
        let limit = limit.map_or(Value::Null, |limit| json!({ "limit": limit.as_millis() as u64 }));
        self.write(&wire::notification("begun", &limit)).await?;
        let Seat { engine, left, note } = seat;
        if let Some(left) = left {
            left.catalog.sessions().close(&call.session).await;
        }
        let mut lines = engine.progress.subscribe();
        let watched = call.watched.then(|| (engine.catalog.clone(), call.session));
        let entry = call.action.as_deref().and_then(|action| catalog.find(action));
        let changes = entry.is_some_and(|entry| entry.access == Access::Changes);
        // In a task of its own, so that a bug in an action is an answer, not silence.
        let mut task = JoinSet::new();
        task.spawn(async move {
            let Some(action) = call.action else { return opened(&catalog, &caller).await };
            let outcome = catalog.call(&caller, &action, call.arguments).await?;
            Ok((outcome.text.plain(), outcome.data))
        });
        let ended = self.attend(&mut task, &mut lines, watched, shared).await?;
        let line = match ended {
            Ended::Did(Ok((text, data))) => {
                let failed = data.get("success") == Some(&Value::Bool(false));
                wire::result(id, &Told { text, failed, data: call.data.then_some(data), note })
            }
            Ended::Did(Err(failure)) => wire::failure(id, &failure),
            Ended::Broke => {
                let says = "The action broke down; this is a bug in btcp";
                wire::refusal(id, "internal", says)
            }
            Ended::Stopped => wire::failure(id, &stopped(changes)),
        };
        self.write(&line).await
    }

    /// Waits for a call, and tells meanwhile that it is under way.
    async fn attend(
        &mut self,
        task: &mut JoinSet<Result<(String, Value), Failure>>,
        lines: &mut broadcast::Receiver<String>,
        watched: Option<(Catalog, String)>,
        shared: &Shared,
    ) -> Option<Ended> {
        let mut phase = shared.phase.subscribe();
        let mut alive = tokio::time::interval(ALIVE);
        alive.reset();
        let mut look = tokio::time::interval(LOOK);
        let mut told = None;
        let mut there = true;
        loop {
            let line = tokio::select! {
                ended = task.join_next() => return Some(match ended {
                    Some(Ok(did)) => Ended::Did(did),
                    _ => Ended::Broke,
                }),
                _ = phase.wait_for(|phase| *phase == Phase::Stopped) => return Some(Ended::Stopped),
                // Its next request may lie there already; only the end of all is of interest.
                more = self.reading.fill_buf(), if there => match more {
                    Ok([]) | Err(_) => return None,
                    Ok(_) => {
                        there = false;
                        continue;
                    }
                },
                Ok(line) = lines.recv() => {
                    wire::notification("progress", &json!({ "text": line }))
                }
                _ = look.tick(), if watched.is_some() => {
                    let amount = watched.as_ref().and_then(|(catalog, session)| {
                        catalog.sessions().peek(session)?.downloading()
                    });
                    let Some((done, total)) = amount.filter(|_| amount != told) else { continue };
                    told = amount;
                    wire::notification("amount", &json!({ "done": done, "total": total }))
                }
                _ = alive.tick() => wire::notification("alive", &Value::Null),
            };
            self.write(&line).await?;
        }
    }
}

/// Opens the session of a caller, and tells which browser it is in.
async fn opened(catalog: &Catalog, caller: &Caller) -> Result<(String, Value), Failure> {
    let browser = catalog.open(caller).await?;
    let text = format!("session '{}' is in {browser}", caller.session);
    let data = json!({ "success": true, "session": caller.session, "browser": browser });
    Ok((text, data))
}

/// How a call ended.
enum Ended {
    /// With the text for a person, and the object for a program.
    Did(Result<(String, Value), Failure>),
    Broke,
    Stopped,
}

/// A call that was under way when the daemon was told to stop. Of one that changes something nobody
/// knows whether it did.
fn stopped(changes: bool) -> Failure {
    Failure {
        code: "cancelled",
        message: "The daemon was stopped while the call was under way".to_owned(),
        hint: None,
        done: changes.then_some(btcp_actions::engine::Done::Unknown),
        data: Map::new(),
    }
}

/// Counts a call for as long as it lives.
pub(super) struct Running(pub(super) Arc<Shared>);

impl Drop for Running {
    fn drop(&mut self) {
        self.0.used();
        self.0.running.fetch_sub(1, Ordering::AcqRel);
        self.0.less.notify_waiters();
    }
}
