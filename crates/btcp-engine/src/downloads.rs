//! Downloads: files a page handed over, kept in the session's folder under safe names.
//!
//! Chrome writes them under a random name; when one is complete it gets the name its server
//! suggested, made safe, and loses nothing that was there before.

use std::path::{Path, PathBuf};

use btcp_cdp::browser::{DownloadProgress, DownloadWillBegin};

/// A file a page handed over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Download {
    /// Where it is, or will be.
    pub path: PathBuf,
    /// Its name, made safe.
    pub filename: String,
    /// How many bytes have come.
    pub bytes: u64,
    /// How it stands.
    pub state: DownloadState,
    pub(crate) guid: String,
    pub(crate) url: String,
}

/// How a download stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DownloadState {
    /// Still coming.
    Running,
    /// All there, under its name.
    Complete,
    /// Stopped by the page, the server or the disk.
    Failed,
}

/// How many are remembered.
const KEPT: usize = 200;
/// Names are cut at this length.
const LONGEST: usize = 120;

/// The downloads of a tab, oldest first.
#[derive(Debug, Default)]
pub(crate) struct Downloads {
    list: Vec<Download>,
    count: u64,
}

impl Downloads {
    pub(crate) fn begin(&mut self, folder: &Path, event: &DownloadWillBegin) {
        if self.list.len() == KEPT {
            self.list.remove(0);
        }
        self.count += 1;
        self.list.push(Download {
            path: folder.join(&event.guid),
            filename: safe_name(&event.suggested_filename),
            bytes: 0,
            state: DownloadState::Running,
            guid: event.guid.clone(),
            url: event.url.clone(),
        });
    }

    pub(crate) fn knows(&self, guid: &str) -> bool {
        self.list.iter().any(|download| download.guid == guid)
    }

    /// Takes in progress; a completed file gets its name.
    pub(crate) fn progress(&mut self, event: &DownloadProgress) {
        let Some(download) = self.list.iter_mut().find(|d| d.guid == event.guid) else { return };
        download.bytes = event.received_bytes.max(0.0) as u64;
        match event.state.as_str() {
            "completed" => {
                let named = free_name(&download.path, &download.filename);
                // A file that cannot be renamed is still there under the name it has.
                if std::fs::rename(&download.path, &named).is_ok() {
                    download.path = named;
                }
                download.state = DownloadState::Complete;
            }
            "canceled" => download.state = DownloadState::Failed,
            _ => {}
        }
    }

    pub(crate) fn count(&self) -> u64 {
        self.count
    }

    /// The first one that began after there were `count`.
    pub(crate) fn since(&self, count: u64) -> Option<&Download> {
        let new = usize::try_from(self.count.saturating_sub(count)).unwrap_or(usize::MAX);
        (new > 0).then(|| &self.list[self.list.len().saturating_sub(new)])
    }
}

/// A name without folders, control characters, leading dots or tricks; never empty.
pub(crate) fn safe_name(suggested: &str) -> String {
    let last = suggested.rsplit(['/', '\\']).next().unwrap_or_default();
    let cleaned: String = last
        .chars()
        .filter(|c| !c.is_control() && !matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200b}'..='\u{200f}'))
        .map(|c| if matches!(c, '<' | '>' | ':' | '"' | '|' | '?' | '*') { '_' } else { c })
        .collect();
    let trimmed = cleaned.trim().trim_start_matches('.').trim();
    if trimmed.is_empty() {
        return "download".into();
    }
    shortened(trimmed)
}

/// Cut in the middle, so that the ending stays.
fn shortened(name: &str) -> String {
    if name.chars().count() <= LONGEST {
        return name.to_owned();
    }
    let ending =
        name.rsplit_once('.').map(|(_, e)| e).filter(|e| e.len() <= 10).unwrap_or_default();
    let stem: String = name.chars().take(LONGEST - ending.chars().count() - 1).collect();
    if ending.is_empty() { stem } else { format!("{stem}.{ending}") }
}

/// The name beside the file, with a number if another file has it.
fn free_name(file: &Path, name: &str) -> PathBuf {
    let folder = file.parent().unwrap_or(Path::new("."));
    let (stem, ending) = match name.rsplit_once('.') {
        Some((stem, ending)) if !stem.is_empty() => (stem, format!(".{ending}")),
        _ => (name, String::new()),
    };
    (1..)
        .map(
            |n| {
                if n == 1 {
                    folder.join(name)
                } else {
                    folder.join(format!("{stem} ({n}){ending}"))
                }
            },
        )
        .find(|path| !path.exists())
        .unwrap_or_else(|| folder.join(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_made_safe() {
        for (suggested, safe) in [
            ("report.pdf", "report.pdf"),
            ("../../etc/passwd", "passwd"),
            ("..\\..\\evil.exe", "evil.exe"),
            (".bashrc", "bashrc"),
            ("", "download"),
            ("..", "download"),
            ("a\u{202e}fdp.exe", "afdp.exe"),
            ("a\nb:c", "ab_c"),
        ] {
            assert_eq!(safe_name(suggested), safe, "{suggested:?}");
        }
        let long = safe_name(&("x".repeat(500) + ".pdf"));
        assert!(long.len() <= LONGEST && long.ends_with(".pdf"), "{long}");
    }

    #[test]
    fn the_first_download_since_a_mark_is_found() {
        let mut downloads = Downloads::default();
        let event = |guid: &str| DownloadWillBegin {
            frame_id: "f".into(),
            guid: guid.into(),
            url: "https://a.test/x".into(),
            suggested_filename: "x".into(),
        };
        downloads.begin(Path::new("/tmp"), &event("1"));
        let mark = downloads.count();
        assert!(downloads.since(mark).is_none());
        downloads.begin(Path::new("/tmp"), &event("2"));
        assert_eq!(downloads.since(mark).unwrap().guid, "2");
    }
}
