//! The client's side: asks the daemon, starts it if there is none, replaces one of another version.
//!
//! A request that the daemon has not begun is asked again of the next one; one that it has
//! begun never is, because nobody knows how far it came.

use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::place::{Connection, Place};
use super::wire::{self, ALIVE, Call, LONGEST_ANSWER, OTHER_BUILD, RETIRED, Told};

/// How long somebody else may take to start or replace a daemon.
const STARTING: Duration = Duration::from_secs(30);

/// How long a daemon may be silent: it says that it lives far more often.
const SILENT: Duration = ALIVE.saturating_mul(6);

/// How often one asks anew whose daemon went before it began.
const TRIES: usize = 5;

/// How long a daemon that was told to stop may take.
const STOPPING: Duration = Duration::from_secs(15);

/// What is heard while a call is under way.
#[derive(Debug, Clone, Copy)]
pub enum Heard<'a> {
    /// A line for the person.
    Progress(&'a str),
    /// It has begun, and may take so long; a delay takes it.
    Begun(Duration),
    /// How many bytes have come of those that are downloaded.
    Amount {
        /// So many.
        done: u64,
        /// Of so many.
        total: u64,
    },
    /// Nothing, for as long as `Client::look` says.
    Nothing,
}

/// How a call ended.
#[derive(Debug)]
pub enum Answer {
    /// It did what was asked.
    Did(Told),
    /// It did not: the failure as programs get it; `text` is what a person reads.
    Failed(Value),
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum Trouble {
    /// There is no daemon and none can be started.
    #[error("The daemon cannot be started: {0}")]
    NoDaemon(String),
    /// It went while the call was under way.
    #[error("The daemon ended while the call was under way")]
    Gone,
    /// It is there and says nothing.
    #[error("The daemon has not answered for {} s", .0.as_secs())]
    Silent(Duration),
    /// It says what we do not understand.
    #[error("The daemon answered with something that is no answer: {0}")]
    Nonsense(String),
}

/// Somebody who asks the daemon.
pub struct Client {
    place: Box<dyn Place>,
    program: PathBuf,
    arguments: Vec<String>,
    look: Option<Duration>,
}

impl Client {
    /// A client that starts `program` with `arguments` as the daemon if there is none.
    ///
    /// # Errors
    ///
    /// There is no place to meet it.
    pub fn new(program: PathBuf, arguments: Vec<String>) -> Result<Self, Trouble> {
        let place = super::place().map_err(|error| Trouble::NoDaemon(error.to_string()))?;
        Ok(Self { place, program, arguments, look: None })
    }

    /// Hears `Nothing` this often while it waits.
    #[must_use]
    pub fn look(mut self, every: Option<Duration>) -> Self {
        self.look = every;
        self
    }

    /// Calls an action.
    ///
    /// # Errors
    ///
    /// There is no answer, and `Trouble::Gone` means that nobody knows how far the call came.
    pub fn call(&self, call: &Call, mut hear: impl FnMut(Heard<'_>)) -> Result<Answer, Trouble> {
        let request = wire::request("call", call);
        for _ in 0..TRIES {
            let mut connection = self.connect()?;
            let message = match self.exchange(connection.as_mut(), &request, &mut hear) {
                Said::Message(message) => message,
                Said::Gone { begun: false } => continue,
                Said::Gone { begun: true } => return Err(Trouble::Gone),
                Said::Silent => return Err(Trouble::Silent(SILENT)),
            };
            let mut message = message;
            if let Some(result) = message.get_mut("result") {
                let told = serde_json::from_value(result.take());
                return told.map(Answer::Did).map_err(|e| Trouble::Nonsense(e.to_string()));
            }
            let Some(data) = message.pointer_mut("/error/data").map(Value::take) else {
                return Err(Trouble::Nonsense(message.to_string()));
            };
            match data.get("code").and_then(Value::as_str) {
                Some(OTHER_BUILD) => self.replace(&call.build)?,
                Some(RETIRED) => {}
                _ => return Ok(Answer::Failed(data)),
            }
        }
        Err(Trouble::NoDaemon(self.last_words()))
    }

    /// What the daemon says of itself; `None` if there is none.
    pub fn status(&self) -> Result<Option<Value>, Trouble> {
        let reached = self.place.reach().map_err(|error| Trouble::NoDaemon(error.to_string()))?;
        let Some(mut connection) = reached else { return Ok(None) };
        let request = wire::request("status", &Value::Null);
        match self.exchange(connection.as_mut(), &request, &mut |_| ()) {
            Said::Message(mut message) => Ok(message.get_mut("result").map(Value::take)),
            Said::Gone { .. } => Ok(None),
            Said::Silent => Err(Trouble::Silent(SILENT)),
        }
    }

    /// Ends the daemon, its sessions and its Chrome; whether there was one.
    pub fn stop(&self) -> Result<bool, Trouble> {
        let trouble = |error: io::Error| Trouble::NoDaemon(error.to_string());
        let _lock = self.place.lock(STARTING).map_err(trouble)?;
        let alive = self.place.pid();
        let reached = self.place.reach().map_err(trouble)?;
        let there = reached.is_some();
        if let Some(mut connection) = reached {
            let request = wire::request("stop", &Value::Null);
            let _ = connection.patience(STOPPING);
            let asked = connection.write_all(&request);
            // It closes our connection when it is gone.
            let left = asked.and_then(|()| io::copy(&mut connection, &mut io::sink()));
            if left.is_err() {
                self.place.kill().map_err(trouble)?;
            }
        } else if alive.is_some() {
            // Nobody listens, and yet somebody lives: it hangs.
            self.place.kill().map_err(trouble)?;
        }
        Ok(there || alive.is_some())
    }

    /// Where the daemon is met.
    pub fn place(&self) -> String {
        self.place.name()
    }

    fn connect(&self) -> Result<Box<dyn Connection>, Trouble> {
        let trouble = |error: io::Error| Trouble::NoDaemon(error.to_string());
        if let Some(connection) = self.place.reach().map_err(trouble)? {
            return Ok(connection);
        }
        let _lock = self.place.lock(STARTING).map_err(trouble)?;
        // Whoever had the lock before us may have started it.
        if let Some(connection) = self.place.reach().map_err(trouble)? {
            return Ok(connection);
        }
        self.start()
    }

    fn start(&self) -> Result<Box<dyn Connection>, Trouble> {
        let trouble = |error: io::Error| Trouble::NoDaemon(error.to_string());
        self.place.start(&self.program, &self.arguments).map_err(trouble)?;
        let reached = self.place.reach().map_err(trouble)?;
        reached.ok_or_else(|| Trouble::NoDaemon(self.last_words()))
    }

    /// Puts a daemon of ours in the place of one of another version, which answers those it works for.
    fn replace(&self, ours: &str) -> Result<(), Trouble> {
        let trouble = |error: io::Error| Trouble::NoDaemon(error.to_string());
        let _lock = self.place.lock(STARTING).map_err(trouble)?;
        match self.status()? {
            // Somebody else has done it.
            Some(status) if status.get("build").and_then(Value::as_str) == Some(ours) => Ok(()),
            Some(_) => {
                if let Some(mut connection) = self.place.reach().map_err(trouble)? {
                    let request = wire::request("retire", &Value::Null);
                    self.exchange(connection.as_mut(), &request, &mut |_| ());
                }
                self.start().map(drop)
            }
            None => self.start().map(drop),
        }
    }

    /// Sends a request and waits for its answer.
    fn exchange(
        &self,
        connection: &mut dyn Connection,
        request: &[u8],
        hear: &mut dyn FnMut(Heard<'_>),
    ) -> Said {
        let mut begun = false;
        let patience = self.look.unwrap_or(SILENT).min(SILENT);
        if connection.patience(patience).is_err() || connection.write_all(request).is_err() {
            return Said::Gone { begun };
        }
        let mut reading = BufReader::with_capacity(64 * 1024, connection);
        let mut line = Vec::new();
        let mut heard = Instant::now();
        loop {
            let room = (LONGEST_ANSWER - line.len()) as u64;
            match (&mut reading).take(room).read_until(b'\n', &mut line) {
                Ok(0) => return Said::Gone { begun },
                Ok(_) if line.ends_with(b"\n") => {}
                Ok(_) => return Said::Gone { begun },
                Err(error) if is_nothing(&error) => {
                    if heard.elapsed() >= SILENT {
                        return Said::Silent;
                    }
                    hear(Heard::Nothing);
                    continue;
                }
                Err(_) => return Said::Gone { begun },
            }
            heard = Instant::now();
            let Ok(message) = serde_json::from_slice::<Value>(&line) else {
                return Said::Gone { begun };
            };
            line.clear();
            match message.get("method").and_then(Value::as_str) {
                None => return Said::Message(message),
                Some("begun") => {
                    begun = true;
                    if let Some(limit) = number(&message, "/params/limit") {
                        hear(Heard::Begun(Duration::from_millis(limit)));
                    }
                }
                Some("amount") => {
                    let of = |name: &str| number(&message, name);
                    if let Some((done, total)) = of("/params/done").zip(of("/params/total")) {
                        hear(Heard::Amount { done, total });
                    }
                }
                Some("progress") => {
                    if let Some(text) = message.pointer("/params/text").and_then(Value::as_str) {
                        hear(Heard::Progress(text));
                    }
                }
                Some(_) => {}
            }
        }
    }

    /// Why the daemon ended, as far as its log tells.
    fn last_words(&self) -> String {
        let path = self.place.log();
        let log = std::fs::read(&path).unwrap_or_default();
        let text = String::from_utf8_lossy(&log);
        match text.lines().rev().find(|line| !line.trim().is_empty()) {
            Some(line) => line.trim_start_matches("btcp: ").to_owned(),
            None => format!("it ends at once and says nothing in {}", path.display()),
        }
    }
}

fn number(message: &Value, at: &str) -> Option<u64> {
    message.pointer(at).and_then(Value::as_u64)
}

/// What came of a request.
enum Said {
    Message(Value),
    Gone { begun: bool },
    Silent,
}

fn is_nothing(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut | io::ErrorKind::Interrupted
    )
}
