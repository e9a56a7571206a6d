//! Semantic locators, and the place where plain CSS is looked for.

use btcp_testkit::open;
use serde_json::json;

use crate::refusal::{assert_refused, is_ref, refused, text_of};

/// What a locator finds can be acted on by its ref.
#[tokio::test]
async fn a_located_element_has_a_ref_that_works() {
    for (path, name, args) in [
        ("hard/frames.html", "get_by_role", json!({ "role": "button", "name": "Deep two" })),
        ("hard/frames.html", "get_by_text", json!({ "text": "Deep two" })),
        ("hard/frames.html", "get_by_label", json!({ "label": "Deep three" })),
    ] {
        let page = open(path).await;

        let found = page.call(name, args.clone()).await.unwrap_or_else(|e| panic!("{}", e.text()));

        assert_eq!(found.data["count"], 1, "{name} {args}: {}", found.data);
        let r#ref = found.data["ref"].as_str().expect("it has a ref").to_owned();
        text_of(&page, "click", json!({ "selector": r#ref })).await;
        page.until("log.length").await;
    }
}

#[tokio::test]
async fn a_subaction_does_it_at_once_with_trusted_events() {
    let page = open("hard/shadow.html").await;

    text_of(
        &page,
        "get_by_role",
        json!({ "role": "button", "name": "Kit button", "subaction": "click" }),
    )
    .await;
    text_of(
        &page,
        "get_by_label",
        json!({ "label": "Kit field", "subaction": "fill", "value": "hello" }),
    )
    .await;
    text_of(&page, "get_by_label", json!({ "label": "Kit box", "subaction": "check" })).await;
    let text =
        text_of(&page, "get_by_text", json!({ "text": "Kit text", "subaction": "text" })).await;

    assert_eq!(text, "\"Kit text\"");
    assert_eq!(page.eval("[kit.clicks, kit.value, kit.box]").await, json!([1, "hello", true]));
}

#[tokio::test]
async fn exact_means_the_whole_name_in_its_case() {
    let page = open("click.html").await;

    let count =
        async |args| page.call("get_by_text", args).await.map(|found| found.data["count"].clone());

    assert_eq!(count(json!({ "text": "twic" })).await.unwrap(), 1);
    let failure =
        count(json!({ "text": "twic", "exact": true, "timeout": 300 })).await.unwrap_err();
    assert_eq!(failure.code, "not_found", "{}", failure.text());
    assert_eq!(count(json!({ "text": "Twice", "exact": true })).await.unwrap(), 1);
}

/// The frames are one page: a whole match in one is meant, not a partial one in another that comes
/// first.
#[tokio::test]
async fn a_whole_match_in_a_frame_is_better_than_a_partial_one_in_the_page() {
    let page = open("hard/inside/meanings.html").await;

    text_of(&page, "click", json!({ "selector": "text=Save" })).await;
    page.until("log.length === 1").await;
    assert_eq!(page.log().await, ["one Save"]);
    for selector in ["text=Save", r#"role=button[name="Save"]"#] {
        let count = page.call("count", json!({ "selector": selector })).await.unwrap();
        assert_eq!(count.data["count"], 1, "{selector}: partial matches are not meant as well");
        let text = text_of(&page, "get_text", json!({ "selector": selector })).await;
        assert_eq!(text, r#""Save""#);
    }
    // Nobody sees the whole one: the other must be meant.
    text_of(&page, "click", json!({ "selector": "text=Print" })).await;
    page.until("log.length === 2").await;
    assert_eq!(page.log().await, ["one Save", "one Print it"]);
    let visible = page.call("is_visible", json!({ "selector": "text=Print" })).await.unwrap();
    assert_eq!(visible.data["visible"], true);
}

#[tokio::test]
async fn equal_matches_in_two_frames_are_ambiguous_and_listed_with_refs() {
    let page = open("hard/inside/meanings.html").await;

    for (selector, count) in [("text=Go", 2), ("role=button[name=Order]", 2), ("text=sav", 3)] {
        let sentence = format!("Selector '{selector}' matches {count} elements");
        let call = ("click", json!({ "selector": selector }));
        let failure = assert_refused(&page, call, &sentence, "ambiguous", Some("no")).await;
        let hint = failure.hint.expect("it has a hint");
        assert_eq!(hint.matches(" e").count(), count, "{hint}");
    }
    assert_eq!(page.log().await, Vec::<String>::new());

    let failure = refused(&page, "click", json!({ "selector": "text=Go" })).await;
    let hint = failure.hint.expect("it has a hint");
    let refs: Vec<&str> = hint.split([' ', ',', '.']).filter(|word| is_ref(word)).collect();
    text_of(&page, "click", json!({ "selector": refs[1] })).await;
    page.until("log.length").await;
    assert_eq!(page.log().await, ["one Go"], "{hint}");
    // Reading takes the first, and a frame that nobody sees has no say.
    assert_eq!(text_of(&page, "get_text", json!({ "selector": "text=Order" })).await, r#""Order""#);
    text_of(&page, "click", json!({ "selector": "text=Stop" })).await;
    assert_eq!(page.log().await, ["one Go", "page Stop"]);
}

/// A locator without a subaction tells all it found, in whichever frame, each with a ref that works.
#[tokio::test]
async fn every_match_of_a_locator_has_a_ref_of_its_own_in_any_frame() {
    let page = open("hard/inside/meanings.html").await;

    for (locator, args, frames) in [
        ("get_by_text", json!({ "text": "Go" }), ["page Go", "one Go"]),
        ("get_by_role", json!({ "role": "button", "name": "Order" }), ["one Order", "two Order"]),
    ] {
        page.eval("log.length = 0").await;
        let found = page.call(locator, args).await.expect("there are two").data;
        assert_eq!(found["count"], 2, "{found}");
        let refs: Vec<&str> = found["matches"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|one| one["ref"].as_str())
            .collect();
        assert!(refs.len() == 2 && refs[0] != refs[1], "{found}");
        assert_eq!(found["ref"], refs[0], "{found}");
        for one in &refs {
            text_of(&page, "click", json!({ "selector": one })).await;
        }
        page.until("log.length === 2").await;
        assert_eq!(page.log().await, frames, "{found}");
    }
}

/// Every locator that looks for words takes `exact`, and its words under both names.
#[tokio::test]
async fn every_locator_can_be_exact() {
    for (name, word, part, whole) in [
        ("get_by_role", "name", "sen", "Send"),
        ("get_by_label", "label", "mai", "Email"),
        ("get_by_label", "text", "mai", "Email"),
        ("get_by_placeholder", "placeholder", "earc", "Search"),
        ("get_by_placeholder", "text", "earc", "Search"),
        ("get_by_alt_text", "alt", "og", "Logo"),
        ("get_by_alt_text", "text", "og", "Logo"),
        ("get_by_title", "title", "lose", "Close"),
        ("get_by_title", "text", "lose", "Close"),
    ] {
        let page = open("hard/inside/words.html").await;
        let found = async |value: &str, exact: bool| {
            let mut args = json!({ "exact": exact, "timeout": 400 });
            args[word] = json!(value);
            if name == "get_by_role" {
                args["role"] = json!("button");
            }
            page.call(name, args).await
        };
        for (value, exact) in [(part, false), (whole, false), (whole, true)] {
            let count = found(value, exact).await.unwrap_or_else(|e| panic!("{}", e.text()));
            assert_eq!(count.data["count"], 1, "{name} {word}={value}, exact {exact}");
        }
        for value in [part, &whole.to_lowercase()] {
            let failure = found(value, true).await.expect_err("it is not all of it");
            assert_eq!(failure.code, "not_found", "{name} {word}={value}: {}", failure.text());
        }
    }
}

#[tokio::test]
async fn a_subaction_can_only_point() {
    let page = open("hard/inside/words.html").await;

    for (name, args) in [
        ("get_by_title", json!({ "title": "Close", "subaction": "hover" })),
        ("get_by_alt_text", json!({ "alt": "Logo", "action": "hover" })),
        ("get_by_test_id", json!({ "testId": "field", "action": "hover" })),
        ("nth", json!({ "selector": "button", "index": 0, "action": "hover" })),
    ] {
        text_of(&page, name, args).await;
    }

    assert_eq!(page.log().await, ["over close", "over logo", "over field", "over send"]);
}

#[tokio::test]
async fn a_subaction_is_judged_as_the_action_it_runs() {
    let page = open("click.html").await;

    let args = json!({ "role": "button", "name": "Send", "subaction": "click" });
    let failure = page.call_as("get_by_role", "get_by_role", args).await.unwrap_err();

    assert_eq!(failure.code, "denied", "{}", failure.text());
    assert_eq!(page.log().await, Vec::<String>::new());
}

#[tokio::test]
async fn a_value_without_fill_is_refused() {
    let page = open("click.html").await;

    let args = json!({ "role": "button", "name": "Send", "subaction": "click", "value": "x" });
    assert_refused(
        &page,
        ("get_by_role", args),
        "value is only for subaction fill",
        "invalid_params",
        Some("no"),
    )
    .await;
    assert_eq!(page.log().await, Vec::<String>::new());
}

/// `frame` moves where plain CSS and scripts look; refs and names need no switch.
#[tokio::test]
async fn plain_css_is_looked_for_in_the_frame_that_was_entered() {
    let page = open("hard/frames.html").await;

    text_of(&page, "frame", json!({ "url": "middle.html" })).await;
    let count = page.call("count", json!({ "selector": "button" })).await.unwrap();
    assert_eq!(count.data["count"], 2);
    assert_eq!(page.eval("document.title").await, "middle");
    text_of(&page, "frame", json!({ "selector": r#"iframe[title="Deep"]"# })).await;
    text_of(&page, "fill", json!({ "selector": "#kit-field", "value": "hello" })).await;
    assert_eq!(page.eval("kit.value").await, "hello");

    text_of(&page, "mainframe", json!({})).await;
    assert_eq!(page.eval("document.title").await, "frames");
    let count = page.call("count", json!({ "selector": "button" })).await.unwrap();
    assert_eq!(count.data["count"], 1);
}

/// The frame that was entered is gone: the next call must not act in another place.
#[tokio::test]
async fn a_frame_that_goes_away_is_told_and_the_page_is_back() {
    for (name, args) in [
        ("click", json!({ "selector": "button" })),
        ("count", json!({ "selector": "button" })),
        ("evaluate", json!({ "script": "document.title" })),
        ("wait", json!({ "selector": "button" })),
    ] {
        let page = open("hard/inside/meanings.html").await;
        text_of(&page, "frame", json!({ "name": "one" })).await;
        assert_eq!(page.eval("document.querySelector('button').textContent").await, "Save");
        // It is removed once nobody looks, and the page says so.
        page.eval("parent.setTimeout('document.querySelector(\"iframe\").remove()')").await;
        gone(&page).await;

        let failure = refused(&page, name, args.clone()).await;
        assert_eq!(failure.code, "not_found", "{name}: {}", failure.text());
        let sentence = "Selector 'frame url=about:srcdoc' not found";
        assert_eq!(failure.message, sentence, "{name}");
        assert_eq!(page.eval("document.title").await, "meanings", "the page is back");
        assert_eq!(page.log().await, Vec::<String>::new());
        text_of(&page, name, args).await;
    }
}

/// Waits until a frame is not on the page any more.
async fn gone(page: &btcp_testkit::TestPage) {
    let tree = || text_of(page, "snapshot", json!({}));
    let start = std::time::Instant::now();
    while tree().await.contains(r#"iframe "One""#) {
        assert!(start.elapsed().as_secs() < 30, "the frame stays");
    }
}

#[tokio::test]
async fn a_load_ends_being_in_a_frame() {
    let page = open("hard/frames.html").await;
    text_of(&page, "frame", json!({ "url": "sandbox.html" })).await;

    page.call("reload", json!({})).await.unwrap_or_else(|e| panic!("{}", e.text()));

    assert_eq!(page.eval("document.title").await, "frames");
}

#[tokio::test]
async fn what_is_no_frame_cannot_be_entered() {
    let page = open("hard/frames.html").await;

    for (args, sentence, code) in [
        (
            json!({ "selector": "#top-1", "timeout": 500 }),
            "button \"Top one\" e1 is not a frame",
            "invalid_params",
        ),
        (
            json!({ "name": "nobody", "timeout": 500 }),
            "Selector 'frame name=nobody' not found",
            "not_found",
        ),
        (json!({}), "Give a selector, a name or a url", "invalid_params"),
    ] {
        assert_refused(&page, ("frame", args), sentence, code, Some("no")).await;
        assert_eq!(page.eval("document.title").await, "frames");
    }
}

#[tokio::test]
async fn an_address_is_waited_for_over_loads_and_without() {
    let page = open("click.html").await;

    page.eval("setTimeout(() => history.pushState(null, '', '?pushed'), 200)").await;
    text_of(&page, "wait_for_url", json!({ "url": "?pushed" })).await;
    page.eval("setTimeout(() => { location.href = '/slow?ms=300' }, 100)").await;
    text_of(&page, "wait_for_url", json!({ "url": "http://*/slow?ms=*" })).await;

    let failure =
        refused(&page, "wait_for_url", json!({ "url": "/nowhere", "timeout": 500 })).await;
    assert_eq!(failure.code, "timeout", "{}", failure.text());
    assert!(failure.message.starts_with("Timeout after 500ms waiting for "), "{}", failure.message);
}

/// The mark is Chrome's, over the page and not in it (`pictures.rs` looks at it).
#[tokio::test]
async fn a_highlight_is_drawn_over_the_page_not_in_it() {
    let page = open("hard/traces.html").await;

    let said = text_of(&page, "highlight", json!({ "selector": "text=Kit button" })).await;

    assert!(said.contains(r#"button "Kit button" e"#), "{said}");
    assert_eq!(page.eval("look()").await, json!([]));
    text_of(&page, "highlight", json!({})).await;
    text_of(&page, "click", json!({ "selector": "text=Kit button" })).await;
    assert_eq!(page.eval("kit.clicks").await, 1, "a mark must not be in the way");
}
