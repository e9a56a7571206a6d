//! `IO`: streams, read piece by piece.

use serde::{Deserialize, Serialize};

/// Reads the next piece.
#[derive(Debug, Clone, Copy, Default, Serialize)]
pub struct Read<'a> {
    /// The stream.
    pub handle: &'a str,
    /// At most so many bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<u32>,
}

command!(Read<'_>, "IO.read" => Piece);

/// Answer to [`Read`].
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Piece {
    /// Whether the data is base64.
    #[serde(default)]
    pub base64_encoded: bool,
    /// The data.
    pub data: String,
    /// Whether that was the last.
    pub eof: bool,
}

/// Done with a stream.
#[derive(Debug, Clone, Copy, Default, Serialize)]
pub struct Close<'a> {
    /// The stream.
    pub handle: &'a str,
}

command!(Close<'_>, "IO.close");
