//! Downloads: files pages handed over, kept in the session's folder under safe names.
//!
//! Chrome writes them under a random name; when one is complete it gets the name its server
//! suggested, made safe, loses nothing that was there before, and cannot be run. Pages start
//! downloads by themselves, so their size, their sum and their number are limited.

use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard};

use btcp_cdp::browser::{DownloadProgress, DownloadWillBegin};
use tokio::sync::watch;

use crate::sessions::lock;
use crate::settings::Settings;

mod name;

/// A file a page handed over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Download {
    /// Its number in the session.
    pub id: u32,
    /// Where it is, or will be.
    pub path: PathBuf,
    /// Its name, made safe.
    pub filename: String,
    /// How many bytes have come.
    pub bytes: u64,
    /// How many there will be, if the server said so.
    pub total: Option<u64>,
    /// How it stands.
    pub state: DownloadState,
    /// Why it failed, where that is known.
    pub reason: Option<String>,
    /// The origin it came from, or whose page made it; of what a page wrote into an address, that.
    pub origin: String,
    pub(crate) tab: u32,
    guid: String,
}

/// How a download stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DownloadState {
    /// Still coming.
    Running,
    /// All there, under its name.
    Complete,
    /// Stopped by the page, the server, the disk or a limit.
    Failed,
}

impl DownloadState {
    /// `running`, `complete`, `failed`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Complete => "complete",
            Self::Failed => "failed",
        }
    }
}

/// How many a session may take in all; also how many are remembered.
const MOST: usize = 200;
/// How many may run at a time.
const MOST_RUNNING: usize = 20;
/// Of those that were refused, the last few are remembered.
const REFUSED_KEPT: usize = 20;
/// A disk with less room than this beside what came is as good as full: Chrome counts what has
/// come now and then, and may have removed it when it tells us.
const ROOM: u64 = 16 << 20;

/// The downloads of a session.
#[derive(Debug)]
pub(crate) struct Shelf {
    /// Where they go.
    pub(crate) folder: PathBuf,
    /// The browser context they begin in; none is a person's own.
    pub(crate) context: Option<String>,
    largest: u64,
    most_bytes: u64,
    list: Mutex<Vec<Download>>,
    changed: watch::Sender<u32>,
}

impl Shelf {
    pub(crate) fn new(folder: PathBuf, context: Option<&str>, settings: &Settings) -> Self {
        Self {
            folder,
            context: context.map(str::to_owned),
            largest: settings.max_download,
            most_bytes: settings.max_downloads,
            list: Mutex::default(),
            changed: watch::channel(0).0,
        }
    }

    /// Takes in that one began; `false` if it must not go on.
    pub(crate) fn begin(&self, tab: u32, event: &DownloadWillBegin) -> bool {
        let mut list = self.lock();
        let reason = refusal(&list);
        if reason.is_some() && list.iter().filter(|d| d.is_refused()).count() >= REFUSED_KEPT {
            let oldest = list.iter().position(Download::is_refused);
            oldest.map(|at| list.remove(at));
        }
        let id = self.count() + 1;
        let goes_on = reason.is_none();
        list.push(Download {
            id,
            path: self.folder.join(&event.guid),
            filename: name::safe(&event.suggested_filename),
            bytes: 0,
            total: None,
            state: if goes_on { DownloadState::Running } else { DownloadState::Failed },
            reason,
            origin: origin_of(&event.url),
            tab,
            guid: event.guid.clone(),
        });
        drop(list);
        self.changed.send_replace(id);
        goes_on
    }

    pub(crate) fn knows(&self, guid: &str) -> bool {
        self.lock().iter().any(|download| download.guid == guid)
    }

    /// Takes in progress; `false` if it must not go on. A completed file gets its name.
    pub(crate) fn progress(&self, event: &DownloadProgress) -> bool {
        let mut list = self.lock();
        let others: u64 = list
            .iter()
            .filter(|d| d.guid != event.guid && d.state != DownloadState::Failed)
            .map(|d| d.bytes)
            .sum();
        let running = |d: &&mut Download| d.guid == event.guid && d.state == DownloadState::Running;
        let Some(download) = list.iter_mut().find(running) else { return true };
        download.bytes = event.received_bytes.max(0.0) as u64;
        download.total = Some(event.total_bytes.max(0.0) as u64).filter(|total| *total > 0);
        let mut goes_on = true;
        match event.state.as_str() {
            "completed" => {
                // Where it is not we who say where to, Chrome does.
                if let Some(path) = event.file_path.as_ref().filter(|_| self.context.is_none()) {
                    download.path = path.into();
                }
                download.keep(&self.folder);
            }
            "canceled" => {
                download.state = DownloadState::Failed;
                download.reason = full_disk(&self.folder, download);
                download.drop_remains();
                // What merely broke off Chrome would keep, to go on with it later.
                goes_on = false;
            }
            _ => {
                if let Some(reason) = self.too_much(download, others) {
                    download.state = DownloadState::Failed;
                    download.reason = Some(reason);
                    goes_on = false;
                }
            }
        }
        drop(list);
        self.changed.send_modify(|_| {});
        goes_on
    }

    /// Why a download that runs must not go on.
    fn too_much(&self, download: &Download, others: u64) -> Option<String> {
        let size = download.bytes.max(download.total.unwrap_or(0));
        if size > self.largest {
            return Some(format!(
                "it has {size} bytes or more, a file may have at most {}",
                self.largest
            ));
        }
        (others.saturating_add(size) > self.most_bytes).then(|| {
            format!(
                "it would make {} bytes, the downloads of a session may have at most {}",
                others.saturating_add(size),
                self.most_bytes
            )
        })
    }

    /// How many there have been.
    pub(crate) fn count(&self) -> u32 {
        *self.changed.borrow()
    }

    /// The first that began after there were `count`, of those that are meant.
    pub(crate) fn since(&self, count: u32, is_meant: impl Fn(u32) -> bool) -> Option<Download> {
        let list = self.lock();
        list.iter().find(|download| download.id > count && is_meant(download.tab)).cloned()
    }

    /// All that are known, oldest first.
    pub(crate) fn list(&self) -> Vec<Download> {
        self.lock().clone()
    }

    /// Waits until a question about them has an answer.
    pub(crate) async fn until<T>(
        &self,
        mut question: impl FnMut(&[Download]) -> Option<T>,
    ) -> Option<T> {
        let mut changes = self.changed.subscribe();
        loop {
            changes.mark_unchanged();
            if let Some(answer) = question(&self.lock()) {
                return Some(answer);
            }
            // The sender lives as long as we do.
            changes.changed().await.ok()?;
        }
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Download>> {
        lock(&self.list)
    }
}

fn origin_of(url: &str) -> String {
    crate::text::cut(crate::text::origin(url.strip_prefix("blob:").unwrap_or(url)), 200)
}

impl Download {
    /// It never began to come.
    fn is_refused(&self) -> bool {
        self.state == DownloadState::Failed && self.bytes == 0
    }

    /// What came of it must not fill the disk.
    fn drop_remains(&self) {
        for remains in [self.path.clone(), self.path.with_extension("crdownload")] {
            // Mostly Chrome has removed it already.
            let _ = std::fs::remove_file(remains);
        }
    }

    /// It is all there: nobody else may read it, nobody can run it, and it gets its name.
    fn keep(&mut self, folder: &Path) {
        if let Err(error) = owners_only(&self.path) {
            tracing::debug!(%error, path = %self.path.display(), "cannot change who may read it");
        }
        let named = name::free(folder, &self.filename);
        // A file that cannot be moved is still there under the name it has.
        if moved(&self.path, &named).is_ok() {
            self.path = named;
        }
        self.state = DownloadState::Complete;
    }
}

/// Moves a file, to another disk too.
fn moved(from: &Path, to: &Path) -> std::io::Result<()> {
    if let Some(folder) = to.parent() {
        std::fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    }
    match std::fs::rename(from, to) {
        Err(error) if error.kind() == std::io::ErrorKind::CrossesDevices => {
            std::fs::copy(from, to)?;
            std::fs::remove_file(from)
        }
        other => other,
    }
}

/// Why no further download may begin.
fn refusal(list: &[Download]) -> Option<String> {
    let running = list.iter().filter(|d| d.state == DownloadState::Running).count();
    if running >= MOST_RUNNING {
        return Some(format!("{running} downloads are running, more than {MOST_RUNNING} may not"));
    }
    let taken = list.iter().filter(|d| !d.is_refused()).count();
    (taken >= MOST).then(|| format!("a session may take at most {MOST} files, it has {taken}"))
}

fn owners_only(path: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o600))
}

/// Chrome does not say why a download broke off. The disk was full if it is now, or, where what
/// had come is removed already, if that or all that was to come does not fit.
fn full_disk(folder: &Path, download: &Download) -> Option<String> {
    let free = free_bytes(folder)?;
    let needs = download.total.unwrap_or(0).max(download.bytes).saturating_add(ROOM);
    (free < needs).then(|| format!("the disk is full, it has room for {free} bytes"))
}

fn free_bytes(folder: &Path) -> Option<u64> {
    let disk = rustix::fs::statvfs(folder).ok()?;
    Some(disk.f_bavail.saturating_mul(disk.f_frsize))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shelf(largest: u64, most_bytes: u64) -> Shelf {
        let settings =
            Settings { max_download: largest, max_downloads: most_bytes, ..Settings::default() };
        Shelf::new(PathBuf::from("/nowhere"), Some("context"), &settings)
    }

    fn begins(guid: &str) -> DownloadWillBegin {
        DownloadWillBegin {
            frame_id: "f".into(),
            guid: guid.into(),
            url: "https://a.test/x".into(),
            suggested_filename: "x".into(),
        }
    }

    fn progress(guid: &str, received: f64, total: f64, state: &str) -> DownloadProgress {
        DownloadProgress {
            guid: guid.into(),
            total_bytes: total,
            received_bytes: received,
            state: state.into(),
            file_path: None,
        }
    }

    #[test]
    fn the_first_download_since_a_mark_is_found() {
        let shelf = shelf(1000, 1000);
        assert!(shelf.begin(1, &begins("1")));
        let mark = shelf.count();
        assert!(shelf.since(mark, |_| true).is_none());
        shelf.begin(2, &begins("2"));
        shelf.begin(1, &begins("3"));
        assert_eq!(shelf.since(mark, |_| true).unwrap().guid, "2");
        assert_eq!(shelf.since(mark, |tab| tab == 1).unwrap().guid, "3");
    }

    #[test]
    fn a_file_that_is_too_large_is_stopped_when_its_size_is_known() {
        let shelf = shelf(1000, 10_000);
        shelf.begin(1, &begins("1"));
        assert!(!shelf.progress(&progress("1", 10.0, 2000.0, "inProgress")));
        let download = shelf.list().remove(0);
        assert_eq!(download.state, DownloadState::Failed);
        assert_eq!(
            download.reason.as_deref(),
            Some("it has 2000 bytes or more, a file may have at most 1000")
        );
        // What Chrome says of its end does not change why.
        assert!(shelf.progress(&progress("1", 10.0, 2000.0, "canceled")));
        assert_eq!(shelf.list(), [download]);
    }

    #[test]
    fn the_sum_of_all_is_limited() {
        let shelf = shelf(1000, 1500);
        shelf.begin(1, &begins("1"));
        assert!(shelf.progress(&progress("1", 1000.0, 1000.0, "completed")));
        shelf.begin(1, &begins("2"));
        assert!(!shelf.progress(&progress("2", 600.0, 0.0, "inProgress")));
        let reason = shelf.list()[1].reason.clone().unwrap();
        assert!(reason.contains("1600 bytes") && reason.ends_with("at most 1500"), "{reason}");
    }

    #[test]
    fn a_page_cannot_start_any_number() {
        let shelf = shelf(1000, 1000);
        let begun = |n: usize| shelf.begin(1, &begins(&n.to_string()));
        assert!((0..MOST_RUNNING).all(begun));
        assert!((MOST_RUNNING..1000).all(|n| !begun(n)));
        assert!(shelf.list().len() <= MOST_RUNNING + REFUSED_KEPT);
        for n in 0..MOST_RUNNING {
            shelf.progress(&progress(&n.to_string(), 1.0, 1.0, "completed"));
        }
        for n in 1000..1000 + MOST - MOST_RUNNING {
            assert!(begun(n), "{n}");
            shelf.progress(&progress(&n.to_string(), 1.0, 1.0, "completed"));
        }
        assert!(!begun(5000));
        let last = shelf.list().pop().unwrap();
        assert_eq!(last.reason.unwrap(), "a session may take at most 200 files, it has 200");
    }
}
