//! Waiting: for text in frames and shadow roots, for scripts, for the network and what it keeps.

use btcp_testkit::{open, open_when};
use serde_json::json;

use crate::refusal::{refused, text_of};

/// A frame or a shadow root that comes later is looked into too.
#[tokio::test]
async fn a_text_is_seen_wherever_it_comes() {
    let page = open("hard/inside/arrivals.html").await;

    for (place, text) in [
        ("shadow", "In the shadow"),
        ("frame", "In the frame"),
        ("other", "In the other frame"),
        ("nested", "In the nested frame"),
    ] {
        page.eval(&format!("setTimeout(() => put('{place}'), 150); 1")).await;
        text_of(&page, "wait", json!({ "text": text })).await;
        page.eval(&format!("setTimeout(() => take('{place}'), 150); 1")).await;
        text_of(&page, "wait", json!({ "gone": text })).await;
    }
}

/// Gone means gone everywhere: it must not count while another frame still shows it.
#[tokio::test]
async fn a_text_is_gone_when_no_frame_shows_it() {
    let page = open("hard/inside/arrivals.html").await;
    page.eval("put('frame'); put('shadow'); 1").await;
    text_of(&page, "wait", json!({ "text": "In the frame" })).await;

    let failure = refused(&page, "wait", json!({ "gone": "In the", "timeout": 400 })).await;
    assert_eq!(failure.code, "timeout", "{}", failure.text());
    assert!(failure.message.contains("the text is still on the page"), "{}", failure.message);
    page.eval("take('frame'); 1").await;
    let failure = refused(&page, "wait", json!({ "gone": "In the", "timeout": 400 })).await;
    assert_eq!(failure.code, "timeout", "{}", failure.text());
    page.eval("take('shadow'); 1").await;
    text_of(&page, "wait", json!({ "gone": "In the" })).await;
}

/// Every state an element can be waited for in, each true only once the page has said `done`.
#[tokio::test]
async fn an_element_is_waited_for_in_every_state() {
    for (selector, state) in [
        ("#later", "attached"),
        ("#later", "visible"),
        ("#shown", "visible"),
        ("#fading", "detached"),
        ("#fading", "hidden"),
        ("#hiding", "hidden"),
        ("text=Fading", "detached"),
        ("text=Hiding", "hidden"),
        ("text=Later", "attached"),
    ] {
        let page = open("wait.html?by-hand").await;
        page.eval("setTimeout(go, 200); 1").await;
        text_of(&page, "wait", json!({ "selector": selector, "state": state })).await;
        assert_eq!(page.log().await, ["done"], "{selector} was not {state} before");
    }
    let page = open("wait.html?by-hand").await;
    text_of(&page, "wait", json!({ "selector": "#shown", "state": "attached" })).await;
    text_of(&page, "wait", json!({ "selector": "#never-shown", "state": "hidden" })).await;
    text_of(&page, "wait", json!({ "selector": "#no-such", "state": "detached" })).await;
    text_of(&page, "wait", json!({ "selector": "#moved" })).await;

    for (selector, state, says) in [
        ("#never-shown", "visible", "it is in the document but not visible"),
        ("#never-shown", "detached", "it is in the document but not visible"),
        ("#here", "hidden", "it is visible"),
        ("#here", "detached", "it is visible"),
        ("#no-such", "attached", "nothing matches"),
        ("text=No such", "visible", "nothing matches"),
        ("text=Here", "hidden", "it is visible"),
    ] {
        let args = json!({ "selector": selector, "state": state, "timeout": 300 });
        let failure = refused(&page, "wait", args).await;
        let wanted = format!("Timeout after 300ms waiting for '{selector}' to be {state} ({says})");
        assert_eq!(failure.message, wanted);
    }
}

/// What is named by its meaning is looked for in every frame, also when it shall be in none.
#[tokio::test]
async fn an_element_is_gone_when_no_frame_has_it() {
    for (place, selector) in [
        ("shadow", "text=In the shadow"),
        ("frame", "text=In the frame"),
        ("other", "role=paragraph >> text=In the other frame"),
        ("nested", "text=In the nested frame"),
    ] {
        let page = open("hard/inside/arrivals.html").await;
        text_of(&page, "wait", json!({ "selector": selector, "state": "hidden" })).await;
        page.eval(&format!("setTimeout(() => put('{place}'), 150); 1")).await;
        text_of(&page, "wait", json!({ "selector": selector })).await;
        for state in ["hidden", "detached"] {
            let args = json!({ "selector": selector, "state": state, "timeout": 300 });
            let failure = refused(&page, "wait", args).await;
            assert_eq!(failure.code, "timeout", "{place}: {}", failure.text());
            assert!(failure.message.ends_with("(it is visible)"), "{}", failure.message);
        }
        let left = "setTimeout(() => { take('{place}'); log.push('taken') }, 150); 1";
        page.eval(&left.replace("{place}", place)).await;
        text_of(&page, "wait", json!({ "selector": selector, "state": "detached" })).await;
        assert_eq!(page.log().await, ["taken"], "{place}");
    }
}

/// A match in one frame that nobody can see must not hide the one that comes in another.
#[tokio::test]
async fn an_element_that_becomes_visible_in_another_frame_is_seen() {
    let page = open("hard/inside/arrivals.html").await;
    page.eval("put('frame'); there.frame.style.display = 'none'; 1").await;
    page.until("there.frame.contentDocument?.querySelector('p')").await;
    text_of(&page, "wait", json!({ "selector": "text=In the", "state": "attached" })).await;

    page.eval("setTimeout(() => put('shadow'), 150); 1").await;
    text_of(&page, "wait", json!({ "selector": "text=In the" })).await;
}

#[tokio::test]
async fn a_time_alone_is_a_delay() {
    let page = open("wait.html").await;
    for args in [json!({ "timeout": 300 }), json!({ "time": 300 }), json!({ "time": "0.3s" })] {
        let start = std::time::Instant::now();
        text_of(&page, "wait", args.clone()).await;
        assert!(start.elapsed().as_millis() >= 300, "{args} took {:?}", start.elapsed());
    }
}

#[tokio::test]
async fn a_script_is_waited_for_over_loads_and_errors() {
    let page = open("wait_for_function.html").await;

    let args = json!({ "expression": "document.title === 'slow'" });
    page.eval("setTimeout(() => { location.href = '/slow?ms=200' }, 100); 1").await;
    text_of(&page, "wait_for_function", args).await;
    assert_eq!(page.eval("document.title").await, "slow");
    let args = json!({ "expression": "new Promise((done) => setTimeout(() => done('yes'), 50))" });
    text_of(&page, "wait_for_function", args).await;

    for (expression, says) in [
        ("window.nothing.at", "TypeError"),
        ("0", "it is 0"),
        ("() => document.title === 'x'", "it is false"),
    ] {
        let args = json!({ "expression": expression, "timeout": 1000 });
        let failure = refused(&page, "wait_for_function", args).await;
        assert_eq!(failure.code, "timeout", "{}", failure.text());
        assert!(failure.message.contains(says), "{}", failure.text());
    }
    let args = json!({ "expression": "a b" });
    let failure = refused(&page, "wait_for_function", args).await;
    assert_eq!(failure.code, "javascript_error", "{}", failure.text());
}

/// Statements come to what the last of them is, also where the page's policy forbids to evaluate text.
#[tokio::test]
async fn statements_are_waited_for_like_expressions() {
    for at in ["wait_for_function.html", "script/policy.html"] {
        let page = open(at).await;
        for expression in [
            "let one = window.later\none === true",
            "const two = await Promise.resolve(window.later); two;",
            "let three = () => { return window.later }; three()",
            "if (window.later) { true } else { false }",
            "if (!window.later) return false; return true",
        ] {
            page.eval("delete window.later; setTimeout(() => { later = true }, 300); 1").await;
            text_of(&page, "wait_for_function", json!({ "expression": expression })).await;
            assert_eq!(page.eval("window.later").await, true, "{at}: {expression}");
        }
        let args = json!({ "expression": "let four = 1; four; four - 1", "timeout": 1000 });
        let failure = refused(&page, "wait_for_function", args).await;
        assert_eq!(failure.code, "timeout", "{at}: {}", failure.text());
        assert!(failure.message.contains("it is 0"), "{at}: {}", failure.text());
    }
}

/// A cached page makes no requests of its own: its network is idle all the same.
#[tokio::test]
async fn the_network_of_a_cached_page_comes_to_rest() {
    let page = open("wait_for_load_state.html").await;
    text_of(&page, "wait_for_load_state", json!({ "state": "networkidle" })).await;
    assert_eq!(page.log().await, ["one", "two"]);
    // Nothing is asked for any more: it is idle at once.
    text_of(&page, "wait_for_load_state", json!({ "state": "networkidle", "timeout": 5000 })).await;

    let page = open_when("hard/inside/network.html?cached", "networkidle").await;
    assert_eq!(page.log().await, ["one", "two"]);
    assert_eq!(page.eval("fromCache()").await, 0, "the first time all is new");
    let away = page.url().replace("hard/inside/network.html?cached", "click.html");
    let leave = json!({ "url": away, "waitUntil": "networkidle" });
    for again in ["navigate", "back", "reload"] {
        if again != "reload" {
            page.call("navigate", leave.clone()).await.unwrap_or_else(|e| panic!("{}", e.text()));
        }
        let args = match again {
            "navigate" => json!({ "url": page.url(), "waitUntil": "networkidle" }),
            _ => json!({}),
        };
        text_of(&page, again, args).await;
        text_of(&page, "wait_for_load_state", json!({ "state": "networkidle" })).await;
        assert_eq!(page.log().await, ["one", "two"], "{again}");
        assert_eq!(page.eval("fromCache()").await, 2, "{again}");
    }
    text_of(&page, "wait_for_load_state", json!({ "state": "domcontentloaded" })).await;

    let page = open_when("hard/never.html", "domcontentloaded").await;
    text_of(&page, "wait_for_load_state", json!({ "state": "domcontentloaded" })).await;
    let args = json!({ "state": "load", "timeout": 400 });
    let failure = refused(&page, "wait_for_load_state", args).await;
    assert_eq!(failure.code, "timeout", "{}", failure.text());
}

/// What never ends or begins again and again says nothing about whether a page has loaded.
#[tokio::test]
async fn streams_and_polls_do_not_keep_the_network_from_being_idle() {
    for (kind, heard) in
        [("polls", "heard.length > 1"), ("held", "true"), ("streams", "heard.includes('stream')")]
    {
        let page = open_when(&format!("hard/inside/network.html?{kind}"), "networkidle").await;
        assert_eq!(page.log().await, ["one", "two"], "{kind}: it was idle too soon");
        page.until(heard).await;
        let args = json!({ "state": "networkidle" });
        text_of(&page, "wait_for_load_state", args).await;
    }
}

/// Past the cache, the request itself says so; a plain reload lets a server answer "not changed".
#[tokio::test]
async fn a_reload_past_the_cache_asks_for_everything_again() {
    let page = open("/echo").await;
    for (args, past) in [(json!({}), false), (json!({ "bypassCache": true }), true)] {
        text_of(&page, "reload", args.clone()).await;
        let asked = page.eval("document.body.innerText").await;
        let asked = asked.as_str().unwrap_or_default().to_lowercase();
        assert!(asked.starts_with("get /echo"), "{asked}");
        assert_eq!(asked.contains("cache-control: no-cache"), past, "{args}: {asked}");
    }
}
