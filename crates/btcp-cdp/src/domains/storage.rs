//! `Storage`: the cookies of a browser context.

use serde::{Deserialize, Serialize};

/// Gives all cookies.
#[derive(Debug, Clone, Copy, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct GetCookies<'a> {
    /// Of this context; the default one's if left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub browser_context_id: Option<&'a str>,
}

command!(GetCookies<'_>, "Storage.getCookies" => Cookies);

/// Answer to [`GetCookies`].
#[derive(Debug, Clone, Deserialize)]
pub struct Cookies {
    /// In no order.
    pub cookies: Vec<Cookie>,
}

/// A cookie as Chrome tells it, and as it takes it back.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Cookie {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: String,
    /// The host it is for; with a dot in front, the hosts below it too.
    pub domain: String,
    /// The path it is for.
    pub path: String,
    /// When it ends, in seconds since 1970; it ends with the session if that is negative.
    #[serde(default = "never", skip_serializing_if = "is_negative")]
    pub expires: f64,
    /// Whether scripts may not read it.
    #[serde(default)]
    pub http_only: bool,
    /// Whether it is sent over TLS only.
    #[serde(default)]
    pub secure: bool,
    /// `Strict`, `Lax` or `None`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub same_site: Option<String>,
    /// `Low`, `Medium` or `High`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub priority: Option<String>,
    /// `Unset`, `NonSecure` or `Secure`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source_scheme: Option<String>,
    /// The port it came from; -1 if nobody knows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source_port: Option<i32>,
    /// The site it was set inside of, for cookies that are kept apart by it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub partition_key: Option<PartitionKey>,
}

/// The site a cookie was set inside of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PartitionKey {
    /// The site of the tab's page.
    pub top_level_site: String,
    /// Whether a frame of another site was in between.
    pub has_cross_site_ancestor: bool,
}

fn never() -> f64 {
    -1.0
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks so")]
fn is_negative(expires: &f64) -> bool {
    *expires < 0.0
}

/// Sets cookies.
#[derive(Debug, Clone, Copy, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SetCookies<'a> {
    /// These; one that Chrome refuses makes it refuse all.
    pub cookies: &'a [Cookie],
    /// In this context; the default one if left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub browser_context_id: Option<&'a str>,
}

command!(SetCookies<'_>, "Storage.setCookies");

/// Removes all cookies.
#[derive(Debug, Clone, Copy, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ClearCookies<'a> {
    /// Of this context; the default one's if left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub browser_context_id: Option<&'a str>,
}

command!(ClearCookies<'_>, "Storage.clearCookies");
