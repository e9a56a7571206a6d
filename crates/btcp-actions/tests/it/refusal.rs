//! What tests of failures share: the call must fail, with a sentence, a code and `done`,
//! and the session must go on.

use btcp_actions::Failure;
use btcp_testkit::TestPage;
use serde_json::{Value, json};

/// Makes a call that must fail.
pub(crate) async fn refused(page: &TestPage, name: &str, args: Value) -> Failure {
    match page.call(name, args.clone()).await {
        Err(failure) => failure,
        Ok(outcome) => panic!("{name} {args} succeeded: {}", outcome.text.for_model()),
    }
}

/// Makes a call that must fail with this sentence, code and `done`, and a session that goes on.
pub(crate) async fn assert_refused(
    page: &TestPage,
    (name, args): (&str, Value),
    sentence: &str,
    code: &str,
    done: Option<&str>,
) -> Failure {
    let failure = refused(page, name, args.clone()).await;
    let said = failure.text();
    assert_eq!(failure.message, sentence, "{name} {args} said: {said}");
    assert_eq!(failure.code, code, "{name} {args} said: {said}");
    assert_eq!(failure.done.map(|done| done.name()), done, "{name} {args} said: {said}");
    assert_goes_on(page).await;
    failure
}

/// After a failure the session takes the next call.
pub(crate) async fn assert_goes_on(page: &TestPage) {
    if let Err(failure) = page.call("title", json!({})).await {
        panic!("the session did not go on: {}", failure.text());
    }
}

/// Makes a call that must succeed and gives the text a model reads.
pub(crate) async fn text_of(page: &TestPage, name: &str, args: Value) -> String {
    match page.call(name, args.clone()).await {
        Ok(outcome) => outcome.text.for_model(),
        Err(failure) => panic!("{name} {args} failed: {}", failure.text()),
    }
}

/// Waits until the session has so many tabs: those a page opens come when Chrome says so.
pub(crate) async fn until_tabs(page: &TestPage, count: usize) {
    let start = std::time::Instant::now();
    loop {
        let list = page.call("get_all_tabs", json!({})).await;
        let list = list.unwrap_or_else(|failure| panic!("{}", failure.text())).data;
        if list["tabs"].as_array().is_some_and(|tabs| tabs.len() >= count) {
            return;
        }
        assert!(start.elapsed().as_secs() < 30, "there are no {count} tabs: {list}");
    }
}

/// The ref a snapshot gives an element: `e4` for `button "Send"`.
pub(crate) async fn ref_of(page: &TestPage, what: &str) -> String {
    let tree = text_of(page, "snapshot", json!({})).await;
    let line = tree.lines().map(str::trim_start).find(|line| line.starts_with(what));
    let line = line.unwrap_or_else(|| panic!("no {what} in\n{tree}"));
    let mut words = line[what.len()..].split_whitespace();
    let found = words.find(|word| is_ref(word));
    found.unwrap_or_else(|| panic!("{what} has no ref in\n{tree}")).to_owned()
}

/// Whether a word of a snapshot line is a ref.
pub(crate) fn is_ref(word: &str) -> bool {
    word.strip_prefix('e').is_some_and(|digits| {
        !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit())
    })
}
