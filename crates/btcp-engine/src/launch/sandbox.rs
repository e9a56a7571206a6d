//! Whether Chrome can put its pages into a sandbox here.
//!
//! It is on wherever it can run. Chrome needs unprivileged user namespaces, or
//! its setuid helper beside it; and it refuses to sandbox as root.

use std::{fmt, fs, os::unix::fs::MetadataExt, path::Path};

/// Whether pages run in Chrome's sandbox.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SandboxState {
    /// They do.
    On,
    /// They do not, for this reason.
    Off {
        /// Why it cannot run.
        reason: &'static str,
    },
}

impl SandboxState {
    /// What this user on this kernel can have for the browser at `path`.
    pub(super) fn here(path: &Path) -> Self {
        let root = rustix::process::geteuid().is_root();
        Self::judge(root, has_setuid_helper(path), |name| {
            fs::read_to_string(Path::new("/proc/sys").join(name)).ok()
        })
    }

    fn judge(root: bool, helper: bool, sysctl: impl Fn(&str) -> Option<String>) -> Self {
        if root {
            return Self::Off { reason: "Chrome has none for root" };
        }
        let is = |name, value| sysctl(name).is_some_and(|found| found.trim() == value);
        // Absent means that this kernel has no such restriction.
        let refused = is("kernel/unprivileged_userns_clone", "0")
            || is("user/max_user_namespaces", "0")
            || is("kernel/apparmor_restrict_unprivileged_userns", "1");
        if refused && !helper { Self::REFUSED } else { Self::On }
    }

    /// The kernel does not let Chrome make one.
    pub(super) const REFUSED: Self =
        Self::Off { reason: "the kernel refuses unprivileged user namespaces" };
}

impl fmt::Display for SandboxState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::On => f.write_str("sandbox on"),
            Self::Off { reason } => write!(f, "sandbox off: {reason}"),
        }
    }
}

/// The helper that Google's package brings, and Debian's `chromium-sandbox`.
fn has_setuid_helper(browser: &Path) -> bool {
    let helper = browser.with_file_name("chrome-sandbox");
    fs::metadata(helper).is_ok_and(|file| file.uid() == 0 && file.mode() & 0o4000 != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sandbox_is_off_only_where_it_cannot_run() {
        let none = |_: &str| None;
        let apparmor = |name: &str| {
            (name == "kernel/apparmor_restrict_unprivileged_userns").then(|| "1\n".to_owned())
        };
        let plenty =
            |name: &str| (name == "user/max_user_namespaces").then(|| "96343\n".to_owned());
        let no_more = |name: &str| (name == "user/max_user_namespaces").then(|| "0\n".to_owned());

        assert_eq!(SandboxState::judge(false, false, none), SandboxState::On);
        assert_eq!(SandboxState::judge(false, false, plenty), SandboxState::On);
        assert_eq!(SandboxState::judge(false, false, no_more), SandboxState::REFUSED);
        assert_eq!(SandboxState::judge(false, false, apparmor), SandboxState::REFUSED);
        assert_eq!(SandboxState::judge(false, true, apparmor), SandboxState::On);
        assert!(matches!(SandboxState::judge(true, true, none), SandboxState::Off { .. }));
    }
}
