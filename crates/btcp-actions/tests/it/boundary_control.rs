//! Control runs for `boundary.rs`: the ways that no Chrome of ours goes are gone as soon as what keeps it from
//! them is switched off. Without them nobody could tell a way that is closed from one that never led anywhere.

use std::time::Duration;

use btcp_engine::Settings;
use btcp_engine::egress::Egress;
use btcp_testkit::{ForeignChrome, Person, TestPage, World, empty_with, server};
use serde_json::json;

use crate::boundary_net::{Victim, settings};

/// What our command line has against WebRTC beside the guard, undone: of two Chrome takes the last.
const WEBRTC_AT_WILL: &str = "--webrtc-ip-handling-policy=default";
/// Far beyond what any of this takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// A Chrome that connects by itself, with these switches.
async fn unguarded(switches: &[&str]) -> TestPage {
    let egress = Egress { unguarded: true, ..Egress::default() };
    let extra_args = switches.iter().map(|&switch| switch.to_owned()).collect();
    empty_with(Settings { egress, extra_args, spare: false, ..Settings::default() }).await
}

/// A Chrome behind the guard, to which this machine counts as public, with these switches.
async fn guarded(switches: &[&str]) -> TestPage {
    let mut settings = settings(World::new(&[]), &["127.0.0.0/8"]);
    settings.extra_args.extend(switches.iter().map(|&switch| switch.to_owned()));
    empty_with(settings).await
}

/// Opens the page that attacks a victim, from this machine itself.
async fn attack(page: &TestPage, victim: &Victim) {
    let target = format!("http://127.0.0.1:{}", victim.port);
    let path = format!("boundary/attack.html?target={target}&udp={}", victim.udp);
    let args = json!({ "url": server().url(&path), "timeout": "60s" });
    page.call("navigate", args).await.unwrap_or_else(|failure| panic!("{}", failure.text()));
}

/// STUN is UDP, which no SOCKS proxy of ours takes: it goes round the guard, and the flag alone stops it.
#[tokio::test]
async fn stun_gets_round_the_guard_where_the_flag_is_off() {
    let victim = Victim::start();
    let page = guarded(&[WEBRTC_AT_WILL]).await;
    attack(&page, &victim).await;
    page.eval("run('turn')").await;
    assert!(victim.saw("udp").await, "{:?}", victim.seen());

    let victim = Victim::start();
    let page = guarded(&[]).await;
    attack(&page, &victim).await;
    page.eval("run('turn')").await;
    assert!(!victim.seen().contains(&"udp".to_owned()), "{:?}", victim.seen());
}

/// TURN by TCP connects to whom it is told where nobody stands between.
#[tokio::test]
async fn turn_connects_where_there_is_no_guard() {
    let victim = Victim::start();
    let page = unguarded(&[WEBRTC_AT_WILL]).await;
    attack(&page, &victim).await;
    page.eval("run('turn')").await;
    assert!(victim.saw("connected").await, "{:?}", victim.seen());
    assert!(victim.saw("udp").await, "{:?}", victim.seen());
}

/// What is fetched and connected to ahead, in a Chrome that has not the preferences ours are started with. Chrome connects
/// ahead in no context that is made for a session either. That it also runs pages ahead is not shown: with a debugger
/// at it this Chrome was not seen to, preferences or not.
#[tokio::test]
async fn a_chrome_that_is_not_ours_goes_ahead() {
    let (victim, early) = (Victim::start(), Victim::start());
    let chrome = ForeignChrome::new();
    let person = chrome.person().await;

    let follow = format!("follow('control', 'http://127.0.0.1:{}/ahead')", victim.port);
    runs(&person, &server().url("boundary/speculation.html"), "follow", &follow).await;
    assert!(victim.saw("/ahead").await, "{:?}", victim.seen());

    let attack = format!("boundary/attack.html?target=http://127.0.0.1:{}", early.port);
    runs(&person, &server().url(&attack), "run", "run('preconnect')").await;
    assert!(early.saw("connected").await, "{:?}", early.seen());
}

/// Opens a page and runs a script in it once what the script calls is there.
async fn runs(person: &Person, url: &str, calls: &str, script: &str) {
    let (_, tab) = person.open(url).await;
    let loaded = format!("typeof {calls} === 'function' && document.readyState === 'complete'");
    let mut looks = tokio::time::interval(Duration::from_millis(20));
    let met = async {
        while person.run(&tab, &loaded, PATIENCE).await.as_deref() != Some("true") {
            looks.tick().await;
        }
    };
    tokio::time::timeout(PATIENCE, met).await.expect("the page loads");
    person.set_off(&tab, script);
}

/// No page of this Chrome leads to `view-source:`, guard or not: it is Chrome's own rule. Should that end one
/// day, this fails, and the way in `boundary.rs` is worth more than it is now.
#[tokio::test]
async fn a_page_leads_to_view_source_in_no_chrome() {
    let victim = Victim::start();
    let page = unguarded(&[]).await;
    attack(&page, &victim).await;
    page.call("click", json!({ "selector": "#source" })).await.expect("it is clicked");
    page.call("click", json!({ "selector": "#link" })).await.expect("it is clicked");
    assert!(victim.saw("/link").await, "{:?}", victim.seen());
    assert!(!victim.seen().contains(&"/source".to_owned()), "{:?}", victim.seen());
}
