//! Dialogs: with `dialog` among the caller's tools they stay open until answered; without it
//! the engine answers and reports them. Neither way does one hold up a session.

use std::time::{Duration, Instant};

use btcp_testkit::{TestPage, empty, open, server};
use serde_json::{Value, json};

use crate::refusal::{assert_goes_on, text_of};

const PAGE: &str = "hard/dialogs.html";

/// A caller who can do everything but answer.
const MUTE: &str = "full";

async fn mute(page: &TestPage, name: &str, args: Value) -> (String, Value) {
    let outcome = page.call_as(MUTE, name, args).await;
    let outcome = outcome.unwrap_or_else(|failure| panic!("{name}: {}", failure.text()));
    (outcome.text.for_model(), outcome.data)
}

#[tokio::test]
async fn a_dialog_is_answered_and_reported_by_the_action_that_opened_it() {
    for (id, kind, message, answered, log) in [
        ("alert", "alert", "Hello", "accepted", "alert"),
        ("confirm", "confirm", "Sure?", "dismissed", "confirm false"),
        ("prompt", "prompt", "Name?", "dismissed", "prompt null"),
    ] {
        let page = open(PAGE).await;

        let (text, data) = mute(&page, "click", json!({ "selector": format!("#{id}") })).await;

        assert_eq!(data["effect"], "dialog", "{data}");
        assert_eq!(data["dialog"]["type"], kind, "{data}");
        assert_eq!(data["dialog"]["message"], message, "{data}");
        assert_eq!(data["dialog"]["answered"], answered, "{data}");
        assert!(text.contains(&format!(r#"{kind} "{message}""#)), "{text}");
        assert!(text.contains(&format!(" was {answered}")), "{text}");
        page.until("log.length").await;
        assert_eq!(page.log().await, [log]);
    }
}

/// The second dialog opens as soon as the first is answered; the page must not be left with it.
#[tokio::test]
async fn a_dialog_after_a_dialog_is_answered_too() {
    let page = open(PAGE).await;

    let (text, data) = mute(&page, "click", json!({ "selector": "#two" })).await;

    assert!(text.contains(r#"alert "One" was accepted, and 1 more"#), "{text}");
    assert_eq!(data["dialog"]["more"], 1, "{data}");
    page.until("log.length").await;
    assert_eq!(page.log().await, ["two false"]);
}

#[tokio::test]
async fn a_dialog_that_opens_later_never_blocks_the_next_call() {
    let page = open(PAGE).await;

    mute(&page, "click", json!({ "selector": "#later" })).await;
    mute(&page, "wait", json!({ "text": "Kit text" })).await;
    mute(&page, "click", json!({ "selector": "text=Kit button" })).await;

    // It did open, and was answered.
    page.until("log.includes('later')").await;
    let (clicks, _) = mute(&page, "evaluate", json!({ "script": "kit.clicks" })).await;
    assert_eq!(clicks, "1");
}

/// Typing meets a dialog on every key and must come to its end all the same.
#[tokio::test]
async fn a_dialog_on_every_key_does_not_stop_typing() {
    let page = open(PAGE).await;

    let (_, data) = mute(&page, "type", json!({ "selector": "#field", "text": "ab" })).await;

    assert_eq!(data["dialog"]["message"], "Key", "{data}");
    assert_eq!(page.eval("document.getElementById('field').value").await, "ab");
}

#[tokio::test]
async fn a_page_that_asks_before_it_is_left_is_left() {
    let page = open(PAGE).await;
    mute(&page, "click", json!({ "selector": "#arm" })).await;

    let there = json!({ "url": server().url("title.html"), "timeout": "10s" });
    let (text, data) = mute(&page, "navigate", there).await;

    assert_eq!(data["url"], server().url("title.html"));
    assert_eq!(data["dialog"]["type"], "beforeunload", "{data}");
    assert!(text.ends_with("beforeunload \"\" was accepted"), "{text}");
}

#[tokio::test]
async fn a_link_out_of_a_page_that_asks_is_followed() {
    let page = open(PAGE).await;
    mute(&page, "click", json!({ "selector": "#arm" })).await;

    let (_, data) = mute(&page, "click", json!({ "selector": "#away" })).await;

    assert_eq!(data["url"], server().url("describe.html"), "{data}");
    assert_eq!(data["dialog"]["type"], "beforeunload", "{data}");
}

/// Scripts of the agent meet dialogs too.
#[tokio::test]
async fn a_dialog_in_a_script_is_answered() {
    let page = open(PAGE).await;

    for (script, answer) in [("confirm('Really?')", "false"), ("prompt('Name?')", "null")] {
        assert_eq!(mute(&page, "evaluate", json!({ "script": script })).await.0, answer);
    }
}

/// An open dialog is a state: everybody is told, nobody waits, and the answer reaches the page.
#[tokio::test]
async fn an_open_dialog_waits_for_the_callers_answer() {
    for (id, kind, message, args, log, said) in [
        (
            "alert",
            "alert",
            "Hello",
            json!({ "response": "accept" }),
            "alert",
            r#"accepted alert "Hello""#,
        ),
        (
            "confirm",
            "confirm",
            "Sure?",
            json!({ "response": "accept" }),
            "confirm true",
            r#"accepted confirm "Sure?""#,
        ),
        (
            "confirm",
            "confirm",
            "Sure?",
            json!({ "action": "dismiss" }),
            "confirm false",
            r#"dismissed confirm "Sure?""#,
        ),
        (
            "prompt",
            "prompt",
            "Name?",
            json!({ "response": "accept", "promptText": "Grace" }),
            "prompt Grace",
            r#"accepted prompt "Name?""#,
        ),
        (
            "prompt",
            "prompt",
            "Name?",
            json!({ "response": "accept" }),
            "prompt Ada",
            r#"accepted prompt "Name?" [default "Ada"]"#,
        ),
    ] {
        let page = open(PAGE).await;
        let start = Instant::now();

        let opened = page.call("click", json!({ "selector": format!("#{id}") })).await.unwrap();
        let took = start.elapsed();

        assert!(took < Duration::from_secs(5), "the click waited {took:?}");
        assert_eq!(opened.data["effect"], "dialog", "{}", opened.data);
        assert_eq!(opened.data["dialog"]["answered"], json!(null), "{}", opened.data);
        let text = opened.text.for_model();
        assert!(text.starts_with("clicked button ") && text.ends_with(" is open"), "{text}");

        let failure = page.call("snapshot", json!({})).await.unwrap_err();
        assert_eq!(failure.code, "dialog_open");
        assert!(failure.message.ends_with(&format!(r#"{kind} dialog is open: "{message}""#)));
        assert_eq!(failure.hint.as_deref(), Some("Answer it with browser_dialog first."));

        let answer = page.call("dialog", args).await.unwrap_or_else(|f| panic!("{}", f.text()));
        let text = answer.text.for_model();
        assert!(text.starts_with(said), "{text}");
        assert_eq!(page.log().await, [log]);
    }
}

#[tokio::test]
async fn what_the_answer_changes_is_told() {
    let page = open(PAGE).await;
    text_of(&page, "snapshot", json!({})).await;
    page.eval("document.getElementById('confirm').onclick = () => { const p = document.createElement('p'); p.textContent = confirm('Sure?') ? 'Deleted' : 'Kept'; document.body.append(p) }; 1").await;
    text_of(&page, "click", json!({ "selector": "#confirm" })).await;

    let answer = page.call("dialog", json!({ "response": "accept" })).await.unwrap();

    assert_eq!(answer.data["effect"], "changed", "{}", answer.data);
    let text = answer.text.for_model();
    assert!(text.contains(r#""Deleted""#), "{text}");
}

#[tokio::test]
async fn a_second_dialog_is_the_effect_of_answering_the_first() {
    let page = open(PAGE).await;
    text_of(&page, "click", json!({ "selector": "#two" })).await;

    let answer = page.call("dialog", json!({ "response": "accept" })).await.unwrap();

    assert_eq!(answer.data["effect"], "dialog", "{}", answer.data);
    assert_eq!(answer.data["dialog"]["message"], "Two", "{}", answer.data);
    text_of(&page, "dialog", json!({ "response": "accept" })).await;
    assert_eq!(page.log().await, ["two true"]);
}

#[tokio::test]
async fn no_page_action_works_under_a_dialog_and_none_waits() {
    let page = open(PAGE).await;
    text_of(&page, "click", json!({ "selector": "#confirm" })).await;

    for (name, args) in [
        ("click", json!({ "selector": "#alert" })),
        ("navigate", json!({ "url": server().url("title.html") })),
        ("evaluate", json!({ "script": "1" })),
        ("reload", json!({})),
        ("url", json!({})),
        ("screenshot", json!({ "fullPage": true })),
    ] {
        let start = Instant::now();
        let failure = page.call(name, args).await.unwrap_err();
        assert_eq!(failure.code, "dialog_open", "{name}: {}", failure.text());
        assert_ne!(failure.done.map(|done| done.name()), Some("unknown"), "{name}");
        assert!(start.elapsed() < Duration::from_secs(2), "{name} took {:?}", start.elapsed());
    }
    // What asks no page is not in its way.
    assert_eq!(text_of(&page, "downloads", json!({})).await, "no downloads");
    text_of(&page, "dialog", json!({ "response": "dismiss" })).await;
    assert_eq!(page.log().await, ["confirm false"]);
}

#[tokio::test]
async fn there_must_be_a_dialog_to_answer() {
    let page = open(PAGE).await;

    let failure = page.call("dialog", json!({ "response": "accept" })).await.unwrap_err();

    assert_eq!((failure.code, failure.message.as_str()), ("not_found", "No dialog is open"));
    assert_eq!(failure.done.map(|done| done.name()), Some("no"));
    assert_goes_on(&page).await;
}

/// It opens when nobody calls: the next call is told, not held.
#[tokio::test]
async fn a_dialog_that_opens_between_calls_is_met_by_the_next() {
    let page = open(PAGE).await;
    page.eval(
        "setTimeout(() => { log.push('before'); alert('Later'); log.push('after') }, 300); 1",
    )
    .await;

    let waiting = page.call("wait", json!({ "selector": "#never", "timeout": "20s" }));
    let failure = waiting.await.unwrap_err();

    assert_eq!(failure.code, "dialog_open", "{}", failure.text());
    assert_eq!(failure.message, r#"An alert dialog is open: "Later""#);
    text_of(&page, "dialog", json!({ "response": "accept" })).await;
    assert_eq!(page.log().await, ["before", "after"]);
}

/// A plain delay asks nothing of the page; it must not keep the tab from whoever answers.
#[tokio::test]
async fn a_delay_ends_when_a_dialog_opens() {
    let page = open(PAGE).await;
    page.eval("setTimeout(() => alert('Later'), 300); 1").await;
    let start = Instant::now();

    let failure = page.call("wait", json!({ "time": "30s" })).await.unwrap_err();

    assert_eq!(failure.code, "dialog_open", "{}", failure.text());
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
    text_of(&page, "dialog", json!({ "response": "accept" })).await;
}

/// The caller changed while a dialog was open: who cannot answer must not be stuck with it.
#[tokio::test]
async fn a_dialog_left_open_is_answered_for_a_caller_who_cannot() {
    let page = open(PAGE).await;
    text_of(&page, "click", json!({ "selector": "#confirm" })).await;

    let (clicked, _) = mute(&page, "click", json!({ "selector": "text=Kit button" })).await;

    assert!(clicked.starts_with(r#"clicked button "Kit button""#), "{clicked}");
    assert_eq!(page.log().await, ["confirm false"]);
}

#[tokio::test]
async fn a_script_that_asks_is_interrupted_and_goes_on_with_the_answer() {
    let page = open(PAGE).await;

    let asked = page.call("evaluate", json!({ "script": "log.push(confirm('Really?'))" })).await;

    let asked = asked.unwrap_or_else(|failure| panic!("{}", failure.text()));
    assert_eq!(asked.data["effect"], "dialog", "{}", asked.data);
    assert_eq!(asked.text.for_model(), r#"began to evaluate: confirm "Really?" is open"#);
    text_of(&page, "dialog", json!({ "response": "accept" })).await;
    assert_eq!(page.eval("log[0]").await, true);
}

#[tokio::test]
async fn leaving_a_page_that_asks_is_the_callers_choice() {
    for (name, args) in [
        ("navigate", json!({ "url": server().url("title.html") })),
        ("reload", json!({})),
        ("back", json!({})),
        ("click", json!({ "selector": "#away" })),
    ] {
        let page = open("title.html").await;
        let there = json!({ "url": server().url(PAGE) });
        text_of(&page, "navigate", there).await;
        text_of(&page, "click", json!({ "selector": "#arm" })).await;

        let asked = page.call(name, args.clone()).await;
        let asked = asked.unwrap_or_else(|failure| panic!("{name}: {}", failure.text()));
        assert_eq!(asked.data["dialog"]["type"], "beforeunload", "{name}: {}", asked.data);
        let stayed = text_of(&page, "dialog", json!({ "response": "dismiss" })).await;
        assert_eq!(page.log().await, ["armed"], "{name}: {stayed}");

        let asked = page.call(name, args).await;
        let asked = asked.unwrap_or_else(|failure| panic!("{name} again: {}", failure.text()));
        assert_eq!(asked.data["effect"], "dialog", "{name}: {}", asked.data);
        let left = page.call("dialog", json!({ "response": "accept" })).await.unwrap();
        assert_eq!(left.data["effect"], "navigated", "{name}: {}", left.data);
        text_of(&page, "snapshot", json!({})).await;
    }
}

/// A page that asks while it loads: the answer lets it finish.
#[tokio::test]
async fn a_page_that_asks_while_it_loads_finishes_when_answered() {
    let page = empty().await;

    let asked = page.call("navigate", json!({ "url": server().url("dialog.html") })).await;

    let asked = asked.unwrap_or_else(|failure| panic!("{}", failure.text()));
    assert_eq!(asked.data["effect"], "dialog", "{}", asked.data);
    let text = text_of(&page, "dialog", json!({ "response": "accept" })).await;
    assert!(text.contains("The answer is Ada"), "{text}");
}

#[tokio::test]
async fn a_dialog_of_a_frame_of_another_site_is_held_and_answered() {
    let page = open("hard/frames.html").await;
    let script = "const f = document.createElement('iframe'); f.name = 'asks'; f.title = 'Asks'; \
                  f.src = `http://localhost:${location.port}/hard/dialogs.html`; \
                  f.style = 'width:600px;height:400px;position:fixed;top:0;left:0;background:white'; \
                  document.body.append(f); new Promise((done) => { f.onload = () => done(1) })";
    page.eval(script).await;
    let inside = |id: &str| json!({ "selector": format!("iframe[title=Asks] >> #{id}") });

    let opened = page.call("click", inside("confirm")).await.unwrap();

    assert_eq!(opened.data["dialog"]["message"], "Sure?", "{}", opened.data);
    assert_eq!(page.call("title", json!({})).await.unwrap_err().code, "dialog_open");
    text_of(&page, "dialog", json!({ "response": "accept" })).await;
    let (text, _) = mute(&page, "click", inside("alert")).await;
    assert!(text.contains(r#"alert "Hello" was accepted"#), "{text}");
}

/// Ten thousand in a loop would take minutes, and between two of them there is no time to stop
/// the script. The agent reads one line, and the session goes on.
#[tokio::test]
async fn ten_thousand_dialogs_do_not_stall_the_session() {
    for toolset in [MUTE, "all"] {
        let page = open(PAGE).await;
        page.eval("document.getElementById('alert').onclick = () => { for (let i = 0; i < 10000; i++) alert(`No ${i}`) }; 1").await;
        let start = Instant::now();

        // A hundred and fifty are answered before it is left, however slow the machine is.
        let args = json!({ "selector": "#alert", "timeout": "2m" });
        let outcome = page.call_as(toolset, "click", args).await;
        let mut outcome = outcome.unwrap_or_else(|failure| panic!("{}", failure.text()));
        let mut answers = 0;
        while outcome.data["dialog"]["answered"].is_null() && answers < 100 {
            answers += 1;
            outcome = page.call("dialog", json!({ "response": "accept" })).await.unwrap();
        }

        let text = outcome.text.for_model();
        assert!(text.contains("the page was left because there was no end to them"), "{text}");
        assert!(outcome.data["dialog"]["more"].as_u64() > Some(50), "{}", outcome.data);
        assert!(answers <= 20, "the agent had to answer {answers} of them");
        assert!(start.elapsed() < Duration::from_secs(60), "it took {:?}", start.elapsed());
        let there = json!({ "url": server().url("title.html") });
        let opened = page.call("navigate", there).await.unwrap_or_else(|f| panic!("{}", f.text()));
        assert_eq!(opened.data["status"], 200);
    }
}

/// A storm that leaves time between two dialogs is stopped, and the page stays.
#[tokio::test]
async fn a_script_that_keeps_asking_is_stopped_where_it_can_be() {
    let page = open(PAGE).await;
    page.eval("document.getElementById('alert').onclick = () => { for (let i = 0; i < 10000; i++) { alert(`No ${i}`); for (const end = performance.now() + 5; performance.now() < end;); } }; 1").await;

    let (text, data) = mute(&page, "click", json!({ "selector": "#alert" })).await;

    assert!(text.contains(r#"alert "No "#) && !text.contains("left"), "{text}");
    assert!(data["dialog"]["more"].as_u64() < Some(150), "{data}");
    assert_eq!(page.eval("location.pathname").await, "/hard/dialogs.html");
    assert_goes_on(&page).await;
}

/// Its script is ended, or, where that does not help, the page is left; it never has its ten thousand.
#[tokio::test]
async fn a_storm_on_load_is_stopped_or_left() {
    let page = open("title.html").await;

    let storm = "hard/inside/storm.html";
    let outcome = page.call_as(MUTE, "navigate", json!({ "url": server().url(storm) })).await;

    match outcome {
        Ok(outcome) if outcome.data["url"] == server().url(storm) => {
            let more = outcome.data["dialog"]["more"].as_u64();
            assert!(more.is_some_and(|more| more < 9_000), "{}", outcome.data);
        }
        Ok(outcome) => assert_eq!(outcome.data["url"], "about:blank", "{}", outcome.data),
        Err(failure) => assert_eq!(failure.code, "navigation_failed", "{}", failure.text()),
    }
    let there = json!({ "url": server().url("title.html") });
    assert_eq!(page.call("navigate", there).await.unwrap().data["status"], 200);
}

/// A window of the page asks something; the page itself and the session are not in its way.
#[tokio::test]
async fn a_dialog_of_another_tab_blocks_only_that_tab() {
    let page = open(PAGE).await;
    let opened = page.call("open_tab", json!({ "url": server().url("dialog.html") })).await;
    let asked = match opened {
        Ok(outcome) => outcome.text.for_model(),
        Err(failure) => failure.text(),
    };

    let other = page.call("title", json!({ "tabId": 2 })).await.unwrap_err();
    assert_eq!(other.code, "dialog_open", "{asked}\n{}", other.text());
    let list = text_of(&page, "get_all_tabs", json!({})).await;
    assert!(list.contains("dialogs.html"), "{list}");
    let title = text_of(&page, "title", json!({ "tabId": 1 })).await;
    assert_eq!(title, r#""dialogs""#);

    text_of(&page, "dialog", json!({ "response": "accept", "tabId": 2 })).await;
    let text = text_of(&page, "get_text", json!({ "selector": "#answer", "tabId": 2 })).await;
    assert_eq!(text, r#""The answer is Ada""#);
}
