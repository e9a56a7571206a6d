//! `Browser`: Chrome itself, and downloads.

use serde::{Deserialize, Serialize};

/// Asks which Chrome it is.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct GetVersion;

command!(GetVersion, "Browser.getVersion" => Version);

/// Answer to [`GetVersion`].
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Version {
    /// Such as `Chrome/156.0.8078.79`, or `HeadlessChrome/…`.
    pub product: String,
    /// Version of CDP.
    pub protocol_version: String,
    /// Commit it was built from.
    #[serde(default)]
    pub revision: String,
    /// What it calls itself in requests.
    pub user_agent: String,
    /// Version of V8.
    #[serde(default)]
    pub js_version: String,
}

/// Ends Chrome as a person would.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Close;

command!(Close, "Browser.close");

/// Says where downloads go.
#[derive(Debug, Clone, Copy, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SetDownloadBehavior<'a> {
    /// `deny`, `allow` (under their own name), `allowAndName` (under their guid) or `default`.
    pub behavior: &'a str,
    /// In this context only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub browser_context_id: Option<&'a str>,
    /// Folder for the files.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub download_path: Option<&'a str>,
    /// Reports [`DownloadWillBegin`] and [`DownloadProgress`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub events_enabled: Option<bool>,
}

command!(SetDownloadBehavior<'_>, "Browser.setDownloadBehavior");

/// Stops a download that is under way.
#[derive(Debug, Clone, Copy, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CancelDownload<'a> {
    /// Which.
    pub guid: &'a str,
    /// In which context it began.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub browser_context_id: Option<&'a str>,
}

command!(CancelDownload<'_>, "Browser.cancelDownload");

/// A download begins.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DownloadWillBegin {
    /// The frame that caused it.
    pub frame_id: String,
    /// Names the download.
    pub guid: String,
    /// Where the file is.
    pub url: String,
    /// What the server or the page called it.
    pub suggested_filename: String,
}

event!(DownloadWillBegin, "Browser.downloadWillBegin");

/// A download got further.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DownloadProgress {
    /// The download.
    pub guid: String,
    /// Size, if the server said; else 0.
    pub total_bytes: f64,
    /// Bytes so far.
    pub received_bytes: f64,
    /// `inProgress`, `completed` or `canceled`.
    pub state: String,
    /// Where the file is, once completed.
    pub file_path: Option<String>,
}

event!(DownloadProgress, "Browser.downloadProgress");

/// Says whether pages may do something that they would have to ask for.
#[derive(Debug, Clone, Copy, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SetPermission<'a> {
    /// What.
    pub permission: PermissionDescriptor<'a>,
    /// `granted`, `denied` or `prompt`.
    pub setting: &'a str,
    /// In this context only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub browser_context_id: Option<&'a str>,
}

command!(SetPermission<'_>, "Browser.setPermission");

/// A permission by the name scripts use.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct PermissionDescriptor<'a> {
    /// Such as `geolocation`.
    pub name: &'a str,
}

/// Takes all permissions back.
#[derive(Debug, Clone, Copy, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ResetPermissions<'a> {
    /// In this context only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub browser_context_id: Option<&'a str>,
}

command!(ResetPermissions<'_>, "Browser.resetPermissions");
