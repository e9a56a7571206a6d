//! The gate: which lines reach rmcp, and which we answer ourselves.
//!
//! rmcp stays silent on a line that is not JSON and calls bad parameters an unknown
//! method; here every message is judged by its revision first, so that what reaches
//! rmcp is a request it can serve. The gate also knows what is still to be answered:
//! cancelled ids are forgotten, and the answers to a batch are gathered into one array.

use std::collections::HashMap;

use rmcp::model::{
    CallToolRequest, CallToolRequestParams, CancelledNotification, CancelledNotificationParam,
    ClientJsonRpcMessage, ClientRequest, DiscoverRequest, DiscoverRequestParams, GetMeta,
    InitializeRequest, InitializeRequestParams, JsonRpcMessage, ListToolsRequest,
    PaginatedRequestParams, PingRequest, RequestId, RequestMetaObject, ServerJsonRpcMessage,
};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::lines::LONGEST;
use super::revision::Revision;
use crate::jsonrpc::{self, Code, Message, Refusal};

/// More requests than this at once are refused; no agent has that many hands.
pub(crate) const MOST_AT_ONCE: usize = 128;

/// What is to be done about a line.
#[derive(Default)]
pub(crate) struct Verdict {
    /// For rmcp.
    pub(crate) deliver: Vec<ClientJsonRpcMessage>,
    /// For the client, at once.
    pub(crate) answer: Option<Value>,
}

impl Verdict {
    fn answer(answer: Value) -> Self {
        Self { deliver: Vec::new(), answer: Some(answer) }
    }
}

/// The state of one connection.
#[derive(Default)]
pub(crate) struct Gate {
    /// What `initialize` settled on.
    settled: Option<Revision>,
    /// Requests without an answer yet, and the batch they came in.
    unanswered: HashMap<RequestId, Option<u64>>,
    batches: HashMap<u64, Batch>,
    last_batch: u64,
}

/// Messages that came in one array and are answered in one.
#[derive(Default)]
struct Batch {
    waiting: usize,
    answers: Vec<Value>,
}

impl Gate {
    /// Judges a line.
    pub(crate) fn admit(&mut self, line: &[u8]) -> Verdict {
        if line.trim_ascii().is_empty() {
            return Verdict::default();
        }
        match jsonrpc::parse(line) {
            Err(refusal) => Verdict::answer(refusal.reply(Value::Null)),
            Ok(Value::Array(messages)) => self.admit_batch(messages),
            Ok(message) => self.admit_one(message, None),
        }
    }

    /// The answer to a line that was too long to keep.
    pub(crate) fn too_long() -> Value {
        let message = format!("The line is longer than {} MB", LONGEST / 1024 / 1024);
        Refusal::new(Code::InvalidRequest, message).reply(Value::Null)
    }

    /// What to write for a message of rmcp's; nothing if its request was cancelled or its
    /// batch is not complete.
    pub(crate) fn release(&mut self, message: &ServerJsonRpcMessage) -> Option<Vec<u8>> {
        let id = match message {
            JsonRpcMessage::Response(response) => &response.id,
            JsonRpcMessage::Error(error) => error.id.as_ref()?,
            JsonRpcMessage::Request(_) | JsonRpcMessage::Notification(_) => return line(message),
        };
        match self.unanswered.remove(id)? {
            None => line(message),
            Some(batch) => {
                let answer = serde_json::to_value(message).ok()?;
                line(&self.settle(batch, Some(answer))?)
            }
        }
    }

    /// Whether every request has its answer.
    pub(crate) fn is_idle(&self) -> bool {
        self.unanswered.is_empty()
    }

    fn admit_batch(&mut self, messages: Vec<Value>) -> Verdict {
        let refusal = if !self.settled.is_some_and(Revision::has_batches) {
            Some("Batches exist in revision 2025-03-26 only")
        } else if messages.is_empty() {
            Some("A batch must hold a message")
        } else {
            None
        };
        if let Some(message) = refusal {
            let refusal = Refusal::new(Code::InvalidRequest, message);
            return Verdict::answer(refusal.reply(Value::Null));
        }
        self.last_batch += 1;
        let key = self.last_batch;
        self.batches.insert(key, Batch { waiting: 1, answers: Vec::new() });
        let mut deliver = Vec::new();
        for message in messages {
            let verdict = self.admit_one(message, Some(key));
            deliver.extend(verdict.deliver);
            if let (Some(answer), Some(batch)) = (verdict.answer, self.batches.get_mut(&key)) {
                batch.answers.push(answer);
            }
        }
        // The one we counted for reading the batch itself.
        Verdict { deliver, answer: self.settle(key, None) }
    }

    fn admit_one(&mut self, message: Value, batch: Option<u64>) -> Verdict {
        match jsonrpc::message(message) {
            Err((refusal, id)) => Verdict::answer(refusal.reply(id)),
            Ok(Message::Response) => Verdict::default(), // We never ask, so there is nothing to match.
            Ok(Message::Notification { method, params }) => self.note(&method, params),
            Ok(Message::Request { id, .. }) if self.is_unanswered(&id) => {
                // To that id it would be taken for the first one's answer.
                let message = format!("Id {id} belongs to a request that is not answered yet");
                Verdict::answer(Refusal::new(Code::InvalidRequest, message).reply(Value::Null))
            }
            Ok(Message::Request { id, method, params }) => {
                match self.admit_request(&id, &method, params, batch) {
                    Ok(message) => Verdict { deliver: vec![message], answer: None },
                    Err(refusal) => Verdict::answer(refusal.reply(id)),
                }
            }
        }
    }

    /// Only a cancellation concerns us; `initialized` and the rest need no reaction.
    fn note(&mut self, method: &str, params: Option<Value>) -> Verdict {
        if method != "notifications/cancelled" {
            return Verdict::default();
        }
        let cancelled: CancelledNotificationParam = match read(method, params.unwrap_or_default()) {
            Ok(cancelled) => cancelled,
            Err(refusal) => {
                tracing::debug!(?refusal, "a cancellation that cannot be read");
                return Verdict::default();
            }
        };
        let Some(batch) = cancelled.request_id.as_ref().and_then(|id| self.unanswered.remove(id))
        else {
            return Verdict::default(); // Answered already, or never asked.
        };
        let notification = CancelledNotification::new(cancelled).into();
        Verdict {
            deliver: vec![ClientJsonRpcMessage::notification(notification)],
            answer: batch.and_then(|batch| self.settle(batch, None)),
        }
    }

    fn admit_request(
        &mut self,
        id: &Value,
        method: &str,
        params: Option<Value>,
        batch: Option<u64>,
    ) -> Result<ClientJsonRpcMessage, Refusal> {
        let mut params = match params {
            None => Map::new(),
            Some(Value::Object(params)) => params,
            Some(_) => return Err(Refusal::new(Code::InvalidParams, "'params' must be an object")),
        };
        let meta = match params.remove("_meta") {
            None => None,
            Some(Value::Object(meta)) => Some(meta),
            Some(_) => return Err(Refusal::new(Code::InvalidParams, "'_meta' must be an object")),
        };
        let revision = Revision::of_request(method, meta.as_ref(), self.settled)?;
        if !revision.serves(method) {
            let message = format!("Method '{method}' does not exist in {}", revision.name());
            return Err(Refusal::new(Code::MethodNotFound, message));
        }
        if batch.is_some() && method == "initialize" {
            return Err(Refusal::new(Code::InvalidRequest, "initialize must not be in a batch"));
        }
        let mut request = typed(method, Value::Object(params))?;
        *request.get_meta_mut() = meta.map(RequestMetaObject::from).unwrap_or_default();
        let id = self.register(id, batch)?;
        if let ClientRequest::InitializeRequest(request) = &request {
            self.settled = Some(Revision::negotiate(request.params.protocol_version.as_str()));
        }
        Ok(ClientJsonRpcMessage::request(request, id))
    }

    fn is_unanswered(&self, id: &Value) -> bool {
        read("id", id.clone()).is_ok_and(|id: RequestId| self.unanswered.contains_key(&id))
    }

    fn register(&mut self, id: &Value, batch: Option<u64>) -> Result<RequestId, Refusal> {
        let id: RequestId = read("id", id.clone())?;
        if self.unanswered.len() >= MOST_AT_ONCE {
            let message = format!("{MOST_AT_ONCE} requests are already under way");
            return Err(Refusal::new(Code::Internal, message));
        }
        self.unanswered.insert(id.clone(), batch);
        if let Some(batch) = batch.and_then(|batch| self.batches.get_mut(&batch)) {
            batch.waiting += 1;
        }
        Ok(id)
    }

    /// One member of a batch is done; gives the whole answer when it was the last.
    fn settle(&mut self, key: u64, answer: Option<Value>) -> Option<Value> {
        let batch = self.batches.get_mut(&key)?;
        batch.answers.extend(answer);
        batch.waiting -= 1;
        if batch.waiting > 0 {
            return None;
        }
        let batch = self.batches.remove(&key)?;
        (!batch.answers.is_empty()).then_some(Value::Array(batch.answers))
    }
}

/// The request as rmcp has it. `Revision::serves` names the same methods.
fn typed(method: &str, params: Value) -> Result<ClientRequest, Refusal> {
    Ok(match method {
        "initialize" => {
            InitializeRequest::new(read::<InitializeRequestParams>(method, params)?).into()
        }
        "ping" => PingRequest::default().into(),
        "server/discover" => DiscoverRequest::new(DiscoverRequestParams::default()).into(),
        "tools/list" => {
            let params: PaginatedRequestParams = read(method, params)?;
            if let Some(cursor) = params.cursor {
                let message = format!("Cursor '{cursor}' was never given: the list is one page");
                return Err(Refusal::new(Code::InvalidParams, message));
            }
            ListToolsRequest::default().into()
        }
        "tools/call" => CallToolRequest::new(read::<CallToolRequestParams>(method, params)?).into(),
        _ => return Err(Refusal::new(Code::MethodNotFound, format!("Method '{method}'"))),
    })
}

fn read<T: DeserializeOwned>(what: &str, value: Value) -> Result<T, Refusal> {
    serde_json::from_value(value).map_err(|error| {
        Refusal::new(Code::InvalidParams, format!("{what} has bad parameters: {error}"))
    })
}

fn line<T: serde::Serialize>(message: &T) -> Option<Vec<u8>> {
    match serde_json::to_vec(message) {
        Ok(mut line) => {
            line.push(b'\n');
            Some(line)
        }
        Err(error) => {
            tracing::error!(%error, "an answer that is not JSON");
            None
        }
    }
}
