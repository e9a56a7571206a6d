//! Messages on the wire: writing ours, routing Chrome's.
//!
//! An incoming message is parsed once for its envelope; the body stays raw text
//! until whoever asked for it reads it, on their own task.

use std::ops::Range;

use serde::{Deserialize, de::DeserializeOwned};
use serde_json::value::RawValue;

use crate::{Command, SessionId};

/// A command as JSON. `params` is left out where the command takes none: Chrome refuses `null`.
pub(crate) fn encode<C: Command>(
    id: u32,
    session: Option<&SessionId>,
    command: &C,
) -> serde_json::Result<Vec<u8>> {
    let mut out = Vec::with_capacity(256);
    out.extend_from_slice(br#"{"id":"#);
    serde_json::to_writer(&mut out, &id)?;
    out.extend_from_slice(br#","method":"#);
    serde_json::to_writer(&mut out, C::METHOD)?;
    if let Some(session) = session {
        out.extend_from_slice(br#","sessionId":"#);
        serde_json::to_writer(&mut out, session)?;
    }
    let without_params = out.len();
    out.extend_from_slice(br#","params":"#);
    let params = out.len();
    serde_json::to_writer(&mut out, command)?;
    if &out[params..] == b"null" {
        out.truncate(without_params);
    }
    out.push(b'}');
    Ok(out)
}

/// The envelope of a message from Chrome.
#[derive(Debug, Deserialize)]
pub(crate) struct Incoming<'a> {
    pub(crate) id: Option<u32>,
    pub(crate) method: Option<&'a str>,
    #[serde(rename = "sessionId")]
    pub(crate) session: Option<&'a str>,
    #[serde(borrow)]
    pub(crate) params: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(crate) result: Option<&'a RawValue>,
    pub(crate) error: Option<Refusal>,
}

/// Chrome's `error` object.
#[derive(Debug, Deserialize)]
pub(crate) struct Refusal {
    pub(crate) code: i64,
    #[serde(default)]
    message: String,
    /// Says which parameter was wrong, where `message` only says that one was.
    data: Option<String>,
}

impl Refusal {
    pub(crate) fn message(self) -> String {
        match self.data {
            Some(data) => format!("{} ({data})", self.message),
            None => self.message,
        }
    }
}

/// The result part of a reply: the message it came in, so that 40 MB are moved and not copied.
#[derive(Debug)]
pub(crate) struct Body {
    message: Vec<u8>,
    result: Range<usize>,
}

impl Body {
    pub(crate) fn new(message: Vec<u8>, result: Range<usize>) -> Self {
        Self { message, result }
    }

    pub(crate) fn read<R: DeserializeOwned>(&self) -> serde_json::Result<R> {
        // An answer without a result reads like an empty one.
        let result =
            if self.result.is_empty() { b"{}" } else { &self.message[self.result.clone()] };
        serde_json::from_slice(result)
    }
}

/// Where `part` lies in `whole`, of which it is a slice.
pub(crate) fn range_in(whole: &[u8], part: &str) -> Range<usize> {
    let start = part.as_ptr() as usize - whole.as_ptr() as usize;
    start..start + part.len()
}

/// Replaces `\ud83d` without its second half by `\ufffd`, in place.
///
/// JavaScript strings may hold half a surrogate pair (`"😀".slice(0, 1)` is enough) and Chrome
/// writes them out as they are; serde would refuse the whole message for it.
pub(crate) fn mend_surrogates(message: &mut [u8]) {
    let mut at = 0;
    while let Some(skip) = memchr::memchr(b'\\', &message[at..]) {
        at += skip;
        at += match (surrogate(message, at), surrogate(message, at + 6)) {
            (Some(Half::First), Some(Half::Second)) => 12,
            (Some(_), _) => {
                message[at + 2..at + 6].copy_from_slice(b"fffd");
                6
            }
            // Some other escape; two bytes step over the second backslash of `\\`.
            (None, _) => 2,
        };
        if at >= message.len() {
            return;
        }
    }
}

enum Half {
    First,
    Second,
}

/// Which half of a pair the escape at `at` is, if it is one.
fn surrogate(message: &[u8], at: usize) -> Option<Half> {
    let [b'\\', b'u', b'd' | b'D', digit, _, _] = message.get(at..at + 6)? else { return None };
    match digit {
        b'8' | b'9' | b'a' | b'b' | b'A' | b'B' => Some(Half::First),
        b'c'..=b'f' | b'C'..=b'F' => Some(Half::Second),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{browser, page};

    #[test]
    fn a_command_names_its_session_and_parameters() {
        let session = SessionId::from("S1");
        let command = page::Navigate { url: "about:blank", ..Default::default() };

        let json = encode(7, Some(&session), &command).unwrap();

        assert_eq!(
            String::from_utf8(json).unwrap(),
            r#"{"id":7,"method":"Page.navigate","sessionId":"S1","params":{"url":"about:blank"}}"#
        );
    }

    #[test]
    fn a_command_without_parameters_sends_none() {
        let json = encode(1, None, &browser::GetVersion).unwrap();

        assert_eq!(String::from_utf8(json).unwrap(), r#"{"id":1,"method":"Browser.getVersion"}"#);
    }

    #[test]
    fn half_surrogates_are_mended_and_whole_pairs_kept() {
        for (given, mended) in [
            (r#""a""#, r#""a""#),
            (r#""\ud83d""#, r#""\ufffd""#),
            (r#""\ud83d\ude00""#, r#""\ud83d\ude00""#),
            (r#""\uD83D\uDE00 \uDE00""#, r#""\uD83D\uDE00 \ufffd""#),
            (r#""\ud83d\ud83d\ude00""#, r#""\ufffd\ud83d\ude00""#),
            (r#""\ud83dx\n""#, r#""\ufffdx\n""#),
            (r#""\\ud83d""#, r#""\\ud83d""#),
            (r#""\\\ud83d""#, r#""\\\ufffd""#),
            (r#""\ud8"#, r#""\ud8"#),
            (r#""\"#, r#""\"#),
        ] {
            let mut message = given.as_bytes().to_vec();

            mend_surrogates(&mut message);

            assert_eq!(String::from_utf8(message).unwrap(), mended, "from {given}");
        }
    }
}
