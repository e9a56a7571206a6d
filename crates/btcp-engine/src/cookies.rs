//! The cookies of a session: of all its pages, whatever they are at.

use std::sync::Arc;

use btcp_cdp::storage;

use crate::call::CallContext;
use crate::error::{Error, Result};
use crate::session::Session;

/// A cookie.
#[derive(Debug, Clone, PartialEq)]
pub struct Cookie {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: String,
    /// The host it is for; with a dot in front, the hosts below it too.
    pub domain: String,
    /// The path it is for.
    pub path: String,
    /// When it ends, in seconds since 1970; with the session if left out.
    pub expires: Option<f64>,
    /// Whether scripts may not read it.
    pub http_only: bool,
    /// Whether it is sent over TLS only.
    pub secure: bool,
    /// `Strict`, `Lax` or `None`.
    pub same_site: Option<String>,
}

/// Which cookies.
#[derive(Debug, Clone, Default)]
pub struct Which {
    /// Of this name.
    pub name: Option<String>,
    /// Of this host and those below it.
    pub domain: Option<String>,
    /// That would be sent to this address.
    pub url: Option<String>,
}

impl Which {
    fn all(&self) -> bool {
        self.name.is_none() && self.domain.is_none() && self.url.is_none()
    }

    fn takes(&self, cookie: &storage::Cookie) -> bool {
        let named = self.name.as_ref().is_none_or(|name| *name == cookie.name);
        let of_host = self.domain.as_ref().is_none_or(|domain| {
            let (wanted, has) = (bare(domain), bare(&cookie.domain));
            wanted == has || below(&has, &wanted)
        });
        named && of_host && self.url.as_ref().is_none_or(|url| goes_to(cookie, url))
    }
}

fn bare(domain: &str) -> String {
    domain.trim_start_matches('.').to_lowercase()
}

/// Whether one host is below another.
fn below(host: &str, above: &str) -> bool {
    host.strip_suffix(above).is_some_and(|rest| rest.ends_with('.'))
}

/// Whether a cookie is sent to an address.
fn goes_to(cookie: &storage::Cookie, url: &str) -> bool {
    let Some((secure, host, path)) = parts(url) else { return false };
    let domain = bare(&cookie.domain);
    let to_host = host == domain || (cookie.domain.starts_with('.') && below(&host, &domain));
    let to_path = path
        .strip_prefix(cookie.path.as_str())
        .is_some_and(|rest| cookie.path.ends_with('/') || rest.is_empty() || rest.starts_with('/'));
    let local = host == "localhost" || host.ends_with(".localhost") || host == "127.0.0.1";
    to_host && to_path && (!cookie.secure || secure || local)
}

/// Whether an address is https, its host and its path.
fn parts(url: &str) -> Option<(bool, String, String)> {
    let (scheme, rest) = url.split_once("://")?;
    let secure = match scheme.to_lowercase().as_str() {
        "http" => false,
        "https" => true,
        _ => return None,
    };
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let authority = rest[..end].rsplit('@').next().unwrap_or_default();
    let host = match authority.strip_prefix('[') {
        Some(v6) => format!("[{}]", v6.split(']').next().unwrap_or(v6)),
        None => authority.split(':').next().unwrap_or_default().to_lowercase(),
    };
    let path = rest[end..].split(['?', '#']).next().unwrap_or_default();
    let path = if path.is_empty() { "/" } else { path };
    (!host.is_empty()).then(|| (secure, host, path.to_owned()))
}

impl Session {
    /// Its cookies, by host, path and name.
    pub async fn cookies(&self, which: &Which) -> Result<Vec<Cookie>> {
        let mut found = self.raw_cookies().await?;
        found.retain(|cookie| which.takes(cookie));
        found.sort_by(|a, b| {
            (bare(&a.domain), &a.path, &a.name).cmp(&(bare(&b.domain), &b.path, &b.name))
        });
        Ok(found.into_iter().map(Cookie::from).collect())
    }

    /// Sets cookies. One without a host is for the page of the current tab. Of several none is set
    /// if Chrome refuses one.
    pub async fn set_cookies(
        self: &Arc<Self>,
        cookies: Vec<Cookie>,
        url: Option<&str>,
        call: &CallContext,
    ) -> Result<Vec<Cookie>> {
        let at = match url {
            Some(url) => url.to_owned(),
            None => self.current().map(|tab| tab.url()).unwrap_or_default(),
        };
        let mut made = Vec::with_capacity(cookies.len());
        for mut cookie in cookies {
            if cookie.domain.is_empty() {
                let Some((secure, host, _)) = parts(&at) else {
                    return Err(Error::BadParam {
                        field: "url",
                        message: format!(
                            "Cookie '{}' needs a url or a domain: '{}' has no host",
                            cookie.name,
                            crate::text::cut(&at, 200)
                        ),
                    });
                };
                cookie.domain = host;
                cookie.secure |= secure && cookie.same_site.as_deref() == Some("None");
            }
            if !call.has_cookies_of(&cookie.domain) {
                let host = crate::text::quoted(&crate::text::cut(&cookie.domain, 120));
                let message = format!("Cookies of {host} are outside this caller's origins");
                return Err(Error::Denied { message });
            }
            made.push(cookie);
        }
        let raw: Vec<_> = made.iter().cloned().map(storage::Cookie::from).collect();
        let command = storage::SetCookies { cookies: &raw, browser_context_id: self.context() };
        call.progress.sent();
        self.browser.call(&command).await.map_err(|error| match error {
            Error::Internal { message } => {
                call.progress.undone();
                let names: Vec<_> = made.iter().map(|c| format!("'{}'", c.name)).collect();
                let message = format!("Chrome refuses cookie {}: {message}", names.join(", "));
                Error::BadParam { field: "cookies", message }
            }
            other => other,
        })?;
        self.cookies_changed(call);
        Ok(made)
    }

    /// Removes cookies; says how many.
    pub async fn clear_cookies(
        self: &Arc<Self>,
        which: &Which,
        call: &CallContext,
    ) -> Result<usize> {
        let mut found = self.raw_cookies().await?;
        call.progress.sent();
        let browser_context_id = self.context();
        if which.all() && self.browser.owns_pages() && call.reach.is_none() {
            self.browser.call(&storage::ClearCookies { browser_context_id }).await?;
            self.cookies_changed(call);
            return Ok(found.len());
        }
        found.retain(|cookie| which.takes(cookie) && call.has_cookies_of(&cookie.domain));
        for cookie in &mut found {
            // One that has ended is gone.
            cookie.expires = 1.0;
        }
        if !found.is_empty() {
            let command = storage::SetCookies { cookies: &found, browser_context_id };
            self.browser.call(&command).await?;
        }
        self.cookies_changed(call);
        Ok(found.len())
    }

    /// What a crash would be recovered from is to be copied again.
    fn cookies_changed(self: &Arc<Self>, call: &CallContext) {
        call.progress.happened();
        if let Some(tab) = self.current() {
            self.touched(tab.id);
        }
    }

    async fn raw_cookies(&self) -> Result<Vec<storage::Cookie>> {
        let all = storage::GetCookies { browser_context_id: self.context() };
        Ok(self.only_its(self.browser.call(&all).await?.cookies))
    }

    /// In a person's Chrome only the cookies of the documents in our tabs are the session's business.
    pub(crate) fn only_its(&self, mut cookies: Vec<storage::Cookie>) -> Vec<storage::Cookie> {
        if !self.browser.owns_pages() {
            let tabs = self.open_tabs();
            let urls: Vec<String> = tabs.iter().flat_map(|tab| tab.facts().frames.urls()).collect();
            cookies.retain(|cookie| urls.iter().any(|url| goes_to(cookie, url)));
        }
        cookies
    }
}

impl From<storage::Cookie> for Cookie {
    fn from(cookie: storage::Cookie) -> Self {
        let storage::Cookie { name, value, domain, path, expires, http_only, secure, .. } = cookie;
        let expires = (expires >= 0.0).then_some(expires);
        let same_site = cookie.same_site;
        Self { name, value, domain, path, expires, http_only, secure, same_site }
    }
}

impl From<Cookie> for storage::Cookie {
    fn from(cookie: Cookie) -> Self {
        let Cookie { name, value, domain, path, expires, http_only, secure, same_site } = cookie;
        Self {
            name,
            value,
            domain,
            path,
            expires: expires.unwrap_or(-1.0),
            http_only,
            secure,
            same_site,
            priority: None,
            source_scheme: None,
            source_port: None,
            partition_key: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cookie(domain: &str, path: &str, secure: bool) -> storage::Cookie {
        storage::Cookie::from(Cookie {
            name: "a".into(),
            value: "1".into(),
            domain: domain.into(),
            path: path.into(),
            expires: None,
            http_only: false,
            secure,
            same_site: None,
        })
    }

    #[test]
    fn a_cookie_goes_where_a_browser_would_send_it() {
        for (domain, path, secure, url, goes) in [
            ("a.test", "/", false, "http://a.test", true),
            ("a.test", "/", false, "http://b.a.test/", false),
            (".a.test", "/", false, "http://b.a.test/x?y", true),
            (".a.test", "/", false, "http://ba.test/", false),
            ("a.test", "/x", false, "http://a.test/x/y", true),
            ("a.test", "/x", false, "http://a.test/xy", false),
            ("a.test", "/", true, "http://a.test/", false),
            ("a.test", "/", true, "https://u:p@a.test:8443/", true),
            ("127.0.0.1", "/", true, "http://127.0.0.1:80/", true),
            ("a.test", "/", false, "about:blank", false),
        ] {
            assert_eq!(goes_to(&cookie(domain, path, secure), url), goes, "{domain}{path} {url}");
        }
    }

    #[test]
    fn cookies_are_picked_by_host_above_and_name() {
        let which = |domain: &str| Which { domain: Some(domain.into()), ..Which::default() };
        assert!(which("a.test").takes(&cookie(".www.a.test", "/", false)));
        assert!(!which("www.a.test").takes(&cookie("a.test", "/", false)));
        let other = Which { name: Some("b".into()), ..Which::default() };
        assert!(!other.takes(&cookie("a.test", "/", false)));
    }
}
