//! The place on Unix: `daemon.sock` in the user's runtime folder, mode 0600.

use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, Read, Seek, Write};
use std::os::fd::OwnedFd;
use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};
use std::os::unix::net::{UnixListener, UnixStream};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use btcp_actions::engine::launch::private_runtime_folder;
use rustix::process::{Pid, Signal, kill_process};

use super::{Connection, Place};

/// How long between two looks at a lock somebody else holds.
const PAUSE: Duration = Duration::from_millis(2);

/// A request is written whole within this, or the daemon does not read.
const WRITTEN: Duration = Duration::from_secs(30);

/// Bytes from which on a block of memory goes back to the system when it is let go.
const LARGE_BLOCK: &str = "65536";

/// A socket in a private folder.
pub(in crate::daemon) struct Socket {
    folder: PathBuf,
}

impl Socket {
    pub(in crate::daemon) fn new() -> io::Result<Self> {
        let folder = private_runtime_folder()?;
        Ok(Self { folder })
    }

    fn socket(&self) -> PathBuf {
        self.folder.join("daemon.sock")
    }

    fn pid_file(&self) -> PathBuf {
        self.folder.join("daemon.pid")
    }

    /// The daemon's side: the listener it was started with, and its name in the pid file.
    pub(in crate::daemon) fn take_over(&self) -> io::Result<(UnixListener, Named)> {
        use std::os::fd::AsFd as _;
        let handed = io::stdin().as_fd().try_clone_to_owned()?;
        let listener = UnixListener::from(handed);
        // Something else than a socket has no address.
        listener.local_addr()?;
        Ok((listener, self.sign()?))
    }

    /// Writes down who we are. Under another name first, or somebody might read half of it; a
    /// daemon that is about to go keeps its lock on the file that had the name before.
    fn sign(&self) -> io::Result<Named> {
        let id = std::process::id();
        let new = self.folder.join(format!("daemon-{id}.pid"));
        let mut file = private(&new)?;
        file.lock()?;
        file.set_len(0)?;
        write!(file, "{id}")?;
        fs::rename(&new, self.pid_file())?;
        Ok(Named { _file: file })
    }

    /// Nobody finds us from now on. Only for who holds the lock, or acts for somebody who does.
    pub(in crate::daemon) fn leave(&self) {
        let _ = fs::remove_file(self.socket());
        let _ = fs::remove_file(self.pid_file());
    }

    /// Takes the lock if nobody has it.
    pub(in crate::daemon) fn try_lock(&self) -> Option<File> {
        let file = private(&self.folder.join("daemon.starting")).ok()?;
        file.try_lock().ok().map(|()| file)
    }
}

/// While it lives, so does the daemon in the pid file.
pub(in crate::daemon) struct Named {
    _file: File,
}

fn private(path: &Path) -> io::Result<File> {
    OpenOptions::new().read(true).write(true).create(true).truncate(false).mode(0o600).open(path)
}

impl Connection for UnixStream {
    fn patience(&self, limit: Duration) -> io::Result<()> {
        self.set_read_timeout(Some(limit.max(Duration::from_millis(1))))
    }
}

impl Place for Socket {
    fn reach(&self) -> io::Result<Option<Box<dyn Connection>>> {
        use io::ErrorKind::{ConnectionRefused, NotFound};
        match UnixStream::connect(self.socket()) {
            Ok(stream) => {
                stream.set_write_timeout(Some(WRITTEN))?;
                Ok(Some(Box::new(stream)))
            }
            // Refused: the socket is there and nobody listens. It is replaced by the next start.
            Err(error) if matches!(error.kind(), NotFound | ConnectionRefused) => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn lock(&self, patience: Duration) -> io::Result<Box<dyn Send>> {
        let begun = Instant::now();
        loop {
            if let Some(lock) = self.try_lock() {
                return Ok(Box::new(lock));
            }
            if begun.elapsed() > patience {
                return Err(io::Error::new(
                    io::ErrorKind::TimedOut,
                    format!("Somebody has been starting a daemon for {} s", patience.as_secs()),
                ));
            }
            std::thread::sleep(PAUSE);
        }
    }

    fn start(&self, program: &Path, arguments: &[String]) -> io::Result<()> {
        let socket = self.socket();
        match fs::remove_file(&socket) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let listener = UnixListener::bind(&socket)?;
        fs::set_permissions(&socket, Permissions::from_mode(0o600))?;
        let log = private(&self.log())?;
        log.set_len(0)?;
        let log = OpenOptions::new().append(true).open(self.log())?;
        let mut command = Command::new(program);
        command.arg0("btcp").args(arguments).current_dir("/");
        // They come with each call; Chrome has no business with them. Where a browser is to be got from
        // is no setting of a browser, and asked for where it is got.
        for (name, _) in std::env::vars_os() {
            let kept = name == "BTCP_INSTALL_FROM";
            if !kept && name.to_str().is_some_and(|name| name.starts_with("BTCP_")) {
                command.env_remove(name);
            }
        }
        // glibc takes the first large blocks for the rule: after an answer of some megabytes it keeps
        // ten times as much for the next. Numbers of our own make it give back what was used.
        for number in ["MALLOC_MMAP_THRESHOLD_", "MALLOC_TRIM_THRESHOLD_"] {
            command.env(number, LARGE_BLOCK);
        }
        let started = command
            .stdin(Stdio::from(OwnedFd::from(listener)))
            .stdout(Stdio::null())
            .stderr(Stdio::from(log))
            .spawn();
        if started.is_err() {
            let _ = fs::remove_file(&socket);
        }
        started.map(drop)
    }

    fn pid(&self) -> Option<u32> {
        let mut file = File::open(self.pid_file()).ok()?;
        if file.try_lock().is_ok() {
            return None;
        }
        let mut text = String::new();
        file.rewind().ok()?;
        file.take(16).read_to_string(&mut text).ok()?;
        text.trim().parse().ok()
    }

    fn kill(&self) -> io::Result<()> {
        let pid = self.pid().and_then(|pid| i32::try_from(pid).ok()).and_then(Pid::from_raw);
        let Some(pid) = pid else { return Ok(()) };
        Ok(kill_process(pid, Signal::KILL)?)
    }

    fn name(&self) -> String {
        self.socket().display().to_string()
    }

    fn log(&self) -> PathBuf {
        self.folder.join("daemon.log")
    }
}
