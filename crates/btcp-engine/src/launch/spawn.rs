//! The process: its start, its end, and that it never outlives us.
//!
//! A thread per Chrome starts it and waits for it, because Linux sends the
//! parent-death signal when the *thread* that forked ends. Chrome leads a process
//! group, which is killed as a whole before its leader is reaped: until then the
//! group's number cannot belong to anybody else.

#![expect(unsafe_code, reason = "the parent-death signal has to be set between fork and exec")]

use std::{
    io,
    os::unix::process::CommandExt,
    process::{Child, Command, ExitStatus},
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, mpsc},
    thread,
    time::Duration,
};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
use tokio::sync::watch;

use super::tie::tie;

/// How long dropping waits for the process to be gone; a killed one takes milliseconds.
const DROP_LIMIT: Duration = Duration::from_millis(500);

/// A running Chrome, killed with its whole group when dropped.
#[derive(Debug)]
pub(super) struct Process {
    shared: Arc<Shared>,
    exit: watch::Receiver<Option<ExitStatus>>,
}

#[derive(Debug)]
struct Shared {
    pid: Pid,
    reaped: Mutex<bool>,
    gone: Condvar,
}

impl Process {
    /// Starts `command` as the leader of a new process group.
    pub(super) fn spawn(mut command: Command) -> io::Result<Self> {
        command.process_group(0);
        tie().bind(&mut command);
        let (report, started) = mpsc::sync_channel(1);
        let (exited, exit) = watch::channel(None);
        thread::Builder::new().name("chrome-keeper".into()).spawn(move || {
            let child = match command.spawn() {
                Ok(child) => child,
                Err(error) => return drop(report.send(Err(error))),
            };
            // Our copies of Chrome's pipe ends go with it, or its end would go unnoticed.
            drop(command);
            let pid = Pid::from_child(&child);
            let shared = Arc::new(Shared { pid, reaped: Mutex::new(false), gone: Condvar::new() });
            let _ = report.send(Ok(shared.clone()));
            exited.send_replace(shared.wait(child));
        })?;
        let shared = started.recv().map_err(io::Error::other)??;
        Ok(Self { shared, exit })
    }

    pub(super) fn pid(&self) -> u32 {
        self.shared.pid.as_raw_nonzero().get().unsigned_abs()
    }

    /// How it ended, if it has.
    pub(super) fn status(&self) -> Option<ExitStatus> {
        *self.exit.borrow()
    }

    /// Waits for its end; no status if the system kept it to itself.
    pub(super) async fn exited(&self) -> Option<ExitStatus> {
        let mut exit = self.exit.clone();
        // The keeper drops its sender only after its report.
        exit.wait_for(Option::is_some).await.map_or(None, |status| *status)
    }

    /// Kills it and all it has started.
    pub(super) fn kill(&self) {
        self.shared.kill();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.shared.kill();
        let reaped = self.shared.reaped();
        drop(self.shared.gone.wait_timeout_while(reaped, DROP_LIMIT, |reaped| !*reaped));
    }
}

impl Shared {
    fn reaped(&self) -> MutexGuard<'_, bool> {
        self.reaped.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn kill(&self) {
        let reaped = self.reaped();
        if !*reaped {
            // Fails only if the group is gone already.
            let _ = kill_process_group(self.pid, Signal::KILL);
        }
    }

    /// Waits for the leader, kills what it left of its group, reaps it.
    fn wait(&self, mut child: Child) -> Option<ExitStatus> {
        let exited = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
        while let Err(rustix::io::Errno::INTR) = waitid(WaitId::Pid(self.pid), exited) {}
        let mut reaped = self.reaped();
        let _ = kill_process_group(self.pid, Signal::KILL);
        let status = child.wait().ok();
        *reaped = true;
        self.gone.notify_all();
        status
    }
}

/// Lets the system kill the child when the thread that starts it ends, by whatever cause.
pub(super) fn die_with_parent(command: &mut Command) {
    use rustix::process::{getpid, getppid};
    let parent = getpid();
    // SAFETY: between fork and exec only async-signal-safe calls are made: two system calls, no
    // allocation, no lock.
    unsafe {
        command.pre_exec(move || {
            rustix::process::set_parent_process_death_signal(Some(Signal::KILL))?;
            // A parent that died before the line above sends no signal.
            if getppid() == Some(parent) { Ok(()) } else { Err(io::ErrorKind::NotFound.into()) }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str) -> Process {
        let mut command = Command::new("/bin/sh");
        command.args(["-c", script]);
        Process::spawn(command).unwrap()
    }

    #[tokio::test]
    async fn the_exit_status_is_told() {
        let process = shell("exit 7");

        assert_eq!(process.exited().await.unwrap().code(), Some(7));
        assert_eq!(process.status().unwrap().code(), Some(7));
    }

    #[test]
    fn a_program_that_is_not_there_is_an_error() {
        let error = Process::spawn(Command::new("/no/such/program")).unwrap_err();

        assert_eq!(error.kind(), io::ErrorKind::NotFound);
    }

    #[test]
    fn dropping_kills_the_whole_group() {
        let process = shell("sleep 100 & sleep 100");
        let group = process.shared.pid;

        drop(process);

        assert!((0..1000).any(|_| {
            // The kernel tells nobody when a group is empty: look again every millisecond.
            thread::park_timeout(Duration::from_millis(1));
            !has_members(group)
        }));
    }

    /// Whether processes of the group run. Zombies do not count: in a container nobody may care
    /// for orphans.
    fn has_members(group: Pid) -> bool {
        let group = group.as_raw_nonzero().to_string();
        std::fs::read_dir("/proc").unwrap().flatten().any(|process| {
            let stat = std::fs::read_to_string(process.path().join("stat")).unwrap_or_default();
            let fields = stat.rsplit_once(')').map_or("", |named| named.1);
            let mut fields = fields.split_whitespace();
            // State, parent, group.
            fields.next().is_some_and(|state| state != "Z") && fields.nth(1) == Some(&group)
        })
    }
}
