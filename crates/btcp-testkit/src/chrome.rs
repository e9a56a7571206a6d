//! A Chrome whose processes can be told from those of other tests in the same process.

use std::os::unix::fs::symlink;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};

use btcp_engine::{Settings, launch};

use crate::processes::{Process, below, everyone};

/// How a process of Chrome is told its profile.
const PROFILE: &str = "--user-data-dir=";

/// The Chrome of this machine under another name, for tests that kill it or count its processes.
pub struct OwnChrome {
    name: PathBuf,
    /// The profiles it was seen to have. Who is left when it is killed is nobody's child any more,
    /// but was told one of them.
    profiles: Mutex<Vec<String>>,
}

impl OwnChrome {
    /// A name nobody else has.
    #[expect(clippy::new_without_default, reason = "it makes a file")]
    pub fn new() -> Self {
        crate::page::needs_chrome();
        static NEXT: AtomicU32 = AtomicU32::new(1);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let installed = launch::find(&Settings::default()).expect("Chrome is installed");
        let name = format!("btcp-test-chrome-{}-{number}", std::process::id());
        let name = std::env::temp_dir().join(name);
        // Left by a process of the same number that was killed.
        let _ = std::fs::remove_file(&name);
        symlink(&installed.path, &name).expect("the temporary folder can be written to");
        Self { name, profiles: Mutex::default() }
    }

    /// Settings that start it.
    pub fn settings(&self) -> Settings {
        Settings { install: false, browser: Some(self.name.clone()), ..Settings::default() }
    }

    /// Every process of it that runs now, also of one whose first process has ended.
    pub fn processes(&self) -> Vec<Process> {
        let name = self.name.to_string_lossy();
        let lines: Vec<(Process, String)> = everyone()
            .into_iter()
            .map(|process| (process.clone(), process.told("cmdline")))
            .collect();
        let is_it = |line: &str| line.split('\0').next() == Some(&*name);
        let mut profiles = self.profiles.lock().unwrap_or_else(PoisonError::into_inner);
        for (_, line) in lines.iter().filter(|(_, line)| is_it(line)) {
            let told = line.split('\0').find(|word| word.starts_with(PROFILE));
            if let Some(new) = told.filter(|told| !profiles.iter().any(|known| known == told)) {
                profiles.push(new.to_owned());
            }
        }
        let has_profile = |line: &str| {
            line.split('\0').any(|word| profiles.iter().any(|profile| profile == word))
        };
        let found = lines.iter().filter(|(_, line)| is_it(line) || has_profile(line));
        let mut found: Vec<Process> = found.map(|(process, _)| process.clone()).collect();
        let children = found.iter().flat_map(|process| below(process.id)).collect::<Vec<_>>();
        found.extend(children);
        found.sort_by_key(|process| process.id);
        found.dedup();
        found
    }

    /// The profiles it had while somebody looked.
    pub fn profiles(&self) -> Vec<PathBuf> {
        let profiles = self.profiles.lock().unwrap_or_else(PoisonError::into_inner);
        profiles.iter().filter_map(|word| word.strip_prefix(PROFILE)).map(PathBuf::from).collect()
    }

    /// The processes that were started by us: one for each Chrome that runs.
    pub fn leaders(&self) -> Vec<Process> {
        let mut all = self.processes();
        all.retain(|process| process.parent() == std::process::id());
        all
    }

    /// The processes of its pages, and one or two it holds in readiness.
    pub fn renderers(&self) -> Vec<Process> {
        let mut all = self.processes();
        all.retain(|process| process.told("cmdline").contains("--type=renderer"));
        all
    }
}

impl Drop for OwnChrome {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.name);
    }
}
