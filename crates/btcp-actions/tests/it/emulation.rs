//! What pages believe of the device they are on: everywhere in the session, for as long as it is said.

use btcp_testkit::{TestPage, open, server};
use serde_json::json;

use crate::refusal::{text_of, until_tabs};

const BELIEVED: &str = r#"[true,true,"de-DE","1.234,5",9]"#;

async fn pixel(page: &TestPage) {
    let args = json!({
        "device": "pixel 7", "locale": "de-DE", "timezone": "Asia/Tokyo", "colorScheme": "dark",
        "reducedMotion": true, "geolocation": { "latitude": 1, "longitude": 2.5 },
    });
    text_of(page, "emulate", args).await;
}

/// In the page, a frame of another site and a worker, after a reload, on another site, in a new tab.
#[tokio::test]
async fn a_device_holds_in_frames_workers_new_tabs_and_on_other_sites() {
    let page = open("emulation/device.html").await;
    pixel(&page).await;
    let all = r#"[true,true,"de-DE","1.234,5",9,412,2.625,5,true,true]"#;

    assert_eq!(page.eval("all()").await, all);
    text_of(&page, "reload", json!({})).await;
    assert_eq!(page.eval("all()").await, all, "after a reload");
    assert_eq!(page.eval("ask()").await, BELIEVED, "in a worker");
    assert_eq!(page.eval("where()").await, 2.5);
    text_of(&page, "frame", json!({ "name": "other" })).await;
    assert_eq!(page.eval("facts()").await, BELIEVED, "in a frame of another site");
    text_of(&page, "mainframe", json!({})).await;

    let elsewhere = format!("{}/emulation/device.html", server().other_origin());
    text_of(&page, "navigate", json!({ "url": elsewhere })).await;
    assert_eq!(page.eval("all()").await, all, "in another process");
    text_of(&page, "open_tab", json!({ "url": page.url(), "active": true })).await;
    assert_eq!(page.eval("all()").await, all, "in another tab");
    text_of(&page, "navigate", json!({ "url": format!("{}/echo", server().origin()) })).await;
    let head = page.eval("document.body.innerText").await;
    let head = head.as_str().unwrap_or_default().to_lowercase();
    for line in [
        "pixel 7",
        "accept-language: de-de,de;q=0.9",
        "sec-ch-ua-mobile: ?1",
        "sec-ch-ua-platform: \"android\"",
    ] {
        assert!(head.contains(line), "no {line} in {head}");
    }

    // And then nothing of it, anywhere.
    text_of(&page, "navigate", json!({ "url": page.url() })).await;
    text_of(&page, "emulate", json!({})).await;
    let plain = page.eval("all()").await;
    assert!(
        plain
            .as_str()
            .is_some_and(|p| p.starts_with("[false,false,") && p.ends_with(",1,0,false,false]")),
        "{plain}"
    );
    assert_eq!(
        page.eval("[innerWidth, (1234.5).toLocaleString()]").await,
        json!([1280, "1,234.5"])
    );
}

/// Language and time zone are a process's, and tabs of one site share it.
#[tokio::test]
async fn a_tab_that_closes_does_not_take_the_time_zone_along() {
    let page = open("emulation/device.html").await;
    text_of(&page, "emulate", json!({ "timezone": "Asia/Tokyo", "locale": "de" })).await;
    page.eval("window.open('device.html'); 1").await;
    until_tabs(&page, 2).await;

    text_of(&page, "close_tab", json!({ "tabId": 1 })).await;
    text_of(&page, "switch_tab", json!({ "tabId": 2 })).await;

    page.until("new Date(0).getHours() === 9 && (1.5).toLocaleString() === '1,5'").await;
}

/// A session of its own: what one believes another does not.
#[tokio::test]
async fn one_session_does_not_change_another() {
    let (one, other) = (open("emulation/device.html").await, open("emulation/device.html").await);

    pixel(&one).await;

    let plain = other.eval("all()").await;
    assert!(
        plain.as_str().is_some_and(|p| p.starts_with("[false,") && p.ends_with(",false,false]")),
        "{plain}"
    );
    assert_ne!(other.eval("where()").await, 2.5);
}

/// What cannot be is refused before anything changes, with what could be.
#[tokio::test]
async fn what_cannot_be_emulated_changes_nothing() {
    let page = open("emulation/device.html").await;
    for (args, said) in [
        (json!({ "timezone": "Europe/Atlantis" }), "There is no time zone 'Europe/Atlantis'"),
        (json!({ "permissions": ["camera", "teleport"] }), "There is no permission 'teleport'"),
        (json!({ "locale": "d" }), "locale must be like de-DE, not 'd'"),
        (json!({ "device": "Pixel 7", "userAgent": "a\nb" }), "userAgent may not hold line breaks"),
    ] {
        let failure = page.call("emulate", args.clone()).await.expect_err("it cannot be");
        assert!(failure.message.starts_with(said), "{args}: {}", failure.message);
        assert_eq!(failure.code, "invalid_params");
        assert_eq!(failure.done.map(|done| done.name()), Some("no"), "{args}");
    }
    assert_eq!(
        page.eval("[innerWidth, new Date(0).getTimezoneOffset() % 30]").await,
        json!([1280, 0])
    );
    let granted = json!({ "permissions": ["notifications"] });
    text_of(&page, "emulate", granted).await;
    assert_eq!(page.eval("Notification.permission").await, "granted");
}

/// The page, its worker and its service worker: none of them has a network, and all get it back.
#[tokio::test]
async fn offline_is_offline_for_the_service_worker_too() {
    let page = open("emulation/offline.html").await;
    assert_eq!(page.eval("online()").await, "true,true,true,true");

    text_of(&page, "set_offline", json!({ "offline": true })).await;
    assert_eq!(page.eval("online()").await, "false,false,false,false");
    let away = page.call("navigate", json!({ "url": server().url("/echo") })).await;
    let away = away.expect_err("there is no network");
    assert!(away.message.contains("ERR_INTERNET_DISCONNECTED"), "{}", away.message);

    text_of(&page, "set_offline", json!({ "offline": false })).await;
    text_of(&page, "navigate", json!({ "url": page.url() })).await;
    assert_eq!(page.eval("online()").await, "true,true,true,true");
}

/// Another size holds for the tabs that come, and impossible ones are refused.
#[tokio::test]
async fn a_viewport_holds_for_new_tabs() {
    let page = open("resize.html").await;
    text_of(&page, "resize", json!({ "width": 500, "height": 400 })).await;
    text_of(&page, "open_tab", json!({ "url": page.url(), "active": true })).await;
    assert_eq!(page.eval("[innerWidth, innerHeight]").await, json!([500, 400]));
    for (width, height) in [(-1, 5), (5, 0), (20_000, 5)] {
        let args = json!({ "width": width, "height": height });
        let failure = page.call("resize", args).await.expect_err("no such size");
        assert!(
            failure.message.starts_with("Invalid dimensions: width and height"),
            "{}",
            failure.message
        );
    }
}

/// Another browser by name alone: scripts and servers are told it, nothing else changes.
#[tokio::test]
async fn a_user_agent_is_told_to_scripts_and_servers() {
    let page = open("emulation/device.html").await;

    text_of(&page, "emulate", json!({ "userAgent": "Lynx/2.8 (quiet)" })).await;
    text_of(&page, "navigate", json!({ "url": server().url("/echo") })).await;

    let asked = page.eval("document.body.innerText").await;
    let asked = asked.as_str().unwrap_or_default().to_lowercase();
    assert!(asked.contains("user-agent: lynx/2.8 (quiet)"), "{asked}");
    assert_eq!(page.eval("navigator.userAgent").await, "Lynx/2.8 (quiet)");
    assert_eq!(page.eval("[innerWidth, devicePixelRatio]").await, json!([1280, 1]));
}

/// The devices there are: width of a page, scale, a part of the user agent, and whether it says it is a
/// phone. Apple's browsers send no such hint.
const DEVICES: &[(&str, u32, f64, &str, Option<bool>)] = &[
    ("iPhone SE", 375, 2.0, "iPhone OS 17_5", None),
    ("iPhone 13", 390, 3.0, "iPhone OS 17_5", None),
    ("iPhone 15", 393, 3.0, "iPhone OS 17_5", None),
    ("iPhone 15 Pro Max", 430, 3.0, "iPhone OS 17_5", None),
    ("iPad Mini", 768, 2.0, "Macintosh", None),
    ("iPad Pro 11", 834, 2.0, "Macintosh", None),
    ("Pixel 5", 393, 2.75, "Android 11; Pixel 5)", Some(true)),
    ("Pixel 7", 412, 2.625, "Android 13; Pixel 7)", Some(true)),
    ("Pixel 8", 412, 2.625, "Android 14; Pixel 8)", Some(true)),
    ("Galaxy S9+", 320, 4.5, "Android 10; SM-G965U)", Some(true)),
    ("Galaxy S24", 360, 3.0, "Android 14; SM-S921U)", Some(true)),
    ("Galaxy Tab S4", 712, 2.25, "Android 10; SM-T837A)", Some(false)),
];

/// All that a page and its server can ask of a device fits together, for each of them.
#[tokio::test]
async fn every_device_of_the_table_is_one_to_scripts_and_servers() {
    let page = open("emulate.html").await;
    let failure = page.call("emulate", json!({ "device": "?" })).await.expect_err("no such device");
    let names: Vec<&str> = DEVICES.iter().map(|device| device.0).collect();
    let known = format!("There is no device '?'; there is {}, and desktop", names.join(", "));
    assert_eq!(failure.message, known);

    for (device, width, scale, agent, mobile) in DEVICES {
        text_of(&page, "emulate", json!({ "device": device })).await;
        text_of(&page, "navigate", json!({ "url": page.url() })).await;
        let seen = "[innerWidth, devicePixelRatio, navigator.maxTouchPoints, matchMedia('(pointer: coarse)').matches, navigator.userAgentData.mobile].join()";
        let is_mobile = mobile.unwrap_or(false);
        let wanted = format!("{width},{scale},5,true,{is_mobile}");
        assert_eq!(page.eval(seen).await, wanted, "{device}");
        let named = page.eval("navigator.userAgent").await;
        let named = named.as_str().unwrap_or_default().to_owned();
        assert!(named.contains(agent), "{device}: {named}");
        let asked = page.eval("fetch('/echo').then((answer) => answer.text())").await;
        let asked = asked.as_str().unwrap_or_default().to_lowercase();
        let sent =
            |name: &str| asked.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
        assert_eq!(sent("user-agent"), Some(named.to_lowercase().as_str()), "{device}");
        let hint = mobile.map(|mobile| if mobile { "?1" } else { "?0" });
        assert_eq!(sent("sec-ch-ua-mobile"), hint, "{device}: {asked}");
        assert_eq!(sent("sec-ch-ua").is_some(), mobile.is_some(), "{device}: {asked}");
    }
}

/// A page that was allowed something is not any more.
#[tokio::test]
async fn permissions_are_taken_back_with_the_rest() {
    let page = open("emulate.html").await;
    let states = "Promise.all(['notifications', 'geolocation'].map((name) => navigator.permissions.query({ name }).then((now) => now.state)))";
    let before = page.eval(states).await;
    assert!(!before.to_string().contains("granted"), "{before}");

    text_of(&page, "emulate", json!({ "permissions": ["notifications", "geolocation"] })).await;
    assert_eq!(page.eval(states).await, json!(["granted", "granted"]));
    text_of(&page, "emulate", json!({})).await;

    assert_eq!(page.eval(states).await, before);
}
