//! What a person can set about the browser. Each field becomes a flag.

use std::{path::PathBuf, time::Duration};

use crate::attach::Endpoint;
use crate::egress::Egress;
use crate::headers::Header;
use crate::prompts::Credential;
use crate::saved::StateKey;
use crate::secrets::Secrets;

/// What a person can set about the browser.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// Chrome to start: a path, or a name to look up in `PATH`. Found by itself if left out.
    pub browser: Option<PathBuf>,
    /// A Chrome that runs already, to be connected to instead of starting one. It is somebody's: we
    /// open tabs of our own in it and touch no others, and the egress guard cannot stand before it.
    pub connect: Option<Endpoint>,
    /// Whether that Chrome may be on another machine. The connection is not encrypted.
    pub connect_remote: bool,
    /// Tabs of that Chrome that are lent to sessions: those whose address or title has this in it.
    pub connect_tab: Option<String>,
    /// A profile to keep what pages store in, instead of a new one that is removed at the end. One session
    /// has it at a time, and so has one Chrome.
    pub profile: Option<PathBuf>,
    /// A port of this machine by which other programs may use the Chrome we start too; 0 is any that is
    /// free. Whoever reaches it can do all that we can.
    pub debugging_port: Option<u16>,
    /// Show the windows instead of running headless.
    pub headed: bool,
    /// With windows: how long a person may look at what is about to be acted on.
    pub slow_motion: Duration,
    /// Width and height of the page, in CSS pixels.
    pub viewport: (u32, u32),
    /// The longest side of a picture, in pixels. It has 1.15 megapixels at most; beyond 1568 pixels a
    /// side more, in proportion.
    pub picture_size: u32,
    /// More command-line switches for Chrome. Feature lists are merged with ours; of other
    /// switches given twice Chrome takes the last, which are these.
    pub extra_args: Vec<String>,
    /// Where sessions keep pictures, downloads and long answers; each has a folder of its own
    /// there. `$XDG_STATE_HOME/btcp/out` if left out.
    pub out: Option<PathBuf>,
    /// Install Chromium when none is found and the system can.
    pub install: bool,
    /// The `btcp` binary, to be started as the one who removes Chrome's profile should this process be
    /// killed; it names itself, a program that has it beside it may do so too. Without it the
    /// next start removes what was left.
    pub sweeper: Option<PathBuf>,
    /// Whether sessions share a Chrome or have one each.
    pub isolation: Isolation,
    /// A session nobody has called for so long is closed.
    pub idle_timeout: Duration,
    /// Keep a context in readiness, so that the next session starts at once.
    pub spare: bool,
    /// How many sessions there may be at a time.
    pub max_sessions: usize,
    /// How many bytes the pages of a session may hold: scripts, documents and buffers. Beyond that the
    /// largest page is ended.
    pub max_memory: u64,
    /// How many tabs a session may have; windows a page opens beyond that are closed.
    pub max_tabs: usize,
    /// How long Chrome may take until it answers for the first time.
    pub start_timeout: Duration,
    /// Names and passwords for servers that ask for them; others are refused.
    pub credentials: Vec<Credential>,
    /// Headers that requests to an origin are sent with.
    pub headers: Vec<Header>,
    /// The most bytes one download may have.
    pub max_download: u64,
    /// The most bytes all downloads of a session may have.
    pub max_downloads: u64,
    /// Where pages and agents may go.
    pub egress: Egress,
    /// Folders whose files agents may read and write, besides those of their session.
    pub allow_folders: Vec<PathBuf>,
    /// Encrypts the states that are saved.
    pub state_key: Option<StateKey>,
    /// What agents may use by name and never see.
    pub secrets: Secrets,
}

/// How far sessions are kept apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Isolation {
    /// A browser context each, in one Chrome: own cookies, storage and page processes.
    Context,
    /// A Chrome each, at five times the memory: a crash takes one session along, not all.
    Process,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            browser: None,
            connect: None,
            connect_remote: false,
            connect_tab: None,
            profile: None,
            debugging_port: None,
            headed: false,
            slow_motion: Duration::ZERO,
            viewport: (1280, 720),
            picture_size: 1568,
            extra_args: Vec::new(),
            out: None,
            install: true,
            sweeper: None,
            isolation: Isolation::Context,
            idle_timeout: Duration::from_secs(30 * 60),
            spare: true,
            max_sessions: 64,
            max_memory: 2 << 30,
            max_tabs: 50,
            start_timeout: Duration::from_secs(30),
            credentials: Vec::new(),
            headers: Vec::new(),
            max_download: 1 << 30,
            max_downloads: 4 << 30,
            egress: Egress::default(),
            allow_folders: Vec::new(),
            state_key: None,
            secrets: Secrets::default(),
        }
    }
}
