//! Chrome's command line, each switch with its reason.

use std::{ffi::OsString, path::Path};

use super::{Installed, Kind, SandboxState};
use crate::settings::Settings;

/// Switches for every Chrome of ours.
const ALWAYS: &[&str] = &[
    // Commands come by file descriptors 3 and 4: no open port, and Chrome ends when they close.
    "--remote-debugging-pipe",
    // Nobody is there to answer what a new profile asks.
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-search-engine-choice-screen",
    // The profile lives minutes: nothing to update, sync or report, and no traffic but the pages'.
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-breakpad",
    // All traffic goes through the egress guard (`egress.rs`), which speaks TCP: no QUIC, no WebRTC
    // beside it, no names looked up in advance.
    "--disable-quic",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--dns-prefetch-disable",
    // No question for the password of a keyring.
    "--password-store=basic",
    "--use-mock-keychain",
    // A page that asks for the camera, the location … is refused at once, windows shown or not.
    "--deny-permission-prompts",
    // The engine decides about pages that hang and about forms that are sent again.
    "--disable-hang-monitor",
    "--disable-prompt-on-repost",
    // Windows of several sessions lie on top of each other; each runs as if in front.
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
    "--disable-background-timer-throttling",
    // A press that comes before the first frame of a new page is drawn would be dropped, and answered
    // as if it had been delivered.
    "--allow-pre-commit-input",
];

/// Features that are off.
const DISABLED_FEATURES: &[&str] = &[
    // Pages of Chrome's own in every window: 930 ms of CPU and 58 MB a context instead of 215 and 20.
    "WebUIOmniboxPopup",
    "WebUIOmniboxAimPopup",
    // Loads a page's language model and offers to translate in a bubble over it.
    "Translate",
    // Looks for television sets in the local network.
    "MediaRouter",
    // Asks Google about the pages that are visited.
    "OptimizationHints",
    // Sends Google what fields each page has.
    "AutofillServerCommunication",
    // Tries https first where an agent wrote http, and waits for it to fail.
    "HttpsUpgrades",
    // Pages that nobody asked for yet: their requests cannot be told from those of others.
    "Prerender2",
    "SpeculationRulesPrefetchFuture",
    // Pages that were left are kept as they were, and each document has a new frame in its process:
    // a third of the 80 ms of CPU that a navigation to a small page takes.
    "BackForwardCache",
    "RenderDocument",
    // A process in readiness for the session that went somewhere last: with several of them at work it
    // is ended and made anew at each navigation, 15 of 70 ms of CPU. A new site opens no slower.
    "SpareRendererForSitePerProcess",
];

/// Features that are on.
const ENABLED_FEATURES: &[&str] = &[
    // Pages may declare tools for agents.
    "WebMCP",
];

/// Below this Chrome's shared memory does not fit into `/dev/shm`; Docker gives 64 MB.
const ENOUGH_SHARED_MEMORY: u64 = 1 << 30;

/// The command line for one start.
pub(super) fn args(
    installed: &Installed,
    settings: &Settings,
    profile: &Path,
    sandbox: SandboxState,
) -> Vec<OsString> {
    let mut args: Vec<OsString> = ALWAYS.iter().map(OsString::from).collect();
    let mut user_data_dir = OsString::from("--user-data-dir=");
    user_data_dir.push(profile);
    args.push(user_data_dir);
    let (width, height) = settings.viewport;
    args.push(format!("--window-size={width},{height}").into());
    if installed.kind == Kind::Full {
        // Chrome starts without a page and lives on without one: a page costs 0.2 s of CPU.
        args.push("--no-startup-window".into());
    }
    if installed.kind == Kind::Full && !settings.headed {
        args.push("--headless=new".into());
        // Chrome draws its window though nobody sees it, and fades the icon of a tab in for 250 ms after
        // each load: with eight at work a quarter of what their browser processes do. Of Chrome's own
        // interface only: those of pages take their time.
        args.push("--animation-duration-scale=0".into());
    }
    if !settings.headed {
        args.push("--mute-audio".into());
    }
    if sandbox != SandboxState::On {
        args.push("--no-sandbox".into());
    }
    if cfg!(target_os = "linux") && shared_memory() < ENOUGH_SHARED_MEMORY {
        args.push("--disable-dev-shm-usage".into());
    }
    if let Some(port) = settings.debugging_port {
        // Chrome binds it to loopback only.
        args.push(format!("--remote-debugging-port={port}").into());
    }
    if settings.profile.is_some() {
        // One that was killed is not asked about when it starts again.
        args.push("--hide-crash-restore-bubble".into());
    }
    args.extend(with_features(&settings.extra_args).into_iter().map(OsString::from));
    args
}

/// The given switches, their feature lists merged with ours: of two lists Chrome takes the last.
fn with_features(extra: &[String]) -> Vec<String> {
    let mut disabled = DISABLED_FEATURES.to_vec();
    let mut enabled = ENABLED_FEATURES.to_vec();
    let mut others = Vec::new();
    for arg in extra {
        if let Some(features) = arg.strip_prefix("--disable-features=") {
            disabled.extend(features.split(','));
        } else if let Some(features) = arg.strip_prefix("--enable-features=") {
            enabled.extend(features.split(','));
        } else {
            others.push(arg.clone());
        }
    }
    // Who enables one of those we disable means it, and the other way round.
    let name = |feature: &str| feature.split(['<', ':']).next().map(str::to_owned);
    let theirs = |list: &[&str], ours: usize| -> Vec<Option<String>> {
        list[ours..].iter().map(|feature| name(feature)).collect()
    };
    let wanted = theirs(&enabled, ENABLED_FEATURES.len());
    let unwanted = theirs(&disabled, DISABLED_FEATURES.len());
    disabled.retain(|feature| !wanted.contains(&name(feature)));
    enabled.retain(|feature| !unwanted.contains(&name(feature)) || wanted.contains(&name(feature)));
    let mut args = vec![format!("--disable-features={}", disabled.join(","))];
    if !enabled.is_empty() {
        args.push(format!("--enable-features={}", enabled.join(",")));
    }
    args.append(&mut others);
    args
}

/// Free bytes in `/dev/shm`; none if there is no such place.
fn shared_memory() -> u64 {
    rustix::fs::statvfs("/dev/shm").map_or(0, |shm| shm.f_bavail.saturating_mul(shm.f_frsize))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(kind: Kind, settings: &Settings, sandbox: SandboxState) -> String {
        let installed = Installed { path: "/chrome".into(), kind };
        let args = args(&installed, settings, Path::new("/profile"), sandbox);
        args.join(OsString::from(" ").as_os_str()).into_string().unwrap()
    }

    #[test]
    fn the_command_line_follows_the_settings() {
        let headless = line(Kind::Full, &Settings::default(), SandboxState::On);
        let headed = Settings { headed: true, viewport: (800, 600), ..Settings::default() };
        let headed = line(Kind::Full, &headed, SandboxState::REFUSED);
        let shell = line(Kind::HeadlessShell, &Settings::default(), SandboxState::On);

        assert!(headless.contains(" --headless=new ") && headless.contains(" --mute-audio "));
        assert!(headless.contains(" --animation-duration-scale=0 "));
        assert!(!headed.contains("--animation-duration"), "a person sees that window");
        assert!(headless.contains(" --user-data-dir=/profile --window-size=1280,720 "));
        assert!(!headless.contains("--no-sandbox"));
        assert!(!headed.contains("--headless") && !headed.contains("--mute-audio"));
        assert!(headed.contains(" --no-sandbox ") && headed.contains(" --window-size=800,600 "));
        assert!(!shell.contains("--headless") && !shell.contains("--no-startup-window"));
    }

    /// Nobody else has a way to Chrome unless a person asks for it.
    #[test]
    fn no_port_is_opened_unasked() {
        let plain = line(Kind::Full, &Settings::default(), SandboxState::On);
        assert!(plain.contains("--remote-debugging-pipe") && !plain.contains("debugging-port"));
        let asked = Settings { debugging_port: Some(9222), ..Settings::default() };
        let asked = line(Kind::Full, &asked, SandboxState::On);
        assert!(asked.contains(" --remote-debugging-port=9222 "), "{asked}");
    }

    /// Behind a SOCKS proxy Chrome has no use for some of it; without the guard (`unguarded`) it would.
    #[test]
    fn what_would_go_round_the_guard_is_off() {
        for kind in [Kind::Full, Kind::HeadlessShell] {
            let line = line(kind, &Settings::default(), SandboxState::On);
            for switch in [
                "--disable-quic",
                "--webrtc-ip-handling-policy=disable_non_proxied_udp",
                "--dns-prefetch-disable",
                "--disable-background-networking",
            ] {
                assert!(line.contains(&format!(" {switch} ")), "{switch} is not in {line}");
            }
            let disabled = line.split(" --disable-features=").nth(1).unwrap();
            let disabled = disabled.split(' ').next().unwrap();
            for feature in [
                "Prerender2",
                "SpeculationRulesPrefetchFuture",
                "OptimizationHints",
                "AutofillServerCommunication",
            ] {
                assert!(disabled.split(',').any(|one| one == feature), "{feature} is on");
            }
        }
    }

    #[test]
    fn feature_lists_become_one() {
        let extra = ["--disable-features=A,B", "--lang=de", "--enable-features=Translate,C<Trial"];

        let args = with_features(&extra.map(str::to_owned));

        assert_eq!(args.len(), 3);
        assert!(args[0].starts_with("--disable-features=WebUIOmniboxPopup,"));
        assert!(args[0].ends_with(",A,B") && !args[0].contains("Translate"));
        assert_eq!(args[1..], ["--enable-features=WebMCP,Translate,C<Trial", "--lang=de"]);
        let without = with_features(&["--disable-features=WebMCP".to_owned()]);
        assert!(without.len() == 1 && without[0].ends_with(",WebMCP"), "{without:?}");
    }
}
