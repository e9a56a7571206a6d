//! States: what one session's pages stored is what others begin with.

use std::os::unix::fs::PermissionsExt as _;

use btcp_engine::{Settings, StateKey};
use btcp_testkit::{TestPage, empty_with, files, open, server};
use serde_json::{Value, json};

use crate::refusal::text_of;

const STORED: &str = "cart=3,dark,true,2";

async fn saved(page: &TestPage, name: &str) -> Value {
    let saved = page.call("state_save", json!({ "path": name })).await;
    saved.unwrap_or_else(|failure| panic!("{}", failure.text())).data
}

/// Cookies, both storages, halves of characters and a frame of another site: all of it, in fifty.
#[tokio::test(flavor = "multi_thread")]
async fn a_state_of_one_session_is_loaded_into_fifty() {
    let page = open("state/visit.html").await;
    page.eval("put()").await;
    text_of(&page, "frame", json!({ "name": "other" })).await;
    text_of(&page, "storage_set", json!({ "key": "in", "value": "side" })).await;
    text_of(&page, "mainframe", json!({})).await;
    let path = files().join(format!("fifty-{}.json", std::process::id()));
    let state = saved(&page, &path.to_string_lossy()).await;
    assert_eq!(
        (state["cookies"].as_u64(), state["origins"].as_u64()),
        (Some(1), Some(2)),
        "{state}"
    );
    assert_eq!(state["encrypted"], false);
    let mode = std::fs::metadata(&path).expect("the file is there").permissions().mode();
    assert_eq!(mode & 0o777, 0o600);

    let mut running = tokio::task::JoinSet::new();
    let (mut begun, mut done) = (0, 0);
    while done < 50 {
        while begun < 50 && running.len() < 5 {
            begun += 1;
            let path = path.to_string_lossy().into_owned();
            running.spawn(async move {
                let page = open("state/visit.html").await;
                page.eval("localStorage.theme = 'light'; localStorage.old = '1'").await;
                text_of(&page, "state_load", json!({ "path": path, "timeout": "60s" })).await;
                let seen = page.eval("[has(), localStorage.old ?? null, location.pathname]").await;
                assert_eq!(seen, json!([STORED, null, "/state/visit.html"]));
                if begun % 10 == 0 {
                    text_of(&page, "frame", json!({ "name": "other" })).await;
                    let inside = text_of(&page, "storage_get", json!({ "key": "in" })).await;
                    assert_eq!(inside, "\"side\"");
                }
            });
        }
        running.join_next().await.expect("one is running").expect("it has the state");
        done += 1;
    }
    // It was the test's own.
    let _ = std::fs::remove_file(path);
}

/// A database comes back with its version, stores, indexes and counters, and every kind of value.
#[tokio::test]
async fn databases_are_part_of_a_state() {
    let page = open("state/visit.html").await;
    page.eval("putDatabase()").await;
    saved(&page, "databases.json").await;
    let all = json!(["shop", 3, 1500, 1400, "1400", "1,2,3", "image/x", "picture", 1501]);
    assert_eq!(page.eval("hasDatabase()").await, all);
    page.eval("indexedDB.deleteDatabase('shop'), indexedDB.open('shop', 9), undefined").await;

    text_of(&page, "state_load", json!({ "path": "databases.json" })).await;

    assert_eq!(page.eval("hasDatabase()").await, all);
}

/// Another session has none of them before.
#[tokio::test]
async fn databases_of_one_session_are_there_in_another() {
    let page = open("state/visit.html").await;
    let path = files().join(format!("databases-{}.json", std::process::id()));
    let _removed = RemovedAtTheEnd(path.clone());
    page.eval("putDatabase()").await;
    saved(&page, &path.to_string_lossy()).await;
    let other = open("state/visit.html").await;
    assert_eq!(other.eval("hasDatabase()").await, Value::Null);

    text_of(&other, "state_load", json!({ "path": path.to_string_lossy() })).await;

    let all = json!(["shop", 3, 1500, 1400, "1400", "1,2,3", "image/x", "picture", 1501]);
    assert_eq!(other.eval("hasDatabase()").await, all);
}

/// Who may send a cookie, and until when, is as much of it as its value.
#[tokio::test]
async fn a_cookie_is_loaded_with_all_that_was_said_of_it() {
    let page = open("title.html").await;
    let path = files().join(format!("cookies-{}.json", std::process::id()));
    let _removed = RemovedAtTheEnd(path.clone());
    let cookies = json!([
        { "name": "sid", "value": "s3", "domain": ".shop.test", "path": "/basket", "httpOnly": true,
          "secure": true, "sameSite": "Strict", "expires": 4_000_000_000_u64 },
        { "name": "seen", "value": "1", "domain": "shop.test", "sameSite": "Lax" },
        { "name": "frame", "value": "2", "domain": "shop.test", "secure": true, "sameSite": "None" },
    ]);
    text_of(&page, "cookies_set", json!({ "cookies": cookies })).await;
    let had = page.call_revealing("cookies_get", json!({})).await.expect("it lists them").data;
    let sid = had["cookies"].as_array().and_then(|all| all.iter().find(|one| one["name"] == "sid"));
    let sid = sid.unwrap_or_else(|| panic!("no sid in {had}"));
    for (field, wanted) in [
        ("value", json!("s3")),
        ("domain", json!(".shop.test")),
        ("path", json!("/basket")),
        ("httpOnly", json!(true)),
        ("secure", json!(true)),
        ("sameSite", json!("Strict")),
    ] {
        assert_eq!(sid[field], wanted, "{field}");
    }
    // Chrome lets no cookie live longer than 400 days.
    assert!(sid["expires"].as_f64().is_some_and(|end| end > 1_700_000_000.0), "{sid}");
    saved(&page, &path.to_string_lossy()).await;

    let other = open("title.html").await;
    text_of(&other, "state_load", json!({ "path": path.to_string_lossy() })).await;

    let has = other.call_revealing("cookies_get", json!({})).await.expect("it lists them").data;
    assert_eq!(by_name(&has), by_name(&had));
    assert_eq!(by_name(&has).len(), 3, "{has}");
}

/// Cookies in an order of their own, with whole seconds: Chrome keeps the end in its own unit.
fn by_name(listed: &Value) -> Vec<Value> {
    let mut cookies = listed["cookies"].as_array().cloned().unwrap_or_default();
    for cookie in &mut cookies {
        if let Some(end) = cookie["expires"].as_f64() {
            cookie["expires"] = json!(end.round());
        }
    }
    cookies.sort_by_key(|cookie| cookie["name"].to_string());
    cookies
}

/// What a session that begins with a saved state finds on the page.
async fn found_by_another(path: &std::path::Path, script: &str) -> Value {
    let other = open("title.html").await;
    text_of(&other, "state_load", json!({ "path": path.to_string_lossy() })).await;
    text_of(&other, "navigate", json!({ "url": server().url("title.html") })).await;
    other.eval(script).await
}

/// A page may sign in long after it has loaded, while the agent only waits.
#[tokio::test]
async fn what_a_page_stored_late_is_saved_although_it_was_left() {
    let page = open("state/later.html").await;
    let path = files().join(format!("late-{}.json", std::process::id()));
    let _removed = RemovedAtTheEnd(path.clone());
    text_of(&page, "wait", json!({ "text": "signed in" })).await;

    let elsewhere = format!("{}/title.html", server().other_origin());
    text_of(&page, "navigate", json!({ "url": elsewhere })).await;
    saved(&page, &path.to_string_lossy()).await;

    assert_eq!(found_by_another(&path, "localStorage.token ?? null").await, "late");
}

/// No pause between what came of the press and leaving, in which the page could be looked at.
#[tokio::test]
async fn what_came_of_a_press_is_saved_although_the_same_batch_left() {
    let page = open("state/later.html?signed-in").await;
    let path = files().join(format!("at-once-{}.json", std::process::id()));
    let _removed = RemovedAtTheEnd(path.clone());

    let elsewhere = format!("{}/title.html", server().other_origin());
    let steps = json!([
        { "action": "click", "selector": "#add" },
        { "action": "wait", "text": "added" },
        { "action": "navigate", "url": elsewhere },
    ]);
    text_of(&page, "batch", json!({ "steps": steps })).await;
    saved(&page, &path.to_string_lossy()).await;

    assert_eq!(found_by_another(&path, "localStorage.basket ?? null").await, "1");
}

/// A page at the very address on which its storage is put in place is loaded all the same.
#[tokio::test]
async fn a_loaded_state_leaves_the_page_loaded() {
    let page = open("state/visit.html").await;
    page.eval("put()").await;
    saved(&page, "own.json").await;
    text_of(&page, "navigate", json!({ "url": format!("{}/", server().origin()) })).await;
    let before = page.eval("document.documentElement.outerHTML").await;

    text_of(&page, "state_load", json!({ "path": "own.json" })).await;

    assert_eq!(page.eval("document.documentElement.outerHTML").await, before);
}

/// With a key the file says nothing, and only that key opens it.
#[tokio::test]
async fn a_state_is_encrypted_with_the_key_of_the_environment() {
    let keyed = |key: &str| Settings {
        state_key: Some(StateKey::new(key.repeat(64))),
        allow_folders: vec![files()],
        ..Settings::default()
    };
    let path = files().join(format!("sealed-{}.json", std::process::id()));
    let _removed = RemovedAtTheEnd(path.clone());
    let (page, other) = (empty_with(keyed("a")).await, empty_with(keyed("b")).await);
    let url = json!({ "url": server().url("state/visit.html"), "timeout": "60s" });
    text_of(&page, "navigate", url.clone()).await;
    page.eval("put()").await;
    let state = saved(&page, &path.to_string_lossy()).await;
    assert_eq!(state["encrypted"], true);
    let bytes = std::fs::read(&path).expect("the file is there");
    assert!(!bytes.windows(4).any(|part| part == b"cart" || part == b"dark"));

    let load = json!({ "path": path.to_string_lossy() });
    text_of(&other, "navigate", url).await;
    let failure = other.call("state_load", load.clone()).await.expect_err("another key");
    assert!(failure.message.contains("another key"), "{}", failure.message);
    assert_eq!(
        (failure.code, failure.done.map(|done| done.name())),
        ("invalid_params", Some("no"))
    );
    let plain = open("title.html").await;
    let failure = plain.call("state_load", load.clone()).await.expect_err("no key");
    assert_eq!(failure.message, "The state is encrypted, and BTCP_STATE_KEY is not set");
    text_of(&page, "cookies_clear", json!({})).await;
    page.eval("localStorage.clear(); sessionStorage.clear()").await;
    text_of(&page, "state_load", load).await;
    assert_eq!(page.eval("has()").await, STORED);
}

/// A file among the sources that goes with the test, also with one that fails.
struct RemovedAtTheEnd(std::path::PathBuf);

impl Drop for RemovedAtTheEnd {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

/// How many sheets a PDF has: each is an object of its own.
fn sheets(pdf: &[u8]) -> usize {
    let text = String::from_utf8_lossy(pdf);
    let of_type = |kind: &str| text.matches(kind).count();
    of_type("/Type /Page\n") + of_type("/Type /Page/")
}

/// A page on paper: a PDF, the owner's only, and only where agents may write.
#[tokio::test]
async fn a_page_is_printed_into_the_sessions_folder() {
    let page = open("pictures/bands.html").await;

    let printed = page.call("pdf", json!({})).await.expect("it prints").data;

    let path = printed["path"].as_str().unwrap_or_default();
    let bytes = std::fs::read(path).expect("the file is there");
    assert!(bytes.starts_with(b"%PDF-") && printed["bytes"] == bytes.len(), "{printed}");
    let mode = std::fs::metadata(path).expect("it is there").permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    assert!(sheets(&bytes) > 1, "a page of {} bytes on one sheet", bytes.len());
    let short = open("title.html").await;
    let printed = short.call("pdf", json!({})).await.expect("it prints").data;
    let bytes = std::fs::read(printed["path"].as_str().unwrap_or_default()).expect("it is there");
    assert_eq!(sheets(&bytes), 1);
    let refused = page.call("pdf", json!({ "path": "../../escaped.pdf" })).await;
    assert_eq!(refused.expect_err("not there").code, "denied");
}
