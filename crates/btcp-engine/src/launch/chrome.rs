//! Starting Chrome, and holding it.

use std::{
    ffi::OsString,
    io,
    os::fd::OwnedFd,
    path::{Path, PathBuf},
    process::{Command, ExitStatus, Stdio},
    sync::{Arc, Mutex},
    thread,
    time::Duration,
};

use btcp_cdp::{Connection, EventHandler, PipeTransport, browser};
use command_fds::{CommandFdExt, FdMapping};
use rustix::pipe::{PipeFlags, pipe_with};
use tokio::time::{Instant, sleep, timeout, timeout_at};

use super::{
    Installed, Kind, LaunchError, SandboxState, args::args, gate::Gate, kept::Kept,
    kept::opened_port, profile::Profile, profile::sweep, spawn::Process, stderr::Complaints,
    sweeper,
};
use crate::egress::Ours;
use crate::sessions::lock;
use crate::settings::Settings;

/// What Chrome says when it is kept from making its sandbox by something that no setting of the
/// kernel tells, such as a container's seccomp filter.
const NO_SANDBOX_POSSIBLE: &str = "No usable sandbox";

/// 108 less `/org.chromium.Chromium.XXXXXX/SingletonSocket` and a little room.
const LONGEST_TEMPORARY: usize = 56;

/// How long Chrome may take to open a port, and how often we look.
const OPENING: Duration = Duration::from_secs(10);
const LOOK: Duration = Duration::from_millis(10);

/// How much longer a Chrome may take that has something to write down.
const WRITING: Duration = Duration::from_secs(8);

/// A running Chrome. Dropping it kills all its processes and removes its profile.
#[derive(Debug)]
pub struct Chrome {
    /// The line to it.
    pub connection: Connection,
    /// What it says it is.
    pub version: browser::Version,
    /// What it can do.
    pub kind: Kind,
    /// Whether pages are sandboxed.
    pub sandbox: SandboxState,
    /// The port by which others may use it too, and that pages may not reach.
    port: Option<(u16, Ours)>,
    // Dropped in this order: a dead Chrome writes no more into its profile.
    process: Process,
    profile: Arc<Profile>,
    /// The profile that a person keeps; else the one above is Chrome's.
    kept: Mutex<Option<Kept>>,
    path: PathBuf,
}

/// Starts Chrome and waits until it answers. `handler` hears all events of its connection,
/// and of its end only if it has started.
pub async fn start(
    installed: &Installed,
    settings: &Settings,
    handler: Arc<dyn EventHandler>,
) -> Result<Chrome, LaunchError> {
    let sandbox = SandboxState::here(&installed.path);
    // Not waited for: what others left behind is not in our way.
    let _ = thread::Builder::new().name("profile-sweep".into()).spawn(sweep);
    match start_with(installed, settings, handler.clone(), sandbox).await {
        Err(LaunchError::Died { stderr, .. })
            if sandbox == SandboxState::On && stderr.contains(NO_SANDBOX_POSSIBLE) =>
        {
            start_with(installed, settings, handler, SandboxState::REFUSED).await
        }
        outcome => outcome,
    }
}

async fn start_with(
    installed: &Installed,
    settings: &Settings,
    handler: Arc<dyn EventHandler>,
    sandbox: SandboxState,
) -> Result<Chrome, LaunchError> {
    let passwords = !settings.credentials.is_empty();
    let kept = match &settings.profile {
        Some(folder) => Some(Kept::take(folder, passwords).await?),
        None => None,
    };
    let profile = Profile::create(passwords, |lock_path| {
        if let Some(program) = &settings.sweeper {
            sweeper::entrust(program, lock_path);
        }
    })?;
    let data = kept.as_ref().map_or(profile.path(), Kept::path).to_owned();
    let mut command = Command::new(&installed.path);
    keep_our_variables(&mut command);
    command.args(args(installed, settings, &data, sandbox));
    if kept.is_some() {
        // Who clears up after us knows Chrome by the folder that is removed.
        let mut dumps = OsString::from("--crash-dumps-dir=");
        dumps.push(profile.path().join("Crashes"));
        command.arg(dumps);
    }
    // Chrome's crash handler runs whatever we say (and pages do not load without it): at least it
    // keeps its dumps, which hold memory of pages, where they are removed.
    command.env("BREAKPAD_DUMP_LOCATION", profile.path().join("Crashes"));
    // A killed Chrome leaves its temporary files; there they go with the profile. Its socket's path
    // may not be longer than a hundred characters or so.
    if profile.path().as_os_str().len() <= LONGEST_TEMPORARY {
        command.env("TMPDIR", profile.path());
    }
    let (process, transport, complaints) = spawn(command).map_err(|error| LaunchError::Spawn {
        path: installed.path.clone(),
        reason: error.to_string(),
    })?;
    profile.used_by(process.pid());
    let gate = Arc::new(Gate::new(handler));
    let connection = Connection::open(transport, gate.clone());
    let deadline = Instant::now() + settings.start_timeout;
    let error = match connection.call(None, &browser::GetVersion, deadline).await {
        Ok(version) => {
            tracing::debug!(pid = process.pid(), product = version.product, %sandbox, "started");
            let port = match settings.debugging_port {
                Some(port) => Some(opened(&data, port, deadline, &complaints).await?),
                None => None,
            };
            gate.open();
            let (profile, kept) = (Arc::new(profile), Mutex::new(kept));
            let kind = installed.kind;
            return Ok(Chrome {
                connection,
                version,
                kind,
                sandbox,
                port,
                process,
                profile,
                kept,
                path: data,
            });
        }
        Err(error) => error,
    };
    tracing::debug!(%error, "no answer");
    let path = installed.path.clone();
    if !connection.is_closed() {
        let after = settings.start_timeout;
        return Err(LaunchError::Silent { path, after, stderr: complaints.so_far() });
    }
    // Chrome's end of the pipe closes a moment before the process has ended.
    let status = timeout(Duration::from_secs(1), process.exited()).await.ok().flatten();
    let status = status.map_or("no status".to_owned(), |status| status.to_string());
    Err(LaunchError::Died { path, status, stderr: complaints.last_words().await })
}

/// Waits until Chrome has opened the port that was asked for; agents may not name it from then on.
async fn opened(
    profile: &Path,
    wanted: u16,
    deadline: Instant,
    complaints: &Complaints,
) -> Result<(u16, Ours), LaunchError> {
    let deadline = deadline.min(Instant::now() + OPENING);
    loop {
        match opened_port(profile).or_else(|| complaints.opened_port()) {
            Some(port) => return Ok((port, Ours::add(port))),
            None if Instant::now() >= deadline => {
                return Err(LaunchError::Port { port: wanted, stderr: complaints.so_far() });
            }
            None => sleep(LOOK).await,
        }
    }
}

/// Starts the process with our pipes at its file descriptors 3 and 4.
fn spawn(mut command: Command) -> io::Result<(Process, PipeTransport, Complaints)> {
    let (chrome_reads, we_write) = pipe_with(PipeFlags::CLOEXEC)?;
    let (we_read, chrome_writes) = pipe_with(PipeFlags::CLOEXEC)?;
    let (we_listen, chrome_complains) = pipe_with(PipeFlags::CLOEXEC)?;
    widen(&we_read);
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(chrome_complains)
        .fd_mappings(vec![
            FdMapping { parent_fd: chrome_reads, child_fd: 3 },
            FdMapping { parent_fd: chrome_writes, child_fd: 4 },
        ])
        .map_err(io::Error::other)?;
    let transport = PipeTransport::new(we_read, we_write)?;
    let complaints = Complaints::on(we_listen)?;
    Ok((Process::spawn(command)?, transport, complaints))
}

/// A screenshot in one piece instead of twenty: Chrome and we take turns less often.
fn widen(pipe: &OwnedFd) {
    // Refused where the user has too many wide pipes already; then it is slower.
    let _ = rustix::pipe::fcntl_setpipe_size(pipe, 1 << 20);
}

impl Chrome {
    /// Its process id, which is its process group's too.
    pub fn pid(&self) -> u32 {
        self.process.pid()
    }

    /// Its profile folder.
    pub fn profile(&self) -> &Path {
        &self.path
    }

    /// The port by which others may use it too.
    pub fn port(&self) -> Option<u16> {
        self.port.as_ref().map(|(port, _)| *port)
    }

    /// How it ended, if it has.
    pub fn exit_status(&self) -> Option<ExitStatus> {
        self.process.status()
    }

    /// Waits for its end, wanted or not; no status if the system kept it to itself.
    pub async fn exited(&self) -> Option<ExitStatus> {
        self.process.exited().await
    }

    /// Asks it to end, kills it at the deadline, removes its profile unless it is a person's.
    pub async fn close(&self, deadline: Instant) {
        let kept = lock(&self.kept).take();
        let deadline = if kept.is_some() { deadline + WRITING } else { deadline };
        // It may be gone before it answers.
        let _ = self.connection.call(None, &browser::Close, deadline).await;
        if timeout_at(deadline, self.process.exited()).await.is_err() {
            tracing::debug!(pid = self.pid(), "did not end by itself");
            self.process.kill();
            self.process.exited().await;
        }
        self.connection.close("Chrome was closed");
        let profile = self.profile.clone();
        // Fails only with the runtime; dropping the profile removes it then.
        let _ = tokio::task::spawn_blocking(move || profile.remove()).await;
        // The next one may have it.
        drop(kept);
    }
}

impl Drop for Chrome {
    fn drop(&mut self) {
        self.connection.close("Chrome was closed");
    }
}

/// Starts a process without what is meant for us: secrets, the key of states, and settings, of which some hold
/// passwords too. No process of Chrome's needs any of it.
pub(super) fn keep_our_variables(command: &mut Command) {
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("BTCP_") {
            command.env_remove(name);
        }
    }
}
