//! What the pages of a session believe of the device they are on, and of its network.
//!
//! It belongs to the session: every tab, frame and worker is told when it begins, before it runs, and
//! again when something changes. Chrome itself carries it over navigations and to other processes.
//! What can be asked for is `change.rs`, the table of devices `devices.rs`, what follows from a user
//! agent `agent.rs`.

mod agent;
mod change;
mod devices;

use std::time::Duration;

use btcp_cdp::{Connection, SessionId, browser, emulation as cdp, network};
use tokio::time::Instant;

pub use self::change::Emulate;
use self::change::wrong;
use crate::error::{Error, Result};
use crate::page::ops::Measure;
use crate::session::Session;
use crate::sessions::lock;
use crate::tab::Tab;

/// The largest viewport, a side.
const LARGEST: u32 = 10_000;

/// What the pages of a session believe.
#[derive(Debug, Clone, PartialEq)]
pub struct Emulation {
    /// Width and height of the page, in CSS pixels.
    pub viewport: (u32, u32),
    /// The screen, where that is larger.
    pub screen: Option<(u32, u32)>,
    /// Device pixels per CSS pixel.
    pub scale: f64,
    /// A phone or a tablet: its screen is touched, and pages are laid out for it.
    pub mobile: bool,
    /// Which device of the table.
    pub device: Option<&'static str>,
    /// What the browser calls itself.
    pub user_agent: Option<String>,
    /// Language, such as `de-DE`.
    pub locale: Option<String>,
    /// Such as `Europe/Berlin`.
    pub timezone: Option<String>,
    /// Latitude, longitude, accuracy in metres.
    pub geolocation: Option<(f64, f64, f64)>,
    /// What pages may do without asking.
    pub permissions: Vec<&'static str>,
    /// `light` or `dark`.
    pub color_scheme: Option<&'static str>,
    /// Whether things should not move.
    pub reduced_motion: Option<bool>,
    /// Whether there is no network.
    pub offline: bool,
}

/// Whom something is told to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum To {
    /// The process of a tab's page.
    Page,
    /// A process with frames of it.
    Frame,
    /// A worker.
    Worker,
}

impl Emulation {
    /// As the settings have it.
    pub(crate) fn new(viewport: (u32, u32)) -> Self {
        Self {
            viewport,
            screen: None,
            scale: 1.0,
            mobile: false,
            device: None,
            user_agent: None,
            locale: None,
            timezone: None,
            geolocation: None,
            permissions: Vec::new(),
            color_scheme: None,
            reduced_motion: None,
            offline: false,
        }
    }

    fn metrics(&self) -> cdp::SetDeviceMetricsOverride {
        cdp::SetDeviceMetricsOverride {
            width: self.viewport.0,
            height: self.viewport.1,
            device_scale_factor: self.scale,
            mobile: self.mobile,
            screen_width: self.screen.map(|screen| screen.0),
            screen_height: self.screen.map(|screen| screen.1),
        }
    }

    /// `de-DE,de`: the languages a browser of that locale asks for.
    fn languages(&self) -> Option<String> {
        let locale = self.locale.as_deref()?;
        let (language, rest) = locale.split_once('-').unwrap_or((locale, ""));
        Some(if rest.is_empty() { locale.to_owned() } else { format!("{locale},{language}") })
    }

    /// Whether nothing but the viewport may be different.
    fn is_plain(&self) -> bool {
        *self == Self { viewport: self.viewport, ..Self::new(self.viewport) }
    }
}

/// Tells one process of a session what it believes; with `anew` also what it no longer does.
pub(crate) fn tell(
    connection: &Connection,
    session: &SessionId,
    to: To,
    believed: &Emulation,
    own: &OwnAgent,
    anew: bool,
) {
    let session = Some(session);
    if to == To::Page {
        connection.post(session, &believed.metrics());
    }
    if believed.is_plain() && !anew {
        return;
    }
    tell_agent(connection, session, believed, own, anew);
    if believed.locale.is_some() || anew {
        let locale = believed.locale.as_ref().map(|locale| locale.replace('-', "_"));
        connection.post(session, &cdp::SetLocaleOverride { locale: locale.as_deref() });
    }
    if believed.timezone.is_some() || anew {
        let timezone_id = believed.timezone.as_deref().unwrap_or_default();
        connection.post(session, &cdp::SetTimezoneOverride { timezone_id });
    }
    if believed.offline || anew {
        // Of a worker Chrome listens to it only while its requests are reported.
        if to == To::Worker && believed.offline {
            connection.post(session, &network::Enable::default());
        }
        connection.post(session, &offline(believed.offline));
        if to == To::Worker && !believed.offline {
            connection.post(session, &network::Disable);
        }
    }
    if to == To::Worker {
        return;
    }
    if believed.mobile || anew {
        let fingers = believed.mobile.then_some(5);
        let touch =
            cdp::SetTouchEmulationEnabled { enabled: believed.mobile, max_touch_points: fingers };
        connection.post(session, &touch);
    }
    match believed.geolocation {
        Some((latitude, longitude, accuracy)) => {
            let place = cdp::SetGeolocationOverride { latitude, longitude, accuracy };
            connection.post(session, &place);
        }
        None if anew => connection.post(session, &cdp::ClearGeolocationOverride),
        None => {}
    }
    let motion = match believed.reduced_motion {
        None => "",
        Some(true) => "reduce",
        Some(false) => "no-preference",
    };
    let scheme = believed.color_scheme.unwrap_or_default();
    let features = [
        cdp::MediaFeature { name: "prefers-color-scheme", value: scheme },
        cdp::MediaFeature { name: "prefers-reduced-motion", value: motion },
    ];
    if anew || features.iter().any(|feature| !feature.value.is_empty()) {
        connection.post(session, &cdp::SetEmulatedMedia { features: &features });
    }
}

fn tell_agent(
    connection: &Connection,
    session: Option<&SessionId>,
    believed: &Emulation,
    own: &OwnAgent,
    anew: bool,
) {
    let languages = believed.languages();
    if believed.user_agent.is_none() && languages.is_none() {
        if anew {
            connection.post(session, &cdp::SetUserAgentOverride::default());
        }
        return;
    }
    let agent = believed.user_agent.as_deref().unwrap_or(&own.agent);
    let hints = agent::hints(agent, Some(&own.version));
    let platform = believed.user_agent.as_deref().map(agent::platform);
    let command = cdp::SetUserAgentOverride {
        user_agent: agent,
        accept_language: languages.as_deref(),
        platform,
        user_agent_metadata: hints.as_ref(),
    };
    connection.post(session, &command);
}

/// What Chrome calls itself.
#[derive(Debug, Clone, Default)]
pub(crate) struct OwnAgent {
    pub(crate) agent: String,
    pub(crate) version: String,
}

impl OwnAgent {
    pub(crate) fn of(version: &browser::Version) -> Self {
        let number = version.product.split_once('/').map_or("", |(_, number)| number);
        Self { agent: version.user_agent.clone(), version: number.to_owned() }
    }

    fn major(&self) -> &str {
        self.version.split('.').next().unwrap_or_default()
    }
}

fn offline(offline: bool) -> network::EmulateNetworkConditions {
    network::EmulateNetworkConditions {
        offline,
        latency: 0.0,
        download_throughput: -1.0,
        upload_throughput: -1.0,
    }
}

impl Session {
    /// What its pages believe.
    pub fn emulation(&self) -> Emulation {
        lock(&self.shared().emulation).clone()
    }

    /// Tells everything that runs what it believes now.
    fn tell_all(&self, believed: &Emulation) {
        let own = &self.shared().own;
        let connection = &self.browser.connection;
        for tab in self.open_tabs() {
            let frames = tab.facts().frames.sessions();
            for session in frames {
                let to = if session == tab.session { To::Page } else { To::Frame };
                tell(connection, &session, to, believed, own, true);
            }
        }
        let workers = lock(&self.shared().workers).clone();
        for session in workers {
            tell(connection, &session, To::Worker, believed, own, true);
        }
    }

    /// A tab is gone. Language and time zone are a process's, and Chrome has taken them back there
    /// together with the tab that had asked for them; others may live in that process.
    pub(crate) fn tell_again(&self) {
        let believed = self.emulation();
        let connection = &self.browser.connection;
        for tab in self.open_tabs() {
            let session = Some(&tab.session);
            if let Some(locale) = believed.locale.as_ref().map(|locale| locale.replace('-', "_")) {
                connection.post(session, &cdp::SetLocaleOverride { locale: Some(&locale) });
            }
            if let Some(timezone_id) = believed.timezone.as_deref() {
                connection.post(session, &cdp::SetTimezoneOverride { timezone_id });
            }
        }
    }

    async fn permit(&self, names: &[&'static str]) -> Result<()> {
        let browser_context_id = self.context();
        self.browser.call(&browser::ResetPermissions { browser_context_id }).await?;
        for name in names {
            let permission = browser::PermissionDescriptor { name };
            let grant =
                browser::SetPermission { permission, setting: "granted", browser_context_id };
            self.browser.call(&grant).await.map_err(|error| match error {
                Error::Internal { message } => {
                    let message = format!("Chrome cannot permit '{name}': {message}");
                    wrong("permissions", message)
                }
                other => other,
            })?;
        }
        Ok(())
    }
}

impl Tab {
    /// Makes the session's pages believe something else; with no change at all, nothing but what
    /// the settings say.
    pub async fn emulate(&mut self, change: Option<&Emulate>) -> Result<Emulation> {
        let shared = self.session.shared().clone();
        let usual = self.session.browser.settings.viewport;
        let before = lock(&shared.emulation).clone();
        let new = match change {
            Some(change) => before.with(change, usual, shared.own.major())?,
            None => Emulation { offline: before.offline, ..Emulation::new(usual) },
        };
        let mut permitted = new.permissions.clone();
        if new.geolocation.is_some() {
            // A place that nobody may ask for is of no use.
            permitted.push("geolocation");
        }
        let permits = permitted != before.permissions || new.geolocation != before.geolocation;
        if permits {
            self.session.browser.may_permit()?;
        }
        self.check_zone(&new).await?;
        self.context.progress.sent();
        if permits {
            self.session.permit(&permitted).await?;
        }
        self.believe(new.clone()).await?;
        self.context.progress.happened();
        Ok(new)
    }

    /// Gives the session's pages another viewport.
    pub async fn resize(&mut self, width: u32, height: u32) -> Result<Emulation> {
        if width > LARGEST || height > LARGEST {
            let message = format!("Invalid dimensions: width and height may be {LARGEST} at most");
            return Err(wrong("width", message));
        }
        let before = self.session.emulation();
        let new = Emulation { viewport: (width, height), screen: None, ..before };
        self.context.progress.sent();
        self.believe(new.clone()).await?;
        self.context.progress.happened();
        Ok(new)
    }

    /// Takes the network away from the session's pages and their workers, or gives it back.
    pub async fn set_offline(&mut self, offline: bool) -> Result<()> {
        let before = self.session.emulation();
        self.context.progress.sent();
        self.believe(Emulation { offline, ..before }).await?;
        self.context.progress.happened();
        Ok(())
    }

    /// Chrome knows the time zones; one it does not is told before anything changes.
    async fn check_zone(&self, new: &Emulation) -> Result<()> {
        let Some(timezone_id) = new.timezone.as_deref() else { return Ok(()) };
        match self.send(&cdp::SetTimezoneOverride { timezone_id }).await {
            Err(btcp_cdp::Error::Remote { message, .. }) if message.contains("nvalid") => {
                let message = format!("There is no time zone '{timezone_id}'");
                Err(wrong("timezone", message))
            }
            // Another tab in the same process has said so already.
            Ok(_) | Err(btcp_cdp::Error::Remote { .. }) => Ok(()),
            Err(error) => Err(self.explain(error)),
        }
    }

    /// Tells everybody, and waits until this page has heard it.
    async fn believe(&mut self, new: Emulation) -> Result<()> {
        *lock(&self.session.shared().emulation) = new.clone();
        self.session.tell_all(&new);
        // Answered after everything that was sent before it.
        self.call(&new.metrics()).await?;
        if new.mobile {
            return Ok(());
        }
        let until = self.deadline().min(Instant::now() + Duration::from_secs(2));
        let main = self.main_frame();
        while Instant::now() < until {
            let (seen, _) = self.op::<_, Measure>(&main, "measure", &serde_json::json!({})).await?;
            if (seen.width.round() as u32, seen.height.round() as u32) == new.viewport {
                break;
            }
            let soon = until.min(Instant::now() + Duration::from_millis(10));
            self.state.until(soon, |_| None::<()>).await;
        }
        Ok(())
    }
}
