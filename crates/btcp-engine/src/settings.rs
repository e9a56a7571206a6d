//! What a person can set about the browser. Each field becomes a flag.

use std::{path::PathBuf, time::Duration};

/// What a person can set about the browser.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// Chrome to start: a path, or a name to look up in `PATH`. Found by itself if left out.
    pub browser: Option<PathBuf>,
    /// Show the windows instead of running headless.
    pub headed: bool,
    /// Width and height of the page, in CSS pixels.
    pub viewport: (u32, u32),
    /// More command-line switches for Chrome. Feature lists are merged with ours; of other
    /// switches given twice Chrome takes the last, which are these.
    pub extra_args: Vec<String>,
    /// Where sessions keep pictures, downloads and long answers; each has a folder of its own
    /// there. `$XDG_STATE_HOME/btcp/out` if left out.
    pub out: Option<PathBuf>,
    /// Install Chromium when none is found and the system can.
    pub install: bool,
    /// How long Chrome may take until it answers for the first time.
    pub start_timeout: Duration,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            browser: None,
            headed: false,
            viewport: (1280, 720),
            extra_args: Vec::new(),
            out: None,
            install: true,
            start_timeout: Duration::from_secs(30),
        }
    }
}
