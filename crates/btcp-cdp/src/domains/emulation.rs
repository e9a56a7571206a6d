//! `Emulation`: the screen and focus a page believes in.

use serde::Serialize;

/// Gives the page another viewport.
#[derive(Debug, Clone, Copy, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SetDeviceMetricsOverride {
    /// Width in CSS pixels; 0 leaves it.
    pub width: u32,
    /// Height in CSS pixels; 0 leaves it.
    pub height: u32,
    /// Device pixels per CSS pixel; 0 leaves it.
    pub device_scale_factor: f64,
    /// Behaves as on a phone: viewport tag, overlay scrollbars.
    pub mobile: bool,
    /// `screen.width`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub screen_width: Option<u32>,
    /// `screen.height`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub screen_height: Option<u32>,
}

command!(SetDeviceMetricsOverride, "Emulation.setDeviceMetricsOverride");

/// Draws no scrollbars, and leaves no room for them.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct SetScrollbarsHidden {
    /// Whether they are hidden.
    pub hidden: bool,
}

command!(SetScrollbarsHidden, "Emulation.setScrollbarsHidden");

/// Gives the page the window's viewport again.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct ClearDeviceMetricsOverride;

command!(ClearDeviceMetricsOverride, "Emulation.clearDeviceMetricsOverride");

/// Lets the page believe that it has the focus.
#[derive(Debug, Clone, Copy, Default, Serialize)]
pub struct SetFocusEmulationEnabled {
    /// Whether it should.
    pub enabled: bool,
}

command!(SetFocusEmulationEnabled, "Emulation.setFocusEmulationEnabled");

/// Lets the page believe that its screen is touched.
#[derive(Debug, Clone, Copy, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SetTouchEmulationEnabled {
    /// Whether it is.
    pub enabled: bool,
    /// With how many fingers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_touch_points: Option<u8>,
}

command!(SetTouchEmulationEnabled, "Emulation.setTouchEmulationEnabled");

/// What the browser calls itself, in requests and to scripts.
#[derive(Debug, Clone, Copy, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SetUserAgentOverride<'a> {
    /// The user agent; empty for Chrome's own.
    pub user_agent: &'a str,
    /// Languages, best first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub accept_language: Option<&'a str>,
    /// `navigator.platform`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub platform: Option<&'a str>,
    /// Client hints; without them none are sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user_agent_metadata: Option<&'a UserAgentMetadata>,
}

command!(SetUserAgentOverride<'_>, "Emulation.setUserAgentOverride");

/// Client hints.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct UserAgentMetadata {
    /// With major versions.
    pub brands: Vec<Brand>,
    /// With whole versions.
    pub full_version_list: Vec<Brand>,
    /// `Android`, `Windows` and the like.
    pub platform: String,
    /// Its version.
    pub platform_version: String,
    /// Of the processor.
    pub architecture: String,
    /// Of the device.
    pub model: String,
    /// Whether it is a phone.
    pub mobile: bool,
    /// `64` or `32`.
    pub bitness: String,
}

/// A name under which the browser goes.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Brand {
    /// The name.
    pub brand: String,
    /// Its version.
    pub version: String,
}

/// The language of dates, numbers and sorting.
#[derive(Debug, Clone, Copy, Default, Serialize)]
pub struct SetLocaleOverride<'a> {
    /// Such as `de_DE`; the system's if left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub locale: Option<&'a str>,
}

command!(SetLocaleOverride<'_>, "Emulation.setLocaleOverride");

/// The time zone.
#[derive(Debug, Clone, Copy, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SetTimezoneOverride<'a> {
    /// Such as `Europe/Berlin`; the system's if empty.
    pub timezone_id: &'a str,
}

command!(SetTimezoneOverride<'_>, "Emulation.setTimezoneOverride");

/// Where the device is.
#[derive(Debug, Clone, Copy, Default, Serialize)]
pub struct SetGeolocationOverride {
    /// Degrees.
    pub latitude: f64,
    /// Degrees.
    pub longitude: f64,
    /// Metres.
    pub accuracy: f64,
}

command!(SetGeolocationOverride, "Emulation.setGeolocationOverride");

/// Where the device is, is up to the device again.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct ClearGeolocationOverride;

command!(ClearGeolocationOverride, "Emulation.clearGeolocationOverride");

/// What style sheets can ask of the person.
#[derive(Debug, Clone, Copy, Default, Serialize)]
pub struct SetEmulatedMedia<'a> {
    /// The features; those left out are as they were.
    pub features: &'a [MediaFeature<'a>],
}

command!(SetEmulatedMedia<'_>, "Emulation.setEmulatedMedia");

/// One media feature.
#[derive(Debug, Clone, Copy, Default, Serialize)]
pub struct MediaFeature<'a> {
    /// Such as `prefers-color-scheme`.
    pub name: &'a str,
    /// Its value; the system's if empty.
    pub value: &'a str,
}
