//! Ordinary work is not in the way of the boundary: a local app with its API on another port, its
//! WebSocket, and its return from a public log-in page.

use btcp_engine::{Isolation, Settings};
use btcp_testkit::{World, empty_with, server};
use serde_json::json;

use crate::boundary_net::{Victim, public_url, settings};

#[tokio::test]
async fn a_local_app_works_and_a_login_comes_back_to_it() {
    let api = Victim::start();
    let isolation = Isolation::Process;
    let page = empty_with(Settings { isolation, ..settings(World::new(&[]), &[]) }).await;
    let app = format!("http://localhost:{}/boundary/app.html", server().port());
    let go = async |url: &str| {
        let args = json!({ "url": url, "timeout": "60s" });
        page.call("navigate", args).await.unwrap_or_else(|failure| panic!("{}", failure.text()));
    };
    // The API by both names of this machine, before the session has seen the internet and after.
    for public in [false, true] {
        if public {
            go(&public_url("title.html")).await;
        }
        for host in ["localhost", "127.0.0.1"] {
            go(&format!("{app}?api={host}:{}", api.port)).await;
            page.until("log.length === 2").await;
            let mut log = page.log().await;
            log.sort();
            assert!(
                log[0].contains("Secret") && log[1] == "socket open",
                "{host} {public}: {log:?}"
            );
        }
    }

    for (way, code) in [("#back", "42"), ("#led", "43")] {
        go(&public_url(&format!("boundary/login.html?back={app}"))).await;
        let outcome = page.call("click", json!({ "selector": way })).await.unwrap();
        assert_eq!(outcome.data["url"], format!("{app}?code={code}"), "{}", outcome.data);
        assert_eq!(page.log().await, [format!("back with ?code={code}")]);
    }

    // Back and forward, and loading again, go where the session has been.
    let before = page.call("url", json!({})).await.unwrap().data;
    page.call("back", json!({})).await.unwrap();
    page.call("forward", json!({})).await.unwrap();
    page.call("reload", json!({})).await.unwrap();
    assert_eq!(page.call("url", json!({})).await.unwrap().data, before);

    // An app the agent never named is not led to.
    let other = format!("http://localhost:{}/boundary/app.html", api.port);
    let seen = api.seen();
    go(&public_url(&format!("boundary/login.html?back={other}"))).await;
    let outcome = page.call("click", json!({ "selector": "#back" })).await.unwrap();
    assert!(outcome.data["failedRequests"].to_string().contains("is denied"), "{}", outcome.data);
    assert_eq!(api.seen(), seen);
}
