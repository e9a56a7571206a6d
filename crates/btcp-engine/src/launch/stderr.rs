//! The end of what Chrome writes to stderr, kept for the case that it dies.

use std::{
    collections::VecDeque,
    io,
    os::fd::OwnedFd,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use tokio::{io::AsyncReadExt, net::unix::pipe::Receiver, task::JoinHandle, time::timeout};

/// How much is kept.
const KEPT: usize = 4 * 1024;

/// How long the last words may be on their way after the end of the process.
const STRAGGLE: Duration = Duration::from_millis(200);

/// Listens to what a process complains about.
#[derive(Debug)]
pub(super) struct Complaints {
    heard: Arc<Mutex<Tail>>,
    listener: JoinHandle<()>,
}

impl Complaints {
    /// Listens until all that hold the other end are gone.
    pub(super) fn on(stderr: OwnedFd) -> io::Result<Self> {
        let mut stderr = Receiver::from_owned_fd(stderr)?;
        let heard = Arc::new(Mutex::new(Tail::default()));
        let tail = heard.clone();
        let listener = tokio::spawn(async move {
            let mut chunk = vec![0; KEPT];
            while let Ok(length @ 1..) = stderr.read(&mut chunk).await {
                lock(&tail).push(&chunk[..length]);
            }
        });
        Ok(Self { heard, listener })
    }

    /// The end of what was heard so far.
    pub(super) fn so_far(&self) -> String {
        lock(&self.heard).text()
    }

    /// The port that Chrome said it has opened for others; only of one it chose by itself it leaves a file.
    pub(super) fn opened_port(&self) -> Option<u16> {
        opened_port(&self.so_far())
    }

    /// The end of all that was said by a process that has ended.
    pub(super) async fn last_words(mut self) -> String {
        // A child that lives on may keep the other end open.
        let _ = timeout(STRAGGLE, &mut self.listener).await;
        self.so_far()
    }
}

fn opened_port(said: &str) -> Option<u16> {
    let after = said.split_once("DevTools listening on ws://127.0.0.1:")?.1;
    after.split_once('/')?.0.parse().ok()
}

fn lock(tail: &Mutex<Tail>) -> MutexGuard<'_, Tail> {
    tail.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The last bytes of a stream.
#[derive(Debug, Default)]
struct Tail(VecDeque<u8>);

impl Tail {
    fn push(&mut self, chunk: &[u8]) {
        self.0.extend(chunk);
        let excess = self.0.len().saturating_sub(KEPT);
        self.0.drain(..excess);
    }

    /// As text, from a whole line on.
    fn text(&self) -> String {
        let bytes: Vec<u8> = self.0.iter().copied().collect();
        let text = String::from_utf8_lossy(&bytes);
        let cut = if bytes.len() < KEPT { None } else { text.split_once('\n') };
        cut.map_or(&*text, |(_, whole)| whole).trim().to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_port_counts_once_its_line_is_whole() {
        let line =
            "[1:2:ERROR] bus\n\nDevTools listening on ws://127.0.0.1:9222/devtools/browser/1\n";
        assert_eq!(opened_port(line), Some(9222));
        assert_eq!(opened_port("DevTools listening on ws://127.0.0.1:922"), None);
        assert_eq!(opened_port("Cannot start http server for devtools."), None);
    }

    #[test]
    fn only_the_end_is_kept_and_starts_with_a_whole_line() {
        let mut tail = Tail::default();
        tail.push(b"short\n");
        assert_eq!(tail.text(), "short");

        for n in 0..10_000 {
            tail.push(format!("line {n}\n").as_bytes());
        }

        let text = tail.text();
        assert!(text.len() <= KEPT && text.ends_with("line 9999"), "{text}");
        assert!(text.lines().all(|line| line.starts_with("line ")), "{text}");
    }
}
