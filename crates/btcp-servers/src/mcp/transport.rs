//! The transport under rmcp: lines in through the gate, lines out through one queue.
//!
//! The queue is bounded, and a line is read only while it has room for the answer, so
//! a client that stops reading is no longer read from either. At the end of the input
//! calls under way get a moment to finish, then everything stops.

use std::collections::VecDeque;
use std::io;
use std::time::Duration;

use rmcp::RoleServer;
use rmcp::model::ClientJsonRpcMessage;
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use serde_json::Value;
use tokio::io::AsyncRead;
use tokio::sync::{mpsc, watch};
use tokio::time::Instant;

use super::gate::Gate;
use super::lines::{Line, Lines};

/// Lines that may wait to be written.
pub(crate) const QUEUE: usize = 64;

/// One client's two streams.
pub(crate) struct Pipe<R> {
    lines: Lines<R>,
    gate: Gate,
    inbox: VecDeque<ClientJsonRpcMessage>,
    queue: mpsc::Sender<Vec<u8>>,
    /// Set to true when calls are to stop.
    ended: watch::Sender<bool>,
    grace: Duration,
    /// When the calls under way must have finished; set at the end of the input.
    deadline: Option<Instant>,
}

impl<R: AsyncRead + Send + Unpin> Pipe<R> {
    /// `grace` is how long calls may go on after the end of the input.
    pub(crate) fn new(
        reader: R,
        queue: mpsc::Sender<Vec<u8>>,
        ended: watch::Sender<bool>,
        grace: Duration,
    ) -> Self {
        Self {
            lines: Lines::new(reader),
            gate: Gate::default(),
            inbox: VecDeque::new(),
            queue,
            ended,
            grace,
            deadline: None,
        }
    }

    /// Reads one line. rmcp drops this at any time, so nothing may be half done at an await.
    async fn read(&mut self) {
        // A slot first: an answer of our own must never wait while we hold a line.
        let Ok(slot) = self.queue.reserve().await else {
            self.deadline = Some(Instant::now());
            return;
        };
        let line = tokio::select! {
            line = self.lines.next() => line,
            () = self.queue.closed() => {
                self.deadline = Some(Instant::now());
                return;
            }
        };
        match line {
            Ok(Line::Whole(line)) => {
                let verdict = self.gate.admit(&line);
                self.inbox.extend(verdict.deliver);
                if let Some(answer) = verdict.answer {
                    slot.send(written(&answer));
                }
            }
            Ok(Line::TooLong) => slot.send(written(&Gate::too_long())),
            Ok(Line::End) => self.deadline = Some(Instant::now() + self.grace),
            Err(error) => {
                tracing::warn!(%error, "the input cannot be read");
                self.deadline = Some(Instant::now());
            }
        }
    }
}

impl<R: AsyncRead + Send + Unpin> Transport<RoleServer> for Pipe<R> {
    type Error = io::Error;

    fn send(
        &mut self,
        message: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        let line = self.gate.release(&message);
        let queue = self.queue.clone();
        async move {
            let Some(line) = line else { return Ok(()) };
            queue.send(line).await.map_err(|_| io::ErrorKind::BrokenPipe.into())
        }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            if let Some(message) = self.inbox.pop_front() {
                return Some(message);
            }
            let Some(deadline) = self.deadline else {
                self.read().await;
                continue;
            };
            // rmcp calls us again after every answer it sends, so this is looked at anew then.
            if !self.gate.is_idle() {
                tokio::time::sleep_until(deadline).await;
            }
            self.ended.send_replace(true);
            return None;
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn written(answer: &Value) -> Vec<u8> {
    let mut line = answer.to_string().into_bytes();
    line.push(b'\n');
    line
}
