//! Cookies and web storage: the session's own, set and read as a browser would.

use btcp_testkit::{open, server};
use serde_json::json;

use crate::refusal::text_of;

#[tokio::test]
async fn cookies_belong_to_the_session_and_are_sent_as_set() {
    let (page, stranger) = (open("cookies_set.html").await, open("cookies_set.html").await);
    let sid = json!({ "name": "sid", "value": "s3cret", "httpOnly": true, "sameSite": "Strict" });
    text_of(&page, "cookies_set", sid).await;
    let other =
        json!({ "name": "far", "value": 5, "domain": ".a.test", "expires": 4_000_000_000_u64 });
    text_of(&page, "cookies_set", other).await;

    text_of(&page, "navigate", json!({ "url": server().url("/echo") })).await;
    let head = page.eval("document.body.innerText").await;
    assert!(
        head.as_str().is_some_and(|head| head.to_lowercase().contains("cookie: sid=s3cret")),
        "{head}"
    );
    assert_eq!(page.eval("document.cookie").await, "");
    let all = page.call("cookies_get", json!({})).await.expect("cookies").data;
    assert_eq!(all["cookies"].as_array().map(Vec::len), Some(2), "{all}");
    assert!(!all.to_string().contains("s3cret"), "values are told to nobody who may not read them");
    let far = page.call("cookies_get", json!({ "url": "https://www.a.test/x" })).await;
    let far = far.expect("cookies").data;
    assert_eq!(far["cookies"][0]["name"], "far", "{far}");
    assert_eq!(text_of(&stranger, "cookies_get", json!({})).await, "no cookies");

    assert_eq!(
        text_of(&page, "cookies_clear", json!({ "domain": "a.test" })).await,
        "1 cookie is removed"
    );
    assert_eq!(text_of(&page, "cookies_clear", json!({})).await, "1 cookie is removed");
    assert_eq!(text_of(&page, "cookies_get", json!({})).await, "no cookies");
}

#[tokio::test]
async fn a_cookie_that_cannot_be_is_refused_and_says_why() {
    let page = open("cookies_set.html").await;
    for (args, said) in [
        (
            json!({ "name": "a", "value": "b", "url": "about:blank" }),
            "Cookie 'a' needs a url or a domain",
        ),
        (json!({ "name": "a;b", "value": "b" }), "Chrome refuses cookie 'a;b'"),
        (
            json!({ "name": "__Host-a", "value": "b", "domain": ".a.test" }),
            "Chrome refuses cookie '__Host-a'",
        ),
        (json!({ "value": "b" }), "name is required"),
        (json!({ "name": "a" }), "value is required"),
    ] {
        let failure = page.call("cookies_set", args.clone()).await.expect_err("no such cookie");
        assert!(failure.message.starts_with(said), "{args}: {}", failure.message);
        assert_eq!(failure.done.map(|done| done.name()), Some("no"), "{args}");
    }
    assert_eq!(text_of(&page, "cookies_get", json!({})).await, "no cookies");
}

/// Storage of the frame that is worked in, whatever its keys are called; and none where there is none.
#[tokio::test]
async fn storage_is_that_of_the_frame_and_takes_any_key() {
    let page = open("script/framed.html").await;
    for key in ["plain", "__proto__", "length", "getItem", "", "ключ"] {
        text_of(&page, "storage_set", json!({ "key": key, "value": key })).await;
        let got = page.call("storage_get", json!({ "key": key })).await.expect("it is there");
        assert_eq!(got.data["value"], key);
    }
    let all = page.call("storage_get", json!({})).await.expect("items").data;
    assert_eq!(all["value"].as_object().map(serde_json::Map::len), Some(6), "{all}");
    text_of(&page, "frame", json!({ "name": "other" })).await;
    assert_eq!(text_of(&page, "storage_get", json!({})).await, "{}");
    text_of(&page, "mainframe", json!({})).await;

    page.eval("localStorage.clear(); localStorage.big = 'x'.repeat(5200000); 1").await;
    let full = json!({ "key": "more", "value": "y".repeat(100_000) });
    let full = page.call("storage_set", full).await.expect_err("it is full");
    assert_eq!(
        (full.code, full.message.as_str()),
        ("write_failed", "Cannot write localStorage: it is full")
    );
    text_of(&page, "navigate", json!({ "url": "about:blank" })).await;
    let none = page.call("storage_get", json!({})).await.expect_err("there is none");
    assert_eq!(
        (none.code, none.message.as_str()),
        ("invalid_params", "The page at about:blank has no localStorage")
    );
}

/// A cookie goes only where its path and its `secure` say.
#[tokio::test]
async fn cookies_keep_to_their_path_and_to_tls() {
    let page = open("cookies_set.html").await;
    text_of(&page, "cookies_set", json!({ "name": "here", "value": 1, "path": "/echo" })).await;
    let other = json!({ "name": "there", "value": 2, "path": "/elsewhere" });
    text_of(&page, "cookies_set", other).await;
    let tls = json!({ "name": "tls", "value": 3, "secure": true, "url": "https://a.test/" });
    text_of(&page, "cookies_set", tls).await;

    text_of(&page, "navigate", json!({ "url": server().url("/echo") })).await;
    let head = page.eval("document.body.innerText").await;
    let head = head.as_str().unwrap_or_default().to_lowercase();
    assert!(head.contains("cookie: here=1") && !head.contains("there=2"), "{head}");
    let names = async |url: &str| {
        let found = page.call("cookies_get", json!({ "url": url })).await.expect("cookies").data;
        let found = found["cookies"].as_array().expect("a list").clone();
        found
            .iter()
            .map(|one| one["name"].as_str().unwrap_or_default().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(names("https://a.test/").await, ["tls"]);
    assert_eq!(names("http://a.test/").await, Vec::<String>::new());
}
