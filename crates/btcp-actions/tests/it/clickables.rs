//! Things that react to clicks without a role, words in a sentence too.

use btcp_testkit::{TestPage, open};
use serde_json::json;

use crate::complete::{assert_has, lines};
use crate::refusal::{is_ref, ref_of, text_of};

#[tokio::test]
async fn words_in_a_sentence_that_react_to_clicks_stand_out_of_it() {
    let page = open("complete/words.html").await;

    let lines = lines(&page, json!({})).await;

    let text = lines.join("\n");
    for sentence in [
        "\"Press\"\nclickable \"this word\"\n\"to go on.\"",
        "\"Or\"\nclickable \"that word\"\n\", or\"\nclickable \"the third\"\n\"or\"\nclickable \"the fourth\"",
        "\"Property\"\nclickable \"by property\"\n\"set.\"",
        "\"Pointer\"\nclickable \"by pointer\"\n\"down.\"",
        "clickable\nheading \"Card title\" [h3]\n\"Card words\"",
        "clickable \"A thing\"",
    ] {
        assert!(text.contains(sentence), "no\n{sentence}\nin\n{text}");
    }
}

#[tokio::test]
async fn what_listens_for_others_is_not_taken_for_a_control() {
    let page = open("complete/words.html").await;

    let tree = text_of(&page, "snapshot", json!({})).await;

    for line in ["list", r#"main: "Main words""#, "  listitem: \"Plain item\""] {
        assert!(tree.lines().any(|l| l == line), "no {line} in\n{tree}");
    }
    for once in ["Wrapped", "Holding"] {
        assert_eq!(tree.matches(once).count(), 1, "{once} in\n{tree}");
    }
    assert_eq!(tree.matches("clickable").count(), 9, "{tree}");
}

#[tokio::test]
async fn a_word_is_clicked_by_its_ref_and_is_text_again_without_its_listener() {
    let page = open("complete/words.html").await;

    for (what, heard) in [
        (r#"clickable "this word""#, "click listened"),
        (r#"clickable "by property""#, "click property"),
        (r#"clickable "by pointer""#, "pointerdown pointer"),
        // Without a listener of their own: a cursor, and a place in the order of tabs.
        (r#"clickable "that word""#, "reached hand"),
        (r#"clickable "the fourth""#, "reached tab"),
    ] {
        let target = ref_of(&page, what).await;
        text_of(&page, "click", json!({ "selector": target })).await;
        assert_eq!(page.log().await.last().map(String::as_str), Some(heard));
    }
    // A card has no name of its own; what it holds stands below it.
    let tree = text_of(&page, "snapshot", json!({})).await;
    let card = tree.lines().find_map(|line| line.strip_prefix("clickable ").filter(|r| is_ref(r)));
    let card = card.unwrap_or_else(|| panic!("no card in\n{tree}"));
    text_of(&page, "click", json!({ "selector": card })).await;
    assert_eq!(page.log().await.last().map(String::as_str), Some("click card"));
    assert_has(&lines(&page, json!({})).await, &[r#"clickable "No longer""#]);
    page.eval("remove()").await;
    assert_has(&lines(&page, json!({})).await, &[r#""No longer""#]);
}

/// Chrome crashed when it was asked for listeners in the wrong world, but not at once.
#[tokio::test]
async fn a_page_with_listeners_can_be_read_again_and_again() {
    let page = open("complete/words.html").await;
    let first = text_of(&page, "snapshot", json!({})).await;

    for _ in 0..100 {
        let again = text_of(&page, "snapshot", json!({})).await;
        assert_eq!(again, first);
    }
}

/// Fills a page with words that only a listener makes clickable.
async fn with_words(count: u32) -> TestPage {
    let page = open("complete/words.html").await;
    page.eval(&format!(
        "document.body.innerHTML = Array.from({{ length: {count} }}, (_, n) => `<p>Read <span id=w${{n}}>word ${{n}}.</span> now</p>`).join(''); \
         for (const word of document.querySelectorAll('span')) word.addEventListener('click', (event) => {{ if (event.isTrusted) log.push(word.id) }}); 1"
    ))
    .await;
    page
}

/// However many listen: none is left out because others were told of first.
#[tokio::test]
async fn the_last_of_many_words_is_found_and_clicked() {
    let page = with_words(1200).await;
    text_of(&page, "click", json!({ "selector": "#w0" })).await;

    let found = text_of(&page, "find", json!({ "query": "word 1199." })).await;

    let target = found.split_once(r#"clickable "word 1199." "#).map(|(_, rest)| rest);
    let target = target.and_then(|rest| rest.lines().next()).unwrap_or_else(|| panic!("{found}"));
    let told = text_of(&page, "click", json!({ "selector": target })).await;
    assert_eq!(page.log().await, ["w0", "w1199"]);
    assert!(!told.contains("\n+ clickable"), "what nobody changed is no change: {told}");
}

/// A page with more listeners than are asked for twice keeps what it said the first time.
#[tokio::test]
async fn words_of_a_page_with_very_many_stay_clickable() {
    let page = with_words(10_500).await;
    let first = text_of(&page, "snapshot", json!({})).await;
    assert!(first.contains(r#"clickable "word 0." e"#), "{first}");

    let again = text_of(&page, "snapshot", json!({})).await;

    assert_eq!(again, first);
    let found = text_of(&page, "find", json!({ "query": "word 10499." })).await;
    assert!(found.contains(r#"clickable "word 10499." e"#), "{found}");
}
