//! Commands, replies and events over a perfect line.

use std::sync::{Arc, Mutex};
use std::task::{Context, Wake, Waker};
use std::time::Duration;

use btcp_cdp::{
    Connection, Error, Event, EventHandler, SessionId, browser, dom, page, runtime, target,
};
use tokio::time::Instant;

use crate::fake_chrome::{Recorder, connect, later, soon};

fn navigate(url: &str) -> page::Navigate<'_> {
    page::Navigate { url, ..Default::default() }
}

#[tokio::test]
async fn commands_leave_in_the_order_of_the_calls_and_in_one_write() {
    let (connection, mut chrome) = connect(Arc::new(Recorder::default()));
    let session = SessionId::from("S");

    let first = connection.call(None, &browser::GetVersion, later());
    let second = connection.call(Some(&session), &navigate("about:blank"), later());
    connection.post(Some(&session), &page::StopLoading);

    let commands = chrome.commands().await;
    let methods: Vec<_> = commands.iter().map(|c| c["method"].as_str().unwrap()).collect();
    assert_eq!(methods, ["Browser.getVersion", "Page.navigate", "Page.stopLoading"]);
    assert_eq!(commands[1]["sessionId"], "S");
    drop((first, second));
}

#[tokio::test]
async fn answers_find_their_calls_in_any_order() {
    let (connection, mut chrome) = connect(Arc::new(Recorder::default()));
    let first = connection.call(None, &navigate("a:"), later());
    let second = connection.call(None, &navigate("b:"), later());

    let commands = chrome.commands().await;
    chrome.answer(&commands[1]["id"], r#"{"frameId":"B","unknown":[1]}"#);
    chrome.answer(&commands[0]["id"], r#"{"frameId":"A"}"#);

    assert_eq!(soon(first).await.unwrap().frame_id, "A");
    assert_eq!(soon(second).await.unwrap().frame_id, "B");
    assert_eq!(connection.in_flight(), 0);
}

#[tokio::test]
async fn an_error_of_chrome_keeps_its_code_and_details() {
    let (connection, mut chrome) = connect(Arc::new(Recorder::default()));
    let refused = connection.call(None, &navigate("x"), later());
    let detached = connection.call(None, &navigate("y"), later());

    let commands = chrome.commands().await;
    let (first, second) = (&commands[0]["id"], &commands[1]["id"]);
    chrome.say(format!(
        r#"{{"id":{first},"error":{{"code":-32602,"message":"Invalid parameters","data":"url"}}}}"#
    ));
    chrome.say(format!(
        r#"{{"id":{second},"error":{{"code":-32001,"message":"Session with given id not found."}}}}"#
    ));

    let error = soon(refused).await.unwrap_err();
    assert_eq!(error.to_string(), "Page.navigate: Invalid parameters (url)");
    assert!(matches!(error, Error::Remote { code: -32602, .. }), "{error:?}");
    assert!(matches!(soon(detached).await, Err(Error::SessionGone { .. })));
}

#[tokio::test]
async fn an_answer_of_another_shape_is_an_error() {
    let (connection, mut chrome) = connect(Arc::new(Recorder::default()));
    let call = connection.call(None, &navigate("x"), later());

    let commands = chrome.commands().await;
    chrome.answer(&commands[0]["id"], r#"{"frameId":7}"#);

    let error = soon(call).await.unwrap_err();
    assert!(matches!(error, Error::BadReply { method: "Page.navigate", .. }), "{error:?}");
}

#[tokio::test(start_paused = true)]
async fn a_call_without_answer_fails_at_its_deadline() {
    let (connection, chrome) = connect(Arc::new(Recorder::default()));
    let deadline = Instant::now() + Duration::from_millis(250);

    let error = connection.call(None, &page::GetFrameTree, deadline).await.unwrap_err();

    assert_eq!(error.to_string(), "Chrome did not answer Page.getFrameTree within 250 ms");
    assert_eq!(Instant::now(), deadline);
    assert_eq!(connection.in_flight(), 0);
    drop(chrome);
}

#[tokio::test]
async fn a_dropped_call_leaves_nothing_behind() {
    let (connection, mut chrome) = connect(Arc::new(Recorder::default()));

    let call = connection.call(None, &browser::GetVersion, later());
    assert_eq!(connection.in_flight(), 1);
    drop(call);

    assert_eq!(connection.in_flight(), 0);
    // Its late answer disturbs nobody.
    let commands = chrome.commands().await;
    chrome.answer(&commands[0]["id"], "{}");
    let next = connection.call(None, &page::BringToFront, later());
    let commands = chrome.commands().await;
    chrome.answer(&commands[0]["id"], "{}");
    soon(next).await.unwrap();
}

#[tokio::test]
async fn a_failed_session_fails_its_own_calls_only() {
    let (connection, mut chrome) = connect(Arc::new(Recorder::default()));
    let (crashed, healthy) = (SessionId::from("A"), SessionId::from("B"));
    let lost = connection.call(Some(&crashed), &page::GetLayoutMetrics, later());
    let kept = connection.call(Some(&healthy), &page::BringToFront, later());

    connection.fail_session(&crashed, Error::session_gone("the page crashed"));

    let error = soon(lost).await.unwrap_err();
    assert_eq!(error.to_string(), "Page.getLayoutMetrics got no answer: the page crashed");
    let commands = chrome.commands().await;
    chrome.answer(&commands[1]["id"], "{}");
    soon(kept).await.unwrap();
}

#[tokio::test]
async fn what_makes_no_sense_is_skipped() {
    let recorder = Arc::new(Recorder::default());
    let (connection, mut chrome) = connect(recorder.clone());
    let call = connection.call(None, &page::BringToFront, later());
    let commands = chrome.commands().await;

    for nonsense in
        ["", "{", "[]", "null", r#"{"id":"x"}"#, r#"{"id":999,"result":{}}"#, "\u{0}", "{}"]
    {
        chrome.say(nonsense);
    }
    chrome.say([0xff, 0xfe]);
    chrome.say(r#"{"error":{"code":-32700,"message":"JSON: colon expected"}}"#);
    chrome.say(r#"{"method":"Martian.landed","params":{"legs":3},"new":"field"}"#);
    chrome.answer(&commands[0]["id"], "{}");

    soon(call).await.unwrap();
    assert_eq!(recorder.heard(), ["Martian.landed"]);
}

#[tokio::test]
async fn an_event_is_read_as_what_it_is_or_not_at_all() {
    let recorder = Recorder::that(|connection, event| {
        assert!(event.read::<page::FrameAttached>().is_none());
        if let Some(attached) = event.read::<target::AttachedToTarget>() {
            connection.post(Some(&attached.session_id), &runtime::RunIfWaitingForDebugger);
        }
    });
    let (_connection, mut chrome) = connect(Arc::new(recorder));

    chrome.say(r#"{"method":"Target.attachedToTarget","params":{"sessionId":7}}"#);
    chrome.say(
        r#"{"method":"Target.attachedToTarget","params":{"sessionId":"S","waitingForDebugger":true,
           "targetInfo":{"targetId":"T","type":"page","title":"","url":"","attached":true}}}"#,
    );

    // Only the second could be read, and the handler's post went out.
    let commands = chrome.commands().await;
    assert_eq!(commands.len(), 1);
    assert_eq!(commands[0]["method"], "Runtime.runIfWaitingForDebugger");
    assert_eq!(commands[0]["sessionId"], "S");
}

/// Numbers its events as they come, and answers what has to be answered.
#[derive(Default)]
struct Tally(Mutex<Vec<u32>>);

impl EventHandler for Tally {
    fn event(&self, connection: &Connection, event: Event<'_>) {
        let numbered: Numbered = serde_json::from_str(event.params.get()).unwrap();
        self.0.lock().unwrap().push(numbered.n);
        match event.method {
            "Page.javascriptDialogOpening" => {
                let accept = page::HandleJavaScriptDialog { accept: true, prompt_text: None };
                connection.post(None, &accept);
            }
            "Target.attachedToTarget" => connection.post(None, &runtime::RunIfWaitingForDebugger),
            _ => {}
        }
    }

    fn closed(&self, _reason: &str) {}
}

#[derive(serde::Deserialize)]
struct Numbered {
    n: u32,
}

/// A page can make events faster than anybody reads them: none is lost, none overtakes, what must
/// be answered is, and calls go on meanwhile.
#[tokio::test]
async fn a_flood_of_events_loses_none_and_holds_up_nobody() {
    const FLOOD: u32 = 100_000;
    let tally = Arc::new(Tally::default());
    let (connection, mut chrome) = connect(tally.clone());
    let asked = connection.call(None, &page::BringToFront, later());
    let asked_id = chrome.commands().await[0]["id"].clone();

    for n in 0..FLOOD {
        let method = match n {
            30_000 => "Page.javascriptDialogOpening",
            60_000 => "Target.attachedToTarget",
            _ => "Network.dataReceived",
        };
        chrome.say(format!(r#"{{"method":"{method}","params":{{"n":{n}}}}}"#));
        if n == 45_000 {
            chrome.answer(&asked_id, "{}");
        }
    }

    soon(asked).await.unwrap();
    let mut answered = Vec::new();
    while answered.len() < 2 {
        answered.extend(chrome.commands().await);
    }
    let methods: Vec<_> = answered.iter().map(|command| &command["method"]).collect();
    assert_eq!(methods, ["Page.handleJavaScriptDialog", "Runtime.runIfWaitingForDebugger"]);
    // Its answer comes after all of them.
    let last = connection.call(None, &page::BringToFront, later());
    let command = chrome.commands().await;
    chrome.answer(&command[0]["id"], "{}");
    soon(last).await.unwrap();
    let heard = tally.0.lock().unwrap();
    assert!(heard.iter().copied().eq(0..FLOOD), "{} events, or out of order", heard.len());
}

#[tokio::test]
async fn a_handler_that_panics_is_called_again() {
    let recorder = Arc::new(Recorder::that(|_, event| {
        assert_ne!(event.method, "Page.loadEventFired", "on purpose");
    }));
    let (connection, mut chrome) = connect(recorder.clone());

    chrome.say(r#"{"method":"Page.loadEventFired","params":{}}"#);
    chrome.say(r#"{"method":"Page.frameStoppedLoading","params":{}}"#);

    let heard = recorder.until_heard(2).await;
    assert_eq!(heard, ["Page.loadEventFired", "Page.frameStoppedLoading"]);
    let call = connection.call(None, &page::BringToFront, later());
    let commands = chrome.commands().await;
    chrome.answer(&commands[0]["id"], "{}");
    soon(call).await.unwrap();
}

#[tokio::test]
async fn the_end_of_chrome_fails_every_call_and_is_told_once() {
    let recorder = Arc::new(Recorder::default());
    let (connection, chrome) = connect(recorder.clone());
    let calls: Vec<_> =
        (0..50).map(|_| connection.call(None, &page::BringToFront, later())).collect();

    drop(chrome);

    for call in calls {
        let error = soon(call).await.unwrap_err();
        assert!(matches!(error, Error::Closed { .. }), "{error:?}");
    }
    soon(connection.closed()).await;
    assert!(connection.is_closed());
    connection.close("again");
    let late = connection.call(None, &page::BringToFront, later());
    assert!(matches!(soon(late).await, Err(Error::Closed { .. })));
    assert_eq!(recorder.until_heard(1).await.len(), 1);
}

#[tokio::test]
async fn closing_tells_the_reason() {
    let recorder = Arc::new(Recorder::default());
    let (connection, _chrome) = connect(recorder.clone());
    let call = connection.call(None, &page::BringToFront, later());

    connection.close("we are done");

    let error = soon(call).await.unwrap_err();
    assert_eq!(error.to_string(), "the connection to Chrome is closed: we are done");
    assert_eq!(recorder.until_heard(1).await, ["closed: we are done"]);
}

/// Looks whether the connection has ended at the moment a call's answer wakes it.
struct Looks {
    connection: btcp_cdp::Connection,
    saw: Mutex<Vec<bool>>,
}

impl Wake for Looks {
    fn wake(self: Arc<Self>) {
        self.saw.lock().unwrap().push(self.connection.is_closed());
    }
}

#[tokio::test]
async fn whoever_hears_of_the_end_finds_it_ended() {
    let (connection, _chrome) = connect(Arc::new(Recorder::default()));
    let mut call = Box::pin(connection.call(None, &page::BringToFront, later()));
    let looks = Arc::new(Looks { connection: connection.clone(), saw: Mutex::default() });
    let waker = Waker::from(looks.clone());
    assert!(call.as_mut().poll(&mut Context::from_waker(&waker)).is_pending());

    connection.close("we are done");

    assert_eq!(*looks.saw.lock().unwrap(), [true]);
}

/// A runtime that ends takes its tasks along; a call from elsewhere must not wait for ever.
#[test]
fn a_runtime_that_ends_closes_the_connection() {
    let recorder = Arc::new(Recorder::default());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let (connection, chrome) = runtime.block_on(async { connect(recorder.clone()) });

    drop(runtime);

    assert!(connection.is_closed());
    assert_eq!(recorder.heard(), ["closed: its tokio runtime stopped"]);
    drop(chrome);
}

#[tokio::test]
async fn half_a_surrogate_pair_does_not_spoil_an_answer() {
    let (connection, mut chrome) = connect(Arc::new(Recorder::default()));
    let call = connection.call(None, &runtime::Evaluate::default(), later());

    let commands = chrome.commands().await;
    let result = r#"{"result":{"type":"string","value":"a\ud83d"}}"#;
    chrome.answer(&commands[0]["id"], result);

    let value = soon(call).await.unwrap().result.value.unwrap();
    assert_eq!(value.get(), r#""a\ufffd""#);
}

#[tokio::test]
async fn optional_parameters_are_left_out() {
    let (connection, mut chrome) = connect(Arc::new(Recorder::default()));

    connection.post(
        None,
        &dom::DescribeNode {
            node: dom::NodeName::backend(5),
            depth: Some(-1),
            ..Default::default()
        },
    );

    let commands = chrome.commands().await;
    assert_eq!(commands[0]["params"], serde_json::json!({ "backendNodeId": 5, "depth": -1 }));
}
