//! `btcp doctor`: looks whether all is there that is needed; each finding says what to do.

use std::io;
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use btcp::daemon::place;
use btcp::{Browser, Settings};
use btcp_engine::launch;
use serde_json::{Value, json};

use crate::output;
use crate::settings::{self, Held};

/// Chrome shares pictures with its pages there; less than this and large pages crash.
const SHARED_MEMORY: u64 = 256 << 20;

/// How long Chrome may take to show that it works.
const WORKING: Duration = Duration::from_secs(120);

/// How something is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Good,
    /// It works, but not as well as it could.
    Warning,
    Bad,
}

/// Something that was looked at.
struct Finding {
    what: &'static str,
    state: State,
    says: String,
    /// The next step.
    hint: Option<String>,
}

impl Finding {
    fn good(what: &'static str, says: impl Into<String>) -> Self {
        Self { what, state: State::Good, says: says.into(), hint: None }
    }

    fn warning(what: &'static str, says: impl Into<String>, hint: &str) -> Self {
        let hint = Some(hint.to_owned());
        Self { what, state: State::Warning, says: says.into(), hint }
    }

    fn bad(what: &'static str, says: impl Into<String>, hint: &str) -> Self {
        Self { what, state: State::Bad, says: says.into(), hint: Some(hint.to_owned()) }
    }
}

/// Looks at everything and prints what was found.
///
/// `wrong` is what is wrong with files and variables, without which `held` is then.
pub(crate) async fn run(held: Held, wrong: Option<String>, json: bool) -> anyhow::Result<ExitCode> {
    let mut findings = Vec::new();
    let mut tell = |finding: Finding| {
        if !json {
            print(&finding);
        }
        findings.push(finding);
    };
    let read = settings::browser(&held.given());
    tell(match wrong.as_ref().or(read.as_ref().err()) {
        None => Finding::good("settings", "all of them can be used"),
        Some(why) => {
            let hint = "Mend it there; `btcp config` says where each setting comes from.";
            Finding::bad("settings", why, hint)
        }
    });
    let settings = read.unwrap_or_default();
    tell(chrome(&settings));
    for finding in works(&settings).await {
        tell(finding);
    }
    tell(shared_memory(Path::new("/dev/shm")));
    tell(fonts(&font_folders()));
    tell(socket());
    tell(ports(&settings));
    tell(out(&settings));
    tell(profile(&settings));
    tell(proxy(&held).await);
    let bad = findings.iter().any(|finding| finding.state == State::Bad);
    if json {
        let all: Vec<Value> = findings.iter().map(object).collect();
        output::line(&json!({ "success": !bad, "findings": all }).to_string());
    }
    Ok(if bad { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

fn print(finding: &Finding) {
    let mark = match finding.state {
        State::Good => "ok",
        State::Warning => "warning",
        State::Bad => "BAD",
    };
    output::line(&format!("{mark:<8}{}: {}", finding.what, finding.says));
    if let Some(hint) = &finding.hint {
        output::line(&format!("        {hint}"));
    }
}

fn object(finding: &Finding) -> Value {
    let state = match finding.state {
        State::Good => "ok",
        State::Warning => "warning",
        State::Bad => "bad",
    };
    json!({ "what": finding.what, "state": state, "says": finding.says, "hint": finding.hint })
}

/// Whether there is a Chrome, and which.
fn chrome(settings: &Settings) -> Finding {
    if let Some(endpoint) = &settings.connect {
        return Finding::good("chrome", format!("none is started: 'connect' is {endpoint}"));
    }
    match launch::find(settings) {
        Ok(found) => Finding::good("chrome", format!("{}", found.path.display())),
        Err(error) => {
            let hint = "`btcp install` gets one; --browser names another.";
            Finding::bad("chrome", error.to_string(), hint)
        }
    }
}

/// Whether Chrome starts and runs a script in a page, and in its sandbox.
async fn works(settings: &Settings) -> Vec<Finding> {
    // A profile may be in use, and a port too: they are looked at by themselves.
    let browser = Browser::new(Settings {
        install: false,
        spare: false,
        profile: None,
        debugging_port: None,
        ..settings.clone()
    });
    let said = Arc::new(Mutex::new(Vec::new()));
    let hear = said.clone();
    browser.on_progress(move |line| {
        hear.lock().unwrap_or_else(PoisonError::into_inner).push(line.to_owned());
    });
    let begun = Instant::now();
    // What a page says of its browser proves that one can be asked.
    let asked = browser.session("doctor");
    let asked = asked.call("evaluate", json!({ "script": "navigator.userAgent" }));
    let answer = tokio::time::timeout(WORKING, asked).await;
    let took = begun.elapsed().as_millis();
    browser.close().await;
    let hint = "Start it by hand to see what it says; `btcp -vv demo` shows what we tell it.";
    let works = matches!(answer, Ok(Ok(_)));
    let mut findings = vec![match answer {
        Ok(Ok(outcome)) => {
            let agent = outcome.data["result"].as_str().unwrap_or_default();
            let version =
                agent.split(['/', ' ']).skip_while(|word| !word.contains("Chrome")).nth(1);
            let version = version.unwrap_or("of an unknown version");
            Finding::good("start", format!("Chrome {version} runs a script after {took} ms"))
        }
        Ok(Err(failure)) => Finding::bad("start", failure.text(), hint),
        Err(_) => Finding::bad("start", format!("nothing within {} s", WORKING.as_secs()), hint),
    }];
    let said = said.lock().unwrap_or_else(PoisonError::into_inner);
    findings.push(match said.iter().find(|line| line.contains("sandbox")) {
        Some(line) => Finding::warning(
            "sandbox",
            line.as_str(),
            "Run as an ordinary user on a kernel with user namespaces.",
        ),
        None if works => Finding::good("sandbox", "nothing speaks against it"),
        None => Finding::warning(
            "sandbox",
            "whether there is one cannot be told: Chrome does not start",
            "Mend that first.",
        ),
    });
    findings
}

fn shared_memory(place: &Path) -> Finding {
    let size = rustix::fs::statvfs(place).map(|shm| shm.f_blocks.saturating_mul(shm.f_frsize));
    let place = place.display();
    match size {
        Ok(size) => enough(size, format!("{place} has {} MB", size >> 20)),
        Err(error) => {
            Finding::warning("shared memory", format!("{place}: {error}"), "Mount a tmpfs there.")
        }
    }
}

fn enough(size: u64, says: String) -> Finding {
    if size >= SHARED_MEMORY {
        return Finding::good("shared memory", says);
    }
    let hint = "Give the container more with --shm-size=1g, or large pages may crash.";
    Finding::warning("shared memory", says, hint)
}

fn font_folders() -> Vec<PathBuf> {
    let home = std::env::var_os("HOME").map(PathBuf::from);
    let of_user =
        home.iter().flat_map(|home| [home.join(".fonts"), home.join(".local/share/fonts")]);
    let of_all = ["/usr/share/fonts", "/usr/local/share/fonts"].map(PathBuf::from);
    of_all.into_iter().chain(of_user).collect()
}

/// Without fonts pages have no words in pictures, and their layout is not what people see.
fn fonts(folders: &[PathBuf]) -> Finding {
    match folders.iter().any(|folder| has_font(folder, 4)) {
        true => Finding::good("fonts", "there are some"),
        false => Finding::warning(
            "fonts",
            "there are none",
            "Install some (fonts-liberation, fonts-noto), or pictures show boxes in place of letters.",
        ),
    }
}

fn has_font(folder: &Path, depth: u32) -> bool {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).any(|path| {
        let extension = path.extension().and_then(|e| e.to_str()).unwrap_or_default();
        ["ttf", "otf", "ttc", "pfb", "woff2"].contains(&extension)
            || (depth > 0 && path.is_dir() && has_font(&path, depth - 1))
    })
}

/// Whether commands and the daemon can meet.
fn socket() -> Finding {
    let reached = place().and_then(|place| {
        let there = place.reach()?.is_some();
        if Path::new(&place.name()).is_dir() {
            return Err(io::Error::other(format!("{} is a folder", place.name())));
        }
        Ok((place.name(), there))
    });
    match reached {
        Ok((name, true)) => Finding::good("daemon", format!("one listens at {name}")),
        Ok((name, false)) => Finding::good("daemon", format!("none runs; {name} can be made")),
        Err(error) => {
            let hint = "Remove what is there, or set XDG_RUNTIME_DIR to a short path of yours.";
            Finding::bad("daemon", error.to_string(), hint)
        }
    }
}

/// Whether ports can be opened: the egress guard has one for each session.
fn ports(settings: &Settings) -> Finding {
    let bound = |port: u16| std::net::TcpListener::bind(("127.0.0.1", port));
    let port = settings.debugging_port.unwrap_or_default();
    match bound(port) {
        Ok(_) if port == 0 => Finding::good("ports", "this machine's can be opened"),
        Ok(_) => Finding::good("ports", format!("{port} is free for Chrome")),
        Err(error) if port == 0 => {
            let hint = "Bring the loopback device up, or let btcp have it.";
            Finding::bad("ports", format!("127.0.0.1: {error}"), hint)
        }
        Err(error) => {
            let hint = "Set --debugging-port to one that nobody has, or to 0 for any.";
            Finding::bad("ports", format!("127.0.0.1:{port}: {error}"), hint)
        }
    }
}

/// Whether the profile that is to be kept can be.
fn profile(settings: &Settings) -> Finding {
    let Some(folder) = &settings.profile else {
        return Finding::good("profile", "none is kept");
    };
    match folder.metadata() {
        Ok(there) if there.is_dir() => Finding::good("profile", folder.display().to_string()),
        Ok(_) => {
            let says = format!("{} is no folder", folder.display());
            Finding::bad("profile", says, "Name a folder with --profile.")
        }
        Err(_) => Finding::good("profile", format!("{} will be made", folder.display())),
    }
}

/// Whether pictures and downloads can be kept.
fn out(settings: &Settings) -> Finding {
    let absolute =
        |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|p| p.is_absolute());
    let state = absolute("XDG_STATE_HOME")
        .or_else(|| absolute("HOME").map(|home| home.join(".local/state")))
        .unwrap_or_else(std::env::temp_dir);
    let folder = settings.out.clone().unwrap_or_else(|| state.join("btcp/out"));
    match writable(&folder) {
        Ok(()) => Finding::good("folder", format!("{} can be written to", folder.display())),
        Err(error) => {
            let hint = "Set another with --out, or mend its permissions.";
            Finding::bad("folder", format!("{}: {error}", folder.display()), hint)
        }
    }
}

fn writable(folder: &Path) -> io::Result<()> {
    std::fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    let probe = folder.join(format!(".doctor-{}", std::process::id()));
    std::fs::write(&probe, "")?;
    let owner = std::fs::metadata(&probe).map(|file| file.uid());
    std::fs::remove_file(&probe)?;
    owner.map(drop)
}

/// Whether somebody listens where the proxy is said to be.
async fn proxy(held: &Held) -> Finding {
    let written = held.one("proxy");
    let place = written.rsplit_once("://").map_or(written.as_str(), |(_, place)| place);
    let place = place.rsplit_once('@').map_or(place, |(_, place)| place).trim_end_matches('/');
    if place.is_empty() {
        return Finding::good("proxy", "none is set");
    }
    let reached = tokio::time::timeout(
        Duration::from_secs(10),
        tokio::net::TcpStream::connect(place.to_owned()),
    );
    let hint = "Start it, or set another with --proxy.";
    match reached.await {
        Ok(Ok(_)) => Finding::good("proxy", format!("{place} listens")),
        Ok(Err(error)) => Finding::bad("proxy", format!("{place}: {error}"), hint),
        Err(_) => Finding::bad("proxy", format!("{place} does not answer within 10 s"), hint),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_machine_without_fonts_is_told_what_to_install() {
        let folder = std::env::temp_dir().join(format!("btcp-fonts-{}", std::process::id()));
        let inside = folder.join("truetype/liberation");
        std::fs::create_dir_all(&inside).unwrap();
        std::fs::write(inside.join("README"), "").unwrap();
        let folders = [folder.join("no"), folder.clone()];

        let without = fonts(&folders);
        std::fs::write(inside.join("Sans.ttf"), "").unwrap();
        let with = fonts(&folders);
        std::fs::remove_dir_all(&folder).unwrap();

        assert_eq!((without.state, without.says.as_str()), (State::Warning, "there are none"));
        assert!(without.hint.unwrap().starts_with("Install some (fonts-liberation"));
        assert_eq!((with.state, with.says.as_str()), (State::Good, "there are some"));
        assert_eq!(with.hint, None);
    }

    #[test]
    fn too_little_shared_memory_is_told_with_what_to_do() {
        let little = enough(64 << 20, "it has 64 MB".to_owned());
        assert_eq!((little.state, little.says.as_str()), (State::Warning, "it has 64 MB"));
        assert!(little.hint.unwrap().contains("--shm-size=1g"));
        let enough = enough(256 << 20, "it has 256 MB".to_owned());
        assert_eq!((enough.state, enough.hint), (State::Good, None));

        let none = shared_memory(Path::new("/no/such/place"));
        assert_eq!(none.state, State::Warning);
        assert!(none.says.starts_with("/no/such/place: No such file"), "{}", none.says);
        assert_eq!(none.hint.as_deref(), Some("Mount a tmpfs there."));
    }
}
