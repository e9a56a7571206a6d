//! Sessions in a Chrome that is not ours: none of our tabs is left, however they end.

use std::sync::Arc;
use std::time::{Duration, Instant};

use btcp_engine::{Sessions, Settings};
use btcp_testkit::{ForeignChrome, Person};
use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;

use crate::launch::without_chrome;

/// A tab as a person sees it: its id, address and title.
type Seen = (String, String, String);

/// Waits until a person sees such tabs.
async fn until_tabs(person: &Person, such: impl Fn(&[Seen]) -> bool) -> Vec<Seen> {
    let begin = Instant::now();
    let mut pause = tokio::time::interval(Duration::from_millis(20));
    let mut tabs = person.tabs().await;
    while !such(&tabs) {
        assert!(begin.elapsed() < Duration::from_secs(30), "there are {tabs:?}");
        pause.tick().await;
        tabs = person.tabs().await;
    }
    tabs
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_that_ends_while_it_opens_leaves_no_tab_in_a_persons_chrome() {
    if without_chrome() {
        return;
    }
    let mut chrome = ForeignChrome::new();
    let person = chrome.person().await;
    let theirs = person.tabs().await;
    let connect = Some(chrome.port().to_string().parse().unwrap());
    let sessions = Sessions::new(Settings { connect, ..Settings::default() });
    sessions.open("keeper").await.unwrap();

    for round in 0..12_u64 {
        let brief = format!("brief-{round}");
        let opening = tokio::time::timeout(Duration::from_millis(round * 7), sessions.open(&brief));
        let (opened, ()) = tokio::join!(opening, sessions.close(&brief));
        drop(opened);
        sessions.close(&brief).await;
    }
    sessions.open("last").await.unwrap();
    sessions.close("last").await;
    assert_eq!(sessions.names(), ["keeper"]);
    assert!(!sessions.has_spare());

    sessions.close_all().await;
    until_tabs(&person, |tabs| tabs == theirs).await;
    assert!(chrome.is_alive());
}

/// The person has closed all of theirs: ours was all that kept their Chrome.
#[tokio::test(flavor = "multi_thread")]
async fn a_persons_chrome_outlives_our_last_tab() {
    if without_chrome() {
        return;
    }
    let mut chrome = ForeignChrome::new();
    let person = chrome.person().await;
    let theirs = person.tabs().await;
    let connect = Some(chrome.web_socket().parse().unwrap());
    let sessions = Sessions::new(Settings { connect, ..Settings::default() });
    sessions.open("only").await.unwrap();
    for (id, _, _) in &theirs {
        person.close(id).await;
    }
    // Chrome answers before a tab is gone.
    let ours = until_tabs(&person, |tabs| tabs.len() == 1).await;

    sessions.close_all().await;

    until_tabs(&person, |tabs| tabs.len() == 1 && tabs[0].0 != ours[0].0).await;
    assert!(chrome.is_alive());
}

/// It was the connection that broke, not Chrome: our tabs are still there, and must not be there twice.
#[tokio::test(flavor = "multi_thread")]
async fn after_a_lost_connection_no_tab_is_there_twice() {
    if without_chrome() {
        return;
    }
    let chrome = ForeignChrome::new();
    let person = chrome.person().await;
    let theirs = person.tabs().await;
    let way = Way::to(chrome.port()).await;
    let connect = Some(way.port.to_string().parse().unwrap());
    let sessions = Sessions::new(Settings { connect, ..Settings::default() });
    sessions.open("here").await.unwrap();
    assert_eq!(person.tabs().await.len(), theirs.len() + 1);

    way.cut();
    let begin = Instant::now();
    let mut pause = tokio::time::interval(Duration::from_millis(10));
    while !sessions.names().is_empty() {
        assert!(begin.elapsed() < Duration::from_secs(20), "nobody noticed");
        pause.tick().await;
    }
    let again = sessions.open("here").await.unwrap();

    let note = again.take_note().unwrap();
    assert!(note.starts_with("The connection to Chrome was lost, and was made again"), "{note}");
    until_tabs(&person, |tabs| tabs.len() == theirs.len() + 1).await;
    sessions.close_all().await;
    until_tabs(&person, |tabs| tabs == theirs).await;
}

/// A way to a port that can be cut.
struct Way {
    port: u16,
    cut: Arc<Notify>,
}

impl Way {
    async fn to(port: u16) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("there are ports");
        let way =
            Self { port: listener.local_addr().expect("it has one").port(), cut: Arc::default() };
        let cut = way.cut.clone();
        tokio::spawn(async move {
            while let Ok((mut near, _)) = listener.accept().await {
                let cut = cut.clone();
                tokio::spawn(async move {
                    let mut far = TcpStream::connect(("127.0.0.1", port)).await.expect("Chrome");
                    tokio::select! {
                        _ = copy_bidirectional(&mut near, &mut far) => {}
                        () = cut.notified() => {}
                    }
                });
            }
        });
        way
    }

    /// Breaks off every connection there is.
    fn cut(&self) {
        self.cut.notify_waiters();
    }
}
