//! Memory that large answers took is given back: a daemon runs for days.

use crate::home::Home;

/// Megabytes of a process that are in memory.
fn resident(pid: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() / 1024
}

#[test]
fn what_large_answers_took_is_given_back() {
    let home = Home::new();
    home.does(&["evaluate", "1"]);
    let pid = home.daemon().expect("it runs").id;
    let before = resident(pid);

    for _ in 0..4 {
        home.does(&["evaluate", "'x'.repeat(8e6)"]);
    }
    home.does(&["evaluate", "1"]);

    // The last answer is kept, to be read on.
    let after = resident(pid);
    assert!(after < before + 32, "{before} MB before, {after} MB after");
}
