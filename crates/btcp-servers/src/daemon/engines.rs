//! Which browser a session is in: one catalog for each way in which browsers are asked to be.
//!
//! A call that asks for another browser than its session is in (another viewport, another
//! proxy) begins that session anew in one that is as asked. Sessions of others stay where they are,
//! and so does one whose caller asks for nothing in particular.

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use btcp_actions::{Catalog, Grant};
use tokio::sync::broadcast;

use super::wire::Given;

/// Lines of progress a slow client may be behind before it misses some.
const PROGRESS: usize = 64;

/// What makes settings of what was written.
pub trait Host: Send + Sync + 'static {
    /// A catalog whose browsers are as asked.
    fn catalog(&self, given: &Given) -> Result<Catalog, String>;

    /// What a caller may use who sits in this folder; and the catalog, telling what it denies to
    /// whoever is to hear of it.
    fn admit(
        &self,
        catalog: Catalog,
        given: &Given,
        folder: Option<&Path>,
    ) -> Result<(Catalog, Grant), String>;

    /// Whether a setting is about the browser, and not about the caller.
    fn is_of_browser(&self, name: &str) -> bool;

    /// What a setting is if nobody sets it.
    fn default(&self, name: &str) -> Vec<String>;

    /// How long the daemon is to outlive its last session, for who says so.
    fn idle(&self, given: &Given) -> Option<Duration>;

    /// Why a session began anew: this is set otherwise now.
    fn differs(&self, name: &str) -> String;
}

/// Browsers of one kind.
#[derive(Clone)]
pub(super) struct Engine {
    pub(super) catalog: Catalog,
    pub(super) progress: broadcast::Sender<String>,
    given: Arc<Given>,
}

/// All browsers.
pub(super) struct Engines {
    host: Arc<dyn Host>,
    all: Mutex<All>,
}

#[derive(Default)]
struct All {
    engines: Vec<Engine>,
    /// Which session is in which.
    sessions: HashMap<String, Arc<Given>>,
}

/// Where a call goes, and what it must be told.
pub(super) struct Seat {
    pub(super) engine: Engine,
    /// The browser the session was in before, to be closed there.
    pub(super) left: Option<Engine>,
    pub(super) note: Option<String>,
}

impl Engines {
    pub(super) fn new(host: Arc<dyn Host>) -> Self {
        Self { host, all: Mutex::default() }
    }

    pub(super) fn host(&self) -> &dyn Host {
        self.host.as_ref()
    }

    /// The browser for a call of this session.
    pub(super) fn seat(&self, session: &str, given: &Given) -> Result<Seat, String> {
        let mut wanted = given.clone();
        wanted.retain(|name, _| self.host.is_of_browser(name));
        let mut all = lock(&self.all);
        all.forget_closed();
        let mut left = None;
        let mut note = None;
        if let Some(there) = all.sessions.get(session) {
            let engine = all.engines.iter().find(|engine| engine.given == *there).cloned();
            match (engine, self.difference(there, &wanted)) {
                (Some(engine), None) => return Ok(Seat { engine, left: None, note: None }),
                (Some(engine), Some(name)) => {
                    let why = self.host.differs(&name);
                    note = Some(format!("Session '{session}' began anew: {why}"));
                    left = Some(engine);
                }
                (None, _) => {}
            }
        }
        let there = all.engines.iter().find(|engine| *engine.given == wanted).cloned();
        let engine = match there {
            Some(engine) => engine,
            None => {
                let engine = self.make(wanted)?;
                all.engines.push(engine.clone());
                engine
            }
        };
        all.sessions.insert(session.to_owned(), engine.given.clone());
        Ok(Seat { engine, left, note })
    }

    fn make(&self, wanted: Given) -> Result<Engine, String> {
        let catalog = self.host.catalog(&wanted)?;
        let (progress, _) = broadcast::channel(PROGRESS);
        let say = progress.clone();
        catalog.sessions().on_progress(move |line| {
            // No receiver means no call that waits for it.
            let _ = say.send(line.to_owned());
        });
        Ok(Engine { catalog, progress, given: Arc::new(wanted) })
    }

    /// The first setting that a browser has otherwise than it is wanted.
    fn difference(&self, there: &Given, wanted: &Given) -> Option<String> {
        let differs = |(name, value): &(&String, &Vec<String>)| match there.get(*name) {
            Some(has) => has != *value,
            None => self.host.default(name) != **value,
        };
        wanted.iter().find(differs).map(|(name, _)| name.clone())
    }

    /// The sessions that are open, and what was set for each.
    pub(super) fn sessions(&self) -> Vec<(String, Arc<Given>)> {
        let all = lock(&self.all);
        let of = |engine: &Engine| {
            let names = engine.catalog.sessions().held();
            names.into_iter().map(|name| (name, engine.given.clone())).collect::<Vec<_>>()
        };
        let mut sessions: Vec<_> = all.engines.iter().flat_map(of).collect();
        sessions.sort();
        sessions
    }

    /// Ends every session and every Chrome.
    pub(super) async fn close(&self) {
        let engines = std::mem::take(&mut lock(&self.all).engines);
        for engine in engines {
            engine.catalog.sessions().close_all().await;
        }
    }
}

impl All {
    /// Browsers without a session, and sessions without a browser, are no longer kept. Whoever is
    /// about to open a session holds its browser.
    fn forget_closed(&mut self) {
        let busy: Vec<Arc<Given>> = self
            .engines
            .iter()
            .filter(|engine| Arc::strong_count(&engine.given) > 1 + self.sessions_in(engine))
            .map(|engine| engine.given.clone())
            .collect();
        let is_busy = |given: &Arc<Given>| busy.iter().any(|one| Arc::ptr_eq(one, given));
        let mut held = Vec::new();
        self.engines.retain(|engine| {
            let names = engine.catalog.sessions().held();
            let kept = !names.is_empty() || is_busy(&engine.given);
            held.extend(names);
            kept
        });
        self.sessions.retain(|name, given| held.contains(name) || is_busy(given));
    }

    fn sessions_in(&self, engine: &Engine) -> usize {
        self.sessions.values().filter(|given| Arc::ptr_eq(given, &engine.given)).count()
    }
}

fn lock(all: &Mutex<All>) -> MutexGuard<'_, All> {
    all.lock().unwrap_or_else(PoisonError::into_inner)
}
