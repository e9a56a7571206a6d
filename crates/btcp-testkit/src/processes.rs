//! Processes, for tests of what is left behind.

/// A process that cannot be mistaken for a later one with its number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Process {
    /// Its number.
    pub id: u32,
    parent: u32,
    started: u64,
}

impl Process {
    /// A file of what the system knows of it; empty once it is gone.
    pub fn told(&self, file: &str) -> String {
        let bytes = std::fs::read(format!("/proc/{}/{file}", self.id)).unwrap_or_default();
        String::from_utf8_lossy(&bytes).into_owned()
    }

    fn read(id: u32) -> Option<Self> {
        let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
        // The name stands in parentheses and may hold anything; the rest is plain.
        let fields: Vec<&str> = stat.rsplit_once(") ")?.1.split(' ').collect();
        // One that has ended and is not waited for holds nothing any more.
        if fields.first() == Some(&"Z") {
            return None;
        }
        Some(Self {
            id,
            parent: fields.get(1)?.parse().ok()?,
            started: fields.get(19)?.parse().ok()?,
        })
    }

    /// The number of the process that started it.
    pub fn parent(&self) -> u32 {
        self.parent
    }

    /// Ends it as nothing else does: it cannot do anything about it.
    pub fn kill(&self) {
        let id = self.id.to_string();
        let killed = std::process::Command::new("kill").args(["-KILL", &id]).status();
        assert!(killed.is_ok_and(|status| status.success()), "process {id} could not be killed");
    }

    /// Whether it still runs.
    pub fn is_alive(&self) -> bool {
        Self::read(self.id).is_some_and(|now| now.started == self.started)
    }
}

/// Every process there is.
pub fn everyone() -> Vec<Process> {
    let entries = std::fs::read_dir("/proc").expect("Linux tells of processes in /proc");
    let ids = entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    ids.filter_map(Process::read).collect()
}

/// Every process below one.
pub fn below(root: u32) -> Vec<Process> {
    let all = everyone();
    let mut family: Vec<Process> = Vec::new();
    let mut parents = vec![root];
    while let Some(parent) = parents.pop() {
        for process in all.iter().filter(|process| process.parent == parent) {
            parents.push(process.id);
            family.push(process.clone());
        }
    }
    family
}
