//! What an agent may have its pages believe: each wish looked at before anything changes.

use super::{Emulation, devices};
use crate::error::{Error, Result};
use crate::names;

/// What is to be different; what is `None` stays.
#[derive(Debug, Clone, Default)]
pub struct Emulate {
    /// A device of the table; `desktop` for none.
    pub device: Option<String>,
    /// See [`Emulation::user_agent`].
    pub user_agent: Option<String>,
    /// See [`Emulation::locale`].
    pub locale: Option<String>,
    /// See [`Emulation::timezone`].
    pub timezone: Option<String>,
    /// See [`Emulation::geolocation`].
    pub geolocation: Option<(f64, f64, f64)>,
    /// See [`Emulation::permissions`].
    pub permissions: Option<Vec<String>>,
    /// See [`Emulation::color_scheme`].
    pub color_scheme: Option<&'static str>,
    /// See [`Emulation::reduced_motion`].
    pub reduced_motion: Option<bool>,
}

impl Emulate {
    /// Whether nothing is asked for.
    pub fn is_empty(&self) -> bool {
        let Self {
            device,
            user_agent,
            locale,
            timezone,
            geolocation,
            permissions,
            color_scheme,
            reduced_motion,
        } = self;
        let words = [device, user_agent, locale, timezone];
        words.iter().all(|word| word.is_none())
            && geolocation.is_none()
            && permissions.is_none()
            && color_scheme.is_none()
            && reduced_motion.is_none()
    }
}

/// What pages can be allowed, by the names scripts use.
const PERMISSIONS: &[&str] = &[
    "accelerometer",
    "ambient-light-sensor",
    "background-sync",
    "camera",
    "clipboard-write",
    "geolocation",
    "gyroscope",
    "local-fonts",
    "magnetometer",
    "microphone",
    "midi",
    "notifications",
    "payment-handler",
    "persistent-storage",
    "screen-wake-lock",
    "storage-access",
    "window-management",
];

impl Emulation {
    /// The same with some of it different.
    pub(super) fn with(&self, change: &Emulate, usual: (u32, u32), major: &str) -> Result<Self> {
        let mut new = self.clone();
        match change.device.as_deref() {
            None => {}
            Some(name) if name.eq_ignore_ascii_case("desktop") => {
                (new.viewport, new.screen, new.scale) = (usual, None, 1.0);
                (new.mobile, new.device, new.user_agent) = (false, None, None);
            }
            Some(name) => {
                let device = devices::find(name).ok_or_else(|| no_device(name))?;
                (new.viewport, new.screen) = (device.viewport, Some(device.screen));
                (new.scale, new.mobile, new.device) = (device.scale, true, Some(device.name));
                new.user_agent = Some(device.user_agent(major));
            }
        }
        if let Some(agent) = &change.user_agent {
            if agent.chars().any(char::is_control) {
                return Err(wrong("userAgent", "userAgent may not hold line breaks".into()));
            }
            new.user_agent = Some(agent.clone()).filter(|agent| !agent.is_empty());
        }
        if let Some(locale) = &change.locale {
            new.locale = Some(known_locale(locale)?).filter(|locale| !locale.is_empty());
        }
        if let Some(timezone) = &change.timezone {
            new.timezone = Some(timezone.clone()).filter(|zone| !zone.is_empty());
        }
        if let Some(place) = change.geolocation {
            new.geolocation = Some(known_place(place)?);
        }
        if let Some(names) = &change.permissions {
            new.permissions = names.iter().map(|name| permission(name)).collect::<Result<_>>()?;
        }
        new.color_scheme = change.color_scheme.or(new.color_scheme);
        new.reduced_motion = change.reduced_motion.or(new.reduced_motion);
        Ok(new)
    }
}

fn no_device(name: &str) -> Error {
    let known = devices::DEVICES.iter().map(|device| device.name);
    let near = names::nearest(name, known, 3);
    let names = match near.is_empty() {
        true => devices::DEVICES.iter().map(|device| device.name).collect(),
        false => near,
    };
    let message =
        format!("There is no device '{name}'; there is {}, and desktop", names.join(", "));
    wrong("device", message)
}

fn known_locale(written: &str) -> Result<String> {
    let locale = written.trim().replace('_', "-");
    let mut parts = locale.split('-');
    let language = parts.next().is_some_and(|language| {
        matches!(language.len(), 2 | 3) && language.bytes().all(|b| b.is_ascii_alphabetic())
    });
    let rest = parts
        .all(|part| matches!(part.len(), 1..=8) && part.bytes().all(|b| b.is_ascii_alphanumeric()));
    if locale.is_empty() || (language && rest) {
        return Ok(locale);
    }
    Err(wrong("locale", format!("locale must be like de-DE, not '{written}'")))
}

fn known_place(place: (f64, f64, f64)) -> Result<(f64, f64, f64)> {
    let (latitude, longitude, accuracy) = place;
    if !(-90.0..=90.0).contains(&latitude) {
        let message = format!("latitude must be between -90 and 90, not {latitude}");
        return Err(wrong("geolocation", message));
    }
    if !(-180.0..=180.0).contains(&longitude) {
        let message = format!("longitude must be between -180 and 180, not {longitude}");
        return Err(wrong("geolocation", message));
    }
    if !(0.0..=1e7).contains(&accuracy) {
        let message = format!("accuracy must be 0 metres or more, not {accuracy}");
        return Err(wrong("geolocation", message));
    }
    Ok(place)
}

fn permission(name: &str) -> Result<&'static str> {
    if names::squashed(name) == names::squashed("clipboard-read") {
        let message = "'clipboard-read' cannot be given: Chrome has one clipboard for all sessions. \
                       What was copied in this one is pasted with the keys Control+v";
        return Err(wrong("permissions", message.to_owned()));
    }
    let found = PERMISSIONS.iter().find(|known| names::squashed(known) == names::squashed(name));
    found.copied().ok_or_else(|| {
        let near = names::nearest(name, PERMISSIONS.iter().copied(), 3);
        let known = if near.is_empty() { PERMISSIONS.to_vec() } else { near };
        let message = format!("There is no permission '{name}'; there is {}", known.join(", "));
        wrong("permissions", message)
    })
}

pub(super) fn wrong(field: &'static str, message: String) -> Error {
    Error::BadParam { field, message }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changed(change: &Emulate) -> Result<Emulation> {
        Emulation::new((1280, 720)).with(change, (1280, 720), "156")
    }

    #[test]
    fn a_device_brings_its_screen_and_name_and_desktop_takes_them_away() {
        let device = |name: &str| Emulate { device: Some(name.into()), ..Emulate::default() };
        let phone = changed(&device("Pixel 7")).unwrap();
        assert_eq!((phone.viewport, phone.scale, phone.mobile), ((412, 839), 2.625, true));
        assert!(phone.user_agent.as_ref().unwrap().contains("Chrome/156"));
        let back = phone.with(&device("desktop"), (1280, 720), "156").unwrap();
        assert_eq!(back, Emulation::new((1280, 720)));
    }

    #[test]
    fn what_does_not_exist_is_told_with_what_does() {
        let message = |change: Emulate| changed(&change).unwrap_err().to_string();
        let device = message(Emulate { device: Some("Pixel 77".into()), ..Emulate::default() });
        assert!(device.starts_with("There is no device 'Pixel 77'; there is Pixel"), "{device}");
        let permission =
            message(Emulate { permissions: Some(vec!["camra".into()]), ..Emulate::default() });
        assert_eq!(permission, "There is no permission 'camra'; there is camera");
        let place = message(Emulate { geolocation: Some((91.0, 0.0, 1.0)), ..Emulate::default() });
        assert_eq!(place, "latitude must be between -90 and 90, not 91");
        let locale = message(Emulate { locale: Some("Klingon!".into()), ..Emulate::default() });
        assert_eq!(locale, "locale must be like de-DE, not 'Klingon!'");
    }

    #[test]
    fn empty_words_take_back_what_was_said() {
        let german = Emulate { locale: Some("de_DE".into()), ..Emulate::default() };
        let german = changed(&german).unwrap();
        assert_eq!(german.languages().as_deref(), Some("de-DE,de"));
        let none = Emulate { locale: Some(String::new()), ..Emulate::default() };
        assert!(german.with(&none, (1280, 720), "156").unwrap().is_plain());
    }
}
