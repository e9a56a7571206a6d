//! Revisions of the protocol, and which one a request is in.
//!
//! Four begin with `initialize` and then hold for the connection; the newest is
//! stateless, and every request says so itself in `_meta`. One pipe may carry both.

use serde_json::{Map, Value, json};

use crate::jsonrpc::{Code, Refusal};

/// What a stateless request must carry in `_meta`.
const VERSION_KEY: &str = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES_KEY: &str = "io.modelcontextprotocol/clientCapabilities";

/// The number of "unsupported protocol version".
const UNSUPPORTED_VERSION: i64 = -32022;

/// A revision of the protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Revision {
    /// The first.
    V2024_11_05,
    /// The only one with batches.
    V2025_03_26,
    /// Structured results.
    V2025_06_18,
    /// The last with `initialize`.
    V2025_11_25,
    /// Stateless.
    V2026_07_28,
}

impl Revision {
    /// Every revision we speak, newest first.
    pub(crate) const ALL: [Self; 5] = [
        Self::V2026_07_28,
        Self::V2025_11_25,
        Self::V2025_06_18,
        Self::V2025_03_26,
        Self::V2024_11_05,
    ];

    /// The newest that begins with `initialize`.
    const NEWEST_WITH_INITIALIZE: Self = Self::V2025_11_25;

    /// Its name on the wire.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::V2024_11_05 => "2024-11-05",
            Self::V2025_03_26 => "2025-03-26",
            Self::V2025_06_18 => "2025-06-18",
            Self::V2025_11_25 => "2025-11-25",
            Self::V2026_07_28 => "2026-07-28",
        }
    }

    fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|revision| revision.name() == name)
    }

    /// Whether every request stands for itself.
    pub(crate) fn is_stateless(self) -> bool {
        self > Self::NEWEST_WITH_INITIALIZE
    }

    /// Whether several messages may come in one array.
    pub(crate) fn has_batches(self) -> bool {
        self == Self::V2025_03_26
    }

    /// Whether results may have a structured part.
    pub(crate) fn has_structured_results(self) -> bool {
        self >= Self::V2025_06_18
    }

    /// Whether it has this method, as far as we serve it.
    pub(crate) fn serves(self, method: &str) -> bool {
        match method {
            "tools/list" | "tools/call" => true,
            "initialize" | "ping" => !self.is_stateless(),
            "server/discover" => self.is_stateless(),
            _ => false,
        }
    }

    /// What `initialize` settles on: what was asked for, or else the newest that has it.
    pub(crate) fn negotiate(requested: &str) -> Self {
        Self::named(requested)
            .filter(|revision| !revision.is_stateless())
            .unwrap_or(Self::NEWEST_WITH_INITIALIZE)
    }

    /// The revision a request is in, given what `initialize` settled on before.
    pub(crate) fn of_request(
        method: &str,
        meta: Option<&Map<String, Value>>,
        settled: Option<Self>,
    ) -> Result<Self, Refusal> {
        let version = meta.and_then(|meta| meta.get(VERSION_KEY));
        let capabilities = meta.and_then(|meta| meta.get(CAPABILITIES_KEY));
        if method == "initialize" {
            return Ok(settled.unwrap_or(Self::NEWEST_WITH_INITIALIZE));
        }
        if version.is_none() && capabilities.is_none() {
            match settled {
                Some(settled) => return Ok(settled),
                // The older revisions allow it before `initialize`.
                None if method == "ping" => return Ok(Self::NEWEST_WITH_INITIALIZE),
                None => {}
            }
        }
        let mut lacking = Vec::new();
        if !version.is_some_and(Value::is_string) {
            lacking.push(VERSION_KEY);
        }
        if !capabilities.is_some_and(Value::is_object) {
            lacking.push(CAPABILITIES_KEY);
        }
        if !lacking.is_empty() {
            return Err(no_metadata(&lacking));
        }
        let requested = version.and_then(Value::as_str).unwrap_or_default();
        Self::named(requested)
            .filter(|revision| revision.is_stateless())
            .ok_or_else(|| unsupported(requested))
    }
}

fn no_metadata(lacking: &[&str]) -> Refusal {
    let keys = lacking.join("' and '");
    let message = format!("_meta lacks '{keys}', and no initialize came before");
    Refusal::new(Code::InvalidParams, message)
}

fn unsupported(requested: &str) -> Refusal {
    let supported = Revision::ALL.map(Revision::name);
    Refusal::new(
        Code::Other(UNSUPPORTED_VERSION),
        format!("Protocol version '{requested}' is not spoken without initialize"),
    )
    .with_data(json!({ "supported": supported, "requested": requested }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_version_settles_on_the_newest_with_initialize() {
        assert_eq!(Revision::negotiate("2024-11-05"), Revision::V2024_11_05);
        for asked in ["1999-01-01", "2099-01-01", "2026-07-28", ""] {
            assert_eq!(Revision::negotiate(asked), Revision::V2025_11_25, "{asked}");
        }
    }

    #[test]
    fn a_stateless_request_among_settled_ones_stays_stateless() {
        let meta = json!({ VERSION_KEY: "2026-07-28", CAPABILITIES_KEY: {} });
        let settled = Some(Revision::V2025_06_18);
        let of = |meta| Revision::of_request("tools/list", meta, settled).unwrap();
        assert_eq!(of(meta.as_object()), Revision::V2026_07_28);
        assert_eq!(of(None), Revision::V2025_06_18);
    }
}
