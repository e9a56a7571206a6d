//! What the system says about processes and the machine, from `/proc`.

use std::collections::HashMap;
use std::fs;
use std::time::{Duration, Instant};

/// Hundredths of a second: what Linux counts CPU time in for programs.
const TICK: f64 = 10.0;

/// Fields of `/proc/PID/stat` after the name, which may hold spaces itself.
fn stat(pid: u32) -> Option<Vec<String>> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let (_, fields) = stat.rsplit_once(')')?;
    Some(fields.split_whitespace().map(str::to_owned).collect())
}

/// CPU time a process has used so far, in milliseconds.
pub(crate) fn cpu(pid: u32) -> f64 {
    let ticks = |fields: &[String], at: usize| fields.get(at)?.parse::<f64>().ok();
    let used = stat(pid).and_then(|fields| Some(ticks(&fields, 11)? + ticks(&fields, 12)?));
    used.unwrap_or(0.0) * TICK
}

/// A process and all that descend from it.
pub(crate) fn family(root: u32) -> Vec<u32> {
    let mut children: HashMap<u32, Vec<u32>> = HashMap::new();
    for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
        let Some(pid) = entry.file_name().to_str().and_then(|name| name.parse().ok()) else {
            continue;
        };
        let parent = stat(pid).and_then(|fields| fields.get(1)?.parse().ok());
        if let Some(parent) = parent {
            children.entry(parent).or_default().push(pid);
        }
    }
    let mut found = vec![root];
    let mut next = 0;
    while next < found.len() {
        found.extend(children.remove(&found[next]).unwrap_or_default());
        next += 1;
    }
    found
}

/// The processes directly below one.
pub(crate) fn children(parent: u32) -> Vec<u32> {
    let is_child = |pid: &u32| {
        stat(*pid).and_then(|fields| fields.get(1)?.parse::<u32>().ok()) == Some(parent)
    };
    family(parent).into_iter().filter(is_child).collect()
}

/// Waits until a process and its family have gone quiet, so that one operation's echo (painting,
/// garbage collection) is not counted as the next one's time.
pub(crate) fn quiet(root: u32, at_most: Duration) {
    let processes = family(root);
    let used = || processes.iter().map(|pid| cpu(*pid)).sum::<f64>();
    let end = Instant::now() + at_most;
    let mut last = used();
    while Instant::now() < end {
        std::thread::sleep(Duration::from_millis(25));
        let now = used();
        if now - last <= TICK {
            return;
        }
        last = now;
    }
}

/// A field of `/proc/PID/FILE` that is given in kB, in MB.
fn megabytes(pid: u32, file: &str, field: &str) -> Option<f64> {
    let text = fs::read_to_string(format!("/proc/{pid}/{file}")).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(field))?;
    Some(line.split_whitespace().next()?.parse::<f64>().ok()? / 1024.0)
}

/// Resident memory of one process in MB.
pub(crate) fn resident(pid: u32) -> f64 {
    megabytes(pid, "status", "VmRSS:").unwrap_or(f64::NAN)
}

/// Memory of a family in MB, shared pages counted in parts.
pub(crate) fn proportional(root: u32) -> f64 {
    family(root).iter().filter_map(|pid| megabytes(*pid, "smaps_rollup", "Pss:")).sum()
}

/// The command line a process was started with.
pub(crate) fn command_line(pid: u32) -> Vec<String> {
    let line = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    let words = line.split(|byte| *byte == 0).filter(|word| !word.is_empty());
    words.map(|word| String::from_utf8_lossy(word).into_owned()).collect()
}

/// Cores, model and kernel.
pub(crate) fn machine() -> String {
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = info.lines().find(|line| line.starts_with("model name"));
    let model = model.and_then(|line| line.split(": ").nth(1)).unwrap_or("unknown processor");
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    let kernel = fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    format!("{cores} cores, {model}, Linux {}", kernel.trim())
}

/// Load averages of the last 1, 5 and 15 minutes.
pub(crate) fn load() -> String {
    let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    load.split(' ').take(3).collect::<Vec<_>>().join(" ")
}
