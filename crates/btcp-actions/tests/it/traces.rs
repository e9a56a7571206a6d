//! A page that looks for whoever drives it (`testpages/hard/traces.html`) must find nobody.

use btcp_actions::{Access, ENTRIES};
use btcp_testkit::open;
use serde_json::json;

use crate::refusal::text_of;

const PAGE: &str = "hard/traces.html";

/// Reading must not show: no focus, no scroll, no resize, no node, no attribute, no global.
#[tokio::test]
async fn a_page_cannot_notice_that_it_is_read() {
    for (name, args) in [
        ("snapshot", json!({})),
        ("get_text", json!({ "selector": "text=Kit text" })),
        ("count", json!({ "selector": "button" })),
        ("title", json!({})),
        ("url", json!({})),
        ("screenshot", json!({})),
        ("get_attribute", json!({ "selector": "label=Kit field", "attribute": "id" })),
        ("is_visible", json!({ "selector": "label=Kit field" })),
        ("highlight", json!({ "selector": "label=Kit field" })),
        ("wait_for_url", json!({ "url": "traces.html" })),
        ("console", json!({})),
        ("screenshot", json!({ "selector": "text=Kit text" })),
        ("wait", json!({ "selector": "text=Kit text" })),
        ("wait", json!({ "text": "Kit text" })),
    ] {
        let entry = ENTRIES.iter().find(|entry| entry.name == name).expect("it exists");
        assert_eq!(entry.access, Access::Reads, "{name} says that it changes something");
        let page = open(PAGE).await;

        text_of(&page, name, args.clone()).await;

        let noticed = page.eval("look()").await;
        assert_eq!(noticed, json!([]), "the page noticed {name} {args}");
    }
}

/// Chrome lays a page out anew for a picture larger than the window; more than that must not show.
#[tokio::test]
async fn a_page_cannot_notice_a_picture_of_all_of_it_but_by_its_size() {
    let page = open(PAGE).await;

    text_of(&page, "screenshot", json!({ "fullPage": true })).await;

    let noticed = page.eval("look()").await;
    assert!(noticed == json!([]) || noticed == json!(["resize"]), "the page noticed {noticed}");
}

/// Code is run for practice once a page is idle; it presses, scrolls, focuses and fills nothing.
#[tokio::test]
async fn a_page_cannot_notice_what_is_practised_on_it() {
    let page = open("engine/idle.html").await;

    let left =
        page.eval("quiet.then(() => [scrollY, document.activeElement.localName, log])").await;

    assert_eq!(left, json!([0, "body", []]));
}

/// Chrome's own window stands still where nobody sees it; what moves in pages takes its time.
#[tokio::test]
async fn what_moves_in_a_page_takes_its_time() {
    let page = open("title.html").await;

    let took = page
        .eval(
            "(async () => {
               const box = document.body.appendChild(document.createElement('div'))
               box.style.cssText = 'height: 100px; overflow: auto; transition: opacity 300ms'
               box.innerHTML = '<p style=\"height: 5000px\">Long</p>'
               const since = async (what) => { const begin = performance.now(); await what(); return performance.now() - begin }
               const heard = (name) => new Promise((done) => box.addEventListener(name, done, { once: true }))
               box.offsetWidth
               return [
                 await since(() => { box.style.opacity = 0.5; return heard('transitionend') }),
                 await since(() => box.animate([{ width: 0 }, { width: '9px' }], 200).finished),
                 await since(() => { box.scrollTo({ top: 3000, behavior: 'smooth' }); return heard('scrollend') }),
                 matchMedia('(prefers-reduced-motion: no-preference)').matches,
               ]
             })()",
        )
        .await;

    assert_eq!(took[3], json!(true), "{took}");
    for (at, least) in [(0, 250.0), (1, 150.0), (2, 100.0)] {
        assert!(took[at].as_f64().is_some_and(|took| took >= least), "{took}");
    }
}

/// Acting shows only as a person's acting would: focus, selection and trusted events.
#[tokio::test]
async fn a_page_takes_the_agent_for_a_person() {
    for (name, args) in [
        ("click", json!({ "selector": r#"role=button[name="Kit button"]"# })),
        ("fill", json!({ "selector": "label=Kit field", "value": "hello" })),
        ("type", json!({ "selector": "label=Kit field", "text": "hello" })),
        ("press", json!({ "key": "Tab" })),
    ] {
        let page = open(PAGE).await;

        text_of(&page, name, args).await;

        let noticed = page.eval("look()").await;
        let noticed = noticed.as_array().expect("look() gives the log");
        let human = [json!("focusin"), json!("focusout"), json!("selectionchange")];
        let strange: Vec<_> = noticed.iter().filter(|what| !human.contains(what)).collect();
        assert!(strange.is_empty(), "the page noticed {name}: {strange:?}");
    }
}

/// The detector itself must work, or the tests above prove nothing.
#[tokio::test]
async fn the_page_does_notice_what_is_done_in_its_own_world() {
    for (script, notice) in [
        ("window.intruder = 1", "global:intruder"),
        ("document.body.setAttribute('data-ref', 'e1')", "attribute data-ref on BODY"),
        ("document.body.append(document.createElement('i'))", "childList BODY"),
        ("addEventListener('mousedown', () => {})", "called addEventListener"),
        (
            "document.querySelector('button').getBoundingClientRect(); 1",
            "called getBoundingClientRect",
        ),
        ("document.querySelector('input').focus()", "focusin"),
    ] {
        let page = open(PAGE).await;

        page.eval(script).await;

        let noticed = page.eval("look()").await;
        let all = noticed.as_array().expect("look() gives the log");
        assert!(all.iter().any(|what| what == notice), "{script} was noticed as {noticed}");
    }
}
