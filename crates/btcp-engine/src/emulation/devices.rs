//! The devices there are to emulate, as a table.
//!
//! Sizes are what a page sees in the device's own browser: the viewport without its bars, and the
//! screen. Of Chrome on Android the version is filled in from the Chrome that runs.

/// A device.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Device {
    pub(crate) name: &'static str,
    pub(crate) viewport: (u32, u32),
    pub(crate) screen: (u32, u32),
    pub(crate) scale: f64,
    pub(crate) system: System,
}

/// What runs on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum System {
    /// A phone with Safari: version of iOS.
    IPhone(&'static str),
    /// A tablet with Safari, which calls itself a Mac.
    IPad,
    /// Chrome on Android: version and model; a phone or not.
    Android(&'static str, &'static str, bool),
}

use System::{Android, IPad, IPhone};

pub(crate) const DEVICES: &[Device] = &[
    device("iPhone SE", (375, 548), (375, 667), 2.0, IPhone("17_5")),
    device("iPhone 13", (390, 664), (390, 844), 3.0, IPhone("17_5")),
    device("iPhone 15", (393, 659), (393, 852), 3.0, IPhone("17_5")),
    device("iPhone 15 Pro Max", (430, 739), (430, 932), 3.0, IPhone("17_5")),
    device("iPad Mini", (768, 1024), (768, 1024), 2.0, IPad),
    device("iPad Pro 11", (834, 1194), (834, 1194), 2.0, IPad),
    device("Pixel 5", (393, 727), (393, 851), 2.75, Android("11", "Pixel 5", true)),
    device("Pixel 7", (412, 839), (412, 915), 2.625, Android("13", "Pixel 7", true)),
    device("Pixel 8", (412, 839), (412, 915), 2.625, Android("14", "Pixel 8", true)),
    device("Galaxy S9+", (320, 658), (320, 658), 4.5, Android("10", "SM-G965U", true)),
    device("Galaxy S24", (360, 664), (360, 780), 3.0, Android("14", "SM-S921U", true)),
    device("Galaxy Tab S4", (712, 1138), (712, 1138), 2.25, Android("10", "SM-T837A", false)),
];

const fn device(
    name: &'static str,
    viewport: (u32, u32),
    screen: (u32, u32),
    scale: f64,
    system: System,
) -> Device {
    Device { name, viewport, screen, scale, system }
}

/// The device of a name, spelling ignored.
pub(crate) fn find(name: &str) -> Option<&'static Device> {
    DEVICES.iter().find(|device| key(device.name) == key(name))
}

fn key(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric() || *c == '+').collect::<String>().to_lowercase()
}

impl Device {
    /// What its browser calls itself, if it is as new as this Chrome.
    pub(crate) fn user_agent(&self, major: &str) -> String {
        match self.system {
            IPhone(version) => format!(
                "Mozilla/5.0 (iPhone; CPU iPhone OS {version} like Mac OS X) AppleWebKit/605.1.15 \
                 (KHTML, like Gecko) Version/{} Mobile/15E148 Safari/604.1",
                version.replace('_', ".")
            ),
            IPad => "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, \
                     like Gecko) Version/17.5 Safari/605.1.15"
                .to_owned(),
            Android(version, model, phone) => {
                let mobile = if phone { "Mobile " } else { "" };
                format!(
                    "Mozilla/5.0 (Linux; Android {version}; {model}) AppleWebKit/537.36 (KHTML, \
                     like Gecko) Chrome/{major}.0.0.0 {mobile}Safari/537.36"
                )
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_device_is_found_however_it_is_spelled() {
        assert_eq!(find("iphone15promax").unwrap().name, "iPhone 15 Pro Max");
        assert_eq!(find("PIXEL-7").unwrap().name, "Pixel 7");
        assert_eq!(find("galaxy s9+").unwrap().name, "Galaxy S9+");
        assert!(find("Nokia 3310").is_none());
    }

    #[test]
    fn phones_with_chrome_are_as_new_as_ours() {
        let agent = find("Pixel 7").unwrap().user_agent("156");
        assert!(
            agent.contains("Android 13; Pixel 7)") && agent.contains("Chrome/156.0.0.0 Mobile")
        );
        assert!(!find("Galaxy Tab S4").unwrap().user_agent("156").contains("Mobile"));
    }
}
