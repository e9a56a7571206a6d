//! The process that clears up at once when we are killed.
//!
//! Nobody can do anything after SIGKILL, so it must be somebody else: a second process of the `btcp`
//! binary that waits for the end of a pipe which only we hold. It knows by name which profiles
//! are ours. A program that has no such binary goes without; then the next start clears up.

use std::{
    ffi::OsStr,
    io::{self, Read, Write},
    os::unix::{ffi::OsStrExt, process::CommandExt},
    path::Path,
    process::{Child, Command, Stdio},
    sync::{Mutex, PoisonError},
};

use super::{chrome::keep_our_variables, profile::clear_up};

/// The command of the binary that runs [`sweep_when_orphaned`].
const COMMAND: &str = "sweep";

/// One for all Chromes of this process; it ends after us.
static SWEEPER: Mutex<Option<Child>> = Mutex::new(None);

/// Has a profile removed after our death, by the name of its lock file.
pub(super) fn entrust(program: &Path, lock_path: &Path) {
    let mut sweeper = SWEEPER.lock().unwrap_or_else(PoisonError::into_inner);
    let told = tell(&mut sweeper, program, lock_path).or_else(|_| {
        // Somebody killed it: what it was told is lost, and the next start's to remove.
        if let Some(mut dead) = sweeper.take() {
            let _ = dead.kill();
            let _ = dead.wait();
        }
        tell(&mut sweeper, program, lock_path)
    });
    if let Err(error) = told {
        tracing::debug!(%error, "no sweeper");
    }
}

fn tell(sweeper: &mut Option<Child>, program: &Path, lock_path: &Path) -> io::Result<()> {
    let child = match sweeper {
        Some(child) => child,
        None => sweeper.insert(start(program)?),
    };
    let pipe = child.stdin.as_mut().ok_or(io::ErrorKind::BrokenPipe)?;
    pipe.write_all(&[lock_path.as_os_str().as_bytes(), b"\0"].concat())
}

fn start(program: &Path) -> io::Result<Child> {
    let mut command = Command::new(program);
    // It outlives us.
    keep_our_variables(&mut command);
    command
        .arg0("btcp")
        .arg(COMMAND)
        .stdin(Stdio::piped())
        // Whoever reads from us must not wait for it.
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .current_dir("/")
        // What ends our group, a key in a terminal for example, must leave it its work.
        .process_group(0)
        .spawn()
}

/// What the sweeper does: reads names of lock files until whoever writes them is gone, then clears
/// up what is still there.
pub fn sweep_when_orphaned(mut owner: impl Read) {
    let mut names = Vec::new();
    // An owner that cannot be read from is gone too.
    let _ = owner.read_to_end(&mut names);
    for name in names.split(|byte| *byte == 0).filter(|name| !name.is_empty()) {
        clear_up(Path::new(OsStr::from_bytes(name)));
    }
}
