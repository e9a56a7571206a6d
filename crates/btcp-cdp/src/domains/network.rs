//! `Network`: requests, seen one by one.

use serde::{Deserialize, Serialize};

/// Reports requests.
#[derive(Debug, Clone, Copy, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Enable {
    /// Bytes of bodies Chrome keeps in all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_total_buffer_size: Option<u64>,
    /// Bytes of one body that Chrome keeps.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_resource_buffer_size: Option<u64>,
    /// Bytes of a request's body that are reported.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_post_data_size: Option<u64>,
}

command!(Enable, "Network.enable");

/// Stops the reports and drops kept bodies.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Disable;

command!(Disable, "Network.disable");

/// Goes past the cache.
#[derive(Debug, Clone, Copy, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SetCacheDisabled {
    /// Whether to go past it.
    pub cache_disabled: bool,
}

command!(SetCacheDisabled, "Network.setCacheDisabled");

/// A request.
#[derive(Debug, Clone, Deserialize)]
pub struct Request {
    /// Address without fragment.
    pub url: String,
    /// `GET`, `POST` and so on.
    pub method: String,
}

/// A piece of a body came.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DataReceived {
    /// Which one.
    pub request_id: String,
}

event!(DataReceived, "Network.dataReceived");

/// A response.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Response {
    /// Address it came from.
    pub url: String,
    /// HTTP status.
    pub status: i64,
    /// HTTP reason.
    #[serde(default)]
    pub status_text: String,
    /// Type of the body.
    #[serde(default)]
    pub mime_type: String,
    /// Who answered.
    #[serde(rename = "remoteIPAddress")]
    pub remote_ip_address: Option<String>,
    /// Came from the cache, or a worker's.
    #[serde(default)]
    pub from_disk_cache: bool,
    /// Came from a service worker.
    #[serde(default)]
    pub from_service_worker: bool,
    /// Bytes received so far.
    #[serde(default)]
    pub encoded_data_length: f64,
}

/// What caused a request.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Initiator {
    /// `parser`, `script`, `preload`, `other` and more.
    #[serde(rename = "type")]
    pub kind: String,
    /// The document or script.
    pub url: Option<String>,
    /// Line in it, from zero.
    pub line_number: Option<f64>,
}

/// A request goes out, or a redirect of it.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RequestWillBeSent {
    /// Names the request; the same over redirects.
    pub request_id: String,
    /// The document; for the document itself it equals the request id.
    pub loader_id: String,
    /// Address of the document.
    #[serde(rename = "documentURL")]
    pub document_url: String,
    /// The request.
    pub request: Request,
    /// Seconds on Chrome's monotonic clock.
    pub timestamp: f64,
    /// Seconds since 1970.
    #[serde(default)]
    pub wall_time: f64,
    /// `Document`, `Script`, `Fetch` and so on.
    #[serde(rename = "type")]
    pub kind: Option<String>,
    /// The frame that loads.
    pub frame_id: Option<String>,
    /// What caused it.
    pub initiator: Option<Initiator>,
    /// The redirect that led here.
    pub redirect_response: Option<Response>,
}

event!(RequestWillBeSent, "Network.requestWillBeSent");

/// A request was answered from memory.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RequestServedFromCache {
    /// The request.
    pub request_id: String,
}

event!(RequestServedFromCache, "Network.requestServedFromCache");

/// The head of a response is here.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ResponseReceived {
    /// The request.
    pub request_id: String,
    /// The document.
    pub loader_id: String,
    /// Seconds on Chrome's monotonic clock.
    pub timestamp: f64,
    /// `Document`, `Script`, `Fetch` and so on.
    #[serde(rename = "type")]
    pub kind: String,
    /// The response.
    pub response: Response,
    /// The frame that loads.
    pub frame_id: Option<String>,
}

event!(ResponseReceived, "Network.responseReceived");

/// All of a response is here.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LoadingFinished {
    /// The request.
    pub request_id: String,
    /// Seconds on Chrome's monotonic clock.
    pub timestamp: f64,
    /// Bytes received.
    #[serde(default)]
    pub encoded_data_length: f64,
}

event!(LoadingFinished, "Network.loadingFinished");

/// A request came to nothing.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LoadingFailed {
    /// The request.
    pub request_id: String,
    /// Seconds on Chrome's monotonic clock.
    pub timestamp: f64,
    /// `Document`, `Script`, `Fetch` and so on.
    #[serde(rename = "type")]
    pub kind: String,
    /// Such as `net::ERR_CONNECTION_REFUSED`.
    pub error_text: String,
    /// The page or we gave it up.
    #[serde(default)]
    pub canceled: bool,
    /// Who forbade it: `csp`, `mixed-content` and more.
    pub blocked_reason: Option<String>,
}

event!(LoadingFailed, "Network.loadingFailed");

/// Goes past service workers: what they would answer is asked of servers.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct SetBypassServiceWorker {
    /// Whether to go past them.
    pub bypass: bool,
}

command!(SetBypassServiceWorker, "Network.setBypassServiceWorker");

/// A WebSocket was made; it is not connected yet.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct WebSocketCreated {
    /// Names it.
    pub request_id: String,
    /// Where it leads.
    pub url: String,
}

event!(WebSocketCreated, "Network.webSocketCreated");

/// Its server answered: from here on it is a WebSocket, or none.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct WebSocketAnswered {
    /// Which one.
    pub request_id: String,
}

event!(WebSocketAnswered, "Network.webSocketHandshakeResponseReceived");

/// It is closed.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct WebSocketClosed {
    /// Which one.
    pub request_id: String,
}

event!(WebSocketClosed, "Network.webSocketClosed");

/// What the network is like.
#[derive(Debug, Clone, Copy, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct EmulateNetworkConditions {
    /// Whether there is none.
    pub offline: bool,
    /// Milliseconds until a response begins.
    pub latency: f64,
    /// Bytes a second; -1 for no limit.
    pub download_throughput: f64,
    /// Bytes a second; -1 for no limit.
    pub upload_throughput: f64,
}

command!(EmulateNetworkConditions, "Network.emulateNetworkConditions");

/// Loads something as a frame would, whatever the page's policy says.
#[derive(Debug, Clone, Copy, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct LoadNetworkResource<'a> {
    /// The frame.
    pub frame_id: &'a str,
    /// The address.
    pub url: &'a str,
    /// How.
    pub options: LoadOptions,
}

command!(LoadNetworkResource<'_>, "Network.loadNetworkResource" => LoadedResource);

/// How [`LoadNetworkResource`] loads.
#[derive(Debug, Clone, Copy, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct LoadOptions {
    /// Goes past the cache.
    pub disable_cache: bool,
    /// Sends cookies.
    pub include_credentials: bool,
}

/// Answer to [`LoadNetworkResource`].
#[derive(Debug, Clone, Deserialize)]
pub struct LoadedResource {
    /// What came.
    pub resource: Resource,
}

/// What was loaded.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Resource {
    /// Whether it came.
    pub success: bool,
    /// Such as `net::ERR_CONNECTION_REFUSED`.
    pub net_error_name: Option<String>,
    /// HTTP status.
    pub http_status_code: Option<f64>,
    /// To be read piece by piece.
    pub stream: Option<String>,
}
