//! The daemon's life: from the socket it was handed to the end of its last session.
//!
//! It ends when nobody has a session for a while, when it is told to, and when a client of
//! another version wants its place; then nobody finds it any more, but whoever it is working
//! for gets an answer.

use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};
use tokio::net::UnixListener;
use tokio::sync::{Notify, watch};

use super::connection::{self, Running};
use super::engines::{Engines, Host};
use super::place::Place as _;
use super::place::unix::Socket;

/// How often it looks whether it is still needed.
const LOOK: Duration = Duration::from_millis(500);

/// No call takes longer, so nobody waits longer for the last one.
const LONGEST_CALL: Duration = Duration::from_secs(15 * 60);

/// How long browsers may take to close; what does not, ends with this process.
const CLOSING: Duration = Duration::from_secs(5);

/// After its last answer a client gets this long to read it.
const READING: Duration = Duration::from_millis(200);

/// The log is begun anew when it is longer.
const LONGEST_LOG: u64 = 4 << 20;

/// How far the daemon's life has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Phase {
    Serving,
    /// Takes no more calls, and goes when those it has are answered.
    Retired,
    /// Goes now.
    Stopped,
}

/// What all connections share.
pub(super) struct Shared {
    pub(super) build: String,
    pub(super) engines: Engines,
    pub(super) phase: watch::Sender<Phase>,
    pub(super) running: AtomicUsize,
    /// A call has ended.
    pub(super) less: Notify,
    used: Mutex<Instant>,
    /// How long it outlives its last session; whoever said so last is heeded.
    idle: Mutex<Duration>,
    started: SystemTime,
    place: Socket,
}

/// Why the daemon ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// Nobody needed it.
    Idle,
    /// Somebody told it to, or wanted its place.
    Told,
}

/// Serves the clients of the socket that is our standard input until nobody needs us.
///
/// # Errors
///
/// Standard input is no such socket: this is for `Client` to start.
pub async fn serve(
    host: Arc<dyn Host>,
    idle: Duration,
    told_to_end: impl Future<Output = ()>,
) -> io::Result<End> {
    let place = Socket::new()?;
    let (listener, _named) = place.take_over()?;
    listener.set_nonblocking(true)?;
    let listener = UnixListener::from_std(listener)?;
    let shared = Arc::new(Shared {
        build: super::wire::build(),
        engines: Engines::new(host),
        phase: watch::channel(Phase::Serving).0,
        running: AtomicUsize::default(),
        less: Notify::new(),
        used: Mutex::new(Instant::now()),
        idle: Mutex::new(idle),
        started: SystemTime::now(),
        place,
    });
    let end = accept(&listener, &shared, told_to_end).await;
    // Those who found us before we could not be found any more are told to ask the next one.
    while let Ok(Ok((stream, _))) = tokio::time::timeout(Duration::ZERO, listener.accept()).await {
        tokio::spawn(connection::serve(stream, shared.clone()));
    }
    if *shared.phase.borrow() == Phase::Retired {
        let _ = tokio::time::timeout(LONGEST_CALL, shared.until_done()).await;
    } else {
        let _ = tokio::time::timeout(CLOSING, shared.until_done()).await;
    }
    let _ = tokio::time::timeout(CLOSING, shared.engines.close()).await;
    tokio::time::sleep(READING).await;
    Ok(end)
}

async fn accept(
    listener: &UnixListener,
    shared: &Arc<Shared>,
    told_to_end: impl Future<Output = ()>,
) -> End {
    let mut told_to_end = std::pin::pin!(told_to_end);
    let mut phase = shared.phase.subscribe();
    let mut looks = tokio::time::interval(LOOK);
    loop {
        tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) => {
                    tokio::spawn(connection::serve(stream, shared.clone()));
                }
                // Out of descriptors: those there are have to go first.
                Err(error) => {
                    tracing::warn!(%error, "a client could not be let in");
                    tokio::time::sleep(LOOK).await;
                }
            },
            _ = phase.wait_for(|phase| *phase != Phase::Serving) => return End::Told,
            () = &mut told_to_end => {
                shared.enter(Phase::Stopped);
                return End::Told;
            }
            _ = looks.tick() => {
                shared.trim_log();
                if shared.is_idle() && shared.retire() {
                    return End::Idle;
                }
            }
        }
    }
}

impl Shared {
    /// Counts a call, unless none is taken any more.
    pub(super) fn begin(self: &Arc<Self>) -> Option<Running> {
        // Counted first: whoever waits for the last one must not miss it.
        self.running.fetch_add(1, Ordering::AcqRel);
        let running = Running(self.clone());
        (*self.phase.borrow() == Phase::Serving).then_some(running)
    }

    /// Somebody needs us.
    pub(super) fn used(&self) {
        *self.used.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
    }

    /// Outlives the last session by so long from now on.
    pub(super) fn outlive(&self, idle: Duration) {
        *self.idle.lock().unwrap_or_else(PoisonError::into_inner) = idle;
    }

    /// Goes on to a later phase; nobody finds us from then on. Whoever asks for it holds the lock
    /// or does not mind another daemon.
    pub(super) fn enter(&self, phase: Phase) {
        let mut first = false;
        self.phase.send_if_modified(|now| {
            first = *now == Phase::Serving;
            let later = first || (*now == Phase::Retired && phase == Phase::Stopped);
            if later {
                *now = phase;
            }
            later
        });
        if first {
            self.place.leave();
        }
    }

    /// Goes, unless somebody is just about to find us.
    fn retire(&self) -> bool {
        let Some(_lock) = self.place.try_lock() else { return false };
        self.enter(Phase::Retired);
        true
    }

    fn is_idle(&self) -> bool {
        if self.running.load(Ordering::Acquire) > 0 || !self.engines.sessions().is_empty() {
            self.used();
            return false;
        }
        let used = *self.used.lock().unwrap_or_else(PoisonError::into_inner);
        used.elapsed() >= *self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn until_done(&self) {
        loop {
            let less = self.less.notified();
            if self.running.load(Ordering::Acquire) == 0 {
                return;
            }
            // A call that ended between the two is seen at the next look.
            let _ = tokio::time::timeout(LOOK, less).await;
        }
    }

    /// Stderr is the log, opened to append: cutting it is enough.
    fn trim_log(&self) {
        let path: PathBuf = self.place.log();
        if std::fs::metadata(&path).is_ok_and(|file| file.len() > LONGEST_LOG) {
            let cut = std::fs::OpenOptions::new().write(true).open(&path);
            let _ = cut.and_then(|file| file.set_len(0));
        }
    }

    pub(super) fn status(&self) -> Value {
        let since = self.started.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
        let sessions: Vec<Value> = self
            .engines
            .sessions()
            .into_iter()
            .map(|(name, given)| {
                // Values may be passwords; the names say enough.
                let set: Vec<&String> =
                    given.keys().filter(|name| !name.starts_with('@')).collect();
                json!({ "session": name, "set": set })
            })
            .collect();
        json!({
            "pid": std::process::id(),
            "build": self.build,
            "version": env!("CARGO_PKG_VERSION"),
            "startedAt": since,
            "running": self.running.load(Ordering::Acquire),
            "socket": self.place.name(),
            "log": self.place.log(),
            "sessions": sessions,
        })
    }
}
