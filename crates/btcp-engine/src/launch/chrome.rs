//! Starting Chrome, and holding it.

use std::{
    io,
    os::fd::OwnedFd,
    path::Path,
    process::{Command, ExitStatus, Stdio},
    sync::Arc,
    thread,
    time::Duration,
};

use btcp_cdp::{Connection, EventHandler, PipeTransport, browser};
use command_fds::{CommandFdExt, FdMapping};
use rustix::pipe::{PipeFlags, pipe_with};
use tokio::time::{Instant, timeout, timeout_at};

use super::{
    Installed, Kind, LaunchError, SandboxState, args::args, gate::Gate, profile::Profile,
    profile::sweep, spawn::Process, stderr::Complaints,
};
use crate::settings::Settings;

/// What Chrome says when it is kept from making its sandbox by something that no setting of the
/// kernel tells, such as a container's seccomp filter.
const NO_SANDBOX_POSSIBLE: &str = "No usable sandbox";

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
    // Dropped in this order: a dead Chrome writes no more into its profile.
    process: Process,
    profile: Arc<Profile>,
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
    let profile = Profile::create()?;
    let mut command = Command::new(&installed.path);
    command.args(args(installed, settings, profile.path(), sandbox));
    // Chrome's crash handler runs whatever we say (and pages do not load without it): at least it
    // keeps its dumps, which hold memory of pages, where they are removed.
    command.env("BREAKPAD_DUMP_LOCATION", profile.path().join("Crashes"));
    let (process, transport, complaints) = spawn(command).map_err(|error| LaunchError::Spawn {
        path: installed.path.clone(),
        reason: error.to_string(),
    })?;
    let gate = Arc::new(Gate::new(handler));
    let connection = Connection::open(transport, gate.clone());
    let deadline = Instant::now() + settings.start_timeout;
    let error = match connection.call(None, &browser::GetVersion, deadline).await {
        Ok(version) => {
            tracing::debug!(pid = process.pid(), product = version.product, %sandbox, "started");
            gate.open();
            let profile = Arc::new(profile);
            return Ok(Chrome {
                connection,
                version,
                kind: installed.kind,
                sandbox,
                process,
                profile,
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
    #[cfg(target_os = "linux")]
    let _ = rustix::pipe::fcntl_setpipe_size(pipe, 1 << 20);
    #[cfg(not(target_os = "linux"))]
    let _ = pipe;
}

impl Chrome {
    /// Its process id, which is its process group's too.
    pub fn pid(&self) -> u32 {
        self.process.pid()
    }

    /// Its profile folder.
    pub fn profile(&self) -> &Path {
        self.profile.path()
    }

    /// How it ended, if it has.
    pub fn exit_status(&self) -> Option<ExitStatus> {
        self.process.status()
    }

    /// Waits for its end, wanted or not; no status if the system kept it to itself.
    pub async fn exited(&self) -> Option<ExitStatus> {
        self.process.exited().await
    }

    /// Asks it to end, kills it at the deadline, removes its profile.
    pub async fn close(&self, deadline: Instant) {
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
    }
}

impl Drop for Chrome {
    fn drop(&mut self) {
        self.connection.close("Chrome was closed");
    }
}
