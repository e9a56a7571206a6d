//! `upload` wherever pages take files, and only files the caller may read.

use std::path::PathBuf;

use btcp_testkit::{TestPage, files, open};
use serde_json::json;

use crate::refusal::{assert_goes_on, refused, text_of};

const PAGE: &str = "boundary/uploads.html";

fn hello() -> PathBuf {
    files().join("hello.txt")
}

async fn uploaded(page: &TestPage, selector: &str) -> String {
    text_of(page, "upload", json!({ "selector": selector, "files": [hello()] })).await
}

#[tokio::test]
async fn files_reach_fields_that_nobody_sees_frames_shadow_roots_and_choosers() {
    let page = open(PAGE).await;
    page.call("snapshot", json!({})).await.unwrap();

    for (selector, arrived) in [
        ("#gone", "gone hello.txt 6"),
        ("#clipped", "clipped hello.txt 6"),
        ("#label", "labelled hello.txt 6"),
        ("#word", "labelled hello.txt 6"),
        ("#pretty", "only hello.txt 6"),
        ("#in-open", "in-open hello.txt 6"),
        ("label=In closed root", "in-closed hello.txt 6"),
        ("iframe[title=Same] >> #inside-field", "inside-field hello.txt 6"),
        ("iframe[title=Other] >> #inside-field", "inside-field hello.txt 6"),
        ("iframe[title=Same] >> #inside-button", "inside-chosen hello.txt 6"),
        ("iframe[title=Other] >> #inside-button", "inside-chosen hello.txt 6"),
        ("#fly", "fly hello.txt 6"),
        ("#late", "late hello.txt 6"),
        ("#zone", "zone hello.txt 6"),
        ("iframe[title=Same] >> #inside-zone", "inside-zone hello.txt 6"),
        ("iframe[title=Other] >> #inside-zone", "inside-zone hello.txt 6"),
    ] {
        page.eval("log.length = 0").await;
        let said = uploaded(&page, selector).await;
        page.until("log.length").await;
        assert_eq!(page.log().await, [arrived], "{selector}: {said}");
        assert!(said.contains(r#""hello.txt" (6 bytes)"#), "{selector}: {said}");
    }
}

#[tokio::test]
async fn what_a_field_would_rather_have_and_what_became_of_the_files_is_told() {
    let page = open(PAGE).await;

    let picky = uploaded(&page, "#labelled").await;
    assert!(picky.contains(r#""hello.txt" is not what it accepts: "image/*""#), "{picky}");
    let forgets = uploaded(&page, "#forgets").await;
    assert!(forgets.contains("the page took them and emptied it again"), "{forgets}");
    let asks =
        page.call_as("agent,upload", "upload", json!({ "selector": "#asks", "files": [hello()] }));
    let asks = asks.await.unwrap();
    assert_eq!(asks.data["effect"], "dialog", "{}", asks.data);
    page.call("dialog", json!({ "response": "accept" })).await.unwrap();

    let two = json!({ "selector": "#several", "files": [hello(), files().join("dot.png")] });
    let said = text_of(&page, "upload", two).await;
    assert!(said.contains(r#"put 2 files into"#), "{said}");
    assert!(said.contains(r#"it holds "hello.txt" (6 bytes), "dot.png" (70 bytes)"#), "{said}");
    let none = text_of(&page, "upload", json!({ "selector": "#several", "files": [] })).await;
    assert!(none.starts_with("emptied ") && none.contains("(it is empty)"), "{none}");
    assert_eq!(page.eval("several.files.length").await, 0);
}

#[tokio::test]
async fn what_takes_no_files_says_why() {
    let page = open(PAGE).await;
    let two = json!([hello(), files().join("dot.png")]);
    for (selector, given, code, says) in [
        ("#gone", two, "invalid_params", "takes one file, not 2"),
        ("#off", json!([hello()]), "disabled", "is disabled"),
        ("#folder", json!([hello()]), "not_editable", "it takes a whole folder"),
        ("#idle", json!([hello()]), "not_editable", "no chooser opened"),
        ("#text", json!([hello()]), "not_editable", "nothing can be dropped on it"),
        ("#picker", json!([hello()]), "not_editable", "belongs to no file field"),
        ("#idle", json!([]), "not_editable", "only a file field can be emptied"),
        ("#nothing", json!([hello()]), "not_found", "not found"),
    ] {
        // A chooser has its own time to open; the others are looked at until the deadline.
        let timeout = if matches!(selector, "#idle" | "#picker") { "60s" } else { "7s" };
        let args = json!({ "selector": selector, "files": given, "timeout": timeout });
        let failure = refused(&page, "upload", args).await;
        assert_eq!(failure.code, code, "{selector}: {}", failure.text());
        assert!(failure.message.contains(says), "{selector}: {}", failure.text());
    }
    assert_goes_on(&page).await;
    // A chooser that nobody waits for is closed again, as before.
    page.call("click", json!({ "selector": "#fly" })).await.unwrap();
    assert_eq!(page.eval("log.filter((line) => line.startsWith('fly')).length").await, 0);
}

#[tokio::test]
async fn only_files_the_caller_may_read_are_uploaded() {
    let page = open(PAGE).await;
    let temporary = std::env::temp_dir().join(format!("btcp-upload-{}", std::process::id()));
    std::fs::write(&temporary, "hello").unwrap();
    for path in ["/etc/passwd", "/etc/no-such-file", "../../../../etc/passwd", "/proc/self/environ"]
    {
        let failure =
            refused(&page, "upload", json!({ "selector": "#gone", "files": [path] })).await;
        assert_eq!(failure.code, "denied", "{path}: {}", failure.text());
        assert_eq!(failure.done.map(|done| done.name()), Some("no"));
    }
    // The temporary folder is open to somebody at this machine only; a test is in nobody's hands.
    let failure =
        refused(&page, "upload", json!({ "selector": "#gone", "files": [temporary] })).await;
    assert_eq!(failure.code, "denied", "{}", failure.text());
    let missing = files().join("missing.txt");
    let failure =
        refused(&page, "upload", json!({ "selector": "#gone", "files": [missing] })).await;
    assert_eq!(failure.code, "file_not_found", "{}", failure.text());
    assert!(page.log().await.is_empty(), "the page saw {:?}", page.log().await);
    std::fs::remove_file(&temporary).unwrap();
}
