//! JSON-RPC 2.0 envelopes: what a line is, before anyone asks what it means.
//!
//! Reads one message and says precisely what is wrong with a bad one. Methods, their
//! parameters and their answers belong to the protocol above.

use serde_json::{Map, Value, json};

/// The error numbers of JSON-RPC 2.0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Code {
    /// The line is not JSON.
    Parse,
    /// It is JSON, but no message.
    InvalidRequest,
    /// Nobody here does that.
    MethodNotFound,
    /// The parameters are not what the method takes.
    InvalidParams,
    /// Our fault.
    Internal,
    /// A number of the protocol above.
    Other(i64),
}

impl Code {
    fn number(self) -> i64 {
        match self {
            Self::Parse => -32700,
            Self::InvalidRequest => -32600,
            Self::MethodNotFound => -32601,
            Self::InvalidParams => -32602,
            Self::Internal => -32603,
            Self::Other(number) => number,
        }
    }
}

/// Why a message got no result.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Refusal {
    code: Code,
    message: String,
    /// Boxed, because a refusal is carried far and seldom has any.
    data: Option<Box<Value>>,
}

impl Refusal {
    pub(crate) fn new(code: Code, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), data: None }
    }

    pub(crate) fn with_data(mut self, data: Value) -> Self {
        self.data = Some(Box::new(data));
        self
    }

    /// The answer to send; `id` is null when the message had none we could read.
    pub(crate) fn reply(self, id: Value) -> Value {
        let mut error = json!({ "code": self.code.number(), "message": self.message });
        if let Some(data) = self.data {
            error["data"] = *data;
        }
        json!({ "jsonrpc": "2.0", "id": id, "error": error })
    }
}

/// One message.
#[derive(Debug, PartialEq)]
pub(crate) enum Message {
    /// Wants an answer.
    Request {
        /// A string or a whole number.
        id: Value,
        /// What is asked.
        method: String,
        /// With what; not looked into yet.
        params: Option<Value>,
    },
    /// Wants none.
    Notification {
        /// What happened.
        method: String,
        /// With what.
        params: Option<Value>,
    },
    /// Answers a request of ours.
    Response,
}

/// Reads a line. An array is a batch, which only some protocols have.
pub(crate) fn parse(line: &[u8]) -> Result<Value, Refusal> {
    // RFC 8259 lets a reader ignore a byte order mark; some editors and shells write one.
    let line = line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line);
    serde_json::from_slice(line)
        .map_err(|error| Refusal::new(Code::Parse, format!("The line is not JSON: {error}")))
}

/// Reads one message; a refusal comes with the id it is to be sent to.
pub(crate) fn message(value: Value) -> Result<Message, (Refusal, Value)> {
    let Value::Object(mut object) = value else {
        return Err((invalid("A message must be an object"), Value::Null));
    };
    let id = read_id(&mut object).map_err(|refusal| (refusal, Value::Null))?;
    let answer_to = id.clone().unwrap_or(Value::Null);
    if object.get("jsonrpc").and_then(Value::as_str) != Some("2.0") {
        return Err((invalid("'jsonrpc' must be \"2.0\""), answer_to));
    }
    let method = match object.remove("method") {
        Some(Value::String(method)) => method,
        Some(_) => return Err((invalid("'method' must be a string"), answer_to)),
        None if object.contains_key("result") || object.contains_key("error") => {
            return Ok(Message::Response);
        }
        None => return Err((invalid("A message needs a 'method'"), answer_to)),
    };
    let params = object.remove("params");
    Ok(match id {
        Some(id) => Message::Request { id, method, params },
        None => Message::Notification { method, params },
    })
}

/// Null is no id: nobody could tell its answer from that to an unreadable line.
fn read_id(object: &mut Map<String, Value>) -> Result<Option<Value>, Refusal> {
    match object.remove("id") {
        None => Ok(None),
        Some(id) if id.is_string() || id.is_i64() => Ok(Some(id)),
        // An error answer to an unreadable line of ours would carry null.
        Some(Value::Null) if object.contains_key("error") => Ok(None),
        Some(_) => Err(invalid("'id' must be a string or a whole number")),
    }
}

fn invalid(message: &str) -> Refusal {
    Refusal::new(Code::InvalidRequest, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_a_string_or_a_whole_number() {
        for id in [json!(7), json!("seven"), json!(-1)] {
            let read = message(json!({ "jsonrpc": "2.0", "id": id, "method": "a" })).unwrap();
            assert_eq!(read, Message::Request { id, method: "a".into(), params: None });
        }
        for id in [json!(null), json!(1.5), json!(true), json!([1]), json!(u64::MAX)] {
            let (refusal, to) =
                message(json!({ "jsonrpc": "2.0", "id": id, "method": "a" })).unwrap_err();
            assert_eq!((refusal.code, to), (Code::InvalidRequest, Value::Null), "{id}");
        }
    }

    #[test]
    fn a_bad_message_with_a_good_id_is_answered_to_that_id() {
        for (bad, says) in [
            (json!({ "id": 3, "method": "a" }), "'jsonrpc' must be \"2.0\""),
            (json!({ "jsonrpc": "1.0", "id": 3, "method": "a" }), "'jsonrpc' must be \"2.0\""),
            (json!({ "jsonrpc": "2.0", "id": 3 }), "A message needs a 'method'"),
            (json!({ "jsonrpc": "2.0", "id": 3, "method": 4 }), "'method' must be a string"),
        ] {
            let (refusal, to) = message(bad).unwrap_err();
            assert_eq!((refusal.message.as_str(), to), (says, json!(3)));
        }
    }

    #[test]
    fn answers_are_recognised_and_not_refused() {
        for answer in [
            json!({ "jsonrpc": "2.0", "id": 1, "result": {} }),
            json!({ "jsonrpc": "2.0", "id": null, "error": { "code": -1, "message": "" } }),
        ] {
            assert_eq!(message(answer).unwrap(), Message::Response);
        }
    }

    #[test]
    fn a_byte_order_mark_is_ignored() {
        assert_eq!(parse(b"\xEF\xBB\xBF[]").unwrap(), json!([]));
    }
}
