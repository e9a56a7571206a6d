//! The far end of a connection, played by the test: reads commands, writes what it likes.

use std::{
    io,
    sync::{Arc, Mutex},
    time::Duration,
};

use btcp_cdp::{Connection, Event, EventHandler, MessageSink, MessageSource, Transport};
use serde_json::Value;
use tokio::{
    sync::{Notify, mpsc},
    time::{Instant, timeout},
};

/// The far end.
pub(crate) struct FakeChrome {
    /// What the connection wrote, a batch per write.
    pub(crate) batches: mpsc::UnboundedReceiver<Vec<Vec<u8>>>,
    to_client: mpsc::UnboundedSender<Vec<u8>>,
}

impl FakeChrome {
    /// The next batch of commands.
    pub(crate) async fn commands(&mut self) -> Vec<Value> {
        let batch = soon(self.batches.recv()).await.expect("the connection hung up");
        batch.iter().map(|message| serde_json::from_slice(message).unwrap()).collect()
    }

    /// Says something to the connection.
    pub(crate) fn say(&self, message: impl Into<Vec<u8>>) {
        self.to_client.send(message.into()).expect("the connection hung up");
    }

    /// Answers the command of this id.
    pub(crate) fn answer(&self, id: &Value, result: &str) {
        self.say(format!(r#"{{"id":{id},"result":{result}}}"#));
    }
}

/// A connection to a fake Chrome.
pub(crate) fn connect(handler: Arc<dyn EventHandler>) -> (Connection, FakeChrome) {
    let (sink, batches) = mpsc::unbounded_channel();
    let (to_client, source) = mpsc::unbounded_channel();
    let connection = Connection::open(Channels { source, sink }, handler);
    (connection, FakeChrome { batches, to_client })
}

struct Channels {
    source: mpsc::UnboundedReceiver<Vec<u8>>,
    sink: mpsc::UnboundedSender<Vec<Vec<u8>>>,
}

impl Transport for Channels {
    type Source = Source;
    type Sink = Sink;

    fn split(self) -> (Source, Sink) {
        (Source(self.source), Sink(self.sink))
    }
}

struct Source(mpsc::UnboundedReceiver<Vec<u8>>);

impl MessageSource for Source {
    async fn next(&mut self) -> io::Result<Option<Vec<u8>>> {
        Ok(self.0.recv().await)
    }
}

struct Sink(mpsc::UnboundedSender<Vec<Vec<u8>>>);

impl MessageSink for Sink {
    async fn send(&mut self, batch: &[Vec<u8>]) -> io::Result<()> {
        self.0.send(batch.to_vec()).map_err(|_| io::ErrorKind::BrokenPipe.into())
    }
}

/// Writes down what it hears; does what the test says.
#[derive(Default)]
pub(crate) struct Recorder {
    heard: Mutex<Vec<String>>,
    news: Notify,
    on_event: Option<OnEvent>,
}

type OnEvent = fn(&Connection, Event<'_>);

impl Recorder {
    /// One that also does this on each event.
    pub(crate) fn that(on_event: OnEvent) -> Self {
        Self { on_event: Some(on_event), ..Default::default() }
    }

    /// Methods of the events heard, and `closed: …`.
    pub(crate) fn heard(&self) -> Vec<String> {
        self.heard.lock().unwrap().clone()
    }

    /// Waits until it has heard this often.
    pub(crate) async fn until_heard(&self, count: usize) -> Vec<String> {
        soon(async {
            loop {
                let news = self.news.notified();
                if self.heard().len() >= count {
                    return self.heard();
                }
                news.await;
            }
        })
        .await
    }

    fn note(&self, what: String) {
        self.heard.lock().unwrap().push(what);
        self.news.notify_one();
    }
}

impl EventHandler for Recorder {
    fn event(&self, connection: &Connection, event: Event<'_>) {
        self.note(event.method.to_owned());
        if let Some(act) = self.on_event {
            act(connection, event);
        }
    }

    fn closed(&self, reason: &str) {
        self.note(format!("closed: {reason}"));
    }
}

/// Fails the test instead of hanging.
pub(crate) async fn soon<T>(future: impl Future<Output = T>) -> T {
    timeout(Duration::from_secs(20), future).await.expect("this hangs")
}

/// A deadline that no test reaches.
pub(crate) fn later() -> Instant {
    Instant::now() + Duration::from_secs(60)
}
