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
