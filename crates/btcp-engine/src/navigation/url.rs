//! Addresses: what an agent meant by what it wrote, and how a failure to go there is told.

use crate::error::{Error, Result};

/// The address meant by what an agent wrote. Only pages may lead to other schemes than these.
pub(crate) fn address(written: &str) -> Result<String> {
    // Chrome drops these wherever they stand; the guard must read the same host.
    let written = written.trim().replace(['\t', '\r', '\n'], "");
    let written = written.as_str();
    if written.is_empty() {
        return Err(Error::BadParam { field: "url", message: "url must not be empty".into() });
    }
    if written.eq_ignore_ascii_case("about:blank") {
        return Ok("about:blank".into());
    }
    let meant = with_scheme(written)?;
    // Chrome would look for a host of that name.
    let host = meant.split("://").nth(1).unwrap_or_default().split(['/', '?', '#']).next();
    if host.is_some_and(|host| host.contains(char::is_whitespace)) {
        let message = format!("'{}' is not a valid address", crate::text::cut(written, 200));
        return Err(Error::BadParam { field: "url", message });
    }
    Ok(meant)
}

fn with_scheme(written: &str) -> Result<String> {
    match scheme(written) {
        Some(scheme) if scheme == "http" || scheme == "https" => Ok(written.to_owned()),
        Some(scheme) => Err(Error::Denied {
            message: format!(
                "Scheme '{scheme}:' is not allowed: '{}'",
                crate::text::cut(written, 200)
            ),
        }),
        None => {
            let scheme = if is_local(written) { "http" } else { "https" };
            Ok(format!("{scheme}://{}", written.trim_start_matches('/')))
        }
    }
}

/// Refuses to go back or forward to what no page may lead to. Nothing of that kind gets into a tab's
/// history; should Chrome let it in one day, it is not gone to.
pub(super) fn may_return_to(url: &str) -> Result<()> {
    match scheme(url).as_deref() {
        Some("http" | "https" | "about" | "data" | "blob") => Ok(()),
        scheme => Err(Error::Denied {
            message: format!(
                "Scheme '{}:' is not allowed: '{}'",
                scheme.unwrap_or_default(),
                crate::text::cut(url, 200)
            ),
        }),
    }
}

/// `https` of `https://…`; `localhost:8000` has none, its colon begins a port.
fn scheme(url: &str) -> Option<String> {
    let (scheme, rest) = url.split_once(':')?;
    let is_name = scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'));
    let port_end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let is_port = port_end > 0 && rest[..port_end].bytes().all(|b| b.is_ascii_digit());
    (is_name && !is_port).then(|| scheme.to_lowercase())
}

/// Loopback and private hosts seldom speak TLS.
fn is_local(url: &str) -> bool {
    let authority = url.split(['/', '?', '#']).next().unwrap_or(url);
    let host = match authority.strip_prefix('[') {
        Some(v6) => v6.split(']').next().unwrap_or(v6),
        None => authority.split(':').next().unwrap_or(authority),
    };
    let host = host.to_lowercase();
    if let Ok(ip) = host.parse::<std::net::IpAddr>() {
        return match ip {
            std::net::IpAddr::V4(ip) => ip.is_loopback() || ip.is_private() || ip.is_unspecified(),
            std::net::IpAddr::V6(ip) => ip.is_loopback() || ip.is_unique_local(),
        };
    }
    host == "localhost" || host.ends_with(".localhost") || host.ends_with(".local")
}

/// A navigation Chrome refused, with its own name for the reason first.
pub(super) fn refused(error: &str, url: &str) -> Error {
    let host = crate::text::origin(url).split("://").nth(1).unwrap_or(url);
    let message = match error {
        "net::ERR_NAME_NOT_RESOLVED" => format!("{error}: No address found for {host}"),
        "net::ERR_INTERNET_DISCONNECTED" => format!("{error}: The browser is offline"),
        "net::ERR_CONNECTION_RESET" | "net::ERR_CONNECTION_CLOSED" | "net::ERR_EMPTY_RESPONSE" => {
            format!("{error}: {host} closed the connection")
        }
        "net::ERR_TOO_MANY_REDIRECTS" => format!("{error}: {host} redirects in a circle"),
        "net::ERR_ABORTED" => format!("{error}: The page at {host} was not loaded"),
        _ if error.contains("CERT") => format!("{error}: The certificate of {host} is not valid"),
        _ if error.contains("SSL") => format!("{error}: {host} does not speak TLS as expected"),
        _ => format!("{error}: Failed to connect to {host}"),
    };
    Error::NavigationFailed { message }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn history_leads_only_to_pages_of_the_web() {
        for url in ["http://a.test/", "https://a.test/", "about:blank", "data:,x", "blob:null/1"] {
            assert!(may_return_to(url).is_ok(), "{url}");
        }
        for url in [
            "file:///etc/passwd",
            "chrome://version",
            "view-source:http://a.test/",
            "devtools://devtools/bundled/inspector.html",
            "chrome-extension://abc/x.html",
            "filesystem:http://a.test/x",
            "javascript:1",
            "FILE:///etc/passwd",
            "",
        ] {
            assert_eq!(may_return_to(url).unwrap_err().code(), "denied", "{url}");
        }
    }

    #[test]
    fn addresses_without_a_scheme_get_one() {
        for (written, meant) in [
            ("example.com/x", "https://example.com/x"),
            ("localhost:8000", "http://localhost:8000"),
            ("127.0.0.1/x", "http://127.0.0.1/x"),
            ("192.168.0.4", "http://192.168.0.4"),
            ("[::1]:80/", "http://[::1]:80/"),
            ("HTTP://a.test", "HTTP://a.test"),
            ("about:blank", "about:blank"),
            ("http://a\t.te\nst/", "http://a.test/"),
        ] {
            assert_eq!(address(written).unwrap(), meant);
        }
    }

    #[test]
    fn words_are_no_address() {
        for written in ["two words", "http://a b/", "https://a\u{a0}b", "localhost :80/x"] {
            let error = address(written).unwrap_err();
            assert_eq!(error.code(), "invalid_params", "{written}");
            assert_eq!(error.to_string(), format!("'{written}' is not a valid address"));
        }
        assert!(address("example.com/two words?and more").is_ok());
    }

    #[test]
    fn other_schemes_are_denied() {
        for written in [
            "file:///etc/passwd",
            "chrome://version",
            "javascript:alert(1)",
            "view-source:https://a.test",
            "data:text/html,x",
            "about:config",
            "FILE:/x",
            "blob:https://a.test/1",
            "devtools://x",
        ] {
            assert_eq!(address(written).unwrap_err().code(), "denied", "{written}");
        }
    }

    #[test]
    fn refusals_keep_chromes_name() {
        for (error, told) in [
            ("net::ERR_CONNECTION_REFUSED", "Failed to connect to localhost:8000"),
            ("net::ERR_ADDRESS_UNREACHABLE", "Failed to connect to localhost:8000"),
            ("net::ERR_NAME_NOT_RESOLVED", "No address found for localhost:8000"),
            ("net::ERR_INTERNET_DISCONNECTED", "The browser is offline"),
            ("net::ERR_CONNECTION_RESET", "localhost:8000 closed the connection"),
            ("net::ERR_CONNECTION_CLOSED", "localhost:8000 closed the connection"),
            ("net::ERR_EMPTY_RESPONSE", "localhost:8000 closed the connection"),
            ("net::ERR_TOO_MANY_REDIRECTS", "localhost:8000 redirects in a circle"),
            ("net::ERR_ABORTED", "The page at localhost:8000 was not loaded"),
            ("net::ERR_CERT_DATE_INVALID", "The certificate of localhost:8000 is not valid"),
            ("net::ERR_CERT_AUTHORITY_INVALID", "The certificate of localhost:8000 is not valid"),
            ("net::ERR_SSL_PROTOCOL_ERROR", "localhost:8000 does not speak TLS as expected"),
        ] {
            let error_told = refused(error, "http://localhost:8000/x");
            assert_eq!(error_told.code(), "navigation_failed");
            assert_eq!(error_told.to_string(), format!("{error}: {told}"));
        }
    }
}
