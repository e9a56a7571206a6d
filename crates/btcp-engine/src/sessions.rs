//! Sessions by name, and the Chrome they share or have each to itself.
//!
//! A session is opened on first use, which starts Chrome if none runs. It ends when it is closed or
//! has not been used for long, and Chrome with the last one. One whose Chrome crashed goes on in a
//! new Chrome (`recovery.rs`). What a session is stands in `session.rs`.

use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, Once, PoisonError, Weak};
use std::time::Duration;

use tokio::sync::OnceCell;
use tokio::time::Instant;

use crate::browser::{Berth, Browser};
use crate::error::{Error, Limited, Result};
use crate::memory::weigh;
use crate::recovery::{Kept, Note};
use crate::session::Session;
use crate::settings::{Isolation, Settings};
use crate::spare::at_rest;

type Say = dyn Fn(&str) + Send + Sync;
type Slot = Arc<OnceCell<Arc<Session>>>;

/// How often the pages of sessions nobody works with are weighed.
const WEIGHED: Duration = Duration::from_secs(30);

/// How many sessions that were closed for being idle are remembered, to tell who comes back.
const REMEMBERED: usize = 256;

/// All sessions of this process, and their Chrome.
pub struct Sessions {
    settings: Arc<Settings>,
    shared: Arc<Berth>,
    open: Mutex<HashMap<String, Seat>>,
    /// Names of sessions that were closed for being idle.
    expired: Mutex<VecDeque<String>>,
    say: Mutex<Option<Arc<Say>>>,
    /// Nobody will want another session.
    alone: AtomicBool,
    watched: Once,
    me: Weak<Self>,
}

/// What belongs to the name of a session.
struct Seat {
    session: Slot,
    /// What is left of it since its Chrome crashed.
    kept: Option<Arc<Kept>>,
    berth: Arc<Berth>,
    /// When it was last seen in use.
    used: Instant,
}

impl Sessions {
    /// Nothing is started until a session is opened.
    pub fn new(settings: Settings) -> Arc<Self> {
        Arc::new_cyclic(|me| Self {
            settings: Arc::new(settings),
            shared: Arc::default(),
            open: Mutex::default(),
            expired: Mutex::default(),
            say: Mutex::default(),
            alone: AtomicBool::default(),
            watched: Once::new(),
            me: me.clone(),
        })
    }

    /// What was set.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Hears what takes long (getting a browser), in lines for a person.
    pub fn on_progress(&self, say: impl Fn(&str) + Send + Sync + 'static) {
        *lock(&self.say) = Some(Arc::new(say));
    }

    /// There will be one session only: none is held in readiness.
    pub fn expect_one(&self) {
        self.alone.store(true, Ordering::Relaxed);
    }

    /// Starts Chrome now instead of with the first session. Sessions that have a Chrome each
    /// start it when they are opened.
    pub async fn start(&self) -> Result<()> {
        match self.settings.isolation {
            Isolation::Context => self.browser(&self.shared).await.map(drop),
            Isolation::Process => Ok(()),
        }
    }

    /// The names of the sessions that are open, in no order.
    pub fn names(&self) -> Vec<String> {
        let open = lock(&self.open);
        let is_open = |seat: &Seat| seat.session.get().is_some_and(|session| !session.is_gone());
        open.iter().filter(|(_, seat)| is_open(seat)).map(|(name, _)| name.clone()).collect()
    }

    /// The names of all sessions there are: also of those being opened, and of those whose Chrome
    /// crashed and that go on with their next call.
    pub fn held(&self) -> Vec<String> {
        lock(&self.open).keys().cloned().collect()
    }

    /// Whether the next session finds one in readiness.
    pub fn has_spare(&self) -> bool {
        self.shared.has_spare()
    }

    /// The session of this name, if it is open.
    pub fn peek(&self, name: &str) -> Option<Arc<Session>> {
        lock(&self.open).get(name).and_then(|seat| seat.session.get().cloned())
    }

    /// The session of this name: the one there is, or a new one.
    pub async fn open(&self, name: &str) -> Result<Arc<Session>> {
        let opening = match self.take_seat(name)? {
            Taken::Open(session) => return Ok(session),
            Taken::Opening(opening) => opening,
        };
        let begun = opening.slot.get_or_try_init(|| async {
            let browser = self.browser(&opening.berth).await?;
            if opening.kept.is_none()
                && let Some(spare) = opening.berth.take_spare(&browser)
            {
                spare.take_name(name);
                self.prepare_spare(&spare, &opening.berth);
                return Ok(spare);
            }
            let (name, kept) = (name.to_owned(), opening.kept.clone());
            // A caller who leaves meanwhile must not leave a context without an owner behind.
            let begun =
                tokio::spawn(
                    async move { Session::begin(Some(&name), browser, kept.as_deref()).await },
                );
            let begun =
                begun.await.unwrap_or_else(|_| Err(Error::internal("opening a session broke off")));
            if let Ok(session) = &begun {
                self.prepare_spare(session, &opening.berth);
            }
            begun
        });
        let session = begun.await.cloned()?;
        opening.done(&session);
        self.watch_idle();
        Ok(session)
    }

    /// Ends one session; its tabs, cookies and storage are gone.
    pub async fn close(&self, name: &str) {
        let seat = lock(&self.open).remove(name);
        if let Some(seat) = seat {
            self.end(seat).await;
        }
    }

    /// Ends every session and Chrome.
    pub async fn close_all(&self) {
        let seats = std::mem::take(&mut *lock(&self.open));
        let own = seats.into_values().map(|seat| seat.berth);
        let berths = own.chain(std::iter::once(self.shared.clone()));
        let browsers: Vec<_> = berths.filter_map(|berth| berth.leave()).collect();
        futures_util::future::join_all(browsers.iter().map(|browser| browser.close())).await;
    }

    async fn browser(&self, berth: &Berth) -> Result<Arc<Browser>> {
        let say = lock(&self.say).clone();
        let say = move |line: &str| match &say {
            Some(say) => say(line),
            None => tracing::info!("{line}"),
        };
        berth.browser(&self.settings, &say).await
    }

    /// The session of a name if it is there; else the place to open it in.
    fn take_seat(&self, name: &str) -> Result<Taken<'_>> {
        let mut open = lock(&self.open);
        if let Some(seat) = open.get_mut(name) {
            seat.used = Instant::now();
            match seat.session.get() {
                Some(session) if !session.is_gone() => return Ok(Taken::Open(session.clone())),
                Some(session) => {
                    seat.kept = session.keep().map(Arc::new);
                    seat.session = Slot::default();
                }
                None => {}
            }
        } else {
            let (there, limit) = (open.len(), self.settings.max_sessions);
            if there >= limit {
                return Err(Error::SessionLimit {
                    of: Limited::Sessions,
                    message: format!("{there} sessions are open, and there may be {limit}"),
                });
            }
            if let (Some(profile), Some(name)) = (&self.settings.profile, open.keys().next()) {
                let profile = profile.display();
                return Err(Error::NoBrowser {
                    message: format!(
                        "The profile '{profile}' is one session's at a time, and '{name}' has it"
                    ),
                    how: "Close that session, name another folder with 'profile', or leave it out."
                        .to_owned(),
                });
            }
            let berth = match self.settings.isolation {
                Isolation::Context => self.shared.clone(),
                Isolation::Process => Arc::default(),
            };
            let (session, used) = (Slot::default(), Instant::now());
            open.insert(name.to_owned(), Seat { session, kept: None, berth, used });
        }
        let seat = &open[name];
        Ok(Taken::Opening(Opening {
            sessions: self,
            name: name.to_owned(),
            slot: seat.session.clone(),
            berth: seat.berth.clone(),
            kept: seat.kept.clone(),
        }))
    }

    /// Has a session made in readiness for the next name, once this one has settled.
    fn prepare_spare(&self, session: &Session, berth: &Arc<Berth>) {
        let alone = self.alone.load(Ordering::Relaxed);
        let apart = self.settings.isolation == Isolation::Process;
        // In a person's Chrome it would be a window that nobody asked for, in a profile a second session.
        let elsewhere = session.browser.is_guest() || session.browser.is_kept();
        if alone || !self.settings.spare || apart || elsewhere {
            return;
        }
        let (rests, berth) = (session.keeper.rests(), Arc::downgrade(berth));
        tokio::spawn(async move {
            if at_rest(rests).await
                && let Some(berth) = berth.upgrade()
            {
                berth.prepare_spare().await;
            }
        });
    }

    /// Ends a session that has no seat any more, and its Chrome if no other is in it.
    async fn end(&self, seat: Seat) {
        let last = {
            let open = lock(&self.open);
            let is_last = !open.values().any(|other| Arc::ptr_eq(&other.berth, &seat.berth));
            if is_last { seat.berth.leave() } else { None }
        };
        match (seat.session.get(), last) {
            (session, Some(browser)) => {
                if let Some(session) = session {
                    session.leave();
                }
                browser.close().await;
            }
            (Some(session), None) => session.end().await,
            (None, None) => {}
        }
    }

    /// Has somebody look for idle sessions from now on.
    fn watch_idle(&self) {
        let (me, limit) = (self.me.clone(), self.settings.idle_timeout);
        self.watched.call_once(|| {
            tokio::spawn(async move {
                let pause = (limit / 20).clamp(Duration::from_millis(10), Duration::from_secs(60));
                let mut looks = tokio::time::interval(pause);
                let mut weighed = Instant::now();
                loop {
                    looks.tick().await;
                    let Some(sessions) = me.upgrade() else { return };
                    sessions.close_idle(limit).await;
                    if weighed.elapsed() >= WEIGHED {
                        weighed = Instant::now();
                        sessions.weigh_all();
                    }
                }
            });
        });
    }

    /// Looks what the pages of each session hold, which they may do without being called.
    fn weigh_all(&self) {
        for session in lock(&self.open).values().filter_map(|seat| seat.session.get()) {
            tokio::spawn(weigh(Arc::downgrade(session)));
        }
    }

    async fn close_idle(&self, limit: Duration) {
        let idle = {
            let mut open = lock(&self.open);
            let now = Instant::now();
            for seat in open.values_mut() {
                // Whoever works with a session holds it; the first hold is the seat's own.
                if seat.session.get().is_some_and(|session| Arc::strong_count(session) > 1) {
                    seat.used = now;
                }
            }
            let is_idle = |_: &String, seat: &mut Seat| {
                let there = seat.session.get().is_some() || seat.kept.is_some();
                there && now.duration_since(seat.used) >= limit
            };
            open.extract_if(is_idle).collect::<Vec<_>>()
        };
        for (name, seat) in idle {
            tracing::debug!(name, "closed: nobody used it");
            self.remember_expired(name);
            self.end(seat).await;
        }
    }

    fn remember_expired(&self, name: String) {
        let mut expired = lock(&self.expired);
        expired.push_back(name);
        if expired.len() > REMEMBERED {
            expired.pop_front();
        }
    }

    /// Whether a session of this name was closed for being idle; told once.
    fn was_expired(&self, name: &str) -> bool {
        let mut expired = lock(&self.expired);
        let before = expired.len();
        expired.retain(|other| other != name);
        expired.len() < before
    }
}

/// What there is under a name.
enum Taken<'a> {
    Open(Arc<Session>),
    Opening(Opening<'a>),
}

/// A session that is being opened. If nothing comes of it, its seat is free again.
struct Opening<'a> {
    sessions: &'a Sessions,
    name: String,
    slot: Slot,
    berth: Arc<Berth>,
    kept: Option<Arc<Kept>>,
}

impl Opening<'_> {
    /// What the crash left is no longer needed.
    fn done(&self, session: &Session) {
        let mut open = lock(&self.sessions.open);
        if let Some(seat) = open.get_mut(&self.name)
            && Arc::ptr_eq(&seat.session, &self.slot)
        {
            seat.kept = None;
        }
        drop(open);
        if self.sessions.was_expired(&self.name) {
            session.tell(Note::Expired { after: self.sessions.settings.idle_timeout });
        }
    }
}

impl Drop for Opening<'_> {
    fn drop(&mut self) {
        let mut open = lock(&self.sessions.open);
        let is_vain = open.get(&self.name).is_some_and(|seat| {
            // Ours, the seat's, and nobody else's who still waits for it.
            Arc::ptr_eq(&seat.session, &self.slot)
                && seat.session.get().is_none()
                && seat.kept.is_none()
                && Arc::strong_count(&self.slot) == 2
        });
        if is_vain {
            open.remove(&self.name);
        }
    }
}

/// A poisoned lock here guards plain data that is whole at every step.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
