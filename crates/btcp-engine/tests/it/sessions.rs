//! Sessions come and go; nothing of them stays in Chrome, and Chrome goes with the last.

use std::time::{Duration, Instant};

use btcp_engine::{CallContext, Isolation, Progress, Sessions, Settings, WaitUntil};
use btcp_testkit::{OwnChrome, server};

use crate::launch::without_chrome;

/// Long against what a call takes, short against a test.
const SHORT: Duration = Duration::from_millis(400);

/// Waits until something is so.
async fn until(what: &str, is_so: impl Fn() -> bool) {
    let begin = Instant::now();
    let mut pause = tokio::time::interval(Duration::from_millis(10));
    while !is_so() {
        assert!(begin.elapsed() < Duration::from_secs(20), "after 20 s still not: {what}");
        pause.tick().await;
    }
}

/// Ended while it was being opened, or left by the one who opened it: its page must go too.
#[tokio::test(flavor = "multi_thread")]
async fn a_session_that_is_ended_while_it_opens_leaves_no_page() {
    if without_chrome() {
        return;
    }
    let chrome = OwnChrome::new();
    let sessions = Sessions::new(chrome.settings());
    sessions.open("keeper").await.unwrap();

    for round in 0..12_u64 {
        let brief = format!("brief-{round}");
        let opening = tokio::time::timeout(Duration::from_millis(round * 7), sessions.open(&brief));
        let (opened, ()) = tokio::join!(opening, sessions.close(&brief));
        drop(opened);
        sessions.close(&brief).await;
    }

    // Whatever was still being opened has had its turn once another session is there.
    sessions.open("last").await.unwrap();
    sessions.close("last").await;
    // The keeper's, and one or two that Chrome holds in readiness.
    until("few pages are left", || chrome.renderers().len() <= 3).await;
    assert_eq!(sessions.names(), ["keeper"]);
    sessions.close_all().await;
}

#[tokio::test]
async fn chrome_ends_with_its_last_session_and_starts_again_with_the_next() {
    if without_chrome() {
        return;
    }
    let chrome = OwnChrome::new();
    let sessions = Sessions::new(chrome.settings());
    sessions.open("first").await.unwrap();
    sessions.open("second").await.unwrap();

    sessions.close("first").await;
    assert_eq!(chrome.leaders().len(), 1);
    sessions.close("second").await;
    until("Chrome is gone", || chrome.processes().is_empty()).await;

    let again = sessions.open("second").await.unwrap();
    assert_eq!(chrome.leaders().len(), 1);
    assert_eq!(again.take_note(), None, "it was ended on purpose");
    sessions.close_all().await;
    assert!(chrome.leaders().is_empty());
}

#[tokio::test]
async fn a_session_nobody_calls_is_closed_and_who_comes_back_is_told() {
    if without_chrome() {
        return;
    }
    let chrome = OwnChrome::new();
    let sessions = Sessions::new(Settings { idle_timeout: SHORT, ..chrome.settings() });
    let held = sessions.open("held").await.unwrap();
    sessions.open("left").await.unwrap();

    until("the idle one is closed", || sessions.names() == ["held"]).await;

    let back = sessions.open("left").await.unwrap();
    assert_eq!(
        back.take_note().unwrap(),
        "The session was closed after 400ms without a call: this is a new one, without its tabs, \
         cookies and storage."
    );
    assert_eq!(back.take_note(), None, "told twice");
    drop((held, back));
    until("Chrome is gone with the last", || chrome.processes().is_empty()).await;
    assert!(sessions.names().is_empty());
}

#[tokio::test]
async fn one_session_too_many_is_refused_with_the_numbers() {
    if without_chrome() {
        return;
    }
    let chrome = OwnChrome::new();
    let sessions = Sessions::new(Settings { max_sessions: 2, ..chrome.settings() });
    sessions.open("first").await.unwrap();
    sessions.open("second").await.unwrap();

    let refused = sessions.open("third").await.unwrap_err();

    assert_eq!(refused.code(), "session_limit");
    assert_eq!(refused.to_string(), "2 sessions are open, and there may be 2");
    sessions.open("first").await.unwrap();
    sessions.close("second").await;
    sessions.open("third").await.unwrap();
    sessions.close_all().await;
}

#[tokio::test]
async fn sessions_with_a_chrome_each_do_not_share_a_crash() {
    if without_chrome() {
        return;
    }
    let chrome = OwnChrome::new();
    let sessions = Sessions::new(Settings { isolation: Isolation::Process, ..chrome.settings() });
    sessions.open("first").await.unwrap();
    let [first] = &chrome.leaders()[..] else { panic!("{:?}", chrome.leaders()) };
    sessions.open("second").await.unwrap();
    assert_eq!(chrome.leaders().len(), 2);

    first.kill();

    until("the first is gone", || sessions.names() == ["second"]).await;
    assert!(sessions.open("first").await.unwrap().take_note().is_some());
    assert_eq!(sessions.open("second").await.unwrap().take_note(), None);
    sessions.close("first").await;
    assert_eq!(chrome.leaders().len(), 1);
    sessions.close_all().await;
    until("both Chromes are gone", || chrome.processes().is_empty()).await;
}

/// Chrome makes a context and a page in a tenth of a second; the spare is taken over in a few
/// milliseconds. Run with `--nocapture` to see it.
#[tokio::test]
#[expect(clippy::print_stdout, reason = "a measurement is there to be read")]
async fn the_next_session_takes_over_the_spare() {
    if without_chrome() {
        return;
    }
    let chrome = OwnChrome::new();
    let sessions = Sessions::new(chrome.settings());
    let title = async |name: &str| {
        let session = sessions.open(name).await.unwrap();
        let tab = session.tab_for(None, None).await.unwrap();
        let context = CallContext::new(Duration::from_secs(20), Progress::default());
        tab.run(context, |tab| Box::pin(async move { tab.title().await })).await.unwrap()
    };
    let change = async |name: &str| {
        let session = sessions.open(name).await.unwrap();
        let tab = session.tab_for(None, None).await.unwrap();
        let context = CallContext::new(Duration::from_secs(20), Progress::default());
        let work = tab.run(context, |tab| {
            Box::pin(
                async move { tab.navigate(&server().url("title.html"), WaitUntil::Load).await },
            )
        });
        work.await.unwrap();
    };
    let begun = Instant::now();
    title("first").await;
    let first = begun.elapsed();
    assert!(!sessions.has_spare(), "it is made while Chrome starts");
    change("first").await;
    until("there is a spare", || sessions.has_spare()).await;

    let begun = Instant::now();
    title("second").await;
    let second = begun.elapsed();
    assert!(!sessions.has_spare(), "it was not taken");
    let begun = Instant::now();
    title("third").await;

    println!("with Chrome {first:?}, from the spare {second:?}, without {:?}", begun.elapsed());
    // The second is as good as any other: it can be worked with, and the next spare follows.
    change("second").await;
    until("there is another spare", || sessions.has_spare()).await;
    assert_eq!(sessions.open("second").await.unwrap().tab_for(None, None).await.unwrap().id(), 1);
    assert!(second < Duration::from_secs(5), "{second:?}");
    sessions.close_all().await;
}
