//! What follows from a user agent: the client hints and the platform a browser of that name has.
//!
//! Servers compare the two; a phone's name with a desktop's hints is neither. Browsers that are
//! not Chrome have no client hints.

use btcp_cdp::emulation::{Brand, UserAgentMetadata};

/// The client hints of a Chrome with this user agent; none for other browsers.
pub(crate) fn hints(agent: &str, own: Option<&str>) -> Option<UserAgentMetadata> {
    let version = after(agent, "Chrome/")?;
    let major = version.split('.').next().filter(|major| !major.is_empty())?;
    // The user agent of a newer Chrome hides all but its major version.
    let full = match own {
        Some(own) if own.split('.').next() == Some(major) => own.to_owned(),
        _ => format!("{major}.0.0.0"),
    };
    let name = match () {
        () if agent.contains("HeadlessChrome/") => "HeadlessChrome",
        () if agent.contains("Edg/") => "Microsoft Edge",
        () => "Google Chrome",
    };
    let brands = |grease: &str, version: &str| {
        [("Not=A?Brand", grease), ("Chromium", version), (name, version)]
            .map(|(brand, version)| Brand { brand: brand.into(), version: version.into() })
            .to_vec()
    };
    let (platform, platform_version) = system(agent);
    let mobile = agent.contains(" Mobile");
    let desktop = platform != "Android";
    Some(UserAgentMetadata {
        brands: brands("24", major),
        full_version_list: brands("24.0.0.0", &full),
        platform: platform.into(),
        platform_version,
        architecture: if desktop { "x86".into() } else { String::new() },
        model: if desktop { String::new() } else { model(agent) },
        mobile,
        bitness: if desktop { "64".into() } else { String::new() },
    })
}

/// `navigator.platform` of a browser with this user agent.
pub(crate) fn platform(agent: &str) -> &'static str {
    match () {
        () if agent.contains("iPhone") => "iPhone",
        () if agent.contains("iPad") => "iPad",
        () if agent.contains("Android") => "Linux armv81",
        () if agent.contains("Macintosh") => "MacIntel",
        () if agent.contains("Windows") => "Win32",
        () => "Linux x86_64",
    }
}

fn system(agent: &str) -> (&'static str, String) {
    let parts = |version: &str| {
        let mut parts: Vec<&str> = version.split(['_', '.']).collect();
        parts.resize(3, "0");
        parts.join(".")
    };
    if let Some(version) = after(agent, "Android ") {
        ("Android", parts(version))
    } else if let Some(version) = after(agent, "Mac OS X ") {
        ("macOS", parts(version))
    } else if agent.contains("Windows") {
        ("Windows", "10.0.0".into())
    } else if agent.contains("CrOS") {
        ("Chrome OS", String::new())
    } else {
        ("Linux", String::new())
    }
}

/// `Pixel 7` of `(Linux; Android 13; Pixel 7)`.
fn model(agent: &str) -> String {
    let inside = agent.split_once('(').and_then(|(_, rest)| rest.split_once(')'));
    let last = inside.and_then(|(inside, _)| inside.split(';').nth(2));
    last.map(|model| model.split(" Build/").next().unwrap_or(model).trim().to_owned())
        .filter(|model| model != "K")
        .unwrap_or_default()
}

fn after<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    let rest = &text[text.find(word)? + word.len()..];
    rest.split([' ', ';', ')']).next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_phones_hints_follow_its_name() {
        let agent = "Mozilla/5.0 (Linux; Android 13; Pixel 7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Mobile Safari/537.36";
        let hints = hints(agent, Some("156.0.8078.79")).unwrap();
        assert_eq!(
            (hints.platform.as_str(), hints.platform_version.as_str()),
            ("Android", "13.0.0")
        );
        assert_eq!((hints.model.as_str(), hints.mobile), ("Pixel 7", true));
        assert_eq!(hints.brands[2], Brand { brand: "Google Chrome".into(), version: "156".into() });
        assert_eq!(hints.full_version_list[1].version, "156.0.8078.79");
        assert_eq!(platform(agent), "Linux armv81");
    }

    #[test]
    fn a_desktop_has_a_processor_and_no_model() {
        let agent = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36 Edg/120.0.0.0";
        let hints = hints(agent, Some("156.0.8078.79")).unwrap();
        assert_eq!((hints.platform.as_str(), hints.architecture.as_str()), ("Windows", "x86"));
        assert_eq!((hints.model.as_str(), hints.mobile), ("", false));
        assert_eq!(hints.full_version_list[2].version, "120.0.0.0");
        assert_eq!(hints.brands[2].brand, "Microsoft Edge");
    }

    #[test]
    fn other_browsers_send_no_hints() {
        assert!(
            hints("Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) Safari/604.1", None)
                .is_none()
        );
        assert!(hints("", None).is_none());
        assert!(hints("Chrome/", None).is_none());
    }
}
