//! What a browser says it is, without a page: whether it can be run here at all.

use std::{process::Stdio, time::Duration};

use tokio::{process::Command, time::timeout};

use super::{Installed, LaunchError};

/// How long it may take on a slow disk.
const PATIENCE: Duration = Duration::from_secs(60);

/// The longest line that is taken for a name.
const LONGEST: usize = 200;

/// Its name and version: `Google Chrome for Testing 131.0.6778.85`.
///
/// # Errors
///
/// It cannot be run, fails, or says nothing.
pub async fn version(installed: &Installed) -> Result<String, LaunchError> {
    let path = installed.path.clone();
    let run = Command::new(&path).arg("--version").stdin(Stdio::null()).kill_on_drop(true).output();
    let output = match timeout(PATIENCE, run).await {
        Ok(Ok(output)) => output,
        Ok(Err(error)) => return Err(LaunchError::Spawn { path, reason: error.to_string() }),
        Err(_) => {
            return Err(LaunchError::Silent { path, after: PATIENCE, stderr: String::new() });
        }
    };
    let said = String::from_utf8_lossy(&output.stdout);
    let name: String = said.trim().chars().filter(|c| !c.is_control()).take(LONGEST).collect();
    if output.status.success() && !name.is_empty() {
        return Ok(name);
    }
    let complaint = String::from_utf8_lossy(&output.stderr);
    let last: Vec<&str> = complaint.lines().rev().take(5).collect();
    let stderr = last.into_iter().rev().collect::<Vec<_>>().join("\n");
    Err(LaunchError::Died { path, status: output.status.to_string(), stderr })
}
