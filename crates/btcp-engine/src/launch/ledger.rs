//! What is written down about each Chrome, so that whoever comes after a dead owner can clear up.
//!
//! The lock file beside a profile is the entry: who holds its lock owns the profile, and in it
//! stands which process leads that Chrome and when it started. A number alone would not do:
//! after a power cut it belongs to somebody else.

use std::{
    fs::File,
    io::{self, Read, Write},
    path::Path,
    thread,
    time::{Duration, Instant},
};

use rustix::process::{Pid, Signal, kill_process, kill_process_group};

use super::tie::{Tie, tie};

/// How long killed processes may take to be gone.
const DYING: Duration = Duration::from_millis(500);

/// The leader of a Chrome.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Leader {
    pid: i32,
    started: u64,
}

impl Leader {
    fn write(self, mut entry: &File) -> io::Result<()> {
        entry.write_all(format!("{} {}\n", self.pid, self.started).as_bytes())
    }

    /// None if it was never written, or not to the end.
    fn read(mut entry: &File) -> Option<Self> {
        let mut text = String::new();
        entry.read_to_string(&mut text).ok()?;
        let (pid, started) = text.strip_suffix('\n')?.split_once(' ')?;
        Some(Self { pid: pid.parse().ok()?, started: started.parse().ok()? })
    }
}

/// Writes down who leads the Chrome of a profile.
pub(super) fn record(entry: &File, pid: u32) {
    let pid = pid.cast_signed();
    let leader = tie().started(pid).map(|started| Leader { pid, started });
    if let Some(Err(error)) = leader.map(|leader| leader.write(entry)) {
        // Then the profile's name in their command lines has to do.
        tracing::debug!(%error, "the ledger could not be written");
    }
}

/// How long the owner of a profile is dead.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Died {
    /// Its Chrome's process group is still what it was.
    JustNow,
    /// The numbers of its processes may be others' by now.
    Once,
}

/// Kills what is left of the Chrome of a profile whose owner is dead, and waits for its end.
pub(super) fn reap(entry: &File, profile: &Path, died: Died) {
    let leader = Leader::read(entry);
    if died == Died::JustNow
        && let Some(leader) = leader
    {
        kill_group(tie(), leader);
    }
    reap_by(tie(), leader, profile);
}

/// Kills whoever was started for a profile, and waits for their end; whether all are gone.
pub(super) fn clear(profile: &Path) -> bool {
    reap_by(tie(), None, profile)
}

/// The whole group at once: a process that is just being started has no command line to be known by.
/// While it has members, its number is nobody else's.
fn kill_group(tie: &dyn Tie, leader: Leader) {
    let stranger = tie.started(leader.pid).is_some_and(|started| started != leader.started);
    let Some(group) = Pid::from_raw(leader.pid).filter(|_| !stranger) else { return };
    // None is left if this fails.
    let _ = kill_process_group(group, Signal::KILL);
}

fn reap_by(tie: &dyn Tie, leader: Option<Leader>, profile: &Path) -> bool {
    let begun = Instant::now();
    loop {
        let mut alive = tie.started_for(profile).unwrap_or_default();
        // Nobody kills themselves, whatever their command line says.
        alive.retain(|pid| pid.unsigned_abs() != std::process::id());
        let leads = |leader: &Leader| {
            alive.contains(&leader.pid) && tie.started(leader.pid) == Some(leader.started)
        };
        if let Some(leader) = leader.filter(leads).and_then(|leader| Pid::from_raw(leader.pid)) {
            tracing::debug!(?leader, "a Chrome without an owner");
            let _ = kill_process_group(leader, Signal::KILL);
        }
        for pid in alive.iter().filter_map(|pid| Pid::from_raw(*pid)) {
            // Gone already, or somebody else's.
            let _ = kill_process(pid, Signal::KILL);
        }
        if alive.is_empty() || begun.elapsed() > DYING {
            return alive.is_empty();
        }
        thread::sleep(Duration::from_millis(5));
    }
}

#[cfg(test)]
mod tests {
    use std::{env, fs, process};

    use super::*;
    use crate::launch::tie::tests::waiting;

    fn entry(test: &str, text: &str) -> (std::path::PathBuf, File) {
        let path = env::temp_dir().join(format!("btcp-ledger-{}-{test}", process::id()));
        fs::write(&path, text).unwrap();
        let file = File::open(&path).unwrap();
        (path, file)
    }

    #[test]
    fn an_entry_is_read_only_if_it_is_whole() {
        for (text, leader) in [
            ("", None),
            ("123 45", None),
            ("123\n", None),
            ("x 45\n", None),
            ("123 45\n", Some(Leader { pid: 123, started: 45 })),
        ] {
            let (path, file) = entry("whole", text);
            assert_eq!(Leader::read(&file), leader, "{text:?}");
            fs::remove_file(path).unwrap();
        }
    }

    #[test]
    fn what_a_dead_owner_left_is_killed_and_nobody_else() {
        let profile = Path::new("/no/such/profile-5678");
        let mut chrome = waiting("--user-data-dir=/no/such/profile-5678");
        let mut other = waiting("--user-data-dir=/no/such/profile-other");
        // The number in the ledger is somebody else's by now.
        let (path, file) = entry("dead", &format!("{} 1\n", other.id()));

        reap(&file, profile, Died::JustNow);

        assert!(!chrome.wait().unwrap().success());
        assert!(other.try_wait().unwrap().is_none(), "a stranger was killed");
        other.kill().unwrap();
        other.wait().unwrap();
        fs::remove_file(path).unwrap();
    }
}
