//! Where Chrome for Testing comes from: an index that names the newest version and its files.
//!
//! `BTCP_INSTALL_FROM` is the address of another index of the same form, a mirror's; its addresses may be
//! relative to it, and it may give each file's `sha256`.

use std::{io::Read, time::Duration};

use serde_json::Value;
use ureq::{Agent, Body, http::Response};

use super::super::cache::{PLATFORM, numbers};
use crate::egress::{Origin, Proxy};

/// Google's own.
const OFFICIAL: &str = "https://googlechromelabs.github.io/chrome-for-testing/\
                        last-known-good-versions-with-downloads.json";

/// A mirror of it.
pub(super) const VARIABLE: &str = "BTCP_INSTALL_FROM";

/// The index has some ten thousand bytes.
const LONGEST_INDEX: u64 = 4 << 20;

/// How long a server may be silent, and how long a name may be looked up.
const SILENT: Duration = Duration::from_secs(60);
const LOOKED_UP: Duration = Duration::from_secs(15);

/// What can be downloaded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Release {
    /// Numbers and dots: it becomes the name of a folder.
    pub(super) version: String,
    pub(super) url: String,
    /// In hexadecimal digits, small letters.
    pub(super) sha256: Option<String>,
}

/// An index, and how to reach it.
pub(super) struct Source {
    pub(super) agent: Agent,
    index: String,
}

impl Source {
    /// The one that is set, or Google's.
    pub(super) fn here(proxy: Option<&Proxy>) -> Result<Self, String> {
        let set = std::env::var(VARIABLE).ok().filter(|set| !set.is_empty());
        Self::at(set.as_deref().unwrap_or(OFFICIAL), proxy)
    }

    pub(super) fn at(index: &str, proxy: Option<&Proxy>) -> Result<Self, String> {
        let origin = origin_of(index)?;
        let config = Agent::config_builder()
            // A program that is about to be run comes over no line that others can write on.
            .https_only(origin.secure)
            .max_redirects(if origin.secure { 10 } else { 0 })
            .max_redirects_will_error(false)
            .http_status_as_error(false)
            .user_agent(concat!("btcp/", env!("CARGO_PKG_VERSION")))
            .timeout_resolve(Some(LOOKED_UP))
            .timeout_connect(Some(SILENT))
            .timeout_recv_response(Some(SILENT))
            .timeout_per_read(Some(SILENT))
            .timeout_per_write(Some(SILENT));
        let config = match proxy {
            _ if !origin.secure => config.proxy(None),
            Some(proxy) => config.proxy(Some(proxy.for_requests()?)),
            // What the environment says: HTTPS_PROXY and its like.
            None => config,
        };
        Ok(Self { agent: config.build().new_agent(), index: index.to_owned() })
    }

    /// The newest version for this system.
    pub(super) fn newest(&self) -> Result<Release, Problem> {
        let mut response = request(&self.agent, &self.index, &[])?;
        if response.status() != 200 {
            return Err(refused(&self.index, &response));
        }
        let mut text = Vec::new();
        let mut body = response.body_mut().as_reader().take(LONGEST_INDEX + 1);
        body.read_to_end(&mut text).map_err(|error| broken(&self.index, &error.into()))?;
        if text.len() as u64 > LONGEST_INDEX {
            return Err(Problem::Final(format!("'{}' is too long for an index", self.index)));
        }
        let Some(platform) = PLATFORM else {
            return Err(Problem::Final("there is no Chrome for Testing for this system".into()));
        };
        let none = |why: String| Problem::Final(format!("'{}': {why}", self.index));
        let index = serde_json::from_slice(&text).map_err(|error| none(error.to_string()))?;
        release(&index, platform, &self.index).map_err(none)
    }
}

/// What an index says of a system.
fn release(index: &Value, platform: &str, at: &str) -> Result<Release, String> {
    let stable = &index["channels"]["Stable"];
    let version = stable["version"].as_str().unwrap_or_default();
    if numbers(version).is_none() {
        let version: String = version.chars().take(60).collect();
        return Err(format!("its stable version is '{version}'"));
    }
    let files = stable["downloads"]["chrome"].as_array().map_or(&[][..], Vec::as_slice);
    let Some(file) = files.iter().find(|file| file["platform"] == platform) else {
        return Err(format!("version {version} has no file for {platform}"));
    };
    let Some(url) = file["url"].as_str() else { return Err("a file has no address".into()) };
    let url = absolute(url, at);
    let origin = origin_of(&url)?;
    // Only this machine's own index may name files of this machine.
    if !origin.secure && origin_of(at).is_ok_and(|index| index.secure) {
        return Err(format!("'{url}' is not https"));
    }
    let sha256 = match &file["sha256"] {
        Value::Null => None,
        Value::String(hex) if hex.len() == 64 && hex.bytes().all(|b| b.is_ascii_hexdigit()) => {
            Some(hex.to_ascii_lowercase())
        }
        other => return Err(format!("{other} is no sha256")),
    };
    Ok(Release { version: version.to_owned(), url, sha256 })
}

/// The origin of an address that may be asked: https, or this machine.
fn origin_of(url: &str) -> Result<Origin, String> {
    let origin = Origin::of(url).filter(|_| url.starts_with("http"));
    let origin = origin.ok_or_else(|| format!("'{url}' is no http or https address"))?;
    match origin.secure || origin.host.is_this_machine() {
        true => Ok(origin),
        false => Err(format!("'{url}' is not https: others could change the browser on its way")),
    }
}

/// An address as a page at `base` means it.
fn absolute(url: &str, base: &str) -> String {
    if url.contains("://") {
        return url.to_owned();
    }
    let start = base.find("://").map_or(0, |at| at + 3);
    let base = base.split(['?', '#']).next().unwrap_or_default();
    let host_ends = base[start..].find('/').map_or(base.len(), |at| start + at);
    let folder_ends = base.rfind('/').filter(|at| *at >= host_ends).unwrap_or(host_ends);
    match url.starts_with('/') {
        true => format!("{}{url}", &base[..host_ends]),
        false => format!("{}/{url}", &base[..folder_ends]),
    }
}

/// Why a request came to nothing.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Problem {
    /// It may work if it is tried again.
    Passing(String),
    Final(String),
}

pub(super) fn request(
    agent: &Agent,
    url: &str,
    headers: &[(&str, &str)],
) -> Result<Response<Body>, Problem> {
    let request = agent.get(url);
    let request =
        headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
    request.call().map_err(|error| broken(url, &error))
}

/// A status that is none of those wanted.
pub(super) fn refused(url: &str, response: &Response<Body>) -> Problem {
    let status = response.status();
    let says = format!("'{url}' answers {status}");
    match status.is_server_error() || [408, 429].contains(&status.as_u16()) {
        true => Problem::Passing(says),
        false => Problem::Final(says),
    }
}

/// A line that broke.
pub(super) fn broken(url: &str, error: &ureq::Error) -> Problem {
    let says = format!("'{url}' cannot be had: {error}");
    match error {
        ureq::Error::Io(_)
        | ureq::Error::Timeout(_)
        | ureq::Error::HostNotFound
        | ureq::Error::ConnectionFailed
        | ureq::Error::ConnectProxyFailed(_)
        | ureq::Error::Protocol(_) => Problem::Passing(says),
        _ => Problem::Final(says),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const AT: &str = "https://mirror.test/chrome/index.json?x=/y";

    fn index(version: &str, file: Value) -> Value {
        let downloads = json!({ "chrome": [{ "platform": "win64", "url": "/w" }, file] });
        json!({ "channels": { "Stable": { "version": version, "downloads": downloads } } })
    }

    #[test]
    fn the_stable_version_for_this_system_is_taken() {
        let sum = "A".repeat(64);
        for (url, expected) in [
            ("https://files.test/a.zip", "https://files.test/a.zip"),
            ("/a.zip", "https://mirror.test/a.zip"),
            ("1/a.zip", "https://mirror.test/chrome/1/a.zip"),
        ] {
            let file = json!({ "platform": "linux64", "url": url, "sha256": sum });
            let release = release(&index("131.0.1.2", file), "linux64", AT).unwrap();
            assert_eq!((release.version.as_str(), release.url.as_str()), ("131.0.1.2", expected));
            assert_eq!(release.sha256, Some("a".repeat(64)));
        }
        assert_eq!(absolute("a", "https://mirror.test"), "https://mirror.test/a");
    }

    #[test]
    fn an_index_that_cannot_be_is_told() {
        let of = |version, file| release(&index(version, file), "linux64", AT).unwrap_err();
        let file = |url: &str| json!({ "platform": "linux64", "url": url });
        assert_eq!(of("../../bin", file("/a")), "its stable version is '../../bin'");
        assert_eq!(of("1.2", json!({})), "version 1.2 has no file for linux64");
        assert!(of("1.2", file("http://files.test/a.zip")).contains("is not https"));
        assert_eq!(of("1.2", file("http://127.0.0.1/a")), "'http://127.0.0.1/a' is not https");
        assert!(of("1.2", file("file:///etc/passwd")).contains("no http or https"));
        let wrong = json!({ "platform": "linux64", "url": "/a", "sha256": "../x" });
        assert_eq!(of("1.2", wrong), "\"../x\" is no sha256");
        assert_eq!(release(&json!([]), "linux64", AT).unwrap_err(), "its stable version is ''");
    }

    #[test]
    fn only_https_or_this_machine_is_asked() {
        for good in
            ["https://a.test/i", "http://127.0.0.1:8000/i", "http://localhost/i", "http://[::1]/"]
        {
            assert!(Source::at(good, None).is_ok(), "{good}");
        }
        for bad in [
            "http://a.test/i",
            "http://127.0.0.1@a.test/",
            "ftp://127.0.0.1/",
            "ws://127.0.0.1",
            "x",
        ] {
            assert!(Source::at(bad, None).is_err(), "{bad}");
        }
    }
}
