//! `Fetch`: requests held until somebody decides: to answer them in place of their servers, or to
//! answer servers that ask for a password.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// Holds requests of the page until they are answered or sent on.
#[derive(Debug, Clone, Copy, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Enable<'a> {
    /// Reports [`AuthRequired`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub handle_auth_requests: Option<bool>,
    /// Which; all if left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub patterns: Option<&'a [RequestPattern<'a>]>,
}

command!(Enable<'_>, "Fetch.enable");

/// A kind of request.
#[derive(Debug, Clone, Copy, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RequestPattern<'a> {
    /// `Document`, `Image` …
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resource_type: Option<&'a str>,
    /// Addresses, with `*` for anything.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url_pattern: Option<&'a str>,
}

/// Lets requests go to their servers again.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Disable;

command!(Disable, "Fetch.disable");

/// A request is held.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RequestPaused {
    /// Names it.
    pub request_id: String,
    /// `Document`, `Image` …
    #[serde(default)]
    pub resource_type: String,
    /// The frame that asks.
    #[serde(default)]
    pub frame_id: String,
    /// What it asks for.
    pub request: Option<HeldRequest>,
    /// Its name in the `Network` domain, where it has one.
    pub network_id: Option<String>,
    /// The request whose answer led here.
    pub redirected_request_id: Option<String>,
}

event!(RequestPaused, "Fetch.requestPaused");

/// What a held request asks for.
#[derive(Debug, Clone, Deserialize)]
pub struct HeldRequest {
    /// Address without fragment.
    pub url: String,
    /// `GET`, `POST` and so on.
    #[serde(default)]
    pub method: String,
    /// Its headers as far as the page made them; cookies come later.
    #[serde(default)]
    pub headers: BTreeMap<String, String>,
}

/// Lets a held request go.
#[derive(Debug, Clone, Copy, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ContinueRequest<'a> {
    /// Which.
    pub request_id: &'a str,
    /// All its headers, if they are to be others; not for where it is redirected to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub headers: Option<&'a [Header<'a>]>,
}

command!(ContinueRequest<'_>, "Fetch.continueRequest");

/// Ends a held request.
#[derive(Debug, Clone, Copy, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FailRequest<'a> {
    /// Which.
    pub request_id: &'a str,
    /// `BlockedByClient`, `AddressUnreachable` …
    pub error_reason: &'a str,
}

command!(FailRequest<'_>, "Fetch.failRequest");

/// Answers a held request.
#[derive(Debug, Clone, Copy, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FulfillRequest<'a> {
    /// Which.
    pub request_id: &'a str,
    /// HTTP status.
    pub response_code: u16,
    /// HTTP headers.
    pub response_headers: &'a [Header<'a>],
}

command!(FulfillRequest<'_>, "Fetch.fulfillRequest");

/// One HTTP header.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Header<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its value.
    pub value: &'a str,
}

/// A server, or a proxy, asks for a password.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AuthRequired {
    /// Names the request it answered.
    pub request_id: String,
    /// Who asks.
    pub auth_challenge: AuthChallenge,
}

event!(AuthRequired, "Fetch.authRequired");

/// Who asks for a password.
#[derive(Debug, Clone, Deserialize)]
pub struct AuthChallenge {
    /// `Server` or `Proxy`.
    #[serde(default)]
    pub source: String,
    /// Its origin.
    pub origin: String,
    /// What it calls the place.
    #[serde(default)]
    pub realm: String,
}

/// Answers [`AuthRequired`].
#[derive(Debug, Clone, Copy, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ContinueWithAuth<'a> {
    /// The request it answered.
    pub request_id: &'a str,
    /// The answer.
    pub auth_challenge_response: AuthChallengeResponse<'a>,
}

command!(ContinueWithAuth<'_>, "Fetch.continueWithAuth");

/// An answer to a question for a password.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct AuthChallengeResponse<'a> {
    /// `CancelAuth` or `ProvideCredentials`.
    pub response: &'a str,
    /// Who.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub username: Option<&'a str>,
    /// What only they know.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub password: Option<&'a str>,
}
