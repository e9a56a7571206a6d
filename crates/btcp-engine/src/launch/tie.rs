//! What makes Chrome end when we do, however we end: one trait, by the means of each system.
//!
//! Everywhere Chrome ends by itself when its pipe closes. Linux, the one system there is (`lib.rs`
//! says what a port needs), adds a signal at our death, and can tell later which processes were a
//! dead owner's.

use std::{io, path::Path, process::Command};

/// What a system can do so that no Chrome outlives its owner.
pub(super) trait Tie: Sync {
    /// Has the system kill the child when the thread that starts it ends.
    fn bind(&self, command: &mut Command);

    /// When a process started, by the system's own count, which tells it from a later one that has
    /// its number; none if it does not run.
    fn started(&self, pid: i32) -> Option<u64>;

    /// The processes that were started for a profile.
    fn started_for(&self, profile: &Path) -> io::Result<Vec<i32>>;
}

/// The means of this system.
pub(super) fn tie() -> &'static dyn Tie {
    &linux::Linux
}

mod linux {
    use std::{fs, io, os::unix::ffi::OsStrExt, path::Path, process::Command};

    use super::Tie;

    /// Parent-death signal and `/proc`.
    pub(super) struct Linux;

    impl Tie for Linux {
        fn bind(&self, command: &mut Command) {
            crate::launch::spawn::die_with_parent(command);
        }

        fn started(&self, pid: i32) -> Option<u64> {
            let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
            // The name stands in parentheses and may hold anything; the rest is plain.
            let mut fields = stat.rsplit_once(')')?.1.split_whitespace();
            // One that has ended and is not waited for holds nothing any more.
            let state = fields.next()?;
            if matches!(state, "Z" | "X") { None } else { fields.nth(18)?.parse().ok() }
        }

        /// Chrome tells all its processes the profile, the crash handlers too, in a switch. Others
        /// who name the folder, a person's `ls` for example, do it otherwise.
        fn started_for(&self, profile: &Path) -> io::Result<Vec<i32>> {
            let folder = [b"=", profile.as_os_str().as_bytes()].concat();
            let of_it = |argument: &[u8]| {
                argument.starts_with(b"--")
                    && argument.windows(folder.len()).any(|part| part == folder)
            };
            let processes = fs::read_dir("/proc")?.flatten();
            Ok(processes
                .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
                .filter(|pid: &i32| {
                    let line = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
                    line.split(|byte| *byte == 0).any(of_it)
                })
                .collect())
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use std::io::{BufRead, BufReader};
    use std::os::unix::process::CommandExt;
    use std::process::{Child, Stdio};

    use super::*;

    /// A process in a group of its own that was told something and waits; it runs when this returns.
    pub(in crate::launch) fn waiting(told: &str) -> Child {
        let mut child = Command::new("/bin/sh")
            .args(["-c", "echo there; read line", told])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .process_group(0)
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        assert_eq!(line, "there\n");
        child
    }

    #[test]
    fn processes_are_known_by_their_switches() {
        let profile = Path::new("/no/such/profile-1234");
        let mut named = waiting("--user-data-dir=/no/such/profile-1234/x");
        let mut other = waiting("/no/such/profile-1234");

        let found = tie().started_for(profile).unwrap();

        assert_eq!(found, [named.id().cast_signed()]);
        assert!(tie().started(found[0]).is_some());
        named.kill().unwrap();
        named.wait().unwrap();
        assert_eq!(tie().started(found[0]), None);
        other.kill().unwrap();
        other.wait().unwrap();
    }
}
