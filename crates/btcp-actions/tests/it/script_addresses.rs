//! `javascript:` is denied on every route, by click and key too: what would run the script in an address is
//! not pressed. Addresses that do nothing stay what they are, and a page's own listeners its own affair.

use btcp_testkit::{TestPage, open};
use serde_json::{Value, json};

const PAGE: &str = "boundary/script-links.html";

/// Calls an action that must be refused, and gives the sentence.
async fn refused(page: &TestPage, action: &str, args: Value) -> String {
    let told = format!("{action} {args}");
    let failure = match page.call(action, args).await {
        Err(failure) => failure,
        Ok(outcome) => panic!("{told}: {}", outcome.text.for_model()),
    };
    let text = failure.text();
    assert_eq!(failure.code, "denied", "{told}: {text}");
    assert!(text.ends_with("(denied, done: no)"), "{told}: {text}");
    failure.message
}

/// What the page noticed, but for what the tests do not mean.
async fn ran(page: &TestPage) -> Vec<String> {
    page.log().await.into_iter().filter(|line| line.starts_with("ran")).collect()
}

#[tokio::test]
async fn a_click_does_not_run_the_script_in_an_address() {
    let page = open(PAGE).await;
    for (target, what) in [
        ("#link", r#"link "Link""#),
        ("#spelled", r#"link "Spelled""#),
        ("#escaped", r#"link "Escaped""#),
        ("#comment", r#"link "Comment""#),
        ("#blank", r#"link "Blank""#),
        ("#child", r#"link "Child""#),
        ("#area", r#"link "Area""#),
        ("#svg", "link"),
        ("#xlink", "link"),
        ("#drawn", "link"),
        ("#shadow", r#"link "Shadow""#),
        ("#slotted", r#"link "Slotted""#),
        ("#submit", r#"button "Label""#),
        ("#image", r#"button "Image""#),
        ("#label", "label"),
        ("#formaction", r#"button "Form action""#),
        ("#owned", r#"button "Owned""#),
        ("#frame >> #framed", r#"link "Framed""#),
        ("#frame", r#"link "Framed""#),
        ("#other >> #inside", r#"link "Inside""#),
        ("#other", r#"link "Inside""#),
    ] {
        let sentence = refused(&page, "click", json!({ "selector": target })).await;
        let begin = format!("Pressing '{target}' is denied: {what}");
        assert!(sentence.starts_with(&begin), "{target}: {sentence}");
        assert!(sentence.ends_with(" has a javascript: address"), "{target}: {sentence}");
    }
    assert_eq!(page.log().await, Vec::<String>::new(), "something was pressed");
}

/// Each of these links runs its script where nobody refuses it: the test above can fail.
#[tokio::test]
async fn the_links_run_their_scripts_for_a_person() {
    let page = open(PAGE).await;
    let ids = "['link','spelled','escaped','comment','child','area','svg','xlink','drawn','slotted','submit','image','label','formaction','owned']";
    let press = "(element) => element.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, composed: true }))";
    page.eval(&format!(
        "{{ const press = {press}; {ids}.map((id) => document.getElementById(id)).forEach(press); \
         press(document.querySelector('x-menu').shadowRoot.querySelector('#shadow')); \
         press(frames[0].document.querySelector('a')) }}"
    ))
    .await;
    for name in [
        "link",
        "spelled",
        "escaped",
        "comment",
        "child",
        "area",
        "svg",
        "xlink",
        "shadow",
        "slotted",
        "action",
        "formaction",
        "elsewhere",
        "framed",
    ] {
        page.until(&format!("log.includes('ran {name}')")).await;
    }
}

#[tokio::test]
async fn other_presses_are_refused_as_clicks_are() {
    let page = open(PAGE).await;
    refused(&page, "dblclick", json!({ "selector": "#link" })).await;
    refused(&page, "click", json!({ "selector": "#link", "button": "middle" })).await;
    refused(&page, "click", json!({ "selector": "#link", "modifiers": ["Control"] })).await;
    refused(&page, "get_by_text", json!({ "text": "Link", "exact": true, "subaction": "click" }))
        .await;
    let steps = json!([{ "action": "click", "selector": "#link" }]);
    refused(&page, "batch", json!({ "steps": steps })).await;
    for target in ["#link", "#drawn", "#frame", "#other"] {
        let found = page.call("bounding_box", json!({ "selector": target })).await;
        let found = found.expect("it has a box").data;
        let middle = |at: &str, size: &str| {
            found[at].as_f64().expect("a number") + found[size].as_f64().expect("a number") / 2.0
        };
        let (x, y) = (middle("x", "width"), middle("y", "height"));
        for kind in ["click", "down"] {
            let sentence = refused(&page, "mouse", json!({ "kind": kind, "x": x, "y": y })).await;
            assert!(sentence.starts_with(&format!("Pressing '{x}, {y}' is denied: link")));
        }
    }
    assert_eq!(page.log().await, Vec::<String>::new(), "something was pressed");

    // The right button follows nothing.
    page.call("click", json!({ "selector": "#link", "button": "right" })).await.expect("a menu");
    assert!(page.log().await.contains(&"contextmenu link".to_owned()));
    assert_eq!(ran(&page).await, Vec::<String>::new());
}

#[tokio::test]
async fn a_key_does_not_run_the_script_in_an_address() {
    let page = open(PAGE).await;
    let on = |key: &str, target: &str| json!({ "key": key, "selector": target });
    for target in ["#link", "#area", "#svg", "#shadow", "#submit", "#field", "#owned"] {
        let sentence = refused(&page, "press", on("Enter", target)).await;
        assert!(sentence.starts_with("Pressing 'Enter' is denied: "), "{target}: {sentence}");
    }
    refused(&page, "press", on("Space", "#formaction")).await;
    refused(&page, "press", on("Enter", "#frame >> #framed")).await;
    refused(&page, "press", on("Enter", "#other >> #inside")).await;
    refused(&page, "type", json!({ "selector": "#field", "text": "word\n" })).await;
    assert_eq!(page.eval("field.value").await, json!(""), "half of it was typed");
    page.call("focus", json!({ "selector": "#link" })).await.expect("it takes the focus");
    refused(&page, "press", json!({ "key": "Enter" })).await;
    refused(&page, "press", json!({ "key": "Control+Enter" })).await;
    refused(&page, "keydown", json!({ "key": "Enter" })).await;
    let pressed = |line: &String| line.starts_with("keydown") || line.starts_with("ran");
    let log = page.log().await;
    assert_eq!(log.iter().filter(|line| pressed(line)).count(), 0, "{log:?}");

    // Other keys are.
    page.call("press", on("Escape", "#link")).await.expect("it activates nothing");
    page.call("press", on("Space", "#link")).await.expect("it activates no link");
    page.call("type", json!({ "selector": "#field", "text": "two words" })).await.expect("typed");
    assert_eq!(page.eval("field.value").await, json!("two words"));
    assert_eq!(ran(&page).await, Vec::<String>::new());
}

/// Half the web has such addresses on menus that live by their listeners.
#[tokio::test]
async fn addresses_that_do_nothing_are_clicked_and_heard() {
    let page = open(PAGE).await;
    for at in 1..=9 {
        page.call("click", json!({ "selector": format!("#nothing{at}") }))
            .await
            .unwrap_or_else(|failure| panic!("{at}: {}", failure.text()));
        assert!(page.log().await.contains(&format!("heard {at}")), "{at}: {:?}", page.log().await);
    }
    for target in ["#plain", "#edited", "#close"] {
        let clicked = page.call("click", json!({ "selector": target })).await;
        clicked.unwrap_or_else(|failure| panic!("{target}: {}", failure.text()));
        let log = page.log().await;
        assert!(log.contains(&format!("click {}", &target[1..])), "{target}: {log:?}");
    }
    assert_eq!(ran(&page).await, Vec::<String>::new());
    assert_eq!(page.call("title", json!({})).await.unwrap().data["title"], json!("script links"));
}

/// A link that gets such an address, or is replaced by one that has, between the look and the press.
#[tokio::test]
async fn a_link_that_turns_into_a_script_under_the_mouse_does_not_run_it() {
    let page = open(PAGE).await;
    refused(&page, "click", json!({ "selector": "#turning" })).await;
    let (log, href) = (page.log().await, page.eval("turning.getAttribute('href')").await);
    assert_eq!(href, json!("javascript:ran('turned')"), "it did not turn: {log:?}");
    assert!(!log.contains(&"ran turned".to_owned()), "{log:?}");
}

#[tokio::test]
async fn what_to_do_instead_is_told_by_what_the_caller_has() {
    let page = open(PAGE).await;
    let hint = async |toolset: &str| {
        let refused = page.call_as(toolset, "browser_click", json!({ "selector": "#link" })).await;
        refused.expect_err("it is refused").text()
    };
    assert!(hint("agent").await.contains("browser_evaluate"), "{}", hint("agent").await);
    assert!(!hint("standard").await.contains("evaluate"), "{}", hint("standard").await);
    // The session goes on.
    page.call("evaluate", json!({ "script": "ran('by the agent')" })).await.expect("it may");
    assert_eq!(ran(&page).await, ["ran by the agent"]);
    page.call("click", json!({ "selector": "#plain" })).await.expect("it is a button");
}
