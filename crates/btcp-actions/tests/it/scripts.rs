//! Scripts, styles, markup and events of an agent: whatever a page forbids, and in its frames.

use btcp_testkit::open;
use serde_json::{Value, json};

use crate::refusal::text_of;

/// A page's policy is for strangers; who drives the browser gets past it.
#[tokio::test]
async fn a_policy_does_not_stop_the_agent() {
    let page = open("script/policy.html").await;

    text_of(&page, "addscript", json!({ "content": "globalThis.one = 1" })).await;
    text_of(&page, "addscript", json!({ "src": "added.js" })).await;
    text_of(&page, "addstyle", json!({ "content": "#here { width: 77px }" })).await;
    let width = "document.querySelector('#here').offsetWidth";
    assert_eq!(page.eval(&format!("[one, addedBy, {width}]")).await, json!([1, "added.js", 77]));
    text_of(&page, "addstyle", json!({ "href": "added.css" })).await;
    assert_eq!(page.eval(width).await, 88);
    text_of(&page, "dispatch", json!({ "selector": "#here", "event": "sail", "detail": "home" }))
        .await;
    let log = page.log().await;
    assert!(log.contains(&"sail home".to_owned()), "{log:?}");
    assert_eq!(page.eval("new Function('return 7')()").await, 7);

    let said = text_of(&page, "setcontent", json!({ "html": "<h1>New</h1>" })).await;
    assert!(said.contains(r#"heading "New""#), "{said}");
    assert_eq!(page.eval("document.body.innerHTML").await, "<h1>New</h1>");
}

/// The frame that was entered is the one that is changed, also one of another site.
#[tokio::test]
async fn an_entered_frame_gets_the_script_the_style_and_the_event() {
    let page = open("script/framed.html").await;
    text_of(&page, "frame", json!({ "name": "other" })).await;

    text_of(&page, "addscript", json!({ "content": "globalThis.one = secret" })).await;
    text_of(&page, "addstyle", json!({ "content": "#here { width: 66px }" })).await;
    let args = json!({ "selector": "#here", "event": "sail", "detail": { "detail": 5 } });
    text_of(&page, "dispatch", args).await;
    let seen = page.eval("[one, log[0], document.querySelector('#here').offsetWidth]").await;
    assert_eq!(seen, json!(["inside", "sail 5", 66]));
    text_of(&page, "setcontent", json!({ "html": "<p>Other</p>" })).await;
    assert_eq!(page.eval("document.body.textContent").await, "Other");
    text_of(&page, "mainframe", json!({})).await;
    assert_eq!(page.eval("document.title").await, "framed");
}

/// What a script gives is told as what it is.
#[tokio::test]
async fn every_kind_of_result_is_told_as_what_it_is() {
    let page = open("script/framed.html").await;
    for (script, result) in [
        ("let a = 2; a *= 21; a", json!(42)),
        ("if (true) { return 'early' }\nreturn 'late'", json!("early")),
        ("const b = await Promise.resolve(5); b + 1", json!(6)),
        ("for (const x of [1, 2]) { if (x === 2) return x }", json!(2)),
        ("(async () => ({ deep: await 1 }))()", json!({ "deep": 1 })),
        ("{ a: 1 }", json!({ "a": 1 })),
        ("null", Value::Null),
        ("[undefined, null, NaN, -0, 1n]", json!([null, null, "NaN", "-0", "1n"])),
        ("new Map([['k', new Set([1])]])", json!({ "k": [1] })),
        ("new Date(0)", json!("1970-01-01T00:00:00.000Z")),
        ("/a+/gi", json!("/a+/gi")),
        ("document.querySelector('iframe')", json!("<iframe name=\"other\">")),
        ("[document, document.body.childNodes.length > 0]", json!(["[document]", true])),
        ("() => 1", json!("[function]")),
        ("Symbol('s')", json!("[symbol]")),
        ("new TypeError('kept')", json!("TypeError: kept")),
        ("({ toJSON() { throw 1 }, get x() { return 2 } }).x", json!(2)),
    ] {
        let outcome = page.call("evaluate", json!({ "script": script })).await;
        let outcome = outcome.unwrap_or_else(|failure| panic!("{script}: {}", failure.text()));
        assert_eq!(outcome.data.get("result"), Some(&result), "{script}");
    }
    for script in ["undefined", "void 0", "let c = 1", "return", "(() => {})()"] {
        let outcome = page.call("evaluate", json!({ "script": script })).await.expect("it runs");
        assert_eq!(outcome.data, json!({}), "{script}");
        assert_eq!(outcome.text.for_model(), "undefined", "{script}");
    }
    let cycle = page.eval("const loop = { name: 'loop' }; loop.self = loop; [loop]").await;
    assert_eq!(cycle, json!([{ "name": "loop", "self": "[object]" }]), "a cycle is cut");
    let args = json!({ "script": "Promise.resolve(5)", "await": false });
    let promise = page.call("evaluate", args).await.expect("it runs");
    assert_eq!(promise.data["result"], "[promise]");
}

/// Programs get all of it; what a model reads stays within bounds, and the session goes on.
#[tokio::test]
async fn large_results_are_whole_for_programs_and_short_for_models() {
    let page = open("evaluate.html").await;

    let list = "Array.from({ length: 200000 }, (_, at) => at)";
    let all = page.call("evaluate", json!({ "script": list })).await.expect("it runs");
    let items = all.data["result"].as_array().expect("a list");
    assert_eq!(items.len(), 200_000);
    assert!(items.iter().zip(0_u64..).all(|(item, at)| item.as_u64() == Some(at)));
    let string = "'start' + 'x'.repeat(5e6) + 'end'";
    let text = page.call("evaluate", json!({ "script": string })).await.expect("it runs");
    let result = text.data["result"].as_str().expect("a string");
    assert!(result.len() == 5_000_008 && result.starts_with("startx") && result.ends_with("xend"));

    for read in [all.text.for_model(), text.text.for_model()] {
        assert!(read.len() < 100_000, "a model would read {} characters", read.len());
    }
    assert_eq!(page.eval("1 + 1").await, 2);
}

/// What is thrown need not be an error.
#[tokio::test]
async fn whatever_is_thrown_is_told() {
    let page = open("evaluate.html").await;
    for (script, said) in [
        ("throw 'plain'", "Uncaught \"plain\" at line 1"),
        ("throw { code: 7 }", "Uncaught {\"code\":7} at line 1"),
        ("throw null", "Uncaught null at line 1"),
        ("throw undefined", "Uncaught undefined at line 1"),
        ("\n\nnobody()", "ReferenceError: nobody is not defined at line 3"),
        ("Promise.reject(5)", "Uncaught 5 at line 1"),
        ("await Promise.reject(new RangeError('far'))", "RangeError: \"far\" at line 1"),
        ("return (", "SyntaxError: "),
        ("const x = 1;\nthrow new Error(x)\nreturn 1", "Error: \"1\" at line 2"),
    ] {
        let failure = page.call("evaluate", json!({ "script": script })).await;
        let failure = failure.expect_err(script);
        assert_eq!(failure.code, "javascript_error", "{script}");
        assert!(failure.message.starts_with(said), "{script}: {}", failure.message);
    }
    let hostile = "JSON.stringify = Array.prototype.map = () => 'forged'; Object.prototype.toJSON = () => 'forged'; [1, { a: 2 }]";
    assert_eq!(page.eval(hostile).await, json!([1, { "a": 2 }]));
}
